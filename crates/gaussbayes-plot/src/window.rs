//! Chooses the part of the plane that a picture shows.

use gaussbayes::Window;

/// Room around rows, as a share of what they take.
const MARGIN: f64 = 0.05;

/// Deviations of a Gaussian that are shown.
const DEVIATIONS: f64 = 2.5;

/// Sides whose ratio is within this are taken for lengths of one unit.
const ALIKE: f64 = 2.5;

/// Beyond this numbers have no place on an axis.
const FAR: f64 = 1e150;

/// Least and largest values, growing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    pub(crate) const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut all = Self::NONE;
        values.into_iter().for_each(|x| all.add(x));
        all
    }

    fn add(&mut self, x: f64) {
        if x.is_finite() {
            let x = x.clamp(-FAR, FAR);
            (self.low, self.high) = (self.low.min(x), self.high.max(x));
        }
    }

    /// Makes room for a Gaussian of this mean and variance.
    pub(crate) fn add_bell(&mut self, mean: f64, variance: f64) {
        let reach = DEVIATIONS * variance.max(0.0).sqrt();
        self.add(mean - reach);
        self.add(mean + reach);
    }

    /// The same with room around it.
    pub(crate) fn with_margin(self) -> Self {
        let room = MARGIN * (self.high - self.low);
        if room.is_finite() { Self { low: self.low - room, high: self.high + room } } else { self }
    }

    pub(crate) fn joined(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Ends that differ: a unit around what has no width, 0 to 1 where there is nothing.
    pub(crate) fn ends(self) -> (f64, f64) {
        if self.low > self.high {
            return (0.0, 1.0);
        }
        let middle = 0.5 * (self.low + self.high);
        let least = middle.abs() * 1e-12;
        if self.high - self.low > least {
            return (self.low, self.high);
        }
        let half = 0.5_f64.max(middle.abs() * 1e-6);
        (middle - half, middle + half)
    }
}

/// A window, and whether both of its columns look like lengths of one unit.
pub(crate) fn window(across: Bounds, upward: Bounds, size: [f64; 2]) -> (Window, bool) {
    let ((l0, h0), (l1, h1)) = (across.ends(), upward.ends());
    let sides = [h0 - l0, h1 - l1];
    let window = Window { low: [l0, l1], high: [h0, h1] };
    let ratio = sides[0] / sides[1];
    if !(1.0 / ALIKE..=ALIKE).contains(&ratio) {
        return (window, false);
    }
    (filled(&window, size), true)
}

/// The same, wider in one column, so that a unit is as long across as upward.
pub(crate) fn filled(window: &Window, size: [f64; 2]) -> Window {
    let sides = [0, 1].map(|j| window.high[j] - window.low[j]);
    let unit = (sides[0] / size[0]).max(sides[1] / size[1]);
    let mut window = *window;
    for j in 0..2 {
        let (middle, half) = (0.5 * (window.low[j] + window.high[j]), 0.5 * unit * size[j]);
        if half > 0.5 * sides[j] {
            (window.low[j], window.high[j]) = (middle - half, middle + half);
        }
    }
    window
}

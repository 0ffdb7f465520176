//! Chooses the places of an axis that are marked, and writes them as short as they can be told apart.

use std::ops::Range;

use crate::font;
use crate::picture::{Axis, Ticks};

/// Pixels of the numbers and names at ticks.
pub(crate) const SIZE: f64 = 12.0;

/// Pixels between names of neighbouring ticks, at least.
const GAP: f64 = 7.0;

/// Pixels of the longest name at a tick.
const LONGEST: f64 = 120.0;

/// Ticks of an axis, at most.
const MOST: usize = 8;

/// Ticks of an axis where there is room.
const FEWEST: usize = 3;

/// Numbers that are written without a power of ten.
const PLAIN: Range<f64> = 1e-3..1e6;

/// How often the length of an axis goes into its numbers before what they share is written once.
const SHARED: f64 = 1e4;

/// What is written along an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Scale {
    /// The marked places, the lowest first.
    pub(crate) ticks: Vec<Tick>,
    /// What is to be added to every number, where they are all far from zero.
    pub(crate) shared: Option<String>,
    /// What every number is to be multiplied by, where they are very large or very small.
    pub(crate) power: Option<String>,
    /// Whether names are slanted, since they would overlap.
    pub(crate) slanted: bool,
}

/// A marked place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// Where, in units of the axis.
    pub(crate) at: f64,
    /// What is written there.
    pub(crate) text: String,
    /// What would be written, had it room.
    pub(crate) full: String,
}

/// In which direction an axis goes: names need their width across and their height upward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    /// From left to right.
    Across,
    /// From bottom to top.
    Upward,
}

impl Scale {
    /// The ticks of an axis of so many pixels.
    pub(crate) fn of(axis: &Axis, length: f64, along: Along) -> Self {
        let ends = ends(axis);
        match &axis.ticks {
            Ticks::Bare => Self::default(),
            Ticks::Numbers => numbers(ends, length, along),
            Ticks::Powers => powers(ends, length, along),
            Ticks::Named(names) => named(names, ends, length, along),
        }
    }

    /// Pixels of the longest text.
    pub(crate) fn widest(&self) -> f64 {
        self.ticks.iter().map(|tick| font::width(&tick.text, SIZE)).fold(0.0, f64::max)
    }

    fn plain(ticks: Vec<Tick>) -> Self {
        Self { ticks, ..Self::default() }
    }

    /// Whether no two texts touch.
    fn fits(&self, [low, high]: [f64; 2], length: f64, along: Along) -> bool {
        let needs = |text: &str| match along {
            Along::Across => font::width(text, SIZE) + GAP,
            Along::Upward => SIZE + GAP,
        };
        let pairs = self.ticks.iter().zip(self.ticks.iter().skip(1));
        pairs.into_iter().all(|(a, b)| {
            (b.at - a.at) / (high - low) * length >= f64::midpoint(needs(&a.text), needs(&b.text))
        })
    }
}

impl Tick {
    fn new(at: f64, text: String) -> Self {
        Self { at, full: text.clone(), text }
    }
}

/// Both ends of an axis, in order, finite and apart.
pub(crate) fn ends(axis: &Axis) -> [f64; 2] {
    let (low, high) = (axis.low.min(axis.high), axis.low.max(axis.high));
    match (low.is_finite() && high.is_finite(), low < high) {
        (true, true) => [low, high],
        (true, false) => [low - 0.5 - low.abs() / 2.0, low + 0.5 + low.abs() / 2.0],
        _ => [0.0, 1.0],
    }
}

/// A multiple of a power of ten: a number without rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Decimal {
    digits: i64,
    exponent: i32,
}

impl Decimal {
    fn value(self) -> f64 {
        // A division by an exact power rounds once; a product with its inverse twice.
        match self.exponent {
            exponent @ ..0 => self.digits as f64 / 10f64.powi(-exponent),
            exponent => self.digits as f64 * 10f64.powi(exponent),
        }
    }

    /// The number over a power of ten.
    fn over(self, power: i32) -> Self {
        Self { exponent: self.exponent - power, ..self }
    }

    fn text(self) -> String {
        let sign = if self.digits < 0 { "−" } else { "" };
        let digits = self.digits.unsigned_abs();
        match self.exponent {
            _ if digits == 0 => "0".into(),
            exponent @ 0.. => format!("{sign}{digits}{}", "0".repeat(exponent as usize)),
            exponent => {
                let places = exponent.unsigned_abs() as usize;
                let padded = format!("{digits:0>width$}", width = places + 1);
                let (whole, fraction) = padded.split_at(padded.len() - places);
                format!("{sign}{whole}.{fraction}")
            }
        }
    }
}

/// Steps of 1, 2 and 5 times a power of ten, the smallest of which is at least so large.
fn steps(least: f64) -> impl Iterator<Item = Decimal> {
    let first = least.log10().floor() as i32;
    let all = (first..first + 4)
        .flat_map(|exponent| [1, 2, 5].map(|digits| Decimal { digits, exponent }));
    all.filter(move |step| step.value() >= least)
}

fn numbers(ends @ [low, high]: [f64; 2], length: f64, along: Along) -> Scale {
    let span = high - low;
    let far = low.abs().max(high.abs()) / span;
    let begin = roundest([low - span, high]);
    if far > SHARED {
        return multiples(ends, length, along, Some(begin), true);
    }
    // Where long numbers leave no room, what they share is written once.
    let ways = [(None, false), (None, true), (Some(begin), false), (Some(begin), true)];
    let mut best = Scale::default();
    for (shared, apart) in ways.into_iter().take(if far < 2.0 { 2 } else { 4 }) {
        let next = multiples(ends, length, along, shared, apart);
        if next.ticks.len() > best.ticks.len() {
            best = next;
        }
        if best.ticks.len() >= FEWEST {
            break;
        }
    }
    best
}

/// The number between two that has the most zeros.
fn roundest([low, high]: [f64; 2]) -> Decimal {
    let least = (high - low).log10().floor() as i32 - 1;
    let most = low.abs().max(high.abs()).log10().ceil() as i32;
    let of = |exponent: i32| {
        let digits = (low / 10f64.powi(exponent)).ceil() as i64;
        Decimal { digits, exponent }
    };
    let inside = |number: &Decimal| (low..=high).contains(&number.value());
    (least..=most).rev().map(of).find(inside).unwrap_or_else(|| of(least))
}

/// The multiples of the smallest step whose numbers have room, with their power of ten apart or not.
fn multiples(
    ends: [f64; 2],
    length: f64,
    along: Along,
    shared: Option<Decimal>,
    apart: bool,
) -> Scale {
    let pixels = match along {
        Along::Across => 36.0,
        Along::Upward => 26.0,
    };
    let most = ((length / pixels) as usize).clamp(2, MOST);
    let mut best = Scale::default();
    // From a step that is surely too small: the last of too many is better than none.
    for step in steps((ends[1] - ends[0]) / (3 * most) as f64) {
        let next = of_step(step, ends, shared, apart);
        if next.ticks.is_empty() && !best.ticks.is_empty() {
            best.ticks.truncate(1);
            break;
        }
        best = next;
        if best.ticks.len() <= most && best.fits(ends, length, along) {
            break;
        }
    }
    best
}

/// The multiples of a step, less what they share.
fn of_step(step: Decimal, [low, high]: [f64; 2], shared: Option<Decimal>, apart: bool) -> Scale {
    let (unit, from) = (step.value(), shared.map_or(0.0, Decimal::value));
    // Ends that are round numbers but for rounding count as reached.
    let slack = (high - low) / unit * 1e-9;
    let first = ((low - from) / unit - slack).ceil() as i64;
    let last = ((high - from) / unit + slack).floor() as i64;
    let places = first..=last.min(first + 100);
    let values: Vec<Decimal> =
        places.map(|i| Decimal { digits: i * step.digits, ..step }).collect();
    let tick = |(value, text): (&Decimal, String)| {
        Tick::new((from + value.value()).clamp(low, high), text)
    };
    let plain = if apart { 1e-2..1e4 } else { PLAIN };
    let power = power(&values, &plain).filter(|_| apart);
    let texts = match power {
        Some(power) => values.iter().map(|value| value.over(power).text()).collect(),
        None => texts(&values),
    };
    let ticks = values.iter().zip(texts).map(tick).collect();
    let power = power.map(|power| format!("10{}", raised(power)));
    Scale { ticks, shared: shared.map(alone), power, slanted: false }
}

/// Numbers as text: with a common power of ten where they are very large or very small.
fn texts(values: &[Decimal]) -> Vec<String> {
    let power = power(values, &PLAIN);
    let text = |value: &Decimal| match power {
        Some(power) if value.digits != 0 => {
            format!("{}×10{}", value.over(power).text(), raised(power))
        }
        _ => value.text(),
    };
    values.iter().map(text).collect()
}

/// The power of ten of the largest of numbers, where they are very large or very small.
fn power(values: &[Decimal], plain: &Range<f64>) -> Option<i32> {
    let largest = values.iter().map(|value| value.value().abs()).fold(0.0, f64::max);
    let plain = largest == 0.0 || plain.contains(&largest);
    (!plain).then(|| (largest.log10() + 1e-9).floor() as i32)
}

/// One number as text, in full unless it has very many zeros, with its thousands set apart.
fn alone(value: Decimal) -> String {
    if value.exponent.abs() >= 15 {
        return texts(&[value]).concat();
    }
    let text = value.text();
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    let digits = whole.chars().count();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (digits - i) % 3 == 0 && !out.ends_with('−') {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out + fraction
}

/// A whole number as an exponent.
fn raised(power: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    power.to_string().chars().map(raise).collect()
}

fn powers(ends @ [low, high]: [f64; 2], length: f64, along: Along) -> Scale {
    let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
    if last - first < 1 {
        return between_powers(ends, length, along);
    }
    let plain = first >= -4 && last <= 5;
    let text = |power: i32| {
        let plain = plain.then(|| Decimal { digits: 1, exponent: power }.text());
        plain.unwrap_or_else(|| format!("10{}", raised(power)))
    };
    let mut best = Scale::default();
    for step in (1..).take(400) {
        let multiples = (first..=last).filter(|power| power.rem_euclid(step) == 0);
        let ticks =
            multiples.map(|power| Tick::new(f64::from(power).clamp(low, high), text(power)));
        best = Scale::plain(ticks.collect());
        if best.ticks.len() <= MOST && best.fits(ends, length, along) {
            break;
        }
    }
    best
}

/// Round numbers on an axis of logarithms that has hardly a power of ten.
fn between_powers(ends @ [low, high]: [f64; 2], length: f64, along: Along) -> Scale {
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let digits: [&[i64]; 3] = [&[1, 2, 3, 5, 7], &[1, 2, 5], &[1, 3]];
    let mut best = Scale::default();
    for digits in digits {
        let values = (first..=last)
            .flat_map(|exponent| digits.iter().map(move |&digits| Decimal { digits, exponent }));
        let inside = values.filter(|value| (low..=high).contains(&value.value().log10()));
        let inside: Vec<Decimal> = inside.collect();
        let tick = |(value, text): (&Decimal, String)| Tick::new(value.value().log10(), text);
        best = Scale::plain(inside.iter().zip(texts(&inside)).map(tick).collect());
        if best.fits(ends, length, along) {
            return best;
        }
    }
    best.ticks.truncate(1);
    best
}

fn named(names: &[(f64, String)], ends: [f64; 2], length: f64, along: Along) -> Scale {
    let [low, high] = ends;
    let inside = names.iter().filter(|(at, _)| (low..=high).contains(at));
    let mut ticks: Vec<Tick> = inside.map(|(at, name)| Tick::new(*at, name.clone())).collect();
    ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut scale = Scale::plain(ticks);
    let straight = scale.fits(ends, length, along);
    if straight && along == Along::Across {
        return scale;
    }
    scale.slanted = along == Along::Across;
    for tick in &mut scale.ticks {
        tick.text = font::shortened(&tick.full, SIZE, LONGEST);
    }
    // Lines of slanted or upright names are as far apart as their height asks for.
    let mut kept: Vec<Tick> = Vec::new();
    for tick in scale.ticks {
        let apart = |last: &Tick| (tick.at - last.at) / (high - low) * length >= SIZE + 1.0;
        if kept.last().is_none_or(apart) {
            kept.push(tick);
        }
    }
    scale.ticks = kept;
    scale
}

#[cfg(test)]
mod tests;

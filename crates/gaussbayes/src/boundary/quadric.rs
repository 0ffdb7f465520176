//! Writes the boundary between two components in coordinates whitened by one of them \[M41\].

use super::component::Component;
use super::kind::{Kind, Signs};
use crate::linalg::{dot, eigen};
use crate::mixture::Quadratic;
use crate::moments::{Frame, Shape, ldexp, lower_index};
use crate::tolerance::{KIND_ROUNDING, KIND_SEEN, KIND_SHARE};

/// Σ_k w_k y_k² + b_k y_k + c with y = duals · (u − origin) of a framed row u.
///
/// What rounding alone could have made is exactly 0: squares, slopes along axes without a square, and
/// the constant once squares are completed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quadric {
    pub(crate) origin: Vec<f64>,
    /// Direction in the frame of each y_k, one after the other.
    pub(crate) axes: Vec<f64>,
    /// What gives each y_k, one after the other.
    pub(crate) duals: Vec<f64>,
    pub(crate) w: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) c: f64,
    /// c − Σ b_k²/(4 w_k) over the squares.
    pub(crate) completed: f64,
    /// Relative rounding of the squares.
    pub(crate) rounding: f64,
    /// Where the boundary cuts the line through both means, as a share of the way, were it flat.
    cut: Option<f64>,
    way: Vec<f64>,
    distance_sq: f64,
}

/// The boundary between classes that share a covariance: wᵀ(x − x₀) = 0 \[M43\].
#[derive(Debug, Clone, PartialEq)]
pub struct Hyperplane {
    /// w = Σ⁻¹(μ_a − μ_b): points to where the first action is better.
    pub normal: Vec<f64>,
    /// x₀: where it cuts the line through both means.
    pub point: Vec<f64>,
    /// Squared Mahalanobis distance of the means.
    pub distance_sq: f64,
}

/// Two scores whose difference, with something added, is a boundary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    /// Positive where this one wins.
    pub(crate) first: &'a Component,
    pub(crate) second: &'a Component,
    /// What is added to the first score.
    pub(crate) gain: f64,
    /// Whether one covariance serves both.
    pub(crate) shared: bool,
}

impl Quadric {
    /// `first + gain − second`; `noise` is what the means of each column were rounded to, in the frame.
    ///
    /// `None` when the form is not finite.
    pub(crate) fn of(pair: &Pair<'_>, noise: &[f64]) -> Option<Self> {
        let (p, m, dim) = (pair.first, pair.second, pair.first.dim());
        let way: Vec<f64> = m.mean.iter().zip(&p.mean).map(|(m, p)| m - p).collect();
        let apart = p.whitened(&way);
        let (values, vectors) = relative(pair)?;
        let rank = values.len();
        let spread = p.inflation() + m.inflation();
        let largest = values.iter().copied().fold(1.0, f64::max);
        let floor = if pair.shared { 0.0 } else { KIND_ROUNDING * spread * largest };
        let rotated = |of: &[f64], width: usize| -> Vec<f64> {
            let mut all = vec![0.0; rank * width];
            for (to, vector) in all.chunks_exact_mut(width).zip(vectors.chunks_exact(rank)) {
                for (from, v) in of.chunks_exact(width).zip(vector) {
                    to.iter_mut().zip(from).for_each(|(to, x)| *to += v * x);
                }
            }
            all
        };
        let (axes, duals) = (rotated(&p.unfold, dim), rotated(&p.whiten, dim));
        let apart = rotated(&apart, 1);
        let flat = |a: f64| (a - 1.0).abs() <= floor;
        let w: Vec<f64> =
            values.iter().map(|&a| if flat(a) { 0.0 } else { 0.5 * (a - 1.0) }).collect();
        // What the whitened means, and with them the slopes, are known to.
        let rounded: Vec<f64> = (0..dim)
            .map(|j| noise[j] + f64::EPSILON * (p.mean[j].abs() + m.mean[j].abs()))
            .collect();
        let white_noise = p
            .whiten
            .chunks_exact(dim)
            .map(|row| row.iter().zip(&rounded).map(|(b, n)| b.abs() * n).sum::<f64>());
        let white_noise = white_noise.map(|x| x * x).sum::<f64>().sqrt();
        let pulls: Vec<f64> = values.iter().zip(&apart).map(|(a, d)| a * d).collect();
        let gap =
            w.iter().map(|w| 2.0 * w.abs()).filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
        let turned = dot(&pulls, &pulls).sqrt() * KIND_SHARE * floor / gap;
        // However little is known of the axes, what a picture would show is not dropped.
        let distance = dot(&apart, &apart).sqrt();
        let slope_noise = white_noise
            + (turned + KIND_ROUNDING * KIND_SHARE * distance).min(KIND_SEEN * distance);
        let b: Vec<f64> = (0..rank)
            .map(|k| match w[k] {
                0.0 if apart[k].abs() <= slope_noise => 0.0,
                0.0 => -apart[k],
                _ => -pulls[k],
            })
            .collect();
        let odds = p.log - m.log + pair.gain;
        let between = 0.5 * dot(&pulls, &apart);
        let c = odds + between;
        let sizes = p.log_size + m.log_size + pair.gain.abs() + 1.0 + between + spread;
        let (mut own_noise, mut mean_noise) = (KIND_ROUNDING * KIND_SHARE * sizes, 0.0);
        let mut completed = c;
        for k in 0..rank {
            mean_noise += pulls[k].abs() * white_noise;
            if w[k] != 0.0 {
                let centre = b[k] / (2.0 * w[k]);
                completed -= 0.5 * centre * b[k];
                mean_noise += centre.abs() * values[k] * white_noise;
                own_noise += centre * centre * KIND_SHARE * floor
                    + KIND_ROUNDING * KIND_SHARE * (centre * b[k]).abs();
            }
        }
        if completed.abs() <= own_noise.min(KIND_SEEN * (1.0 + sizes)) + mean_noise {
            completed = 0.0;
        }
        let distance_sq = dot(&apart, &apart);
        let cut = (distance_sq > 0.0).then(|| 0.5 + odds / distance_sq);
        let finite = c.is_finite() && w.iter().chain(&b).all(|x| x.is_finite());
        let smallest = w.iter().map(|w| w.abs()).filter(|w| *w > 0.0).fold(1.0, f64::min);
        finite.then(|| Self {
            origin: p.mean.clone(),
            axes,
            duals,
            w,
            b,
            c,
            completed,
            rounding: (KIND_ROUNDING * spread).max(floor / smallest),
            cut,
            way,
            distance_sq,
        })
    }

    /// The same with its sign turned.
    pub(crate) fn negated(mut self) -> Self {
        let turn = |x: &mut f64| *x = 0.0 - *x;
        self.w.iter_mut().chain(&mut self.b).for_each(turn);
        turn(&mut self.c);
        turn(&mut self.completed);
        self
    }

    pub(crate) fn dim(&self) -> usize {
        self.origin.len()
    }

    /// Axes on which it has a slope and no square.
    pub(crate) fn sloped(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.w.len()).filter(|&k| self.w[k] == 0.0 && self.b[k] != 0.0)
    }

    pub(crate) fn signs(&self) -> Signs {
        let count = |sign: f64| self.w.iter().filter(|w| **w * sign > 0.0).count();
        let constant = match self.completed {
            0.0 => 0,
            x if x > 0.0 => 1,
            _ => -1,
        };
        let linear = self.sloped().next().is_some();
        Signs { positive: count(1.0), negative: count(-1.0), linear, constant }
    }

    /// Its kind, with ellipses for circles.
    pub(crate) fn kind(&self) -> Kind {
        Kind::of(self.dim(), self.signs())
    }

    /// y of a framed row.
    pub(crate) fn coordinates(&self, u: &[f64]) -> Vec<f64> {
        let centred: Vec<f64> = u.iter().zip(&self.origin).map(|(u, o)| u - o).collect();
        self.duals.chunks_exact(self.dim()).map(|dual| dot(dual, &centred)).collect()
    }

    /// The framed row at y.
    pub(crate) fn place(&self, y: &[f64]) -> Vec<f64> {
        let mut u = self.origin.clone();
        for (axis, y) in self.axes.chunks_exact(self.dim()).zip(y) {
            u.iter_mut().zip(axis).for_each(|(u, a)| *u += y * a);
        }
        u
    }

    /// The slope of its flat part, per unit of the frame, at its origin.
    pub(crate) fn slope(&self) -> Vec<f64> {
        let mut slope = vec![0.0; self.dim()];
        for (dual, b) in self.duals.chunks_exact(self.dim()).zip(&self.b) {
            slope.iter_mut().zip(dual).for_each(|(s, d)| *s += b * d);
        }
        slope
    }

    /// Lower triangle of its squares in the frame, row by row.
    pub(crate) fn squares(&self) -> Vec<f64> {
        let dim = self.dim();
        let mut all = vec![0.0; Shape::Full.len(dim).unwrap_or(0)];
        for (dual, w) in self.duals.chunks_exact(dim).zip(&self.w).filter(|(_, w)| **w != 0.0) {
            for i in 0..dim {
                for j in 0..=i {
                    all[lower_index(i, j)] += w * dual[i] * dual[j];
                }
            }
        }
        all
    }

    /// The same about the origin of the frame.
    pub(crate) fn quadratic(&self, frame: &Frame) -> Quadratic {
        let (squares, mut linear) = (self.squares(), self.slope());
        let at = |i: usize, j: usize| squares[lower_index(i.max(j), i.min(j))];
        let dim = self.dim();
        let pull: Vec<f64> =
            (0..dim).map(|i| (0..dim).map(|j| at(i, j) * self.origin[j]).sum()).collect();
        let constant = self.c + dot(&self.origin, &pull) - dot(&self.origin, &linear);
        linear.iter_mut().zip(&pull).for_each(|(w, p)| *w -= 2.0 * p);
        Quadratic::new(frame.clone(), squares, linear, constant)
    }

    /// The hyperplane that it is \[M43\]; `None` where it is curved or has no slope.
    pub(crate) fn hyperplane(&self, frame: &Frame) -> Option<Hyperplane> {
        if self.w.iter().any(|w| *w != 0.0) || self.sloped().next().is_none() {
            return None;
        }
        let cut = self.cut?;
        let steps = self.origin.iter().zip(&self.way).enumerate();
        let point = steps.map(|(j, (o, way))| frame.raw_value(j, o + cut * way)).collect();
        let slopes = self.slope().into_iter().zip(frame.exponent());
        let normal = slopes.map(|(s, e)| ldexp(s, -e)).collect();
        Some(Hyperplane { normal, point, distance_sq: self.distance_sq })
    }

    /// Where it is 0 in one column, in raw units, in ascending order \[M43\].
    pub(crate) fn thresholds(&self, frame: &Frame) -> Vec<f64> {
        let (Some(&w), Some(&b)) = (self.w.first(), self.b.first()) else { return Vec::new() };
        let mut found: Vec<f64> = if w == 0.0 {
            if b == 0.0 { Vec::new() } else { vec![-self.c / b] }
        } else if self.completed == 0.0 {
            vec![-b / (2.0 * w)]
        } else {
            let square = -4.0 * w * self.completed;
            if square < 0.0 {
                return Vec::new();
            }
            // The larger root by size first, the other from their product: no digits cancel.
            let q = -0.5 * (b + square.sqrt().copysign(b));
            if q == 0.0 { vec![0.0] } else { vec![q / w, self.c / q] }
        };
        found.iter_mut().for_each(|y| *y = frame.raw_value(0, self.place(&[*y])[0]));
        found.sort_by(f64::total_cmp);
        found
    }
}

/// The variances of the first component over those of the second, and the axes on which they are so, in
/// coordinates whitened by the first.
fn relative(pair: &Pair<'_>) -> Option<(Vec<f64>, Vec<f64>)> {
    let (p, m, dim) = (pair.first, pair.second, pair.first.dim());
    let rank = p.rank();
    if pair.shared {
        let identity = (0..rank * rank).map(|at| f64::from(u8::from(at % (rank + 1) == 0)));
        return Some((vec![1.0; rank], identity.collect()));
    }
    let columns: Vec<Vec<f64>> = p.unfold.chunks_exact(dim).map(|l| m.whitened(l)).collect();
    let pairs = (0..rank).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let triangle: Vec<f64> = pairs.map(|(i, j)| dot(&columns[i], &columns[j])).collect();
    if triangle.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let found = eigen(&triangle, rank)?;
    Some((found.values, found.vectors))
}

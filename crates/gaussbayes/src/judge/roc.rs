//! Draws how many rows of a class are found against how many others are taken for it \[M84\].

use crate::tolerance::NORMAL_95;

/// A row by its score: the higher, the rather it is of the class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Log odds, or anything else that orders rows.
    pub score: f64,
    /// Whether the row has the class.
    pub positive: bool,
    /// Its weight.
    pub weight: f64,
}

/// What comes of taking every row with at least this score for the class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RocPoint {
    /// The least score that is taken; infinite where none is.
    pub threshold: f64,
    /// Share of the other rows that are taken for the class.
    pub false_positive: f64,
    /// Share of the rows of the class that are found.
    pub true_positive: f64,
}

/// A receiver operating characteristic.
#[derive(Debug, Clone, PartialEq)]
pub struct Roc {
    /// From no row taken to all of them; rows of one score come in one step.
    pub points: Vec<RocPoint>,
    /// Chance that a row of the class has the higher score than one that has it not, ties counting half.
    pub area: f64,
    /// Standard error of the area (`DeLong` et al. 1988), weights as numbers of rows; `None` where either side weighs no
    /// more than one row.
    pub standard_error: Option<f64>,
    /// Weight of the rows of the class.
    pub positives: f64,
    /// Weight of the others.
    pub negatives: f64,
}

impl Roc {
    /// The curve of some rows; `None` where all have the class, or none. Rows without weight do not count.
    pub fn of(rows: &[Scored]) -> Option<Self> {
        let groups = groups(rows);
        let sum = |part: fn(&Group) -> f64| groups.iter().map(part).sum::<f64>();
        let (positives, negatives) = (sum(|group| group.positive), sum(|group| group.negative));
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let (mut above, mut wrongly) = (0.0, 0.0);
        let none = RocPoint { threshold: f64::INFINITY, false_positive: 0.0, true_positive: 0.0 };
        let (mut points, mut places) = (vec![none], Vec::with_capacity(groups.len()));
        for group in &groups {
            // Shares of the other side that a row of this score is rightly ordered with.
            let below = (negatives - wrongly - 0.5 * group.negative) / negatives;
            let over = (above + 0.5 * group.positive) / positives;
            places.push((below, over));
            above += group.positive;
            wrongly += group.negative;
            points.push(RocPoint {
                threshold: group.score,
                false_positive: (wrongly / negatives).min(1.0),
                true_positive: (above / positives).min(1.0),
            });
        }
        let each = || groups.iter().zip(&places);
        let area = each().map(|(group, place)| group.positive * place.0).sum::<f64>() / positives;
        let spread = |weight: fn(&Group) -> f64, place: fn(&(f64, f64)) -> f64| {
            let square = |(group, at): (&Group, &(f64, f64))| {
                weight(group) * (place(at) - area) * (place(at) - area)
            };
            each().map(square).sum::<f64>()
        };
        let standard_error = (positives > 1.0 && negatives > 1.0).then(|| {
            let found = spread(|group| group.positive, |place| place.0);
            let others = spread(|group| group.negative, |place| place.1);
            let variance =
                found / ((positives - 1.0) * positives) + others / ((negatives - 1.0) * negatives);
            variance.sqrt()
        });
        Some(Self { points, area: area.clamp(0.0, 1.0), standard_error, positives, negatives })
    }

    /// 95 % interval of the area, normal on the scale of ln(A/(1 − A)) so that it stays between 0 and 1 \[M84\]; `None`
    /// where scores tell the rows apart without an error (then they do not show how an error would spread).
    pub fn interval(&self) -> Option<(f64, f64)> {
        let odds = self.area / (1.0 - self.area);
        let error = self.standard_error.filter(|error| *error > 0.0)?;
        let step = NORMAL_95 * error / (self.area * (1.0 - self.area));
        let share = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
        (odds > 0.0 && odds.is_finite()).then(|| (share(odds.ln() - step), share(odds.ln() + step)))
    }

    /// Corners of the upper hull: the points that are best for some costs and priors, from the first to the last.
    pub fn hull(&self) -> Vec<RocPoint> {
        let mut hull: Vec<RocPoint> = Vec::new();
        for &point in &self.points {
            while let [.., a, b] = hull[..] {
                let across = (b.false_positive - a.false_positive)
                    * (point.true_positive - a.true_positive)
                    - (b.true_positive - a.true_positive)
                        * (point.false_positive - a.false_positive);
                if across < 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        hull
    }
}

/// Rows of one score.
struct Group {
    score: f64,
    positive: f64,
    negative: f64,
}

/// From the highest score to the lowest.
fn groups(rows: &[Scored]) -> Vec<Group> {
    let mut order: Vec<&Scored> = rows.iter().filter(|row| row.weight > 0.0).collect();
    order.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut groups: Vec<Group> = Vec::new();
    for row in order {
        if groups.last().is_none_or(|last| last.score != row.score) {
            groups.push(Group { score: row.score, positive: 0.0, negative: 0.0 });
        }
        if let Some(group) = groups.last_mut() {
            let side = if row.positive { &mut group.positive } else { &mut group.negative };
            *side += row.weight;
        }
    }
    groups
}

//! Draws what the best threshold costs for every ratio of costs and priors \[M85\].

use super::roc::Roc;

/// A threshold in a cost diagram, and where no other is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostLine {
    /// The least score that is taken for the class; infinite where none is.
    pub threshold: f64,
    /// Share of the other rows that are taken for the class: the cost at 0.
    pub false_positive: f64,
    /// Share of the rows of the class that are missed: the cost at 1.
    pub false_negative: f64,
    /// First value of the probability-cost function at which it is the best.
    pub from: f64,
    /// The last one.
    pub to: f64,
}

impl CostLine {
    /// Normalised expected cost at a value of the probability-cost function.
    pub fn at(&self, chance: f64) -> f64 {
        self.false_negative * chance + self.false_positive * (1.0 - chance)
    }
}

/// The lower envelope of the lines of all thresholds (Drummond and Holte 2006) \[M85\].
#[derive(Debug, Clone, PartialEq)]
pub struct CostCurve {
    /// Thresholds that are the best somewhere, from the first to the last.
    pub lines: Vec<CostLine>,
    /// Mean cost where every value of the probability-cost function is as likely: 0 without errors, ¼ where rows are
    /// ordered by chance.
    pub area: f64,
}

impl CostCurve {
    /// Corners of the envelope: the probability-cost function, and the least normalised cost there.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::with_capacity(self.lines.len() + 1);
        points.extend(self.lines.iter().map(|line| (line.from, line.at(line.from))));
        points.extend(self.lines.last().map(|line| (line.to, line.at(line.to))));
        points
    }
}

impl Roc {
    /// The cost curve of the same rows.
    pub fn cost_curve(&self) -> CostCurve {
        let hull = self.hull();
        // Two neighbours cost the same where what one gains in rows found the other gains in rows left alone.
        let turns = hull.windows(2).map(|pair| {
            let taken = pair[1].false_positive - pair[0].false_positive;
            taken / (taken + (pair[1].true_positive - pair[0].true_positive))
        });
        let ends: Vec<f64> = std::iter::once(0.0).chain(turns).chain([1.0]).collect();
        let line = |(point, ends): (&super::RocPoint, &[f64])| CostLine {
            threshold: point.threshold,
            false_positive: point.false_positive,
            false_negative: 1.0 - point.true_positive,
            from: ends[0],
            to: ends[1],
        };
        let lines = hull.iter().zip(ends.windows(2)).map(line).filter(|line| line.to > line.from);
        let lines: Vec<CostLine> = lines.collect();
        let middle = |line: &CostLine| (line.to - line.from) * line.at(0.5 * (line.from + line.to));
        let area = lines.iter().map(middle).sum();
        CostCurve { lines, area }
    }
}

//! Finds a place well inside a face, and how much room there is.

use crate::faces::is_inside;

/// Places tried across and upward.
const TRIES: usize = 16;

/// Times the best place is refined.
const ROUNDS: usize = 6;

/// A place inside rings that is far from them, with its distance; lengths are times `unit`.
pub(crate) fn pole(rings: &[Vec<[f64; 2]>], unit: [f64; 2]) -> Option<([f64; 2], f64)> {
    place(rings, unit, &[], f64::INFINITY)
}

/// The same, of places at least `enough` from the rings that which is farthest from points that stand there.
pub(crate) fn place(
    rings: &[Vec<[f64; 2]>],
    unit: [f64; 2],
    taken: &[[f64; 2]],
    enough: f64,
) -> Option<([f64; 2], f64)> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in rings.first()? {
        for j in 0..2 {
            (low[j], high[j]) = (low[j].min(point[j]), high[j].max(point[j]));
        }
    }
    let coarse: Vec<Vec<[f64; 2]>> = rings.iter().map(|ring| thinner(ring)).collect();
    let worth = |at: [f64; 2]| {
        let room = distance(&coarse, at, unit);
        let apart = |x: &[f64; 2]| ((x[0] - at[0]) * unit[0]).hypot((x[1] - at[1]) * unit[1]);
        if room < enough { room } else { enough + taken.iter().map(apart).fold(room, f64::min) }
    };
    let mut best: Option<([f64; 2], f64)> = None;
    let mut step = [0, 1].map(|j| (high[j] - low[j]) / TRIES as f64);
    for i in 0..TRIES * TRIES {
        let at = [i % TRIES, i / TRIES];
        let at = [0, 1].map(|j| low[j] + (at[j] as f64 + 0.5) * step[j]);
        consider(rings, at, &worth, &mut best);
    }
    for _ in 0..ROUNDS {
        let Some((centre, _)) = best else { break };
        step = step.map(|s| 0.5 * s);
        for i in 0..9 {
            let at = [0, 1].map(|j| {
                let way = f64::from([i % 3, i / 3][j]) - 1.0;
                centre[j] + way * step[j]
            });
            consider(rings, at, &worth, &mut best);
        }
    }
    best.or_else(|| beside(rings).map(|at| (at, 0.0)))
}

fn consider(
    rings: &[Vec<[f64; 2]>],
    at: [f64; 2],
    worth: &impl Fn([f64; 2]) -> f64,
    best: &mut Option<([f64; 2], f64)>,
) {
    let worth = worth(at);
    if best.is_none_or(|(_, most)| worth > most) && is_inside(rings, at) {
        *best = Some((at, worth));
    }
}

/// Enough of a ring's points for a distance.
fn thinner(ring: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for &point in ring {
        let far = |last: &[f64; 2]| (last[0] - point[0]).hypot(last[1] - point[1]) > 2e-3;
        if kept.last().is_none_or(far) {
            kept.push(point);
        }
    }
    kept
}

/// How far a point is from rings, in lengths times `unit`.
pub(crate) fn distance(rings: &[Vec<[f64; 2]>], at: [f64; 2], unit: [f64; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for ring in rings {
        let next = ring.iter().cycle().skip(1);
        for (a, b) in ring.iter().zip(next) {
            let way = [0, 1].map(|j| (b[j] - a[j]) * unit[j]);
            let off = [0, 1].map(|j| (at[j] - a[j]) * unit[j]);
            let square = (way[0] * way[0] + way[1] * way[1]).max(f64::MIN_POSITIVE);
            let share = ((way[0] * off[0] + way[1] * off[1]) / square).clamp(0.0, 1.0);
            least = least.min((off[0] - share * way[0]).hypot(off[1] - share * way[1]));
        }
    }
    least
}

/// A place just to the left of the longest chord: inside a face too thin to be hit otherwise.
fn beside(rings: &[Vec<[f64; 2]>]) -> Option<[f64; 2]> {
    let ring = rings.first()?;
    let mut chords: Vec<([f64; 2], [f64; 2])> =
        ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)).collect();
    let long =
        |chord: &([f64; 2], [f64; 2])| (chord.1[0] - chord.0[0]).hypot(chord.1[1] - chord.0[1]);
    chords.sort_by(|a, b| long(b).total_cmp(&long(a)));
    for chord in chords.iter().take(8) {
        let (from, to) = *chord;
        for off in [1e-2, 1e-3, 1e-4, 1e-6, 1e-8] {
            let at = [
                0.5 * (from[0] + to[0]) - off * (to[1] - from[1]),
                0.5 * (from[1] + to[1]) + off * (to[0] - from[0]),
            ];
            if is_inside(rings, at) {
                return Some(at);
            }
        }
    }
    None
}

//! Divides a window among the actions of a classifier: outlines where they are exact, cells where not.

use gaussbayes::{Classifier, Curve, Error, Kind, Piece, Window};

use crate::faces::{Face, faces};
use crate::path::{Part, Path};
use crate::picture::{Ink, Shading};
use crate::pole::{distance, pole};
use crate::sight::Sight;
use crate::trace::{simpler, traced};

/// Ends of curves that are one, as shares of the window: the next is tried where some end hangs loose.
const MEETINGS: [f64; 3] = [1e-7, 1e-5, 1e-3];

/// Points across and upward at which the faces are compared with the decisions.
const CHECKS: [usize; 2] = [64, 48];

/// Classes beyond which boundaries of more than two at a time are followed on a grid.
const MANY: usize = 24;

/// Cells of a bitmap across and upward.
const CELLS: [usize; 2] = [300, 240];

/// How much of its colour a region has.
pub(crate) const TINT: f64 = 0.18;

/// What is decided where.
#[derive(Debug)]
pub(crate) struct Ground {
    /// Outlines of each action that is taken somewhere, where outlines are known.
    pub(crate) areas: Vec<(usize, Path)>,
    /// The same as cells, where they are not.
    pub(crate) cells: Option<Shading>,
    /// Between the regions.
    pub(crate) lines: Path,
    /// What the boundaries are, without repetition; empty where they are traced.
    pub(crate) kinds: Vec<Kind>,
    /// The regions.
    pub(crate) regions: Vec<Region>,
    /// What a reader should know.
    pub(crate) note: Option<String>,
}

/// A connected part of the window that is decided alike.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) action: usize,
    /// Pixels around the middle of it.
    pub(crate) room: f64,
    /// In the unit square.
    pub(crate) face: Face,
}

/// A window as the unit square.
struct Square<'a> {
    sight: &'a Sight<'a>,
    window: &'a Window,
    size: [f64; 2],
}

pub(crate) fn ground(sight: &Sight<'_>, window: &Window, size: [f64; 2]) -> Result<Ground, Error> {
    let square = Square { sight, window, size };
    let (mut lines, mut kinds) = (None, Vec::new());
    let curves = (!is_slow(&sight.rule)).then(|| sight.rule.curves(&sight.view, window));
    match curves.unwrap_or(Err(Error::NotQuadratic)) {
        Ok(curves) => {
            let parts = square.exact(&curves);
            curves.iter().for_each(|curve| {
                if !kinds.contains(&curve.kind) {
                    kinds.push(curve.kind);
                }
            });
            let path = drawn(&curves, window);
            for meeting in MEETINGS {
                if let Some(owned) = faces(&parts, meeting).and_then(|all| square.owned(all)) {
                    return Ok(square.ground(owned?, path, kinds, None));
                }
            }
            lines = Some(path);
        }
        Err(error @ (Error::BadWindow { .. } | Error::BadColumn { .. })) => return Err(error),
        Err(_) => {}
    }
    let parts = traced(&mut |points| square.actions(points))?;
    let note = if lines.is_some() { "regions are" } else { "boundaries are" };
    let note = Some(format!("{note} followed from point to point"));
    let path = lines.unwrap_or_else(|| square.raw(&parts));
    if let Some(owned) = faces(&parts, MEETINGS[0]).and_then(|all| square.owned(all)) {
        return Ok(square.ground(owned?, path, kinds, note));
    }
    square.bitmap(path, kinds)
}

/// Whether curves would take long: pairs of actions in which every class has a say, of very many classes.
fn is_slow(rule: &Classifier) -> bool {
    rule.classes().len() > MANY && rule.loss().thresholds(&rule.priors()).is_none()
}

impl Square<'_> {
    fn place(&self, t: [f64; 2]) -> [f64; 2] {
        place(self.window, t)
    }

    fn actions(&self, points: &[[f64; 2]]) -> Result<Vec<usize>, Error> {
        let points: Vec<[f64; 2]> = points.iter().map(|&t| self.place(t)).collect();
        self.sight.actions(&points)
    }

    fn raw(&self, parts: &[Part]) -> Path {
        Path { parts: parts.to_vec() }.mapped(|t| self.place(t))
    }

    /// Pieces of curves in the square.
    fn exact(&self, curves: &[Curve]) -> Vec<Part> {
        let part = |piece: &Piece| match piece {
            Piece::Exact(arc) => Path::of_arc(arc).mapped(|x| share(self.window, x)),
            Piece::Traced(points) => simple(self.window, points),
        };
        let pieces = curves.iter().flat_map(|curve| &curve.pieces);
        let parts = pieces.flat_map(|piece| part(piece).parts);
        parts.filter(|part| !part.segments.is_empty()).collect()
    }

    /// The action of every face; nothing where faces and decisions do not agree.
    fn owned(&self, all: Vec<Face>) -> Option<Result<Vec<Region>, Error>> {
        let places: Vec<([f64; 2], f64)> =
            all.iter().map(|face| pole(&face.rings, self.size)).collect::<Option<_>>()?;
        let points: Vec<[f64; 2]> = places.iter().map(|(at, _)| *at).collect();
        let said = match self.actions(&points) {
            Ok(said) => said,
            Err(error) => return Some(Err(error)),
        };
        match self.agree(&all, &said) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let both = said.into_iter().zip(places).zip(all);
        Some(Ok(both.map(|((action, (_, room)), face)| Region { action, room, face }).collect()))
    }

    /// Whether every face has one action, but for points within a pixel of its outline.
    fn agree(&self, all: &[Face], said: &[usize]) -> Result<bool, Error> {
        let [nx, ny] = CHECKS;
        let points: Vec<[f64; 2]> = (0..nx * ny)
            .map(|i| [((i % nx) as f64 + 0.5) / nx as f64, ((i / nx) as f64 + 0.5) / ny as f64])
            .collect();
        let found = self.actions(&points)?;
        let homes = homes(all, CHECKS);
        for ((at, found), home) in points.iter().zip(found).zip(homes) {
            if home.is_some_and(|face| said[face] == found) {
                continue;
            }
            let near = all.iter().any(|face| distance(&face.rings, *at, self.size) <= 1.0);
            if !near {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn ground(
        &self,
        regions: Vec<Region>,
        lines: Path,
        kinds: Vec<Kind>,
        note: Option<String>,
    ) -> Ground {
        let mut actions: Vec<usize> = regions.iter().map(|region| region.action).collect();
        actions.sort_unstable();
        actions.dedup();
        let area = |action: usize| {
            let own = regions.iter().filter(|region| region.action == action);
            let parts: Vec<Part> = own.flat_map(|region| region.face.parts.clone()).collect();
            (action, self.raw(&parts))
        };
        let areas = actions.into_iter().map(area).collect();
        Ground { areas, cells: None, lines, kinds, regions, note }
    }

    /// The decisions of a grid of cells: what is left where no outline can be trusted.
    fn bitmap(&self, lines: Path, kinds: Vec<Kind>) -> Result<Ground, Error> {
        let points = centres(CELLS);
        let said = self.actions(&points)?;
        let ink = |action: usize| ink(self.sight, action);
        let cells = said.iter().map(|&action| (ink(action), TINT as f32)).collect();
        let Window { low, high } = *self.window;
        let cells = Some(Shading { low, high, columns: CELLS[0], cells, smooth: false });
        let note = Some(format!("regions are cells of {} × {}", CELLS[0], CELLS[1]));
        Ok(Ground { areas: Vec::new(), cells, lines, kinds, regions: Vec::new(), note })
    }
}

/// A share of a window as a place.
pub(crate) fn place(window: &Window, t: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|j| window.low[j] + t[j] * (window.high[j] - window.low[j]))
}

fn share(window: &Window, x: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|j| (x[j] - window.low[j]) / (window.high[j] - window.low[j]))
}

/// Traced points in shares of a window, without those that are not needed.
fn simple(window: &Window, points: &[[f64; 2]]) -> Path {
    let points: Vec<[f64; 2]> = points.iter().map(|&x| share(window, x)).collect();
    if points.is_empty() { Path::default() } else { Path::line(&simpler(&points)) }
}

/// Pieces of curves as they are drawn, in raw units.
pub(crate) fn drawn(curves: &[Curve], window: &Window) -> Path {
    let part = |piece: &Piece| match piece {
        Piece::Exact(arc) => Path::of_arc(arc),
        Piece::Traced(points) => simple(window, points).mapped(|t| place(window, t)),
    };
    let pieces = curves.iter().flat_map(|curve| &curve.pieces);
    let parts = pieces.flat_map(|piece| part(piece).parts);
    Path { parts: parts.filter(|part| !part.segments.is_empty()).collect() }
}

/// Middles of cells, the highest line first.
pub(crate) fn centres([nx, ny]: [usize; 2]) -> Vec<[f64; 2]> {
    let place =
        |i: usize| [((i % nx) as f64 + 0.5) / nx as f64, 1.0 - ((i / nx) as f64 + 0.5) / ny as f64];
    (0..nx * ny).map(place).collect()
}

/// The colour of an action.
pub(crate) fn ink(sight: &Sight<'_>, action: usize) -> Ink {
    match sight.rule.loss().actions()[action] {
        gaussbayes::Action::Class(k) => Ink::Class(k),
        gaussbayes::Action::Reject => Ink::Reject,
    }
}

/// The face at the middle of every cell, from the lowest line upward.
fn homes(all: &[Face], [nx, ny]: [usize; 2]) -> Vec<Option<usize>> {
    let mut homes = vec![None; nx * ny];
    for (f, face) in all.iter().enumerate() {
        let mut cuts: Vec<Vec<f64>> = vec![Vec::new(); ny];
        for ring in &face.rings {
            let next = ring.iter().cycle().skip(1);
            for (a, b) in ring.iter().zip(next) {
                let (low, high) = (a[1].min(b[1]), a[1].max(b[1]));
                let first = (low * ny as f64 - 0.5).ceil().max(0.0) as usize;
                for (y, cuts) in cuts.iter_mut().enumerate().skip(first) {
                    let at = (y as f64 + 0.5) / ny as f64;
                    if at >= high {
                        break;
                    }
                    if at >= low {
                        cuts.push(a[0] + (at - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
                    }
                }
            }
        }
        for (y, mut cuts) in cuts.into_iter().enumerate() {
            cuts.sort_by(f64::total_cmp);
            for pair in cuts.chunks_exact(2) {
                let first = (pair[0] * nx as f64 - 0.5).ceil().max(0.0) as usize;
                let last = (pair[1] * nx as f64 - 0.5).ceil().clamp(0.0, nx as f64) as usize;
                (first..last).for_each(|x| homes[y * nx + x] = Some(f));
            }
        }
    }
    homes
}

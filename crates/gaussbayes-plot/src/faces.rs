//! Cuts the unit square along curves into faces with exact outlines \[M90\].

use std::f64::consts::TAU;

use crate::path::{Part, Segment};

/// How far chords of a face may be off, as a share of the square.
const CHORD: f64 = 1e-6;

/// How far along its edge a direction is looked at.
const LOOK: f64 = 5e-3;

/// A connected piece of the square.
#[derive(Debug, Clone)]
pub(crate) struct Face {
    /// Its outline first, then its holes.
    pub(crate) parts: Vec<Part>,
    /// The same from point to point.
    pub(crate) rings: Vec<Vec<[f64; 2]>>,
}

/// A curve between two vertices.
struct Edge {
    ends: [usize; 2],
    part: Part,
    points: Vec<[f64; 2]>,
}

/// The faces, or nothing where some end of a curve is nowhere: ends nearer than `tolerance` are one.
pub(crate) fn faces(pieces: &[Part], tolerance: f64) -> Option<Vec<Face>> {
    let mut graph = Graph::of(pieces, tolerance);
    graph.add_border();
    let around = graph.around()?;
    let cycles = graph.cycles(&around);
    graph.assembled(&cycles)
}

struct Graph {
    vertices: Vec<[f64; 2]>,
    edges: Vec<Edge>,
}

impl Graph {
    fn of(pieces: &[Part], tolerance: f64) -> Self {
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut graph = Self { vertices: corners, edges: Vec::new() };
        for part in crossed(pieces, tolerance) {
            let points = part.flattened(CHORD);
            let (Some(&first), Some(&last)) = (points.first(), points.last()) else { continue };
            if length(&points) <= 2.0 * tolerance {
                continue;
            }
            let ends = [first, last].map(|end| graph.vertex(end, tolerance));
            graph.edges.push(Edge { ends, part, points });
        }
        // A vertex may have moved to the border: edges begin where it is.
        for edge in &mut graph.edges {
            let [from, to] = edge.ends.map(|end| graph.vertices[end]);
            edge.part.from = from;
            if let Some(last) = edge.part.segments.last_mut() {
                match last {
                    Segment::Line { to: end } | Segment::Conic { to: end, .. } => *end = to,
                }
            }
            edge.points[0] = from;
            let last = edge.points.len() - 1;
            edge.points[last] = to;
        }
        graph
    }

    fn vertex(&mut self, at: [f64; 2], tolerance: f64) -> usize {
        let snapped = at.map(|x| {
            if x.abs() <= tolerance {
                0.0
            } else if (1.0 - x).abs() <= tolerance {
                1.0
            } else {
                x
            }
        });
        let near = |v: &[f64; 2]| (v[0] - snapped[0]).hypot(v[1] - snapped[1]) <= tolerance;
        self.vertices.iter().position(near).unwrap_or_else(|| {
            self.vertices.push(snapped);
            self.vertices.len() - 1
        })
    }

    fn add_border(&mut self) {
        let sides = [(1, 0.0), (0, 1.0), (1, 1.0), (0, 0.0)];
        for (side, (fixed, value)) in sides.into_iter().enumerate() {
            let mut on: Vec<usize> =
                (0..self.vertices.len()).filter(|&v| self.vertices[v][fixed] == value).collect();
            on.sort_by(|&a, &b| {
                self.vertices[a][1 - fixed].total_cmp(&self.vertices[b][1 - fixed])
            });
            if side >= 2 {
                on.reverse();
            }
            for pair in on.windows(2) {
                let ends = [pair[0], pair[1]];
                let [from, to] = ends.map(|end| self.vertices[end]);
                let part = Part { from, segments: vec![Segment::Line { to }], closed: false };
                self.edges.push(Edge { ends, part, points: vec![from, to] });
            }
        }
    }

    /// Half-edges that leave each vertex, counter-clockwise: 2e along edge e, 2e + 1 back.
    fn around(&self) -> Option<Vec<Vec<usize>>> {
        let mut leaving: Vec<Vec<(f64, usize)>> = vec![Vec::new(); self.vertices.len()];
        let mut shortest = vec![4.0 * LOOK; self.vertices.len()];
        for edge in &self.edges {
            let long = length(&edge.points);
            edge.ends.iter().for_each(|&v| shortest[v] = shortest[v].min(long));
        }
        for (e, edge) in self.edges.iter().enumerate() {
            for back in [false, true] {
                let v = edge.ends[usize::from(back)];
                let at = ahead(&edge.points, back, 0.25 * shortest[v]);
                let from = self.vertices[v];
                let angle = (at[1] - from[1]).atan2(at[0] - from[0]).rem_euclid(TAU);
                leaving[v].push((angle, 2 * e + usize::from(back)));
            }
        }
        let is_tied = |leaving: &Vec<(f64, usize)>| leaving.len() >= 2;
        if !leaving.iter().all(is_tied) {
            return None;
        }
        let sorted = |mut leaving: Vec<(f64, usize)>| {
            leaving.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            leaving.into_iter().map(|(_, half)| half).collect()
        };
        Some(leaving.into_iter().map(sorted).collect())
    }

    /// Half-edges in cycles, each with one face to its left.
    fn cycles(&self, around: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut next = vec![0; 2 * self.edges.len()];
        for leaving in around {
            for (i, &half) in leaving.iter().enumerate() {
                // Whoever comes in against `half` goes out by the next one clockwise.
                next[half ^ 1] = leaving[(i + leaving.len() - 1) % leaving.len()];
            }
        }
        let mut seen = vec![false; next.len()];
        let mut cycles = Vec::new();
        for start in 0..next.len() {
            let (mut half, mut cycle) = (start, Vec::new());
            while !seen[half] {
                seen[half] = true;
                cycle.push(half);
                half = next[half];
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// Which vertices hang together, by a number each.
    fn components(&self) -> Vec<usize> {
        let mut of: Vec<usize> = (0..self.vertices.len()).collect();
        loop {
            let before = of.clone();
            for edge in &self.edges {
                let least = of[edge.ends[0]].min(of[edge.ends[1]]);
                edge.ends.iter().for_each(|&v| of[v] = least);
            }
            if of == before {
                return of;
            }
        }
    }

    /// Faces from cycles: those that run clockwise are holes of the least face around them.
    fn assembled(&self, cycles: &[Vec<usize>]) -> Option<Vec<Face>> {
        let components = self.components();
        let component = |cycle: &[usize]| components[self.edges[cycle[0] / 2].ends[0]];
        let (mut faces, mut homes) = (Vec::new(), Vec::new());
        let mut holes = Vec::new();
        for cycle in cycles {
            let ring = self.ring(cycle);
            let area = area(&ring);
            let part = self.outline(cycle);
            if area > 0.0 {
                homes.push((component(cycle), area));
                faces.push(Face { parts: vec![part], rings: vec![ring] });
            } else if component(cycle) != components[0] {
                holes.push((component(cycle), part, ring));
            }
        }
        for (own, part, ring) in holes {
            let at = ring[0];
            let around = (0..homes.len())
                .filter(|&f| homes[f].0 != own && is_inside(&faces[f].rings[..1], at));
            let home = around.min_by(|&a, &b| homes[a].1.total_cmp(&homes[b].1))?;
            faces[home].parts.push(part);
            faces[home].rings.push(ring);
        }
        Some(faces)
    }

    fn ring(&self, cycle: &[usize]) -> Vec<[f64; 2]> {
        let mut ring = Vec::new();
        for &half in cycle {
            let points = &self.edges[half / 2].points;
            let last = points.len() - 1;
            if half % 2 == 0 {
                ring.extend_from_slice(&points[..last]);
            } else {
                ring.extend(points[1..].iter().rev());
            }
        }
        ring
    }

    fn outline(&self, cycle: &[usize]) -> Part {
        let mut segments = Vec::new();
        for &half in cycle {
            let part = &self.edges[half / 2].part;
            if half % 2 == 0 {
                segments.extend_from_slice(&part.segments);
            } else {
                segments.extend(part.reversed().segments);
            }
        }
        let from = segments.last().map_or([0.0; 2], Segment::end);
        Part { from, segments, closed: true }
    }
}

impl Part {
    /// The same from its end to its beginning.
    pub(crate) fn reversed(&self) -> Self {
        let mut starts = vec![self.from];
        starts.extend(self.segments.iter().map(Segment::end));
        let from = starts.pop().unwrap_or(self.from);
        let back = self.segments.iter().zip(&starts).rev();
        let segments = back.map(|(segment, start)| segment.back(*start)).collect();
        Self { from, segments, closed: self.closed }
    }
}

/// Pieces, with lines cut where they cross: those of a pair of lines, which meet at its centre.
fn crossed(pieces: &[Part], tolerance: f64) -> Vec<Part> {
    let line = |part: &Part| match part.segments[..] {
        [Segment::Line { to }] => Some((part.from, to)),
        _ => None,
    };
    let mut all = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let Some((from, to)) = line(piece) else {
            all.push(piece.clone());
            continue;
        };
        let others = pieces.iter().enumerate().filter(|(j, _)| *j != i);
        let mut cuts: Vec<f64> = others
            .filter_map(|(_, other)| line(other))
            .filter_map(|other| crossing((from, to), other, tolerance))
            .collect();
        cuts.push(1.0);
        cuts.sort_by(f64::total_cmp);
        let mut start = from;
        for cut in cuts {
            let end = [0, 1].map(|j| from[j] + cut * (to[j] - from[j]));
            let end = if cut == 1.0 { to } else { end };
            let segments = vec![Segment::Line { to: end }];
            all.push(Part { from: start, segments, closed: false });
            start = end;
        }
    }
    all
}

type Line = ([f64; 2], [f64; 2]);

/// The share of a line at which another crosses it, well inside both.
fn crossing((from, to): Line, other: Line, tolerance: f64) -> Option<f64> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let its = [other.1[0] - other.0[0], other.1[1] - other.0[1]];
    let off = [other.0[0] - from[0], other.0[1] - from[1]];
    let turn = way[0] * its[1] - way[1] * its[0];
    let own = (off[0] * its[1] - off[1] * its[0]) / turn;
    let share = (off[0] * way[1] - off[1] * way[0]) / turn;
    let inside = |share: f64, way: [f64; 2]| {
        let edge = tolerance / way[0].hypot(way[1]).max(f64::MIN_POSITIVE);
        edge < share && share < 1.0 - edge
    };
    (inside(own, way) && inside(share, its)).then_some(own)
}

fn length(points: &[[f64; 2]]) -> f64 {
    points.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).sum()
}

/// The point so far along, from one end or the other.
fn ahead(points: &[[f64; 2]], back: bool, far: f64) -> [f64; 2] {
    let n = points.len();
    let point = |i: usize| if back { points[n - 1 - i] } else { points[i] };
    let mut left = far;
    for i in 1..n {
        let (from, to) = (point(i - 1), point(i));
        let step = (to[0] - from[0]).hypot(to[1] - from[1]);
        if step >= left && step > 0.0 {
            return [0, 1].map(|j| from[j] + left / step * (to[j] - from[j]));
        }
        left -= step;
    }
    point(n - 1)
}

/// Twice the area on the left of a ring, over 2.
pub(crate) fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    0.5 * ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
}

/// Whether an odd number of rings go around a point.
pub(crate) fn is_inside(rings: &[Vec<[f64; 2]>], at: [f64; 2]) -> bool {
    let mut inside = false;
    for ring in rings {
        let next = ring.iter().cycle().skip(1);
        for (a, b) in ring.iter().zip(next) {
            if (a[1] > at[1]) != (b[1] > at[1])
                && at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
            {
                inside = !inside;
            }
        }
    }
    inside
}

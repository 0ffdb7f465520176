//! Follows the boundaries of decisions between points of a grid, where no formula gives them \[M90\].

use std::collections::HashMap;

use gaussbayes::Error;

use crate::path::{Part, Segment};

/// Steps of the grid across and upward.
const STEPS: [usize; 2] = [240, 192];

/// Times the stretch between two points of the grid is halved: to a hundredth of a pixel.
const HALVINGS: usize = 8;

/// How far a line that stands for several may be off, as a share of the square.
const SIMPLE: f64 = 1e-4;

type Point = [f64; 2];

/// An end of a short line: a side of a cell, or a cell's middle.
type End = (usize, usize);

/// Lines in the unit square between points of different actions.
pub(crate) fn traced(
    actions: &mut impl FnMut(&[Point]) -> Result<Vec<usize>, Error>,
) -> Result<Vec<Part>, Error> {
    let [nx, ny] = STEPS;
    let width = nx + 1;
    let node = |i: usize| [(i % width) as f64 / nx as f64, (i / width) as f64 / ny as f64];
    let nodes: Vec<Point> = (0..width * (ny + 1)).map(node).collect();
    let said = actions(&nodes)?;
    // Sides between neighbours of different actions, from the one to the other.
    let mut sides: HashMap<End, usize> = HashMap::new();
    let mut stretches: Vec<(usize, Point, Point)> = Vec::new();
    for (i, &node) in nodes.iter().enumerate() {
        let across = (i % width < nx).then_some(i + 1);
        let upward = (i / width < ny).then_some(i + width);
        for other in [across, upward].into_iter().flatten() {
            if said[i] != said[other] {
                sides.insert((i, other), stretches.len());
                stretches.push((said[i], node, nodes[other]));
            }
        }
    }
    for _ in 0..HALVINGS {
        let middles: Vec<Point> = stretches.iter().map(|(_, a, b)| middle(*a, *b)).collect();
        for ((own, from, to), (at, found)) in
            stretches.iter_mut().zip(middles.iter().zip(actions(&middles)?))
        {
            *(if found == *own { from } else { to }) = *at;
        }
    }
    let crossing = |side: &End| {
        let (_, from, to) = stretches[sides[side]];
        middle(from, to)
    };
    let mut links: Vec<[(End, Point); 2]> = Vec::new();
    for y in 0..ny {
        for x in 0..nx {
            let i = y * width + x;
            let around =
                [(i, i + 1), (i + 1, i + 1 + width), (i + width, i + 1 + width), (i, i + width)];
            let crossed: Vec<(End, Point)> = around
                .iter()
                .filter(|side| sides.contains_key(side))
                .map(|side| (*side, crossing(side)))
                .collect();
            if let [from, to] = crossed[..] {
                links.push([from, to]);
            } else if !crossed.is_empty() {
                let n = crossed.len() as f64;
                let centre = [0, 1].map(|j| crossed.iter().map(|(_, at)| at[j]).sum::<f64>() / n);
                links.extend(crossed.into_iter().map(|from| [from, ((i, i), centre)]));
            }
        }
    }
    Ok(chained(&links).iter().map(|line| part(&simpler(line))).collect())
}

fn middle(a: Point, b: Point) -> Point {
    [0, 1].map(|j| 0.5 * (a[j] + b[j]))
}

fn part(points: &[Point]) -> Part {
    let segments = points[1..].iter().map(|&to| Segment::Line { to }).collect();
    Part { from: points[0], segments, closed: false }
}

/// Short lines, put together from one end or meeting of several to the next.
fn chained(links: &[[(End, Point); 2]]) -> Vec<Vec<Point>> {
    let mut at: HashMap<End, Vec<usize>> = HashMap::new();
    for (i, link) in links.iter().enumerate() {
        link.iter().for_each(|(end, _)| at.entry(*end).or_default().push(i));
    }
    let mut used = vec![false; links.len()];
    let mut lines = Vec::new();
    let mut follow = |start: usize, from: usize, used: &mut Vec<bool>| {
        let (mut link, mut side) = (start, from);
        let mut line = vec![links[start][from].1];
        loop {
            used[link] = true;
            let (end, point) = links[link][1 - side];
            line.push(point);
            let next = match at[&end][..] {
                [a, b] => {
                    if a == link {
                        b
                    } else {
                        a
                    }
                }
                _ => break,
            };
            if used[next] {
                break;
            }
            side = usize::from(links[next][1].0 == end);
            link = next;
        }
        lines.push(line);
    };
    // Lines with ends first; what is left goes round.
    for i in 0..links.len() {
        for side in 0..2 {
            if !used[i] && at[&links[i][side].0].len() != 2 {
                follow(i, side, &mut used);
            }
        }
    }
    for i in 0..links.len() {
        if !used[i] {
            follow(i, 0, &mut used);
        }
    }
    lines
}

/// The points without which the line would be off.
pub(crate) fn simpler(points: &[Point]) -> Vec<Point> {
    let last = points.len() - 1;
    let mut keep = vec![false; points.len()];
    (keep[0], keep[last]) = (true, true);
    // What goes round begins and ends at one point: cut it first.
    let mut spans = if points[0] == points[last] && last > 2 {
        keep[last / 2] = true;
        vec![(0, last / 2), (last / 2, last)]
    } else {
        vec![(0, last)]
    };
    while let Some((from, to)) = spans.pop() {
        let (a, b) = (points[from], points[to]);
        let way = [b[0] - a[0], b[1] - a[1]];
        let length = way[0].hypot(way[1]).max(f64::MIN_POSITIVE);
        let off = |i: usize| {
            let p = points[i];
            ((p[0] - a[0]) * way[1] - (p[1] - a[1]) * way[0]).abs() / length
        };
        let worst = (from + 1..to).max_by(|&i, &j| off(i).total_cmp(&off(j)));
        if let Some(worst) = worst.filter(|&i| off(i) > SIMPLE) {
            keep[worst] = true;
            spans.extend([(from, worst), (worst, to)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

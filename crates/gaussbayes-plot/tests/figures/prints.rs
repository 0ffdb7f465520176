//! Compares printed pictures, pixel by pixel, with what the classifier predicts.

use std::collections::HashMap;

use gaussbayes::{Classifier, Window};
use gaussbayes_plot::{Layer, Look, Picture, Sheet, Stroke, Theme, regions};
use resvg::tiny_skia::Pixmap;

use crate::pixels::{actions, lectures, random_rules};

/// The field of the first panel in pixels: its corner and its size.
fn field(picture: &Picture) -> [f64; 4] {
    let svg = picture.svg(&Sheet::default());
    let cut = svg.split("figure-cut-0\"><rect ").nth(1).unwrap();
    ["x=\"", " y=\"", "width=\"", "height=\""].map(|name| {
        let rest = cut.split(name).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    })
}

/// The decision at every pixel's middle and one pixel around it.
struct Decisions {
    columns: usize,
    said: Vec<usize>,
}

impl Decisions {
    fn of(rule: &Classifier, window: &Window, [x, y, width, height]: [f64; 4]) -> Self {
        let (left, top) = (x.ceil(), y.ceil());
        let (columns, rows) = ((x + width - left) as usize, (y + height - top) as usize);
        let place = |i: usize| {
            let pixel = [left + (i % columns) as f64 + 0.5, top + (i / columns) as f64 + 0.5];
            let share = [(pixel[0] - x) / width, 1.0 - (pixel[1] - y) / height];
            [0, 1].map(|j| window.low[j] + share[j] * (window.high[j] - window.low[j]))
        };
        let points: Vec<[f64; 2]> = (0..columns * rows).map(place).collect();
        Self { columns, said: actions(rule, &points) }
    }

    /// Whether all pixels around one, and it, are decided alike; nothing at the border.
    fn alike(&self, i: usize) -> Option<bool> {
        let (x, y) = (i % self.columns, i / self.columns);
        if x == 0 || y == 0 || x + 1 == self.columns || (y + 1) * self.columns >= self.said.len() {
            return None;
        }
        let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
        Some(around.into_iter().all(|(x, y)| self.said[y * self.columns + x] == self.said[i]))
    }
}

fn window(picture: &Picture) -> Window {
    let panel = &picture.panels[0];
    Window {
        low: [panel.across.low, panel.upward.low],
        high: [panel.across.high, panel.upward.high],
    }
}

fn printed(picture: &Picture) -> Pixmap {
    Pixmap::decode_png(&picture.png(Theme::Light, 1.0).unwrap()).unwrap()
}

#[test]
fn printed_regions_and_boundaries_are_those_of_predict() {
    let look = Look { ellipses: false, names: false, ..Look::default() };
    let some = random_rules().into_iter().step_by(4);
    for (name, rule) in lectures().into_iter().chain(some) {
        let picture = regions(&rule, None, &look).unwrap();
        let rect = field(&picture);
        let decisions = Decisions::of(&rule, &window(&picture), rect);
        let pixel = |i: usize| {
            let [x, y] = [rect[0].ceil() as usize, rect[1].ceil() as usize];
            [x + i % decisions.columns, y + i / decisions.columns]
        };
        let (mut areas, mut lines) = (picture.clone(), picture);
        for layer in &mut areas.panels[0].layers {
            if let Layer::Area { strength, hatched, .. } = layer {
                (*strength, *hatched) = (1.0, false);
            }
        }
        areas.panels[0].layers.retain(|layer| matches!(layer, Layer::Area { .. }));
        let print = printed(&areas);
        let mut colours: HashMap<usize, [u8; 3]> = HashMap::new();
        for i in 0..decisions.said.len() {
            if decisions.alike(i) == Some(true) {
                let [x, y] = pixel(i).map(|x| x as u32);
                let colour = print.pixel(x, y).unwrap();
                let colour = [colour.red(), colour.green(), colour.blue()];
                let own = colours.entry(decisions.said[i]).or_insert(colour);
                assert_eq!(*own, colour, "{name}: region at {x}, {y}");
            }
        }
        let mut different: Vec<[u8; 3]> = colours.values().copied().collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), colours.len(), "{name}: {colours:?}");
        for layer in &mut lines.panels[0].layers {
            if let Layer::Line { stroke, .. } = layer {
                *stroke = Stroke { width: 1.0, ..*stroke };
            }
        }
        lines.panels[0].layers.retain(|layer| matches!(layer, Layer::Line { .. }));
        let print = printed(&lines);
        let dark = |i: usize| {
            let [x, y] = pixel(i).map(|x| x as u32);
            print.pixel(x, y).unwrap().red() < 128
        };
        let mut count = 0;
        for i in 0..decisions.said.len() {
            let Some(alike) = decisions.alike(i) else { continue };
            if dark(i) {
                count += 1;
                assert!(!alike, "{name}: no boundary at {:?}", pixel(i));
            }
            // Where the decision changes to the right, ink is within a pixel.
            if decisions.said[i] != decisions.said[i + 1] {
                let columns = decisions.columns;
                let near = [i - columns, i, i + columns].into_iter().flat_map(|j| j - 1..=j + 2);
                let faint = |j: usize| {
                    let [x, y] = pixel(j).map(|x| x as u32);
                    print.pixel(x, y).is_some_and(|colour| colour.red() < 230)
                };
                assert!(near.into_iter().any(faint), "{name}: boundary missing at {:?}", pixel(i));
            }
        }
        assert!(count > 50, "{name}: {count} pixels of boundary");
    }
}

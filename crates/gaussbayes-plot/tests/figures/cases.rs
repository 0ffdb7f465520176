//! Draws what is hard to draw: many classes, odd names, odd numbers, frames.

use gaussbayes_plot::{
    Anchor, Arrangement, Axis, Ink, Key, Layer, Mark, Panel, Path, Picture, Sign, Stroke, Ticks,
};

use crate::paper::{ellipse, rows};
use crate::snapshots::snapshot;

/// A picture of so many classes, each with a few rows.
pub(crate) fn classes(count: usize, name: impl Fn(usize) -> String) -> Picture {
    let mut panel = Panel::new(Axis::new("x", -4.0, 24.0), Axis::new("y", -3.0, 18.0));
    let mut key = Vec::new();
    for class in 0..count {
        let at = [2.0 * (class % 10) as f64 + 1.0, 3.0 * (class / 10) as f64 + 1.0];
        let near = rows(6, [0.0, 0.0], class as u64 + 1).into_iter();
        let at = near.map(|[x, y]| [at[0] + 0.5 * x, at[1] + 0.5 * y]).collect();
        let (mark, ink) = (Mark::Class(class), Ink::Class(class));
        panel.layers.push(Layer::Points { at, mark, ink });
        key.push(Key { label: name(class), ink, sign: Sign::Mark(mark) });
    }
    Picture { key, ..Picture::of(format!("{count} classes"), panel) }
}

fn axis(label: &str, low: f64, high: f64, ticks: Ticks) -> Axis {
    Axis { label: label.into(), low, high, ticks }
}

/// Axes of all kinds.
fn axes() -> Picture {
    let names = |names: &[&str]| {
        Ticks::Named(names.iter().enumerate().map(|(i, name)| (i as f64, (*name).into())).collect())
    };
    let long = ["Iris setosa", "Iris versicolor of the mountains", "Iris virginica", "none", "all"];
    let pairs = [
        (axis("offset", 1e9, 1e9 + 4.7, Ticks::Numbers), Axis::new("tiny", 0.0, 3.2e-7)),
        (Axis::new("huge", -2.5e8, 4e8), Axis::new("small", 0.0012, 0.0044)),
        (axis("cost", -4.0, 3.0, Ticks::Powers), axis("rows", 0.8, 9.2, Ticks::Powers)),
        (axis("", -0.5, 4.5, names(&long)), axis("decided", -0.5, 4.5, names(&long))),
        (axis("rate", 1.1, 1.7, Ticks::Powers), Axis::new("near", -1.000_003, -1.000_001)),
        (axis("", -0.5, 2.5, names(&["a", "b", "c"])), Axis::new("constant", 5.0, 5.0)),
    ];
    let panel = |(across, upward): (Axis, Axis)| Panel {
        size: [180.0, 140.0],
        title: format!("{} and {}", across.label, upward.label),
        ..Panel::new(across, upward)
    };
    Picture::grid("Axes of all kinds", pairs.into_iter().map(panel).collect(), 2)
}

/// A triangle with words at its corners, and no axes.
fn triangle() -> Picture {
    let mut panel = Panel::new(Axis::bare(0.0, 1.0), Axis::bare(0.0, 0.866));
    panel.equal = true;
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.866]];
    let path = Path::polygon(&corners);
    panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::PLAIN });
    let words = ["a long name of a class", "versicolor", "virginica"];
    let anchors = [Anchor::Below, Anchor::Below, Anchor::Above];
    for ((at, text), anchor) in corners.into_iter().zip(words).zip(anchors) {
        panel.layers.push(Layer::Words { at, text: text.into(), anchor, ink: Ink::Text });
    }
    Picture::of("Responsibilities", panel)
}

/// A point that moves from frame to frame over rows that do not.
pub(crate) fn moving() -> Picture {
    let frame = |i: usize| {
        let mut panel = Panel::new(Axis::new("x", -4.0, 4.0), Axis::new("y", -3.0, 3.0));
        panel.title = format!("step {i}");
        let at = [i as f64 - 1.0, 0.3 * i as f64];
        let (mark, ink) = (Mark::Dot, Ink::Faint);
        panel.layers = vec![
            Layer::Points { at: rows(80, [0.0, 0.0], 1), mark, ink },
            Layer::Line {
                path: ellipse(at, [1.0, 0.5]),
                ink: Ink::Class(0),
                stroke: Stroke::PLAIN,
            },
            Layer::Points { at: vec![at], mark: Mark::Centre, ink: Ink::Class(0) },
        ];
        panel
    };
    let mut picture = Picture::grid("EM, step by step", (0..4).map(frame).collect(), 1);
    picture.arrangement = Arrangement::Frames { seconds: 0.8 };
    picture
}

/// Names that are mark-up, that are read from the right, and that are long.
pub(crate) fn names() -> Picture {
    let odd = ["<b>&amp;\"x'", "אדמדמה סגולה", "زهرة السوسن", "tab\tand\u{1}control", "日本語"];
    let mut picture = classes(odd.len(), |class| odd[class].into());
    let panel = &mut picture.panels[0];
    panel.across.label = "אורך (cm)".into();
    (panel.across.low, panel.across.high) = (1e9, 1e9 + 10.0);
    panel.upward.label =
        "a label that is much longer than the axis that it stands beside, by far".into();
    picture.title =
        "A title that is so long that it does not go into one line: <b>bold</b> & שלום".into();
    picture.notes = vec!["A note that is also long enough to be cut into lines, since small print is small but says much.".into()];
    picture
}

#[test]
fn hard_cases_are_drawn_as_they_were() {
    snapshot("fifty-classes", &classes(50, |class| format!("class {class}")));
    snapshot("axes", &axes());
    snapshot("triangle", &triangle());
    snapshot("frames", &moving());
    snapshot("names", &names());
}

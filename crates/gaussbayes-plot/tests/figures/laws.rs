//! Holds SVG and PNG of any picture to laws: sound, small, told apart, and seen.

use std::collections::{BTreeSet, HashSet};

use gaussbayes::Window;
use gaussbayes_plot::{
    Axis, Ink, Layer, Mark, Panel, Picture, Sheet, Theme, Ticks, style, thinned,
};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::Document;

use crate::cases::{classes, moving, names};
use crate::paper::{everything, rows};

fn sheets() -> [Sheet; 4] {
    let sheet = |theme, id: &str, inline| Sheet { theme, id: id.into(), inline };
    [
        sheet(Theme::Light, "a", false),
        sheet(Theme::Dark, "b", false),
        sheet(Theme::Auto, "7 <odd>", false),
        sheet(Theme::Auto, "c", true),
    ]
}

fn pixels(picture: &Picture, theme: Theme) -> Pixmap {
    Pixmap::decode_png(&picture.png(theme, 1.0).unwrap()).unwrap()
}

#[test]
fn svg_is_sound_xml_whose_ids_are_its_own() {
    for picture in [everything(), moving(), names(), classes(50, |class| class.to_string())] {
        for sheet in sheets() {
            let text = picture.svg(&sheet);
            let document = Document::parse(&text).unwrap();
            let ids: Vec<&str> =
                document.descendants().filter_map(|node| node.attribute("id")).collect();
            let own = ids[0];
            assert!(ids.iter().all(|id| *id == own || id.starts_with(&format!("{own}-"))));
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
            for piece in text.split("url(#").skip(1) {
                let id = piece.split(')').next().unwrap();
                assert!(ids.contains(&id), "{id}");
            }
            let root = document.root_element();
            for name in ["width", "height", "viewBox", "role", "aria-labelledby"] {
                assert!(root.has_attribute(name), "{name}");
            }
            let moves = picture.panels.len() > 1;
            assert_eq!(text.contains("<style>"), !sheet.inline || moves);
            assert!(!text.contains("<script"));
        }
    }
}

#[test]
fn names_are_read_as_they_were_written() {
    let picture = names();
    let text = picture.svg(&Sheet::default());
    let document = Document::parse(&text).unwrap();
    let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
    assert_eq!(title.text(), Some(picture.title.as_str()));
    let texts: HashSet<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for name in ["<b>&amp;\"x'", "אדמדמה סגולה", "زهرة السوسن", "tab and\u{fffd}control", "日本語"]
    {
        assert!(texts.contains(name), "{name}");
    }
    let full = document.descendants().filter(|node| node.has_tag_name("title"));
    assert!(full.filter_map(|node| node.text()).any(|text| text == picture.panels[0].upward.label));
}

#[test]
fn ten_thousand_points_stay_small() {
    let marks = (0..7).map(Mark::Class).chain([Mark::Dot, Mark::Centre, Mark::Ring]);
    for mark in marks {
        let mut panel = Panel::new(Axis::new("x", -4.0, 4.0), Axis::new("y", -3.0, 3.0));
        let spread = rows(10_000, [0.0, 0.0], 7);
        panel.layers = vec![Layer::Points { at: spread, mark, ink: Ink::Class(0) }];
        let size = Picture::of("many", panel).svg(&Sheet::default()).len();
        assert!(size < 300_000, "{mark:?}: {size}");
    }
}

#[test]
fn points_of_several_classes_stay_small_in_rows() {
    let mut panel = Panel::new(Axis::new("x", -4.0, 24.0), Axis::new("y", -3.0, 3.0));
    for class in 0..20 {
        let at = rows(500, [class as f64, 0.0], class as u64);
        let (mark, ink) = (Mark::Class(class), Ink::Class(class));
        panel.layers.push(Layer::Points { at, mark, ink });
    }
    let size = Picture::of("many", panel).svg(&Sheet::default()).len();
    assert!(size < 300_000, "{size}");
}

#[test]
fn fifty_classes_have_fifty_signs() {
    let text = classes(50, |class| format!("class {class}")).svg(&Sheet::default());
    let document = Document::parse(&text).unwrap();
    // Of each path its colour and what follows the first place: the shape.
    let sign = |node: resvg::usvg::roxmltree::Node| {
        let class = node.attribute("class")?.to_string();
        let d = node.attribute("d")?;
        let shape = d.find(|c: char| c.is_ascii_lowercase()).map(|from| &d[from..])?;
        let end = shape[1..].find('m').filter(|_| d.matches('z').count() > 1);
        Some((class, end.map_or(shape, |end| &shape[..=end]).to_string()))
    };
    let key = document.root_element().children().filter(|node| node.has_tag_name("path"));
    let signs: BTreeSet<(String, String)> = key.filter_map(sign).collect();
    assert_eq!(signs.len(), 50);
}

#[test]
fn bitmaps_have_words_and_are_not_blank() {
    for theme in [Theme::Light, Theme::Dark] {
        let with = everything();
        let mut without = with.clone();
        for key in &mut without.key {
            key.label = key.label.replace(|_| true, "\u{a0}");
        }
        let [with, without] = [with, without].map(|picture| pixels(&picture, theme));
        let colours: HashSet<u32> = with
            .data()
            .chunks(4)
            .map(|pixel| u32::from_le_bytes(pixel.try_into().unwrap()))
            .collect();
        assert!(colours.len() > 100);
        let both = with.data().chunks(4).zip(without.data().chunks(4));
        assert!(both.filter(|(a, b)| a != b).count() > 500);
    }
}

#[test]
fn the_last_frame_is_what_does_not_move() {
    let moving = moving();
    let mut last = moving.clone();
    last.panels.drain(..3);
    assert!(pixels(&moving, Theme::Light) == pixels(&last, Theme::Light));
    let text = moving.svg(&Sheet::default());
    assert!(text.contains("@media (prefers-reduced-motion:no-preference)"));
    assert_eq!(text.matches("<g id=\"figure-frame-").count(), 4);
    assert_eq!(text.matches("opacity=\"0\"").count(), 3);
}

#[test]
fn a_scale_without_pixels_is_refused() {
    for scale in [0.0, -1.0, f64::NAN, 1e9, 1e-9] {
        let refusal = everything().png(Theme::Light, scale).unwrap_err();
        assert!(refusal.hint().is_some() && refusal.to_string().contains("pixels"), "{refusal}");
    }
}

#[test]
fn style_follows_the_reader_only_where_asked() {
    assert!(style(Theme::Auto).contains("prefers-color-scheme:dark"));
    assert!(!style(Theme::Light).contains("@media") && !style(Theme::Dark).contains("@media"));
    assert_ne!(style(Theme::Light), style(Theme::Dark));
}

#[test]
fn odd_numbers_leave_a_picture_whole() {
    let mut panel = Panel::new(Axis::new("x", f64::NAN, 1.0), Axis::new("y", 2.0, 2.0));
    panel.across.ticks = Ticks::Named(Vec::new());
    panel.size = [f64::INFINITY, -3.0];
    let far = [[f64::NAN, 1.0], [1e300, -1e300], [f64::INFINITY, 0.0], [0.5, 2.0]];
    panel.layers = vec![
        Layer::Points { at: far.to_vec(), mark: Mark::Dot, ink: Ink::Text },
        Layer::Line {
            path: gaussbayes_plot::Path::line(&far),
            ink: Ink::Text,
            stroke: gaussbayes_plot::Stroke::PLAIN,
        },
        Layer::Arrow { from: far[0], to: far[1], ink: Ink::Text },
    ];
    for picture in [Picture::of("", panel), Picture::grid("none", Vec::new(), 0)] {
        let text = picture.svg(&Sheet::default());
        Document::parse(&text).unwrap();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        picture.png(Theme::Light, 1.0).unwrap();
    }
}

#[test]
fn thinning_keeps_what_lies_alone() {
    let mut at = rows(100_000, [0.0, 0.0], 3);
    at.push([8.0, 8.0]);
    at.push([99.0, 0.0]);
    at.push([f64::NAN, 0.0]);
    let window = Window { low: [-10.0, -10.0], high: [10.0, 10.0] };
    let kept = thinned(&at, &window, 5000);
    assert_eq!(kept.len(), 5000);
    assert!(kept.is_sorted() && kept.contains(&100_000) && !kept.contains(&100_001));
    assert_eq!(thinned(&at[..10], &window, 5000), (0..10).collect::<Vec<usize>>());
    assert!(thinned(&at, &window, 0).is_empty());
    let same = vec![[1.0, 1.0]; 1_000_000];
    assert_eq!(thinned(&same, &window, 300).len(), 300);
}

/// Width and height of the field of a picture's only panel, by what cuts its lines.
fn field(picture: &Picture) -> [f64; 2] {
    let text = picture.svg(&Sheet::default());
    let document = Document::parse(&text).unwrap();
    let clip = document.descendants().find(|node| node.has_tag_name("clipPath")).unwrap();
    let rect = clip.first_element_child().unwrap();
    ["width", "height"].map(|name| rect.attribute(name).unwrap().parse::<f64>().unwrap() - 2.0)
}

#[test]
fn equal_units_are_equally_long_and_fill_their_field() {
    for (across, upward, expected) in [
        (10.0, 8.0, [400.0, 320.0]),
        (20.0, 8.0, [400.0, 160.0]),
        (2.0, 8.0, [80.0, 320.0]),
        (1000.0, 8.0, [400.0, 60.0]),
    ] {
        let mut panel = Panel::new(Axis::new("x", 0.0, across), Axis::new("y", -3.0, upward - 3.0));
        panel.equal = true;
        let path = gaussbayes_plot::Path::line(&[[0.0, 0.0], [1.0, 1.0]]);
        let stroke = gaussbayes_plot::Stroke::PLAIN;
        panel.layers = vec![Layer::Line { path, ink: Ink::Text, stroke }];
        assert_eq!(field(&Picture::of("equal", panel.clone())), expected);
        panel.equal = false;
        assert_eq!(field(&Picture::of("not", panel)), [400.0, 320.0]);
    }
}

#[test]
fn points_outside_are_left_out_and_lines_are_cut() {
    let mut panel = Panel::new(Axis::new("x", 0.0, 1.0), Axis::new("y", 0.0, 1.0));
    let at = vec![[0.5, 0.5], [2.0, 0.5], [0.5, -1.0]];
    panel.layers = vec![Layer::Points { at, mark: Mark::Class(1), ink: Ink::Class(1) }];
    let text = Picture::of("cut", panel.clone()).svg(&Sheet::default());
    assert_eq!(text.matches("l4 7h-8z").count(), 1);
    let path = gaussbayes_plot::Path::line(&[[-1e12, 0.5], [1e12, 0.5]]);
    let stroke = gaussbayes_plot::Stroke::PLAIN;
    panel.layers = vec![Layer::Line { path, ink: Ink::Text, stroke }];
    let text = Picture::of("cut", panel).svg(&Sheet::default());
    assert!(text.contains("clip-path=\"url(#figure-hem-0)\""));
    let d = text.split("<path class=\"gb-text gb-line\" d=\"").nth(1).unwrap();
    assert!(d.starts_with("M-20000 ") && d.contains("L20000 "), "{}", &d[..40]);
}

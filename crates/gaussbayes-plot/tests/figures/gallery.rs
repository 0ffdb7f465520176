//! Draws every figure of the gallery: each says what it shows, and can be read in any font.

use std::collections::HashSet;

use gaussbayes::{Error, Figure, Label, Table};
use gaussbayes_plot::gallery::{self, Deck};
use gaussbayes_plot::{Arrangement, Layer, Picture, PlotError, Sheet, Theme, Ticks};

/// Sets that have the shape of the built-in ones.
fn sets(name: &str) -> Result<Table, Error> {
    let (dim, classes) = match name {
        "iris" => (4, 3),
        "faithful" => (2, 2),
        _ => return Err(Error::NoRows),
    };
    let rule = gaussbayes::blobs(classes, dim, 1.5, 7).classifier()?;
    let table = rule.sample(150, 1)?.table()?;
    if name == "faithful" {
        return Ok(Table { codes: None, dictionary: Vec::new(), ..table });
    }
    let dictionary = ["setosa", "versicolor", "virginica"].map(Label::from).to_vec();
    Ok(Table { dictionary, ..table })
}

/// All words of a picture.
fn words(picture: &Picture) -> String {
    let mut all = vec![picture.title.clone()];
    all.extend(picture.notes.clone());
    all.extend(picture.key.iter().map(|key| key.label.clone()));
    for panel in &picture.panels {
        all.extend([&panel.title, &panel.across.label, &panel.upward.label].map(Clone::clone));
        for axis in [&panel.across, &panel.upward] {
            if let Ticks::Named(names) = &axis.ticks {
                all.extend(names.iter().map(|(_, name)| name.clone()));
            }
        }
        for layer in &panel.layers {
            if let Layer::Words { text, .. } = layer {
                all.push(text.clone());
            }
        }
    }
    all.join("\n")
}

#[test]
fn every_figure_is_drawn_and_says_what_is_to_be_seen() {
    let face = ttf_parser::Face::parse(include_bytes!("../../font/DejaVuSans.ttf"), 0).unwrap();
    for exhibit in gallery::all() {
        let name = exhibit.name;
        let picture = exhibit.draw(&sets).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = [&picture.title, &picture.description, &picture.caption];
        assert!(told.iter().all(|text| !text.is_empty()), "{name}: {told:?}");
        assert!(picture.description.ends_with('.') && picture.caption.ends_with('.'), "{name}");
        assert!(picture.title.chars().count() <= 44, "{name}: {}", picture.title);
        assert!(!picture.panels.is_empty(), "{name}");
        for c in words(&picture).chars().filter(|c| *c != '\n') {
            assert!(face.glyph_index(c).is_some(), "{name}: the font has no '{c}'");
        }
        let svg = picture.svg(&Sheet::default());
        assert!(svg.len() < 300_000, "{name}: {} bytes", svg.len());
        assert_eq!(svg, exhibit.draw(&sets).unwrap().svg(&Sheet::default()), "{name}");
    }
}

#[test]
fn a_figure_can_be_printed() {
    let picture = gallery::draw("circular-boundary", &sets).unwrap();
    let png = picture.png(Theme::Light, 1.0).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
}

#[test]
fn names_are_of_one_figure_each_and_every_model_of_the_lectures_has_one() {
    let mut names = HashSet::new();
    for exhibit in gallery::all() {
        for name in exhibit.aliases.iter().chain([&exhibit.name]) {
            assert!(names.insert(*name), "{name} is twice in the gallery");
            assert_eq!(gallery::named(name).map(|one| one.name), Some(exhibit.name));
        }
        assert!(exhibit.about.chars().count() <= 80, "{}", exhibit.name);
    }
    for figure in Figure::all() {
        assert!(names.contains(figure.name), "{} is in no gallery", figure.name);
    }
    for deck in Deck::ALL {
        assert!(gallery::all().any(|exhibit| exhibit.deck == deck), "{deck:?}");
    }
    let refused = gallery::draw("moden", &sets).unwrap_err();
    assert_eq!(refused, PlotError::NoSuchFigure { name: "moden".into() });
    assert!(refused.hint().is_some());
}

#[test]
fn figures_of_two_matrices_say_them() {
    for (name, matrices) in [
        ("lda-identity", &["[1 0; 0 1]"][..]),
        ("lda-diagonal", &["[0.5 0; 0 1.5]"]),
        ("lda-full", &["[0.5 0.2; 0.2 1.5]"]),
        ("qda-spherical", &["[1.5 0; 0 1.5]", "[2 0; 0 2]", "[1 0; 0 1]"]),
        ("qda-full", &["[1.5 0.1; 0.1 0.5]", "[1 -0.2; -0.2 2]", "[2 -0.25; -0.25 1.5]"]),
    ] {
        let picture = gallery::draw(name, &sets).unwrap();
        for matrix in matrices {
            assert!(picture.caption.contains(matrix), "{name}: {}", picture.caption);
        }
    }
}

#[test]
fn the_quadratic_and_the_linear_rule_nearly_coincide_on_bananas() {
    let picture = gallery::draw("banana-three", &sets).unwrap();
    assert!(picture.caption.contains("point reflection"), "{}", picture.caption);
    let lines: Vec<_> = picture.panels[0]
        .layers
        .iter()
        .rev()
        .take(3)
        .map(|layer| match layer {
            Layer::Line { path, .. } => path.flattened(0.01).concat(),
            other => panic!("{other:?} lies on the boundaries"),
        })
        .collect();
    let [nearest, linear, quadratic] = &lines[..] else { panic!("{lines:?}") };
    // How far points of one line are from the nearest point of another, at most.
    let farthest = |from: &Vec<[f64; 2]>, to: &Vec<[f64; 2]>| {
        let fine: Vec<[f64; 2]> = to
            .windows(2)
            .flat_map(|pair| {
                (0..=200).map(|i| {
                    let t = f64::from(i) / 200.0;
                    [0, 1].map(|j| pair[0][j] + t * (pair[1][j] - pair[0][j]))
                })
            })
            .collect();
        let far = |a: &[f64; 2]| {
            let apart = fine.iter().map(|b| (a[0] - b[0]).hypot(a[1] - b[1]));
            apart.fold(f64::INFINITY, f64::min)
        };
        from.iter().map(far).fold(0.0, f64::max)
    };
    assert!(farthest(quadratic, linear) < 0.5, "{}", farthest(quadratic, linear));
    assert!(farthest(nearest, linear) > 2.0, "{}", farthest(nearest, linear));
}

#[test]
fn steps_of_em_stand_side_by_side_or_follow_each_other() {
    let still = gallery::draw("em-steps", &sets).unwrap();
    assert!(matches!(still.arrangement, Arrangement::Grid { .. }));
    assert!((3..=6).contains(&still.panels.len()), "{}", still.panels.len());
    let moving = gallery::draw("em-moving", &sets).unwrap();
    assert!(matches!(moving.arrangement, Arrangement::Frames { .. }));
    assert_eq!(moving.panels.len(), still.panels.len());
}

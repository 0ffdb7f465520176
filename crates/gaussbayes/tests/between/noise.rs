//! Holds mixtures with noise to mclust, to the laws of all fits, and to what noise is.

use gaussbayes::{
    Belonging, EmSpec, EmState, Error, Extent, Family, Mixture, Noise, On, OutlierRefusal,
    Outliers, Pool, Sampled, Score as _, Source, Starts, StopRule, Table, start_from, start_within,
};

use crate::laws::Subject;
use crate::support::{mapped, numbers_table};
use crate::{golden, memberships, numbers, rows_of, run_em, stepped};

fn spec(family: Family) -> EmSpec {
    let mut spec = EmSpec { outliers: Outliers::Noise, ..EmSpec::from(family) };
    spec.covariance.guard = 0.0;
    spec.stop.rule = StopRule::Parameters;
    (spec.stop.tolerance, spec.stop.max_iterations) = (1e-13, 20_000);
    spec
}

fn drawn(table: &Table) -> Sampled {
    let pool = Pool::new(1).unwrap();
    Sampled::draw(&mut table.source(), usize::MAX, 0, On::pool(&pool)).unwrap()
}

/// Boxes of mclust's hypvol: the smaller of two.
#[test]
fn volumes_are_those_of_mclust() {
    let pool = Pool::new(2).unwrap();
    for case in golden("mclust_noise") {
        let extent = Extent::of(&mut rows_of(&case).source(), On::pool(&pool)).unwrap();
        let volume = case["volumes"]["hypvol"].as_f64().unwrap();
        let found = extent.log_volume().exp();
        // princomp itself is 2e-11 off for wine.
        assert!((found / volume - 1.0).abs() < 5e-11, "{}: {found} {volume}", case["name"]);
        let smaller = case["volumes"]["principal"].as_f64() < case["volumes"]["raw"].as_f64();
        assert_eq!(extent.axes().is_some(), smaller);
    }
}

/// mclust's me with Vinv, from the same partition to a fixed point.
#[test]
fn fixed_points_with_noise_are_those_of_mclust() {
    let (pool, mut held) = (Pool::new(2).unwrap(), 0);
    for case in golden("mclust_noise") {
        let Some(starts) = case["starts"].as_array() else { continue };
        let (table, tolerance) = (rows_of(&case), 1e-9);
        let sampled = drawn(&table);
        for start in starts {
            let components = start["components"].as_u64().unwrap() as usize;
            let code = |group: u64| if group == 0 { components as u32 } else { group as u32 - 1 };
            let groups = start["partition"].as_array().unwrap();
            let codes: Vec<u32> =
                groups.iter().map(|group| code(group.as_u64().unwrap())).collect();
            for fit in start["fits"].as_array().unwrap() {
                let family: Family = fit["model"].as_str().unwrap().parse().unwrap();
                let Some(expected) = fit["log_likelihood"].as_f64() else { continue };
                let belonging = Belonging::Codes(codes.clone());
                let spec = spec(family);
                let state =
                    start_from(&spec, components, &sampled, &belonging, On::pool(&pool)).unwrap();
                let state = run_em(state, &mut table.source(), On::pool(&pool));
                let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
                let found = state.criteria(&stat);
                let off = (found.log_likelihood / expected - 1.0).abs();
                let name = format!("{} {} {family}", case["name"], start["name"]);
                // mclust's VVE is no maximum in this version: a right one ends no lower.
                let higher = family == Family::Vve && found.log_likelihood > expected;
                assert!(off < tolerance || higher, "{name}: {} {expected}", found.log_likelihood);
                assert_eq!(Some(found.parameters as u64), fit["parameters"].as_u64(), "{name}");
                if off < tolerance {
                    let share = state.mixture().noise().unwrap().share;
                    let right = fit["noise_share"].as_f64().unwrap();
                    assert!((share - right).abs() < 1e-5, "{name}: {share} {right}");
                }
                assert!(state.events().is_empty(), "{name}: {:?}", state.events());
                held += 1;
            }
        }
    }
    assert!(held >= 40, "{held}");
}

/// The rows that prabclus's NNclean calls noise with the same neighbour, by their posterior.
#[test]
fn the_first_guess_is_that_of_prabclus() {
    let pool = Pool::new(1).unwrap();
    let cases = golden("nnclean");
    let case = cases.iter().find(|case| case["name"] == "the same, columns scaled").unwrap();
    let all = case["neighbours"].as_array().unwrap();
    let right = all.iter().find(|one| one["neighbour"] == 12).unwrap();
    let right = right["rest"]["noise_by_posterior"].as_array().unwrap();
    let right: Vec<usize> = right.iter().map(|row| row.as_u64().unwrap() as usize - 1).collect();
    let table = rows_of(case);
    let (sampled, spec) = (drawn(&table), spec(Family::Vvv));
    let starts = Starts::of(&spec, &sampled, 1, &mut table.source(), On::pool(&pool)).unwrap();
    let belonging = starts.memberships(2, gaussbayes::Start::KMeans, 0, On::pool(&pool)).unwrap();
    let Belonging::Codes(codes) = belonging else { panic!("k-means has codes") };
    let found: Vec<usize> = (0..codes.len()).filter(|&i| codes[i] == 2).collect();
    assert_eq!(found, right);
}

/// What the M-step says that it raises is raised, and the log-likelihood with it, for every family.
#[test]
fn the_likelihood_climbs_with_noise_in_every_family() {
    let (table, pool) = (whole_rows(900), Pool::new(1).unwrap());
    let sampled = drawn(&table);
    for family in Family::ALL.into_iter().filter(|family| *family != Family::Unit) {
        let mut spec = spec(family);
        spec.stop.max_iterations = 40;
        let starts = Starts::of(&spec, &sampled, 1, &mut table.source(), On::pool(&pool)).unwrap();
        let mut state =
            starts.begin(&spec, 2, gaussbayes::Start::KMeans, 0, On::pool(&pool)).unwrap();
        let mut before = f64::NEG_INFINITY;
        while !state.is_done() {
            let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
            assert!(stat.log_evidence() >= before - 1e-8, "{family}: {before}");
            before = stat.log_evidence();
            state.step(&stat).unwrap();
            let pass = *state.pass().unwrap();
            let raised = pass.raised.unwrap();
            assert!(raised >= pass.functional - 1e-8, "{family} {raised} {}", pass.functional);
        }
        assert!(state.events().is_empty(), "{family} {:?}", state.events());
    }
}

/// Two clusters and one row in ten anywhere, in whole numbers.
fn whole_rows(count: usize) -> Table {
    let mut random = gaussbayes::Random::new(11, 4);
    let mut values = Vec::new();
    for i in 0..count {
        let (a, b) = random.normal_pair();
        let row = match i % 10 {
            0 => [4000.0 * random.uniform() - 2000.0, 4000.0 * random.uniform() - 2000.0],
            1..5 => [60.0 * a, 40.0 * b],
            _ => [400.0 + 30.0 * a, 300.0 + 20.0 * a + 30.0 * b],
        };
        values.extend(row.map(f64::round));
    }
    numbers_table(2, &values)
}

struct WithNoise(Family);

impl WithNoise {
    fn first<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> EmState {
        let mut spec = spec(self.0);
        spec.stop.max_iterations = 8;
        source.rewind().unwrap();
        let sampled = Sampled::draw(source, 3000, 5, on).unwrap();
        let starts = Starts::of(&spec, &sampled, 5, source, on).unwrap();
        let state = starts.begin(&spec, 2, gaussbayes::Start::KMeans, 0, on).unwrap();
        source.rewind().unwrap();
        state
    }
}

impl Subject for WithNoise {
    fn rows(&self) -> Table {
        whole_rows(12_000)
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let state = run_em(self.first(source, on), source, on);
        let extent = &state.mixture().noise().unwrap().extent;
        let mut all = numbers(&state);
        all.push(extent.log_volume());
        all.extend(extent.low().iter().chain(extent.high()).chain(extent.origin()));
        all
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let state = run_em(self.first(&mut rows.source(), on), &mut rows.source(), on);
        memberships(&state, rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        // The start is that of all rows: what is merged is the statistic of one step.
        let first = self.first(&mut self.rows().source(), on);
        numbers(&stepped(first, parts, on))
    }
}

laws!(noise_beside_full_covariances, WithNoise(Family::Vvv));
laws!(noise_beside_shared_covariances, WithNoise(Family::Eee));

#[test]
fn a_guess_can_be_given_and_none_begins_with_some() {
    let table = whole_rows(500);
    let (sampled, pool) = (drawn(&table), Pool::new(1).unwrap());
    let group = |row: &[f64]| u32::from(row[0] > 200.0);
    let mut codes: Vec<u32> = table.values.chunks_exact(2).map(group).collect();
    let share = |codes: &[u32]| {
        let belonging = Belonging::Codes(codes.to_vec());
        let spec = spec(Family::Vvv);
        let state = start_from(&spec, 2, &sampled, &belonging, On::pool(&pool)).unwrap();
        state.mixture().noise().unwrap().share
    };
    assert_eq!(share(&codes), 0.05);
    codes.iter_mut().step_by(10).for_each(|code| *code = 2);
    assert!((share(&codes) - 0.1).abs() < 1e-15);
    // Rows that belong to nothing are no noise either.
    codes.iter_mut().skip(1).step_by(10).for_each(|code| *code = u32::MAX);
    assert!((share(&codes) - 50.0 / 450.0).abs() < 1e-15);
    let shares: Vec<f64> = codes
        .iter()
        .flat_map(|code| (0..3).map(move |k| f64::from(u8::from(*code == k))))
        .collect();
    let belonging = Belonging::Soft(shares);
    let state = start_from(&spec(Family::Vvv), 2, &sampled, &belonging, On::pool(&pool)).unwrap();
    assert!((state.mixture().noise().unwrap().share - 50.0 / 450.0).abs() < 1e-15);
}

#[test]
fn what_makes_no_noise_is_refused_by_name() {
    let (table, pool) = (whole_rows(100), Pool::new(1).unwrap());
    let mixture = Mixture::given(&[vec![0.0, 0.0]], &[vec![1.0, 0.0, 1.0]], vec![1.0]).unwrap();
    let refused = EmState::new(spec(Family::Vvv), mixture.clone()).unwrap_err();
    assert_eq!(refused.to_string(), "noise is spread over a box, and none is given");
    let sampled = Sampled::draw(&mut table.source(), 50, 0, On::pool(&pool)).unwrap();
    let belonging = Belonging::Codes(vec![0; 50]);
    let part = start_from(&spec(Family::Vvv), 1, &sampled, &belonging, On::pool(&pool));
    assert_eq!(part.unwrap_err(), refused);
    let extent = Extent::of(&mut table.source(), On::pool(&pool)).unwrap();
    let spec_of = spec(Family::Vvv);
    let inside = start_within(&spec_of, 1, &sampled, &belonging, &extent, On::pool(&pool));
    assert_eq!(inside.unwrap().mixture().noise().unwrap().extent, extent);
    let unit = spec(Family::Unit).check().unwrap_err();
    assert_eq!(unit.to_string(), "family unit takes no noise");
    let noise = Noise { share: 0.2, extent };
    let mixture = mixture.with_noise(Some(noise)).unwrap();
    let error = mixture.conditional(&[(0, 1.0)]).unwrap_err().to_string();
    assert!(error.starts_with("conditional mixtures of a mixture with noise"), "{error}");
}

#[test]
fn shares_and_rows_that_are_too_few_are_named() {
    let pool = Pool::new(1).unwrap();
    let extent = Extent::new(None, vec![0.0], vec![0.0], vec![1.0]).unwrap();
    let given = Mixture::given(&[vec![1.0]], &[vec![2.0]], vec![1.0]).unwrap();
    let all = Noise { share: 1.0, extent };
    let refused = given.with_noise(Some(all)).unwrap_err();
    assert_eq!(refused.to_string(), "share 1 of noise is not at least 0 and below 1");
    assert!(refused.hint().is_some());
    // Sixty rows close together, and six far from all: these start nothing.
    let near = (0..60).flat_map(|i| [f64::from(i % 8), f64::from(i / 8)]);
    let far = (0..6).flat_map(|i| [1000.0 * f64::from(i + 1), -700.0 * f64::from(i * i + 1)]);
    let table = Table { dim: 2, values: near.chain(far).collect(), ..Table::default() };
    let sampled = drawn(&table);
    let spec = spec(Family::Vvv);
    let starts = Starts::of(&spec, &sampled, 1, &mut table.source(), On::pool(&pool)).unwrap();
    for start in gaussbayes::Start::ALL {
        let refused = starts.memberships(63, start, 0, On::pool(&pool)).unwrap_err();
        let right = OutlierRefusal::TooFewDistinct { distinct: 60, apart: 6, components: 63 };
        assert_eq!(refused, right.into(), "{}", start.name());
    }
}

/// A margin of a box along the columns is one; columns of any box can change places.
#[test]
fn boxes_have_margins_where_they_lie_along_the_columns() {
    let pool = Pool::new(1).unwrap();
    let boxed = |table: &Table| {
        let extent = Extent::of(&mut table.source(), On::pool(&pool)).unwrap();
        let given = Mixture::given(&[vec![1.0, 2.0]], &[vec![2.0, 0.5, 1.0]], vec![1.0]).unwrap();
        given.with_noise(Some(Noise { share: 0.25, extent })).unwrap()
    };
    let upright = numbers_table(2, &[0.0, 0.0, 0.0, 1.0, 4.0, 0.0, 4.0, 1.0]);
    let margin = boxed(&upright).marginal(&[1]).unwrap();
    assert!(margin.noise().unwrap().extent.log_volume().abs() < 1e-15);
    let slanted = numbers_table(2, &[0.0, 0.1, 1.0, 0.9, 2.0, 2.1, 3.0, 2.9]);
    let whole = boxed(&slanted);
    assert!(whole.marginal(&[0]).is_err());
    let swapped = whole.marginal(&[1, 0]).unwrap();
    let turned = mapped(&slanted, |_, x| x);
    let block = turned.block(0..4).unwrap();
    let back = swapped.marginal(&[1, 0]).unwrap();
    let log = |mixture: &Mixture| mixture.scores(&block).unwrap().into_probabilities();
    assert_eq!(log(&whole), log(&back));
    // Rows of the swapped mixture are those of the whole with their columns in other places.
    let drawn = whole.sample(200, 3).unwrap().table().unwrap();
    let other = swapped.sample(200, 3).unwrap().table().unwrap();
    assert_eq!(drawn.codes, other.codes);
    let noise = drawn.codes.as_ref().unwrap().iter().filter(|code| **code == 1).count();
    assert!((30..=70).contains(&noise), "{noise}");
    assert_eq!(drawn.dictionary[1].as_str(), gaussbayes::NOISE);
    for (i, code) in drawn.codes.as_ref().unwrap().iter().enumerate() {
        let (a, b) = (&drawn.values[2 * i..2 * i + 2], &other.values[2 * i..2 * i + 2]);
        if *code == 1 {
            assert!((a[0] - b[1]).abs() < 1e-12 && (a[1] - b[0]).abs() < 1e-12);
            assert!((a[0] - a[1]).abs() < 0.5, "{a:?} is outside of the box");
        }
    }
}

//! Holds joining, bootstrap and influence to the laws of all sweeps, and to mclust.

use gaussbayes::{
    Block, Bootstrap, Combination, Cut, EmSpec, EmState, Error, Extent, Family, Figures, Mixture,
    Movement, Noise, On, Outliers, Pool, Source, Table, banana, displaced, influences,
    most_influential,
};
use serde_json::Value;

use crate::laws::Subject;
use crate::support::{faithful, iris, mapped, numbers_table};

fn whole() -> Table {
    mapped(&banana(5000, 1), |_, x| (1000.0 * x).round())
}

/// Four components where the banana's rows are, wherever they are moved to.
fn four(rows: &Table) -> EmState {
    let shift = rows.values[0] - whole().values[0];
    let means: Vec<Vec<f64>> = [[0.0, -1.0], [2.0, 4.0], [-3.0, 1.0], [4.0, 0.0]]
        .iter()
        .map(|mean| mean.iter().map(|x| 1000.0 * x + shift).collect())
        .collect();
    let spread = vec![vec![4e6, 0.0, 4e6]; 4];
    let mut spec = EmSpec::from(Family::Vvv);
    spec.stop.tolerance = 0.0;
    spec.stop.max_iterations = 6;
    let state =
        EmState::new(spec, Mixture::given(&means, &spread, vec![0.25; 4]).unwrap()).unwrap();
    crate::run_em(state, &mut rows.source(), On::pool(&Pool::new(1).unwrap()))
}

/// Tables one after the other; no cut goes over the end of one.
struct Parts<'a> {
    parts: &'a [Table],
    part: usize,
    at: usize,
    rows: u64,
}

struct Piece<'a> {
    table: &'a Table,
    range: std::ops::Range<usize>,
    first: u64,
}

fn parts(parts: &[Table]) -> Parts<'_> {
    Parts { parts, part: 0, at: 0, rows: 0 }
}

impl<'a> Source for Parts<'a> {
    type Cut = Piece<'a>;
    type Error = Error;

    fn dim(&self) -> usize {
        self.parts[0].dim
    }

    fn next(&mut self, rows: usize) -> Result<Option<Piece<'a>>, Error> {
        let Some(table) = self.parts.get(self.part) else { return Ok(None) };
        let range = self.at..table.rows().min(self.at + rows);
        let first = self.rows;
        self.rows += range.len() as u64;
        self.at = range.end;
        if self.at == table.rows() {
            (self.part, self.at) = (self.part + 1, 0);
        }
        Ok(Some(Piece { table, range, first }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        (self.part, self.at, self.rows) = (0, 0, 0);
        Ok(())
    }
}

impl Cut for Piece<'_> {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        let mut own = Table { dim: self.table.dim, ..Table::default() };
        own.push_block(&self.table.block(self.range.clone())?);
        own.into_block(self.first)
    }
}

/// What is found from a source, by a state that was fitted.
trait Use {
    fn of<S: Source<Error = Error>>(&self, state: &EmState, source: &mut S, on: On<'_>)
    -> Vec<f64>;
}

struct Of<U>(U);

impl<U: Use> Subject for Of<U> {
    fn rows(&self) -> Table {
        whole()
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        self.0.of(&four(&whole()), source, on)
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        self.0.of(&four(rows), &mut rows.source(), on)
    }

    fn merged(&self, tables: &[Table], on: On<'_>) -> Vec<f64> {
        self.0.of(&four(&whole()), &mut parts(tables), on)
    }
}

struct Joined;

impl Use for Joined {
    fn of<S: Source<Error = Error>>(
        &self,
        state: &EmState,
        source: &mut S,
        on: On<'_>,
    ) -> Vec<f64> {
        let found = Combination::of(state.mixture(), source, on).unwrap();
        let joins = found.joins().iter().flat_map(|&(a, b)| [a as f64, b as f64]);
        found.entropies().iter().map(|entropy| entropy / 10_000.0).chain(joins).collect()
    }
}

laws!(joined, Of(Joined));

struct Drawn;

impl Use for Drawn {
    fn of<S: Source<Error = Error>>(
        &self,
        state: &EmState,
        source: &mut S,
        on: On<'_>,
    ) -> Vec<f64> {
        let found = Bootstrap::of(state, source, 3, 1, on).unwrap();
        let errors = found.standard_errors().unwrap();
        let means = errors.means.concat().into_iter().map(|error| error / 1e3);
        let covariances = errors.covariances.concat().into_iter().map(|error| error / 1e6);
        errors.weights.iter().copied().chain(means).chain(covariances).collect()
    }
}

laws!(drawn, Of(Drawn));

struct Left;

impl Use for Left {
    fn of<S: Source<Error = Error>>(
        &self,
        state: &EmState,
        source: &mut S,
        on: On<'_>,
    ) -> Vec<f64> {
        let all = influences(state, source, on).unwrap();
        let each = all.iter().flat_map(|one| [one.mean, one.covariance, one.component as f64]);
        let mut all: Vec<f64> = each.collect();
        for one in most_influential(state, source, 2, on).unwrap() {
            all.extend([one.step.row as f64, one.step.mean, one.step.covariance]);
        }
        all
    }
}

laws!(left, Of(Left));

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn lists(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(list).collect()
}

fn mixture(case: &Value) -> Mixture {
    let lower = |matrix: &Value| -> Vec<f64> {
        lists(matrix).iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect()
    };
    let covariances: Vec<Vec<f64>> =
        case["covariances"].as_array().unwrap().iter().map(lower).collect();
    let weights = list(&case["component_weights"]);
    let total: f64 = weights.iter().sum();
    let weights = weights.iter().map(|weight| weight / total).collect();
    Mixture::given(&lists(&case["means"]), &covariances, weights).unwrap()
}

fn rows(case: &Value) -> Table {
    match case["data"].as_str() {
        Some("iris") => iris(),
        Some(_) => faithful(false),
        None => {
            let rows = lists(&case["data"]["rows"]);
            numbers_table(rows[0].len(), &rows.concat())
        }
    }
}

#[test]
fn components_are_joined_as_mclust_joins_them() {
    let pool = Pool::new(1).unwrap();
    let cases = cases(include_str!("../../../../testdata/golden/mclust_combi.json"));
    assert!(cases.len() >= 7);
    for case in cases {
        let (name, table, mixture) = (&case["name"], rows(&case), mixture(&case));
        let found = Combination::of(&mixture, &mut table.source(), On::pool(&pool)).unwrap();
        let expected = list(&case["entropies"]);
        assert_eq!(found.entropies().len(), expected.len());
        for (a, b) in found.entropies().iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b), "{name} {a} {b}");
        }
        for (at, groups) in lists(&case["groups"]).iter().enumerate() {
            let owner = found.owner(at + 1).unwrap();
            let groups: Vec<usize> = groups.iter().map(|group| *group as usize - 1).collect();
            assert_eq!(owner, groups, "{name}");
        }
        assert_eq!(Some(found.elbow() as u64), case["chosen"].as_u64(), "{name}");
    }
}

/// Random by nature: two seeds of mclust are as far apart as ours is from one of them.
#[test]
fn standard_errors_are_those_of_mclust() {
    let pool = Pool::new(2).unwrap();
    let cases = cases(include_str!("../../../../testdata/golden/mclust_bootstrap.json"));
    assert_eq!(cases.len(), 3);
    for case in cases {
        let family = case["model"].as_str().unwrap().parse::<Family>().unwrap();
        let (table, mixture) = (rows(&case), mixture(&case));
        let state = EmState::new(EmSpec::from(family), mixture).unwrap();
        let found = Bootstrap::of(&state, &mut table.source(), 999, 1, On::pool(&pool)).unwrap();
        assert!(found.kept() >= 990, "{} {found:?}", case["name"]);
        let errors: Figures = found.standard_errors().unwrap();
        for (name, found) in
            [("component_weights", errors.weights), ("means", errors.means.concat())]
        {
            let of = |seed: &str| {
                let value = &case[seed]["errors"][name];
                if name == "means" { lists(value).concat() } else { list(value) }
            };
            let pairs = of("weighted").into_iter().zip(of("weighted_again"));
            for (found, (a, b)) in found.iter().zip(pairs) {
                let (low, high) = (a.min(b), a.max(b));
                assert!(
                    *found > 0.87 * low && *found < 1.15 * high,
                    "{} {name}: {found} {a} {b}",
                    case["name"]
                );
            }
        }
    }
}

/// Noise and tails bound what a row far away does; without them it does ever more.
#[test]
fn influence_is_bounded_where_outliers_are_expected() {
    let pool = Pool::new(1).unwrap();
    let on = On::pool(&pool);
    let table = faithful(false);
    let moved = |outliers: Outliers, far: f64| {
        let means = [vec![2.0, 55.0], vec![4.3, 80.0]];
        let given = Mixture::given(&means, &[vec![0.1, 0.0, 35.0]], vec![0.4, 0.6]).unwrap();
        let given = match outliers {
            Outliers::Noise => {
                let extent =
                    Extent::new(None, vec![0.0; 2], vec![1.0, 40.0], vec![6.0, 100.0]).unwrap();
                given.with_noise(Some(Noise { share: 0.05, extent })).unwrap()
            }
            _ => given,
        };
        let spec = EmSpec { outliers, ..EmSpec::from(Family::Vvv) };
        let state = EmState::new(spec, given).unwrap();
        let place = vec![4.5 + far, 80.0 + 10.0 * far];
        let found = displaced(&state, &mut table.source(), 0, &[place], on).unwrap();
        let Movement { covariance, .. } = &found[0];
        covariance.iter().copied().fold(0.0, f64::max)
    };
    let gaussian = Outliers::Ignored;
    assert!(moved(gaussian, 100.0) > 20.0 * moved(gaussian, 10.0));
    for outliers in [Outliers::Noise, Outliers::Student(gaussbayes::Freedom::Fixed(4.0))] {
        let (near, far) = (moved(outliers, 10.0), moved(outliers, 100.0));
        assert!(far < 1.5 * near && far < 0.5, "{outliers:?} {near} {far}");
    }
}

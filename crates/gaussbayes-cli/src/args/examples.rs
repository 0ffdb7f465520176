//! Lists the examples that the help of each command begins with.

/// Those of the command as a whole.
pub(super) const ALL: &str = "\
Examples:
  gaussbayes tour                                the whole story
  gaussbayes compare iris                        every classifier, ranked
  gaussbayes fit data.csv --target species       a model, saved as model.json
  gaussbayes predict model.json new.csv --proba  classes and probabilities";

const FIT: &str = "\
Examples:
  gaussbayes fit iris
  gaussbayes fit data.csv --target species --model lda -o lda.json
  gaussbayes fit data.csv --target species --shrinkage auto";

const STATS: &str = "\
Examples:
  gaussbayes stats a.csv --target species --part 1/2 -o a.moments
  gaussbayes stats b.csv --target species --part 2/2 -o b.moments
  gaussbayes merge a.moments b.moments -o all.moments
  gaussbayes fit --from all.moments --model lda";

const MERGE: &str = "\
Examples:
  gaussbayes merge a.moments b.moments -o all.moments
  gaussbayes fit --from all.moments --model lda";

const EXPORT: &str = "\
Examples:
  gaussbayes export model.json --to onnx -o model.onnx
  gaussbayes export model.json --to sql";

const UPDATE: &str = "\
Examples:
  gaussbayes update model.json more.csv
  gaussbayes update model.json more.csv -o newer.json";

const PREDICT: &str = "\
Examples:
  gaussbayes predict model.json new.csv -o classes.csv
  gaussbayes predict model.json new.csv --proba --reject 0.1
  gaussbayes predict model.json - --priors shift < new.csv";

const SHIFT: &str = "\
Examples:
  gaussbayes shift model.json new.csv
  gaussbayes shift model.json new.csv -o moved.json";

const TRANSFORM: &str = "\
Examples:
  gaussbayes transform model.json new.csv -o directions.csv
  gaussbayes transform model.json new.csv --components 2";

const EVALUATE: &str = "\
Examples:
  gaussbayes evaluate iris --model lda --folds loo
  gaussbayes evaluate test.csv --with model.json
  gaussbayes evaluate data.csv --target species --curve learning";

const COMPARE: &str = "\
Examples:
  gaussbayes compare iris
  gaussbayes compare data.csv --target species --repeat 10
  gaussbayes compare data.csv --target species --loss costs.csv";

const CLUSTER: &str = "\
Examples:
  gaussbayes cluster faithful
  gaussbayes cluster data.csv -k 1..9 --model VVV,EEE
  gaussbayes cluster data.csv -k 3 --noise -o clusters.json";

const SHOW: &str = "\
Examples:
  gaussbayes show model.json
  gaussbayes show model.json --json";

const EXPLAIN: &str = "\
Examples:
  gaussbayes explain model.json
  gaussbayes explain model.json --pair setosa,virginica --format latex
  gaussbayes explain hyperbolic";

const ERROR: &str = "\
Examples:
  gaussbayes error model.json
  gaussbayes error model.json test.csv --target species
  gaussbayes error lda-full --under qda-1";

const MODEL: &str = "\
Examples:
  gaussbayes model params.json -o model.json
  gaussbayes model hyperbolic --priors 0.9,0.1
  gaussbayes model model.json --marginal petal_length,petal_width";

const SAMPLE: &str = "\
Examples:
  gaussbayes sample banana -n 1e6 -o rows.csv
  gaussbayes sample model.json -n 100 --seed 7
  gaussbayes sample blobs --classes 5 --columns 10 --spread 2";

const PLOT: &str = "\
Examples:
  gaussbayes plot iris -o iris.svg
  gaussbayes plot model.json test.csv --figure regions --axes 1,2
  gaussbayes plot --figure circular-boundary -o circle.png
  gaussbayes plot --list";

const TOUR: &str = "\
Examples:
  gaussbayes tour
  gaussbayes tour -o story.html";

const REPORT: &str = "\
Examples:
  gaussbayes report data.csv --target species
  gaussbayes report iris -o iris.html
  gaussbayes report data.csv --drop id";

const COMPLETIONS: &str = "\
Examples:
  source <(gaussbayes completions bash)
  gaussbayes completions zsh > ~/.zfunc/_gaussbayes
  gaussbayes completions fish > ~/.config/fish/completions/gaussbayes.fish";

const MAN: &str = "\
Examples:
  gaussbayes man fit | man -l -
  gaussbayes man -o ~/.local/share/man/man1";

/// Those of a command.
pub(super) fn of(command: &str) -> Option<&'static str> {
    Some(match command {
        "fit" => FIT,
        "stats" => STATS,
        "merge" => MERGE,
        "export" => EXPORT,
        "update" => UPDATE,
        "predict" => PREDICT,
        "shift" => SHIFT,
        "transform" => TRANSFORM,
        "evaluate" => EVALUATE,
        "compare" => COMPARE,
        "cluster" => CLUSTER,
        "show" => SHOW,
        "explain" => EXPLAIN,
        "error" => ERROR,
        "model" => MODEL,
        "sample" => SAMPLE,
        "plot" => PLOT,
        "tour" => TOUR,
        "report" => REPORT,
        "completions" => COMPLETIONS,
        "man" => MAN,
        _ => return None,
    })
}

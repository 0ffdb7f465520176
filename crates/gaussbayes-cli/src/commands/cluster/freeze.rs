//! Reads which parameters of a given mixture stay as they are.

use gaussbayes::{Frozen, Label};

use crate::failure::Failure;

/// What `--freeze` asks for, of so many clusters.
pub(super) fn frozen(wishes: &[String], clusters: usize) -> Result<Frozen, Failure> {
    let mut frozen = Frozen::default();
    for wish in wishes {
        let (what, which) = match wish.split_once('=') {
            Some((what, which)) => (what, Some(which)),
            None => (wish.as_str(), None),
        };
        let list = match what {
            "means" => &mut frozen.means,
            "covariances" => &mut frozen.covariances,
            _ => {
                let usual = "--freeze means, --freeze covariances, or of some clusters: \
                             --freeze means=1,3";
                let nearest = gaussbayes_io::nearest(what, ["means", "covariances"]);
                let meant = nearest.map(|nearest| format!("did you mean '{nearest}'?"));
                let hint = meant.unwrap_or_else(|| usual.into());
                return Err(Failure::usage(format!("'{what}' cannot be frozen"), hint));
            }
        };
        list.resize(clusters, false);
        let Some(which) = which else {
            list.fill(true);
            continue;
        };
        for word in which.split(',') {
            let number = word.trim().parse::<usize>().ok();
            let place =
                number.filter(|number| (1..=clusters).contains(number)).ok_or_else(|| {
                    let hint = format!("clusters of the model are numbered from 1 to {clusters}");
                    Failure::usage(format!("'{word}' is no cluster to freeze"), hint)
                })?;
            list[place - 1] = true;
        }
    }
    Ok(frozen)
}

/// What stayed, in a line; nothing where all was free. Clusters are in this order of the components.
pub(super) fn sentence(frozen: &Frozen, order: &[usize], names: &[Label]) -> String {
    let of = |what: &str, stays: &dyn Fn(usize) -> bool| {
        let kept = order.iter().zip(names).filter(|(k, _)| stays(**k));
        let kept: Vec<&str> = kept.map(|(_, name)| name.as_str()).collect();
        (!kept.is_empty()).then(|| format!("{what} of {}", kept.join(", ")))
    };
    let parts = [
        of("means", &|k| frozen.mean(k)),
        of("covariances", &|k| frozen.covariances.get(k) == Some(&true)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("frozen: {}\n", parts.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_some_of_means_and_covariances() {
        let read = |wishes: &[&str]| {
            let wishes: Vec<String> = wishes.iter().map(ToString::to_string).collect();
            frozen(&wishes, 3).ok().map(|frozen| (frozen.means, frozen.covariances))
        };
        assert_eq!(read(&["means"]), Some((vec![true; 3], vec![])));
        let some = Some((vec![true, false, true], vec![false, true, false]));
        assert_eq!(read(&["means=1,3", "covariances=2"]), some);
        assert_eq!(read(&["means=1", "means=3"]), Some((vec![true, false, true], vec![])));
        assert_eq!(read(&["means=1", "means"]), Some((vec![true; 3], vec![])));
        let said = |wish: &[&str]| {
            let wish: Vec<String> = wish.iter().map(ToString::to_string).collect();
            let names = ["a", "b", "c"].map(Label::from);
            frozen(&wish, 3).map(|frozen| sentence(&frozen, &[2, 0, 1], &names)).ok()
        };
        assert_eq!(said(&[]).as_deref(), Some(""));
        let line = "frozen: means of a, b; covariances of c\n";
        assert_eq!(said(&["means=1,3", "covariances=2"]).as_deref(), Some(line));
        for wrong in ["weights", "means=0", "means=4", "means=x", "means="] {
            assert_eq!(read(&[wrong]), None, "{wrong}");
        }
    }
}

//! Mistypes every kind of name there is, and is asked whether the right one was meant.

use super::Folder;

#[test]
fn a_slip_of_the_pen_is_answered_by_the_name_that_was_meant() {
    let folder = Folder::new("near");
    folder.run("fit iris --model lda -o model.json").ok();
    folder.write(
        "costs.csv",
        "true,setosa,versicolor,virginca\nsetosa,0,1,1\nversicolor,1,0,1\nvirginica,1,1,0\n",
    );
    for (command, meant) in [
        ("fitt iris", "fit"),
        ("man predct", "predict"),
        ("fit iris --modl lda", "--model"),
        ("fit iris --model ldaa", "lda"),
        ("cluster iris --model VVW", "VVI"),
        ("evaluate iris --curve learning --against sofmax", "softmax"),
        ("fit irs", "iris"),
        ("fit irs --target species", "iris"),
        ("fit iris --target specis", "species"),
        ("fit iris --drop sepal_lenght", "sepal_length"),
        ("fit iris --weights sepal_widht", "sepal_width"),
        ("fit iris --types petal_width=numbr", "number"),
        ("fit iris --pooling sise", "size"),
        ("fit iris --priors obsreved", "observed"),
        ("cluster iris --start kmean", "kmeans"),
        ("cluster iris --criterion bcc", "bic"),
        ("cluster iris -k 3 --start model.json --freeze meens", "means"),
        ("evaluate iris --curve learnin", "learning"),
        ("explain hyperbolik", "hyperbolic"),
        ("explain modl.json", "model.json"),
        ("explain model.json --pair setosa,virginca", "virginica"),
        ("explain model.json --format latx", "latex"),
        ("explain model.json --as sofmax", "softmax"),
        ("error model.json --method ray", "rays"),
        ("model model.json --marginal petal_widht -o part.json", "petal_width"),
        ("sample bananna", "banana"),
        ("show modl.json", "model.json"),
        ("predict modl.json iris", "model.json"),
        ("predict model.json irs", "iris"),
        ("predict model.json iris --loss costs.csv", "virginica"),
        ("plot --figure circular-boundry", "circular-boundary"),
        ("plot iris --figure pair", "pairs"),
        ("plot irs", "iris"),
        ("plot iris --axes petal_widht,1", "petal_width"),
        ("completions bsh", "bash"),
    ] {
        let answer = folder.run(command);
        assert!(matches!(answer.code, Some(1..=3)), "{command}: {}", answer.stderr);
        let ours = format!("did you mean '{meant}'?");
        // The parser of arguments has words of its own.
        let theirs = format!("exists: '{meant}'");
        let said = &answer.stderr;
        assert!(said.contains(&ours) || said.contains(&theirs), "{command}: {said}");
        assert_eq!(answer.stdout, "", "{command}");
    }
}

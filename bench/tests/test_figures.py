"""Tests what becomes of samples: ratios turn by turn, verdicts, cells of the table."""

import items
import pytest
import summary
import table
from roofline import limit, work


def taken(seconds, foreign=0.0):
    return [{"seconds": s, "cores": 1.0, "foreign": foreign} for s in seconds]


def row(seconds, peak=1.0, **more):
    return {**summary.record(taken(seconds, **more)), "peak_mb": peak, "note": ""}


def test_a_record_has_the_median_per_iteration_and_says_who_was_disturbed():
    found = summary.record(taken([4.0, 2.0, 6.0]), per=2)
    assert (found["seconds"], found["reps"], found["all"]) == (2.0, 3, [2.0, 1.0, 3.0])
    assert not found["disturbed"]
    assert summary.record(taken([1.0], foreign=0.5))["disturbed"]
    assert not summary.record(taken([1.0], foreign=None))["disturbed"]


def test_ratios_are_those_of_the_turns():
    # Both twice as slow in the second turn: the ratio is the same in all.
    found = summary.ratio(row([1.0, 2.0, 1.0]), row([4.0, 8.0, 4.0]))
    assert found == {"ratio": 0.25, "quartiles": (0.25, 0.25), "extremes": (0.25, 0.25)}
    found = summary.ratio(row([1.0, 2.0, 3.0]), row([10.0, 10.0, 10.0]))
    assert found["ratio"] == 0.2 and found["extremes"] == (0.1, pytest.approx(0.3))


def test_the_fastest_is_a_peer_that_does_the_work():
    rows = {"ours": row([1.0]), "a": row([5.0]), "b": row([4.0]), "c": {"missing": "no c"}}
    assert summary.fastest({**rows, "sklearnex-covariance": row([2.0])}) == "b"
    assert summary.fastest({"ours": row([1.0])}) is None


def test_a_target_is_met_or_not_or_has_no_figure():
    rows = {"ours": row([1.0]), "sklearn": row([10.0]), "mclust": {"missing": "no R"}}
    target = items.Target("bic/faithful", "sklearn", 1 / 10)
    assert summary.verdict(target, rows)["met"]
    assert not summary.verdict(items.Target("bic/faithful", "sklearn", 1 / 11), rows)["met"]
    missing = summary.verdict(items.Target("bic/faithful", "mclust", 1), rows)
    assert missing == {"peer": "mclust", "why": "mclust: no R"}
    unknown = summary.verdict(items.Target("bic/faithful", "daal4py", 1), rows)
    assert unknown["why"] == "daal4py: not measured"


def test_every_target_is_of_an_item():
    assert all(target.item in items.ITEMS for target in items.TARGETS)


def test_the_table_has_a_row_for_a_target_and_names_what_is_missing():
    rows = {"ours": row([0.01] * 5, 2.0), "sklearn": row([1.0] * 5, 300.0), "b": {"missing": "no"}}
    size = {"n": 1_000_000, "d": 32, "k": 10, "limit_s": 0.005, "bound": "bytes"}
    results = {"items": {"nc_fit/cls_m": {**size, "peers": rows}}, "own": {}}
    found = list(table.target_rows(results))
    # The fastest is scikit-learn, which has a target of its own.
    assert found == [
        ["nearest mean fit", "1M × 32 × 10", "sklearn", "10 ms", "1 s", "1/100 (1/100 to 1/100)"]
        + ["1/30: met", "50% (bytes)", "2.0 / 300 MB"]
    ]
    assert list(table.others(results)) == ["nc_fit/cls_m: b missing: no"]
    assert "nearest mean fit  1M × 32 × 10" in table.terminal(results)


def test_numbers_read_as_people_write_them():
    assert [table.share(x) for x in (1 / 80, 1 / 6, 1 / 5, 0.4)] == ["1/80", "1/6", "1/5", "0.40"]
    assert [table.count(n) for n in (272, 10_000, 1_000_000)] == ["272", "10k", "1M"]
    assert [table.seconds(s) for s in (1.234, 0.0123, 4.5e-5)] == ["1.23 s", "12.3 ms", "45 µs"]


def test_the_limit_is_the_slower_of_flops_and_bytes_and_then_exps():
    ceilings = {"gemm": {"2t": {"f64": 100.0}}, "read_gb_s": {"2t": 20.0}, "exp_g_s": {"f64": 1.0}}
    # 2 flops, 8 + 160 bytes and 10 exps a row of one column and ten classes.
    seconds, bound = limit(work("lda_proba", 10**9, 1, 10), ceilings)
    assert bound == "bytes" and seconds == pytest.approx(168 / 20 + 10 / 2)
    assert limit(work("qda_fit", 10**9, 200, 10), ceilings)[1] == "flops"

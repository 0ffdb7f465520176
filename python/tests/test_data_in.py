"""Takes rows in every form that people have them in, and computes the same bits."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bits import same_bits
from samples import DEFAULTS, OnlyAStream, gaussians, named
from sklearn.base import clone
from tolerances import agree

NAMES = list("abcd")

each_estimator = pytest.mark.parametrize("estimator", DEFAULTS, ids=named)


def whole_numbers(n_features: int = 4, rows: int = 150) -> tuple[np.ndarray, np.ndarray]:
    """Rows of whole numbers from 0 to 100, which every type of number can hold."""
    sample = gaussians(3, n_features, seed=1, rows=rows)
    return np.clip(np.round(sample.X * 6.0 + 50.0), 0.0, 100.0), sample.y


def strided(rows: np.ndarray) -> np.ndarray:
    wide = np.full((3 * len(rows), 2 * rows.shape[1] + 1), np.nan, rows.dtype)
    wide[1::3, 1::2] = rows
    return wide[1::3, 1::2]


def backwards(rows: np.ndarray) -> np.ndarray:
    return rows[::-1, ::-1].copy()[::-1, ::-1]


def unaligned(rows: np.ndarray) -> np.ndarray:
    moved = np.ndarray(rows.shape, rows.dtype, buffer=bytearray(rows.nbytes + 1), offset=1)
    moved[...] = rows
    return moved


def read_only(rows: np.ndarray) -> np.ndarray:
    locked = rows.copy()
    locked.flags.writeable = False
    return locked


def arrow_table(rows: np.ndarray, names: list[str] = NAMES, chunk: int = 37) -> pa.Table:
    """A table in chunks, with types that differ from column to column where they can."""
    table = pa.table({name: rows[:, j] for j, name in enumerate(names)})
    return pa.Table.from_batches(table.to_batches(max_chunksize=chunk))


def mixed_frame(rows: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=NAMES)
    return frame.astype({"a": "int8", "b": "float32", "c": "Int64", "d": "float64"})


def nullable_frame(rows: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=NAMES)
    return frame.astype({"a": "Float64", "b": "Int32", "c": "Float64", "d": "UInt8"})


def arrow_frame(rows: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=NAMES).astype(pd.ArrowDtype(pa.float64()))


def object_frame(rows: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(rows.astype(object), columns=NAMES)


def sliced_frame(rows: np.ndarray) -> pd.DataFrame:
    wide = pd.DataFrame(np.repeat(rows, 2, axis=0), columns=NAMES)
    wide.insert(1, "between", -1.0)
    return wide.iloc[::2].drop(columns="between")


def mixed_polars(rows: np.ndarray) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=NAMES)
    return frame.with_columns(pl.col("a").cast(pl.Int16), pl.col("b").cast(pl.Float32))


def mixed_arrow(rows: np.ndarray) -> pa.Table:
    types = [pa.int8(), pa.float32(), pa.uint16(), pa.float64()]
    schema = pa.schema(list(zip(NAMES, types, strict=True)))
    return arrow_table(rows).cast(schema)


ARRAYS: dict[str, Callable[[np.ndarray], object]] = {
    "Fortran order": np.asfortranarray,
    "strided": strided,
    "backwards": backwards,
    "unaligned": unaligned,
    "read-only": read_only,
    "other byte order": lambda rows: rows.astype(rows.dtype.newbyteorder()),
}

FORMS: dict[str, Callable[[np.ndarray], object]] = ARRAYS | {
    **{
        kind: lambda rows, kind=kind: rows.astype(kind)
        for kind in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2"]
    },
    "object": lambda rows: rows.astype(object),
    "object of text": lambda rows: rows.astype(str).astype(object),
    "lists": lambda rows: rows.tolist(),
    "lists of whole numbers": lambda rows: rows.astype(int).tolist(),
    "tuple of arrays": tuple,
    "memoryview": memoryview,
    "pandas": lambda rows: pd.DataFrame(rows, columns=NAMES),
    "pandas in Fortran order": lambda rows: pd.DataFrame(np.asfortranarray(rows), columns=NAMES),
    "pandas without names": pd.DataFrame,
    "pandas, mixed": mixed_frame,
    "pandas, nullable": nullable_frame,
    "pandas over arrow": arrow_frame,
    "pandas of objects": object_frame,
    "pandas, sliced": sliced_frame,
    "polars": lambda rows: pl.DataFrame(rows, schema=NAMES),
    "polars, mixed": mixed_polars,
    "pyarrow table": arrow_table,
    "pyarrow table, mixed": mixed_arrow,
    "pyarrow batch": lambda rows: arrow_table(rows, chunk=len(rows)).to_batches()[0],
    "pyarrow reader": lambda rows: arrow_table(rows).to_reader(),
    "arrow stream": lambda rows: OnlyAStream(arrow_table(rows)),
}


@each_estimator
@pytest.mark.parametrize("form", FORMS)
def test_rows(form, estimator):
    X, y = whole_numbers()
    make = FORMS[form]
    found = clone(estimator).fit(make(X), y)
    expected = clone(estimator).fit(X, y)
    same_bits(found, expected, lambda: make(X[:50]), X[:50])
    if isinstance(make(X), pd.DataFrame | pl.DataFrame | pa.Table | pa.RecordBatch | OnlyAStream):
        if form != "pandas without names":
            assert found.feature_names_in_.tolist() == NAMES


@each_estimator
@pytest.mark.parametrize("form", ["Fortran order", "strided", "backwards", "unaligned"])
def test_single_precision_rows(form, estimator):
    sample = gaussians(3, 4, seed=2, dtype=np.float32)
    found = clone(estimator).fit(ARRAYS[form](sample.X), sample.y)
    expected = clone(estimator).fit(sample.X, sample.y)
    same_bits(found, expected, ARRAYS[form](sample.queries), sample.queries)


@each_estimator
def test_single_precision_columns(estimator):
    sample = gaussians(3, 4, seed=2, dtype=np.float32)
    expected = clone(estimator).fit(sample.X, sample.y)
    frame, queries = (pd.DataFrame(each, columns=NAMES) for each in (sample.X, sample.queries))
    same_bits(clone(estimator).fit(frame, sample.y), expected, queries, sample.queries)
    # scikit-learn takes other tables of single precision as double in LDA, as single in naive
    # Bayes; either will do.
    for make in [arrow_table, lambda rows: pl.DataFrame(rows, schema=NAMES)]:
        found = clone(estimator).fit(make(sample.X), sample.y)
        posterior = found.predict_proba(make(sample.queries))
        agree("posterior", posterior, expected.predict_proba(sample.queries), np.float32)


@each_estimator
def test_flags(estimator):
    rng = np.random.default_rng(3)
    y = np.arange(200) % 2
    X = rng.random((200, 3)) < np.where(y == 0, 0.3, 0.6)[:, None]
    found = clone(estimator).fit(X, y)
    same_bits(found, clone(estimator).fit(X.astype(float), y), X, X.astype(float))


@each_estimator
def test_rows_in_a_file(estimator, tmp_path):
    X, y = whole_numbers()
    np.save(tmp_path / "rows.npy", X)
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    same_bits(clone(estimator).fit(rows, y), clone(estimator).fit(X, y), rows, X)


@each_estimator
def test_rows_are_left_as_they_were(estimator):
    X, y = whole_numbers()
    weights = np.ones(len(y))
    before = X.tobytes(), y.tobytes(), weights.tobytes()
    clone(estimator).fit(X, y, sample_weight=weights).predict_proba(X)
    assert before == (X.tobytes(), y.tobytes(), weights.tobytes())


@each_estimator
@pytest.mark.parametrize("chunk", [1000, 8192, 30_000])
def test_chunks_leave_no_trace(chunk, estimator):
    # More rows than fill a block, in chunks that end elsewhere than the blocks do.
    X, y = whole_numbers(rows=20_000)
    found = clone(estimator).fit(arrow_table(X, chunk=chunk).to_reader(), y)
    expected = clone(estimator).fit(X, y)
    same_bits(found, expected, lambda: arrow_table(X, chunk=chunk).to_reader(), X)


@each_estimator
def test_a_reader_is_read_once(estimator):
    X, y = whole_numbers()
    table, read = arrow_table(X), []

    def batches():
        for batch in table.to_batches():
            read.append(batch.num_rows)
            yield batch

    clone(estimator).fit(pa.RecordBatchReader.from_batches(table.schema, batches()), y)
    assert sum(read) == len(X)


@each_estimator
def test_missing_values_and_words_in_a_table_are_refused(estimator):
    X, y = whole_numbers()
    columns = [X[:, j].tolist() for j in range(4)]
    columns[1][7] = None
    for table in [pa.table(columns, names=NAMES), pl.DataFrame(columns, schema=NAMES)]:
        with pytest.raises(ValueError, match="NaN"):
            clone(estimator).fit(table, y)
    columns[1] = ["word"] * len(y)
    with pytest.raises(ValueError):
        clone(estimator).fit(pa.table(columns, names=NAMES), y)


@each_estimator
@pytest.mark.parametrize(
    "make",
    [list, pd.Series, pl.Series, pa.array, lambda w: pd.Series(w, dtype="Float64"), strided],
    ids=["list", "pandas", "polars", "pyarrow", "nullable", "strided"],
)
def test_weights(make, estimator):
    X, y = whole_numbers()
    weights = np.random.default_rng(4).uniform(0.5, 2.0, len(y))
    given = strided(weights[:, None])[:, 0] if make is strided else make(weights)
    found = clone(estimator).fit(X, y, sample_weight=given)
    same_bits(found, clone(estimator).fit(X, y, sample_weight=weights), X)

"""Makes seeded tables of every kind of column, in every form that has names."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from samples import OnlyAStream

NAMES = ["length", "width", "clicks", "views", "colour", "paid", "note"]
TYPES = {"clicks": "count", "views": "count", "note": "text"}
WORDS = ["free", "prize", "call", "meeting", "report", "don't", "lunch"]


def tables(frame: pd.DataFrame) -> dict[str, object]:
    """The same table in every form that has names."""
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    batches = pa.Table.from_batches(arrow.to_batches(max_chunksize=17))
    return {
        "pandas": frame,
        "objects": frame.astype(object),
        "polars": pl.from_pandas(frame),
        "arrow": arrow,
        "stream": OnlyAStream(batches),
    }


def mixed(rows: int = 300, seed: int = 0, *, gaps: float = 0.1) -> tuple[pd.DataFrame, np.ndarray]:
    """A table of every kind of column, of which a share of the cells is missing."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c"], rows, p=[0.5, 0.3, 0.2])
    k = np.searchsorted(["a", "b", "c"], y)
    text = [" ".join(rng.choice(WORDS[j : j + 5], rng.integers(1, 7))) for j in k]
    frame = pd.DataFrame(
        {
            "length": rng.normal(k, 1.0),
            "width": rng.normal(-k, 2.0),
            "clicks": rng.poisson(1.0 + k).astype(float),
            "views": rng.poisson(4.0, rows).astype(float),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "paid": rng.random(rows) < 0.3 + 0.2 * k,
            "note": text,
        }
    )
    frame["paid"] = frame["paid"].astype("boolean")
    if gaps:
        frame = frame.mask(rng.random(frame.shape) < gaps)
    return frame, y

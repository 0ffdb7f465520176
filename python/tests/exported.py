"""Runs exported models in the programs that they are for."""

import sqlite3

import duckdb
import numpy as np
import onnxruntime
import pandas as pd


def in_onnx(model: bytes, rows: object) -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities by onnxruntime; a dictionary has a column for each input."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    assert names == ["label", "probabilities"]
    label, shares = session.run(None, rows if isinstance(rows, dict) else {"X": rows})
    return label, shares


def _table(rows: object) -> pd.DataFrame:
    if isinstance(rows, pd.DataFrame):
        frame = rows.copy()
    else:
        frame = pd.DataFrame(rows, columns=[f"x{j}" for j in range(np.shape(rows)[1])])
    frame.insert(0, "row number", np.arange(len(frame)))
    return frame


def _answers(found: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    found = found.sort_values("row number")
    shares = found[[name for name in found if str(name).startswith("p_")]]
    return found["prediction"].to_numpy(), shares.to_numpy(dtype=np.float64)


def in_sqlite(query: str, rows: object, table: str = "data") -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities by SQLite."""
    connection = sqlite3.connect(":memory:")
    frame = _table(rows).astype(object)
    frame = frame.where(frame.notna(), None)
    quoted = ['"' + str(name).replace('"', '""') + '"' for name in frame]
    name = '"' + table.replace('"', '""') + '"'
    connection.execute(f"CREATE TABLE {name} ({', '.join(quoted)})")
    holes = ", ".join("?" for _ in quoted)
    connection.executemany(
        f"INSERT INTO {name} VALUES ({holes})",
        [[cell.item() if hasattr(cell, "item") else cell for cell in row] for row in frame.values],
    )
    return _answers(pd.read_sql_query(query, connection))


def in_duckdb(query: str, rows: object, table: str = "data") -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities by DuckDB, on one thread."""
    connection = duckdb.connect(config={"threads": 1})
    connection.register("lent", _table(rows))
    name = '"' + table.replace('"', '""') + '"'
    connection.execute(f"CREATE TABLE {name} AS SELECT * FROM lent")
    return _answers(connection.execute(query).df())

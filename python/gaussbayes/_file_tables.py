"""Names tables in files, which are read as they stream by, and says how they are written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._warning import warn

Path = str | os.PathLike[str]


class Files:
    """A table in one or several files, to be given as X.

    A path alone is enough where nothing need be said about how a file is written: delimiter,
    quotes, header and the comma or point before fractions are found out from its first lines.

    Parameters
    ----------
    *paths : str or PathLike
        CSV or TSV, Parquet, Arrow or npy files, also compressed by gzip or zstd, or patterns such
        as ``"part-*.parquet"``: the rows of all of them follow each other.
    features : list of str, default=None
        Columns that are features; by default all that are not classes, weights or dropped.
    drop : list of str, default=None
        Columns to leave out.
    delimiter, quote, decimal : str, default=None
        One character each; ``quote=""`` takes quotes as text.
    header : bool, default=None
        Whether the first line names the columns.
    names : list of str, default=None
        Names of the columns of files that name none.
    na : {"refuse", "drop"}, default="refuse"
        What becomes of rows with missing values.
    na_words : list of str, default=None
        What says that a value is missing, instead of the usual words.

    Examples
    --------
    >>> import gaussbayes, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "two.csv")
    >>> _ = path.write_text("x;y;kind\\n1,5;2;a\\n2,5;1;a\\n9;8,5;b\\n8;9;b\\n")
    >>> table = gaussbayes.Files(path, delimiter=";", decimal=",")
    >>> lda = gaussbayes.LinearDiscriminantAnalysis().fit(table, y="kind")
    >>> lda.means_[0]
    array([2. , 1.5])
    """

    def __init__(
        self,
        *paths: Path,
        features: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        delimiter: str | None = None,
        quote: str | None = None,
        decimal: str | None = None,
        header: bool | None = None,
        names: Sequence[str] | None = None,
        na: str = "refuse",
        na_words: Sequence[str] | None = None,
    ) -> None:
        if not paths:
            raise ValueError("Files needs at least one path")
        self.paths = [os.fspath(path) for path in paths]
        self.features = None if features is None else list(features)
        self.drop = None if drop is None else list(drop)
        self._reading: dict[str, Any] = {
            "delimiter": delimiter,
            "quote": quote,
            "decimal": decimal,
            "header": header,
            "names": None if names is None else list(names),
            "na": na,
            "na_words": None if na_words is None else list(na_words),
        }

    def __repr__(self) -> str:
        said = {"features": self.features, "drop": self.drop, **self._reading}
        usual = {"na": "refuse"}
        words = [repr(path) for path in self.paths]
        words += [f"{key}={value!r}" for key, value in said.items() if value != usual.get(key)]
        return f"Files({', '.join(words)})"

    def opened(
        self,
        known: Any,
        kinds: tuple[str, ...] | None,
        declared: Mapping[Any, str] | None,
        columns: dict[str, str],
    ) -> _core.Files:
        """Open the files for the core; `known` are the features that a model has."""
        features = self.features if known is None else [str(name) for name in known]
        core = _core.Files(
            self.paths,
            self._reading,
            target=columns.get("target"),
            weights=columns.get("weights"),
            features=features,
            drop=self.drop if features is None else None,
            kinds=None if kinds is None else list(kinds),
            declared=None if declared is None else [(str(k), v) for k, v in declared.items()],
        )
        for note in core.notes:
            warn(note)
        return core


def files_of(X: Any) -> Files | None:
    """Return files where X names some."""
    if isinstance(X, Files):
        return X
    if isinstance(X, str | os.PathLike):
        return Files(X)
    if isinstance(X, list | tuple) and X and all(isinstance(x, str | os.PathLike) for x in X):
        return Files(*X)
    return None

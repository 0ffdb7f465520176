"""Sets up hypothesis and lends the data that many tests share."""

import numpy as np
import pytest
from hypothesis import settings
from sklearn.datasets import load_iris

# The same examples on every machine, and none remembered between runs.
settings.register_profile(
    "gaussbayes", derandomize=True, deadline=None, max_examples=40, database=None
)
settings.load_profile("gaussbayes")


@pytest.fixture(scope="session")
def iris() -> tuple[np.ndarray, np.ndarray]:
    """The rows and labels of iris, which no test may write to."""
    X, y = load_iris(return_X_y=True)
    X.flags.writeable = False
    y.flags.writeable = False
    return X, y

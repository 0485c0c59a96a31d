"""Additive models, fitted without numpy: a prediction is the sum of the weights of its features."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import exp

Feature = tuple[Hashable, ...]
RIDGE = 2.0
"""L2 penalty: keeps the weights of rare features near zero."""
EPOCHS, LEARNING_RATE = 6, 0.3


@dataclass
class Dataset:
    """Rows of features, each feature by its column number, and one target a row."""

    columns: dict[Feature, int] = field(default_factory=dict)
    rows: list[list[int]] = field(default_factory=list)
    targets: list[float] = field(default_factory=list)

    def add(self, features: Sequence[Feature], target: float) -> None:
        columns = self.columns
        self.rows.append([columns.setdefault(feature, len(columns)) for feature in features])
        self.targets.append(float(target))


def least_squares(data: Dataset) -> dict[Feature, float]:
    """Return the weights of a ridge regression, by the normal equations."""
    size = len(data.columns)
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for features, target in zip(data.rows, data.targets, strict=True):
        for i in features:
            right[i] += target
            row = matrix[i]
            for j in features:
                row[j] += 1
    for i in range(size):
        matrix[i][i] += RIDGE
    return dict(zip(data.columns, _solve(matrix, right), strict=True))


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination; no pivoting, as the matrix is symmetric and positive definite."""
    size = len(right)
    for pivot in range(size):
        row, scale = matrix[pivot], matrix[pivot][pivot]
        for i in range(pivot + 1, size):
            factor = matrix[i][pivot] / scale
            if factor:
                target = matrix[i]
                for j in range(pivot, size):
                    target[j] -= factor * row[j]
                right[i] -= factor * right[pivot]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = sum(matrix[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (right[i] - known) / matrix[i][i]
    return solution


def logistic_regression(data: Dataset) -> dict[Feature, float]:
    """Return the weights, in logits, of the probability that the target is 1: stochastic gradient descent (AdaGrad)."""
    size = len(data.columns)
    weights, squares = [0.0] * size, [1.0] * size
    for _ in range(EPOCHS):
        for features, target in zip(data.rows, data.targets, strict=True):
            error = target - 1 / (1 + exp(-sum(weights[i] for i in features)))
            for i in features:
                squares[i] += error * error
                weights[i] += LEARNING_RATE * error / squares[i] ** 0.5
    return dict(zip(data.columns, weights, strict=True))

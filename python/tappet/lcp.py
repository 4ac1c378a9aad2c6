"""Complementarity problems by themselves: the solvers that a run uses, on NumPy arrays.

>>> import numpy as np, tappet
>>> tappet.lcp.solve([[2, 1], [1, 2]], [-5, -6]).z.round(6)
array([1.333333, 2.333333])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["Solution", "Solver", "solve", "solve_contacts", "solvers"]


class Solver(NamedTuple):
    """A solver, and what it solves."""

    name: str
    help: str
    citation: str
    lcp: bool
    contacts: bool


@dataclass(frozen=True)
class Solution:
    """What a solver found. Only the shared residual decides whether it converged."""

    z: NDArray[np.float64]  #: the unknowns; of contacts the impulses r
    w: NDArray[np.float64]  #: M z + q; of contacts the velocities u
    status: str  #: "converged", "stalled" or "infeasible"
    residual: float
    iterations: int
    note: str  #: what ran, and why it stopped
    ray: NDArray[np.float64]  #: of an infeasible problem the proof; else empty

    @property
    def converged(self) -> bool:
        return self.status == "converged"


def solvers() -> list[Solver]:
    """All solvers."""
    return [Solver(**one) for one in _core.lcp_solvers()]


def _matrix(given: Any, name: str) -> NDArray[np.float64]:
    if hasattr(given, "toarray"):  # of scipy.sparse
        given = given.toarray()
    out = np.asarray(given, dtype=float)
    if out.ndim != 2 or out.shape[0] != out.shape[1]:
        raise ValueError(f"{name} has the shape {out.shape}; a square matrix is needed")
    return _finite(out, name)


def _vector(given: ArrayLike, size: int, name: str) -> NDArray[np.float64]:
    out = np.asarray(given, dtype=float)
    if out.shape != (size,):
        raise ValueError(f"{name} has the shape {out.shape}; {size} numbers are needed")
    return _finite(out, name)


def _finite(given: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    if not np.isfinite(given).all():
        raise ValueError(f"{name} has a number that is not finite")
    return given


def _guess(given: ArrayLike | None, size: int) -> NDArray[np.float64]:
    return np.zeros(size) if given is None else _vector(given, size, "guess")


def _check(tolerance: float, max_iterations: int, equalities: int, rows: int) -> None:
    if not tolerance > 0:
        raise ValueError(f"tolerance is {tolerance}; it must be > 0")
    if max_iterations < 0:
        raise ValueError(f"max_iterations is {max_iterations}; 0 lets the solver choose")
    if not 0 <= equalities <= rows:
        raise ValueError(f"equalities is {equalities}; 0 to {rows} are possible")


def solve(
    M: Any,
    q: ArrayLike,
    *,
    equalities: int = 0,
    solver: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int = 0,
    guess: ArrayLike | None = None,
    unit: float = 0,
) -> Solution:
    """Find z with w = M z + q, 0 ≤ w ⟂ z ≥ 0. In the first `equalities` rows w = 0 and z is free.

    `unit` is the size of w that counts as 1 in the residual; 0: the largest of q.
    """
    matrix = _matrix(M, "M")
    size = len(matrix)
    _check(tolerance, max_iterations, equalities, size)
    return Solution(
        **_core.solve_lcp(
            matrix, _vector(q, size, "q"), equalities, solver, tolerance, max_iterations, _guess(guess, size), unit
        )
    )


def solve_contacts(
    W: Any,
    b: ArrayLike,
    mu: ArrayLike,
    *,
    dimension: int = 3,
    equalities: int = 0,
    solver: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int = 0,
    guess: ArrayLike | None = None,
    unit: float = 0,
) -> Solution:
    """Find impulses r of contacts with friction, with velocities u = W r + b.

    Each contact has `dimension` rows: the normal one, then one or two tangential ones. Along the normal 0 ≤ u ⟂ r ≥ 0; friction
    is at most `mu` times the normal impulse, and opposes sliding. W is symmetric and positive semidefinite; one that is not
    symmetric is not solved. In the first `equalities` rows u = 0 and r is free.
    """
    matrix = _matrix(W, "W")
    size = len(matrix)
    if dimension not in (2, 3):
        raise ValueError(f"dimension is {dimension}; contacts have 2 or 3 rows")
    _check(tolerance, max_iterations, equalities, size)
    contacts, left = divmod(size - equalities, dimension)
    if left:
        raise ValueError(f"W has {size - equalities} rows of contacts, which is no multiple of {dimension}")
    coefficients = _vector(mu, contacts, "mu")
    if (coefficients < 0).any():
        raise ValueError(f"mu has {coefficients.min()}; coefficients of friction are ≥ 0")
    return Solution(
        **_core.solve_contacts(
            matrix,
            _vector(b, size, "b"),
            coefficients,
            dimension,
            equalities,
            solver,
            tolerance,
            max_iterations,
            _guess(guess, size),
            unit,
        )
    )

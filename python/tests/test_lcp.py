"""Complementarity problems on arrays, against closed forms."""

import numpy as np
import pytest

import tappet


def random_psd(n, rank, seed, skew=0.0):
    generator = np.random.default_rng(seed)
    factor = generator.standard_normal((n, rank))
    half = skew * generator.standard_normal((n, n))
    return factor @ factor.T + half - half.T


@pytest.mark.parametrize("name", [s.name for s in tappet.lcp.solvers() if s.lcp])
def test_every_solver_solves_a_symmetric_problem(name):
    M = random_psd(12, 30, 1)
    z = np.maximum(np.random.default_rng(2).standard_normal(12), 0)
    w = np.where(z > 0, 0, 0.5)
    found = tappet.lcp.solve(M, w - M @ z, solver=name)
    assert found.converged, found
    np.testing.assert_allclose(found.z, z, atol=1e-6)
    np.testing.assert_allclose(found.w, M @ found.z + w - M @ z, atol=1e-9)


def test_a_block_that_sticks_and_one_that_slides():
    # One contact, unit mass: u = r + b. Approach 1 with sliding 0.2 sticks at mu = 0.5; with sliding 2 it slides.
    stick = tappet.lcp.solve_contacts(np.eye(3), [-1, 0.2, 0], [0.5])
    np.testing.assert_allclose(stick.z, [1, -0.2, 0], atol=1e-8)
    slide = tappet.lcp.solve_contacts(np.eye(2), [-1, 2], [0.5], dimension=2)
    np.testing.assert_allclose(slide.z, [1, -0.5], atol=1e-8)
    np.testing.assert_allclose(slide.w, [0, 1.5], atol=1e-8)


@pytest.mark.parametrize("name", [s.name for s in tappet.lcp.solvers() if s.contacts])
def test_contacts_whose_matrix_is_not_symmetric_are_not_solved(name):
    W = np.eye(6)
    W[0, 4] = 0.3
    found = tappet.lcp.solve_contacts(W, -np.ones(6), [0.5, 0.5], solver=name)
    assert found.status == "stalled" and "not symmetric" in found.note


def test_gradients_do_not_take_a_matrix_that_is_not_symmetric():
    M = random_psd(10, 20, 3, skew=1.0)
    q = -np.ones(10)
    refused = tappet.lcp.solve(M, q, solver="apgd")
    assert refused.status == "stalled" and "not symmetric" in refused.note
    assert tappet.lcp.solve(M, q).converged
    assert tappet.lcp.solve(M, q, solver="newton").converged


def test_a_problem_without_solution_has_a_proof():
    found = tappet.lcp.solve([[0.0, 0.0], [0.0, 1.0]], [-1, 1])
    assert found.status == "infeasible" and len(found.ray) == 2


def test_equality_rows_are_free():
    # z0 is free with w0 = 0: 2 z0 + z1 = 3; w1 = z0 + 2 z1 - 1 >= 0.
    found = tappet.lcp.solve([[2, 1], [1, 2]], [-3, -1], equalities=1)
    np.testing.assert_allclose(found.z, [1.5, 0], atol=1e-9)


def test_faults_are_sentences():
    with pytest.raises(ValueError, match="square"):
        tappet.lcp.solve(np.ones((2, 3)), [1, 2])
    with pytest.raises(ValueError, match="q has the shape"):
        tappet.lcp.solve(np.eye(2), [1, 2, 3])
    with pytest.raises(ValueError, match="not finite"):
        tappet.lcp.solve(np.eye(2), [1, np.nan])
    with pytest.raises(ValueError, match="nonsense"):
        tappet.lcp.solve(np.eye(2), [1, 1], solver="nonsense")
    with pytest.raises(ValueError, match="no multiple of 3"):
        tappet.lcp.solve_contacts(np.eye(4), np.ones(4), [0.1])
    with pytest.raises(ValueError, match="friction cones"):
        tappet.lcp.solve_contacts(np.eye(3), np.ones(3), [0.1], solver="lemke")

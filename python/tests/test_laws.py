"""Laws on arrays: closed forms, the program's curves, faults."""

import math
import subprocess

import numpy as np
import pytest

import tappet

depth = np.linspace(0, 1e-4, 11)


def test_all_laws_of_the_program_are_here(program):
    listed = {line.split()[0] for line in program("laws").splitlines() if line.startswith("  ")}
    # Newton's law has no force; films and wear are no laws of a depth.
    films = {"ocvirk", "sommerfeld", "pinkus-sternlicht", "finite"}
    assert listed - set(tappet.laws) == {"newton", "archard"} | films
    assert tappet.laws["hunt-crossley"].kind == "normal" and tappet.laws["ambrosio"].kind == "friction"


def test_hunt_crossley_is_its_equation():
    rate, speed, stiffness, restitution = -0.3, 1.5, 2e9, 0.8
    force = tappet.laws["hunt-crossley"](depth, rate, speed, stiffness=stiffness, restitution=restitution)
    expected = stiffness * depth**1.5 * (1 + 1.5 * (1 - restitution) * rate / speed)
    assert force == pytest.approx(expected, rel=1e-14)
    assert force.shape == depth.shape and force[0] == 0


def test_shapes_follow_numpy():
    law = tappet.laws["hooke"].bind(stiffness="1 kN/mm", restitution=1)
    assert law(np.array([[1e-3], [2e-3]]), np.zeros(3)).shape == (2, 3)
    assert float(law(1e-3)) == pytest.approx(1000)
    assert (law([-1e-3, 0, 1e-3]) == [0, 0, law(1e-3)]).all()


def test_values_and_derivatives():
    law = tappet.laws["lankarani-nikravesh"].bind(stiffness=1e10, restitution=0.7)
    at = law.evaluate(depth[1:], 0.4, 1.0)
    h = 1e-9
    assert at.d_depth == pytest.approx((law(depth[1:] + h, 0.4, 1.0) - law(depth[1:] - h, 0.4, 1.0)) / (2 * h), rel=1e-6)
    assert at.d_rate == pytest.approx((law(depth[1:], 0.4 + h, 1.0) - law(depth[1:], 0.4 - h, 1.0)) / (2 * h), rel=1e-6)
    # F δ̇ = dU/dt + P
    slope = 1e10 * depth[1:] ** 1.5
    assert at.dissipated_power == pytest.approx((at.force - slope) * 0.4, rel=1e-12)


def test_stiffness_from_materials():
    steel = dict(young="207 GPa", poisson=0.3)
    law = tappet.laws["hertz"].bind(radius=("10 mm", None), **steel)
    compliance = (1 - 0.3**2) / 207e9
    stiffness = 4 / (3 * 2 * compliance) * math.sqrt(0.01)
    assert law(1e-5) == pytest.approx(stiffness * 1e-5**1.5, rel=1e-12)
    assert "K = " in law.notes[0]


def test_impacts_are_those_of_the_program(program):
    printed = program("laws", "flores", "--curve", "--points", 5, "--set", "stiffness=1e9", "--set", "restitution=0.6",
                      "--speed", 2, "--mass", 0.5)
    rows = [line.split(",") for line in printed.splitlines()[1:]]
    depths, rates, forces = (np.array([float(row[k]) for row in rows]) for k in (2, 3, 4))
    law = tappet.laws["flores"].bind(stiffness=1e9, restitution=0.6)
    # The curve's last point is the separation itself, where depth is rounding.
    assert law(depths, rates, 2.0)[:-1] == pytest.approx(forces[:-1], rel=1e-12)
    impact = law.impact(mass=0.5, speed=2)
    assert impact["max_depth"] == pytest.approx(depths.max(), rel=1e-9)
    assert impact["restitution"] == pytest.approx(law.predicted_restitution, rel=1e-6)
    assert law.requested_restitution == 0.6


def test_friction_is_that_of_the_program(program):
    printed = program("laws", "ambrosio", "--curve", "--points", 21, "--set", "coefficient=0.1", "--set", "v0=0.2",
                      "--set", "v1=0.4", "--speed", 1, "--normal-force", 3)
    velocity, force = np.loadtxt(printed.splitlines()[1:], delimiter=",", unpack=True)
    assert (tappet.laws["ambrosio"](velocity, 3, coefficient=0.1, v0=0.2, v1=0.4) == force).all()
    assert tappet.laws["ambrosio"].bind(coefficient=0.1, v0=0, v1="1 mm/s").coefficient(5.0) == 0.1


def test_faults_are_sentences():
    with pytest.raises(tappet.InputError, match="'restitution' is '2', but must be") as caught:
        tappet.laws["hunt-crossley"](depth, stiffness=1e9, restitution=2)
    assert caught.value.file == __file__
    with pytest.raises(tappet.InputError, match="unknown key 'stifness'.*did you mean 'stiffness'"):
        tappet.laws["hertz"](depth, stifness=1e9)
    with pytest.raises(KeyError, match="did you mean 'hunt-crossley'"):
        tappet.laws["hunt-crosley"]
    with pytest.raises(tappet.LawDomainError):
        tappet.laws["esdu-78035"].bind(radius=("10 mm", "-10.5 mm"), length="15 mm", young=2e11, poisson=0.3)(1.0)


def test_pages_and_tables():
    law = tappet.laws["lankarani-nikravesh"]
    assert "F = " in str(law) and "restitution" in str(law) and "reference: " in str(law)
    assert [p.name for p in law.parameters] == ["stiffness", "exponent", "radii", "restitution", "rest_velocity"]
    assert "<table>" in law._repr_html_() and "hunt-crossley" in tappet.laws._repr_html_()


def test_what_is_no_number_stays_none():
    for name in tappet.laws:
        law = tappet.laws[name]
        if law.kind == "friction":
            continue
        try:
            bound = law.bind(stiffness=1e8)
        except (TypeError, tappet.InputError):
            continue
        for arguments in ((np.nan, 0.0, 1.0), (1e-6, np.nan, 1.0), (1e-6, 0.0, np.nan)):
            assert np.isnan(bound(*arguments)), (name, arguments)
        # Others beside it are as they are.
        force = bound(np.array([1e-6, np.nan, 2e-6]), 0.0, 1.0)
        assert force[0] > 0 and np.isnan(force[1]) and force[2] > force[0], name
    coulomb = tappet.laws["coulomb"].bind(coefficient=0.3)
    assert np.isnan(coulomb(np.nan)) and coulomb(1.0) == -0.3

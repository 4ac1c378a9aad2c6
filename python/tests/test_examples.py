"""The programs of examples/python: they print what their page says, and do what they are for."""

import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import examples

folder = examples / "python"


@pytest.mark.parametrize("name", ["soft_bushing", "balance", "stand_up"])
def test_programs_print_what_their_page_says(name, tmp_path):
    page = (folder / "README.md").read_text()
    expected = re.search(rf"python3 examples/python/{name}.py\n\n```\n(.*?)```", page, re.DOTALL)[1].splitlines()
    figure = tmp_path / "figure.svg"
    command = [sys.executable, folder / f"{name}.py", figure]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert printed == expected
    assert figure.stat().st_size > 10_000


def program(name):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- the pendulum on the cart


def linear_loop(balance, angle, gust=0.0):
    """The closed loop of the linear model: x at the same instants."""
    a, b = balance.linear_model()
    # A force G at the tip, s − 2ℓ sin φ, does work on both coordinates.
    push, half = b[2:, 0], balance.half
    inverse = np.linalg.inv(
        [[balance.cart + balance.rod, -balance.rod * half], [-balance.rod * half, balance.inertia + balance.rod * half**2]]
    )
    assert np.allclose(inverse[:, 0], push)
    tip = np.zeros((4, 1))
    tip[2:, 0] = inverse @ [1, -2 * half]
    step, by_push = balance.held(a, b, balance.interval)
    _, by_gust = balance.held(a, tip, balance.interval)
    gains = balance.regulator(step, by_push)
    x, out = np.array([0, angle, 0, 0.0]), []
    for n in range(800):
        out.append(x)
        x = step @ x - by_push[:, 0] * (gains @ x) + by_gust[:, 0] * (gust if 400 <= n < 420 else 0)
    return np.array(out)


def test_the_regulator_is_optimal():
    balance = program("balance")
    a, b = balance.held(*balance.linear_model(), balance.interval)
    gains = balance.regulator(a, b)
    assert np.abs(np.linalg.eigvals(a - np.outer(b[:, 0], gains))).max() < 1 < np.abs(np.linalg.eigvals(a)).max()

    def cost(k):
        x, total = np.array([0, 0.1, 0, 0]), 0.0
        for _ in range(3000):
            f = -k @ x
            total += x @ (np.array([10, 10, 1, 1]) * x) + 0.1 * f**2
            x = a @ x + b[:, 0] * f
        return total

    best = cost(gains)
    for i in range(4):
        for factor in (0.98, 1.02):
            other = gains.copy()
            other[i] *= factor
            assert cost(other) > best


def test_a_small_lean_follows_the_linear_loop():
    """Left and right are alike, so that what the linear model leaves out is of third order in the lean."""
    balance = program("balance")
    differences = [np.abs(balance.balance(lean)[1] - linear_loop(balance, lean)).max() for lean in (0.01, 0.02, 0.04)]
    assert differences[1] / differences[0] == pytest.approx(8, rel=0.02)
    assert differences[2] / differences[1] == pytest.approx(8, rel=0.05)


def test_the_pendulum_stays_up():
    balance = program("balance")
    lean, gust = np.radians(15), 0.5
    times, x = balance.balance(lean, gust)
    linear = linear_loop(balance, lean, gust)
    assert len(times) == len(linear)
    # Within what third order may do: φ² of what the linear loop does, coordinate by coordinate.
    largest = np.abs(linear).max(axis=0)
    assert (np.abs(x - linear).max(axis=0) < np.abs(linear[:, 1]).max() ** 2 * largest).all()
    # Both disturbances are over: nothing is left but what the linear loop has left, to within the integrator's tolerance.
    assert np.abs(x[-1]).max() < 1.1 * np.abs(linear[-1]).max() + 1e-6
    # Without the controller it falls.
    model = balance.leaning(lean)
    model["simulation.duration"] = 2
    assert np.abs(model.run()["rod.angle"]).max() > np.pi / 2


# ---- the robot


def test_the_robot_stands_up():
    robot = program("stand_up")
    rows, simulation = robot.stand_up(robot.crouching_robot())
    _, height, tilt, _ = rows.T
    weight = 43.4 * 9.81
    assert height[0] == pytest.approx(robot.crouched + robot.foot, abs=1e-3)
    # A leg that carries W/6 gives way by less than that over the stiffness that its joint a has for the height, k/a².
    sag = robot.standing + robot.foot - height[-1]
    assert 0 < sag < weight / 6 * robot.upper**2 / robot.stiffness
    # It stands still, on all its feet.
    assert np.ptp(height[-100:]) < 1e-5
    feet = simulation.contacts()
    assert {contact.bodies[1] for contact in feet} == {f"{leg}_shank" for leg in robot.legs}
    assert sum(contact.force for contact in feet) == pytest.approx([0, 0, weight], abs=0.01)
    # Level: the moment of the weight about the hips' middle against four legs 0.3 m in front and behind.
    moment = weight * sum(
        mass * (simulation.value(f"{leg}_{body}.x") - simulation.value("frame.x"))
        for leg in robot.legs
        for body, mass in (("link", 1.2), ("upper", 0.6), ("lower", 0.6), ("shank", 1.5))
    ) / 43.4
    static = abs(moment) / (4 * 0.3**2 * robot.stiffness / robot.upper**2)
    assert tilt[-1] < 2 * static
    assert tilt.max() < np.radians(0.5)

"""Laws and forces written in Python, in runs: against the same ones in a model file, and their faults."""

import math
import os
import signal
import threading

import numpy as np
import pytest

import tappet

wrist = "joints.wrist.clearance."


def spring_and_damper(depth, rate, *, k, a=0.2):
    """Hertz' spring with a damper."""
    return k * depth**1.5 * (1 + a * rate)


cushion = tappet.normal_law(name="cushion", units={"k": "N/m^1.5"})(spring_and_damper)
honest = tappet.normal_law(name="honest", energy=lambda depth, *, k, a: k * depth**2.5 / 2.5)(spring_and_damper)
in_file = {"law": "expression", "force": "k*depth^1.5*(1 + a*rate)", "parameters": {"k": 6.6e10, "a": 0.2}}


@tappet.friction_law(units={"v0": "m/s"})
def soft_coulomb(speed, *, mu, v0=0.01):
    return mu * math.tanh(speed / v0)


def test_a_python_law_gives_what_the_same_expression_gives(model):
    model[wrist + "friction"] = {"law": "none"}
    model[wrist + "normal"] = in_file
    expected = model.run()
    model[wrist + "normal"] = {"law": "cushion", "k": "6.6e10 N/m^1.5"}
    result = model.run()
    # The same operations on the same numbers: the same bits.
    assert (result.data == expected.data).all() and len(result) > 40
    assert len(result.impacts) == len(expected.impacts) > 10
    for column in set(result.impacts.dtype.names) - {"requested"}:
        assert np.array_equal(result.impacts[column], expected.impacts[column], equal_nan=True), column
    assert np.isnan(result.impacts["requested"]).all()


def test_a_law_that_knows_its_energy(model):
    model[wrist + "friction"] = {"law": "none"}
    model[wrist + "normal"] = {**in_file, "energy": "k*depth^2.5/2.5"}
    expected = model.run()
    model[wrist + "normal"] = {"law": "honest", "k": 6.6e10}
    result = model.run()
    # The slope of the energy is a difference quotient here: steps differ by rounding, and the motion by the tolerance.
    for name in ("slider.x", "slider.vx", "energy.potential", "energy.normal_loss"):
        assert result[name] == pytest.approx(expected[name], abs=1e-7 * np.abs(expected[name]).max()), name
    assert (np.diff(result["energy.normal_loss"]) > -1e-9).all()
    assert result.summary["energy_residual"] < 1e-9


def test_a_law_may_return_its_derivatives(model):
    def exact(depth, rate, *, k, a):
        elastic = k * depth**1.5
        return elastic * (1 + a * rate), 1.5 * elastic / depth * (1 + a * rate), elastic * a

    tappet.normal_law(name="exact", energy=lambda depth, *, k, a: (k * depth**2.5 / 2.5, k * depth**1.5))(exact)
    given = tappet.laws["exact"].bind(k=1e10, a=0.3).evaluate(1e-5, 0.2, 1)
    found = tappet.laws["honest"].bind(k=1e10, a=0.3).evaluate(1e-5, 0.2, 1)
    assert found.force == given.force and found.stored_energy == given.stored_energy
    assert found.d_depth == pytest.approx(float(given.d_depth), rel=1e-6)
    assert found.d_rate == pytest.approx(float(given.d_rate), rel=1e-6)
    assert found.dissipated_power == pytest.approx(float(given.dissipated_power), rel=1e-8)
    # dissipated: a δ̇² K δ^1.5
    assert given.dissipated_power == pytest.approx(0.3 * 0.2**2 * 1e10 * 1e-5**1.5, rel=1e-12)


def test_a_python_law_is_a_law_like_others():
    assert isinstance(cushion, tappet.Law) and tappet.laws["cushion"].help == "Hertz' spring with a damper."
    assert [(p.name, p.unit, p.default) for p in cushion.parameters[:2]] == [("k", "N/m^1.5", ""), ("a", "", "0.2")]
    assert cushion([0, 1e-4], 0.0, k=1e9) == pytest.approx([0, 1e9 * 1e-6])
    with pytest.raises(tappet.InputError, match="missing key 'k' in a cushion law"):
        cushion(1e-4)


def test_a_force_below_nothing_is_none():
    @tappet.normal_law
    def pulls(depth, rate, impact_rate):
        return depth - 1

    assert pulls([0.5, 2.0]).tolist() == [0, 1]


def test_a_python_friction_law(model):
    model[wrist + "friction"] = {"law": "soft-coulomb", "mu": 0.1, "v0": "10 mm/s"}
    result = model.run()
    slipping = result["wrist.normal"] > 0
    expected = 0.1 * np.tanh(np.abs(result["wrist.speed"]) / 0.01) * result["wrist.normal"]
    assert np.abs(result["wrist.tangential"][slipping]) == pytest.approx(expected[slipping], rel=1e-9)
    assert result["energy.friction_loss"][-1] > 0 and result.summary["energy_residual"] < 1e-8
    assert soft_coulomb([-1.0, 0.0, 1.0], 2.0, mu=0.3) == pytest.approx([0.6, 0, -0.6])


# ---- forces

stone = {
    "tappet": 1,
    "gravity": [0, -9.81],
    "bodies": {"stone": {"mass": 0.5, "inertia": 0.01, "velocity": [10, 10], "angular_velocity": 3}},
    "simulation": {"duration": 2, "tolerance": 1e-9},
    "output": {"step": 0.01},
}


@tappet.force
def drag(vx, vy, *, c):
    speed = (vx**2 + vy**2) ** 0.5
    return -c * speed * vx, -c * speed * vy


def test_a_python_force_gives_what_the_same_expression_gives():
    model = tappet.Model(stone)
    model.add("forces.air", {"type": "expression", "body": "stone", "point": [0.1, 0],
                             "fx": "-0.02*(vx^2 + vy^2)^0.5*vx", "fy": "-0.02*(vx^2 + vy^2)^0.5*vy"})
    expected = model.run()
    model["forces.air"] = {"type": "drag", "body": "stone", "point": [0.1, 0], "c": 0.02}
    result = model.run()
    # pow(x, 2) is x·x in both; the order of the products may differ by rounding.
    for name in result:
        assert result[name] == pytest.approx(expected[name], rel=1e-11, abs=1e-11), name
    assert result["energy.input"][-1] < -1


def test_a_step_that_overflows_is_repeated(model):
    # The first steps that the integrator tries are far too long for this damper.
    model.add("forces.air", {"type": "drag", "body": "slider", "c": 0.5})
    result = model.run()
    model["forces.air"] = {"type": "expression", "body": "slider", "fx": "-0.5*abs(vx)*vx"}
    expected = model.run()
    assert result["slider.vx"] == pytest.approx(expected["slider.vx"], abs=1e-5 * np.abs(expected["slider.vx"]).max())


def test_forces_in_space_with_torque_and_reaction():
    @tappet.force(torque=True, units={"strength": "N m"})
    def twist(t, *, strength):
        return 0, 0, 0, 0, 0, strength * t

    space = {
        "tappet": 1, "dimension": "spatial",
        "bodies": {"top": {"mass": 1, "inertia": [1, 1, 2]}, "other": {"mass": 1, "inertia": [3, 3, 4], "position": [1, 0, 0]}},
        "forces": {"motor": {"type": "twist", "body": "top", "reaction": "other", "strength": "3 N m"}},
        "simulation": {"duration": "1 s", "tolerance": 1e-10}, "output": {"step": 0.1},
    }
    result = tappet.Model(space).run()
    # ω = ½ T t²/I, against the other body's.
    assert result["top.wz"][-1] == pytest.approx(3 / 2 / 2, rel=1e-8)
    assert result["other.wz"][-1] == pytest.approx(-3 / 2 / 4, rel=1e-8)
    assert result["energy.input"][-1] == pytest.approx(result["energy.kinetic"][-1], rel=1e-8)


def test_a_force_must_know_the_model_s_dimension():
    @tappet.force
    def turning(angle):
        return 0, 0, angle

    space = {"tappet": 1, "dimension": "spatial", "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
             "forces": {"f": {"type": "turning", "body": "a"}}, "simulation": {"duration": 1}, "output": {"step": 0.1}}
    with pytest.raises(tappet.InputError, match="takes 'angle', which spatial models do not have"):
        tappet.Model(space).check()


# ---- faults


def test_what_a_function_raises_comes_out_of_the_run():
    @tappet.force
    def breaks(t):
        return (0, 1 / 0) if t > 0.5 else (0, 0)

    model = tappet.Model(stone)
    model.add("forces.f", {"type": "breaks", "body": "stone"})
    model["simulation.max_step"] = 0.05
    with pytest.raises(ZeroDivisionError) as caught:
        model.run()
    # Down to the user's own line, with what was computed kept.
    assert caught.traceback[-1].name == "breaks"
    assert 0.4 < model.last_result.time[-1] <= 0.5
    assert "ZeroDivisionError: division by zero" in model.last_result.stop_reason


def test_what_a_function_returns_must_be_of_use():
    @tappet.force
    def short(t):
        return [0]

    @tappet.normal_law
    def nothing(depth):
        return None

    model = tappet.Model(stone)
    model.add("forces.f", {"type": "short", "body": "stone"})
    with pytest.raises(TypeError, match=r"'short' returned \[0\]; a list or tuple of 2 numbers is expected"):
        model.run()
    with pytest.raises(TypeError, match="'nothing' returned None; a number is expected"):
        nothing(1e-3)


def test_ctrl_c_inside_a_function():
    @tappet.force
    def slow(t):
        sum(range(2000))
        return 0, 0

    model = tappet.Model(stone)
    model.add("forces.f", {"type": "slow", "body": "stone"})
    model["simulation.max_step"] = 1e-4
    model["simulation.duration"] = 1000
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(tappet.Interrupted) as caught:
        model.run()
    timer.join()
    assert len(caught.value.result.time) >= 1 and caught.value.result.stop_reason == "interrupted (Ctrl-C)"


def test_functions_that_cannot_be_used():
    with pytest.raises(TypeError, match="'f' takes 'velocity', which is none of depth, rate, impact_rate"):
        tappet.normal_law(name="f")(lambda velocity: 0)
    with pytest.raises(ValueError, match="'hertz' is a name of the library's own"):
        tappet.normal_law(name="hertz")(lambda depth: 0)
    with pytest.raises(ValueError, match="'<lambda>' cannot be a name"):
        tappet.normal_law(lambda depth: 0)
    with pytest.raises(TypeError, match="'body' is a key of the model file already"):
        tappet.force(name="g")(lambda t, *, body: (0, 0))
    with pytest.raises(TypeError, match="units names 'k'"):
        tappet.force(name="g", units={"k": "N"})(lambda t: (0, 0))


def test_a_function_registered_again_replaces_the_old_one():
    tappet.normal_law(name="changing")(lambda depth, *, k: k * depth)
    tappet.normal_law(name="changing")(lambda depth, *, a=2: a * depth * depth)
    assert tappet.laws["changing"](3.0) == 18
    assert list(tappet.laws).count("changing") == 1


def test_nothing_is_registered_during_a_run():
    @tappet.force
    def meddles(t):
        tappet.force(name="other")(lambda t: (0, 0))
        return 0, 0

    model = tappet.Model(stone)
    model.add("forces.f", {"type": "meddles", "body": "stone"})
    with pytest.raises(RuntimeError, match="'other' cannot be registered while a model is running"):
        model.run()

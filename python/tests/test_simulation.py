"""Simulations stepped by hand: every method, states, views, signals, contacts, threads, faults."""

import copy
import gc
import importlib.machinery
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tappet
from conftest import examples

balls = {
    "tappet": 1,
    "dimension": "spatial",
    "gravity": [0, 0, -9.81],
    "ground": {"shapes": {"floor": {"plane": {"normal": [0, 0, 1], "point": [0, 0, 0]}}}},
    "bodies": {
        f"b{i}": {"density": 1000, "position": [0.004 * i, 0, 0.06 + 0.11 * i], "shapes": {"s": {"sphere": {"radius": 0.05}}}}
        for i in range(4)
    },
    "contacts": {
        "balls": {"between": ["b*.s", "b*.s"], "normal": {"restitution": 0.2}, "friction": {"coefficient": 0.3}, "group": True},
        "floor": {"between": ["ground.*", "b*.s"], "normal": {"restitution": 0.2}, "friction": {"coefficient": 0.3}, "group": True},
    },
    "simulation": {"method": "moreau", "duration": 0.2, "step": "1 ms"},
    "output": {"step": 0.02},
}

#: Every method, in the plane and in space, with contacts that are followed, groups and structures.
cases = {
    "smooth": ("slider_crank/clearance.yaml", {"simulation.duration": "3 ms"}),
    "smooth in space": ("rolling_ball/rolling.yaml", {"simulation.duration": "0.1 s", "simulation.integrator": "dopri5"}),
    "event-driven": ("woodpecker/toy.yaml", {"simulation.duration": "0.3 s"}),
    "moreau": (
        "bouncing_ball/impact.yaml",
        {
            "simulation.method": "moreau",
            "simulation.step": "1 ms",
            "contacts.bounce.normal.restitution": 0.8,
            "simulation.duration": "1 s",
        },
    ),
    "group": (balls, {}),
    "structure": ("block_on_plate/block.yaml", {"simulation.duration": "10 ms", "simulation.step": "0.2 ms"}),
}


def model_of(case):
    source, settings = cases[case]
    model = tappet.Model(source) if isinstance(source, dict) else tappet.load(examples / source)
    for path, value in settings.items():
        model[path] = value
    return model


@pytest.fixture(params=cases)
def any_model(request):
    return model_of(request.param)


pendulum = """\
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 1/12, position: [0.5, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}
events:
  lowest: {signal: rod.x, level: 0}
simulation: {duration: 2, tolerance: 1e-9}
output: {step: 0.02}
"""


# ---- steps


def same_rows(a, b):
    return a.dtype.names == b.dtype.names and all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.dtype.names)


def same_motion(a, b):
    """Equal but for the rows between samples, which a run asks for and steps do not: their number, and the evaluations that they took."""
    return all(line.split(":")[0].strip() in ("counters.between", "counters.evaluations") for line in a.difference(b).splitlines())


def test_steps_are_the_run(any_model):
    whole, by_hand, to_a_time = (tappet.Simulation(any_model) for _ in range(3))
    result = whole.run()
    steps = list(by_hand)
    assert len(steps) > 10
    assert steps[0].start == 0 and steps[-1].end == by_hand.time == by_hand.duration
    assert all(a.end == b.start and b.length > 0 for a, b in zip(steps, steps[1:]))
    assert same_motion(by_hand.state, whole.state), by_hand.state.difference(whole.state)
    # What steps report is what the result has.
    impacts = np.concatenate([step.impacts for step in steps])
    # A hit that has not ended is a row where the run ends, not where a step does.
    ended = result.impacts[np.isfinite(result.impacts["end"])]
    assert same_rows(impacts, ended)
    # One call for all of them.
    done = to_a_time.advance(to_a_time.duration)
    assert (done.start, done.end) == (0, whole.duration)
    assert to_a_time.state == by_hand.state
    assert same_rows(done.impacts, ended)


def test_several_steps_in_one_call(any_model):
    one, many = tappet.Simulation(any_model), tappet.Simulation(any_model)
    for _ in range(8):
        last = one.step()
    assert many.advance_steps(8).end == last.end
    assert many.state == one.state


def test_a_run_goes_on_from_where_steps_have_led(any_model):
    whole = tappet.Simulation(any_model)
    expected = whole.run()
    simulation = tappet.Simulation(any_model)
    simulation.advance_steps(7)
    here = simulation.time
    result = simulation.run()
    assert same_motion(simulation.state, whole.state), simulation.state.difference(whole.state)
    rest = expected.time > here
    assert np.array_equal(result.time, expected.time[rest])
    assert np.array_equal(result.data, expected.data[rest], equal_nan=True)
    with pytest.raises(ValueError, match="the simulation is at its end"):
        simulation.run()


def test_beyond_the_end(any_model):
    simulation = tappet.Simulation(any_model)
    end = simulation.duration
    simulation.advance(end)
    assert list(simulation) == []
    assert simulation.step().start == end
    simulation.advance(1.1 * end)
    assert simulation.time == 1.1 * end


def test_events_of_the_model():
    # Quarter of a period of a rod released horizontally: √(2ℓ/3g) K(1/√2), ℓ = 1.
    quarter = np.sqrt(2 / (3 * 9.81)) * 1.8540746773013719
    events = [event for step in tappet.Simulation(tappet.Model(pendulum)) for event in step.events]
    assert [name for name, _ in events] == ["lowest", "lowest"]
    assert [t for _, t in events] == pytest.approx([quarter, 3 * quarter], abs=1e-7)

    model = tappet.Model(pendulum)
    model["events.lowest.stop"] = True
    simulation = tappet.Simulation(model)
    steps = list(simulation)
    assert steps[-1].stopped and not any(step.stopped for step in steps[:-1])
    assert simulation.time == pytest.approx(quarter, abs=1e-7)
    assert "'lowest' at " in repr(steps[-1]) and "the run ends" in repr(steps[-1])
    # A loop goes on if it is begun anew, and advance() to the time it is given.
    assert list(simulation)[-1].end == pytest.approx(3 * quarter, abs=1e-7)
    assert simulation.advance(3.0).end == 3.0


# ---- states


def test_copies_and_states_lead_the_same_way(any_model):
    first = tappet.Simulation(any_model)
    first.advance_steps(15)
    other, then = first.clone(), first.state
    assert isinstance(other, tappet.Simulation) and other.state == then
    first.advance_steps(10)
    assert other.state == then != first.state
    other.advance_steps(10)
    assert other.state == first.state
    # Back, and there again.
    end = first.state
    first.set_state(then)
    assert first.state == then and first.time == then.t
    first.advance_steps(10)
    assert first.state == end
    first.state = then
    assert first.state == then
    assert copy.deepcopy(first).state == then == copy.copy(then)


def test_states_and_simulations_go_to_other_processes(any_model, tmp_path):
    simulation = tappet.Simulation(any_model)
    simulation.advance_steps(12)
    sent = tmp_path / "sent"
    sent.write_bytes(pickle.dumps((any_model, simulation.state, simulation)))
    program = (
        "import pickle, sys, tappet\n"
        "model, state, other = pickle.load(open(sys.argv[1], 'rb'))\n"
        "simulation = tappet.Simulation(model)\n"
        "assert simulation.state != state\n"
        "simulation.set_state(state)\n"
        "assert simulation.state == state == other.state\n"
        "for each in simulation, other:\n    each.advance_steps(9)\n"
        "pickle.dump([simulation.state, other.state], open(sys.argv[1], 'wb'))\n"
    )
    subprocess.run([sys.executable, "-c", program, sent], check=True)
    simulation.advance_steps(9)
    for back in pickle.loads(sent.read_bytes()):
        assert back == simulation.state and simulation.state == back
        assert back == pickle.loads(pickle.dumps(back))
        with pytest.raises(RuntimeError, match="this state was unpickled"):
            back.q
        simulation.step()
        assert back != simulation.state
        simulation.set_state(back)
        assert simulation.state == back


def test_states_of_other_models_are_refused():
    simulation = tappet.Simulation(model_of("smooth"))
    for case in ("event-driven", "structure"):
        other = tappet.Simulation(model_of(case)).state
        for state in (other, pickle.loads(pickle.dumps(other))):
            before = simulation.state
            assert state != before
            with pytest.raises(tappet.InputError, match="the state (does not fit this model|cannot be read)"):
                simulation.set_state(state)
            assert simulation.state == before
    with pytest.raises(TypeError):
        simulation.set_state(7)
    with pytest.raises(TypeError):
        hash(simulation.state)


def test_a_state_can_be_altered():
    """A disc that rests on the floor is lifted by 1 cm, falls, and lands after √(2h/g)."""
    for method in ({"method": "smooth"}, {"method": "event-driven"}, {"method": "moreau", "step": "0.1 ms"}):
        simulation = tappet.Simulation(disc_on_floor(method))
        simulation.advance(0.3)
        state = simulation.state
        state.q[1], state.u[1] = 0.11, 0
        assert simulation.q[1] < 0.101  # the state is a value of its own
        simulation.state = state
        assert simulation.q[1] == 0.11
        fall = np.sqrt(2 * 0.01 / 9.81)
        simulation.advance(0.3 + 0.9 * fall)
        assert simulation.q[1] == pytest.approx(0.11 - 0.81 * 0.01, abs=1e-5)
        simulation.advance(0.6)
        assert simulation.q[1] == pytest.approx(0.1, abs=1e-3)
        assert simulation.value("rest.normal") == pytest.approx(2 * 9.81, abs=1e-2)


# ---- views


def test_views_follow_the_simulation(any_model):
    simulation = tappet.Simulation(any_model)
    q, u = simulation.q, simulation.u
    sq, su = simulation.structure_q, simulation.structure_u
    views = (q, u, sq, su)
    bodies = len(simulation.bodies)
    assert (len(q), len(u)) == ((3 * bodies, 3 * bodies) if simulation.dimension == "planar" else (7 * bodies, 6 * bodies))
    assert len(sq) == len(su) == len(simulation.mass_matrix()) - len(u)
    before, start = [view.copy() for view in views], simulation.state
    simulation.advance_steps(20)
    now = simulation.state
    for view, name, old in zip(views, ("q", "u", "structure_q", "structure_u"), before):
        assert np.array_equal(view, getattr(now, name))
        assert len(view) == 0 or not np.array_equal(view, old)
        # No copy, and nothing that could be spoiled.
        assert not view.flags.owndata and np.shares_memory(view, getattr(simulation, name)) == (len(view) > 0)
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 0
    # They stay where they are when a state is set, or taken back after a fault.
    simulation.set_state(start)
    assert all(np.array_equal(view, old) for view, old in zip(views, before))
    simulation.run()
    assert np.array_equal(q, simulation.state.q) and np.array_equal(u, simulation.state.u)


def test_views_keep_the_simulation_alive():
    simulation = tappet.Simulation(tappet.Model(pendulum))
    simulation.advance(0.3)
    q, state_u, signal_ = simulation.q, simulation.state.u, simulation.signal("rod.y")
    expected, speed = q.copy(), state_u.copy()
    del simulation
    gc.collect()
    for _ in range(50):
        tappet.Simulation(tappet.Model(pendulum)).advance(0.1)  # uses memory that would have been free
    assert np.array_equal(q, expected) and np.array_equal(state_u, speed)
    assert signal_() == expected[1]


# ---- signals and contacts


def test_signals(any_model):
    simulation = tappet.Simulation(any_model)
    result = any_model.run()
    # As in the result, at every sample where a step ends.
    handles = {name: simulation.signal(name) for name in simulation.signals}
    rows, looked = {t: row for row, t in enumerate(result.time)}, 0
    for step in simulation:
        if step.end in rows and looked < 20:
            looked += 1
            for name, handle in handles.items():
                expected = result[name][rows[step.end]]
                assert handle.value == handle() == float(handle) == simulation.value(name)
                assert handle.value == pytest.approx(expected, rel=1e-9, abs=1e-9), (name, step.end)
    assert looked > 0
    assert handle.name == name
    with pytest.raises(tappet.UnknownName, match=f"there is no signal '{name}x': did you mean '{name}'"):
        simulation.signal(name + "x")
    with pytest.raises(KeyError):
        simulation.value("nothing.at.all")


def test_looking_changes_nothing(any_model):
    watched, alone = tappet.Simulation(any_model), tappet.Simulation(any_model)
    for n in range(20):
        if n == 10:
            watched.set_state(watched.state)
            watched.mass_matrix()
        for name in watched.signals[:5] + watched.signals[-5:]:
            watched.value(name)
        watched.contacts(), watched.forces(), watched.constraint_jacobian()
        watched.step(), alone.step()
    assert watched.state == alone.state, watched.state.difference(alone.state)


def disc_on_floor(simulation):
    """A disc of 2 kg and 0.1 m radius at rest on the floor."""
    return tappet.Model(
        {
            "tappet": 1,
            "dimension": "planar",
            "gravity": [0, -9.81],
            "ground": {"shapes": {"floor": {"plane": {"normal": [0, 1], "point": [0, 0]}}}},
            "bodies": {
                "disc": {"mass": 2, "inertia": 0.01, "position": [0.25, 0.1], "shapes": {"rim": {"circle": {"radius": 0.1}}}}
            },
            "contacts": {
                "rest": {
                    "between": ["ground.floor", "disc.rim"],
                    "normal": {"law": "hooke", "stiffness": 1e5, "damping": 400, "restitution": 0},
                    "friction": {
                        "law": "adams",
                        "static": 0.3,
                        "dynamic": 0.3,
                        "stiction_velocity": 1e-3,
                        "friction_velocity": 1e-2,
                    },
                }
            },
            "simulation": {"duration": 1, **simulation},
            "output": {"step": 0.01},
        }
    )


@pytest.mark.parametrize("method", [{"method": "smooth"}, {"method": "event-driven"}, {"method": "moreau", "step": "1 ms"}])
def test_contacts(method):
    simulation = tappet.Simulation(disc_on_floor(method))
    simulation.advance(0.5)
    # The same after a copy, which has not taken a step.
    for each in (simulation, simulation.clone()):
        (contact,) = each.contacts()
        assert contact.name == "rest" and contact.bodies == ("ground", "disc")
        assert contact.force == pytest.approx([0, 2 * 9.81, 0], abs=1e-3)
        assert contact.normal == pytest.approx([0, 1, 0])
        assert contact.point == pytest.approx([0.25, 0, 0], abs=1e-3)
        assert abs(contact.gap) < 1e-3
        assert each.value("rest.normal") == pytest.approx(2 * 9.81, abs=1e-3)
        assert repr(contact).startswith("<contact 'rest' of ground and disc: gap ")


def test_contacts_of_groups_and_structures():
    simulation = tappet.Simulation(model_of("group"))
    simulation.advance(simulation.duration)
    found = simulation.contacts()
    assert {contact.name for contact in found} == {"balls", "floor"} == set(simulation.contact_names)
    assert {contact.bodies for contact in found} == {("ground", "b0"), ("b0", "b1"), ("b1", "b2"), ("b2", "b3")}
    model = model_of("structure")
    model["simulation.duration"] = "21 ms"  # the block falls for √(2 · 2 mm/g) = 20.2 ms
    model["simulation.step"] = "0.5 ms"
    simulation = tappet.Simulation(model)
    simulation.advance(0.020)
    assert simulation.contacts() == []
    simulation.advance(simulation.duration)
    found = simulation.contacts()
    assert len(found) > 10 and all(contact.bodies == ("plate", "block") and contact.force[2] > 0 for contact in found)


def test_the_equations_of_motion():
    """M u̇ = h + Jᵀ λ of a rod at rest, horizontal: φ̈ = −g (ℓ/2)/(ℓ²/3) with ℓ = 1."""
    simulation = tappet.Simulation(tappet.Model(pendulum))
    mass, jacobian, force = simulation.mass_matrix(), simulation.constraint_jacobian(), simulation.forces()
    assert np.array_equal(mass, np.diag([1, 1, 1 / 12])) and np.array_equal(force, [0, -9.81, 0])
    assert jacobian.shape == (2, 3)
    matrix = np.block([[mass, -jacobian.T], [jacobian, np.zeros((2, 2))]])
    acceleration = np.linalg.solve(matrix, np.concatenate([force, np.zeros(2)]))
    assert acceleration[2] == pytest.approx(-9.81 * 0.5 / (1 / 3), abs=1e-12)
    assert acceleration[2] == pytest.approx(simulation.value("rod.alpha"), abs=1e-12)


# ---- inputs


def pushed(simulation):
    """A body of 2 kg that nothing but its inputs pushes."""
    return tappet.Model(
        {
            "tappet": 1,
            "dimension": "planar",
            "inputs": {"push": {"default": 0, "unit": "N"}, "lift": {"default": 1, "unit": "N"}},
            "bodies": {"stone": {"mass": 2, "inertia": 0.1}},
            "forces": {"hand": {"type": "force", "body": "stone", "force": ["push", "lift"]}},
            "simulation": {"duration": 2, **simulation},
            "output": {"step": 0.1},
        }
    )


@pytest.mark.parametrize("method", [{"method": "smooth"}, {"method": "event-driven"}, {"method": "moreau", "step": "1 ms"}])
def test_inputs_act_until_they_are_set_again(method):
    simulation = tappet.Simulation(pushed(method))
    push = simulation.input("push")
    push.value = 3.0
    simulation.advance(0.4)
    # x = F t²/2m with each force; the state has them, and so has a copy.
    then = simulation.state
    assert list(then.inputs) == [3, 1]
    simulation.inputs["push"] = -1.0
    other = pickle.loads(pickle.dumps(simulation))
    for each in (simulation, simulation.clone(), other):
        each.advance(1.0)
        speed, place = 1.5 * 0.4, 0.75 * 0.4**2
        assert each.q[0] == pytest.approx(place + speed * 0.6 - 0.25 * 0.6**2, abs=1e-9)
        assert each.q[1] == pytest.approx(0.25 * 1.0**2, abs=1e-9)
        assert each.inputs == {"push": -1.0, "lift": 1.0}
        assert each.state == simulation.state
    simulation.state = then
    assert push.value == 3.0 == float(push)
    simulation.advance(1.0)
    assert simulation.q[0] == pytest.approx(0.75, abs=1e-9)


def test_inputs_by_name():
    simulation = tappet.Simulation(pushed({"method": "smooth"}))
    inputs, push = simulation.inputs, simulation.input("push")
    assert dict(inputs) == {"push": 0.0, "lift": 1.0} and len(inputs) == 2
    assert (push.name, push.unit) == ("push", "N")
    inputs.update(lift=4, push=5)
    inputs.update({"lift": 2})
    assert (inputs["push"], inputs["lift"]) == (5, 2) and simulation.value("inputs.push") == 5
    simulation.set_inputs(np.array([7.0, 8.0]))
    assert push.value == 7 and repr(inputs) == "<tappet inputs {'push': 7.0, 'lift': 8.0}>"
    for wrong in ([1.0], [1.0, 2.0, 3.0], 1.0, [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="one value for each input is wanted: 2 in all"):
            simulation.set_inputs(wrong)
    for use in (lambda: inputs["pull"], lambda: inputs.update(pull=1), lambda: simulation.input("pull")):
        with pytest.raises(tappet.UnknownName, match="there is no input 'pull'"):
            use()
    with pytest.raises(tappet.InputError, match="the input 'push' is set to nan, which is not a finite number"):
        push.value = float("nan")
    with pytest.raises(TypeError, match="belongs to the model"):
        del inputs["push"]
    assert push.value == 7


# ---- threads


def long_run():
    """Enough steps for seconds, none of them long."""
    return tappet.Simulation(tappet.Model(pendulum.replace("duration: 2,", "duration: 1e5,")))


def test_other_threads_run_while_one_is_in_a_step():
    simulation, finished = long_run(), threading.Event()

    def work():
        simulation.advance(300.0)
        finished.set()

    thread = threading.Thread(target=work)
    thread.start()
    counted = 0
    while not finished.is_set():
        counted += 1
        time.sleep(1e-4)
    thread.join()
    # With the lock held there would be one round, or none.
    assert counted > 20


def test_two_threads_step_two_simulations(any_model):
    expected = tappet.Simulation(any_model)
    expected.advance_steps(30)
    simulations = [tappet.Simulation(any_model), tappet.Simulation(any_model).clone()]

    def work(simulation):
        for _ in range(30):
            simulation.step()

    threads = [threading.Thread(target=work, args=(simulation,)) for simulation in simulations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(simulation.state == expected.state for simulation in simulations)


def test_one_simulation_is_for_one_thread():
    simulation, begun = long_run(), threading.Event()

    def work():
        begun.set()
        simulation.advance(300.0)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    refused = 0
    while thread.is_alive():
        for use in (simulation.step, lambda: simulation.state, lambda: simulation.q, simulation.contacts, simulation.clone):
            try:
                use()
            except RuntimeError as error:
                assert "in the middle of a step" in str(error)
                refused += 1
    thread.join()
    assert refused > 0 and simulation.time >= 300


def test_ctrl_c_ends_advance_between_steps():
    simulation = long_run()

    def interrupt(*_):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.advance(simulation.duration)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert 0 < simulation.time < simulation.duration
    other = simulation.clone()
    assert other.step().end == simulation.step().end and other.state == simulation.state


def test_the_cost_of_a_step_is_measured():
    """bench/python_steps takes the same steps either way; what they cost is its business."""
    loader = importlib.machinery.SourceFileLoader("python_steps", str(examples.parent / "bench" / "python_steps"))
    bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("python_steps", loader))
    loader.exec_module(bench)
    for text in bench.models.values():
        for loop in (bench.called, bench.iterated):
            python, inside = bench.measure(text, loop, 500, rounds=2)
            assert python > 0 and inside > 0


# ---- laws in Python


def test_laws_in_python():
    @tappet.normal_law(name="stepped-cushion")
    def cushion(depth, rate, *, k):
        return k * depth * (1 + 0.1 * rate)

    model = disc_on_floor({"method": "smooth"})
    model["contacts.rest.normal"] = {"law": "stepped-cushion", "k": 1e5}
    expected = model.run()["disc.y"][-1]
    simulation = tappet.Simulation(model)
    copies = [simulation.clone(), simulation.clone()]
    threads = [threading.Thread(target=each.advance, args=(each.duration,)) for each in copies]
    for thread in threads:
        thread.start()
    for _ in simulation:
        pass
    for thread in threads:
        thread.join()
    for each in (simulation, *copies):
        assert each.q[1] == expected


def test_what_a_law_raises_leaves_the_state_alone():
    trouble = {"now": False}

    @tappet.normal_law(name="moody")
    def moody(depth, *, k):
        if trouble["now"]:
            raise LookupError("not today")
        return k * depth

    model = disc_on_floor({"method": "smooth"})
    model["contacts.rest.normal"] = {"law": "moody", "k": 1e5}
    model["inputs"] = {"push": {"default": 0, "unit": "N"}}
    model["forces"] = {"hand": {"type": "force", "body": "disc", "force": [0, "push"]}}
    simulation = tappet.Simulation(model)
    simulation.advance_steps(20)
    assert simulation.contacts()
    other, before = simulation.clone(), simulation.state
    trouble["now"] = True
    with pytest.raises(LookupError, match="not today"):
        simulation.step()
    assert simulation.state == before
    with pytest.raises(LookupError, match="not today"):
        simulation.inputs["push"] = -1.0
    trouble["now"] = False
    assert simulation.state == before
    simulation.advance_steps(20), other.advance_steps(20)
    assert simulation.state == other.state


def test_a_law_cannot_use_the_simulation_that_calls_it():
    simulations = []

    @tappet.force(name="meddler")
    def meddler(t):
        if simulations:
            simulations[0].step()
        return 0, 0

    model = disc_on_floor({"method": "smooth"})
    model.add("forces.hand", {"type": "meddler", "body": "disc"})
    simulations.append(tappet.Simulation(model))
    with pytest.raises(RuntimeError, match="in the middle of a step"):
        simulations[0].step()


# ---- faults


def test_faults_leave_the_state_as_it_was():
    """Two rods whose end is pulled out further than they reach."""
    model = tappet.Model(
        """\
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 1/12, position: [0.3, 0.4], angle: 0.9272952180016122}
  b: {mass: 1, inertia: 1/12, position: [0.9, 0.4], angle: -0.9272952180016122}
joints:
  first: {type: revolute, bodies: [ground, a], points: [[0, 0], [-0.5, 0]]}
  middle: {type: revolute, bodies: [a, b], points: [[0.5, 0], [-0.5, 0]]}
motions:
  pull: {bodies: [ground, b], points: [[0, 0], [0.5, 0]], distance: 1.2 + t}
simulation: {duration: 2, tolerance: 1e-8}
output: {step: 0.02}
"""
    )
    for settings in ({}, {"method": "event-driven"}, {"method": "moreau", "step": "10 ms"}, {"integrator": "bdf"}):
        each = model.copy()
        for key, value in settings.items():
            each[f"simulation.{key}"] = value
        simulation = tappet.Simulation(each)
        q = simulation.q
        with pytest.raises(tappet.SimulationError) as caught:
            while True:
                before = simulation.state
                simulation.step()
        assert caught.value.time <= simulation.time + 0.02 and str(caught.value)
        assert simulation.state == before and np.array_equal(q, before.q)
        # run() says the same, with what it has computed.
        with pytest.raises(tappet.SimulationError) as caught:
            simulation.run()
        assert caught.value.result is not None


def test_faults_of_the_caller():
    simulation = tappet.Simulation(tappet.Model(pendulum))
    simulation.advance(0.5)
    for wrong in (0.4, -1.0, float("nan")):
        with pytest.raises(ValueError, match="the simulation is at t = 0.5 s and cannot advance to"):
            simulation.advance(wrong)
    assert simulation.advance(0.5).length == 0 and simulation.time == 0.5
    with pytest.raises(ValueError, match="0 steps cannot be taken"):
        simulation.advance_steps(0)
    with pytest.raises(tappet.InputError, match="'mass' is '-1', but must be > 0"):
        tappet.Simulation(tappet.Model(pendulum.replace("mass: 1", "mass: -1")))
    with pytest.raises(TypeError, match="a tappet.Model is wanted"):
        tappet.Simulation("model.yaml")


def test_a_simulation_keeps_its_model():
    model = tappet.Model(pendulum)
    simulation = tappet.Simulation(model)
    model["gravity"] = [0, 0]
    assert simulation.model["gravity"] == (0, -9.81)
    simulation.advance(0.1)
    assert simulation.clone().model.to_dict() == simulation.model.to_dict()
    assert repr(simulation) == "<tappet simulation of 'model' at 0.1 s>"
    assert simulation.value("rod.vy") < 0

"""Studies: the program's own results, functions as metrics, laws in Python, interruption."""

import os
import re
import signal
import threading
import warnings

import numpy as np
import pytest

import tappet
from conftest import examples

file = examples / "slider_crank" / "clearance.yaml"
study = f"""\
study: 1
model: {file}
parameters:
  clearance: {{from: 0.05 mm, to: 0.5 mm, count: 6}}
set: ["joints.wrist.clearance.journal_radius=10 - ${{clearance}} mm", simulation.duration=24 ms]
revolution: crank.angle
metrics:
  peak: max(abs(motor.torque))
  section: {{section: slider.vx, last: 1}}
"""


@pytest.fixture
def swept(program, tmp_path):
    """What the program writes for the study."""
    (tmp_path / "study.yaml").write_text(study)
    program("sweep", tmp_path / "study.yaml", "-q", "-j", 2, "-o", tmp_path / "study.csv")
    return tmp_path


def test_a_study_gives_what_the_program_gives(swept):
    result = tappet.sweep(swept / "study.yaml", threads=2)
    assert result.csv() == (swept / "study.csv").read_text()
    assert result.csv("section") == (swept / "study_section.csv").read_text()
    table = np.genfromtxt(swept / "study.csv", delimiter=",", skip_header=1, usecols=(1, 2))
    assert (result["clearance"] == table[:, 0]).all() and (result["peak"] == table[:, 1]).all()
    assert result.units["clearance"] == "mm" and result.units["peak"] == "N m"
    assert len(result["section"]) == 6 and result.failed == 0


def test_the_same_from_python(swept):
    result = tappet.load(file).sweep(
        {"clearance": {"from": "0.05 mm", "to": "0.5 mm", "count": 6}},
        {"peak": "max(abs(motor.torque))", "section": {"section": "slider.vx", "last": 1}},
        set={"joints.wrist.clearance.journal_radius": "10 - ${clearance} mm", "simulation.duration": "24 ms"},
        revolution="crank.angle",
        threads=2,
    )
    assert result.csv() == (swept / "study.csv").read_text()
    assert (result["section"]["value"] == tappet.sweep(swept / "study.yaml")["section"]["value"]).all()


def test_functions_as_metrics(model, swept):
    expected = tappet.sweep(swept / "study.yaml")
    result = model.sweep(
        {"clearance": {"from": "0.05 mm", "to": "0.5 mm", "count": 6}},
        {"peak": lambda result: np.abs(result["motor.torque"]).max(), "impacts": lambda result: len(result.impacts)},
        set=["joints.wrist.clearance.journal_radius=10 - ${clearance} mm"],
        threads=2,
    )
    # A function sees the samples; the expression also what lies between them.
    assert (result["peak"] <= expected["peak"]).all() and (result["peak"] > 0.9 * expected["peak"]).all()
    run = model.run(set={"joints.wrist.clearance.journal_radius": "10 - 0.05 mm"})
    assert result["peak"][0] == np.abs(run["motor.torque"]).max()
    assert result["impacts"].min() > 5
    assert result.csv().splitlines()[0] == "run,clearance [mm],peak,impacts,status,reason"


def test_paths_and_lists_are_parameters(model):
    result = model.sweep({"bodies.crank.mass": [0.3, "600 g"], "motions.motor.speed": ["5000 rpm"]},
                         {"energy": "first(energy.kinetic)"})
    assert result.parameters == ["bodies_crank_mass", "motions_motor_speed"]
    assert result["energy"][1] > result["energy"][0]
    assert result["bodies_crank_mass"].tolist() == ["0.3", "600 g"]


def test_a_run_that_fails_is_a_row(model):
    for metrics in ({"n": "count(impacts)"}, {"n": lambda result: len(result.impacts)}):
        result = model.sweep({"bodies.rod.mass": [0.21, -1, 0.22]}, metrics)
        assert result.failed == 1 and "'mass' is '-1', but must be > 0" in result.reasons[1]
        assert np.isnan(result["n"][1]) and result["n"][0] > 10


def test_a_law_in_python_in_all_threads(model):
    @tappet.normal_law
    def swept_spring(depth, rate, *, k, a=0.2):
        return k * depth**1.5 * (1 + a * rate)

    model["simulation.duration"] = "6 ms"
    metrics = {"peak": "max(wrist.normal)", "steps": "run.steps"}
    model["joints.wrist.clearance.normal"] = {"law": "swept-spring", "k": 6e10}
    ours = model.sweep({"joints.wrist.clearance.normal.k": [6e10, 7e10, 8e10]}, metrics, threads=2)
    model["joints.wrist.clearance.normal"] = {"law": "expression", "force": "k*depth^1.5*(1 + 0.2*rate)", "parameters": {"k": 6e10}}
    theirs = model.sweep({"joints.wrist.clearance.normal.parameters.k": [6e10, 7e10, 8e10]}, metrics, threads=2)
    assert (ours["peak"] == theirs["peak"]).all() and (ours["steps"] == theirs["steps"]).all()


def test_faults_are_sentences(model, tmp_path):
    with pytest.raises(tappet.InputError, match="metric 'peak' is 'max\\(motor.torqe\\)'") as caught:
        model.sweep({"bodies.crank.mass": [1]}, {"peak": "max(motor.torqe)"})
    assert caught.value.file == __file__
    with pytest.raises(tappet.InputError, match="missing.yaml"):
        tappet.sweep(tmp_path / "missing.yaml")
    with pytest.raises(TypeError, match="either all expressions or all functions"):
        model.sweep({"bodies.crank.mass": [1]}, {"a": "run.steps", "b": len})
    with pytest.raises(KeyError, match="there are bodies_crank_mass, n"):
        model.sweep({"bodies.crank.mass": [1]}, {"n": "run.steps"})["m"]


@pytest.mark.parametrize("metric", ["run.steps", lambda result: result.summary["steps"]])
def test_ctrl_c_ends_a_study(model, tmp_path, metric):
    under_way = threading.Event()
    other = threading.Thread(target=lambda: under_way.wait() and os.kill(os.getpid(), signal.SIGINT))
    other.start()
    journal = tmp_path / "journal" if isinstance(metric, str) else None
    arguments = ({"bodies.crank.mass": np.linspace(0.3, 0.4, 20000)}, {"steps": metric})
    with pytest.raises(KeyboardInterrupt):
        model.sweep(*arguments, journal=journal, threads=2, progress=lambda done, runs, failed: done > 2 and under_way.set())
    other.join()
    # The journal has what was done; the file is the program's own kind.
    assert journal is None or journal.stat().st_size > 100
    assert threading.active_count() == 1


def test_verification_is_the_program_s(program, tmp_path):
    model = tappet.load(examples / "slider_crank" / "ideal.yaml")
    model["simulation.duration"] = "12 ms"
    found = model.verify()
    model.save(tmp_path / "model.yaml")
    printed = program("verify", tmp_path / "model.yaml")

    def without_times(text):
        return [re.sub(r"[\d.e-]+ s$", "", line) for line in text.splitlines()]

    assert without_times(str(found)) == without_times(printed)
    assert found.verdict.split(".")[0] in printed and found.data["figures"]
    assert found.verdict in repr(found) and "<pre>" in found._repr_html_()
    model["bodies.crank.mass"] = -1
    with pytest.raises(tappet.InputError) as caught:
        model.verify()
    assert caught.value.field == "bodies.crank.mass"


short = """\
tappet: 1
dimension: planar
gravity: [0, 0]
ground: {shapes: {floor: {plane: {normal: [0, 1], point: [0, 0]}}}}
bodies: {ball: {mass: 1, inertia: 0.004, position: [0, 0.166], velocity: [0, -2], shapes: {s: {circle: {radius: 0.1}}}}}
contacts: {hit: {between: [ground.floor, ball.s], normal: {law: hertz, stiffness: 1e9}}}
simulation: {duration: 0.19 s, tolerance: 1e-9}
output: {step: 20 ms}
"""


def test_functions_see_peaks_where_they_look_and_are_told_where_they_do_not(tmp_path):
    """½ m v² = 2/5 K δ^2.5 of an elastic ball, whose impact lasts a twentieth of the output step."""
    model = tappet.Model(short)
    peak = 1e9 * (1.25 * 2**2 / 1e9) ** 0.6
    masses = {"bodies.ball.mass": [1.0]}
    with pytest.warns(UserWarning, match="in 1 of 1 runs impacts are so short that samples alone do not show them"):
        assert model.sweep(masses, {"seen": lambda result: result["hit.normal"].max()})["seen"][0] < 0.5 * peak
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.sweep(masses, {"seen": lambda result: result.with_peaks["hit.normal"].max()})["seen"][0]
    assert found == pytest.approx(peak, rel=1e-7)
    assert model.sweep(masses, {"seen": "max(hit.normal)"})["seen"][0] == found

    result = model.run()
    assert result.with_peaks["hit.normal"].max() == result.impacts["peak_force"].max()
    assert (np.diff(result.with_peaks.time) >= 0).all() and set(result.time) <= set(result.with_peaks.time)
    # What is kept in memory is kept in the file, and so in the report.
    result.save(tmp_path / "saved.h5")
    saved = tappet.open(tmp_path / "saved.h5")
    assert (saved.with_peaks.data == result.with_peaks.data).all()
    model.run(tmp_path / "run.h5")
    assert (tappet.open(tmp_path / "run.h5").with_peaks.data == result.with_peaks.data).all()

"""Models: loading, reading and changing by name, faults with their places."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import tappet
from conftest import examples

bouncing = """\
tappet: 1
dimension: planar
gravity: [0, -10]
bodies:
  stone: {mass: 2 kg, inertia: 0.1 kg m^2, position: [0, 5]}
simulation: {duration: 0.5 s, tolerance: 1e-10}
output: {step: 10 ms}
"""


def test_values_are_read_as_written(model):
    assert model["bodies.crank.mass"] == "0.30 kg"
    assert model["materials.steel.poisson"] == 0.3
    assert model["gravity"] == (0, 0)
    assert model["joints.pin.points.1.0"] == "-60 mm"
    assert model["joints"]["wrist"]["clearance.normal"]["law"] == "lankarani-nikravesh"
    assert list(model["bodies"]) == ["crank", "rod", "slider"]
    assert "joints.wrist.clearance" in model and "joints.pin.clearance" not in model
    assert model["bodies"].to_dict()["rod"]["position"] == ("110 mm", 0)


def test_changes_reach_the_run():
    model = tappet.Model(bouncing)
    model["gravity"] = np.array([0.0, -4.0])
    model["bodies"]["stone"]["position"] = [0, "300 cm"]
    model["simulation.duration"] = 1
    result = model.run()
    # y = 3 − 2 t²
    assert result["stone.y"][-1] == pytest.approx(1, abs=1e-9)
    assert result.time[-1] == 1


def test_numbers_keep_all_their_digits():
    model = tappet.Model(bouncing)
    model["bodies.stone.position"] = (np.float64(0.1) / 3, np.nextafter(5, 6))
    result = model.run()
    assert result["stone.x"][0] == 0.1 / 3
    assert result["stone.y"][0] == np.nextafter(5, 6)


def test_a_key_taken_away_makes_the_joint_ideal_again(model):
    del model["joints.wrist.clearance"]
    assert len(model.run().impacts) == 0
    with pytest.raises(KeyError, match="the model has no 'joints.wrist.clearance'"):
        del model["joints.wrist.clearance"]


def test_a_copy_is_its_own(model):
    other = copy.deepcopy(model)
    other["bodies.crank.mass"] = 7
    assert model["bodies.crank.mass"] == "0.30 kg"


def test_a_model_from_dictionaries():
    model = tappet.Model(
        {
            "tappet": 1,
            "gravity": [0, "-981 cm/s^2"],
            "bodies": {"stone": {"mass": 1, "inertia": 1, "velocity": (3, 4)}},
            "simulation": {"duration": "1 s"},
            "output": {"step": 0.1},
        }
    )
    assert model.run()["stone.vy"][-1] == pytest.approx(4 - 9.81)


def test_a_saved_model_is_the_same(model, tmp_path):
    model["bodies.crank.mass"] = "2 kg"
    model.save(tmp_path / "changed.yaml")
    again = tappet.load(tmp_path / "changed.yaml")
    assert again.to_dict() == model.to_dict()


def test_numbers_lists_every_knob(model):
    numbers = model.numbers()
    assert numbers["joints.wrist.clearance.journal_radius"] == (9.5, "mm")
    assert numbers["materials.steel.poisson"] == (0.3, "")


# ---- faults


def test_a_fault_in_a_file_has_file_line_and_field(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text(bouncing.replace("2 kg", "-2 kg"))
    with pytest.raises(tappet.InputError, match="'mass' is '-2 kg', but must be > 0") as caught:
        tappet.load(file).run()
    fault = caught.value
    assert (fault.file, fault.line, fault.column, fault.field) == (str(file), 5, 17, "bodies.stone.mass")
    assert str(fault).startswith(f"{file}:5:17: error: ")


def test_a_fault_in_a_program_has_its_line_and_field():
    model = tappet.Model(bouncing)
    line = inspect.currentframe().f_lineno + 1
    model["bodies.stone.mass"] = "-1 kg"
    with pytest.raises(tappet.InputError) as caught:
        model.check()
    fault = caught.value
    assert (fault.file, fault.line, fault.field) == (__file__, line, "bodies.stone.mass")
    assert "'-1 kg'" in fault.message and "> 0" in fault.message


def test_the_line_is_the_user_s_also_through_python_s_own_modules():
    model = tappet.Model(bouncing)
    line = inspect.currentframe().f_lineno + 1
    model["bodies.stone"].update({"mass": "-1 kg"})
    with pytest.raises(tappet.InputError) as caught:
        model.check()
    assert (caught.value.file, caught.value.line) == (__file__, line)


def test_faults_of_one_line_are_told_apart(model):
    for name in model["bodies"]:
        model[f"bodies.{name}.mass"] = "3 s"
    with pytest.raises(tappet.InputError) as caught:
        model.check()
    fields = [fault.field for fault in caught.value.diagnostics]
    assert fields == ["bodies.crank.mass", "bodies.rod.mass", "bodies.slider.mass"]


def test_the_field_of_an_unknown_key_in_a_block(tmp_path):
    text = bouncing.replace("{mass: 2 kg, inertia", "\n    mas: 2 kg\n    inertia").replace(", position: [0, 5]}", "")
    with pytest.raises(tappet.InputError) as caught:
        tappet.Model(text, "block").check()
    faults = {fault.field: fault.message for fault in caught.value.diagnostics}
    assert "did you mean 'mass'?" in faults["bodies.stone.mas"]


def test_what_is_not_yaml_and_what_is_not_there(tmp_path):
    with pytest.raises(tappet.InputError) as caught:
        tappet.Model("tappet: 1\nbodies: [", "broken")
    assert caught.value.file == "broken" and caught.value.line >= 2
    with pytest.raises(tappet.InputError, match="nowhere.yaml"):
        tappet.load(tmp_path / "nowhere.yaml")


def test_unknown_names_are_answered(model):
    with pytest.raises(KeyError) as caught:
        model["bodies.crnk.mass"]
    assert str(caught.value) == "the model has no 'bodies.crnk.mass': 'bodies' has no 'crnk'; did you mean 'crank'?"
    with pytest.raises(tappet.InputError, match="'bodies.crank.mass' is a single value and has no 'unit'"):
        model["bodies.crank.mass.unit"] = "g"
    with pytest.raises(TypeError, match="cannot be a value of a model"):
        model["bodies.crank.mass"] = object()
    itself = []
    itself.append(itself)
    with pytest.raises(ValueError, match="nested too deeply"):
        model["bodies.crank.mass"] = itself


def test_setting_changes_what_is_there_and_adding_adds(model):
    for path, meant in (("bodies.crnk.mass", "crank"), ("bodies.crnk", "crank"), ("joints.wrst.clearance.length", "wrist")):
        with pytest.raises(tappet.InputError, match=f"did you mean '{meant}'"):
            model[path] = "2 kg"
    with pytest.raises(tappet.InputError, match="the model has no 'bodies.crnk'"):
        model.run(set={"bodies.crnk.mass": 2})
    model["joints.wrist.clearance.friction.coefficient"] = 0.1
    model.add("forces.push", {"type": "expression", "body": "rod", "fx": 1})
    model["forces.push.fx"] = 2
    assert model["forces.push.fx"] == 2
    with pytest.raises(tappet.InputError, match="is in the model already"):
        model.add("bodies.crank", {})


def test_models_go_to_other_processes(model):
    model["bodies.crank.mass"] = "2 kg"
    again = pickle.loads(pickle.dumps(model))
    assert again.to_dict() == model.to_dict() and again.file == model.file


def test_warnings_are_returned():
    model = tappet.load(examples / "slider_crank" / "clearance.yaml")
    assert model.check() == []


def test_texts_that_are_no_text_are_refused():
    half = "\ud800"
    model = {"tappet": 1, "bodies": {"a": {"mass": 1}}, "simulation": {"duration": 1}}
    for attempt in (
        lambda: tappet.load(f"{half}.yaml"),
        lambda: tappet.open(f"{half}.h5"),
        lambda: tappet.Model(f"title: {half}"),
        lambda: tappet.Model({**model, "title": half}),
        lambda: tappet.Model({**model, half: 1}),
        lambda: tappet.Model(model).run(output=f"{half}.h5"),
        lambda: tappet.Model(model)[f"bodies.{half}"],
    ):
        with pytest.raises(ValueError, match="half of a surrogate pair, which is no letter"):
            attempt()

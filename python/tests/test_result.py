"""Results: arrays without copies, impact table, files, interruption."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import tappet


def address(array):
    return array.__array_interface__["data"][0]


def same_rows(a, b):
    return a.dtype.names == b.dtype.names and all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.dtype.names)


def test_arrays_look_into_the_memory_of_the_run(model):
    result = model.run()
    data = result.data
    assert data.shape == (2401, len(result.signals))
    # The memory is the record's: asked twice, it is in the same place, and nobody's copy.
    assert address(result._source.values) == address(data)
    assert not data.flags.owndata and data.base is result._source
    for name in ("time", "slider.vx", "motor.torque"):
        assert np.shares_memory(result[name], data)
        assert address(result[name]) == address(data) + 8 * result.signals.index(name)
    assert not result.impacts.flags.owndata and address(result.impacts) == address(result._source.impacts)
    with pytest.raises(ValueError):
        result["slider.vx"][0] = 0


def test_arrays_outlive_the_result(model):
    speed = model.run()["slider.vx"]
    model.last_result = None
    assert np.isfinite(speed).all() and len(speed) == 2401


def test_results_are_those_of_the_program(model, program, tmp_path):
    model.save(tmp_path / "model.yaml")
    program("run", tmp_path / "model.yaml", "-q", "-o", tmp_path / "program.h5")
    expected = tappet.open(tmp_path / "program.h5")
    result = model.run()
    assert result.signals == expected.signals and result.units == expected.units
    assert (result.data == expected.data).all()
    assert same_rows(result.impacts, expected.impacts)


def test_the_impact_table(model, program, tmp_path):
    result = model.run(tmp_path / "result.h5")
    printed = program("export", tmp_path / "result.h5", "--impacts").splitlines()
    assert list(result.impacts.dtype.names) == [name.split(" [")[0] for name in printed[0].split(",")]
    assert result.contacts == ["wrist"]
    assert len(result.impacts) == len(printed) - 1 == result.summary["impacts"] > 10
    for row, line in zip(result.impacts, printed[1:]):
        contact, *numbers = line.split(",")
        assert result.contacts[row["contact"]] == contact
        # What a hit that has not ended does not have yet is left empty.
        assert np.array_equal(list(row)[1:], [float(number or "nan") for number in numbers], equal_nan=True)
    assert same_rows(result.impacts_of("wrist"), result.impacts)
    with pytest.raises(KeyError, match="contacts: wrist"):
        result.impacts_of("wirst")


def test_files_hold_what_memory_holds(model, tmp_path):
    model["events"] = {"top": {"signal": "crank.angle", "level": "90 deg"}}
    result = model.run(tmp_path / "run.h5")
    result.save(tmp_path / "saved.h5")
    for name in ("run.h5", "saved.h5"):
        file = tappet.open(tmp_path / name)
        # One column is read without the others.
        assert (file["slider.vx"] == result["slider.vx"]).all() and file._data is None
        assert not file["slider.vx"].flags.owndata and file["slider.vx"] is file["slider.vx"]
        assert (file.data == result.data).all()
        assert same_rows(file.impacts, result.impacts) and (file.events == result.events).all()
        assert len(file.events) == 1 and file.event_names == ["top"]
        assert file.completed and file.summary["steps"] == result.summary["steps"]
        assert file.model.to_dict() == model.to_dict()


def test_summary_and_warnings(model, tmp_path):
    result = model.run()
    assert result.completed and result.status == "completed" and result.stop_reason == ""
    assert result.summary["energy_residual"] < 1e-8
    assert any("Love's limit" in warning for warning in result.warnings)
    assert any("lankarani-nikravesh: K = " in note for note in result.notes)
    assert "Completed: 0.024 s simulated" in str(result)
    assert json.dumps(result.summary)


def test_settings_of_one_run(model):
    before = model.to_dict()
    result = model.run(set={"joints.wrist.clearance.journal_radius": "9.9 mm", "output.signals": ["slider.*"]})
    assert result.signals[0] == "time" and all(name.startswith("slider.") for name in result.signals[1:])
    assert result.model["joints.wrist.clearance.journal_radius"] == "9.9 mm"
    assert model.to_dict() == before
    with pytest.raises(tappet.InputError) as caught:
        model.run(set={"bodies.crank.mass": "0 kg"})
    assert caught.value.file == __file__ and caught.value.field == "bodies.crank.mass"


def test_unknown_signals_are_answered(model):
    result = model.run()
    with pytest.raises(KeyError) as caught:
        result["slider.vxx"]
    assert str(caught.value) == "the result has no signal 'slider.vxx'; did you mean 'slider.vx'?"
    assert result.select("slider.v?", "time") == ["slider.vx", "slider.vy", "time"]
    with pytest.raises(KeyError):
        result.select("nobody.*")


def test_files_that_are_no_results(tmp_path):
    (tmp_path / "text.h5").write_text("no")
    with pytest.raises(tappet.InputError, match="is not a Tappet result") as caught:
        tappet.open(tmp_path / "text.h5")
    assert caught.value.file == str(tmp_path / "text.h5")
    with pytest.raises(tappet.InputError, match="there is no such file"):
        tappet.open(tmp_path / "nothing.h5")


# ---- runs that end early

long = {"simulation.duration": "600 s", "output.step": "1 ms"}


def test_ctrl_c_ends_the_run_and_keeps_what_was_computed(model, tmp_path):
    # The signal comes from another thread, once the run is under way.
    under_way = threading.Event()
    other = threading.Thread(target=lambda: under_way.wait() and os.kill(os.getpid(), signal.SIGINT))
    other.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        model.run(tmp_path / "cut.h5", set=long, progress=lambda t, _: t > 0.01 and under_way.set())
    other.join()
    assert isinstance(caught.value, tappet.Interrupted)
    result = caught.value.result
    assert result is model.last_result and not result.completed
    assert result.stop_reason == "interrupted (Ctrl-C)"
    assert 0.01 <= result.time[-1] < 600 and len(result.time) == 1 + round(result.time[-1] / 1e-3)
    # The file has the same, and can be taken up by the program.
    file = tappet.open(tmp_path / "cut.h5")
    assert file.status == "stopped" and (file.data == result.data).all()
    # The next run is not disturbed.
    assert model.run().completed


def test_the_program_takes_up_an_interrupted_run(model, program, tmp_path):
    model["simulation.duration"] = "0.4 s"

    def interrupt(t, t_end):
        if t > 0.05:
            raise KeyboardInterrupt

    with pytest.raises(tappet.Interrupted):
        model.run(tmp_path / "cut.h5", progress=interrupt)
    model.save(tmp_path / "model.yaml")
    program("run", tmp_path / "model.yaml", "-o", tmp_path / "cut.h5", "--resume", "-q")
    resumed, whole = tappet.open(tmp_path / "cut.h5"), model.run()
    assert resumed.completed and (resumed.data == whole.data).all()


def test_ctrl_c_in_a_script_ends_the_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, tappet\n"
        "model = tappet.load(sys.argv[1])\n"
        "def progress(t, t_end):\n"
        "    print(t < t_end, flush=True)\n"
        "model.run(set={'simulation.duration': '600 s', 'output.step': '1 ms'}, progress=progress)\n"
        "print('not reached')\n"
    )
    from conftest import examples

    model = examples / "slider_crank" / "clearance.yaml"
    child = subprocess.Popen([sys.executable, script, model], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "True\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode != 0 and "not reached" not in out
    assert "Interrupted" in err


def test_progress_is_told_and_may_end_the_run(model):
    seen = []

    def progress(t, t_end):
        seen.append((t, t_end))
        if len(seen) == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        model.run(set=long, progress=progress)
    assert len(seen) == 3 and seen[0][0] < seen[1][0] < seen[2][0] < 600 == seen[0][1]
    assert model.last_result.time[-1] <= seen[2][0]
    assert "LookupError: enough" in model.last_result.stop_reason


def test_a_run_that_cannot_go_on():
    # A force that grows beyond all bounds before the end.
    model = tappet.Model(
        "tappet: 1\nbodies: {stone: {mass: 1 kg}}\n"
        "forces: {pull: {type: expression, body: stone, fx: 1/(1 - t)^3}}\n"
        "simulation: {duration: 2 s}\noutput: {step: 10 ms}\n"
    )
    with pytest.raises(tappet.SimulationError, match="stopped at t = 0.99") as caught:
        model.run()
    result = caught.value.result
    assert caught.value.time == pytest.approx(1, abs=1e-2) and 0.9 < result.time[-1] < 1
    assert model.run(check=False).stop_reason == result.stop_reason


def test_runs_in_threads_are_the_same(model, tmp_path):
    # Runs let go of Python's lock; each gets its own result, and its own file.
    results = {}

    def work(name, radius):
        results[name] = model.copy().run(tmp_path / name, set={"joints.wrist.clearance.journal_radius": radius})

    radii = {f"{k}.h5": f"{9.5 + 0.1 * k} mm" for k in range(3)}
    threads = [threading.Thread(target=work, args=item) for item in radii.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, radius in radii.items():
        alone = model.run(set={"joints.wrist.clearance.journal_radius": radius})
        assert (results[name].data == alone.data).all()
        assert (tappet.open(tmp_path / name).data == alone.data).all()


def test_files_for_numpy_and_matlab(model, tmp_path):
    result = model.run()
    result.to_npz(tmp_path / "all.npz")
    with np.load(tmp_path / "all.npz") as arrays:
        assert (arrays["slider.vx"] == result["slider.vx"]).all() and (arrays["time"] == result.time).all()
        assert (arrays["impacts/start"] == result.impacts["start"]).all()
    result.to_npz(tmp_path / "few.npz", "slider.v*")
    with np.load(tmp_path / "few.npz") as arrays:
        assert "slider.vx" in arrays and "slider.x" not in arrays
    result.to_mat(tmp_path / "all.mat")
    assert (tmp_path / "all.mat").read_bytes().startswith(b"MATLAB 5.0 MAT-file, written by Tappet")
    scipy = pytest.importorskip("scipy.io")
    read = scipy.loadmat(tmp_path / "all.mat", squeeze_me=True, struct_as_record=False)
    assert (read["slider"].vx == result["slider.vx"]).all() and (read["time"] == result.time).all()
    assert (read["impacts"].start == result.impacts["start"]).all()
    assert read["units"].slider.vx == "m/s"


def test_nobodys_file_is_lost(model, tmp_path):
    result = model.run(tmp_path / "r.h5")
    in_memory = model.run()
    for write, name in (
        (result.save, "a.h5"),
        (in_memory.save, "b.h5"),
        (result.to_npz, "a.npz"),
        (result.to_mat, "a.mat"),
        (result.report, "a.html"),
    ):
        place = tmp_path / name
        if name == "a.html":
            try:
                write(place)
            except tappet.InputError as fault:
                assert "viewer" in str(fault)
                continue
        write(place)
        write(place)  # one's own is replaced
        place.write_text("Dear diary, today I wrote a line\n")
        with pytest.raises(tappet.InputError, match="not"):
            write(place)
        assert place.read_text() == "Dear diary, today I wrote a line\n"
        place.unlink()
        write(place)
    # Another's arrays are not ours.
    np.savez(tmp_path / "measured.npz", time=np.zeros(3), force=np.ones(3))
    before = (tmp_path / "measured.npz").read_bytes()
    with pytest.raises(tappet.InputError, match="not a file of matrices that Tappet wrote"):
        result.to_npz(tmp_path / "measured.npz")
    assert (tmp_path / "measured.npz").read_bytes() == before
    # A result that is read from a file is copied, and to no foreign one.
    opened = tappet.open(tmp_path / "b.h5")
    opened.save(tmp_path / "c.h5")
    opened.save(tmp_path / "c.h5")
    assert (tappet.open(tmp_path / "c.h5")["slider.vx"] == in_memory["slider.vx"]).all()
    (tmp_path / "d.h5").write_text("Dear diary\n")
    for name, why in (("b.h5", "is what is read"), ("d.h5", "is not a result that Tappet wrote")):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(tappet.InputError, match=why):
            opened.save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before


def test_a_model_that_cannot_be_saved_stays(model, tmp_path):
    place = tmp_path / "m.yaml"
    model.save(place)
    before = place.read_text()
    assert tappet.load(place).yaml() == model.yaml()
    place.chmod(0o640)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
    try:
        with pytest.raises(OSError):
            model.save(place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert place.read_text() == before
    assert [file.name for file in tmp_path.iterdir()] == ["m.yaml"]
    model.save(place)
    assert place.stat().st_mode & 0o777 == 0o640
    # A link that the user made is followed.
    (tmp_path / "link.yaml").symlink_to("m.yaml")
    model.save(tmp_path / "link.yaml")
    assert (tmp_path / "link.yaml").is_symlink() and place.read_text() == before


def test_the_program_writes_the_same_arrays(model, program, tmp_path):
    result = model.run(tmp_path / "r.h5")
    program("export", tmp_path / "r.h5", "-o", tmp_path / "r.npz")
    with np.load(tmp_path / "r.npz") as arrays:
        for name in result:
            assert (arrays[name] == result[name]).all()
        for name in result.impacts.dtype.names:
            assert np.array_equal(arrays[f"impacts/{name}"], result.impacts[name], equal_nan=True)


def test_pandas(model):
    pandas = pytest.importorskip("pandas")
    result = model.run()
    frame = result.to_pandas("slider.*")
    assert frame.index.name == "time" and list(frame.columns) == result.select("slider.*")
    assert (frame["slider.vx"].to_numpy() == result["slider.vx"]).all()
    assert frame.attrs["units"]["slider.vx"] == "m/s"
    assert len(result.to_pandas().columns) == len(result) - 1
    impacts = result.impacts_to_pandas()
    assert isinstance(impacts, pandas.DataFrame) and set(impacts["contact"]) == {"wrist"} and len(impacts) == len(result.impacts)


def test_without_pandas_it_says_what_to_install(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="python3-pandas"):
        model.run().to_pandas()

"""Figures, notebooks' pages, reports."""

import sys

import pytest

import tappet


def test_plots_have_a_panel_for_each_unit(model):
    pytest.importorskip("matplotlib")
    result = model.run()
    figure = result.plot("slider.v*", "motor.torque")
    assert [axes.get_ylabel() for axes in figure.axes] == ["[m/s]", "motor.torque [N m]"]
    assert figure.axes[-1].get_xlabel() == "time [s]" and figure._suptitle.get_text() == result.title
    lines = figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["slider.vx", "slider.vy"]
    drawn = result.with_peaks
    assert (lines[0].get_ydata() == drawn["slider.vx"]).all() and (lines[0].get_xdata() == drawn.time).all()
    orbit = result.plot("wrist.ey", x="wrist.ex")
    assert orbit.axes[0].get_xlabel() == "wrist.ex [m]"


def test_plots_go_into_the_user_s_figure(model, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure = pyplot.figure()
    result = model.run()
    assert result.plot("slider.x", figure=figure) is figure
    assert len(figure.axes) == 1 and (figure.axes[0].lines[0].get_ydata() == result.with_peaks["slider.x"]).all()
    with pyplot.rc_context({"svg.fonttype": "none"}):  # letters as text, not as outlines
        figure.savefig(tmp_path / "figure.svg")
    assert "slider.x [m]" in (tmp_path / "figure.svg").read_text()
    pyplot.close("all")


def test_without_matplotlib_there_is_a_sentence(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="draws with matplotlib, which is not installed: install python3-matplotlib"):
        model.run().plot("slider.x")


def test_what_cannot_be_plotted(model):
    pytest.importorskip("matplotlib")
    result = model.run()
    with pytest.raises(TypeError, match="which signals"):
        result.plot()
    with pytest.raises(KeyError, match="did you mean 'slider.vx'"):
        result.plot("slider.vxx")


def test_notebooks_show_tables(model):
    result = model.run()
    page = result._repr_html_()
    assert "<b>Slider-crank with a dry revolute clearance joint</b>" in page
    for text in ("completed", "2401 of", "energy residual", "Love&#x27;s limit", "motor.torque"):
        assert text in page
    assert "journal_radius: 9.5 mm" in model._repr_html_()
    assert model["bodies"]._repr_html_().startswith("<pre>crank:")
    swept = model.sweep({"bodies.crank.mass": [1, 2]}, {"steps": "run.steps"})
    assert "<th" in swept._repr_html_() and "bodies_crank_mass" in swept._repr_html_()


def test_names_stay_text(model):
    model["title"] = "<script>alert(1)</script>"
    for page in (model._repr_html_(), model.run()._repr_html_()):
        assert "<script>" not in page and "&lt;script&gt;" in page


def test_short_forms(model):
    result = model.run()
    assert repr(result) == "<tappet result: 'Slider-crank with a dry revolute clearance joint', 2401 samples of 62 signals>"
    assert repr(model).endswith("clearance.yaml': Slider-crank with a dry revolute clearance joint>")
    assert repr(model["bodies"]) == "<tappet section 'bodies': crank, rod, slider>"


def test_a_report_of_a_result_in_memory(model, tmp_path):
    try:
        page = model.run().report(tmp_path / "page.html")
    except tappet.InputError as fault:
        pytest.skip(str(fault))  # built without the page
    text = open(page, encoding="utf-8").read()
    assert len(text) > 100_000 and "Slider-crank with a dry revolute clearance joint" in text


def test_progress_on_request(model, capsys):
    model.run(progress=True, set={"simulation.duration": "0.3 s"})
    assert "% " in capsys.readouterr().err
    model.run(set={"simulation.duration": "0.3 s"})
    assert capsys.readouterr().err == ""

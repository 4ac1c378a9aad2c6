"""Figures, notebooks' pages, reports."""

import html
import sys
import types

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


def test_an_animation_is_a_page_in_a_frame(model):
    try:
        animation = model.run().animation(height=500)
    except tappet.InputError as fault:
        pytest.skip(str(fault))  # built without the page
    shown = animation._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.endswith("></iframe>") and "height:500px" in shown
    # Nothing of the page ends the attribute, and it is the whole page.
    page = shown[len('<iframe srcdoc="') : shown.index('" sandbox=')]
    assert '"' not in page and "<" not in page and html.unescape(page) == animation.page
    assert "Slider-crank with a dry revolute clearance joint" in animation.page
    assert len(repr(animation)) < 120


class Widgets:
    """What sliders() uses of ipywidgets and IPython, without a notebook."""

    class FloatSlider:
        def __init__(self, **options):
            self.__dict__.update(options)
            self.options, self.watchers = options, []

        def observe(self, function, names):
            assert names == "value"
            self.watchers.append(function)

        def move(self, value):
            self.value = value
            for watcher in self.watchers:
                watcher({"new": value})

    class Output:
        def clear_output(self, wait):
            assert wait

        def __enter__(self):
            return self

        def __exit__(self, *fault):
            return False

    class VBox:
        def __init__(self, children):
            self.children = children


@pytest.fixture
def drawn(monkeypatch):
    """Figures that were displayed, by means of widgets that are none."""
    pytest.importorskip("matplotlib")
    figures = []
    display = types.ModuleType("IPython.display")
    display.display = figures.append
    monkeypatch.setitem(sys.modules, "ipywidgets", Widgets)
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return figures


def test_a_slider_runs_the_model_anew(model, drawn, capsys):
    path = "joints.wrist.clearance.journal_radius"
    box = model.sliders(path, "motions.motor.speed", plot=["wrist.ex"], ranges={path: (9, 9.9)})
    radius, speed = box.children[:2]
    assert radius.description == f"{path} [mm]" and (radius.min, radius.value, radius.max) == (9, 9.5, 9.9)
    assert speed.description.endswith("[rpm]") and (speed.min, speed.max) == (2500, 7500)

    def reach(figure):
        return abs(figure.axes[0].lines[0].get_ydata()).max()

    assert len(drawn) == 1 and 0.5e-3 < reach(drawn[0]) < 0.6e-3
    radius.move(9.0)
    # A play of 1 mm, and the run is the one that the setting gives.
    expected = abs(model.run(set={path: "9 mm"}).with_peaks["wrist.ex"]).max()
    assert len(drawn) == 2 and reach(drawn[1]) == expected > 0.9e-3
    assert model[path] == "9.5 mm"
    # What cannot be run is a sentence in the cell.
    radius.move(10.5)
    assert len(drawn) == 2 and "journal_radius" in capsys.readouterr().out


def test_sliders_that_cannot_be(model, drawn, monkeypatch):
    with pytest.raises(KeyError, match="no number 'bodies.crank.mas'"):
        model.sliders("bodies.crank.mas", plot=["slider.vx"])
    with pytest.raises(TypeError, match="which signals"):
        model.sliders("bodies.crank.mass", plot=[])
    with pytest.raises(TypeError, match="which numbers"):
        model.sliders(plot=["slider.vx"])
    with pytest.raises(KeyError, match="for which there is no slider"):
        model.sliders("bodies.crank.mass", plot=["slider.vx"], ranges={"bodies.rod.mass": (1, 2)})
    with pytest.raises(ValueError, match="the first must be less"):
        model.sliders("bodies.crank.mass", plot=["slider.vx"], ranges={"bodies.crank.mass": (2, 1)})
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(ImportError, match="needs ipywidgets, which is not installed"):
        model.sliders("bodies.crank.mass", plot=["slider.vx"])


def test_progress_on_request(model, capsys):
    model.run(progress=True, set={"simulation.duration": "0.3 s"})
    assert "% " in capsys.readouterr().err
    model.run(set={"simulation.duration": "0.3 s"})
    assert capsys.readouterr().err == ""

"""For notebooks: the moving mechanism in a cell, and sliders for numbers of a model."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._model import Model
    from ._result import Result


class Animation:
    """The page with animation, plots and impact table, which a notebook shows below a cell."""

    def __init__(self, page: str, height: int):
        #: The page, one HTML file that needs nothing else.
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        # In a frame of its own: neither scripts nor styles of the page and of the notebook meet.
        return (
            f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads" title="Tappet" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<tappet animation, {len(self.page) / 1e6:.1f} MB: a notebook shows it; result.report(FILE) writes it>"


def animate(result: Result, height: int) -> Animation:
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        result.report(page)
        with open(page, encoding="utf-8") as file:
            return Animation(file.read(), height)


def _interval(path: str, value: float, given: Any) -> tuple[float, float]:
    if given is not None:
        low, high = map(float, given)
        if not low < high:
            raise ValueError(f"the range of {path!r} goes from {low:g} to {high:g}: the first must be less")
        return low, high
    if value == 0:
        raise ValueError(f"{path!r} is 0, which says nothing about how far to go: give its range, ranges={{{path!r}: (-1, 1)}}")
    return min(0.5 * value, 1.5 * value), max(0.5 * value, 1.5 * value)


def sliders(model: Model, paths: tuple[str, ...], plot: tuple[str, ...], x: str, ranges: Mapping[str, Any]) -> Any:
    try:
        import ipywidgets
    except ImportError as missing:
        raise ImportError(
            "model.sliders() needs ipywidgets, which is not installed: install python3-ipywidgets (Debian) or `pip install ipywidgets`; "
            "`tappet view` has sliders without it"
        ) from missing
    if not paths:
        raise TypeError("which numbers? model.sliders('bodies.rod.mass', plot=['slider.vx']); model.numbers() lists them all")
    if not plot:
        raise TypeError("which signals? model.sliders('bodies.rod.mass', plot=['slider.vx'])")
    for path in ranges:
        if path not in paths:
            raise KeyError(f"ranges has {path!r}, for which there is no slider")
    numbers = model.numbers()
    controls = {}
    for path in paths:
        if path not in numbers:
            raise KeyError(f"the model has no number {path!r}; model.numbers() lists them all")
        value, unit = numbers[path]
        low, high = _interval(path, value, ranges.get(path))
        controls[path] = ipywidgets.FloatSlider(
            value=value, min=low, max=high, step=(high - low) / 200, description=f"{path} [{unit}]" if unit else path,
            continuous_update=False, readout_format=".4g", layout={"width": "95%"}, style={"description_width": "50%"},
        )
    shown = ipywidgets.Output()

    def run(_: Any = None) -> None:
        from IPython.display import display  # ipywidgets brings it
        from matplotlib import pyplot

        shown.clear_output(wait=True)
        with shown:
            try:
                result = model.run(
                    set={path: f"{control.value!r} {numbers[path][1]}".strip() for path, control in controls.items()}, progress=False
                )
            except (ValueError, RuntimeError) as fault:
                print(fault)
                return
            figure = result.plot(*plot, x=x)
            display(figure)
            pyplot.close(figure)

    for control in controls.values():
        control.observe(run, names="value")
    run()
    return ipywidgets.VBox([*controls.values(), shown])

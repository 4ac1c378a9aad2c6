"""Figures by matplotlib, which is asked for only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._result import Result


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]".strip() if unit else name


def plot(result: Result, signals: tuple[str, ...], x: str, figure: Figure | None) -> Figure:
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError(
            "result.plot() draws with matplotlib, which is not installed: install python3-matplotlib (Debian) or "
            "`pip install matplotlib`; or save the result and let `tappet plot` draw it with gnuplot"
        ) from missing
    if not signals:
        raise TypeError("which signals? result.plot('slider.vx', 'motor.torque'); result.signals lists them all")
    names = result.select(*signals)
    units: dict[str, list[str]] = {}
    for name in names:
        units.setdefault(result.units[name], []).append(name)
    if figure is None:
        figure = pyplot.figure(figsize=(8, 1 + 2.5 * len(units)), layout="constrained")
    panels = figure.subplots(len(units), 1, sharex=True, squeeze=False)[:, 0]
    drawn = result.with_peaks
    across = drawn[x]
    for panel, (unit, members) in zip(panels, units.items()):
        for name in members:
            panel.plot(across, drawn[name], label=name, linewidth=1)
        panel.set_ylabel(_label(members[0] if len(members) == 1 else "", unit))
        if len(members) > 1:
            panel.legend()
        panel.grid(alpha=0.3)
    panels[-1].set_xlabel(_label(x, result.units[x]))
    figure.suptitle(result.title)
    return figure

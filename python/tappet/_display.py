"""How things look in notebooks and on terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._laws import Law
    from ._model import Section
    from ._result import Result


#: How a run's warning ends whose impacts are shorter than a few output steps.
samples_miss = "samples alone do not show them"


class _Line:
    """One line on standard error, shown if wanted, or if nobody said otherwise and it is a terminal."""

    def __init__(self, wanted: bool | None):
        self.wanted = sys.stderr is not None and sys.stderr.isatty() if wanted is None else wanted
        self._shown = False

    def show(self, text: str) -> None:
        self._shown = True
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class ProgressLine(_Line):
    """How far a run is: ``function`` is the user's own, or shows the line, or is None."""

    def __init__(self, progress: bool | Callable[[float, float], None] | None):
        super().__init__(None if callable(progress) else progress)
        self.function = progress if callable(progress) else self._tell if self.wanted else None
        self._begin = time.monotonic()
        # A short run needs no line; whoever asks for one gets it.
        self._wait = 0.0 if progress is True else 1.0

    def _tell(self, t: float, t_end: float) -> None:
        passed = time.monotonic() - self._begin
        if passed < self._wait:
            return
        left = passed * (t_end - t) / t if t > 0 else 0.0
        self.show(f"{100 * t / t_end:3.0f} %  t = {t:.6g} s of {t_end:.6g} s, {left:.0f} s left")


class SweepLine(_Line):
    """The same for a study: how many of its runs are done."""

    def __init__(self, progress: bool | Callable[[int, int, int], None] | None):
        super().__init__(None if callable(progress) else progress)
        self.function = progress if callable(progress) else self._tell if self.wanted else None

    def _tell(self, done: int, runs: int, failed: int) -> None:
        self.show(f"{done} of {runs} runs, {failed} failed")


def table_html(rows: list[list[str]], head: list[str] | None = None) -> str:
    """Cells are texts, made safe here."""

    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="text-align:left">{escape(cell)}</{tag}>' for cell in cells) + "</tr>"

    body = ([line(head, "th")] if head else []) + [line(row, "td") for row in rows]
    return "<table>" + "".join(body) + "</table>"


def section_html(section: Section) -> str:
    return f"<pre>{escape(section.yaml())}</pre>"


def result_html(result: Result) -> str:
    summary = result.summary
    shown = [
        ("status", result.stop_reason if result.status == "stopped" else result.status),
        ("samples", f"{len(result.time)} of {len(result)} signals"),
        ("method", f"{summary.get('method', '')}, {summary.get('integrator', '')}".strip(", ")),
        ("steps", f"{summary['steps']} and {summary['rejected']} rejected" if "steps" in summary else ""),
        ("impacts", str(summary.get("impacts", len(result.impacts)))),
        ("energy residual", f"{summary['energy_residual']:.2g}" if summary.get("energy_residual") is not None else ""),
        ("wall time", f"{summary['wall_seconds']:.3g} s" if summary.get("wall_seconds") is not None else ""),
    ]
    rows = [[name, text] for name, text in shown if text]
    warnings = "".join(f"<li>{escape(text)}</li>" for text in result.warnings)
    return (
        f"<b>{escape(result.title)}</b>"
        + table_html(rows)
        + (f"<ul>{warnings}</ul>" if warnings else "")
        + f"<details><summary>signals</summary>{table_html([[n, u] for n, u in result.units.items()])}</details>"
    )


def law_html(law: Law) -> str:
    rows = [[p.name, p.unit, p.default or ("required" if p.required else "optional"), p.help] for p in law.parameters]
    reference = f"<p>reference: {escape(law.citation)}</p>" if law.citation else ""
    return (
        f"<b>{escape(law.name)}</b>: {escape(law.help)}<pre>{escape(law.equation)}</pre>"
        + table_html(rows, ["parameter", "SI unit", "default", ""])
        + reference
    )

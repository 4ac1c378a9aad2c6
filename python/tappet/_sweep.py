"""Many runs of one model: the studies of ``tappet sweep``, from files or from Python."""

from __future__ import annotations

import os
import queue
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _display, _place
from ._errors import UnknownName
from ._place import caller
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model

#: An expression over signals and impacts ("max(abs(motor.torque))"), its long form as in a study file, or a function of a Result.
Metric = Union[str, Mapping[str, Any], Callable[[Result], float]]


class Verification:
    """How far a model's result can be trusted: ``verdict`` in a few sentences, ``print()`` shows all, ``data`` has it by name."""

    def __init__(self, verdict: str, text: str, data: dict[str, Any]):
        self.verdict = verdict
        self.data = data
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<tappet verification: {self.verdict}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._text)}</pre>"


class SweepResult:
    """The figures of all runs: ``sweep["peak"]`` is an array, one value a run, of a parameter or a metric.

    A run that failed has NaN for its figures, and ``reasons`` says why.
    """

    def __init__(self, title: str, axes: list[tuple[str, str, list[Any]]], metrics: list[tuple[str, str]],
                 figures: list[list[float]], reasons: list[str]):
        self.title = title
        #: Why each run failed; "" if it did not.
        self.reasons = reasons
        self.parameters = [name for name, _, _ in axes]
        self.metrics = [name for name, _ in metrics]
        self.units = {name: unit for name, unit, *_ in [*axes, *metrics]}
        columns: dict[str, NDArray[Any]] = {"run": np.arange(len(reasons))}
        for name, _, values in axes:
            columns[name] = _as_numbers(values)
        for k, (name, _) in enumerate(metrics):
            columns[name] = np.array([row[k] if row else np.nan for row in figures], dtype=np.float64)
        #: One row a run, a structured array: its number, the parameters and the figures.
        self.table: NDArray[Any] = np.zeros(len(reasons), dtype=[(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            self.table[name] = column
        #: Lists of ``section`` and ``each`` metrics, structured arrays of ``run``, ``time`` and ``value``.
        self.lists: dict[str, NDArray[Any]] = {}
        self._core: _core.Sweep | None = None

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name in self.lists:
            return self.lists[name]
        if name not in (self.table.dtype.names or ()):
            known = ", ".join([*self.parameters, *self.metrics, *self.lists])
            raise UnknownName(f"the study has no '{name}'; there are {known}")
        return self.table[name]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def failed(self) -> int:
        return sum(reason != "" for reason in self.reasons)

    def csv(self, metric: str | None = None) -> str:
        """The table as ``tappet sweep`` writes it, or that of one list."""
        if self._core is not None:
            return self._core.csv() if metric is None else self._core.list_csv(metric)
        names = self.table.dtype.names or ()
        heads = [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in names]
        lines = [",".join([*heads, "status", "reason"])]
        for row, reason in zip(self.table, self.reasons):
            cells = ["" if value != value else str(value) for value in row.tolist()]
            lines.append(",".join([*cells, "failed" if reason else "done", f'"{reason}"' if reason else ""]))
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<tappet sweep: {len(self)} runs{failed}; {', '.join([*self.parameters, *self.metrics, *self.lists])}>"

    def _repr_html_(self) -> str:
        names = list(self.table.dtype.names or ())
        rows = [[f"{value:.6g}" if isinstance(value, float) else str(value) for value in row.tolist()] for row in self.table[:20]]
        more = f"<p>… and {len(self) - 20} more runs</p>" if len(self) > 20 else ""
        return _display.table_html(rows, [f"{n} [{self.units[n]}]" if self.units.get(n) else n for n in names]) + more


def _as_numbers(values: list[Any]) -> NDArray[Any]:
    """Numbers if all of them are, text otherwise."""
    try:
        return np.array([float(value) for value in values], dtype=np.float64)
    except ValueError:
        return np.array([str(value) for value in values])


def _collect(core: _core.Sweep) -> SweepResult:
    results = core.results
    values = [(name, unit) for name, unit, kind in core.metrics if kind == "value"]
    lists = [name for name, _, kind in core.metrics if kind == "list"]
    out = SweepResult(core.title, core.axes, values, [row[1] for row in results], [row[0] for row in results])
    for k, name in enumerate(lists):
        points = [(run, time, value) for run, row in enumerate(results) if row[2] for time, value in row[2][k]]
        out.lists[name] = np.array(points, dtype=[("run", np.int64), ("time", np.float64), ("value", np.float64)])
    out._core = core
    return out


def _run(core: _core.Sweep, threads: int, journal: str | os.PathLike[str] | None, restart: bool,
         progress: bool | Callable[[int, int, int], None] | None) -> SweepResult:
    line = _display.SweepLine(progress)
    try:
        core.run(threads, _place.path(journal) if journal is not None else "", restart, line.function)
    finally:
        line.close()
    return _collect(core)


def sweep(
    study: str | os.PathLike[str],
    *,
    threads: int = 0,
    journal: str | os.PathLike[str] | None = None,
    restart: bool = False,
    progress: bool | Callable[[int, int, int], None] | None = None,
) -> SweepResult:
    """Runs the study in a file, as ``tappet sweep`` does, with the same results whatever the number of ``threads`` (0: one
    for each core).

    ``journal`` names a file from which an interrupted study goes on, ``restart`` throws an old one away. ``progress`` is a
    function of the runs done, all runs and failed ones.
    """
    return _run(_core.Sweep.from_file(_place.path(study)), threads, journal, restart, progress)


def _spelled_out(name: str, axis: Any) -> tuple[str, dict[str, Any]]:
    """A parameter as a study file has it: {"from": …, "to": …, "count": …}, or a list of values; a path may be its name."""
    out = dict(axis) if isinstance(axis, Mapping) else {"values": list(axis)}
    if "." in name:
        out.setdefault("path", name)
    return name.replace(".", "_"), out


def sweep_model(
    model: Model,
    parameters: Mapping[str, Any],
    metrics: Mapping[str, Metric],
    *,
    set: Mapping[str, Any] | Iterable[str] = (),
    sampling: Any = None,
    revolution: str | None = None,
    title: str = "",
    threads: int = 0,
    journal: str | os.PathLike[str] | None = None,
    restart: bool = False,
    progress: bool | Callable[[int, int, int], None] | None = None,
) -> SweepResult:
    """Many runs of a model; see ``Model.sweep``."""
    settings = [f"{path}={value}" for path, value in set.items()] if isinstance(set, Mapping) else list(set)
    functions = {name: metric for name, metric in metrics.items() if callable(metric)}
    if functions and len(functions) < len(metrics):
        raise TypeError("metrics are either all expressions or all functions, not some of each")
    description: dict[str, Any] = {
        "study": 1,
        "title": title or str(model.get("title", "study")),
        "model": model.file,
        "parameters": dict(_spelled_out(name, axis) for name, axis in parameters.items()),
        # With functions the library only lays out the runs.
        "metrics": {"steps": "run.steps"} if functions else dict(metrics),
    }
    if settings:
        description["set"] = settings
    if sampling is not None:
        description["sampling"] = {"type": sampling} if isinstance(sampling, str) else sampling
    if revolution is not None:
        description["revolution"] = revolution
    core = _core.Sweep.of_model(description, model._core, *caller())
    if not functions:
        return _run(core, threads, journal, restart, progress)
    if journal is not None:
        raise TypeError("a study whose metrics are functions cannot keep a journal")
    return _run_functions(core, model, functions, threads, progress)


def _run_functions(core: _core.Sweep, model: Model, functions: Mapping[str, Callable[[Result], float]], threads: int,
                   progress: bool | Callable[[int, int, int], None] | None) -> SweepResult:
    """The runs of a study, each handed to the user's functions by the calling thread."""
    from ._model import Model

    def run(number: int) -> Result | Exception:
        try:
            changed = Model._of(model._core.copy())
            changed._core.apply(core.settings_of(number))
            return changed.run(progress=False)
        except Exception as fault:  # its row says so
            return fault

    figures: list[list[float]] = [[] for _ in range(core.runs)]
    missed = 0
    reasons = [""] * core.runs
    line = _display.SweepLine(progress)
    count = min(threads or os.cpu_count() or 1, core.runs)
    numbers = iter(range(core.runs))
    # A result waits here until its figures are taken, and no more than a few do.
    finished: queue.Queue[tuple[int, Result | Exception]] = queue.Queue(maxsize=count)
    stopped = threading.Event()
    lock = threading.Lock()

    def work() -> None:
        while not stopped.is_set():
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            finished.put((number, run(number)))

    workers = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    try:
        for done in range(1, core.runs + 1):
            number, result = finished.get()
            if isinstance(result, Exception):
                reasons[number] = str(result)
            else:
                figures[number] = [float(function(result)) for function in functions.values()]
                if result._with_peaks is None and any(_display.samples_miss in warning for warning in result.warnings):
                    missed += 1
            if line.function is not None:
                line.function(done, core.runs, sum(reason != "" for reason in reasons))
    finally:
        stopped.set()
        line.close()
        while any(worker.is_alive() for worker in workers):
            try:
                finished.get(timeout=0.05)
            except queue.Empty:
                pass
    if missed:
        warnings.warn(f"in {missed} of {core.runs} runs impacts are so short that {_display.samples_miss}, and samples are all that the "
                      "metrics' functions looked at: result.with_peaks has the rows between them too", stacklevel=4)
    return SweepResult(core.title, core.axes, [(name, "") for name in functions], figures, reasons)

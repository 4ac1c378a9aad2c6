"""Models: loaded, edited by name, checked and run."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from . import _core, _display, _place
from ._errors import Diagnostic, UnknownName
from ._place import caller, text
from ._result import Result
from ._simulation import Progress, run
from ._sweep import Metric, SweepResult, Verification, sweep_model

#: What can stand in a model: numbers are SI, text may carry a unit ("2 kg").
Value = Any


class Section(MutableMapping[str, Value]):
    """A mapping of a model. Keys may be paths: ``model["bodies.crank.mass"]``; items of lists go by number.

    What is read is what the file says: numbers are numbers, text with a unit is text, lists are tuples, and mappings are
    sections, so that ``model["bodies"]["crank"]["mass"] = "2 kg"`` changes the model. What is set is checked with the whole
    model, by ``check()`` or ``run()``.
    """

    def __init__(self, core: _core.Model, path: str = ""):
        self._core = core
        self._path = path

    def _inner(self, key: str) -> str:
        return text(f"{self._path}.{key}" if self._path else str(key))

    def __getitem__(self, key: str) -> Value:
        path = self._inner(key)
        kind = self._core.kind(path)
        if kind == "mapping":
            return Section(self._core, path)
        if not kind:
            raise UnknownName(self._unknown(path))
        return self._core.get(path)

    def _unknown(self, path: str) -> str:
        # The longest part of the path that is there, and what it holds.
        parts = path.split(".")
        known = next(n for n in range(len(parts) - 1, -1, -1) if n == 0 or self._core.kind(".".join(parts[:n])))
        owner, key = ".".join(parts[:known]), parts[known]
        keys = self._core.keys(owner)
        near = difflib.get_close_matches(key, keys, 1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(keys)}" if keys else ""
        return f"the model has no '{path}': {f'{owner!r}' if owner else 'the model'} has no '{key}'{hint}"

    def __setitem__(self, key: str, value: Value) -> None:
        self._core.set(self._inner(key), value, *caller())

    def add(self, key: str, value: Value) -> None:
        """Adds an entry that the model does not have: ``model.add("forces.push", {"type": ...})``.

        Setting changes what is there: ``model["bodies.crnk.mass"] = 2`` is an error when there is no body of that name.
        """
        self._core.add(self._inner(key), value, *caller())

    def __delitem__(self, key: str) -> None:
        if not self._core.remove(self._inner(key)):
            raise UnknownName(self._unknown(self._inner(key)))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._core.kind(self._inner(key)) != ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.keys(self._path))

    def __len__(self) -> int:
        return len(self._core.keys(self._path))

    def to_dict(self) -> dict[str, Value]:
        """A copy as plain dictionaries, numbers, text and tuples."""
        return dict(self._core.get(self._path))

    def yaml(self) -> str:
        """As it would stand in a model file."""
        return self._core.yaml(self._path)

    def __repr__(self) -> str:
        return f"<tappet section {self._path!r}: {', '.join(self)}>"

    def __str__(self) -> str:
        return self.yaml()

    def _repr_html_(self) -> str:
        return _display.section_html(self)


class Model(Section):
    """A model: from a file by ``tappet.load``, from YAML text, or from dictionaries.

    >>> model = tappet.load("clearance.yaml")
    >>> model["joints.wrist.clearance.journal_radius"] = "9.8 mm"
    >>> result = model.run()
    """

    def __init__(self, source: str | Mapping[str, Value], name: str = "model"):
        if isinstance(source, str):
            super().__init__(_core.Model.from_text(text(source), text(name)))
        else:
            super().__init__(_core.Model.from_object(source, *caller()))
        #: The result of the last run, also if it was interrupted or stopped.
        self.last_result: Result | None = None

    @classmethod
    def _of(cls, core: _core.Model) -> Model:
        model = cls.__new__(cls)
        Section.__init__(model, core)
        model.last_result = None
        return model

    @property
    def file(self) -> str:
        """The file it was loaded from, or the name it was given."""
        return self._core.name

    def copy(self) -> Model:
        return Model._of(self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Model:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.yaml(), self.file)

    def numbers(self) -> dict[str, tuple[float, str]]:
        """Every number of the model by its path: its value as written, and its unit."""
        return {path: (number, unit) for path, number, unit in self._core.numbers()}

    def check(self) -> list[Diagnostic]:
        """Checks everything that can be checked without running; returns the warnings. Raises InputError."""
        return self._core.check()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model, changes included, as a model file."""
        _place.write(path, self.yaml())

    def run(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        set: Mapping[str, Value] | None = None,
        progress: bool | Progress | None = None,
        check: bool = True,
    ) -> Result:
        """Runs the model and returns its result, which is in memory and, if ``output`` names a file, there too.

        ``set`` holds changes for this run alone. ``progress`` is a function of the time reached and the time of the end; True
        prints a line; by default a line is printed on a terminal if the run takes more than a second. Ctrl-C ends the run in
        good order and raises Interrupted, a run that cannot go on SimulationError (unless ``check`` is False); both carry
        what was computed as ``result``, and ``model.last_result`` is the same.
        """
        core = self._core
        if set:
            core = core.copy()
            for path, value in set.items():
                core.set(path, value, *caller())
        result, raised = run(_core.Simulation(core), output, progress, check)
        self.last_result = result
        if raised is not None:
            raise raised
        return result

    def verify(self) -> Verification:
        """Runs the model at tighter tolerances and with another integrator, and says how far its result can be trusted."""
        verdict, text, data = _core.verify(self._core)
        return Verification(verdict, text, json.loads(data))

    def sweep(
        self,
        parameters: Mapping[str, Any],
        metrics: Mapping[str, Metric],
        *,
        set: Mapping[str, Value] | Iterable[str] = (),
        sampling: Any = None,
        revolution: str | None = None,
        title: str = "",
        threads: int = 0,
        journal: str | os.PathLike[str] | None = None,
        restart: bool = False,
        progress: bool | Callable[[int, int, int], None] | None = None,
    ) -> SweepResult:
        """Runs the model many times.

        ``parameters`` says what varies: by a name, or by a path of the model, a list of values or
        ``{"from": "0.05 mm", "to": "0.5 mm", "count": 10}``. ``set`` holds settings in which ``${NAME}`` stands for a
        parameter's value: ``{"joints.wrist.clearance.journal_radius": "10 - ${clearance} mm"}``. ``metrics`` are
        expressions as in a study file, ``{"peak": "max(abs(motor.torque))"}``, or functions of a Result that return a
        number. ``sampling``, ``revolution``: as in a study file. ``journal`` names a file from which an interrupted study
        goes on; it does not know what Python functions do, so throw it away, with ``restart``, after changing one.

        >>> swept = model.sweep({"bodies.crank.mass": [0.3, 0.6]}, {"peak": lambda r: abs(r["motor.torque"]).max()})
        >>> swept["peak"]
        """
        return sweep_model(self, parameters, metrics, set=set, sampling=sampling, revolution=revolution, title=title,
                           threads=threads, journal=journal, restart=restart, progress=progress)

    def sliders(self, *paths: str, plot: Sequence[str], x: str = "time", ranges: Mapping[str, tuple[float, float]] = {}) -> Any:
        """Sliders for numbers of the model, in a notebook with ipywidgets; moving one runs the model and draws the signals ``plot`` anew.

        ``ranges`` holds the ends of a slider by its path, in the unit in which the model has the number; without it a slider goes from
        half the value to one and a half times it. The model itself stays as it is.

        >>> model.sliders("joints.wrist.clearance.journal_radius", plot=["motor.torque"])
        """
        from ._notebook import sliders

        return sliders(self, paths, tuple(plot), x, ranges)

    def __repr__(self) -> str:
        title = self.get("title", "")
        return f"<tappet model {self.file!r}{f': {title}' if title else ''}>"


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a file. Raises InputError if it cannot be read; its contents are checked by ``check()`` and ``run()``."""
    return Model._of(_core.Model.from_file(_place.path(path)))

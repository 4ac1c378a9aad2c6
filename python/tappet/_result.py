"""Results: signals as NumPy arrays that look into the memory of the run."""

from __future__ import annotations

import difflib
import fnmatch
import io
import json
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _display, _place
from ._errors import UnknownName

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame  # type: ignore[import]

    from ._model import Model
    from ._notebook import Animation

Array = NDArray[np.float64]


def _renamed(name: str) -> str:
    """What a signal of the last version is called now."""
    return name.removesuffix(".nodes") + ".touching" if name.endswith(".nodes") else name


class Result(Mapping[str, Array]):
    """What a run gave: ``result["slider.x"]`` is a NumPy array, one value for each of ``result.time``.

    Arrays of a run in memory are columns of ``result.data``, which is the run's own memory: nothing is copied. Arrays of a
    file are read when they are first asked for. They cannot be written to; take a copy for that.
    """

    def __init__(self, source: _core.Record | _core.ResultFile, path: str | None = None):
        self._source = source
        #: The result file, or None.
        self.path = path
        self._columns = {name: (index, unit) for index, (name, unit) in enumerate(source.columns)}
        self._data: Array | None = source.values if isinstance(source, _core.Record) else None
        self._read: dict[str, Array] = {}
        self._with_peaks: Result | None = None

    # ---- signals

    @property
    def data(self) -> Array:
        """All samples, rows × columns; column 0 is time."""
        if self._data is None:
            self._data = self._source.values
        return self._data

    @property
    def time(self) -> Array:
        return self["time"]

    @property
    def with_peaks(self) -> Result:
        """The same result with the rows between samples among them, where forces and penetrations of contacts are largest and impacts
        are short: ``result.with_peaks["wrist.normal"].max()`` is the largest peak of the impact table."""
        if self._with_peaks is None:
            out = Result(self._source, self.path)
            between = self._source.between
            if len(between):
                rows = np.concatenate([self.data, between])
                rows = rows[np.argsort(rows[:, 0], kind="stable")]
                rows.setflags(write=False)
                out._data = rows
            out._with_peaks = out
            self._with_peaks = out
        return self._with_peaks

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns and (now := _renamed(name)) in self._columns:
            warnings.warn(f"signal '{name}' is now '{now}'; the former name goes with the next version", FutureWarning, stacklevel=2)
            name = now
        if name not in self._columns:
            near = difflib.get_close_matches(name, self._columns, 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(list(self._columns)[:12])}, …"
            raise UnknownName(f"the result has no signal '{name}'{hint}")
        index = self._columns[name][0]
        if self._data is not None:
            return self._data[:, index]
        assert isinstance(self._source, _core.ResultFile)
        if name not in self._read:
            self._read[name] = self._source.column(index)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    # Two results are the same if they are one: comparing all samples would surprise nobody more than ==.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def signals(self) -> list[str]:
        """Names of all columns, time first."""
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        return {name: unit for name, (_, unit) in self._columns.items()}

    def select(self, *patterns: str) -> list[str]:
        """Names that match: ``result.select("crank.*", "*.vx")``, in the order asked for."""
        found: dict[str, None] = {}
        for pattern in patterns:
            names = fnmatch.filter(self._columns, pattern)
            if not names:
                self[pattern]  # says which names there are
            found.update(dict.fromkeys(names))
        return list(found)

    # ---- what happened

    @property
    def impacts(self) -> NDArray[Any]:
        """The impact table, a structured array: ``result.impacts["speed_in"]``. ``contact`` counts into ``contacts``."""
        return self._source.impacts

    def impacts_of(self, contact: str) -> NDArray[Any]:
        """The impacts of one contact, by its name."""
        if contact not in self.contacts:
            raise UnknownName(f"the result has no contact '{contact}'; contacts: {', '.join(self.contacts) or 'none'}")
        table: NDArray[Any] = self.impacts[self.impacts["contact"] == self.contacts.index(contact)]
        return table

    @property
    def contacts(self) -> list[str]:
        return self._source.contacts

    @property
    def events(self) -> NDArray[Any]:
        """The located events, a structured array of ``event`` and ``time``; ``event`` counts into ``event_names``."""
        return self._source.events

    @property
    def event_names(self) -> list[str]:
        return self._source.event_names

    @property
    def summary(self) -> dict[str, Any]:
        """What ``tappet run --json`` prints; empty for a run that has not ended, or was killed."""
        text = self._source.summary_json(self.path or "")
        return dict(json.loads(text)) if text else {}

    @property
    def warnings(self) -> list[str]:
        return list(self.summary.get("warnings", []))

    @property
    def notes(self) -> list[str]:
        """What was derived or assumed."""
        return list(self.summary.get("notes", []))

    @property
    def completed(self) -> bool:
        return self._source.status == "completed"

    @property
    def status(self) -> str:
        """"completed", "stopped", or "running": not ended yet, or killed."""
        return self._source.status

    @property
    def stop_reason(self) -> str:
        return str(self.summary.get("stop_reason", "") or "")

    @property
    def title(self) -> str:
        return self._source.title

    @property
    def model(self) -> Model:
        """The model that made it, changes included."""
        from ._model import Model

        return Model(self._source.model_text, self._source.model_file)

    # ---- what to do with it

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a result file, for ``tappet plot``, ``report`` and ``view``. An older result of that name is replaced."""
        if isinstance(self._source, _core.ResultFile):
            _core.copy_result(self._source.path, _place.path(path))
        else:
            self._source.save(_place.path(path))

    def to_pandas(self, *patterns: str) -> DataFrame:
        """Signals (names or patterns; none: all) as a pandas DataFrame over time. Units are in ``frame.attrs["units"]``."""
        try:
            import pandas
        except ImportError as fault:
            raise ImportError("to_pandas() needs pandas: install python3-pandas, or pip install pandas") from fault
        names = [name for name in (self.select(*patterns) if patterns else self.signals) if name != "time"]
        frame = pandas.DataFrame({name: self[name] for name in names}, index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = {name: self.units[name] for name in ("time", *names)}
        return frame

    def impacts_to_pandas(self) -> DataFrame:
        """The impact table as a pandas DataFrame, contacts by their names."""
        try:
            import pandas
        except ImportError as fault:
            raise ImportError("impacts_to_pandas() needs pandas: install python3-pandas, or pip install pandas") from fault
        table = self.impacts
        frame = pandas.DataFrame({name: table[name] for name in table.dtype.names or ()})
        frame["contact"] = [self.contacts[int(i)] for i in table["contact"]]
        return frame

    def to_npz(self, path: str | os.PathLike[str], *patterns: str) -> None:
        """Writes what ``tappet export -o NAME.npz`` writes: signals by their names, ``impacts/...`` and ``events/...``."""
        names = self.select("time", *patterns) if patterns else self.signals
        arrays: dict[str, NDArray[Any]] = {name: self[name] for name in names}
        for table, rows in (("impacts", self.impacts), ("events", self.events)):
            for column in rows.dtype.names or ():
                arrays[f"{table}/{column}"] = np.asarray(rows[column], dtype=float)
        name = _place.path(path)
        packed = io.BytesIO()
        np.savez_compressed(packed, **arrays)
        # The ending is appended as NumPy does it.
        _core.write_npz(packed.getvalue(), name if name.endswith(".npz") else name + ".npz")

    def to_mat(self, path: str | os.PathLike[str], *patterns: str) -> None:
        """Writes a file of MATLAB's, level 5: ``crank.x`` is a field of the struct ``crank``."""
        with tempfile.TemporaryDirectory() as folder:
            file = self.path
            if file is None:
                file = os.path.join(folder, "result.h5")
                self.save(file)
            _core.write_mat(file, list(patterns), _place.path(path))

    def report(self, path: str | os.PathLike[str]) -> str:
        """Writes the page with animation, plots and impact table; returns its name."""
        page = _place.path(path)
        if self.path is not None:
            _core.write_report(self.path, [], page)
        else:
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "result.h5")
                self.save(file)
                _core.write_report(file, [], page)
        return page

    def animation(self, height: int = 720) -> Animation:
        """The same page for a notebook, which shows it below the cell, ``height`` pixels high."""
        from ._notebook import animate

        return animate(self, height)

    def plot(self, *signals: str, x: str = "time", figure: Figure | None = None) -> Figure:
        """Draws signals (names or patterns) with matplotlib, one panel a unit, and returns the figure."""
        from ._plot import plot

        return plot(self, signals, x, figure)

    def __repr__(self) -> str:
        return f"<tappet result{f' {self.path!r}' if self.path else ''}: {self.title!r}, {len(self.time)} samples of {len(self)} signals>"

    def __str__(self) -> str:
        text = self._source.summary_text(self.path or "")
        lines = text.splitlines() if text else [f"{self.title}: {self.status}"]
        return "\n".join(line for line in lines if line.strip() != "result")

    def _repr_html_(self) -> str:
        return _display.result_html(self)


def open(path: str | os.PathLike[str]) -> Result:
    """The result in a file; of a run that is still going on, what there is so far."""
    return Result(_core.ResultFile(_place.path(path)), os.fspath(path))

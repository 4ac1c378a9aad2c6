"""Simulations that are stepped by hand: controllers, co-simulation, studies of single steps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from . import _core, _display, _place
from ._core import State, Step
from ._errors import Interrupted, SimulationError
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model

Progress = Callable[[float, float], None]


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulation by name. ``update`` sets several at once."""

    def __init__(self, simulation: _core.Simulation):
        self._simulation = simulation

    def __getitem__(self, name: str) -> float:
        return self._simulation.input(name).value

    def __setitem__(self, name: str, value: float) -> None:
        self._simulation.input(name).value = value

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"the input '{name}' belongs to the model; it can be set, but not taken away")

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.input_names)

    def __len__(self) -> int:
        return len(self._simulation.input_names)

    def update(self, *others: Any, **values: float) -> None:
        changes = dict(*others, **values)
        for name in changes:
            self._simulation.input(name)  # raises UnknownName
        self._simulation.set_inputs([changes.get(name, value) for name, value in self.items()])

    def __repr__(self) -> str:
        return f"<tappet inputs {dict(self)}>"


class Simulation(_core.Simulation):
    """A model in motion, from its initial state.

    >>> simulation = tappet.Simulation(tappet.load("cart.yaml"))
    >>> angle = simulation.signal("rod.angle")
    >>> for step in simulation:
    ...     simulation.inputs["push"] = -40 * angle.value

    It keeps the model as it was given: what is changed in the model later is for later simulations. ``q`` and ``u`` are views of
    positions and velocities, which follow the simulation.
    """

    def __init__(self, model: Model):
        from ._model import Model  # which needs this file

        if not isinstance(model, Model):
            raise TypeError(f"a tappet.Model is wanted, not {type(model).__name__}; tappet.load(FILE) reads one")
        super().__init__(model._core)
        self._model = model.copy()

    @property
    def model(self) -> Model:
        """The model that it simulates, a copy."""
        return self._model.copy()

    @property
    def inputs(self) -> Inputs:
        """Numbers that the model lets others set, by name: a mapping."""
        return Inputs(self)

    def clone(self) -> Simulation:
        """Another simulation of the same model, in the same state."""
        other = Simulation.__new__(Simulation)
        _core.Simulation.__init__(other, self)
        other._model = self._model
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._model, self.state)

    def __iter__(self) -> Iterator[Step]:
        """Steps to the end of the model's duration, or to an event with ``stop``."""
        end = self.duration
        while self.time < end:
            step = self.step()
            yield step
            if step.stopped:
                return

    def run(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        progress: bool | Progress | None = None,
        check: bool = True,
    ) -> Result:
        """Runs from here to the end of the model's duration; arguments, result and exceptions are those of ``Model.run``."""
        if self.time >= self.duration:
            raise ValueError(f"the simulation is at its end, {self.duration:.9g} s; advance() goes beyond, set_state() back")
        result, raised = run(self, output, progress, check)
        if raised is not None:
            raise raised
        return result

    def __repr__(self) -> str:
        return f"<tappet simulation of {self._model.file!r} at {self.time:.9g} s>"


def _restored(model: Model, state: State) -> Simulation:
    simulation = Simulation(model)
    simulation.set_state(state)
    return simulation


def run(
    simulation: _core.Simulation,
    output: str | os.PathLike[str] | None,
    progress: bool | Progress | None,
    check: bool,
) -> tuple[Result, BaseException | None]:
    """Runs to the end: what was computed, and what is to be raised."""
    line = _display.ProgressLine(progress)
    file = _place.path(output) if output is not None else None
    try:
        record, raised = simulation._run(file or "", line.function)
    finally:
        line.close()
    result = Result(record, file)
    if isinstance(raised, KeyboardInterrupt):
        interrupted = Interrupted(result)
        interrupted.__suppress_context__ = True
        return result, interrupted
    if raised is None and check and not result.completed:
        return result, SimulationError(result.stop_reason, result.summary["t_end"], result)
    return result, raised

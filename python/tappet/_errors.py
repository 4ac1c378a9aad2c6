"""What can go wrong, as exceptions that say where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result


@dataclass(frozen=True)
class Diagnostic:
    """One fault or warning, and where it comes from.

    ``file`` and ``line`` are those of the model file, or of the Python program if the value was set there; ``field`` is the
    value's path in the model, ``""`` if there is none.
    """

    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    field: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}" if place else f"{self.severity}: {self.message}"


class Error(Exception):
    """Base of all exceptions of this package."""


class InputError(Error, ValueError):
    """A model, study or result file that cannot be used. The attributes are those of the first fault."""

    def __init__(self, diagnostics: list[Diagnostic]):
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics

    @property
    def first(self) -> Diagnostic:
        faults = [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]
        return (faults or self.diagnostics or [Diagnostic("error", "")])[0]

    @property
    def file(self) -> str | None:
        return self.first.file

    @property
    def line(self) -> int | None:
        return self.first.line

    @property
    def column(self) -> int | None:
        return self.first.column

    @property
    def field(self) -> str:
        return self.first.field

    @property
    def message(self) -> str:
        return self.first.message


class SimulationError(Error, RuntimeError):
    """A run that stopped before its end. ``result`` holds what was computed until then."""

    def __init__(self, reason: str, time: float, result: Result | None = None):
        super().__init__(reason)
        self.reason = reason
        self.time = time
        self.result = result


class LawDomainError(Error, ValueError):
    """A penetration at which a contact law has no force."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. ``result`` holds what was computed until then."""

    def __init__(self, result: Result | None = None):
        super().__init__("the run was interrupted; what was computed is in the exception's `result`")
        self.result = result


class UnknownName(Error, KeyError):
    """A name that a model or a result does not have."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

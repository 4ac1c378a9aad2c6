"""Contact and friction laws, callable on arrays."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _display
from ._errors import UnknownName
from ._place import caller

#: Keywords that describe the two surfaces, from which a law may derive its coefficients.
_surfaces = ("radius", "length", "young", "poisson", "density")


class Parameter(NamedTuple):
    """One parameter of a law, as in ``tappet laws NAME``."""

    name: str
    unit: str
    default: str
    required: bool
    help: str


@dataclass(frozen=True)
class NormalForce:
    """What a normal law says: force, its derivatives, and where the power goes. Arrays of one shape."""

    force: NDArray[np.float64]
    d_depth: NDArray[np.float64]
    d_rate: NDArray[np.float64]
    stored_energy: NDArray[np.float64]
    dissipated_power: NDArray[np.float64]


class BoundLaw:
    """A law with its parameters."""

    def __init__(self, core: _core.NormalLaw | _core.FrictionLaw, name: str):
        self._core = core
        self.name = name

    @property
    def notes(self) -> list[str]:
        """What was derived: "K = 6.61e+10 N/m^1.5 from E, ν and R"."""
        return self._core.notes


class BoundNormalLaw(BoundLaw):
    """``law(depth, rate, impact_rate)`` is the force, in SI units."""

    _core: _core.NormalLaw

    def evaluate(self, depth: ArrayLike, rate: ArrayLike = 0.0, impact_rate: ArrayLike = 0.0) -> NormalForce:
        arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (depth, rate, impact_rate)))
        rows = self._core.evaluate(*(array.ravel() for array in arrays))
        return NormalForce(*(row.reshape(arrays[0].shape)[()] for row in rows))

    def __call__(self, depth: ArrayLike, rate: ArrayLike = 0.0, impact_rate: ArrayLike = 0.0) -> NDArray[np.float64]:
        return self.evaluate(depth, rate, impact_rate).force

    @property
    def requested_restitution(self) -> float:
        """As asked of the law; NaN if it has none."""
        return self._core.restitution[0]

    @property
    def predicted_restitution(self) -> float:
        """What a free impact realises, whatever mass and speed; NaN if it depends on them."""
        return self._core.restitution[1]

    def impact(self, mass: float = 1.0, speed: float = 1.0, load: float = 0.0) -> dict[str, float]:
        """One free impact of an effective mass at a speed: restitution, duration, largest depth and force, …"""
        return self._core.impact(mass, speed, load)


class BoundFrictionLaw(BoundLaw):
    """``law(velocity, normal_force)`` is the force on the second surface, against its velocity."""

    _core: _core.FrictionLaw

    def coefficient(self, speed: ArrayLike) -> NDArray[np.float64]:
        array = np.asarray(speed, dtype=np.float64)
        rows = self._core.evaluate(array.ravel())
        return np.asarray(rows[0].reshape(array.shape)[()])[()]

    def __call__(self, velocity: ArrayLike, normal_force: ArrayLike = 1.0) -> NDArray[np.float64]:
        v = np.asarray(velocity, dtype=np.float64)
        return np.asarray(-np.sign(v) * self.coefficient(v) * np.asarray(normal_force, dtype=np.float64))[()]


class Law:
    """A law of the library, or one that was registered: ``tappet.laws["hunt-crossley"]``.

    >>> force = tappet.laws["hunt-crossley"](depth, rate, impact_rate, stiffness=1e10, restitution=0.9)

    Parameters are keywords, as in a model file: numbers in SI, or text with a unit. ``radius``, ``young``, ``poisson``,
    ``density`` (two values, or one for both surfaces) and ``length`` describe the surfaces to laws that derive their
    coefficients from them; a concave radius is negative, None is a plane. ``bind`` does all that once for many calls.
    """

    def __init__(self, description: Mapping[str, Any]):
        self.name: str = description["name"]
        #: "normal" or "friction"
        self.kind: str = description["kind"]
        self.help: str = description["help"]
        self.equation: str = description["equation"]
        self.citation: str = description["citation"]
        self.parameters: list[Parameter] = [Parameter(*row) for row in description["parameters"]]

    def bind(self, **parameters: Any) -> BoundNormalLaw | BoundFrictionLaw:
        if self.kind == "friction":
            return BoundFrictionLaw(_core.FrictionLaw(self.name, parameters, *caller()), self.name)
        own = {parameter.name for parameter in self.parameters}
        surfaces: dict[str, Any] = {}
        for key in _surfaces:
            if key not in parameters or key in own:
                continue
            value = parameters.pop(key)
            both = [value, value] if isinstance(value, str) or np.ndim(value) == 0 else list(value)
            if key == "length":
                surfaces[key] = value
            elif len(both) != 2:
                raise TypeError(f"'{key}' takes one value for both surfaces or two, not {len(both)}")
            elif key == "radius":
                flat = (None, np.inf)
                surfaces.update({k: radius for k, radius in zip(("radius_i", "radius_j"), both) if radius not in flat})
            else:
                surfaces[key] = both
        return BoundNormalLaw(_core.NormalLaw(self.name, parameters, surfaces, *caller()), self.name)

    def __call__(self, *arguments: ArrayLike, **parameters: Any) -> NDArray[np.float64]:
        """Of a normal law: depth, rate, impact_rate; of a friction law: velocity, normal_force. Then its parameters."""
        return self.bind(**parameters)(*arguments)

    def __repr__(self) -> str:
        return f"<tappet {self.kind} law '{self.name}': {self.help}>"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.help} ({self.kind})", "", *(f"  {line}" for line in self.equation.splitlines()), ""]
        for p in self.parameters:
            default = p.default or ("required" if p.required else "optional")
            lines.append(f"  {p.name}: {p.unit or '–'}, {default}; {p.help}")
        return "\n".join(lines + ([f"\nreference: {self.citation}"] if self.citation else []))

    def _repr_html_(self) -> str:
        return _display.law_html(self)


class Laws(Mapping[str, Law]):
    """All laws by name, those of this program included."""

    def _all(self) -> dict[str, Law]:
        return {description["name"]: Law(description) for description in _core.laws()}

    def __getitem__(self, name: str) -> Law:
        found = self._all()
        if name not in found:
            near = difflib.get_close_matches(name, found, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"the laws are {', '.join(found)}"
            raise UnknownName(f"there is no law '{name}'; {hint}")
        return found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"<tappet laws: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _display.table_html([[law.name, law.kind, law.help, law.equation] for law in self.values()], ["law", "", "", ""])


laws = Laws()

"""Laws and forces of your own, written as Python functions.

A function says by the names of its arguments what it wants to know, and by its keyword-only arguments which parameters it has:
they are keys in the model file.

>>> @tappet.normal_law
... def cushion(depth, rate, *, stiffness, damping=0.2):
...     return stiffness * depth**1.5 * (1 + damping * rate)
>>> model["joints.wrist.clearance.normal"] = {"law": "cushion", "stiffness": 6.6e10}
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

from . import _core
from ._laws import Law, laws

F = TypeVar("F", bound=Callable[..., Any])

_law_variables = ("depth", "rate", "impact_rate")
_friction_variables = ("speed",)
_force_variables = ("t", "x", "y", "z", "vx", "vy", "vz", "angle", "omega")


def _describe(
    function: Callable[..., Any],
    name: str | None,
    variables: Sequence[str],
    taken: Sequence[str],
    units: Mapping[str, str] | None,
    energy: Callable[..., Any] | None = None,
    torque: bool = False,
) -> dict[str, Any]:
    """What the library needs to know about a function; sentences for what it cannot use."""
    name = name or function.__name__.replace("_", "-")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        raise ValueError(f"'{name}' cannot be a name: letters, digits, '_' and '-' are allowed; give one with name=...")
    used: list[int] = []
    parameters: list[tuple[str, str, float | None]] = []
    for argument in inspect.signature(function).parameters.values():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            raise TypeError(f"'{name}' takes *{argument.name}; arguments must be named one by one")
        if argument.kind != argument.KEYWORD_ONLY:
            if argument.name not in variables:
                raise TypeError(
                    f"'{name}' takes '{argument.name}', which is none of {', '.join(variables)}; "
                    "parameters come after a '*': def f(..., *, stiffness)"
                )
            used.append(variables.index(argument.name))
        elif argument.name in taken:
            raise TypeError(f"'{argument.name}' is a key of the model file already; call the parameter of '{name}' otherwise")
        else:
            fallback = None if argument.default is argument.empty else float(argument.default)
            parameters.append((argument.name, (units or {}).get(argument.name, ""), fallback))
    for key in units or {}:
        if key not in [parameter[0] for parameter in parameters]:
            raise TypeError(f"units names '{key}', which '{name}' does not take after its '*'")
    summary = (inspect.getdoc(function) or "").split("\n", 1)[0]
    return {
        "name": name,
        "help": summary or "a function in Python",
        "function": function,
        "variables": used,
        "parameters": parameters,
        "energy": energy,
        "torque": torque,
    }


@overload
def normal_law(function: Callable[..., Any], /) -> Law: ...
@overload
def normal_law(
    *, name: str | None = None, units: Mapping[str, str] | None = None, energy: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], Law]: ...
def normal_law(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    units: Mapping[str, str] | None = None,
    energy: Callable[..., Any] | None = None,
) -> Law | Callable[[Callable[..., Any]], Law]:
    """Makes a normal contact law of a function of ``depth``, ``rate`` and ``impact_rate`` (as many of them as it wants).

    It returns the force (what is below 0 counts as 0), or the force and its derivatives by depth and by rate. ``energy`` is
    a function of depth and the same parameters: the energy that the law can give back, or that and its derivative; without
    it the energy ledger books all that the contact takes as lost until it comes back. The law's name is the function's, '_'
    written as '-', unless ``name`` says otherwise; ``units`` are the SI units of parameters, so that values may carry one.
    """

    def register(f: Callable[..., Any]) -> Law:
        description = _describe(f, name, _law_variables, ("law",), units, energy)
        _core.register_normal_law(description)
        return laws[description["name"]]

    return register(function) if function is not None else register


@overload
def friction_law(function: Callable[..., Any], /) -> Law: ...
@overload
def friction_law(
    *, name: str | None = None, units: Mapping[str, str] | None = None
) -> Callable[[Callable[..., Any]], Law]: ...
def friction_law(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    units: Mapping[str, str] | None = None,
) -> Law | Callable[[Callable[..., Any]], Law]:
    """Makes a friction law of a function of ``speed`` that returns the coefficient of friction, 0 at rest and continuous."""

    def register(f: Callable[..., Any]) -> Law:
        description = _describe(f, name, _friction_variables, ("law", "tangential_restitution"), units)
        _core.register_friction_law(description)
        return laws[description["name"]]

    return register(function) if function is not None else register


@overload
def force(function: F, /) -> F: ...
@overload
def force(
    *, name: str | None = None, units: Mapping[str, str] | None = None, torque: bool = False
) -> Callable[[F], F]: ...
def force(
    function: F | None = None,
    /,
    *,
    name: str | None = None,
    units: Mapping[str, str] | None = None,
    torque: bool = False,
) -> F | Callable[[F], F]:
    """Makes a type of force of a function of ``t``, position ``x y z`` and velocity ``vx vy vz`` of the point it acts on and,
    in the plane, the body's ``angle`` and its rate ``omega`` (as many of them as it wants).

    It returns the components of the force in world axes, two in the plane and three in space; with ``torque`` those of the
    torque follow. In the model: ``forces: {wind: {type: NAME, body: sail, point: [...], reaction: ...}}``.
    """

    def register(f: F) -> F:
        taken = ("type", "body", "point", "reaction")
        _core.register_force(_describe(f, name, _force_variables, taken, units, None, torque))
        return f

    return register(function) if function is not None else register

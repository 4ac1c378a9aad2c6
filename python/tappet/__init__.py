"""Tappet simulates machines whose parts touch.

>>> import tappet
>>> model = tappet.load("clearance.yaml")
>>> model["joints.wrist.clearance.journal_radius"] = "9.8 mm"
>>> result = model.run()
>>> result["slider.vx"].max()
"""

from . import lcp
from ._core import Contact, State, Step
from ._core import version as __version__
from ._errors import Diagnostic, Error, InputError, Interrupted, LawDomainError, SimulationError, UnknownName
from ._functions import force, friction_law, normal_law
from ._laws import Law, laws
from ._model import Model, Section, load
from ._result import Result, open
from ._simulation import Simulation
from ._sweep import SweepResult, Verification, sweep

__all__ = [
    "Contact",
    "Diagnostic",
    "Error",
    "InputError",
    "Interrupted",
    "Law",
    "LawDomainError",
    "Model",
    "Result",
    "Section",
    "Simulation",
    "SimulationError",
    "State",
    "Step",
    "SweepResult",
    "UnknownName",
    "Verification",
    "__version__",
    "force",
    "friction_law",
    "laws",
    "lcp",
    "load",
    "normal_law",
    "open",
    "sweep",
]

"""Tappet simulates machines whose parts touch.

>>> import tappet
>>> model = tappet.load("clearance.yaml")
>>> model["joints.wrist.clearance.journal_radius"] = "9.8 mm"
>>> result = model.run()
>>> result["slider.vx"].max()
"""

from ._core import version as __version__
from ._errors import Diagnostic, Error, InputError, Interrupted, SimulationError, UnknownName
from ._model import Model, Section, load
from ._result import Result, open

__all__ = [
    "Diagnostic",
    "Error",
    "InputError",
    "Interrupted",
    "Model",
    "Result",
    "Section",
    "SimulationError",
    "UnknownName",
    "__version__",
    "load",
    "open",
]

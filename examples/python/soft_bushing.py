"""Does a rubber-like lining in the worn wrist joint of the slider-crank calm it down? A law of our own answers.

    PYTHONPATH=build/release/python/package python3 examples/python/soft_bushing.py [FIGURE.svg]
"""

import sys
from pathlib import Path

import numpy as np

import tappet

here = Path(__file__).resolve().parent


# The lining: a spring that hardens, F = k δ (1 + (δ/δ₀)²), with a damper in parallel that acts as the lining fills.
def stored(depth, *, k, thickness, c):
    return k * (depth**2 / 2 + depth**4 / (4 * thickness**2)), k * depth * (1 + (depth / thickness) ** 2)


@tappet.normal_law(units={"k": "N/m", "thickness": "m", "c": "N s/m"}, energy=stored)
def lining(depth, rate, *, k, thickness, c):
    """A lining that hardens as it is pressed together."""
    return k * depth * (1 + (depth / thickness) ** 2) + c * min(1.0, depth / thickness) * rate


def figures(result):
    """What the motor and the joint have to bear once the start has died down."""
    late = result.time > result.time[-1] / 2
    return np.abs(result["motor.torque"][late]).max(), result["wrist.normal"][late].max(), len(result.impacts)


model = tappet.load(here.parent / "slider_crank" / "clearance.yaml")
model["simulation.duration"] = "48 ms"  # four turns of the crank

ideal = model.copy()
del ideal["joints.wrist.clearance"]
torque = ideal.run()["motor.torque"]
print(f"ideal joint:          moment {np.abs(torque).max():4.0f} N m")

steel = model.run()
print("steel on steel:       moment {:4.0f} N m, force {:6.0f} N, {:3d} impacts".format(*figures(steel)))

lined = None
for k in ("5e6 N/m", "2e7 N/m", "8e7 N/m"):
    model["joints.wrist.clearance.normal"] = {"law": "lining", "k": k, "thickness": "0.1 mm", "c": "2000 N s/m"}
    lined = model.run()
    print("lining, k = {:>8}: moment {:4.0f} N m, force {:6.0f} N, {:3d} impacts".format(k[:-4], *figures(lined)))

# The ledger closes for our law as for the library's own.
print(f"energy that is missing: {lined.summary['energy_residual']:.0e} of what moved")

if len(sys.argv) > 1:
    lined.plot("motor.torque", "wrist.normal", "wrist.penetration").savefig(sys.argv[1])

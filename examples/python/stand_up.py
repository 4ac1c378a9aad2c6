"""The six-legged robot stands up under a PD controller written in Python.

    PYTHONPATH=build/release/python/package python3 examples/python/stand_up.py [FIGURE.svg]

The robot is that of examples/hexapod. Its drives, which prescribe a motion there, are taken out here; in their place torques act in
the hip and in joint a of each leg, and the controller sets them in every step.
"""

import sys
from pathlib import Path

import numpy as np

import tappet

here = Path(__file__).resolve().parent

legs = {  # where their hips are in the frame
    f"{side}{row}": (x, sign * y)
    for side, sign in (("l", 1), ("r", -1))
    for row, x, y in (("f", 0.3, 0.25), ("m", 0.0, 0.33), ("r", -0.3, 0.25))
}
upper, pins, foot = 0.3, 0.12, 0.03  # m: length of upper and lower, distance of their pins, radius of a foot
bx, bz = -0.3, -0.49  # m: the foot against the hip, less the part that turns with upper and lower
crouched, standing = 0.30, 0.49  # m: height of the hips above the feet's centres

# The controller: torque = stiffness × (wanted − angle) + damping × (wanted rate − rate).
stiffness, damping = 2000.0, 60.0  # N m/rad, N m s/rad
begin, rise = 0.2, 1.5  # s: when it begins to stand up, and how long that takes


def fold(height):
    """The angle β by which upper and lower are raised so that the foot is `height` from the hip."""
    reach = np.hypot(bx, bz)
    return np.arctan2(bz, bx) + np.arccos((height**2 - reach**2 - upper**2) / (2 * upper * reach))


def angles(height):
    """Angles of hip and joint a with which the foot is `height` below the hip. Joint a turns downwards, by −β."""
    beta = fold(height)
    return np.array([np.arctan2(bx + upper * np.cos(beta), -bz - upper * np.sin(beta)), -beta])


def wanted(t):
    """Angles and their rates: from crouching to standing without a jerk."""

    def at(time):
        s = min(max((time - begin) / rise, 0.0), 1.0)
        return angles(crouched + (standing - crouched) * s**3 * (10 - 15 * s + 6 * s**2))

    difference = 1e-6
    return at(t), (at(t + difference) - at(t - difference)) / (2 * difference)


def place_leg(model, leg):
    """Puts the bodies of a leg where they are when the robot crouches."""
    hip, knee = angles(crouched)
    x, y = legs[leg]
    turned = lambda a, u, w: np.array([u * np.cos(a) + w * np.sin(a), 0, -u * np.sin(a) + w * np.cos(a)])  # about y
    at = np.array([x, y, crouched + foot])
    pin = {"upper": at + turned(hip, -0.15, pins / 2), "lower": at + turned(hip, -0.15, -pins / 2)}
    places = {
        "link": (at + turned(hip, -0.075, 0), hip),
        "upper": (pin["upper"] + turned(hip + knee, upper / 2, 0), hip + knee),
        "lower": (pin["lower"] + turned(hip + knee, upper / 2, 0), hip + knee),
        "shank": (pin["upper"] + turned(hip + knee, upper, 0) - turned(hip, 0.07, 0.28), hip),
    }
    for name, (position, angle) in places.items():
        model[f"bodies.{leg}_{name}.position"] = position
        model[f"bodies.{leg}_{name}.orientation"] = {"axis": [0, 1, 0], "angle": angle}


def crouching_robot():
    """The robot of examples/hexapod on rigid feet, crouching, with torques for drives."""
    model = tappet.load(here.parent / "hexapod" / "hexapod.yaml")
    del model["motions"]
    model["bodies.frame.position"] = [0, 0, crouched + foot]
    model["inputs"] = {}
    model["forces"] = {}
    for leg in legs:
        place_leg(model, leg)
        for joint, body, against in (("hip", "link", "frame"), ("a", "upper", f"{leg}_link")):
            torque = f"{leg}_{joint}_torque"
            model.add(f"inputs.{torque}", {"default": 0, "unit": "N m"})
            model.add(f"forces.{leg}_{joint}_motor", {
                "type": "torque", "body": f"{leg}_{body}", "reaction": against, "vector": [0, torque, 0], "axes": "body"
            })
    model["simulation"] = {"method": "moreau", "duration": 3, "step": "2 ms"}
    return model


def stand_up(model):
    """Stands up; returns times, the frame's heights and tilts, and the torques."""
    simulation = tappet.Simulation(model)
    joints = [f"{leg}_{joint}" for leg in legs for joint in ("hip", "a")]
    angle = [simulation.signal(f"{joint}.angle") for joint in joints]
    rate = [simulation.signal(f"{joint}.angle_rate") for joint in joints]
    frame = 7 * simulation.bodies.index("frame")
    q = simulation.q[frame : frame + 7]  # a view: x, y, z and the quaternion of the frame
    rows = []
    while simulation.time < simulation.duration:
        goal, speed = wanted(simulation.time)
        torque = stiffness * (np.tile(goal, 6) - [s.value for s in angle]) + damping * (np.tile(speed, 6) - [s.value for s in rate])
        simulation.set_inputs(torque)
        simulation.step()
        # How far the frame's own vertical is from the world's: cos = 1 − 2 (qx² + qy²).
        tilt = 2 * np.arcsin(min(1.0, np.hypot(q[4], q[5])))
        rows.append((simulation.time, q[2], tilt, np.abs(torque).max()))
    return np.array(rows), simulation


def main():
    rows, simulation = stand_up(crouching_robot())
    for t in (0.2, 0.7, 1.0, 1.3, 1.7, 3.0):
        time, height, tilt, torque = rows[np.searchsorted(rows[:, 0], t - 1e-9)]
        print(f"t = {time:3.1f} s: height {height * 1e3:5.1f} mm, tilt {np.degrees(tilt):4.2f}°, largest torque {torque:4.1f} N m")
    feet = simulation.contacts()
    print(f"{len(feet)} feet carry {sum(contact.force[2] for contact in feet):.1f} N")
    if len(sys.argv) > 1:
        import matplotlib.pyplot as plt

        figure, (top, bottom) = plt.subplots(2, sharex=True)
        top.plot(rows[:, 0], rows[:, 1] * 1e3)
        bottom.plot(rows[:, 0], rows[:, 3])
        top.set_ylabel("height, mm")
        bottom.set(ylabel="largest torque, N m", xlabel="time, s")
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()

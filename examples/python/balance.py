"""A rod on a cart is kept upright by a controller written in Python.

    PYTHONPATH=build/release/python/package python3 examples/python/balance.py [FIGURE.svg]

Every 10 ms the controller reads where the cart is and how the rod leans, and sets the force that pushes the cart.
"""

import sys
from pathlib import Path

import numpy as np

import tappet

here = Path(__file__).resolve().parent
interval = 0.01  # s, between two looks of the controller

# The model's numbers: masses, the rod's moment of inertia and the distance of its centre from the pivot.
cart, rod, inertia, half, g = 1.0, 0.2, 0.006, 0.3, 9.81


def linear_model():
    """ẋ = A x + B F near the upright position, x = (cart's place, rod's angle, and their rates).

    The rod's centre is at (s − ℓ sin φ, ℓ cos φ), so that Lagrange's equations, linearised, are
        (M + m) s̈ − m ℓ φ̈ = F,    (I + m ℓ²) φ̈ − m ℓ s̈ = m g ℓ φ.
    """
    mass = np.array([[cart + rod, -rod * half], [-rod * half, inertia + rod * half**2]])
    inverse = np.linalg.inv(mass)
    a, b = np.zeros((4, 4)), np.zeros((4, 1))
    a[:2, 2:] = np.eye(2)
    a[2:, :2] = inverse @ np.diag([0, rod * g * half])
    b[2:, :] = inverse @ [[1], [0]]
    return a, b


def held(a, b, time):
    """x(t + time) = A' x(t) + B' F for a force that is held meanwhile: the exponential of [[A, B], [0, 0]], by its series."""
    n = len(a)
    block = np.zeros((n + 1, n + 1))
    block[:n, :n], block[:n, n:] = a * time, b * time
    term = total = np.eye(n + 1)
    for k in range(1, 20):
        term = term @ block / k
        total = total + term
    return total[:n, :n], total[:n, n:]


def regulator(a, b, weights=(10.0, 10.0, 1.0, 1.0), effort=0.1):
    """The gains K of F = −K x that make Σ xᵀ Q x + R F² least: Riccati's equation, iterated until it stands still."""
    q, r = np.diag(weights), np.array([[effort]])
    p = q
    for _ in range(10_000):
        gains = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        following = q + a.T @ p @ (a - b @ gains)
        if np.abs(following - p).max() < 1e-12 * np.abs(p).max():
            return gains[0]
        p = following
    raise ArithmeticError("Riccati's equation did not come to rest")


def leaning(angle):
    """The model with its rod leaning by this angle, at rest."""
    model = tappet.load(here / "pendulum_on_cart.yaml")
    model["bodies.rod.angle"] = angle
    model["bodies.rod.position"] = [-half * np.sin(angle), half * np.cos(angle)]
    return model


def balance(angle, gust=0.0):
    """Times and x of a run that begins with this lean; from 4 s to 4.2 s a gust blows against the rod."""
    simulation = tappet.Simulation(leaning(angle))
    gains = regulator(*held(*linear_model(), interval))
    signals = [simulation.signal(name) for name in ("cart.x", "rod.angle", "cart.vx", "rod.omega")]
    times, places = [], []
    for n in range(round(simulation.duration / interval)):
        x = np.array([signal.value for signal in signals])
        times.append(simulation.time)
        places.append(x)
        simulation.inputs.update(push=-gains @ x, gust=gust if 400 <= n < 420 else 0)
        simulation.advance((n + 1) * interval)
    return np.array(times), np.array(places)


def main():
    gains = regulator(*held(*linear_model(), interval))
    print("gains: {:.2f} N/m, {:.2f} N/rad, {:.2f} N s/m, {:.2f} N s/rad".format(*gains))
    times, x = balance(np.radians(15), gust=0.5)
    degrees = np.degrees(x[:, 1])
    for t in (0, 0.5, 1, 2, 4, 4.2, 5, 7.9):
        n = round(t / interval)
        print(f"t = {t:3.1f} s: the cart is at {x[n, 0]:6.3f} m, the rod leans by {degrees[n]:6.2f}°")
    if len(sys.argv) > 1:
        import matplotlib.pyplot as plt

        figure, (top, bottom) = plt.subplots(2, sharex=True)
        top.plot(times, x[:, 0])
        bottom.plot(times, degrees)
        top.set_ylabel("cart, m")
        bottom.set(ylabel="rod, °", xlabel="time, s")
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()

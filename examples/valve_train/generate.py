"""Writes cam.csv: lift of the tappet over the cam's angle, with smooth ends: 8.5 mm within 130 degrees of cam."""

with open("cam.csv", "w") as out:
    out.write("angle,lift\n")
    for degree in range(0, 361, 2):
        u = (degree - 50) / 130  # 0 at opening, 1 at closing
        s = 2 * u if u < 0.5 else 2 - 2 * u
        # s^4 (35 - 84 s + 70 s^2 - 20 s^3): velocity, acceleration and jerk are 0 at both ends.
        lift = 8.5 * s**4 * (35 - 84 * s + 70 * s**2 - 20 * s**3) if 0 < u < 1 else 0
        out.write(f"{degree},{lift:.6f}\n")

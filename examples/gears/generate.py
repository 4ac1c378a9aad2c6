#!/usr/bin/env python3
"""Writes pinion.stl and wheel.stl, two involute gears of equal thickness, in mm:  generate.py [PIECES]

PIECES: straight pieces of a flank, 6.
"""
import math
import struct
import sys

MODULE, ANGLE, BACKLASH, WIDTH = 2.0, math.radians(20), 0.04, 10.0


def involute(a):
    return math.tan(a) - a


def outline(teeth, pieces):
    """Anticlockwise, the first tooth on the x axis. Radii from the foot to the tip, with half of the tooth's angle at each."""
    pitch = MODULE * teeth / 2
    base, root, tip = pitch * math.cos(ANGLE), pitch - 1.25 * MODULE, pitch + MODULE

    def half(r):
        return math.pi / (2 * teeth) - BACKLASH / (4 * pitch) + involute(ANGLE) - involute(math.acos(min(1, base / r)))

    start = max(base, root) * (1 + 1e-9)
    roll = [math.sqrt((r / base) ** 2 - 1) for r in (start, tip)]
    flank = [(root, half(start) + 0.1 / teeth)] if root < 0.999 * base else []
    for k in range(pieces + 1):
        r = base * math.hypot(1, roll[0] + (roll[1] - roll[0]) * k / pieces)
        flank.append((r, half(r)))
    points = []
    for i in range(teeth):
        middle = 2 * math.pi * i / teeth
        points += [(r, middle - a) for r, a in flank] + [(r, middle + a) for r, a in reversed(flank)]
    return [(r * math.cos(a), r * math.sin(a)) for r, a in points]


def write_stl(path, points):
    """The plate of this outline, its middle plane at z = 0, as a binary STL file."""
    low, high = -WIDTH / 2, WIDTH / 2
    triangles = []
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        a, b, c, d = (x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high)
        triangles += [(a, b, c), (a, c, d), ((0, 0, low), b, a), ((0, 0, high), d, c)]
    with open(path, "wb") as out:
        out.write(b"plate".ljust(80) + struct.pack("<I", len(triangles)))
        for t in triangles:
            out.write(struct.pack("<12fH", 0, 0, 0, *(v for corner in t for v in corner), 0))


pieces = int(sys.argv[1]) if len(sys.argv) > 1 else 6
write_stl("pinion.stl", outline(20, pieces))
write_stl("wheel.stl", outline(30, pieces))

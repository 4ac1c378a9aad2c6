#!/usr/bin/env python3
"""Prints the model of a wall of boxes, in the plane or in space:  generate.py ROWS COLUMNS [spatial [group]] > wall.yaml

group: two entries of contacts for all boxes, whose places are found as they move, in place of one for each pair.
"""
import sys

rows, columns = int(sys.argv[1]), int(sys.argv[2])
spatial, group = "spatial" in sys.argv[3:], "group" in sys.argv[3:]
w, d, h, joint = 0.2, 0.1, 0.1, 0.002


def vector(x, z):
    return f"[{x:.6g}, 0, {z:.6g}]" if spatial else f"[{x:.6g}, {z:.6g}]"


if spatial:
    inertia = f"[{(d * d + h * h) / 12:.9g}, {(w * w + h * h) / 12:.9g}, {(w * w + d * d) / 12:.9g}]"
    size, rest = f"[{w}, {d}, {h}]", "velocity: [0, 0, 0], angular_velocity: [0, 0, 0]"
else:
    inertia, size, rest = f"{(w * w + h * h) / 12:.9g}", f"[{w}, {h}]", "velocity: [0, 0], angular_velocity: 0"
print(f"""# A wall of {rows} rows of {columns} boxes, each row a quarter of a box beside the one below; made by generate.py {' '.join(sys.argv[1:])}.
tappet: 1
title: Wall of {rows} by {columns} boxes
dimension: {'spatial' if spatial else 'planar'}
gravity: {vector(0, -9.81)}
bodies:""")
for r in range(rows):
    for c in range(columns):
        x, z = (c + 0.25 * (r % 2)) * (w + joint), (r + 0.5) * h
        print(f"  b{r}_{c}: {{mass: 1 kg, inertia: {inertia}, position: {vector(x, z)}, {rest}, shapes: {{skin: {{box: {{size: {size}}}}}}}}}")
print(f"""ground: {{shapes: {{floor: {{plane: {{normal: {vector(0, 1)}}}}}}}}}
contacts:""")
law = "normal: {restitution: 0}, friction: {coefficient: 0.5}"
if group:
    print(f"  floor: {{between: [ground.floor, 'b0_*.skin'], {law}, group: true}}")
    print(f"  stack: {{between: ['b*.skin', 'b*.skin'], {law}, group: true}}")
for c in range(columns if not group else 0):
    print(f"  f{c}: {{between: [ground.floor, b0_{c}.skin], {law}}}")
for r in range(1, rows if not group else 0):
    for c in range(columns):
        for k in (c - 1, c) if r % 2 == 0 else (c, c + 1):
            if 0 <= k < columns:
                print(f"  s{r}_{c}_{k}: {{between: [b{r - 1}_{k}.skin, b{r}_{c}.skin], {law}}}")
settings = ", solver: nsgs, tolerance: 2e-5" if group else ""
print(f"""simulation: {{method: moreau, duration: 10 s, step: 10 ms{settings}}}
output: {{step: 0.5 s, signals: ['*.x', '*.y', {"'*.z', '*.q*'" if spatial else "'*.angle'"}, 'energy.*']}}""")

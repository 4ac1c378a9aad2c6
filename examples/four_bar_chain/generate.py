#!/usr/bin/env python3
"""Prints the model of N four-bar windows in a row:  generate.py N > windows.yaml"""
import sys

n = int(sys.argv[1])
print(f"""# IFToMM problem A02: {n} square windows in a row; made by generate.py {n}.
tappet: 1
title: {n} four-bar windows
dimension: planar
gravity: [0, -9.81]
bodies:""")
rod = "mass: 1 kg, inertia: 1/12 kg m^2"
for i in range(n + 1):
    # The first crank turns so that its free end moves at +1 m/s; the others follow from the joints.
    spin = ", angular_velocity: -1 rad/s" if i == 0 else ""
    print(f"  crank{i}: {{{rod}, position: [{i}, 0.5], angle: 90 deg{spin}}}")
for i in range(n):
    print(f"  coupler{i}: {{{rod}, position: [{i}.5, 1]}}")
print("joints:")
for i in range(n + 1):
    print(f"  a{i}: {{type: revolute, bodies: [ground, crank{i}], points: [[{i}, 0], [-0.5, 0]]}}")
for i in range(n):
    # The coupler is pinned to the crank on its left, and the crank on its right to the coupler.
    print(f"  b{i}: {{type: revolute, bodies: [crank{i}, coupler{i}], points: [[0.5, 0], [-0.5, 0]]}}")
    print(f"  c{i}: {{type: revolute, bodies: [coupler{i}, crank{i + 1}], points: [[0.5, 0], [0.5, 0]]}}")
print("""events:
  revolution: {signal: crank0.angle, level: -270 deg, direction: falling}
simulation:
  duration: 10 s
  tolerance: 1e-12
output:
  step: 10 ms
  signals: [crank0.*, energy.*]""")

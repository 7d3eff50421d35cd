"""A rover climbs a dune: speed and slip over the way, and the track it leaves on a map."""

import numpy as np

import grouser

world = grouser.World.builtin("terra")
simulation = grouser.Simulation(world)
trunk = simulation.body("rover/trunk")

print("  time [s]   x [m]   climb [m]   mean slip   power [W]")
start = trunk.position
for time in range(10, 51, 10):
    simulation.run_to(time)
    sample = simulation.sample()
    x, _, z = trunk.position
    slip = sample.wheels["slip"].mean()
    power = sample.wheels["power"].sum()
    print(f"{time:10d}{x:8.1f}{z - start[2]:12.2f}{slip:12.2f}{power:12.0f}")

print("distance:", f"{simulation.report.distance:.1f} m,", "energy:", f"{simulation.report.energy:.0f} J")

height = world.ground_patch(world.ground_bounds, spacing=0.5)
steepest = np.abs(np.diff(height.heights, axis=1)).max() / 0.5
print(f"steepest slope on the map: {np.degrees(np.arctan(steepest)):.0f} degrees")

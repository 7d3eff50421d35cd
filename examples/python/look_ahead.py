"""Looks ahead: from one state, several drives at different speeds of the wheels, side by side in threads; the rover then takes
the one that needs the least energy per metre, all else on board included, and looks again."""

from concurrent.futures import ThreadPoolExecutor

import grouser

AHEAD = 2.0  # [s]
ON_BOARD = 1.5  # power of all but the drives [W]
SPEEDS = [0.4, 0.7, 1.0, 1.3]  # of the wheels [rad/s]

world = grouser.World.builtin("terra")


def drive(simulation, speed, duration):
    for name in world.actuators:
        if name.endswith("_drive"):
            simulation.actuator(name).set_velocity(speed)
    simulation.run_to(simulation.time + duration)
    return simulation


def cost(state, speed):
    """Energy per metre [J/m] of a drive that nobody else sees."""
    report = drive(grouser.Simulation(world, start=state, threads=1), speed, AHEAD).report
    return (report.energy + ON_BOARD * AHEAD) / max(report.distance, 1e-3)


rover = grouser.Simulation(world)
rover.run_to(20)
with ThreadPoolExecutor() as pool:
    for _ in range(3):
        state = rover.state
        costs = list(pool.map(lambda speed: cost(state, speed), SPEEDS))
        best = SPEEDS[costs.index(min(costs))]
        print(f"at {rover.time:.0f} s:", ", ".join(f"{c:.0f}" for c in costs), f"J/m; takes {best} rad/s")
        drive(rover, best, AHEAD)

"""A controller of one's own: slows each wheel while it slips more than a set value."""

import grouser

SPEED = 1.0  # of the wheels [rad/s]


def drive(wanted_slip):
    """Mean slip over the way up the dune, with or without the controller."""
    simulation = grouser.Simulation(grouser.World.builtin("terra"))
    wheels = [simulation.wheel(name) for name in simulation.world.wheels]
    motors = [simulation.actuator(f"{wheel.name}_drive") for wheel in wheels]
    speeds = [SPEED] * len(wheels)

    def control(simulation):
        for k, (wheel, motor) in enumerate(zip(wheels, motors)):
            if wanted_slip is not None:
                speeds[k] += 0.2 * (wanted_slip - wheel.slip) * SPEED
                speeds[k] = min(max(speeds[k], 0.3 * SPEED), SPEED)
            motor.set_velocity(speeds[k])

    simulation.add_controller(control, rate_hz=20)
    simulation.run_to(40)
    report = simulation.report
    slips = [wheel.slip_mean for wheel in report.wheels.values()]
    return sum(slips) / len(slips), report.distance, report.energy


for name, wanted in (("same speed for all", None), ("wheels slowed above a slip of 0.2", 0.2)):
    slip, distance, energy = drive(wanted)
    print(f"{name}: mean slip {slip:.2f}, {distance:.1f} m, {energy / distance:.0f} J/m")

import copy
import gc
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import resident_bytes

import grouser


def test_steps_and_runs(rover):
    simulation = grouser.Simulation(rover, threads=1)
    assert simulation.step() and simulation.steps == 1
    assert simulation.run_to(1) is grouser.Outcome.completed
    assert simulation.time == 1 and "at 1 s" in repr(simulation)
    simulation.reset()
    assert simulation.time == 0 and simulation.world is rover


def test_same_bits_as_the_program_and_c(rover):
    """Those of test/c/calls.c, which the same scene gives in C and in `grouser run`."""
    a, b = grouser.Simulation(rover), grouser.Simulation(rover, threads=2)
    a.run_to(3)
    b.run_to(3)
    assert a.state == b.state and f"{a.state.hash:016x}" in repr(a.state)


def test_states_are_restored_copied_and_pickled(rover):
    simulation = grouser.Simulation(rover)
    simulation.actuator("rover/front_left_drive").set_velocity(0.3)
    simulation.run_to(0.5)
    half = simulation.state
    simulation.run_to(1)
    end = simulation.state
    assert half != end and half.time == 0.5 and hash(half) != hash(end)
    for state in (half, copy.copy(half), copy.deepcopy(half), pickle.loads(pickle.dumps(half)),
                  grouser.State.from_bytes(half.to_bytes(), rover)):
        assert state == half and state.hash == half.hash
        simulation.state = state
        simulation.run_to(1)
        assert simulation.state == end
    half.save("half.h5")
    with open("half.h5", "rb") as file:
        assert file.read() == half.to_bytes()
    second = grouser.Simulation(rover, start=grouser.State.load("half.h5", rover))
    second.run_to(1)
    assert second.state == end
    second.run_to(1.0013)
    assert second.resumable.time < second.time


def test_samples_are_snapshots_and_views_keep_them_alive(rover):
    simulation = grouser.Simulation(rover)
    simulation.run_to(1)
    sample = simulation.sample()
    position = sample.bodies["position"]
    slip = sample.wheels["slip"]
    kept = position.copy()
    name = rover.bodies[0]
    assert np.array_equal(position[0], simulation.body(name).position)
    assert np.shares_memory(position, sample.bodies)
    for array in (position, slip, sample.q, sample.v, sample.contacts, sample.actuators["power"]):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[...] = 0
    simulation.run_to(2)
    del sample, simulation
    gc.collect()
    assert np.array_equal(position, kept)
    writeable = position.copy()
    writeable[0] = 0
    assert not np.array_equal(position, writeable)


def test_things_by_name(rover):
    simulation = grouser.Simulation(rover)
    simulation.run_to(3)
    wheel = simulation.wheel("rover/front_left")
    sample = simulation.sample()
    for field in sample.wheels.dtype.names:
        assert getattr(wheel, field) == sample.wheels[field][wheel.index]
        assert getattr(wheel.sample, field) == getattr(wheel, field)
    assert wheel.sinkage > 0 and "sinkage" in repr(wheel)
    motor = simulation.actuator("rover/front_left_drive")
    assert motor.power == sample.actuators["power"][motor.index] and motor.effort == motor.sample.effort
    body = simulation.body("rover/trunk")
    assert np.linalg.norm(body.orientation) == pytest.approx(1)
    assert np.array_equal(body.linear, sample.bodies["linear"][body.index])
    assert np.array_equal(body.angular, sample.bodies["angular"][body.index])
    assert "rover/trunk" in repr(body) and "effort" in repr(motor)
    with pytest.raises(grouser.Error, match="did you mean 'rover/front_left'"):
        simulation.wheel("rover/front_lift")


def test_inputs_push_as_newton_says():
    """x = F t²/(2 m): measured residual 1e-15 m."""
    slider = {"name": "slider", "mass": 2, "shape": {"box": [0.1, 0.1, 0.1]},
              "joint": {"name": "rail", "type": "prismatic", "parent": "world", "axis": [1, 0, 0]}}
    world = grouser.World.build({
        "gravity": "zero", "integrator": {"method": "rk4", "step": 0.01},
        "models": [{"name": "m", "tree": {"bodies": [slider]}}],
        "actuators": [{"name": "motor", "joint": "rail", "type": "torque"}]})
    simulation = grouser.Simulation(world)
    motor, body = simulation.actuator("motor"), simulation.body("m/slider")
    motor.set_effort(3)
    simulation.run_to(2)
    assert body.position[0] == pytest.approx(3, abs=1e-12)
    simulation.reset()
    motor.release()
    body.set_wrench(force=[4, 0, 0])
    simulation.run_to(1)
    assert body.position[0] == pytest.approx(1, abs=1e-12)


def test_controllers_act_at_their_rate(pendulum):
    simulation = grouser.Simulation(pendulum)
    ticks = []
    simulation.add_controller(lambda self: ticks.append(self.time), rate_hz=10, start_time=0.1)

    @simulation.controller(rate_hz=5)
    def look(self):
        assert self is simulation
        self.sample()

    simulation.run_to(0.55)
    assert ticks == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])


def test_what_controllers_raise_comes_out(pendulum):
    simulation = grouser.Simulation(pendulum)

    class Mine(Exception):
        pass

    def fail(self):
        if self.time > 0.1:
            raise Mine("at", self.time)

    simulation.add_controller(fail, rate_hz=10)
    with pytest.raises(Mine):
        simulation.run_to(1)
    assert simulation.time < 0.3

    def moves(self):
        self.step()

    other = grouser.Simulation(pendulum)
    other.add_controller(moves, start_time=0.1)
    with pytest.raises(grouser.Error, match="moving"):
        other.run_to(1)


def test_controllers_stop_runs(pendulum):
    simulation = grouser.Simulation(pendulum)
    simulation.add_controller(lambda self: self.stop() if self.time > 0.5 else None, rate_hz=10)
    assert simulation.run_to(10) is grouser.Outcome.interrupted
    assert 0.5 < simulation.time < 1


def test_simulations_run_at_the_same_time(rover):
    """Steps are taken without Python's lock: while one thread runs, this one works."""
    simulation = grouser.Simulation(rover, threads=1)
    thread = threading.Thread(target=simulation.run_to, args=(1e6,))
    thread.start()
    deadline = time.monotonic() + 10
    refused = None
    while refused is None and time.monotonic() < deadline:
        try:
            simulation.sample()
        except grouser.Error as error:
            refused = error
    assert refused is not None and "another thread" in str(refused)
    simulation.stop()
    thread.join()
    simulation.sample()

    alone = grouser.Simulation(rover)
    alone.run_to(0.5)
    several = [grouser.Simulation(rover, threads=1) for _ in range(8)]
    threads = [threading.Thread(target=each.run_to, args=(0.5,)) for each in several]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each.state == alone.state for each in several)


INTERRUPTED = """
import os, signal, threading, time
import grouser
simulation = grouser.Simulation(grouser.World.builtin("terra"))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
before = signal.getsignal(signal.SIGINT)
try:
    simulation.run_to(1e6)
    print("ran on")
except KeyboardInterrupt:
    time_there = simulation.time
    assert 0 < time_there < 1e6 and signal.getsignal(signal.SIGINT) is before
    simulation.step()
    print("interrupted")
calls = []
signal.signal(signal.SIGINT, lambda *_: calls.append(1))
start = time.monotonic()
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
threading.Timer(0.6, simulation.stop).start()
assert simulation.run_to(1e6) is grouser.Outcome.interrupted and calls == [1]
assert time.monotonic() - start > 0.5  # the handler raised nothing: the run went on
simulation.stop()
assert simulation.run_to(1e6) is grouser.Outcome.interrupted
try:
    os.kill(os.getpid(), signal.SIGINT)  # outside of runs Python's handler is the only one
    time.sleep(0.01)
finally:
    assert calls == [1, 1]
print("handled")
"""


def test_ctrl_c_ends_a_run():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["interrupted", "handled"], done.stderr


def test_report(rover):
    simulation = grouser.Simulation(rover)
    simulation.run_to(3)
    report = simulation.report
    assert report.time == 3 and report.steps == simulation.steps and report.distance > 0 and report.energy > 0
    assert set(report.wheels) == set(rover.wheels)
    assert report.wheels["rover/front_left"].slip_mean > 0
    assert simulation.warnings == report.warnings and simulation.events == report.events


def test_ruts_are_seen(plate):
    simulation = grouser.Simulation(plate)
    simulation.run_to(0.2)
    patch = simulation.ground_patch((-0.2, -0.2, 0.2, 0.2), 0.05)
    assert patch.heights.shape == (9, 9) and patch.heights.min() < -0.001
    assert simulation.ground_at(0, 0).height == patch.heights[4, 4]
    assert plate.ground_at(0, 0).height == 0


def test_contacts_of_a_host():
    radius, mass = 0.1, 2
    ball = {"name": "ball", "mass": mass, "shape": {"sphere": {"radius": radius}}}
    world = grouser.World.build({
        "integrator": {"method": "moreau_jean", "step": 0.001},
        "models": [{"name": "toy", "position": [0, 0, 0.3], "tree": {"bodies": [ball]}}]}).with_host_contacts()
    simulation = grouser.Simulation(world)
    body = simulation.body("toy/ball")
    for _ in range(1000):
        x, y, z = body.position
        floor = grouser.HostContact("toy/ball", (x, y, z - radius), gap=z - radius, friction=0.4)
        simulation.set_contacts([floor])
        simulation.step()
    (force,) = simulation.contact_forces
    assert force.force[2] == pytest.approx(mass * 9.80665, rel=1e-9)
    simulation.set_contacts([])
    assert simulation.contact_forces == []


def test_circles_of_owners_are_collected(rover):
    """A controller that refers to its simulation, and through handles of it, does not keep it."""
    simulation = grouser.Simulation(rover)
    wheel = simulation.wheel("rover/front_left")
    simulation.add_controller(lambda self: (wheel.slip, simulation.time))
    simulation.friend = {"back": simulation}
    simulation.run_to(0.1)
    dead = weakref.ref(simulation)
    del simulation, wheel
    gc.collect()
    assert dead() is None


def test_many_worlds_leave_nothing(pendulum):
    text = "grouser: 1\nmodels: [{name: m, tree: {bodies: [{name: b, mass: 1, shape: {sphere: {radius: 1}}}]}}]\n"

    def make():
        world = grouser.World.parse(text)
        simulation = grouser.Simulation(world, threads=1)
        simulation.add_controller(lambda self: simulation.time)
        simulation.step()
        simulation.sample().q
        simulation.state.to_bytes()
        with pytest.raises(grouser.Error):
            simulation.wheel("none")

    for _ in range(200):
        make()
    gc.collect()
    before = resident_bytes()
    for _ in range(1000):
        make()
    gc.collect()
    assert resident_bytes() - before < 2_000_000

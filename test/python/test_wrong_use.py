"""Wrong use: a clear error, never a crash."""

import copy
import math
import pickle
import threading

import numpy as np
import pytest
from conftest import PLATE

import grouser

W, S = grouser.World, grouser.Simulation


class Odd:
    """Refuses to be a number."""

    def __float__(self):
        raise RuntimeError("no")


def nested(levels):
    value = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def circle():
    value = {}
    value["self"] = value
    return value


# What is called with a dict of what there is: rover, pendulum, plate, simulation, state, contacts.
CALLS = {
    "world of nothing": lambda t: W(),
    "world of a text": lambda t: W("terra"),
    "load of nothing": lambda t: W.load(None),
    "load of a folder": lambda t: W.load("/"),
    "load of no file": lambda t: W.load("nothing.yaml"),
    "load of a number": lambda t: W.load(3),
    "builtin of a misspelt name": lambda t: W.builtin("tera"),
    "builtin of None": lambda t: W.builtin(None),
    "parse of None": lambda t: W.parse(None),
    "parse of bytes that are no text": lambda t: W.parse(b"\xff\xfe"),
    "parse of nonsense": lambda t: W.parse("{"),
    "parse of a lone surrogate": lambda t: W.parse("\ud800"),
    "build of None": lambda t: W.build(None),
    "build of a list": lambda t: W.build([]),
    "build of an object": lambda t: W.build({"models": object()}),
    "build of a complex number": lambda t: W.build({"duration": 1j}),
    "build of a set": lambda t: W.build({"models": {1, 2}}),
    "build of a key that is a number": lambda t: W.build({3: 4}),
    "build of NaN": lambda t: W.build({**PLATE, "duration": math.nan}),
    "build of infinity": lambda t: W.build({**PLATE, "duration": math.inf}),
    "build of a deep scene": lambda t: W.build(nested(5000)),
    "build of a circle": lambda t: W.build(circle()),
    "build of what refuses to be a number": lambda t: W.build({"duration": Odd()}),
    "build of an array of texts": lambda t: W.build({"models": np.array(["a"])}),
    "build of a huge integer": lambda t: W.build({**PLATE, "duration": 10**400}),
    "ground at NaN": lambda t: t["rover"].ground_at(math.nan, 0),
    "ground at a text": lambda t: t["rover"].ground_at("0", 0),
    "patch of three bounds": lambda t: t["rover"].ground_patch((0, 0, 1)),
    "patch of None": lambda t: t["rover"].ground_patch(None),
    "patch of NaN": lambda t: t["rover"].ground_patch((0, 0, math.nan, 1)),
    "patch of infinity": lambda t: t["rover"].ground_patch((-math.inf, 0, math.inf, 1)),
    "patch out of order": lambda t: t["rover"].ground_patch((1, 0, 0, 1)),
    "patch without spacing": lambda t: t["rover"].ground_patch((0, 0, 1, 1), 0),
    "patch of too many nodes": lambda t: t["rover"].ground_patch((0, 0, 1, 1), 1e-9),
    "name of a world changed": lambda t: setattr(t["rover"], "name", "mine"),
    "simulation of nothing": lambda t: S(),
    "simulation of None": lambda t: S(None),
    "simulation of a text": lambda t: S("terra"),
    "simulation of threads below zero": lambda t: S(t["rover"], threads=-1),
    "simulation from bytes": lambda t: S(t["rover"], start=b"state"),
    "simulation from a state of another world": lambda t: S(t["pendulum"], start=t["state"]),
    "simulation that is not initialised": lambda t: S.__new__(S).step(),
    "simulation pickled": lambda t: pickle.dumps(t["simulation"]),
    "simulation copied": lambda t: copy.deepcopy(t["simulation"]),
    "run to NaN": lambda t: t["simulation"].run_to(math.nan),
    "run to the past": lambda t: t["simulation"].run_to(-1),
    "run to None": lambda t: t["simulation"].run_to(None),
    "run to a text": lambda t: t["simulation"].run_to("later"),
    "restore of None": lambda t: t["simulation"].restore(None),
    "restore of bytes": lambda t: t["simulation"].restore(b"bytes"),
    "restore of a state of another world": lambda t: t["simulation"].restore(S(t["pendulum"]).state),
    "state set to a number": lambda t: setattr(t["simulation"], "state", 3),
    "wheel of None": lambda t: t["simulation"].wheel(None),
    "wheel of an index": lambda t: t["simulation"].wheel(0),
    "wheel of an unknown name": lambda t: t["simulation"].wheel("rover/wheel"),
    "body of an empty name": lambda t: t["simulation"].body(""),
    "actuator of an unknown name": lambda t: t["simulation"].actuator("motor"),
    "wheel index out of range": lambda t: t["simulation"]._wheel(99),
    "velocity of NaN": lambda t: t["simulation"].actuator("rover/front_left_drive").set_velocity(math.nan),
    "velocity of None": lambda t: t["simulation"].actuator("rover/front_left_drive").set_velocity(None),
    "velocity of an array": lambda t: t["simulation"].actuator("rover/front_left_drive").set_velocity(np.zeros(3)),
    "target of no kind": lambda t: t["simulation"]._set_target(0, "speed", 1.0),
    "target of an index out of range": lambda t: t["simulation"]._set_target(-7, "velocity", 1.0),
    "wrench of two numbers": lambda t: t["simulation"].body("rover/trunk").set_wrench([1, 2]),
    "wrench of infinity": lambda t: t["simulation"].body("rover/trunk").set_wrench([math.inf, 0, 0]),
    "wrench of None": lambda t: t["simulation"].body("rover/trunk").set_wrench(None),
    "contacts in a world without a place": lambda t: t["simulation"].set_contacts(
        [grouser.HostContact("rover/trunk", (0, 0, 0))]),
    "contacts of None": lambda t: t["simulation"].set_contacts(None),
    "contacts of numbers": lambda t: t["simulation"].set_contacts([1, 2]),
    "contacts with half a point": lambda t: t["simulation"].set_contacts([grouser.HostContact("rover/trunk", (0, 0))]),
    "contacts as rows of NaN": lambda t: t["simulation"]._set_contacts(np.full((1, 11), math.nan)),
    "contacts as rows of ten": lambda t: t["simulation"]._set_contacts(np.zeros((1, 10))),
    "controller of None": lambda t: t["simulation"].add_controller(None),
    "controller at no rate": lambda t: t["simulation"].add_controller(print, rate_hz=0),
    "controller at NaN": lambda t: t["simulation"].add_controller(print, rate_hz=math.nan),
    "record to a file": lambda t: t["simulation"].record("/proc/version"),
    "record to None": lambda t: t["simulation"].record(None),
    "state of nothing": lambda t: grouser.State(None, t["rover"]),
    "state from nothing": lambda t: grouser.State.from_bytes(b"", t["rover"]),
    "state from a text": lambda t: grouser.State.from_bytes("text", t["rover"]),
    "state from bytes cut short": lambda t: grouser.State.from_bytes(t["state"].to_bytes()[:-1], t["rover"]),
    "state from half the bytes": lambda t: grouser.State.from_bytes(t["state"].to_bytes()[:5000], t["rover"]),
    "state of another world": lambda t: grouser.State.from_bytes(t["state"].to_bytes(), t["pendulum"]),
    "state in no world": lambda t: grouser.State.from_bytes(t["state"].to_bytes(), None),
    "state from no file": lambda t: grouser.State.load("nothing.h5", t["rover"]),
    "state saved to no folder": lambda t: t["state"].save("/proc/no/such/file"),
    "state changed": lambda t: setattr(t["state"], "time", 3),
    "pickle of a state cut short": lambda t: pickle.loads(pickle.dumps(t["state"])[:-20]),
    "contacts of nothing": lambda t: grouser.Contacts(None),
    "contacts that are not initialised": lambda t: grouser.Contacts.__new__(grouser.Contacts).next_tick,
    "contacts of threads below zero": lambda t: grouser.Contacts(t["plate"], threads=-2),
    "contacts pickled": lambda t: pickle.dumps(t["contacts"]),
    "poses of None": lambda t: t["contacts"].forces(0, None, None),
    "poses in one row": lambda t: t["contacts"].forces(0, np.zeros(7), np.zeros((1, 6))),
    "poses of six columns": lambda t: t["contacts"].forces(0, np.zeros((1, 6)), np.zeros((1, 6))),
    "poses of zeros": lambda t: t["contacts"].forces(0, np.zeros((1, 7)), np.zeros((1, 6))),
    "poses of NaN": lambda t: t["contacts"].forces(0, np.full((1, 7), math.nan), np.zeros((1, 6))),
    "poses of texts": lambda t: t["contacts"].forces(0, [["a"] * 7], np.zeros((1, 6))),
    "too many poses": lambda t: t["contacts"].forces(0, np.ones((2, 7)), np.zeros((2, 6))),
    "fewer twists than poses": lambda t: t["contacts"].forces(0, np.ones((1, 7)), np.zeros((0, 6))),
    "loads into a list": lambda t: t["contacts"].forces(0, np.ones((1, 7)), np.zeros((1, 6)), []),
    "loads into float32": lambda t: t["contacts"].forces(
        0, np.ones((1, 7)), np.zeros((1, 6)), np.zeros((1, 6), np.float32)),
    "loads into every second row": lambda t: t["contacts"].forces(
        0, np.ones((1, 7)), np.zeros((1, 6)), np.zeros((1, 12))[:, ::2]),
    "loads into two rows": lambda t: t["contacts"].forces(0, np.ones((1, 7)), np.zeros((1, 6)), np.zeros((2, 6))),
    "loads into a constant": lambda t: t["contacts"].forces(
        0, np.ones((1, 7)), np.zeros((1, 6)), np.broadcast_to(np.zeros(6), (1, 6))),
    "commit at NaN": lambda t: t["contacts"].commit(math.nan, np.ones((1, 7)), np.zeros((1, 6))),
    "memory of a state of another world": lambda t: grouser.ContactMemory.from_bytes(t["state"].to_bytes(), t["plate"]),
    "memory of nothing": lambda t: grouser.ContactMemory(None, t["plate"]),
    "restore of a memory of another world": lambda t: t["contacts"].restore(grouser.Contacts(t["rover"]).memory),
    "restore of no memory": lambda t: t["contacts"].restore(t["state"]),
    "run of None": lambda t: grouser.open(None),
    "run of no file": lambda t: grouser.open("nothing"),
    "run of a checkpoint": lambda t: grouser.open(saved(t)),
    "recipe of no world": lambda t: grouser._world._from_recipe(("made", "up", "", False)),
}


def saved(things):
    things["state"].save("state.h5")
    return "state.h5"


@pytest.fixture(name="things", scope="module")
def all_things(rover, pendulum, plate):
    simulation = S(rover, threads=1)
    return {"rover": rover, "pendulum": pendulum, "plate": plate, "simulation": simulation,
            "state": simulation.state, "contacts": grouser.Contacts(plate, threads=1)}


@pytest.mark.parametrize("what", CALLS)
def test_is_refused(what, things):
    with pytest.raises((grouser.Error, TypeError, ValueError, AttributeError, OverflowError, RuntimeError,
                        RecursionError, pickle.UnpicklingError, EOFError)) as caught:
        CALLS[what](things)
    assert len(str(caught.value)) > 5
    things["simulation"].step()  # nothing of it did harm


def test_there_are_enough_cases():
    assert len(CALLS) >= 60


def test_sixty_threads_that_share_one(rover):
    """Each call succeeds or is refused; what comes out in the end is a state of that world."""
    simulation = S(rover, threads=1)
    refused = []

    def work():
        for _ in range(20):
            try:
                simulation.step()
                simulation.sample()
                simulation.wheel("rover/front_left").slip
            except grouser.Error as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = S(rover, threads=1)
    for _ in range(simulation.steps):
        again.step()
    assert simulation.state == again.state

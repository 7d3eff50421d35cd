import pickle

import numpy as np
import pytest

import grouser

STILL = np.zeros((1, 6))


def at(z):
    return np.array([[1, 0, 0, 0, 0, 0, z]])


def test_trial_states_leave_no_trace(plate):
    contacts = grouser.Contacts(plate)
    contacts.begin(0, at(0.02), STILL)
    untouched = contacts.memory
    load = contacts.forces(0.01, at(0.0), STILL)
    assert load.shape == (1, 6) and load[0, 5] > 100  # torque, then force
    out = np.zeros((1, 6))
    assert contacts.forces(0.01, at(0.0), STILL, out) is out and np.array_equal(out, load)
    assert contacts.memory == untouched and contacts.memory.hash == untouched.hash
    assert contacts.sample(0.01, at(0.0), STILL)["in_contact"].all()

    for k in range(1, 20):
        contacts.commit(0.005 * k, at(0.0), STILL)
    assert contacts.ground_at(0, 0).height == pytest.approx(-0.02, abs=1e-3)
    assert contacts.ground_patch((0, 0, 0, 0)).heights[0, 0] == contacts.ground_at(0, 0).height
    rutted = contacts.memory
    assert rutted != untouched
    contacts.memory = untouched
    assert contacts.ground_at(0, 0).height == 0
    contacts.restore(pickle.loads(pickle.dumps(rutted)))
    assert contacts.memory == rutted and np.isfinite(contacts.next_tick)
    assert "plate" in repr(contacts) or "shapes" in repr(contacts)


def test_memory_is_a_state_of_the_world(plate):
    contacts = grouser.Contacts(plate)
    contacts.begin(0, at(0.02), STILL)
    for k in range(1, 20):
        contacts.commit(0.005 * k, at(0.0), STILL)
    state = grouser.State.from_bytes(contacts.memory.to_bytes(), plate)
    assert grouser.Simulation(plate, state).ground_at(0, 0).height == contacts.ground_at(0, 0).height
    assert grouser.ContactMemory.from_bytes(state.to_bytes(), plate) == contacts.memory

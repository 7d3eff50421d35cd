"""The library of C without anything compiled for it."""

import ctypes
import re
from pathlib import Path

import pytest

import grouser


@pytest.fixture(name="library")
def loaded():
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    return ctypes.CDLL(re.search(r"(/\S*libgrouser\.so\S*)", maps)[1])


def test_same_bits_by_ctypes_alone(library, rover):
    library.grouser_error_text.restype = ctypes.c_char_p
    world, simulation, state = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    value, size, data = ctypes.c_uint64(), ctypes.c_size_t(), ctypes.c_void_p()
    assert library.grouser_abi_version() == 1
    assert library.grouser_world_builtin(b"tera", ctypes.byref(world)) == 2
    assert b"terra" in library.grouser_error_text()
    assert library.grouser_world_builtin(b"terra", ctypes.byref(world)) == 0
    assert library.grouser_simulation_create(world, None, 1, ctypes.byref(simulation)) == 0
    assert library.grouser_simulation_run_to(simulation, ctypes.c_double(3), None) == 0
    assert library.grouser_simulation_state(simulation, ctypes.byref(state)) == 0
    assert library.grouser_state_hash(state, ctypes.byref(value)) == 0
    assert library.grouser_state_to_bytes(state, ctypes.byref(data), ctypes.byref(size)) == 0

    ours = grouser.Simulation(rover)
    ours.run_to(3)
    assert ours.state.hash == value.value
    assert ours.state.to_bytes() == ctypes.string_at(data, size.value)
    assert grouser.State.from_bytes(ctypes.string_at(data, size.value), rover) == ours.state
    for handle, free in ((state, "state"), (simulation, "simulation"), (world, "world")):
        assert library[f"grouser_{free}_free"](handle) == 0
        assert library[f"grouser_{free}_free"](handle) == 1  # freed already

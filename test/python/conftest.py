"""Worlds that several tests use."""

import os
from pathlib import Path

import pytest

import grouser

TOP = Path(__file__).resolve().parents[2]


def box(name, **more):
    return {"name": name, "mass": 20.0, "shape": {"box": [0.2, 0.2, 0.04]}, **more}


PLATE = {
    "terrain": {"surface": {"size": [2, 2]}, "spacing": 0.01, "soil": "dry_sand"},
    "models": [{"name": "m", "position": [0, 0, 0.03], "tree": {"bodies": [box("plate")]}}],
    "contacts": [{"model": "scm", "bodies": ["m/plate"]}],
}


@pytest.fixture(scope="session")
def top():
    return TOP


@pytest.fixture(scope="session")
def rover():
    return grouser.World.builtin("terra")


@pytest.fixture(scope="session")
def pendulum():
    return grouser.World.builtin("pendulum")


@pytest.fixture(scope="session")
def plate():
    return grouser.World.build(PLATE)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def resident_bytes():
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")

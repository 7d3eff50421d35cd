import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import PLATE

import grouser


def test_same_world_from_text_file_and_values(plate):
    text = """
grouser: 1
terrain: {surface: {size: [2, 2]}, spacing: 0.01, soil: dry_sand}
models: [{name: m, position: [0, 0, 0.03], tree: {bodies: [{name: plate, mass: 20, shape: {box: [0.2, 0.2, 0.04]}}]}}]
contacts: [{model: scm, bodies: [m/plate]}]
"""
    Path("plate.yaml").write_text(text, encoding="utf-8")
    hashes = set()
    for world in (plate, grouser.World.parse(text), grouser.World.load("plate.yaml")):
        simulation = grouser.Simulation(world)
        simulation.run_to(0.05)
        hashes.add(simulation.state.hash)
    assert len(hashes) == 1


def test_values_may_be_of_numpy(plate):
    model = {"name": "m", "position": np.array([0, 0, 0.03]), "tree": PLATE["models"][0]["tree"]}
    size = {"size": np.full(2, 2, dtype=np.int32)}
    scene = {**PLATE, "models": (model,), "terrain": {**PLATE["terrain"], "surface": size, "spacing": np.float32(0.25)}}
    world = grouser.World.build(scene)
    assert world.bodies == plate.bodies
    assert world.ground_bounds == (-1, -1, 1, 1)


def test_knows_its_names(rover):
    assert rover.name == "terra" and rover.rovers == ["rover"] and len(rover.wheels) == 6
    assert "rover/front_left_drive" in rover.actuators
    assert rover.total_mass > 10 and rover.step == 0.002 and rover.duration == 40
    assert "terra" in repr(rover) and "6 wheels" in repr(rover)
    assert "terra" in grouser.builtin_scenes() and "exomars" in grouser.builtin_rovers()
    assert "dry_sand" in grouser.builtin_soils()


def test_ground(rover, pendulum):
    patch = rover.ground_patch((-1, -0.5, 1, 0.5), 0.25)
    assert patch.heights.shape == (5, 9) and patch.x[0] == -1 and patch.y[-1] == 0.5
    assert patch.heights[1, 2] == rover.ground_at(patch.x[2], patch.y[1]).height
    assert rover.ground_at(0, 0).normal[2] > 0.9
    assert not pendulum.has_ground
    with pytest.raises(grouser.Error, match="no ground"):
        pendulum.ground_at(0, 0)


def test_all_mistakes_at_once():
    with pytest.raises(grouser.Error) as caught:
        grouser.World.parse("grouser: 1\nmodels: []\ngravty: mars\nduration: -3\n")
    error = caught.value
    assert error.kind == "input"
    assert [issue.line for issue in error.issues] == [2, 3, 4]
    assert error.issues[2].value == "-3" and "> 0" in error.issues[2].legal
    again = pickle.loads(pickle.dumps(error))
    assert again.issues == error.issues and str(again) == str(error)
    with pytest.raises(grouser.Error) as caught:
        grouser.World.build({"models": [{"name": 3}]})
    assert caught.value.issues[0].field.startswith("models[0]")


@pytest.mark.parametrize("make", ["builtin", "build", "parse", "load", "host"])
def test_copies_and_pickles(make):
    if make == "builtin":
        world = grouser.World.builtin("pendulum")
    elif make == "build":
        world = grouser.World.build(PLATE)
    elif make == "host":
        world = grouser.World.build({**PLATE, "integrator": {"method": "moreau_jean"}}).with_host_contacts()
    else:
        text = "grouser: 1\nmodels: [{name: m, tree: {bodies: [{name: b, mass: 1, shape: {sphere: {radius: 1}}}]}}]\n"
        Path("scene.yaml").write_text(text, encoding="utf-8")
        world = grouser.World.parse(text) if make == "parse" else grouser.World.load("scene.yaml")
    again = pickle.loads(pickle.dumps(world))
    assert again.bodies == world.bodies and again.contacts == world.contacts
    assert grouser.Simulation(again).state.hash == grouser.Simulation(world).state.hash
    assert copy.copy(world) is world and copy.deepcopy(world) is world

import pickle

import numpy as np
import pytest

import grouser


@pytest.fixture(name="run")
def recorded(rover):
    simulation = grouser.Simulation(rover)
    simulation.record("out")
    simulation.run_to(1)
    simulation.stop_recording()
    return grouser.open("out"), simulation


def test_is_read_back(run, rover):
    run, simulation = run
    assert run.is_complete and run.scene_name == "terra" and "grouser" in run.scene_text
    assert run.times[-1] == 1 and len(run.times) == 21
    table = run.table("/wheels/slip")
    assert table.values.shape == (21, 6) and table.columns[0].unit == "1"
    column = rover.wheels.index("rover/front_left")
    assert np.array_equal(run["wheels/slip"][:, column], run.series("rover/front_left.slip"))
    assert run["/wheels/slip"][-1, column] == simulation.wheel("rover/front_left").slip
    assert "/wheels/slip" in run and "wheels/slip" in run and "/wheels/slop" not in run and 3 not in run
    assert list(run) == run.quantities and len(run) == len(run.quantities)
    assert "terra" in repr(run) and "21 samples" in repr(run)
    assert np.array_equal(pickle.loads(pickle.dumps(run)).times, run.times)
    state = grouser.State.load("out/checkpoint.h5", rover)
    assert state == simulation.resumable


def test_wrong_names(run):
    with pytest.raises(grouser.Error):
        run[0]["/wheels/slop"]
    with pytest.raises(grouser.Error, match="did you mean 'rover/front_left.slip'"):
        run[0].series("rover/front_lift.slip")
    with pytest.raises(grouser.Error):
        grouser.open("nothing-here")


def test_pandas(run):
    pytest.importorskip("pandas")
    frame = run[0].frame("/wheels/slip")
    assert frame.shape == (21, 6) and frame.index.name == "time"
    assert frame["rover/front_left.slip"].iloc[-1] == run[0].series("rover/front_left.slip")[-1]


def test_xarray(run):
    pytest.importorskip("xarray")
    data = run[0].dataset("/wheels/sinkage")
    assert data["rover/front_left.sinkage"].attrs["units"] == "m"

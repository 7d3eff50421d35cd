"""The package as a whole: nothing of C++ is missing, all is documented, types and examples hold."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import grouser

# Classes of include/grouser by what stands for them in Python; all others have their own names.
OTHER_NAMES = {
    "Map": "dict", "Quaternion": "rows of arrays", "Pose": "rows of arrays", "Twist": "rows of arrays",
    "Vec3": "tuple", "Wrench": "rows of arrays", "Value": "dict, list, float, str, bool, None", "ErrorKind": "Error.kind",
    "GroundBounds": "World.ground_bounds", "GroundWindow": "World.ground_patch", "Target": "Actuator.set_velocity, ...",
    "RoverSample": "Sample.rovers", "ContactSample": "Sample.contacts", "ControllerOptions": "Simulation.add_controller",
    "SimulationOptions": "Simulation",
}


def test_every_class_of_cpp_has_a_counterpart(top):
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted((top / "include/grouser").glob("*.h"))
                      if path.name != "grouser.h")
    names = set(re.findall(r"^(?:class|struct|enum class)(?: GROUSER_API)? (\w+)(?: \{|;| :)", headers, re.MULTILINE))
    names -= {"Face"}
    assert len(names) > 25
    missing = [name for name in sorted(names) if not hasattr(grouser, name) and name not in OTHER_NAMES]
    assert not missing
    assert not [name for name in OTHER_NAMES if hasattr(grouser, name)]


def test_everything_is_documented():
    bare = []
    for name in grouser.__all__:
        thing = getattr(grouser, name)
        if not inspect.getdoc(thing):
            bare.append(name)
        if not inspect.isclass(thing):
            continue
        for attribute, member in vars(thing).items():
            is_field = issubclass(thing, tuple) and attribute in getattr(thing, "_fields", ())
            shown = isinstance(member, property) or inspect.isroutine(member) or isinstance(member, staticmethod)
            if attribute.startswith("_") or is_field or not shown:
                continue
            if not inspect.getdoc(getattr(thing, attribute)):
                bare.append(f"{name}.{attribute}")
    assert not bare


def test_stubs_are_whole():
    """What the compiled module has, its stub has, too."""
    from grouser import _core

    stub = (Path(grouser.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    for name, thing in vars(_core).items():
        if name.startswith("__"):
            continue
        assert re.search(rf"(class|def) {name}\b", stub), name
        if not inspect.isclass(thing):
            continue
        body = stub.split(f"class {name}:")[1].split("\nclass ")[0]
        for attribute in vars(thing):
            if not attribute.startswith("__"):
                assert f"def {attribute}(" in body, f"{name}.{attribute}"


def test_types_hold(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "import grouser\n"
        "simulation = grouser.Simulation(grouser.World.builtin('terra'))\n"
        "slip: float = simulation.wheel('rover/front_left').slip\n"
        "simulation.run_to('later')\n", encoding="utf-8")
    package = Path(grouser.__file__).parent
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*command, str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([*command, str(user)], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(package.parent)})
    assert re.findall(r"user.py:(\d+): error", done.stdout) == ["4"], done.stdout


def test_example_of_the_package():
    assert doctest.testmod(grouser).failed == 0


def programs(top):
    """Examples of docs and examples/python, with what they print."""
    sys.path.insert(0, str(top / "test/package"))
    from examples import EXAMPLE

    for page in ("docs/python.md", "README.md"):
        for name, code, output in EXAMPLE.findall((top / page).read_text(encoding="utf-8")):
            if name.endswith(".py"):
                yield f"{page} {name}", code, output
    for path in sorted((top / "examples/python").glob("*.py")):
        yield path.name, path.read_text(encoding="utf-8"), path.with_suffix(".txt").read_text(encoding="utf-8")


def test_examples_print_what_they_say(top):
    found = list(programs(top))
    assert len(found) > 5
    for name, code, output in found:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, f"{name}: {done.stderr}"
        assert done.stdout == output, name

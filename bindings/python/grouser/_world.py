"""Worlds: everything about a simulation but its state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, List, Mapping, NamedTuple, NoReturn, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import GroundPoint
from ._errors import Error

__all__ = ["GroundPatch", "PathLike", "World"]

PathLike = Union[str, "os.PathLike[str]"]
Recipe = Tuple[str, Any, str, bool]


class GroundPatch(NamedTuple):
    """Heights of the ground at the nodes of a regular grid, seen from above."""

    x: npt.NDArray[np.float64]
    """Of the columns [m]."""
    y: npt.NDArray[np.float64]
    """Of the rows [m]."""
    heights: npt.NDArray[np.float64]
    """[m], of shape (rows, columns): ``heights[j, i]`` is at ``(x[i], y[j])``."""


def window(bounds: Tuple[float, float, float, float], spacing: float) -> Tuple[float, float, float, int, int]:
    """Nodes that cover bounds: corner, spacing, numbers of columns and rows."""
    try:
        x_min, y_min, x_max, y_max = (float(bound) for bound in bounds)
        spacing = float(spacing)
    except (TypeError, ValueError):
        raise Error("bounds of the ground are four numbers: x_min, y_min, x_max, y_max [m]") from None
    if not (spacing > 0 and x_max >= x_min and y_max >= y_min and np.isfinite([x_max - x_min, y_max - y_min]).all()):
        raise Error("bounds of the ground must be finite and in order, and the spacing above 0 m")
    columns, rows = (int(min((high - low) / spacing + 1e-9, 1e9)) + 1 for low, high in ((x_min, x_max), (y_min, y_max)))
    return x_min, y_min, spacing, columns, rows


def patch(
    of: Union[_core.World, _core.Simulation, _core.Contacts], bounds: Tuple[float, float, float, float], spacing: float
) -> GroundPatch:
    x, y, spacing, columns, rows = window(bounds, spacing)
    heights = of._ground_heights(x, y, spacing, columns, rows)
    return GroundPatch(x + spacing * np.arange(columns), y + spacing * np.arange(rows), heights)


class World(_core.World):
    """Everything about a simulation but its state: bodies, joints, motors, ground, contacts, commands.

    Never changes. Made by ``load``, ``parse``, ``builtin`` or ``build``; all raise ``grouser.Error`` with every mistake of
    the scene, each with file, line, field, value and what would be legal. May be pickled; files that the scene names must
    then be there on the other side.
    """

    _recipe: Recipe

    def __init__(self, *_: object) -> None:
        raise TypeError("a World comes from World.load(), parse(), builtin() or build()")

    @classmethod
    def _made(cls: Type[World], core: _core.World, recipe: Recipe) -> World:
        self = cls.__new__(cls)
        _core.World.__init__(self, core)
        self._recipe = recipe
        return self

    @classmethod
    def load(cls, file: PathLike) -> World:
        """From a YAML file in the format of docs/scene-format.md."""
        path = Path(file)
        core = _core.World._load(path)
        return cls._made(core, ("load", str(path.absolute()), "", False))

    @classmethod
    def parse(cls, yaml: str, folder: PathLike = ".") -> World:
        """From YAML text. Files that it names are looked for in ``folder``, there and below."""
        return cls._made(_core.World._parse(yaml, Path(folder)), ("parse", yaml, str(Path(folder).absolute()), False))

    @classmethod
    def builtin(cls, name: str) -> World:
        """From a built-in scene: ``"default"``, ``"terra"``, ...; ``builtin_scenes()`` lists them."""
        return cls._made(_core.World._builtin(name), ("builtin", name, "", False))

    @classmethod
    def build(cls, scene: Mapping[str, Any], folder: PathLike = ".") -> World:
        """From the keys and values of a scene as dicts, lists (or arrays), numbers, texts and truths.

        ``{"grouser": 1}`` may be left out. Mistakes are named by field, as in ``models[0].name``.
        """
        core = _core.World._build(scene, Path(folder))
        return cls._made(core, ("build", scene, str(Path(folder).absolute()), False))

    def with_host_contacts(self) -> World:
        """The same, with a place for contacts that a host finds itself (``Simulation.set_contacts``). Needs the
        integrator moreau_jean."""
        return World._made(self._with_host_contacts(), self._recipe[:3] + (True,))

    @property
    def name(self) -> str:
        """Of the scene."""
        return self._name()

    @property
    def duration(self) -> float:
        """That the scene asks for [s]."""
        return self._duration()

    @property
    def step(self) -> float:
        """Of the integrator [s]."""
        return self._step()

    @property
    def total_mass(self) -> float:
        """Of all bodies [kg]."""
        return self._total_mass()

    @property
    def bodies(self) -> List[str]:
        """Names of all bodies; what lists bodies has this order."""
        return self._bodies()

    @property
    def actuators(self) -> List[str]:
        """Names of all actuators."""
        return self._actuators()

    @property
    def rovers(self) -> List[str]:
        """Names of all rovers."""
        return self._rovers()

    @property
    def wheels(self) -> List[str]:
        """Names of the wheels of all rovers."""
        return self._wheels()

    @property
    def contacts(self) -> List[str]:
        """Shapes of bodies that touch others or the ground, ``NAME (MODEL)``."""
        return self._contacts()

    @property
    def springs(self) -> List[str]:
        """Names of all springs."""
        return self._springs()

    @property
    def tethers(self) -> List[str]:
        """Names of all tethers."""
        return self._tethers()

    @property
    def events(self) -> List[str]:
        """Names of all events."""
        return self._events()

    @property
    def has_ground(self) -> bool:
        """Whether there is any."""
        return self._has_ground()

    @property
    def ground_bounds(self) -> Tuple[float, float, float, float]:
        """What the ground covers: x_min, y_min, x_max, y_max [m]."""
        return self._ground_bounds()

    def ground_at(self, x: float, y: float) -> GroundPoint:
        """The untouched ground at a point [m]."""
        return self._ground_at(x, y)

    def ground_patch(self, bounds: Tuple[float, float, float, float], spacing: float = 0.05) -> GroundPatch:
        """The untouched ground within ``(x_min, y_min, x_max, y_max)`` [m] at nodes that are ``spacing`` [m] apart."""
        return patch(self, bounds, spacing)

    def __repr__(self) -> str:
        ground = "ground" if self.has_ground else "no ground"
        return (
            f"<grouser.World {self.name!r}: {_count(len(self.bodies), 'body', 'bodies')}, "
            f"{_count(len(self.actuators), 'actuator')}, {_count(len(self.wheels), 'wheel')}, {ground}>"
        )

    def __copy__(self) -> World:
        return self

    def __deepcopy__(self, _: object) -> World:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return _from_recipe, (self._recipe,)


def _count(count: int, thing: str, things: str = "") -> str:
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def _from_recipe(recipe: Recipe) -> World:
    try:
        kind, source, folder, with_host = recipe
        make = {"load": World.load, "builtin": World.builtin, "parse": World.parse, "build": World.build}[kind]
    except (KeyError, TypeError, ValueError):
        raise Error("this is no world of grouser", "input") from None
    world: World = make(source, folder) if folder else make(source)  # type: ignore[operator]
    return world.with_host_contacts() if with_host else world


def no_pickle(thing: object) -> NoReturn:
    raise TypeError(f"a {type(thing).__name__} cannot be copied or pickled; its state can")

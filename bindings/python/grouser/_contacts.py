"""Contact as force elements of a multibody code of your own."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import GroundPoint
from ._world import GroundPatch, World, no_pickle, patch

__all__ = ["ContactMemory", "Contacts"]


class ContactMemory:
    """What bodies and ground remember of their contacts: ruts, stuck points, patches. A value: it never changes. Its bytes are
    those of a ``State`` of the same world."""

    __slots__ = ("_core", "world")

    def __init__(self, core: _core.ContactMemory, world: World) -> None:
        if not isinstance(core, _core.ContactMemory):
            raise TypeError("a ContactMemory comes from Contacts.memory or ContactMemory.from_bytes()")
        self._core = core
        self.world = world

    @property
    def hash(self) -> int:
        """Of all bits."""
        return self._core.hash

    def to_bytes(self) -> bytes:
        """In the format of ``State.to_bytes()``."""
        return self._core.to_bytes(self.world)

    @staticmethod
    def from_bytes(data: bytes, world: World) -> ContactMemory:
        """Of a memory, or of any other state of that world."""
        return ContactMemory(_core.ContactMemory.from_bytes(data, world), world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContactMemory) and self._core.equals(other._core)

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        return f"<grouser.ContactMemory of {self.world.name!r}, hash {self.hash:016x}>"

    def __copy__(self) -> ContactMemory:
        return self

    def __deepcopy__(self, _: object) -> ContactMemory:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return ContactMemory.from_bytes, (self.to_bytes(), self.world)


class Contacts(_core.Contacts):
    """The contacts of a world as force elements for a host with its own multibody code: it gives how all bodies stand and move
    and is given the loads on them. Masses, joints and motors of the world are not looked at.

    Arrays have a row per body, in the order of ``world.bodies``: poses are quaternion (w, x, y, z) and position [m], twists
    are angular [rad/s] and linear velocity [m/s] of the origin, loads are torque [N m] about the origin and force [N]; all in
    world axes. Any number of trial states may be asked for; only ``commit`` writes memory.
    """

    _world: World

    def __init__(self, world: World, threads: int = 0) -> None:
        if not isinstance(world, World):
            raise TypeError(f"Contacts are made of a World, not of {type(world).__name__}")
        super().__init__(world, threads)
        self._world = world

    @property
    def world(self) -> World:
        """Whose contacts they are."""
        return self._world

    def begin(self, time: float, poses: npt.ArrayLike, twists: npt.ArrayLike) -> None:
        """Starts afresh with bodies that stand there: untouched ground, nothing in contact."""
        self._begin(time, poses, twists)

    def forces(
        self, time: float, poses: npt.ArrayLike, twists: npt.ArrayLike, out: Optional[npt.NDArray[np.float64]] = None
    ) -> npt.NDArray[np.float64]:
        """Loads of all contacts on all bodies: (bodies, 6), torque [N m] and force [N]; written to ``out`` if that is given.
        Leaves no trace."""
        return self._forces(time, poses, twists, out)

    def commit(self, time: float, poses: npt.ArrayLike, twists: npt.ArrayLike) -> bool:
        """At an accepted step; time must not run backwards. Whether forces changed by that, so that multistep methods start
        afresh."""
        return self._commit(time, poses, twists)

    def sample(self, time: float, poses: npt.ArrayLike, twists: npt.ArrayLike) -> npt.NDArray[np.void]:
        """What each of ``world.contacts`` feels there, with the fields of ``Sample.contacts``."""
        return self._sample(time, poses, twists)

    @property
    def next_tick(self) -> float:
        """When soil moves next by its own clock [s]: commit there. Infinite if there is no such clock."""
        return self._next_tick()

    def ground_at(self, x: float, y: float) -> GroundPoint:
        """The ground at a point [m], as bodies have shaped it."""
        return self._ground_at(x, y)

    @property
    def memory(self) -> ContactMemory:
        """A copy of what they remember. Setting it is ``restore()``."""
        return ContactMemory(self._memory(), self._world)

    @memory.setter
    def memory(self, memory: ContactMemory) -> None:
        self.restore(memory)

    def restore(self, memory: ContactMemory) -> None:
        """Goes on from what was remembered then."""
        if not isinstance(memory, ContactMemory):
            raise TypeError(f"Contacts go on from a ContactMemory, not from {type(memory).__name__}")
        self._restore(memory._core)

    def ground_patch(self, bounds: Tuple[float, float, float, float], spacing: float = 0.05) -> GroundPatch:
        """The ground as bodies have shaped it, within ``(x_min, y_min, x_max, y_max)`` [m]."""
        return patch(self, bounds, spacing)

    def __repr__(self) -> str:
        return f"<grouser.Contacts of {self._world.name!r}: {len(self._world.contacts)} shapes>"

    def __reduce__(self) -> Tuple[Any, ...]:
        no_pickle(self)

"""Worlds in motion."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import ActuatorSample, BodySample, GroundPoint, Sample, WheelSample
from ._errors import Error
from ._world import GroundPatch, PathLike, World, no_pickle, patch

__all__ = [
    "Actuator", "Alarm", "Body", "Event", "HostContact", "HostContactForce", "Outcome", "Report", "Simulation", "State", "Wheel",
    "WheelReport",
]

Vector = Union[Sequence[float], npt.NDArray[np.float64]]


class State:
    """All that is needed to go on from an instant, to the bit: positions, velocities, ruts, what contacts and controllers of
    the scene remember, inputs. A value: it never changes.

    ``to_bytes()`` is the content of a checkpoint file: the program, C and C++ read it, too. Copying, ``deepcopy`` and
    ``pickle`` work.
    """

    __slots__ = ("_core", "world")

    def __init__(self, core: _core.State, world: World) -> None:
        if not isinstance(core, _core.State):
            raise TypeError("a State comes from Simulation.state, State.load() or State.from_bytes()")
        self._core = core
        self.world = world

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time

    @property
    def hash(self) -> int:
        """Of all bits; the same on every run."""
        return self._core.hash

    def to_bytes(self) -> bytes:
        """The content of a checkpoint file."""
        return self._core.to_bytes(self.world)

    @staticmethod
    def from_bytes(data: bytes, world: World) -> State:
        """Back again, to the bit. Raises ``Error`` if they are damaged or of another world."""
        return State(_core.State.from_bytes(data, world), world)

    def save(self, file: PathLike) -> None:
        """A checkpoint, as ``grouser run --resume`` reads it."""
        self._core.save(Path(file), self.world)

    @staticmethod
    def load(file: PathLike, world: World) -> State:
        """From a checkpoint. Raises ``Error`` if it is damaged or of another world."""
        return State(_core.State.load(Path(file), world), world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._core.equals(other._core)

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        return f"<grouser.State of {self.world.name!r} at {self.time:g} s, hash {self.hash:016x}>"

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _: object) -> State:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return State.from_bytes, (self.to_bytes(), self.world)


class Outcome(enum.Enum):
    """How a ``run_to`` ended."""

    completed = 0
    """No watcher saw anything."""
    completed_with_alarms = 1
    """Arrived, but see ``Simulation.alarms``."""
    stopped_by_event = 2
    stopped_by_alarm = 3
    """Which the scene's ``watch`` ends the run for."""
    interrupted = 4
    """By ``Simulation.stop``; another ``run_to`` goes on."""


class Event(NamedTuple):
    """An event of the scene that was found."""

    name: str
    time: float
    """[s]"""


class Alarm(NamedTuple):
    """What a watcher saw (docs/trust.md): told once per kind and body."""

    kind: str
    """``"stuck"``, as in a scene's ``watch``."""
    body: str
    """Body, wheel, rover or actuator that it is about."""
    time: float
    """When it was first seen [s]."""
    last_time: float
    """When it was last seen [s]."""
    duration: float
    """For how long it was seen, in all [s]."""
    message: str
    """A sentence."""


class WheelReport(NamedTuple):
    """Of a wheel over the time of a run."""

    name: str
    slip_mean: Optional[float]
    """Over the way that it rolled or slid in contact [-]; None if it did not."""
    sinkage_max: float
    """[m]"""
    torque_rms: float
    """[N m]"""
    normal_mean: float
    """[N]"""
    pull_mean: float
    """[N]"""
    lateral_mean: float
    """[N]"""
    power_mean: float
    """Of the drive, none of it fed back [W]."""


class Report(NamedTuple):
    """What the steps since a simulation was made, or restored, amounted to."""

    outcome: Outcome
    """Of the last ``run_to``."""
    start_time: float
    """[s]"""
    time: float
    """[s]"""
    wall_time: float
    """[s]"""
    steps: int
    distance: float
    """Of the first rover's chassis, or the first body, from above [m]."""
    energy: float
    """Work of all actuators, none of it fed back [J]."""
    loop_residual: float
    """Largest opening of loops [m], [rad]."""
    wheels: Dict[str, WheelReport]
    events: List[Event]
    alarms: List[Alarm]
    """Since the scene began."""
    warnings: List[str]


class HostContact(NamedTuple):
    """A point where two bodies touch, or a body and the world, as a host found it: at their present poses, world axes.

    Until others are given it goes with its bodies: ``point`` is fixed to body a, and the point opposite it, with the normal,
    to body b or the world.
    """

    body_a: str
    point: Tuple[float, float, float]
    """On the surface of body a [m]."""
    body_b: Optional[str] = None
    """Another one, or None: the world."""
    normal: Tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Unit, out of b into a."""
    gap: float = 0.0
    """Along the normal; negative where they overlap [m]."""
    friction: float = 0.0
    """Of sliding [-], >= 0."""
    restitution: float = 0.0
    """Speed after over speed before an impact [-], 0 ... 1."""


class HostContactForce(NamedTuple):
    """What acted in a contact over the last step."""

    point: npt.NDArray[np.float64]
    """Where, in the world [m]."""
    force: npt.NDArray[np.float64]
    """On body a; on body b the opposite [N]."""


class Wheel:
    """A wheel of a simulation, at the present instant. Forces are those of the ground on the wheel, in the frame of the
    ground under it."""

    __slots__ = ("_simulation", "index", "name")

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.index = simulation._wheel_index(name)
        self.name = name

    @property
    def sample(self) -> WheelSample:
        """All of it at once."""
        return self._simulation._wheel(self.index)

    @property
    def rate(self) -> float:
        """Of rolling, forward positive [rad/s]."""
        return self.sample.rate

    @property
    def steer(self) -> float:
        """Steering angle [rad]."""
        return self.sample.steer

    @property
    def torque(self) -> float:
        """Of the drive [N m]."""
        return self.sample.torque

    @property
    def slip(self) -> float:
        """Driving 1 - v/(wr), braking wr/v - 1 [-]; 0 without contact and while it stands."""
        return self.sample.slip

    @property
    def slip_angle(self) -> float:
        """From where it heads to where its hub goes, to the left [rad]."""
        return self.sample.slip_angle

    @property
    def sinkage(self) -> float:
        """Of its deepest part below the untouched ground [m], >= 0."""
        return self.sample.sinkage

    @property
    def normal(self) -> float:
        """Load [N]."""
        return self.sample.normal

    @property
    def pull(self) -> float:
        """Forward [N]."""
        return self.sample.pull

    @property
    def lateral(self) -> float:
        """To the left [N]."""
        return self.sample.lateral

    @property
    def power(self) -> float:
        """Of the drive [W]."""
        return self.sample.power

    def __repr__(self) -> str:
        s = self.sample
        return f"<grouser.Wheel {self.name!r}: slip {s.slip:.3g}, sinkage {s.sinkage:.3g} m, load {s.normal:.4g} N>"


class Body:
    """A body of a simulation, at the present instant."""

    __slots__ = ("_simulation", "index", "name")

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.index = simulation._body_index(name)
        self.name = name

    @property
    def sample(self) -> BodySample:
        """All of it at once."""
        return self._simulation._body(self.index)

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Of its origin in the world [m]."""
        return np.array(self.sample.position)

    @property
    def orientation(self) -> npt.NDArray[np.float64]:
        """Of its axes in the world: a unit quaternion, w first."""
        return np.array(self.sample.orientation)

    @property
    def linear(self) -> npt.NDArray[np.float64]:
        """Velocity of its origin, world axes [m/s]."""
        return np.array(self.sample.linear)

    @property
    def angular(self) -> npt.NDArray[np.float64]:
        """Angular velocity, world axes [rad/s]."""
        return np.array(self.sample.angular)

    def set_wrench(self, force: Vector = (0, 0, 0), torque: Vector = (0, 0, 0)) -> None:
        """A load from now on, at its origin, world axes [N], [N m]."""
        self._simulation._set_wrench(self.index, force, torque)

    def __repr__(self) -> str:
        x, y, z = self.sample.position
        return f"<grouser.Body {self.name!r} at ({x:.4g}, {y:.4g}, {z:.4g}) m>"


class Actuator:
    """An actuator of a simulation. What it is told holds until it is changed, is part of the state, and goes before what the
    scene commands."""

    __slots__ = ("_simulation", "index", "name")

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.index = simulation._actuator_index(name)
        self.name = name

    @property
    def sample(self) -> ActuatorSample:
        """All of it at once."""
        return self._simulation._actuator(self.index)

    @property
    def effort(self) -> float:
        """[N m] or [N]"""
        return self.sample.effort

    @property
    def power(self) -> float:
        """[W]"""
        return self.sample.power

    def set_position(self, value: float) -> None:
        """[rad] or [m]"""
        self._simulation._set_target(self.index, "position", value)

    def set_velocity(self, value: float) -> None:
        """[rad/s] or [m/s]"""
        self._simulation._set_target(self.index, "velocity", value)

    def set_effort(self, value: float) -> None:
        """[N m] or [N]"""
        self._simulation._set_target(self.index, "effort", value)

    def release(self) -> None:
        """The scene commands it again."""
        self._simulation._release(self.index)

    def __repr__(self) -> str:
        return f"<grouser.Actuator {self.name!r}: effort {self.effort:.4g}, power {self.power:.4g} W>"


Controller = Callable[["Simulation"], object]


class Simulation(_core.Simulation):
    """A world in motion: steps, is asked, and told what to do.

    ``start``: a state of that world, or None for its beginning. ``threads`` that it uses; 0: all cores. Results do not
    depend on it. Steps run without Python's lock, so simulations in several threads run at the same time; each belongs to
    one thread at a time.
    """

    _world: World
    _controllers: List[Controller]

    def __init__(self, world: World, start: Optional[State] = None, threads: int = 0) -> None:
        if not isinstance(world, World):
            raise TypeError(f"a Simulation is made of a World, not of {type(world).__name__}")
        if start is not None and not isinstance(start, State):
            raise TypeError(f"a Simulation starts from a State, not from {type(start).__name__}")
        super().__init__(world, None if start is None else start._core, threads)
        self._world = world
        self._controllers = []

    @property
    def world(self) -> World:
        """In which it runs."""
        return self._world

    @property
    def time(self) -> float:
        """[s]"""
        return self._time()

    @property
    def steps(self) -> int:
        """Accepted ones of the integrator since it was made, or restored."""
        return self._steps()

    def step(self) -> bool:
        """To the next point of the step grid. False: an event ended it earlier."""
        return self._step()

    def run_to(self, end: float) -> Outcome:
        """On to ``end`` [s]. Ends earlier at an event or alarm that stops, or if ``stop()`` was called, by a controller or another
        thread; Ctrl-C ends it with ``KeyboardInterrupt``. Call it again to go on."""
        return Outcome(self._run_to(end))

    def stop(self) -> None:
        """Ends the present ``run_to`` after its step, or else the next one. For controllers and other threads."""
        self._stop()

    def reset(self) -> None:
        """Back to where it was made."""
        self._reset()

    def sample(self) -> Sample:
        """A snapshot of everything about the present instant."""
        return self._sample()

    def ground_at(self, x: float, y: float) -> GroundPoint:
        """The ground at a point [m] now, ruts included."""
        return self._ground_at(x, y)

    @property
    def state(self) -> State:
        """A copy of the present state. Setting it is ``restore()``."""
        return State(self._state(), self._world)

    @state.setter
    def state(self, state: State) -> None:
        self.restore(state)

    @property
    def resumable(self) -> State:
        """The last state on the step grid: from it to resume, if a run ended between two points."""
        return State(self._resumable(), self._world)

    def restore(self, state: State) -> None:
        """Goes on from a state of this world, with the inputs that it holds. Controllers stay."""
        if not isinstance(state, State):
            raise TypeError(f"a Simulation goes on from a State, not from {type(state).__name__}")
        self._restore(state._core)

    def wheel(self, name: str) -> Wheel:
        """By name, as ``rover/front_left``. Raises ``Error``, with the nearest name, if there is none."""
        return Wheel(self, name)

    def body(self, name: str) -> Body:
        """By name, as ``rover/trunk``."""
        return Body(self, name)

    def actuator(self, name: str) -> Actuator:
        """By name, as ``rover/front_left_drive``."""
        return Actuator(self, name)

    @property
    def report(self) -> Report:
        """What happened since it was made, or restored."""
        values = self._report()
        wheels = [WheelReport(**wheel) for wheel in values.pop("wheels")]
        events = [Event(*event) for event in values.pop("events")]
        alarms = [Alarm(*alarm) for alarm in values.pop("alarms")]
        outcome = Outcome(values.pop("outcome"))
        by_name = {wheel.name: wheel for wheel in wheels}
        return Report(outcome=outcome, wheels=by_name, events=events, alarms=alarms, **values)

    @property
    def events(self) -> List[Event]:
        """That were found since it was made, or restored."""
        return self.report.events

    @property
    def alarms(self) -> List[Alarm]:
        """What watchers saw since the scene began."""
        return self.report.alarms

    @property
    def warnings(self) -> List[str]:
        """A sentence each."""
        return self.report.warnings

    def ground_patch(self, bounds: Tuple[float, float, float, float], spacing: float = 0.05) -> GroundPatch:
        """The ground now, ruts included, within ``(x_min, y_min, x_max, y_max)`` [m] at nodes ``spacing`` [m] apart."""
        return patch(self, bounds, spacing)

    def add_controller(self, controller: Controller, rate_hz: float = 20.0, start_time: float = 0.0) -> None:
        """Calls ``controller(simulation)`` from now on at each tick of its clock: it looks at samples and sets inputs. What
        it raises ends the step or run and comes out of there. What it keeps to itself is not part of the state."""
        if not callable(controller):
            raise TypeError("a controller must be callable")
        self._controllers.append(controller)  # first: it may be called at once
        self._add_controller(rate_hz, start_time, len(self._controllers) - 1)

    def _call_controller(self, slot: int) -> None:
        self._controllers[slot](self)

    def controller(self, rate_hz: float = 20.0, start_time: float = 0.0) -> Callable[[Controller], Controller]:
        """The same as a decorator: ``@simulation.controller(rate_hz=50)``."""

        def add(function: Controller) -> Controller:
            self.add_controller(function, rate_hz, start_time)
            return function

        return add

    def set_contacts(self, contacts: Sequence[HostContact]) -> None:
        """Where bodies touch from now on, as a host found it at their present poses; replaces all that was given before. Only
        in a ``World.with_host_contacts()``."""
        index = self._body_index
        rows = [
            (index(c.body_a), -1 if c.body_b is None else index(c.body_b), *c.point, *c.normal, c.gap, c.friction, c.restitution)
            for c in contacts
        ]
        try:
            numbers = np.array(rows, dtype=np.float64).reshape(-1, 11)
        except (TypeError, ValueError):
            raise Error("the point and the normal of a contact are three numbers each, all else is one") from None
        self._set_contacts(numbers)

    @property
    def contact_forces(self) -> List[HostContactForce]:
        """What acted in them over the last step, in their order."""
        return [HostContactForce(row[:3], row[3:]) for row in self._contact_forces()]

    def record(self, folder: PathLike) -> None:
        """Writes a run's folder from now on, as ``grouser run`` does; ``grouser.open()`` reads it."""
        self._record(Path(folder))

    def stop_recording(self) -> None:
        """Finishes what ``record()`` began, with a checkpoint and a summary."""
        self._stop_recording()

    def __repr__(self) -> str:
        return f"<grouser.Simulation of {self._world.name!r} at {self.time:g} s>"

    def __reduce__(self) -> Tuple[Any, ...]:
        no_pickle(self)

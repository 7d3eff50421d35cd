"""Contact dynamics and terramechanics for planetary rovers.

SI units and radians throughout; world axes have z up. Things have the names of the scene, ``rover/front_left``.

    >>> import grouser
    >>> simulation = grouser.Simulation(grouser.World.builtin("terra"))
    >>> simulation.run_to(3)
    <Outcome.completed: 0>
    >>> simulation.wheel("rover/front_left").sinkage > 0
    True
"""

from ._contacts import ContactMemory, Contacts
from ._core import (
    ActuatorSample,
    BodySample,
    GroundPoint,
    Sample,
    WheelSample,
    builtin_rovers,
    builtin_scenes,
    builtin_soils,
    version,
)
from ._errors import Error, Issue
from ._run import Column, Run, Table, open
from ._simulation import (
    Actuator,
    Alarm,
    Body,
    Event,
    HostContact,
    HostContactForce,
    Outcome,
    Report,
    Simulation,
    State,
    Wheel,
    WheelReport,
)
from ._world import GroundPatch, World

__version__ = version()

__all__ = [
    "Actuator", "ActuatorSample", "Alarm", "Body", "BodySample", "Column", "ContactMemory", "Contacts", "Error", "Event",
    "GroundPatch", "GroundPoint", "HostContact", "HostContactForce", "Issue", "Outcome", "Report", "Run", "Sample",
    "Simulation", "State", "Table", "Wheel", "WheelReport", "WheelSample", "World", "builtin_rovers", "builtin_scenes",
    "builtin_soils", "open", "version",
]

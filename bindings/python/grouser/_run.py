"""What was recorded."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Tuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import Error
from ._world import PathLike

__all__ = ["Column", "Run", "Table", "open"]


class Column(NamedTuple):
    label: str
    """As in ``rover/trunk.x``."""
    unit: str
    """As in ``m``; ``1`` if dimensionless."""


class Table(NamedTuple):
    """Rows of one quantity over time."""

    values: npt.NDArray[np.float64]
    """Of shape (samples, columns)."""
    columns: List[Column]


class Run:
    """A recorded run, also one that is still being written, or was killed: then what was written by then.

    ``run["/wheels/slip"]`` is an array with a row per sample; ``run.series("rover/front_left.slip")`` a single curve.
    """

    def __init__(self, path: PathLike) -> None:
        self._core = _core.Run(Path(path))
        self.path = Path(path)

    @property
    def scene_name(self) -> str:
        """Of the scene."""
        return self._core.scene_name

    @property
    def scene_text(self) -> str:
        """The scene as text, as it was read."""
        return self._core.scene_text

    @property
    def is_complete(self) -> bool:
        """Whether its writer got to close it."""
        return self._core.is_complete

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """Of each sample [s]."""
        return self._core._times()

    @property
    def quantities(self) -> List[str]:
        """Paths of all quantities, as ``/bodies/position``."""
        return self._core.quantities

    def table(self, quantity: str) -> Table:
        """All rows of a quantity, with what its columns are."""
        values, labels, units = self._core._read(quantity if quantity.startswith("/") else "/" + quantity)
        return Table(values, [Column(*column) for column in zip(labels, units)])

    def __getitem__(self, quantity: str) -> npt.NDArray[np.float64]:
        return self.table(quantity).values

    def __contains__(self, quantity: object) -> bool:
        return isinstance(quantity, str) and "/" + quantity.lstrip("/") in self.quantities

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def __len__(self) -> int:
        """Number of quantities."""
        return len(self.quantities)

    def series(self, label: str) -> npt.NDArray[np.float64]:
        """The column of that label, whichever quantity it belongs to."""
        labels: List[str] = []
        for quantity in self.quantities:
            table = self.table(quantity)
            labels += [column.label for column in table.columns]
            for k, column in enumerate(table.columns):
                if column.label == label:
                    return table.values[:, k]
        near = difflib.get_close_matches(label, labels, 1)
        raise Error(f"the run has no column '{label}'" + (f"; did you mean '{near[0]}'?" if near else ""), "input")

    def frame(self, *quantities: str) -> Any:
        """A pandas DataFrame over time [s] with the columns of some quantities, or of all. Needs pandas."""
        pandas: Any = importlib.import_module("pandas")
        tables = [self.table(quantity) for quantity in quantities or self.quantities]
        columns = {column.label: t.values[:, k] for t in tables for k, column in enumerate(t.columns)}
        return pandas.DataFrame(columns, index=pandas.Index(self.times, name="time"))

    def dataset(self, *quantities: str) -> Any:
        """An xarray Dataset: a variable per column, over ``time``, with its unit as attribute. Needs xarray."""
        xarray: Any = importlib.import_module("xarray")
        tables = [self.table(quantity) for quantity in quantities or self.quantities]
        columns = {
            column.label: ("time", t.values[:, k], {"units": column.unit})
            for t in tables
            for k, column in enumerate(t.columns)
        }
        return xarray.Dataset(columns, coords={"time": ("time", self.times, {"units": "s"})})

    def __repr__(self) -> str:
        state = "" if self.is_complete else ", not complete"
        times = self.times
        span = f"{len(times)} samples to {times[-1]:g} s" if len(times) else "no samples"
        return f"<grouser.Run of {self.scene_name!r}: {span}, {len(self)} quantities{state}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Run, (self.path,)


def open(path: PathLike) -> Run:
    """A run's folder or its run.h5. Raises ``Error``."""
    return Run(path)

# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from sotto._channel import Channel as Channel
from sotto._errors import Error as Error
from sotto._errors import PrivacyWarning as PrivacyWarning
from sotto._estimators import SparseClassifier as SparseClassifier
from sotto._estimators import SparseRegressor as SparseRegressor
from sotto._everyday import Everyday as Everyday
from sotto._fit import Fit as Fit
from sotto._plan import Plan as Plan
from sotto._simulate import Simulation as Simulation
from sotto._study import Study as Study
from sotto._study import StudyModel as StudyModel

__version__: str
_Path = str | PathLike[str]
_Rows = pd.DataFrame | Mapping[str, ArrayLike] | _Path
_Progress = Callable[[float], object] | bool | None

def plan(study: _Path | None = None, *, devices: int | None = None, samples: int | str | None = None,
         features: int | None = None, epsilon: float | None = None, nonzeros: int | None = None,
         signal: float | str | None = None, noise: float | str | None = None, design: str | None = None,
         link: str | None = None, signs: str | None = None, delta: float | None = None, empty: float | None = None,
         dropout: float | None = None, protocol: str | None = None, label: str | None = None,
         mechanism: str | None = None, rounds: int | None = None, validation: float | None = None,
         error: float | None = None, effect: float | None = None, power: float | None = None,
         rate: float | None = None, seed: int = 1, quick: bool = False) -> Plan: ...
def simulate(data: _Rows | None = None, *, epsilon: float, target: str | None = None, user: str | None = None,
             protocol: str = "auto", name: str = "frame", seed: int = 1, threads: int | None = None, repeat: int = 1,
             compare: bool = False, progress: _Progress = None, **more: Any) -> Simulation: ...
def fit(data: _Rows, *, target: str = "y", epsilon: float | None = None, seed: int | None = None, name: str = "frame",
        progress: _Progress = None, **more: Any) -> Fit: ...
def number(values: ArrayLike, *, low: float | None = None, high: float | None = None, epsilon: float = 1,
           quantiles: Sequence[float] | str | None = None, bins: int | None = None, tight: bool = False,
           periods: int | None = None, user: ArrayLike | None = None, repeat: int = 1, dropout: float | None = None,
           seed: int = 1, threads: int | None = None, name: str = "value", progress: _Progress = None) -> Everyday: ...
def count(values: ArrayLike, *, high: float | None = None, epsilon: float = 1, periods: int | None = None,
          user: ArrayLike | None = None, repeat: int = 1, dropout: float | None = None, seed: int = 1,
          threads: int | None = None, name: str = "count", progress: _Progress = None) -> Everyday: ...
def event(values: ArrayLike, *, epsilon: float = 1, periods: int | None = None, user: ArrayLike | None = None,
          repeat: int = 1, dropout: float | None = None, seed: int = 1, threads: int | None = None, name: str = "event",
          progress: _Progress = None) -> Everyday: ...
def category(values: Iterable[object], *, epsilon: float = 1, periods: int | None = None,
             user: ArrayLike | None = None, repeat: int = 1, dropout: float | None = None, seed: int = 1,
             threads: int | None = None, name: str = "category", progress: _Progress = None) -> Everyday: ...
def crosstab(rows: Iterable[object], columns: Iterable[object], *, epsilon: float = 1, user: ArrayLike | None = None,
             repeat: int = 1, dropout: float | None = None, seed: int = 1, threads: int | None = None,
             names: tuple[str, str] = ("row", "column"), progress: _Progress = None) -> Everyday: ...
def top(values: Iterable[object], *, epsilon: float = 1, of: str = "string", length: int | None = None,
        mechanism: str | None = None, user: ArrayLike | None = None, repeat: int = 1, dropout: float | None = None,
        seed: int = 1, threads: int | None = None, name: str = "item", progress: _Progress = None) -> Everyday: ...
def channel(study: _Path | None = None, *, options: int | Sequence[str] | None = None,
            epsilon: float | None = None) -> Channel: ...
def decode(reports: bytes | NDArray[np.uint8]) -> pd.DataFrame: ...

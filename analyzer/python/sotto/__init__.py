# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Sotto learns from data that stays on the devices that hold it.

Before a device is asked: ``plan`` says what a fleet can tell, ``simulate`` rehearses a study on rows that you have, and
``number``, ``count``, ``event``, ``category``, ``crosstab`` and ``top`` rehearse an everyday question on values that you
have. Nothing of these three is private: they run the devices' code on this machine, on rows that you hold anyway.

When reports are there: ``Study`` collects them and gives the model; ``decode`` shows what report bytes say.

For rows that a server may hold: ``SparseRegressor`` and ``SparseClassifier`` learn sparse models with central
differential privacy, in the manner of scikit-learn.

    >>> import sotto
    >>> plan = sotto.plan(devices=5000, samples=50, features=12, epsilon=2)
    >>> plan.verdict, plan.table, plan.devices_needed(error=0.05)
    >>> sim = sotto.simulate(frame, user="user", target="y", epsilon=2)
    >>> sim.verdict, sim.r2, sim.r2_interval, sim.coefficients, sim.baselines
    >>> model = sotto.SparseRegressor(epsilon=1).fit(X, y)
    >>> model.predict(X2), model.privacy_

``help(sotto.simulate)`` and the like say what each takes. What the library refuses is a ``sotto.Error`` with a code, the
value that was refused, and what to do about it. Results draw themselves in a notebook; ``.plot()`` gives matplotlib
figures, ``.save(path)`` the page.
"""

from sotto._errors import Error, PrivacyWarning

__all__ = ["Error", "Everyday", "Fit", "Plan", "PrivacyWarning", "Simulation", "SparseClassifier", "SparseRegressor", "Study",
           "StudyModel", "category", "channel", "count", "crosstab", "decode", "event", "fit", "number", "plan", "simulate",
           "top"]

# Where each name lives. The first use imports it: `import sotto` itself takes no numpy, pandas or scikit-learn.
_HOMES = {"Everyday": "_everyday", "Fit": "_fit", "fit": "_fit", "Plan": "_plan", "Simulation": "_simulate", "SparseClassifier": "_estimators",
          "SparseRegressor": "_estimators", "Study": "_study", "StudyModel": "_study", "category": "_everyday",
          "channel": "_channel", "count": "_everyday", "crosstab": "_everyday", "decode": "_reports",
          "event": "_everyday", "number": "_everyday", "plan": "_plan", "simulate": "_simulate", "top": "_everyday"}


def __getattr__(name):
    import importlib

    if name == "__version__":
        return importlib.import_module("sotto._sotto").__version__
    if name not in _HOMES:
        raise AttributeError(f"module 'sotto' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"sotto.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*__all__, "__version__"])

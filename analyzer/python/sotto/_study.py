# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A study that was asked: its reports, its rounds, its model."""

import json
import os

from sotto import _sotto
from sotto._page import HasPage, coefficient_frame, draw_intervals


class Study:
    """A study in its directory, as `sotto study FILE --out DIR` made it.

    >>> study = sotto.Study.load("study")
    >>> study.collect("reports.bin").close()
    >>> study.model().coefficients          # once the last round is closed

    Everything is stored in the directory, as `sotto estimate` does it: both can work on the same study, one after the
    other. A round is closed for good. Devices that verify signatures refuse a round that close() wrote until
    `sotto sign` has signed it.

    name, protocol, path    of the study
    rounds, minimum         how many rounds it may ask; the fewest reports with which one is closed
    round, is_finished      the number of the open round, or of the last one; whether none is open
    reports                 how many were used, and why others were not, over all rounds
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        self._study = _sotto.Study(self.path)
        self.name, self.protocol = self._study.name, self._study.protocol
        self.rounds, self.minimum = self._study.rounds, self._study.minimum

    @classmethod
    def load(cls, path):
        """The study in a directory."""
        return cls(path)

    def collect(self, reports):
        """Adds reports to the open round, and returns the study. Each is judged once: what is no report of this round is
        counted with its reason, and the same report twice counts once.

        reports    the path of a file with a batch, reports or hexadecimal text, or a list of paths; bytes; or an array of
                   uint8, a batch or a matrix with a row for each report
        """
        if isinstance(reports, (str, os.PathLike)):
            self._study.collect_files([os.fspath(reports)])
        elif isinstance(reports, (bytes, bytearray, memoryview)):
            self._study.collect_bytes(bytes(reports))
        elif hasattr(reports, "dtype"):
            import numpy as np

            reports = np.asarray(reports, dtype=np.uint8)
            if reports.ndim == 1:
                self._study.collect_bytes(reports.tobytes())
            else:
                self._study.collect_array(reports)
        else:
            for each in reports:
                self.collect(each)
        return self

    def close(self):
        """Closes the open round: writes the next one for devices, or, after the last, model.json and report.html.
        Returns the study."""
        self._study.close()
        return self

    @property
    def round(self):
        """The number of the open round, or of the last one."""
        return self._study.state()["round"]

    @property
    def is_finished(self):
        """Whether the last round is closed, so that there is a model."""
        return not self._study.state()["open"]

    @property
    def reports(self):
        """How many reports were accepted, and why others were not, over all rounds."""
        import pandas as pd

        return pd.Series(self._study.state()["all_reports"], name="reports")

    @property
    def round_file(self):
        """The file of the open round, which devices load."""
        return os.path.join(self.path, f"round-{self.round}.bin")

    def model(self):
        """What was learned; refused before the last round is closed."""
        return StudyModel(*self._study.model())

    def __repr__(self):
        state = self._study.state()
        used = state["all_reports"]["accepted"]
        return f"Study {self.name}: round {state['round']} is {'open' if state['open'] else 'closed'}, {used} reports used"


class StudyModel(HasPage):
    """What a study learned; made by Study.model().

    verdict        "learned", "uncertain", "cannot learn" or "not measured", and `why`
    coefficients   the selected variables with 95 % intervals, strongest first
    estimates      of an everyday question, with intervals
    r2             share of the target's variance that it explains on devices that taught it nothing, and r2_interval
    privacy        what one report tells, sentence by sentence
    model          everything, as model.json states it; model_json its bytes
    """

    def __init__(self, model_json, page):
        self.model_json, self._page = model_json, page
        self.model = json.loads(model_json)
        self.verdict, self.why = self.model["verdict"], self.model["why_verdict"]
        self.protocol = self.model["protocol"]["name"]
        self.privacy = self.model["privacy"]["statement"]

    @classmethod
    def load(cls, path):
        """The model in a model.json; its page is report.html beside it."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        beside = os.path.join(os.path.dirname(os.fspath(path)), "report.html")
        page = ""
        if os.path.exists(beside):
            with open(beside, encoding="utf-8") as file:
                page = file.read()
        return cls(text, page)

    @property
    def page(self):
        """The page of the model as HTML."""
        return self._page

    @property
    def coefficients(self):
        """The selected variables with their 95 % intervals."""
        return coefficient_frame(self.model["coefficients"])

    @property
    def estimates(self):
        """The estimates of an everyday question with their 95 % intervals; None of other studies."""
        import pandas as pd

        everyday = self.model.get("everyday")
        if everyday is None:
            return None
        return pd.DataFrame(everyday["estimates"], columns=["name", "value", "low", "high", "unit"]).set_index("name")

    @property
    def _validation(self):
        measured = self.model["validation"]
        return measured if measured["devices"] > 0 else None

    @property
    def r2(self):
        """Share of the target's variance that the model explains; None where nothing was measured."""
        return None if self._validation is None else self._validation["r2"]

    @property
    def r2_interval(self):
        """Its 95 % interval."""
        return None if self._validation is None else (self._validation["low"], self._validation["high"])

    def plot(self, ax=None):
        """The coefficients with their intervals, with matplotlib; returns the axes."""
        rows = self.coefficients
        return draw_intervals(list(rows.index), rows["estimate"], rows["low"], rows["high"], str(self), ax)

    def __repr__(self):
        measured = "" if self.r2 is None else f", R2 {self.r2:.2f} ({self.r2_interval[0]:.2f} to {self.r2_interval[1]:.2f})"
        return f"StudyModel: {self.verdict} with {self.protocol}{measured}"

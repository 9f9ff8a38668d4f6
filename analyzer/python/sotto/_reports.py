# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Bytes of reports, as arrays of their fields."""

from sotto import _sotto

QUESTIONS = {1: "vote", 2: "bin", 3: "block", 4: "moments", 5: "value", 6: "direction", 7: "label", 8: "sketch",
             9: "synopsis", 10: "update", 11: "number", 12: "top"}


def decode(reports):
    """Shows what is in the bytes of reports: all that left the devices, but for payloads that are sealed.

    reports    bytes or a vector of uint8, a batch, in which each report stands behind its length; or a matrix of uint8
               with a row for each report
    Returns a DataFrame with a row for each report:
      pseudonym, round, study    of the header; study is the beginning of the study's digest
      question                   what was asked, such as "vote"
      sealed                     whether only the study's server can read the answer
      payload                    for reports of one size that are not sealed, the answer as the randomizer made it; else ""
      refused                    why the bytes are no report; "" if they are one
    No loop of Python runs over the reports, and no interpreter is held.
    """
    import numpy as np
    import pandas as pd

    if isinstance(reports, (bytes, bytearray, memoryview)):
        reports = np.frombuffer(reports, dtype=np.uint8)
    reports = np.ascontiguousarray(reports)
    if reports.dtype != np.uint8 or reports.ndim not in (1, 2):
        raise TypeError("reports are bytes, or an array of uint8 with one or two dimensions")
    fields = _sotto.decode_rows(reports) if reports.ndim == 2 else _sotto.decode_batch(reports)
    status = fields["status"]
    known = np.unique(status)
    texts = np.array([_sotto.status_text(int(each)) for each in known], dtype=object)
    questions = np.array([QUESTIONS.get(i, "") for i in range(256)], dtype=object)
    frame = pd.DataFrame({
        "pseudonym": fields["pseudonym"], "round": fields["round"], "study": fields["study"],
        "question": pd.Categorical.from_codes(fields["question"], questions.tolist()[:1] + list(QUESTIONS.values()))
        if fields["question"].max(initial=0) <= max(QUESTIONS) else questions[fields["question"]],
        "sealed": fields["sealed"].astype(bool),
        "payload": payloads(reports.reshape(-1), fields),
        "refused": pd.Categorical.from_codes(np.searchsorted(known, status), texts.tolist()),
    })
    frame.attrs["cut_off"] = bool(fields["torn"])  # the last report of a batch was not whole
    return frame


def payloads(flat, fields):
    """The payloads of plain reports as bytes, all at once: where they have one size, as they do in one round."""
    import numpy as np

    first, size = fields["payload_first"], fields["payload_size"]
    plain = (fields["status"] == 0) & (fields["sealed"] == 0)
    out = np.full(len(first), b"", dtype=object)
    for width in np.unique(size[plain]):
        rows = np.flatnonzero(plain & (size == width))
        taken = flat[first[rows].astype(np.int64)[:, None] + np.arange(int(width))]
        out[rows] = np.ascontiguousarray(taken).view(f"V{int(width)}").ravel().astype(object)
    return out

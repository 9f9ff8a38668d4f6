# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Rows as the library reads them: columns of numbers where they lie, or text as a file would hold it."""

import io
import os


def is_path(data):
    """Whether rows are named instead of given."""
    return isinstance(data, (str, os.PathLike))


def number_column(values):
    """The column as float64 or float32, without a copy where it is one of them; None if it holds no numbers."""
    import numpy as np

    if hasattr(values, "to_numpy"):
        kind = getattr(values, "dtype", None)
        if getattr(kind, "kind", "O") not in "fiub":
            return None
        values = values.to_numpy() if isinstance(kind, np.dtype) else values.to_numpy(dtype="float64", na_value=np.nan)
    values = np.asarray(values)
    if values.dtype == np.float64 or values.dtype == np.float32:
        return values
    return values.astype(np.float64) if values.dtype.kind in "fiub" else None


def text_of(frame):
    """A pandas frame as a file would hold it."""
    bools = {place: "int8" for place, kind in enumerate(frame.dtypes) if kind == bool}
    named, frame = frame.columns, frame.set_axis(range(frame.shape[1]), axis=1).astype(bools)
    out = io.StringIO()
    frame.set_axis(named, axis=1).to_csv(out, index=False, lineterminator="\n")
    return out.getvalue()


def names_of(columns):
    """Names of columns as text; a file has no others."""
    return [str(name) for name in columns]


def users_of(values):
    """Users as numbers in the order of their first appearance, and their names."""
    import numpy as np

    values = np.asarray(values)
    known, first, codes = np.unique(values.astype(str), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    return place[codes.ravel()], [str(name) for name in known[order]]


def rows_of_frame(frame, name, *, user=None, as_text=False):
    """A pandas frame, or a dict of columns, as what _sotto takes. Numbers stay where they are; a frame with a column of
    text, or whose levels are stated, is written out as a file would be."""
    if isinstance(frame, dict):
        columns = {str(key): values for key, values in frame.items()}
        needs_frame = as_text or any(number_column(values) is None for key, values in columns.items() if key != user)
        if not needs_frame:
            return _numbers(columns, name, user)
        import pandas as pd

        frame = pd.DataFrame(columns)
    columns = {str(key): values for key, values in frame.items()}
    is_unique = len(columns) == frame.shape[1]  # else the reader of files says which name is there twice
    if as_text or not is_unique or any(number_column(values) is None for key, values in columns.items() if key != user):
        return {"name": name, "text": text_of(frame)}
    return _numbers(columns, name, user)


def _numbers(columns, name, user):
    held = None
    if user is not None and user in columns:
        codes, names = users_of(columns[user])
        held = (user, codes, names)
    numbers = [(key, number_column(values)) for key, values in columns.items() if key != user]
    return {"name": name, "columns": numbers, "user": held}


def rows_of_matrix(X, names, *, y=None, target=None, name="array"):
    """A matrix of numbers and a target: views of its columns, without a copy of float64 or float32."""
    import numpy as np

    X = X if X.dtype in (np.float64, np.float32) else X.astype(np.float64)
    columns = [(each, X[:, j]) for j, each in enumerate(names)]
    if y is not None:
        columns.append((target, number_column(y)))
    return {"name": name, "columns": columns, "user": None}

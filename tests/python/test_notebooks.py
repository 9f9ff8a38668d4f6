# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The notebooks of examples/notebooks run from the first cell to the last, by the same Python, and say what they show."""

import contextlib
import io
import json
import pathlib

import pytest
from conftest import SOURCE

NOTEBOOKS = sorted((SOURCE / "examples/notebooks").glob("*.ipynb"))


def run(path):
    """Runs the cells of a notebook one after the other, and returns what each shows last."""
    import ast

    space = {"__name__": "__main__"}
    shown = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, str(path), "exec"), space)  # noqa: S102
            value = None if last is None else eval(compile(ast.Expression(last.value), str(path), "eval"), space)  # noqa: S307
        if hasattr(value, "_repr_html_"):
            value._repr_html_()
        shown.append(value)
    return space, shown


def test_there_are_two():
    assert [path.name for path in NOTEBOOKS] == ["what_does_a_report_give_away.ipynb", "which_sensors_explain_the_fault.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    space, shown = run(path)
    assert len(shown) > 5
    if "sensors" in path.name:
        assert space["study"].verdict in ("learned", "uncertain")
        assert {"vibration", "pump_current"} <= set(space["study"].coefficients.index)
    else:
        assert space["channel"].best_guess < 0.9


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_output(path):
    for cell in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None

# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import subprocess
import sys


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_an_import_takes_no_other_package_along():
    told = run("import sys, sotto; print([n for n in ('numpy', 'pandas', 'sklearn', 'matplotlib', 'tqdm') if n in sys.modules])")
    assert told.strip() == "[]"


def test_every_public_name_exists_and_says_what_it_is():
    import sotto

    for name in sotto.__all__:
        assert getattr(sotto, name).__doc__, name
    assert set(sotto.__all__) <= set(dir(sotto))
    assert sotto.__version__.count(".") == 2


def test_help_of_the_package_names_every_door():
    import sotto

    for name in ("plan", "simulate", "number", "Study", "SparseRegressor", "decode", "Error"):
        assert name in sotto.__doc__


def test_an_unknown_name_is_an_attribute_error():
    told = run("import sotto\ntry:\n  sotto.nothing\nexcept AttributeError as error:\n  print(error)")
    assert "nothing" in told


def test_stubs_state_the_functions_of_the_module():
    import pathlib

    import sotto
    from sotto import _sotto

    stub = (pathlib.Path(sotto.__file__).parent / "_sotto.pyi").read_text()
    for name in dir(_sotto):
        if not name.startswith("__"):
            assert f"def {name}(" in stub or f"class {name}" in stub, name

# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Flips single bits of a file and looks at what a command makes of it: the same as before, or a refusal by name."""

import os
import random
import re
import shutil
import subprocess

from sotto_case import DONE, INPUT_OUTPUT, REFUSED, SOTTO

MORE = int(os.environ.get("SOTTO_FLIPS", "1"))  # times as many flips, and all bits of small files
SMALL_BYTES = 400


def some_bits(size, count, seed=1):
    """Bits of a file of so many bytes, the same ones in every run of the test."""
    bits = range(8 * size)
    if MORE > 1 and size <= SMALL_BYTES:
        return list(bits)
    return sorted(random.Random(seed).sample(bits, min(MORE * count, len(bits))))


def flip(path, bit):
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def check_flips(case, directory, name, bits, command, results):
    """`command` runs in a copy of the directory with one bit of the file `name` turned. If it ends with 0, what it writes (`results`)
    must be what it writes without the flip; else it must say by a code why it stopped, and may have written nothing else. Gives how many
    flips were refused."""
    def run(bit):
        copy = case.work / "copy"
        shutil.copytree(case.work / directory, copy)
        if bit is not None:
            flip(copy / name, bit)
        ran = subprocess.run([SOTTO, *map(str, command)], capture_output=True, cwd=copy, timeout=case.SECONDS)
        made = {result: (copy / result).read_bytes() if (copy / result).exists() else None for result in results}
        shutil.rmtree(copy)
        return ran, made
    whole, expected = run(None)
    case.assertEqual(whole.returncode, DONE, whole.stderr)
    case.assertNotIn(None, expected.values())
    refused, wrong = 0, []
    for bit in bits:
        ran, made = run(bit)
        if ran.returncode == DONE:
            if made != expected or ran.stdout != whole.stdout:
                wrong.append(bit)
            continue
        refused += 1
        case.assertIn(ran.returncode, (REFUSED, INPUT_OUTPUT), f"bit {bit} of {name}: {ran.stderr}")
        case.assertRegex(ran.stderr, re.compile(rb"code: [a-z_]+\.[a-z_]+"), f"bit {bit} of {name}")
        for result, content in made.items():
            if result != name and content is not None and not (case.work / directory / result).exists():
                case.assertEqual(content, expected[result], f"bit {bit} of {name}")
    case.assertEqual(wrong, [], f"these bits of {name} give another result with exit code 0")
    return refused

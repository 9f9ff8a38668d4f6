# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
import struct

import numpy as np
import pytest

import sotto


def report(pseudonym, round_number=1, question=1, payload=b"\x05\x00", sealed=False):
    """The bytes of a report, as WIRE.md states them: the example of the documentation, with other fields."""
    head = bytearray(EXAMPLE[:16])
    return bytes(head), pseudonym, round_number, question, payload, sealed


def example():
    """The report that examples/firmware/report.hex quotes."""
    from conftest import SOURCE

    return bytes.fromhex((SOURCE / "examples/firmware/report.hex").read_text().split()[0])


EXAMPLE = example()


def test_a_report_is_decoded_as_the_command_line_does(cli, tmp_path):
    from conftest import SOURCE

    told = cli("decode", SOURCE / "examples/firmware/report.hex")
    facts = {fact["field"]: fact["value"] for fact in told["objects"][0]["facts"]} if "facts" in told["objects"][0] else {}
    frame = sotto.decode(np.frombuffer(EXAMPLE, np.uint8)[None, :])
    row = frame.iloc[0]
    assert row["refused"] == "" and len(frame) == 1
    text = str(told)
    assert row["question"] in text and str(row["round"]) in text
    assert not facts or str(row["round"]) in facts.values()


def test_rows_and_a_batch_say_the_same():
    rows = np.frombuffer(EXAMPLE * 5, np.uint8).reshape(5, -1)
    batch = b"".join(struct.pack("<H", len(EXAMPLE)) + EXAMPLE for _ in range(5))
    of_rows, of_batch = sotto.decode(rows), sotto.decode(batch)
    assert of_rows.equals(of_batch)


def test_what_is_no_report_says_why():
    rows = np.frombuffer(EXAMPLE * 3, np.uint8).reshape(3, -1).copy()
    rows[1, 0] ^= 0xFF
    frame = sotto.decode(rows)
    assert list(frame["refused"] == "") == [True, False, True]
    torn = sotto.decode(struct.pack("<H", len(EXAMPLE)) + EXAMPLE[:-1])
    assert torn.empty and torn.attrs["cut_off"]


def test_nothing_and_wrong_arrays_are_told():
    assert sotto.decode(b"").empty
    with pytest.raises(TypeError):
        sotto.decode(np.zeros((2, 2)))


def test_ten_million_bytes_are_decoded():
    n = 10_000_000 // len(EXAMPLE) + 1
    rows = np.tile(np.frombuffer(EXAMPLE, np.uint8), (n, 1))
    assert rows.nbytes >= 10_000_000
    frame = sotto.decode(rows)
    assert len(frame) == n and (frame["refused"] == "").all() and frame["pseudonym"].nunique() == 1

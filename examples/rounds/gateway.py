#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The other end of the serial line: hands rounds to one device and takes its reports.

    gateway = Gateway(read, write)     functions for bytes: of a serial port, or of an emulator's pipes
    gateway.serve(rounds)              until the device sleeps; gateway.reports has what it sent, by the number of the round

A device is provisioned by the bytes of provision(), at the address that its port reads.
"""

import struct

MARK = 0xA5


def provision(pseudonym: int, key: bytes, manifest: bytes, rows: list[list[int]]) -> bytes:
    """What the factory writes into one device: credential, study, and here also its samples."""
    features = len(rows[0]) - 1
    padded = manifest + bytes(-len(manifest) % 4)
    samples = b"".join(struct.pack(f"<{features + 1}h", *row) for row in rows)
    return b"SOTP" + struct.pack("<IIIQ", len(manifest), len(rows), features, pseudonym) + key + padded + samples


class PowerCut(Exception):
    """Raised by a gateway that is told to cut the device's power here."""


class Gateway:
    def __init__(self, read, write, agrees=None, refuse_first=0, cut_at=None):
        self.read, self.write = read, write
        self.agrees = agrees              # the owner's decision, if there is one to tell
        self.refusals = refuse_first      # so many reports are asked for again
        self.cut_at = cut_at              # kind of frame at which the power goes
        self.reports, self.log, self.slots, self.sent = {}, [], [], []

    def frame(self):
        while True:
            if self.read(1)[0] != MARK:
                continue
            head = self.read(3)
            body = self.read(head[1] | head[2] << 8)
            if sum(head + body) & 0xFFFF == int.from_bytes(self.read(2), "little"):
                return chr(head[0]), body

    def tell(self, kind: str, body: bytes = b""):
        data = bytes([ord(kind)]) + len(body).to_bytes(2, "little") + body
        self.write(bytes([MARK]) + data + (sum(data) & 0xFFFF).to_bytes(2, "little"))

    def serve(self, rounds: list[bytes]):
        while True:
            kind, body = self.frame()
            if kind == self.cut_at:
                if kind == "R":
                    self.sent.append(body)
                raise PowerCut
            if kind == "H":
                if self.agrees is None:
                    self.tell("G")
                else:
                    self.tell("C", bytes([self.agrees]))
            elif kind == "F":
                known = int.from_bytes(body, "little")
                later = [r for r in rounds if int.from_bytes(r[6:8], "little") > known]
                if not later:
                    self.tell("N")
                    return
                self.tell("M", later[0])
            elif kind == "W":
                self.slots.append(int.from_bytes(body, "little") / 2**32)
                self.tell("G")
            elif kind == "R":
                self.sent.append(body)
                if self.refusals:
                    self.refusals -= 1
                    self.tell("X")
                else:
                    self.reports[int.from_bytes(body[:2], "little")] = body[2:]
                    self.tell("A")
            elif kind == "L":
                self.log.append(body.decode())
                if body.startswith(b"cannot"):
                    return

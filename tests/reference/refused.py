# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A refusal has the name of a status, nothing else."""


class Refused(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


def require(condition, status):
    if not condition:
        raise Refused(status)


def status_of(function, *arguments):
    """The name of the refusal, or "ok"."""
    try:
        function(*arguments)
    except Refused as refusal:
        return refusal.status
    return "ok"

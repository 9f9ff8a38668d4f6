# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Small words about bits and sorted sets."""


def parity(word):
    return word.bit_count() & 1


def set_or_rest(members, is_inside, rank):
    """The rank-th member, or the rank-th number that is no member, in increasing order."""
    members = sorted(members)
    if is_inside:
        return members[rank]
    for member in members:
        if rank < member:
            break
        rank += 1
    return rank

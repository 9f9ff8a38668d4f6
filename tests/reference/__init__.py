# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A second implementation of shared/spec/RANDOMIZERS.md, made from that page alone.

It is written for the reader, not for speed: whole integers, fractions, one module per section or stem. The files in
tests/vectors are its output (make_vectors.py).
"""

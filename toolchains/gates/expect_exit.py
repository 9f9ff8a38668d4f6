#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""expect_exit.py --code N [--text T] -- COMMAND...: passes when COMMAND exits with N and prints T."""

import argparse
import subprocess
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", type=int, required=True, help="exit code; -1 for any but 0")
    parser.add_argument("--text", default="", help="what the output must contain")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()

    run = subprocess.run(args.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    print(run.stdout, end="")
    right_code = run.returncode != 0 if args.code == -1 else run.returncode == args.code
    if not right_code:
        print(f"exit code {run.returncode}, expected {args.code}")
    if args.text not in run.stdout:
        print(f"the output does not contain '{args.text}'")
    return 0 if right_code and args.text in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())

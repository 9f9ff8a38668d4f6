#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""count_results.py JUNIT.xml: prints how many tests passed, how many failed, and how many Unity cases they contained."""

import re
import sys
import xml.etree.ElementTree

UNITY = re.compile(r"^(\d+) Tests \d+ Failures (\d+) Ignored", re.MULTILINE)


def main() -> int:
    suite = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    passed = failed = cases = 0
    for case in suite.iter("testcase"):
        # CTest writes run, fail, disabled or notrun. A test that did not run did not pass.
        if case.get("status") == "run":
            passed += 1
        elif case.find("skipped") is not None and case.get("status") == "notrun":
            continue
        else:
            failed += 1
        if not case.get("name", "").startswith("harness_"):
            text = case.findtext("system-out") or ""
            cases += sum(int(count) - int(ignored) for count, ignored in UNITY.findall(text))
    print(passed, failed, cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())

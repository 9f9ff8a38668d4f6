# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate with many devices: memory does not grow with them, and threads do not change the model."""

import os
import subprocess

from sotto_case import SOTTO, SottoCase, main

FEW, MANY = 2_000, 40_000


def fleet(users):
    return ("simulate", "--users", users, "--samples", 20, "--dim", 64, "--epsilon", 4)


class Scale(SottoCase):
    def peak_kib(self, *arguments):
        """The most memory that the process had at any time."""
        running = subprocess.Popen([SOTTO, *map(str, arguments), "--json"], cwd=self.work, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(running.returncode, 0)
        return usage.ru_maxrss

    def test_memory_does_not_grow_with_the_devices(self):
        few, many = (self.peak_kib(*fleet(users), "--threads", 2) for users in (FEW, MANY))
        # 32 bytes that stay of a device would be 1188 KiB; what the allocator does with threads is less.
        self.assertLess(many - few, (MANY - FEW) * 32 / 1024)

    def test_a_stored_run_keeps_its_reports_on_disk(self):
        few, many = (self.peak_kib(*fleet(users), "--threads", 2, "--out", f"run-{users}") for users in (FEW, MANY // 2))
        # The store may keep 16 MiB of its pages in memory, whatever it holds. Until then pages of 1 KiB hold reports (about 32
        # bytes each) and who sent them (about 40), and the log knows where each page is.
        self.assertLess(many - few, (MANY // 2 - FEW) * 200 / 1024)

    def test_threads_never_change_the_model(self):
        models = []
        for threads in (1, 2, 8):
            self.sotto(*fleet(5_000), "--threads", threads, "--out", f"threads-{threads}")
            models.append((self.work / f"threads-{threads}" / "model.json").read_bytes())
        self.assertEqual(models[0], models[1])
        self.assertEqual(models[0], models[2])

    def test_reports_a_second_and_bytes_a_report_are_told(self):
        result = self.json(*fleet(FEW))
        self.assertEqual(result["reports"]["sent_now"], FEW)
        self.assertAlmostEqual(result["timing"]["reports_per_second"], FEW / result["timing"]["seconds"],
                               delta=1e-6 * result["timing"]["reports_per_second"])
        self.assertRegex(self.sotto(*fleet(FEW)).stdout, r"[0-9]+ reports a second, [0-9.]+ bytes a report")


if __name__ == "__main__":
    main()

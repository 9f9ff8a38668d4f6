# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Rows for the tests of sotto fit."""

import random

from sotto_case import SottoCase


class FitCase(SottoCase):
    def rows(self, count=1500, name="rows.csv"):
        """Labels that follow two of six features; one row is as large as a row can be."""
        coins = random.Random(7)
        lines = ["id,y," + ",".join(f"f{j}" for j in range(6))]
        for i in range(count):
            x = [coins.gauss(0, 1) for _ in range(6)]
            y = int(2 * x[1] - 2 * x[4] + coins.gauss(0, 1) > 0)
            lines.append(",".join(map(str, [i, y, *(round(v, 4) for v in x)])))
        lines.append(f"{count},1," + ",".join(["1e6"] * 6))
        (self.work / name).write_text("\n".join(lines) + "\n")
        (self.work / "scales.csv").write_text("name,offset,deviation\n" + "".join(f"f{j},0,1\n" for j in range(6)))
        return name

    def fit(self, *more):
        return ("fit", self.rows(), "--leave-out", "id", "--scales", "scales.csv", "--nonzeros", 2, *more)

    def words(self, rows, name):
        """A number that follows a column, words and whether another column is missing; a class that is whether it is large."""
        coins = random.Random(rows)
        lines = ["number;when;kind;a;b;y;class"]
        for i in range(rows):
            a, b, kind = coins.gauss(5, 2), coins.gauss(0, 1), coins.choice(["red", "green", "blue"])
            is_missing = coins.random() < 0.2
            y = a + 3 * (kind == "red") + 2 * is_missing + coins.gauss(0, 1)
            lines.append(f"{i};0{i % 9 + 1}.02.2024;{kind};{a:.3f};{'NA' if is_missing else f'{b:.3f}'};{y:.3f};{'yes' if y > 6 else 'no'}")
        (self.work / name).write_text("\n".join(lines) + "\n")
        return name

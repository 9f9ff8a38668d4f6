# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Models in device standard deviations: units that are supplied after the study, predictions by device, named fleets."""

import csv
import io
import random

from sotto_case import REFUSED, USAGE, SottoCase, main

# Devices differ in level and scale; y follows a and b, per device standard deviation about .8 and -.5.
DEVICES, ROWS = 240, 24


def fleet():
    draw = random.Random(7)
    lines = ["device,a,b,c,d,y"]
    for device in range(DEVICES):
        level, scale = draw.gauss(100, 40), draw.uniform(0.5, 2)
        for _ in range(ROWS):
            a, b, c, d = (draw.gauss(0, 1) for _ in range(4))
            y = level + scale * (8 * a - 5 * b + draw.gauss(0, 3))
            lines.append(f"m{device},{20 + 2 * a:.4f},{5 + 0.5 * b:.4f},{c:.4f},{d:.4f},{y:.4f}")
    return "\n".join(lines) + "\n"


SCALES = "name,offset,deviation\ny,100,12.4\na,20,2\nb,5,0.5\nc,0,1\nd,0,1\n"


class Units(SottoCase):
    def setUp(self):
        super().setUp()
        (self.work / "rows.csv").write_text(fleet())
        (self.work / "scales.csv").write_text(SCALES)
        self.sotto("simulate", "--data", "rows.csv", "--user-column", "device", "--target", "y", "--epsilon", 8, "--seed", 3, "--out", "run")

    def test_scales_that_come_later_give_coefficients_per_unit(self):
        before = self.json("report", "run")
        self.assertEqual(before["units"], "device")
        self.assertTrue(all(row["value"] is None for row in before["per_unit"]))
        page = (self.work / "run/report.html").read_text()
        self.assertIn("Per device standard deviation", page)
        self.assertIn("sotto report --scales FILE", page)
        after = {row["name"]: row for row in self.json("report", "run", "--scales", "scales.csv")["per_unit"]}
        self.assertAlmostEqual(after["a"]["value"], 5, delta=1.2)    # 8 * 1.25 / 2
        self.assertAlmostEqual(after["b"]["value"], -12.5, delta=3)  # -5 * 1.25 / 0.5
        page = (self.work / "run/report.html").read_text()
        self.assertIn("Values per unit take the stated standard deviations as exact", page)
        self.assertIn("+", self.sotto("report", "run", "--scales", "scales.csv").stdout)

    def test_scales_that_lack_a_column_or_meet_stated_units_are_refused_by_name(self):
        (self.work / "half.csv").write_text("name,offset,deviation\ny,100,12\nb,5,0.5\n")
        for verb in (("report", "run"), ("predict", "run", "rows.csv")):
            error = self.json(*verb, "--scales", "half.csv", code=REFUSED)["error"]
            self.assertEqual((error["code"], error["value"]), ("data.missing_scale", "a"))
        (self.work / "bad.csv").write_text(SCALES.replace("12.4", "0"))
        self.assertEqual(self.json("report", "run", "--scales", "bad.csv", code=REFUSED)["error"]["code"], "data.bad_scale")
        self.sotto("simulate", "--data", "rows.csv", "--user-column", "device", "--target", "y", "--epsilon", 8, "--units", "stated",
                   "--out", "stated")
        for verb in (("report", "stated", "--scales", "scales.csv"), ("predict", "stated", "rows.csv", "--user", "device")):
            self.assertEqual(self.json(*verb, code=REFUSED)["error"]["code"], "model.stated_units")
        self.sotto("predict", "run", "rows.csv", "--scales", "scales.csv", "--user", "device", code=USAGE)

    def test_rows_of_known_devices_are_predicted_by_their_own_units(self):
        error = self.json("predict", "run", "rows.csv", code=REFUSED)["error"]
        self.assertEqual(error["code"], "predict.device_units")
        self.assertIn("--user COLUMN", error["fix"])
        rows = list(csv.DictReader(io.StringIO(fleet())))
        self.assertGreater(self.r2(rows, self.json("predict", "run", "rows.csv", "--user", "device")["predictions"]), 0.8)
        # A scale for all devices cannot know their levels; it is still right about differences.
        self.assertLess(self.r2(rows, self.json("predict", "run", "rows.csv", "--scales", "scales.csv")["predictions"]), 0.8)
        # The last rows of a device are predicted from what is known of the others.
        hidden = [i for i in range(len(rows)) if i % ROWS >= ROWS - 4]
        for i in hidden:
            rows[i] = dict(rows[i], hidden=rows[i]["y"], y="")
        self.write("some.csv", rows, ("device", "a", "b", "c", "d", "y"))
        guessed = self.json("predict", "run", "some.csv", "--user", "device")["predictions"]
        truth = [dict(rows[i], y=rows[i]["hidden"]) for i in hidden]
        self.assertGreater(self.r2(truth, [guessed[i] for i in hidden]), 0.75)
        # Without a column for the target only its standard deviations can be told.
        self.write("features.csv", rows, ("device", "a", "b", "c", "d"))
        told = self.json("predict", "run", "features.csv", "--user", "device")
        self.assertEqual(told["unit"], "device standard deviations")
        self.assertLess(max(map(abs, told["predictions"])), 8)
        self.assertTrue(self.sotto("predict", "run", "features.csv", "--user", "device").stdout.startswith("y (device standard"))

    def test_a_device_that_cannot_be_standardised_is_named(self):
        lines = fleet().splitlines()
        (self.work / "few.csv").write_text("\n".join(lines[:ROWS + 3]) + "\n")
        error = self.json("predict", "run", "few.csv", "--user", "device", code=REFUSED)["error"]
        self.assertEqual((error["code"], error["value"]), ("predict.few_rows", "m1"))
        blank = [line if i == 0 else line.rsplit(",", 1)[0] + "," for i, line in enumerate(lines[:ROWS + 1])]
        (self.work / "blank.csv").write_text("\n".join(blank) + "\n")
        error = self.json("predict", "run", "blank.csv", "--user", "device", code=REFUSED)["error"]
        self.assertEqual(error["code"], "predict.few_rows")
        self.assertIn("target is known", error["what"])
        self.assertEqual(self.json("predict", "run", "rows.csv", "--user", "machine", code=REFUSED)["error"]["code"], "data.unknown_column")

    def write(self, name, rows, columns):
        with open(self.work / name, "w", newline="") as out:
            writer = csv.DictWriter(out, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)

    @staticmethod
    def r2(rows, guessed):
        truth = [float(row["y"]) for row in rows]
        mean = sum(truth) / len(truth)
        return 1 - sum((g - t) ** 2 for g, t in zip(guessed, truth)) / sum((t - mean) ** 2 for t in truth)


EFFECTS = "name,effect,unit,offset,deviation\nenergy,,Wh,900,320\nheat,0.6,K,46,14\nload,-0.4,kg,4,2\n" + "".join(
    f"reading {i},0,,0,1\n" for i in range(10))


class Effects(SottoCase):
    def test_a_fleet_has_the_names_and_coefficients_of_its_file(self):
        (self.work / "washes.csv").write_text(EFFECTS)
        result = self.json("simulate", "--effects", "washes.csv", "--target", "energy", "--users", 600, "--samples", 40, "--epsilon", 8,
                           "--out", "run")
        deviation = (0.6 ** 2 + 0.4 ** 2 + 1) ** 0.5
        found = {row["name"]: row["estimate"] for row in result["coefficients"] if row["found"]}
        self.assertEqual(set(found), {"heat", "load"})
        self.assertAlmostEqual(found["heat"], 0.6 / deviation, delta=0.05)
        self.assertAlmostEqual(found["load"], -0.4 / deviation, delta=0.05)
        self.assertIn("--effects washes.csv --target energy", result["command"])
        per_unit = {row["name"]: row["value"] for row in self.json("report", "run")["per_unit"]}
        self.assertAlmostEqual(per_unit["heat"], 0.6 / deviation * 320 / 14, delta=1)
        self.assertIn("washes: what moves energy", (self.work / "run/report.html").read_text())

    def test_a_file_that_says_nothing_or_too_much_is_refused(self):
        for text, word in ((EFFECTS.replace("0.6", "?"), "effect"), (EFFECTS.replace(",2\n", ",0\n"), "deviation"),
                           (EFFECTS + "heat,0,,0,1\n", "repeated"), (EFFECTS.replace("0.6", "0").replace("-0.4", "0"), "no feature has")):
            (self.work / "bad.csv").write_text(text)
            error = self.json("simulate", "--effects", "bad.csv", "--target", "energy", "--users", 60, "--epsilon", 8, code=REFUSED)["error"]
            self.assertEqual(error["code"], "simulate.bad_effects")
            self.assertIn(word, error["what"])
        (self.work / "washes.csv").write_text(EFFECTS)
        for more in (("--dim", 5), ("--protocol", "vote"), ("--protocol", "kernel-ridge")):
            self.sotto("simulate", "--effects", "washes.csv", "--target", "energy", "--users", 60, "--epsilon", 8, *more, code=USAGE)


if __name__ == "__main__":
    main()

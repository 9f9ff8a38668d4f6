# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""examples/rounds on emulated boards: rounds over a serial line, retries, power cuts, and whole studies to a model.

The images are compiled from the library in one file, as a project without CMake would."""

import csv
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

from broker_case import BrokerCase
from gateway import Gateway, PowerCut, provision
from sotto_case import MEMORY, SOURCE, SottoCase, main

MADE = pathlib.Path(os.environ["SOTTO_MADE"])
BOARDS = {
    "cortex-m0plus": (["-mcpu=cortex-m0plus", "-mfloat-abi=soft", "-DBOARD_NRF51"], "microbit", "microbit", 0x30000),
    "cortex-m4": (["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"], "mps2-an386", "mps2-an386", 0x100000),
}
FEATURES, ROWS = 32, 100
STUDY = f"""name = "boards"
[privacy]
epsilon = 4.0
[study]
samples = {ROWS}
minimum = 5
[protocol]
kind = "auto"
devices = %d
features = {FEATURES}
sparsity = 1
noise = 0.5
"""


def image(board, place):
    core, script, _, _ = BOARDS[board]
    common = [*core, "-mthumb", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra", "-Werror",
              f"-I{MADE}", f"-I{SOURCE / 'toolchains/boards'}"]
    library, out = place / f"{board}.o", place / f"{board}.elf"
    subprocess.run(["arm-none-eabi-g++", "-std=c++20", "-fno-exceptions", "-fno-rtti", *common, "-c", MADE / "sotto.cpp", "-o", library],
                   check=True)
    boards = [SOURCE / f"toolchains/boards/{name}.c" for name in
              ("memory", "semihosting", "startup", "startup_cortex_m", "text", "counter_cortex_m")]
    example = [SOURCE / f"examples/rounds/{name}.c" for name in ("main", "line", "port_qemu")]
    subprocess.run(["arm-none-eabi-gcc", "-std=c99", "-fno-tree-loop-distribute-patterns", *common, *example, *boards, library, "-nostdlib",
                    f"-L{SOURCE / 'toolchains/boards/ld'}", f"-T{script}.ld", "-Wl,--gc-sections", "-Wl,--fatal-warnings", "-lgcc", "-o", out],
                   check=True)
    return out


class Rounds(SottoCase):
    PLACE = MEMORY

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.images = {board: image(board, pathlib.Path(place.name)) for board in BOARDS}

    def make_study(self, devices, count):
        (self.work / "study.toml").write_text(STUDY % devices)
        self.sotto("study", "study.toml", "--out", "run")
        self.sotto("enrol", "run", "--count", count, "--out", "credentials.csv")
        with open(self.work / "credentials.csv", newline="", encoding="utf-8") as file:
            issued = list(csv.DictReader(file))
        manifest = (self.work / "run/manifest.bin").read_bytes()
        draw = random.Random(11)
        for number, row in enumerate(issued):
            home = self.work / f"device-{number}"
            home.mkdir()
            rows = [[round(draw.gauss(0, 5000)) for _ in range(FEATURES)] for _ in range(ROWS)]
            for values in rows:
                values.append(max(-32767, min(32767, round(0.9 * values[7] + draw.gauss(0, 2000)))))
            (home / "provision.bin").write_bytes(provision(int(row["pseudonym"], 16), bytes.fromhex(row["key"]), manifest, rows))

    def boot(self, board, number, rounds, code=0, **gateway):
        """One boot of a device, up to its sleep or a power cut. Returns its gateway."""
        _, _, machine, address = BOARDS[board]
        command = [os.environ["SOTTO_QEMU"], "-machine", machine, "-display", "none", "-monitor", "none", "-chardev", "stdio,id=line",
                   "-serial", "chardev:line", "-semihosting-config", "enable=on,target=native", "-kernel", self.images[board], "-device",
                   f"loader,file=provision.bin,addr={address:#x},force-raw=on"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                              cwd=self.work / f"device-{number}") as running:
            def read(count):
                data = b""
                while len(data) < count:
                    part = running.stdout.read(count - len(data))
                    if not part:
                        raise AssertionError(f"the board stopped: {running.stderr.read().decode()}")
                    data += part
                return data
            served = Gateway(read, running.stdin.write, **gateway)
            try:
                served.serve(rounds)
                running.wait(30)
                self.assertEqual(running.returncode, code, served.log)
            except PowerCut:
                running.kill()
            finally:
                if running.poll() is None:
                    running.kill()
        return served

    def round_bytes(self, number):
        return (self.work / f"run/round-{number}.bin").read_bytes()


class Devices(Rounds):
    def test_a_device_is_cut_off_and_sends_the_same_bytes(self):
        self.make_study(40, 40)
        for sent, (board, numbers) in enumerate((("cortex-m0plus", range(20)), ("cortex-m4", range(20, 40))), start=1):
            with self.subTest(board):
                self.life_of_one(board, numbers)
                self.assertEqual(self.json("estimate", "run", "report.hex")["reports"]["by_reason"]["accepted"], sent)

    def life_of_one(self, board, numbers):
        """The first of these devices that is asked: its owner, its report, power cuts and retries."""
        rounds = [self.round_bytes(1)]
        for number in numbers:
            refused = self.boot(board, number, rounds, agrees=0)  # the owner does not agree
            cut = self.boot(board, number, rounds, agrees=1, cut_at="R")  # the power goes while the report is on the line
            if cut.sent:
                break
            # Another cohort.
        else:
            self.fail("nobody is asked")
        again = self.boot(board, number, rounds, refuse_first=2)  # consent lasts; the server asks for the report again, twice
        self.assertEqual(again.log, [])
        self.assertEqual([body[2:] for body in cut.sent + again.sent], [again.reports[1]] * 4)
        self.assertTrue(all(0 <= slot < 1 for slot in again.slots))
        self.assertEqual(self.boot(board, number, rounds).sent, [])  # acknowledged: nothing more to send
        self.assertEqual((refused.sent, refused.log), ([], ["round: consent_off"]))
        (self.work / "report.hex").write_text(again.reports[1].hex() + "\n")


@unittest.skipUnless("SOTTO_BRIDGE" in os.environ, "the bridge was not built")
class Bridged(Rounds, BrokerCase):
    """An emulated board, its serial line, sotto-bridge, and sotto serve behind HTTP or a broker."""

    def boot_bridged(self, number, *bridge):
        """One boot of a device up to its sleep. Returns what the bridge said."""
        _, _, machine, address = BOARDS["cortex-m4"]
        home = self.work / f"device-{number}"
        (home / "line").unlink(missing_ok=True)
        command = [os.environ["SOTTO_QEMU"], "-machine", machine, "-display", "none", "-monitor", "none", "-chardev",
                   "socket,id=line,path=line,server=on,wait=on", "-serial", "chardev:line", "-semihosting-config", "enable=on,target=native",
                   "-kernel", self.images["cortex-m4"], "-device", f"loader,file=provision.bin,addr={address:#x},force-raw=on"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home) as board:
            try:
                while not (home / "line").exists():
                    time.sleep(0.01)
                ran = subprocess.run([os.environ["SOTTO_BRIDGE"], home / "line", *map(str, bridge)], capture_output=True, text=True, timeout=60)
                self.assertEqual((ran.returncode, board.wait(30)), (0, 0), ran.stdout + ran.stderr)
            finally:
                if board.poll() is None:
                    board.kill()
        return ran.stdout + ran.stderr

    def test_a_board_reports_to_the_server(self):
        self.make_study(40, 40)
        self.start_broker("mosquitto")
        self.serve("--mqtt", self.broker_url)
        self.logged("mqtt_connected")
        server = ("--server", f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}")
        broker = ("--mqtt", f"{self.broker_url}/{self.digest}")
        sent = 0
        for number, road in zip(range(12), (server, broker) * 6):
            if "the server has the report" not in self.boot_bridged(number, *road, "--consent", "on"):
                continue  # another cohort
            sent += 1
            self.assertNotIn("the server has", self.boot_bridged(number, *road))  # the board knows that it is done
            self.assertEqual(self.status()["reports"]["by_reason"], {**self.status()["reports"]["by_reason"], "accepted": sent, "duplicate": 0})
            if number >= 5 and sent:
                break
        self.assertGreater(sent, 0)
        self.stop()

    def test_a_board_keeps_its_report_while_nobody_stores_it(self):
        self.make_study(40, 40)
        self.serve()
        rounds = [self.round_bytes(1)]
        for number in range(12):
            if self.boot("cortex-m4", number, rounds, agrees=1, cut_at="R").sent:
                break
        self.server.kill()
        self.server.wait()
        server = f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}"
        self.assertNotIn("the server has", self.boot_bridged(number, "--server", server, "--tries", 1))
        self.serve()
        server = f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}"
        self.assertIn("the server has the report", self.boot_bridged(number, "--server", server))
        self.assertEqual(self.status()["reports"]["used"], 1)
        self.stop()


class Fleet(Rounds):
    """At least 40 devices of each kind, a tenth of the boots cut at a random place, to a model."""

    def test_fleets_reach_a_model(self):
        self.make_study(80, 80)
        draw = random.Random(5)
        number, answered = 1, 0
        while not (self.work / "run/model.json").exists():
            rounds = [self.round_bytes(number)]
            reports = []
            for device in range(80):
                board = "cortex-m0plus" if device % 2 else "cortex-m4"
                agrees = {"agrees": 1} if number == 1 else {}
                if draw.random() < 0.1:
                    self.boot(board, device, rounds, cut_at=draw.choice("WR"), **agrees)
                served = self.boot(board, device, rounds, refuse_first=draw.randrange(3), **agrees)
                self.assertEqual(served.log, [])
                reports += [report.hex() for report in served.reports.values()]
            answered += len(reports)
            (self.work / "reports.hex").write_text("\n".join(reports) + "\n")
            result = self.json("estimate", "run", "reports.hex", "--close")
            self.assertEqual(result["reports"]["by_reason"]["accepted"], len(reports))
            number += 1
        self.assertEqual(answered, 80)


if __name__ == "__main__":
    main()

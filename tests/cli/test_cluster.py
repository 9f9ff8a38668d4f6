# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A study on a cluster of this machine: the model is that of one process, byte for byte; what is started is stopped; what does
not fit is refused by name."""

import os
import re
import socket
import struct
import subprocess

from cluster_case import BROKER, FLEETS, ClusterCase, FakeBroker, Nats
from sotto_case import REFUSED, SOURCE, main

# Deep: every number of workers and partitions, and one protocol of each kind of sums.
SHAPES = [(1, 1), (2, 4)] if "SOTTO_CLUSTERS" not in os.environ else [(w, p) for w in (1, 2, 4) for p in (1, 4, 16)]
KINDS = ["cascade"] if "SOTTO_CLUSTERS" not in os.environ else [kind for kind in FLEETS if kind != "million"]


def is_alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


class Cluster(ClusterCase):
    def test_the_model_is_the_same_bytes_from_one_process_and_from_a_cluster(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.setUp()
                batches = self.made_fleet(kind)
                alone = self.model_of_one_process(batches)
                for workers, partitions in SHAPES if kind == "cascade" else SHAPES[-1:]:
                    self.up(f"cluster-{workers}-{partitions}", workers=workers, partitions=partitions)
                    model, _ = self.run_study(batches)
                    self.assertEqual(model, alone, (kind, workers, partitions))
                    own = self.work / f"cluster-{workers}-{partitions}"
                    self.at(1)  # every gateway comes to it by itself
                    self.wait_for(lambda status: status["state"] == "finished")
                    self.assertEqual((own / "gateway-2" / self.digest[:16] / "model.json").read_bytes(), alone)
                    self.end_cluster()

    def test_fleet_up_says_where_devices_go_and_stops_what_it_started_and_nothing_else(self):
        self.made_fleet("number")
        bystander = subprocess.Popen([BROKER, "-a", "127.0.0.1", "-p", "-1", "-l", str(self.work / "bystander.log")])
        self.addCleanup(self.end_process, bystander)
        facts = self.up(partitions=2)
        self.assertEqual([len(facts[kind]) for kind in ("brokers", "gateways", "workers")], [3, 2, 2])
        pids = [one["pid"] for kind in ("brokers", "gateways", "workers") for one in facts[kind]]
        self.assertTrue(all(map(is_alive, pids)))
        for address in facts["addresses"]:
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/v1/studies/[0-9a-f]{64}$")
        status = self.wait_for(lambda status: {one["worker"] for one in status["cluster"]["partitions"]} == {"worker-1", "worker-2"})
        self.assertEqual(status["cluster"]["engine"], "nats-server")
        self.assertEqual([one["is_reached"] for one in status["cluster"]["brokers"]], [True] * 3)
        self.assertTrue(all(one["version"].startswith("2.") for one in status["cluster"]["brokers"]))
        page = self.ask("GET", f"/studies/{self.digest}", operator=True)[2].decode()
        for words in ('id="cluster"', 'id="lag-1"', "worker-2", status["cluster"]["brokers"][0]["version"]):
            self.assertIn(words, page)
        if status["cluster"]["brokers"][0]["version"].startswith("2.9."):
            self.assertIn("acknowledges a report before it is synced", page)
        metrics = self.ask("GET", "/metrics", operator=True)[2].decode()
        for family in ("sotto_partition_lag{", "sotto_partition_entries{", "sotto_broker_up{", 'sotto_log_up{'):
            self.assertIn(family, metrics)
        self.assertEqual(self.ask("POST", "enroll", b"token")[0], 409)  # no key here
        self.assertEqual(self.ask("POST", "reports", b"nonsense")[0], 400)
        self.assertFalse((self.work / "cluster/gateway-1" / self.digest[:16] / "run.sqlite").exists())
        self.end_cluster()
        self.assertFalse(any(map(is_alive, pids)))
        self.assertIsNone(bystander.poll())

    def test_a_run_goes_on_after_the_whole_cluster_was_stopped(self):
        batches = self.made_fleet("cascade")
        alone = self.model_of_one_process(batches)
        self.up()
        for batch in batches[1]:
            self.post_until_stored(batch)
        self.end_cluster()
        self.up()
        self.assertEqual(self.run_study({number: some for number, some in batches.items() if number > 1} | {1: []})[0], alone)
        self.end_cluster()

    def test_operators_orders_are_those_of_one_machine(self):
        batches = self.made_fleet("cascade")
        self.up(workers=1, partitions=2)
        self.wait_for(lambda status: all(one["applied"] > 0 and one["lag"] == 0 for one in status["cluster"]["partitions"]))
        self.assertEqual(self.ask("POST", "close", operator=True)[0], 409)  # below the minimum
        self.assertEqual(self.order("extend", {"seconds": 3600})["state"], "open")
        self.post_until_stored(batches[1][0])
        self.at(1)
        self.close_round()
        late = self.post_until_stored(batches[1][0])
        self.assertLess(late, 30)
        status = self.wait_for(lambda status: status["all_reports"]["by_reason"]["late"] > 0)
        self.assertEqual(status["round"], 2)
        self.assertEqual(self.order("abandon")["state"], "abandoned")
        self.at(0)
        self.wait_for(lambda status: status["state"] == "abandoned")
        self.assertEqual(self.ask("GET", "round")[0], 204)
        self.assertEqual([event["what"] for event in self.status()["events"]],
                         ["opened", "extended", "closed by the operator", "opened", "abandoned"])
        self.end_cluster()

    def test_two_workers_of_one_partition_agree_and_one_that_differs_stops_the_study(self):
        batches = self.made_fleet("cascade")
        self.up(workers=1, partitions=2)
        self.start_worker("second", "--only", "0,1")
        for batch in batches[1]:
            self.post_until_stored(batch)
        self.close_round()
        self.assertEqual(self.status()["round"], 2)
        with Nats(self.facts["brokers"][0]["address"]) as nats:  # as if a worker had come to something else
            nats.ask(f"$KV.SOTTO-{self.digest[:16]}-1.sums.2.1.0", bytes(64))
        self.post_until_stored(batches[2][0])
        self.ask("POST", "close", operator=True)
        status = self.wait_for(lambda status: status["state"] == "stopped")
        self.assertIn("two workers came to different sums of partition 0", status["events"][-1]["what"])
        self.assertEqual(self.ask("POST", "reports", batches[2][0])[0], 503)
        self.assertIn('stage="stopped"} 1', self.ask("GET", "/metrics", operator=True)[2].decode())
        self.end_cluster()


class Refusals(ClusterCase):
    def refused_log(self, log, code, *parts, more=()):
        ran = self.sotto("serve", "run", "--data", "data", "--listen", "127.0.0.1:0", "--operator-token-file", "token", "--log", log,
                         *more, code=REFUSED)
        for part in (f"code: {code}", "fix:", *parts):
            self.assertIn(part, ran.stderr)

    def test_what_does_not_fit_is_refused_by_name_with_the_fix(self):
        self.made_fleet("number")
        with socket.create_server(("127.0.0.1", 0)) as free:
            nobody = f"127.0.0.1:{free.getsockname()[1]}"
        self.refused_log(f"nats://{nobody}", "log.unreachable", nobody)
        for code, info in (("log.other_version", {"version": "2.1.9"}), ("log.no_jetstream", {"version": "2.9.10", "jetstream": False}),
                           ("log.other_settings", {"version": "2.9.10", "max_payload": 1024})):
            fake = FakeBroker(**info)
            self.refused_log(f"nats://{fake.address}", code, fake.address)
            fake.close()
        facts = self.up(nodes=1, gateways=1, workers=0, partitions=2, more=("--partition-megabytes", 16))
        one = ("--replicas", 1, "--partition-megabytes", 16)
        self.refused_log(facts["log"], "log.other_partitions", "3 asked, 2 there", more=(*one, "--partitions", 3))
        self.refused_log(facts["log"], "log.other_settings", "1 replicas", more=("--partitions", 2, "--replicas", 3))
        with Nats(facts["log"]) as nats:
            config = nats.ask(f"$JS.API.STREAM.INFO.{self.stream(1)}")["config"]
            answer = nats.ask(f"$JS.API.STREAM.UPDATE.{self.stream(1)}", {**config, "max_age": 3600 * 10**9})
            self.assertNotIn("error", answer)
            self.refused_log(facts["log"], "log.other_settings", "max_age", self.stream(1), more=(*one, "--partitions", 2))
            self.assertTrue(nats.ask(f"$JS.API.STREAM.DELETE.{self.stream(1)}")["success"])
        self.refused_log(facts["log"], "log.missing_stream", self.stream(1), more=(*one, "--partitions", 2))
        self.sotto("work", "run", "--data", "worker", "--log", f"nats://{nobody}", code=REFUSED)
        self.end_cluster()

    def test_a_full_partition_acknowledges_nothing_more_and_keeps_what_it_acknowledged(self):
        self.made_fleet("number")
        self.up(nodes=1, gateways=1, workers=1, partitions=1, more=("--partition-megabytes", 1))
        made = self.enrolled_batches(32)
        stored = 0
        status = 202
        while status == 202:
            self.assertLess(stored, len(made))
            status, headers, answer = self.ask("POST", "reports", made[stored])
            stored += status == 202
        self.assertEqual((status, headers["Retry-After"]), (503, "5"))
        self.assertIn("log.full", answer.decode())
        self.wait_for(lambda now: now["all_reports"]["count"] == stored * 1000 and now["cluster"]["partitions"][0]["lag"] == 0)
        self.end_cluster()

    def enrolled_batches(self, count):
        """Batches of 1,000 reports that no key opens: the log takes them, and the worker counts them."""
        body = (self.work / "run/manifest.bin").read_bytes()
        from reference import wire
        study = wire.digest(body)
        head = bytes.fromhex("00")  # any byte: it is not a report, and is counted as such
        return [b"".join(self.batch([head + study[:8] + os.urandom(40)]) for _ in range(1000)) for _ in range(count)]


class Sizes(ClusterCase):
    def test_the_bytes_that_the_arithmetic_predicts_are_those_of_a_small_cluster(self):
        batches = self.small(self.made_fleet("number"), 5)[1]
        size = struct.unpack_from("<H", batches[0], 0)[0]
        reports = sum(len(batch) // (size + 2) for batch in batches)
        self.up(nodes=1, gateways=1, workers=1, partitions=1)
        for batch in batches:
            self.post_until_stored(batch)
        with Nats(self.facts["log"]) as nats:
            state = nats.ask(f"$JS.API.STREAM.INFO.{self.stream(0)}")["state"]
        predicted = self.json("fleet", "size", reports, "--batch", 5, "--report-bytes", size, "--replicas", 1)
        self.assertAlmostEqual(state["bytes"] / predicted["log_bytes"]["all"], 1, delta=0.05)
        self.assertAlmostEqual(state["messages"] / predicted["entries_a_day"], 1, delta=0.05)
        self.end_cluster()

    def test_the_table_of_the_document_is_this_arithmetic(self):
        text = (SOURCE / "docs/FLEET.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| 10\^(\d+) \| ([\d.,]+) \| (\d+) \| ([\d.]+) ([kMGT]?B) \| ([\d.]+), ([\d.]+), ([\d.]+) \| ([\d.]+) ([kMGT]?B) \|$",
                          text, re.M)
        self.assertEqual([row[0] for row in rows], ["4", "5", "6", "7", "8", "9"])
        unit = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
        for power, peak, partitions, log, log_unit, *cores, memory, memory_unit in rows:
            size = self.json("fleet", "size", 10 ** int(power))
            own = size["cores_at_peak"]
            self.assertAlmostEqual(float(peak.replace(",", "")) / size["reports_per_second"]["peak"], 1, delta=0.05, msg=power)
            self.assertEqual(int(partitions), size["partitions"], power)
            self.assertAlmostEqual(float(log) * unit[log_unit] / size["log_bytes"]["one_replica"], 1, delta=0.03, msg=power)
            self.assertAlmostEqual(float(memory) * unit[memory_unit] / size["memory_bytes_of_workers"], 1, delta=0.03, msg=power)
            for told, name in zip(cores, ("connections", "gateways", "workers")):
                self.assertAlmostEqual(float(told), own[name], delta=max(0.06, 0.05 * own[name]), msg=(power, name))


class Deep(ClusterCase):
    def test_a_million_devices_are_counted_once_each_and_give_the_model_of_one_process(self):
        batches = self.made_fleet("million")
        alone = self.model_of_one_process(batches)
        self.up(partitions=16)
        self.assertEqual(self.run_study(batches)[0], alone)
        counts = self.status()["all_reports"]
        self.assertEqual((counts["count"], counts["used"], counts["refused"]), (1_000_000, 1_000_000, 0))
        self.end_cluster()


if "SOTTO_CLUSTERS" not in os.environ:
    del Deep  # it takes minutes


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What a cluster loses when its processes die: time, and nothing else."""

import os
import random
import shutil
import threading
import time

from cluster_case import ClusterCase
from sotto_case import main

KILLS = int(os.environ.get("SOTTO_KILLS", "0"))
SLOWEST = 34  # seconds for which a post may stall, as docs/FLEET.md says


class Start(ClusterCase):
    def setUp(self):
        super().setUp()
        self.batches = self.small(self.made_fleet("cascade"))
        self.alone = self.model_of_one_process(self.batches)

    def study_with(self, what, hurt, **shape):
        """Runs the study while `hurt` is called before each post; the model is that of one process."""
        self.up(**shape)
        model, longest = self.run_study(self.batches, hurt)
        self.assertEqual(model, self.alone)
        self.assertLess(longest, SLOWEST)
        print(f"{what}: exact; the longest stall of a post was {longest:.1f} s")
        self.end_cluster()


class Kills(Start):
    def test_a_leader_and_a_follower_die_and_come_back(self):
        dead = []

        def hurt(number, at, of):
            if number != 1:
                return
            if at == of // 4:
                dead.append(self.leader(0))
                self.kill(dead[-1])
            if at == of // 2:
                self.start_broker(dead[-1])
                self.wait_for(lambda now: all(one["is_reached"] for one in now["cluster"]["brokers"]))
                time.sleep(2)  # it catches up
                leader = self.leader(0)
                dead.append(next(one["name"] for one in self.facts["brokers"] if one["name"] != leader))
                self.kill(dead[-1])
            if at == of - 1:
                self.start_broker(dead[-1])

        self.study_with("a leader, then a follower, kill -9", hurt)

    def test_workers_die_and_their_state_is_deleted(self):
        def hurt(number, at, of):
            if number == 1 and at == of // 2:
                self.kill("worker-1")
                time.sleep(0.5)
                shutil.rmtree(self.work / "cluster/worker-1", ignore_errors=True)  # it may have died before it had any
                self.start_worker("worker-1")
                self.kill("worker-2")  # and nobody starts it again

        self.study_with("both workers, kill -9, the state of one deleted", hurt)

    def test_a_gateway_dies_and_its_devices_send_again_and_count_once(self):
        self.up()
        for at, batch in enumerate(self.batches[1]):
            if at == len(self.batches[1]) // 2:
                poster = threading.Thread(target=self.ask_quietly, args=(batch,))  # unanswered, or answered just in time
                self.at(1)
                poster.start()
                self.kill("gateway-2")
                poster.join()
                self.at(0)
            self.post_until_stored(batch)
        reports = sum(batch.count(self.batches[1][0][2:10]) for batch in self.batches[1])
        # The status is refreshed now and then: a lag of 0 may be of before.
        self.wait_for(lambda now: now["all_reports"]["by_reason"]["accepted"] >= reports)
        self.wait_for(lambda now: all(one["lag"] == 0 for one in now["cluster"]["partitions"]))
        by_reason = self.status()["all_reports"]["by_reason"]
        self.assertEqual(by_reason["accepted"], reports)
        self.assertEqual(by_reason["conflict"], 0)
        self.end_cluster()

    def ask_quietly(self, batch):
        try:
            self.ask("POST", "reports", batch)
        except OSError:
            pass

    def test_a_worker_that_is_killed_again_and_again_comes_to_the_same(self):
        kills = 25 if KILLS else 3
        done = []
        worker = []

        def hurt(number, at, of):
            if len(done) < kills and at % max(1, of // kills) == 0:
                if worker:
                    worker[-1].kill()
                    worker[-1].wait()
                else:
                    self.kill("worker-1")
                worker.append(self.start_worker("worker-1"))
                done.append(at)

        self.study_with(f"a worker, kill -9 x {kills}", hurt, workers=1)


class Deep(Start):
    """The rows of the table that take minutes."""

    def test_two_brokers_of_three_are_away_for_a_while(self):
        def hurt(number, at, of):
            if number == 1 and at == of // 2:
                for name in ("n1", "n2"):
                    self.kill(name)
                threading.Timer(6, lambda: [self.start_broker(name) for name in ("n1", "n2")]).start()

        self.study_with("two of three brokers, kill -9, for 6 s", hurt)

    def test_all_brokers_die_and_come_back(self):
        def hurt(number, at, of):
            if number == 1 and at == of // 2:
                for one in self.facts["brokers"]:
                    self.kill(one["name"])
                for one in self.facts["brokers"]:
                    self.start_broker(one["name"])

        self.study_with("all brokers, kill -9", hurt)

    def test_random_kills(self):
        for seed in range(3):
            draw = random.Random(seed)
            stop = threading.Event()
            self.up(f"random-{seed}")

            def kill_at_random(draw=draw, stop=stop):
                for _ in range(KILLS):
                    name = draw.choice(["n1", "n2", "n3"])
                    self.kill(name)
                    if stop.wait(draw.uniform(0.2, 2)):
                        pass
                    self.start_broker(name)
                    stop.wait(draw.uniform(1, 3))

            killer = threading.Thread(target=kill_at_random)
            killer.start()

            def slowly(number, at, of):
                if killer.is_alive():
                    time.sleep(0.2)

            model, longest = self.run_study(self.small(self.batches, 4), slowly)
            stop.set()
            killer.join()
            self.assertEqual(model, self.alone)
            print(f"{KILLS} random kills, seed {seed}: exact; the longest stall of a post was {longest:.1f} s")
            self.end_cluster()


if not KILLS:
    del Deep


if __name__ == "__main__":
    main()

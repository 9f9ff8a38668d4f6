# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The same study in a cluster's log, brought by MQTT through a gateway that is killed on the way: the same model."""

from broker_case import BrokerCase
from cluster_case import ClusterCase
from sotto_case import main


class ClusterOverMqtt(BrokerCase, ClusterCase):
    def gateway(self):
        self.serve("--mqtt", self.broker_url, "--log", self.facts["log"], "--partitions", 2, "--replicas", 1)
        self.logged("mqtt_connected")

    def bring(self, device, batches):
        """Sends until every message has its receipt, as a device does."""
        left = list(batches)
        while left:
            left = [batch for batch, said in zip(left, self.send(device, left, 5)) if said != "stored"]

    def test_reports_over_mqtt_make_the_model_of_one_process(self):
        batches = self.small(self.made_fleet("cascade"))
        alone = self.model_of_one_process(batches)
        self.start_broker("mosquitto")
        self.up(nodes=1, gateways=1, workers=1, partitions=2)
        self.gateway()
        with self.client() as device:
            device.subscribe(self.topic("a/+"), 0)
            for number in sorted(batches):
                half = len(batches[number]) // 2
                self.bring(device, batches[number][:half])
                self.server.kill()
                self.server.wait()
                self.gateway()
                self.bring(device, batches[number][half:])
                self.close_round()
        self.at(0)
        while self.wait_for(lambda status: status["state"] in ("open", "finished"))["state"] == "open":
            self.close_round()  # rounds that ask nobody
        place = self.work / self.facts["operator_token_file"]
        self.assertEqual((place.parent / "gateway-1" / self.digest[:16] / "model.json").read_bytes(), alone)
        self.end_cluster()


if __name__ == "__main__":
    main()

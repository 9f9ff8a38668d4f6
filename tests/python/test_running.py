# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Long runs: other threads go on, Ctrl-C ends them, and somebody is told how far they are."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sotto

LONG = dict(devices=40000, features=20, samples=50, epsilon=2, protocol="cascade", threads=1, repeat=50)


def test_other_threads_go_on():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sotto.simulate(devices=2000, features=10, samples=50, epsilon=2, protocol="cascade", threads=1)
    stop.set()
    thread.join()
    assert counted[0] > 20


def test_progress_is_told_and_rises():
    shares = []
    sotto.simulate(devices=20000, features=10, samples=100, epsilon=2, protocol="cascade", progress=shares.append)
    assert len(shares) > 1 and shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 1.001


def test_a_callback_that_raises_ends_the_run():
    def stop(share):
        raise KeyError(share)

    began = time.monotonic()
    with pytest.raises(KeyError):
        sotto.simulate(**LONG, progress=stop)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("call", [f"sotto.simulate(progress=told, **{LONG!r})",
                                  "sotto.fit(frame, loss='linear', epsilon=1, folds=50, repeat=100, compare=True, progress=told)"])
def test_ctrl_c_ends_a_run_and_python_goes_on(call):
    code = f"""
import numpy as np, sotto
frame = {{'a': np.arange(5000.), 'b': np.arange(5000.) % 7, 'y': np.arange(5000.) % 3}}
def told(share):
    print('running', flush=True)
try:
    {call}
except KeyboardInterrupt:
    print('interrupted', flush=True)
print(sotto.channel(options=2, epsilon=1).outcomes)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert "interrupted" in rest and process.returncode == 0


def test_ctrl_c_ends_a_fit_without_validation():
    code = """
import numpy as np, sotto, threading, os, signal, time
random = np.random.default_rng(1)
X = random.normal(size=(200000, 40))
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    sotto.SparseRegressor(epsilon=1, method='dp-iht', steps=1000000).fit(X, X[:, 0])
except KeyboardInterrupt:
    print('interrupted')
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted\n", done.stderr


def test_a_bar_of_tqdm_is_shown_on_request(capsys):
    pytest.importorskip("tqdm")
    sotto.simulate(devices=500, features=5, samples=10, epsilon=2, protocol="cascade", progress=True)
    capsys.readouterr()


def test_several_threads_may_work_at_once():
    made = []
    frame = {"a": np.arange(500.0), "b": np.arange(500.0) % 5, "y": np.arange(500.0) % 3}
    threads = [threading.Thread(target=lambda: made.append(sotto.fit(frame, loss="linear", epsilon=1, seed=1).model_json))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4 and len(set(made)) == 1

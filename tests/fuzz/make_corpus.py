#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Writes the corpora of what the analyzer reads: make_corpus.py SOTTO. Small files that a release accepts, and some that it refuses;
what a harness builds of the fuzzer's numbers begins with numbers that reach each of its branches. After a change of a format run it
again with the new release."""

import gzip
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SOTTO = pathlib.Path(sys.argv[1]).resolve()


def put(corpus, name, data):
    path = HERE / "corpus" / corpus / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def studies():
    for file in sorted((SOURCE / "examples").glob("*.toml")):
        text = file.read_text()
        if len(text) < 3000:
            put("study", file.stem, text)
    head = 'name = "x"\n[privacy]\nepsilon = 2\n'
    for kind in ("cascade", "boost", "two-round", "multi-round", "sparse-mean", "ldp-iht", "label-iht", "label-lasso", "federated-ht",
                 "sparse-mean-once", "projected-regression", "kernel-ridge", "smooth-glm"):
        put("study", f"protocol_{kind}", f'{head}[protocol]\nkind = "{kind}"\nfeatures = 16\ndevices = 50000\nsparsity = 2\n')
    put("study", "strings", "name = '''\nx'''\n[\"privacy\"]\n'epsilon' = 1e0 # one\n[question]\nkind = \"\"\"vote\"\"\"\nnames = [\"a\", 'b']\n")
    put("study", "scales", f'{head}[question]\nkind = "vote"\n[[feature]]\nname = "a"\nlow = -1\nhigh = 2\n[[feature]]\nname = "b"\noffset = 1\n'
        'scale = 0.5\nunit = "K"\n[target]\nname = "t"\n[study]\nsamples = 9\nanswers = 2\ncohorts = [1, 2]\ndeviation = 0.25\n')
    put("study", "dotted", 'name = "x"\nprivacy.epsilon = 1\nprivacy."delta" = 1e-6\nquestion = {kind = "value", mechanism = "laplace", radius = 16}\n')


def tables():
    text = "user,a,b,meta_c,y\n1,1,2.5,z,3\n1,-1e3,+4,,5\n2,0.1,1e-40,\"q,\"\"\",6\n"
    for way in (0, 1, 2, 3, 7, 15):
        put("table", f"way_{way}", bytes([way]) + text.encode())
    put("table", "crlf", b"\3" + b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    put("table", "members", b"\3" + gzip.compress(text[:20].encode(), mtime=0) + gzip.compress(text[20:].encode(), mtime=0))
    put("table", "bad_numbers", b"\3user,a,y\n1,nan,1e400\n2,,0x1\n")
    put("table", "open_quote", b"\0a,y\n\"1,2\n3,4\n")
    put("libsvm", "rows", "+1 1:0.5 3:-2 # first\n-1 2:1e3 16:1\n\n0 1:1\n")
    put("libsvm", "bad_index", "1 3:1 2:1\n")
    put("libsvm", "large_index", "1 16777216:1\n")
    put("libsvm", "bad_value", "1 1:inf 2:\n")
    put("libsvm", "packed", gzip.compress(b"1 1:2\n-1 2:3\n", mtime=0))


def runs(work):
    """A finished run of each family: its model, its reports, its manifest."""
    fleet = ("--users", "600", "--dim", "6", "--samples", "20", "--nonzeros", "2", "--signal", "0.6")
    for name, protocol in (("cascade", "cascade"), ("mean", "sparse-mean"), ("label", "label-iht"), ("kernel", "kernel-ridge")):
        world = ("--users", "2000", "--dim", "1") if protocol == "kernel-ridge" else fleet
        subprocess.run([SOTTO, "simulate", "--protocol", protocol, *world, "--epsilon", "8", "--seed", "1", "--out", name], cwd=work,
                       check=True, capture_output=True)
        model = json.loads((work / name / "model.json").read_text())
        model["function"]["curve"] = model["function"]["curve"][:3]
        put("model", name, json.dumps(model, separators=(",", ":")))
    put("model", "no_object", "[1]")
    put("model", "other_format", '{"format": {"a": [1]}}')


def captures(work):
    (work / "s.toml").write_text('name = "x"\n[privacy]\nepsilon = 2\n[question]\nkind = "vote"\nfeatures = 8\n')
    subprocess.run([SOTTO, "study", "s.toml", "--out", "d", "--seed", "1"], cwd=work, check=True, capture_output=True)
    manifest, round_ = ((work / "d" / name).read_bytes() for name in ("manifest.bin", "round-1.bin"))
    sealed = struct.pack("<BBHIQ", 0x11, 1, 1, 7, 9) + bytes(17)
    plain = struct.pack("<BBHIQ", 0x11, 0, 1, 7, 9) + b"\1"
    batch = b"".join(struct.pack("<H", len(r)) + r for r in (plain, sealed, b"", b"\1\2\3", plain))
    for name, data in {"manifest": manifest, "round": round_, "sealed": sealed, "plain": plain, "batch": batch, "cut_batch": batch[:-3],
                       "hex_line": plain.hex().encode(), "hex_lines": f"{plain.hex()}\n{sealed.hex(' ')}\n".encode(),
                       "hex_wrapped": "\n".join(manifest.hex()[i:i + 60] for i in range(0, len(manifest) * 2, 60)).encode(),
                       "hex_mixed": f"log: started\n{plain.hex()}\n".encode(), "half_byte": b"abc"}.items():
        put("capture", name, b"\0" + data)
    put("capture", "hex_asked", b"\1" + plain.hex().encode() + b"\nnot this\n")


def requests():
    """Requests to sotto serve, @ standing for the digest of its study; the first byte is the size of the pieces that they come in."""
    study = "/v1/studies/@/"
    plain = {"round": f"GET {study}round HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n",
             "two": f"GET {study}manifest HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
             "reports": f"POST {study}reports HTTP/1.1\r\nContent-Length: 5\r\n\r\n\3\0abc",
             "chunked": f"POST {study}reports HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n\3\0abc\r\n0\r\n\r\n",
             "enroll": f'POST {study}enroll HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{{"token": "1"}}',
             "ticket": f'POST {study}enroll HTTP/1.1\r\nContent-Length: 38\r\n\r\n{{"ticket": "00ff", "signature": "0011"}}',
             "extend": f'POST {study}extend HTTP/1.1\r\nAuthorization: Bearer 0\r\nContent-Length: 17\r\n\r\n{{"seconds": 3600}}',
             "forget": f"DELETE {study}pseudonyms/0123456789abcdef HTTP/1.1\r\nCookie: sotto_session=0\r\nX-CSRF-Token: 0\r\n\r\n",
             "login": "POST /login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\ntoken=%41+b"}
    put("http", "last_chunk_in_pieces", b"\0POST /v1/studies/@/reports HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\n=\r\n\r\n")
    for at, (name, text) in enumerate(plain.items()):
        put("http", name, bytes([(7 * at * at) % 256]) + text.encode())


def numbers():
    """For harnesses that build their objects: numbers of many lengths and, for each choice, one of its own."""
    draw = random.Random(5)
    for stem in range(11):
        for likely in (0, 1):
            put("certify", f"stem_{stem}_{likely}", bytes([stem, likely, 1] + [draw.choice((1, draw.randrange(256))) for _ in range(48)]))
    for round_ in range(9):
        put("aggregate", f"made_{round_}", bytes([round_, 1, 9] + [draw.choice((1, 3, draw.randrange(8))) for _ in range(40)]))
        put("aggregate", f"damaged_{round_}", bytes([round_, 1, 2, 1, 1, 1, 1, 3, 1, 1, 2, 40, 0, 0, 7, 44, 0, 1, 3]))
    for kind in range(10):
        for recipe in range(20):
            if (kind + recipe) % 4 == 0:
                put("round", f"made_{kind}_{recipe}", bytes([1, 5, 1, kind, 0, 1, recipe, recipe % 3, (3 * kind + recipe) % 11, 1] +
                                                            [draw.randrange(256) for _ in range(60)]))
    for i in range(8):
        put("manifest", f"made_{i}", bytes([draw.randrange(0x40) for _ in range(20 + 24 * i)]))
        put("report", f"made_{i}", bytes([0x20] + [draw.randrange(256) for _ in range(12 + 9 * i)]))
        put("collector", f"reports_{i}", bytes([i % 2] + [draw.choice((3, 1, 2, draw.randrange(256))) for _ in range(16 + 12 * i)]))
        put("design", f"made_{i}", bytes([1, 3, 2 + i] + [1 + i] * (2 + i) + [i % 2, 3, 2 * i, 0, 1, 7, 40, 0, 0, 255]))
        put("credentials", f"made_{i}", bytes([1, i, 3] + [draw.randrange(256) for _ in range(20 * i)]))
        put("run_store", f"changed_{i}", bytes([1] + [draw.randrange(256) for _ in range(3 * i)]))
    put("design", "raw", bytes([0]) + b"SOTD\1\0\0\0" + bytes(32) + struct.pack("<QII", 0, 1, 0))
    put("credentials", "without_checks", "\0id,pseudonym,key\na,00000000000000ff," + 64 * "0" + "\n")
    put("run_store", "header", bytes([0]) + b"SQLite format 3\0" + bytes(84))


def main():
    studies()
    tables()
    requests()
    numbers()
    with tempfile.TemporaryDirectory() as work:
        runs(pathlib.Path(work))
        captures(pathlib.Path(work))


if __name__ == "__main__":
    main()

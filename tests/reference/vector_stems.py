# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Good and bad vectors of the stems with a two-level channel."""
from . import (block, cross_polytope, grr, hadamard_response, hemisphere, sphere_code, stem, vote, walsh_hash, window)
from .refused import status_of
from .vector_seeds import edge_vectors, entropy_for_side, identity, private_of, public_of, vector

STEMS = {"grr": grr, "walsh_hash": walsh_hash, "vote": vote, "hadamard_response": hadamard_response, "block": block,
         "window": window, "hemisphere": hemisphere, "cross_polytope": cross_polytope, "sphere_code": sphere_code}
NANO = {"0.1": 100_000_000, "0.5": 500_000_000, "1": 10**9, "2": 2 * 10**9, "4": 4 * 10**9, "8": 8 * 10**9}
NO_CAP = 12_000_000_000
TOP = 2**32 - 1


def nano(text):
    return NANO[text]


def case(module, spec, threshold, x, number, is_inside):
    entropy = entropy_for_side(threshold, is_inside, 1 if module is window else 0, number)
    who, private = identity(number), private_of(entropy)
    report = stem.report(module, spec, threshold, x, public_of(who), private)
    return {"entropy": entropy.hex(), "study": who[0].hex(), "pseudonym": f"{who[1]:016x}", "round": who[2], "input": x,
            "report": report, "next_word": private.word()}


def good(module, spec, epsilon, inputs):
    """Inputs alternate between coins that fall inside and outside, twice as often inside."""
    epsilon_nano = nano(epsilon)
    threshold = stem.derive(module, spec, epsilon_nano)
    stem.check(module, spec, epsilon_nano, threshold, epsilon_nano)
    return {"spec": spec, "epsilon_nano": epsilon_nano, "threshold": threshold,
            "delivered_nano": stem.delivered(module, spec, threshold),
            "digest": stem.digest(module, spec, epsilon_nano, threshold),
            "cases": [case(module, spec, threshold, x, i, i % 3 != 1) for i, x in enumerate(inputs)]}


def bad(module, spec, epsilon_nano, threshold, cap_nano=NO_CAP):
    status = status_of(stem.check, module, spec, epsilon_nano, threshold, cap_nano)
    assert status != "ok", (module.__name__, spec)
    return {"spec": spec, "epsilon_nano": epsilon_nano, "threshold": threshold, "cap_nano": cap_nano, "status": status}


def bad_budget(module, spec):
    """What every stem refuses: epsilon, cap and threshold at and past their limits."""
    one = 10**9
    t = stem.derive(module, spec, one)
    return [bad(module, spec, 0, t), bad(module, spec, NO_CAP + 1, t, 2**64 - 1), bad(module, spec, 2**64 - 1, t, 2**64 - 1),
            bad(module, spec, one, t, one - 1), bad(module, spec, one, t, 0), bad(module, spec, one, t + 1),
            bad(module, spec, one, t + (t >> 20)), bad(module, spec, one - 10, t), bad(module, spec, one, TOP),
            bad(module, spec, one, 0), bad(module, spec, one, 1)]


def specs(module, *rows):
    return [dict(zip(module.FIELDS, row)) for row in rows]


def category_edges(categories):
    return [0, 1, categories - 1, categories, TOP]


def grr_file():
    sizes = (("0.1", 2), ("0.5", 3), ("1", 2), ("1", 4), ("2", 10), ("4", 100), ("8", 2), ("8", 1000), ("8", 2**24))
    small = {"categories": 4}
    return ([good(grr, {"categories": c}, e, category_edges(c)) for e, c in sizes],
            bad_budget(grr, small)
            + [bad(grr, s, 10**9, 2**30) for s in specs(grr, (0,), (1,), (2**24 + 1,), (TOP,))]
            + [bad(grr, s, 10**9, 3139872686) for s in specs(grr, (3,), (4,), (64,), (2**24,))])


def walsh_hash_file():
    rows = (("0.1", 1024, 1), ("0.5", 2, 1), ("1", 1000, 2), ("2", 1024, 3), ("4", 65536, 6), ("8", 2**24, 12))
    good_list = [good(walsh_hash, {"categories": c, "bits": b}, e, category_edges(c)) for e, c, b in rows]
    shapes = specs(walsh_hash, (0, 1), (1, 1), (2**24 + 1, 1), (1024, 0), (1024, 13), (1, 0))
    return (good_list, bad_budget(walsh_hash, {"categories": 1024, "bits": 3})
            + [bad(walsh_hash, s, 10**9, 2**30) for s in shapes]
            + [bad(walsh_hash, s, 10**9, 3139872686) for s in specs(walsh_hash, (1024, 2), (1024, 12))])


def vote_file():
    rows = (("0.1", 2), ("0.5", 100), ("1", 1024), ("2", 22), ("2", 23), ("2", 1024), ("4", 100), ("4", 65536), ("8", 2**24 - 1))
    good_list = []
    for epsilon, features in rows:
        oracle, bits = vote.choose_oracle(features, nano(epsilon))
        spec = {"features": features, "oracle": oracle, "bits": bits}
        good_list.append(good(vote, spec, epsilon, [0, features - 1, features, features + 1, TOP]))
    shapes = specs(vote, (0, 1, 0), (1, 1, 0), (2**24, 2, 3), (100, 0, 0), (100, 3, 3), (100, 2, 0), (100, 2, 13))
    return (good_list, bad_budget(vote, {"features": 1024, "oracle": 2, "bits": 3})
            + [bad(vote, s, 10**9, 2**30) for s in shapes]
            + [bad(vote, s, 10**9, 3139872686) for s in specs(vote, (2, 1, 0), (1024, 2, 2))])


def hadamard_response_file():
    rows = (("0.1", 2, 3), ("0.5", 4, 15), ("1", 8, 200), ("2", 10, 1000), ("4", 16, 65535), ("8", 24, 2**24 - 1))
    shapes = specs(hadamard_response, (4, 0), (4, 1), (4, 16), (1, 2), (25, 100), (0, 0))
    return ([good(hadamard_response, {"log2_size": n, "categories": c}, e, [0, 1, c - 1, c, TOP]) for e, n, c in rows],
            bad_budget(hadamard_response, {"log2_size": 8, "categories": 200})
            + [bad(hadamard_response, s, 10**9, 2**31) for s in shapes])


def block_file():
    rows = (("0.1", 1, 0), ("0.5", 8, 3), ("1", 5, 1), ("1", 24, 11), ("2", 12, 3), ("4", 16, 2), ("8", 24, 0))
    shapes = specs(block, (0, 0), (25, 3), (8, 8), (8, 9), (1, 1))
    return ([good(block, {"width": k, "flips": t}, e, [0, 2**k - 1, 0x5A5A5A, 2**k, TOP]) for e, k, t in rows],
            bad_budget(block, {"width": 8, "flips": 3}) + [bad(block, s, 10**9, 2**31) for s in shapes]
            + [bad(block, s, 10**9, 3139872686) for s in specs(block, (2, 0), (8, 0), (24, 2))])


def window_file():
    rows = (("0.1", 2, 1), ("0.5", 2, 1), ("1", 3, 2), ("2", 3, 1), ("4", 12, 3), ("4", 16, 4), ("8", 64, 5), ("8", 128, 10))
    values = [-32768, 32768, 0, 1, -1, 32767, -32769, 2**31 - 1, -2**31, 12345]
    shapes = specs(window, (0, 0), (1, 1), (129, 3), (16, 0), (16, 16), (16, 17))
    return ([good(window, {"outcomes": k, "width": w}, e, values) for e, k, w in rows],
            bad_budget(window, {"outcomes": 16, "width": 4}) + [bad(window, s, 10**9, 2**31) for s in shapes]
            + [bad(window, s, 10**9, 3139872686) for s in specs(window, (3, 1), (16, 4), (128, 1))])


def hemisphere_file():
    rows = (("0.1", 2), ("0.5", 9), ("1", 16), ("2", 64), ("4", 9))
    good_list = [good(hemisphere, {"dimension": d}, e, edge_vectors(d)) for e, d in rows]
    good_list += [good(hemisphere, {"dimension": d}, "8", [vector("wide", d)]) for d in (256, 512)]
    return (good_list, bad_budget(hemisphere, {"dimension": 64})
            + [bad(hemisphere, s, 10**9, 3139872686) for s in specs(hemisphere, (0,), (1,), (513,), (TOP,))])


def cross_polytope_file():
    rows = (("0.1", 6, 2, 60), ("0.5", 6, 9, 54), ("1", 6, 64, 45), ("2", 7, 16, 56), ("4", 6, 9, 9), ("8", 6, 16, 1))
    good_list = [good(cross_polytope, dict(zip(cross_polytope.FIELDS, r)), e, edge_vectors(r[1])) for e, *r in rows]
    wide = (("1", 8, 256, 177), ("4", 9, 256, 64), ("8", 8, 200, 2))
    good_list += [good(cross_polytope, dict(zip(cross_polytope.FIELDS, r)), e, [vector("wide", r[1])]) for e, *r in wide]
    good_list.append(good(cross_polytope, {"log2_size": 8, "dimension": 9, "closest": 256}, "1",
                          [vector("narrow", 9, 100), vector("ordinary", 9)]))
    shapes = specs(cross_polytope, (6, 0, 9), (6, 1, 9), (6, 65, 9), (5, 9, 9), (13, 9, 9), (6, 9, 0), (6, 9, 65), (5, 1, 9))
    return (good_list, bad_budget(cross_polytope, {"log2_size": 6, "dimension": 9, "closest": 9})
            + [bad(cross_polytope, s, 10**9, 2**30) for s in shapes]
            + [bad(cross_polytope, s, 10**9, 3139872686) for s in specs(cross_polytope, (6, 9, 1), (8, 256, 177))])


def sphere_code_file():
    rows = (("0.1", 2, 2, 1), ("0.5", 3, 16, 7), ("1", 9, 64, 22), ("2", 16, 64, 14), ("4", 9, 512, 33), ("8", 16, 512, 2))
    good_list = [good(sphere_code, dict(zip(sphere_code.FIELDS, r)), e, edge_vectors(r[1 - 1])) for e, *r in rows]
    good_list.append(good(sphere_code, {"dimension": 64, "codewords": 100, "closest": 99}, "1", [vector("wide", 64)]))
    shapes = specs(sphere_code, (0, 64, 9), (1, 64, 9), (65, 64, 9), (9, 0, 0), (9, 1, 1), (9, 4097, 9), (9, 64, 0),
                   (9, 64, 64), (9, 64, 65), (1, 64, 64))
    return (good_list, bad_budget(sphere_code, {"dimension": 9, "codewords": 64, "closest": 9})
            + [bad(sphere_code, s, 10**9, 2**30) for s in shapes]
            + [bad(sphere_code, s, 10**9, 3139872686) for s in specs(sphere_code, (9, 64, 1), (9, 4096, 256))])


def cross_polytope_large_file():
    """Instances that need more memory than the smallest board has."""
    rows = ((10, 16, 300), (11, 1000, 700), (12, 9, 4096))
    return ([good(cross_polytope, dict(zip(cross_polytope.FIELDS, r)), "1", [vector("wide", r[1]), [32767] * r[1]]) for r in rows],
            [bad(cross_polytope, {"log2_size": 12, "dimension": 9, "closest": 4097}, 10**9, 2**30)])


def sphere_code_large_file():
    rows = (("4", 9, 4096, 266), ("8", 16, 4096, 16))
    return ([good(sphere_code, dict(zip(sphere_code.FIELDS, r)), e, [vector("wide", r[0]), [0] * r[0]]) for e, *r in rows],
            [bad(sphere_code, {"dimension": 9, "codewords": 4096, "closest": 4096}, 10**9, 2**30)])

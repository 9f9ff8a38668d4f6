# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Vectors of Ed25519: those of RFC 8032, section 7.1, and the signatures on which verifiers disagree (Chalkias, Garillot, Nikolaenko:
"Taming the many EdDSAs", 2020), made here from points of small order."""
import hashlib

from . import ed25519
from .ed25519 import BASE, IDENTITY, L, P, add, challenge, encode, times
from .vector_seeds import seed

# Secret, public key, message, signature. TEST 1, 2, 3, 1024 and SHA(abc).
RFC_8032 = [
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
     "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465514143"
     "8e7a100b"),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
     "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d2916"
     "12bb0c00"),
    ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
     "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027bece"
     "ea1ec40a"),
    ("f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
     "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
     "08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f54e9f77b1e355f6c50544e23fb1433ddf"
     "73be84d879de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d658675fc6ea534e0810a4432826bf58c941efb65d57a338b"
     "bd2e26640f89ffbc1a858efcb8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b3b310da9"
     "03401aa62100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbefefd75499da96bd68a8a97b928a8bbc10"
     "3b6621fcde2beca1231d206be6cd9ec7aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed185ce81bd84359d44254d9562"
     "9e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2d17ba70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6"
     "079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759d2c4f5c65adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e694"
     "85bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b0707e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128ba"
     "b27af87a71314f318c782b23ebfe808b82b0ce26401d2e22f04d83d1255dc51addd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2"
     "af58429ec96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb751fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301"
     "651339e22904cc8c42f58c30c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783aacec57fb3d1f92b0fe2fd1a85f672451"
     "7b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08d78ff4ef5d63653a65040cf9bfd4aca7"
     "984a74d37145986780fc0b16ac451649de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e488acba6b965610b5480109c8"
     "b17b80e1b7b750dfc7598d5d5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e6aed3fb0f9cd71a4"
     "3dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b50d334ba7"
     "7c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380d"
     "b2eaaa707b4c4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8cac60c905c15fc910840b94c00"
     "a0b9d0",
     "0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a970"
     "4a188a03"),
    ("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
     "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94f"
     "a54ca49f",
     "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef117"
     "7331a704"),
]

T8 = ed25519.torsion()


def row(kind, key, message, signature):
    return {"kind": kind, "key": key.hex(), "message": message.hex(), "signature": signature.hex(),
            "valid": int(ed25519.verify(key, message, signature))}


def scalar(name):
    return int.from_bytes(hashlib.sha512(seed("ed25519 " + name, 0)).digest(), "little") % L


def with_torsion(kind, key_part, r_part, holds, key_scalar=None, r_scalar=None, key_text=None, r_text=None):
    """A signature by A = a B + key_part * T8 with R = r B + r_part * T8. The message is the first of a series for which the equation without
    the cofactor holds, or does not; with the cofactor it always does."""
    a = scalar("key") if key_scalar is None else key_scalar
    r = scalar("nonce") if r_scalar is None else r_scalar
    key = key_text or encode(add(times(a, BASE), times(key_part, T8)))
    first = r_text or encode(add(times(r, BASE), times(r_part, T8)))
    for counter in range(1000):
        message = f"{kind} {counter}".encode()
        h = challenge(first, key, message)
        if ((r_part + h * key_part) % 8 == 0) == holds:
            return row(kind, key, message, first + ((r + h * a) % L).to_bytes(32, "little"))
    raise AssertionError(kind)


def text_of(y, sign=0):
    return (y | sign << 255).to_bytes(32, "little")


def ed25519_file():
    rows = []
    for secret, key, message, signature in (tuple(map(bytes.fromhex, texts)) for texts in RFC_8032):
        assert ed25519.public_key(secret) == key and ed25519.sign(secret, message) == signature
        rows.append(row("rfc8032", key, message, signature))
    secret, message = seed("ed25519 secret", 0), b"a study"
    key, good = ed25519.public_key(secret), ed25519.sign(secret, message)
    s = int.from_bytes(good[32:], "little")
    for kind, number in (("s_plus_order", s + L), ("s_plus_8_orders", s + 8 * L), ("s_is_order", L), ("s_all_ones", 2**256 - 1)):
        rows.append(row(kind, key, message, good[:32] + number.to_bytes(32, "little")))
    order_4, plain = times(2, T8), encode(times(scalar("nonce"), BASE))
    assert order_4[1] == 0
    y_8 = T8[1]
    rows += [
        with_torsion("mixed_key_and_r_hold", 1, 3, True),
        with_torsion("mixed_key_and_r_hold_with_cofactor_only", 1, 3, False),
        with_torsion("mixed_key_holds", 1, 0, True),
        with_torsion("mixed_key_holds_with_cofactor_only", 1, 0, False),
        with_torsion("mixed_r_holds_with_cofactor_only", 0, 1, False),
        with_torsion("small_key_mixed_r", 1, 3, True, key_scalar=0),
        with_torsion("small_key_clean_r", 1, 0, True, key_scalar=0),
        with_torsion("small_key_small_r", 1, 3, True, key_scalar=0, r_scalar=0),
        with_torsion("identity_key", 0, 0, True, key_scalar=0),
        with_torsion("order_2_key", 4, 0, True, key_scalar=0),
        with_torsion("order_4_key", 2, 0, True, key_scalar=0),
        with_torsion("small_r", 1, 3, True, r_scalar=0),
        with_torsion("identity_r", 0, 0, True, r_scalar=0),
        with_torsion("order_2_r", 1, 4, True, r_scalar=0),
        with_torsion("order_4_r", 1, 2, True, r_scalar=0),
        # R is the negative of what the equation gives.
        with_torsion("r_of_the_other_sign", 0, 0, True, r_text=bytes([*plain[:31], plain[31] ^ 128])),
        # The same points in their other encodings.
        with_torsion("identity_r_large_y", 0, 0, True, r_scalar=0, r_text=text_of(P + 1)),
        with_torsion("identity_r_signed_zero", 0, 0, True, r_scalar=0, r_text=text_of(1, 1)),
        with_torsion("order_2_r_signed_zero", 1, 4, True, r_scalar=0, r_text=text_of(P - 1, 1)),
        with_torsion("order_4_r_large_y", 1, 2 if order_4[0] % 2 == 0 else 6, True, r_scalar=0, r_text=text_of(P)),
        with_torsion("identity_key_large_y", 0, 0, True, key_scalar=0, key_text=text_of(P + 1)),
        with_torsion("identity_key_signed_zero", 0, 0, True, key_scalar=0, key_text=text_of(1, 1)),
        with_torsion("order_2_key_signed_zero", 4, 0, True, key_scalar=0, key_text=text_of(P - 1, 1)),
        with_torsion("order_4_key_large_y", 2 if order_4[0] % 2 == 0 else 6, 0, True, key_scalar=0, key_text=text_of(P)),
    ]
    for kind, text in (("no_point_key", text_of(next(y for y in range(2, 99) if ed25519.x_of(y, 0) is None))),
                       ("large_y_key", text_of(next(y for y in range(2, 19) if ed25519.x_of(y, 0) is not None) + P)),
                       ("all_ones_key", bytes([255] * 32)), ("order_8_key_other_sign", text_of(y_8, 1)), ("zero_key", bytes(32))):
        rows.append(row(kind, text, message, good))
    rows += [row("no_point_r", key, message, text_of(2) + good[32:]), row("other_key", encode(times(scalar("key"), BASE)), message, good),
             row("other_message", key, b"a studY", good), row("own_message", key, message, good)]
    assert IDENTITY == times(8, T8)
    return {"good": [r for r in rows if r["valid"]], "bad": [r for r in rows if not r["valid"]]}

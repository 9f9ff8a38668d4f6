# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Ed25519 (RFC 8032) by the book: points with x and y as whole numbers, and parts of it that an honest signer never uses."""
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
IDENTITY = (0, 1)


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def times(n, point):
    result = IDENTITY
    for bit in f"{n:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def x_of(y, sign):
    """The x of that parity with (x, y) on the curve, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return (P - x) % P if x % 2 != sign else x


BASE = (x_of(4 * pow(5, -1, P) % P, 0), 4 * pow(5, -1, P) % P)


def encode(point):
    x, y = point
    return (y | (x % 2) << 255).to_bytes(32, "little")


def decode(text):
    """Strict: None for y >= P, for no point, and for a zero with a sign."""
    number = int.from_bytes(text, "little")
    y, sign = number % 2**255, number >> 255
    x = x_of(y, sign) if y < P else None
    return None if x is None or (x == 0 and sign) else (x, y)


def challenge(r, key, message):
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def secret_scalar(secret):
    half = bytearray(hashlib.sha512(secret).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    return int.from_bytes(half, "little")


def public_key(secret):
    return encode(times(secret_scalar(secret), BASE))


def sign(secret, message):
    a, key = secret_scalar(secret), public_key(secret)
    r = int.from_bytes(hashlib.sha512(hashlib.sha512(secret).digest()[32:] + message).digest(), "little") % L
    first = encode(times(r, BASE))
    return first + ((r + challenge(first, key, message) * a) % L).to_bytes(32, "little")


def small_order(point):
    return times(8, point) == IDENTITY


def verify(key, message, signature):
    """Cofactorless and strict, the verdict that devices must give."""
    s = int.from_bytes(signature[32:], "little")
    a, r = decode(key), decode(signature[:32])
    if s >= L or a is None or r is None or small_order(a) or small_order(r):
        return False
    return times(s, BASE) == add(r, times(challenge(signature[:32], key, message), a))


def torsion():
    """A point of order 8."""
    for y in range(2, 100):
        x = x_of(y, 0)
        point = IDENTITY if x is None else times(L, (x, y))
        if times(4, point) != IDENTITY:
            return point
    raise AssertionError("one of the first hundred has a part of order 8")

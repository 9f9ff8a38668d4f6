# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""MQTT 3.1.1 in as little as the tests need, written from the standard: a client, and the frames for a broker that a test plays."""

import socket
import ssl
import struct

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ, PINGRESP, DISCONNECT = 1, 2, 3, 4, 8, 9, 12, 13, 14


def text(value):
    data = value.encode()
    return struct.pack(">H", len(data)) + data


def frame(kind, flags, body):
    length, head = len(body), bytes([kind << 4 | flags])
    while True:
        length, digit = divmod(length, 128)
        head += bytes([digit | (0x80 if length else 0)])
        if not length:
            return head + body


def published(topic, payload, number=None, retained=False, again=False):
    """A PUBLISH frame: with QoS 1 where it has a number."""
    flags = (8 if again else 0) | (2 if number else 0) | (1 if retained else 0)
    return frame(PUBLISH, flags, text(topic) + (struct.pack(">H", number) if number else b"") + payload)


class Frames:
    """Reads frames from a socket."""

    def __init__(self, line):
        self.line, self.data = line, b""

    def take(self, count):
        while len(self.data) < count:
            part = self.line.recv(65536)
            if not part:
                raise ConnectionError("the other end closed the connection")
            self.data += part
        out, self.data = self.data[:count], self.data[count:]
        return out

    def next(self):
        """Kind, flags and body."""
        head = self.take(1)[0]
        length = shift = 0
        while True:
            digit = self.take(1)[0]
            length |= (digit & 127) << shift
            shift += 7
            if digit < 128:
                return head >> 4, head & 15, self.take(length)


class Mqtt:
    def __init__(self, port, name, clean=True, user=None, password=None, authority=None, timeout=20):
        line = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if authority:
            line = ssl.create_default_context(cafile=authority).wrap_socket(line, server_hostname="localhost")
        self.line, self.frames, self.number, self.messages, self.acknowledged = line, Frames(line), 0, [], set()
        flags = (2 if clean else 0) | (0x80 if user else 0) | (0x40 if password else 0)
        line.sendall(frame(CONNECT, 0, text("MQTT") + bytes([4, flags]) + struct.pack(">H", 60) + text(name)
                           + (text(user) if user else b"") + (text(password) if password else b"")))
        kind, _, body = self.frames.next()
        if kind != CONNACK or body[1] != 0:
            line.close()
            raise ConnectionRefusedError(f"the broker refuses: {body[1]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def numbered(self):
        self.number = self.number % 65535 + 1
        return self.number

    def subscribe(self, topic, quality=1):
        """Whether the broker allows it."""
        self.line.sendall(frame(SUBSCRIBE, 2, struct.pack(">H", self.numbered()) + text(topic) + bytes([quality])))
        while True:
            kind, flags, body = self.frames.next()
            if kind == SUBACK:
                return body[2] != 128
            self.handle(kind, flags, body)

    def publish(self, topic, payload, quality=1, retained=False):
        number = self.numbered() if quality else None
        self.line.sendall(published(topic, payload, number, retained))
        return number

    def handle(self, kind, flags, body):
        if kind == PUBACK:
            self.acknowledged.add(struct.unpack(">H", body[:2])[0])
        elif kind == PUBLISH:
            size = struct.unpack(">H", body[:2])[0]
            topic, rest = body[2:2 + size].decode(), body[2 + size:]
            if flags & 6:
                self.line.sendall(frame(PUBACK, 0, rest[:2]))
                rest = rest[2:]
            self.messages.append((topic, rest))

    def hear(self, seconds):
        """Handles what comes for so long."""
        before = self.line.gettimeout()
        self.line.settimeout(seconds)
        try:
            self.handle(*self.frames.next())
        except TimeoutError:
            return False
        finally:
            self.line.settimeout(before)
        return True

    def told(self, topic, seconds=10):
        """The next message of this topic; None where none comes."""
        while True:
            for at, (name, payload) in enumerate(self.messages):
                if name == topic:
                    del self.messages[at]
                    return payload
            if not self.hear(seconds):
                return None

"""A WebSocket client on a plain socket (RFC 6455): it can also send what no good client sends."""

import base64
import hashlib
import os
import socket
import struct
import time

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    def __init__(self, status, head, body):
        super().__init__(f"{status}: {body[:200]!r}")
        self.status, self.head, self.body = status, head, body


class Closed(Exception):
    def __init__(self, code):
        super().__init__(f"closed: {code}")
        self.code = code


class WebSocket:
    def __init__(self, host, port, path, *, headers=None, early=b"", deadline=15.0):
        self.deadline = deadline
        self.socket = socket.create_connection((host, port), timeout=deadline)
        key = base64.b64encode(os.urandom(16)).decode()
        head = {"Host": f"{host}:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in head.items() if value is not None]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + early)
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        answer, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        status = int(answer.split()[1])
        if status != 101:
            length = next((int(line.split(b":")[1]) for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
            while len(self.buffer) < length:
                self._more()
            self.socket.close()
            raise Refused(status, answer.decode(), self.buffer)
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert b"sec-websocket-accept: " + accept.lower() in answer.lower(), answer
        self.fragments = []

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Closed(None)
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    @staticmethod
    def frame(payload, opcode=TEXT, *, fin=True, masked=True, rsv=0, length=None):
        size = len(payload) if length is None else length
        head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
        bit = 0x80 if masked else 0
        if size < 126:
            head += bytes([bit | size])
        elif size < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", size)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", size)
        if not masked:
            return head + payload
        # The one of RFC 6455, 5.7. Always the same, so that frames can name test cases.
        mask = bytes.fromhex("37fa213d")
        return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, text):
        self.raw(self.frame(text.encode() if isinstance(text, str) else text))

    def next_frame(self, deadline=None):
        self.socket.settimeout(deadline or self.deadline)
        first, second = self._take(2)
        assert not second & 0x80, "a server masks nothing"
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self._take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self._take(8))
        return first & 0x0F, self._take(size)

    def receive(self, deadline=None):
        """The next text; pings are answered. Raises `Closed` with the server's code, and TimeoutError."""
        end = time.monotonic() + (deadline or self.deadline)
        while True:
            opcode, payload = self.next_frame(max(0.01, end - time.monotonic()))
            if opcode == TEXT:
                return payload.decode()
            if opcode == PING:
                self.raw(self.frame(payload, PONG))
            if opcode == CLOSE:
                self.raw(self.frame(payload[:2], CLOSE))
                self.socket.close()
                raise Closed(struct.unpack(">H", payload[:2])[0] if payload else None)

    def close(self, code=1000):
        try:
            self.raw(self.frame(struct.pack(">H", code), CLOSE))
        except OSError:
            pass
        self.socket.close()

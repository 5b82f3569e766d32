"""A small CXone of the tests' own, on plain sockets: it says what no good platform says."""

import base64
import hashlib
import json
import socket
import struct
import threading

from plain_websocket import CLOSE, TEXT, WebSocket

CONFIGURATION = {
    "name": "Hostile", "isLiveChat": False, "isAuthorizationEnabled": False,
    "settings": {"hasMultipleThreadsPerEndUser": True, "isProactiveChatEnabled": False, "features": {"securedSessions": False},
                 "fileRestrictions": {"allowedFileSize": "40", "allowedFileTypes": [], "isAttachmentsEnabled": True}},
}


def frame(payload, opcode=TEXT, **more):
    """A frame as servers send it."""
    return WebSocket.frame(payload, opcode, masked=more.pop("masked", False), **more)


class HostilePlatform:
    """Answers what a session needs to be ready; `say` sends bytes to its last socket."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.sockets, self.codes = [], []
        self.changed = threading.Condition()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for each in self.sockets:
            each.close()

    @property
    def address(self):
        return {"service": "cxone", "brandId": 4711, "channelId": "chat_1",
                "urls": {"chat": f"{self.url}/chat", "socket": f"ws://127.0.0.1:{self.port}"}}

    def say(self, data):
        self.sockets[-1].sendall(data)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection):
        try:
            buffer = b""
            while True:
                while b"\r\n\r\n" not in buffer:
                    data = connection.recv(1 << 16)
                    if not data:
                        return
                    buffer += data
                head, _, buffer = buffer.partition(b"\r\n\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.decode().split("\r\n")[1:])}
                if "sec-websocket-key" in fields:
                    return self._socket(connection, fields["sec-websocket-key"], buffer)
                length = int(fields.get("content-length", 0))
                while len(buffer) < length:
                    buffer += connection.recv(1 << 16)
                buffer = buffer[length:]
                body = json.dumps(CONFIGURATION if head.startswith(b"GET") else {}).encode()
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        except OSError:
            pass

    def _socket(self, connection, key, buffer):
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                           + accept + b"\r\n\r\n")
        self.sockets.append(connection)

        def take(count):
            nonlocal buffer
            while len(buffer) < count:
                data = connection.recv(1 << 16)
                if not data:
                    raise OSError("gone")
                buffer += data
            data, buffer = buffer[:count], buffer[count:]
            return data

        while True:
            first, second = take(2)
            size = second & 0x7F
            if size == 126:
                size, = struct.unpack(">H", take(2))
            elif size == 127:
                size, = struct.unpack(">Q", take(8))
            mask, payload = take(4), take(size)
            payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
            if first & 0x0F == CLOSE:
                with self.changed:
                    self.codes.append(struct.unpack(">H", payload[:2])[0] if payload else None)
                    self.changed.notify_all()
                connection.close()
                return
            if first & 0x0F == TEXT:
                self._answer(connection, json.loads(payload))

    def _answer(self, connection, request):
        if request.get("action") == "heartbeat":
            return connection.sendall(frame(b'"pong"'))
        kind = request["payload"]["eventType"]
        answers = {
            "AuthorizeCustomer": {"eventType": "ConsumerAuthorized", "data": {"consumerIdentity": {"idOnExternalPlatform": "eva"}}},
            "FetchThreadList": {"eventType": "ThreadListFetched", "data": {"threads": []}},
        }
        answer = {"eventId": request["eventId"], "status": "success"}
        if kind in answers:
            answer["postback"] = answers[kind]
        connection.sendall(frame(json.dumps(answer).encode()))

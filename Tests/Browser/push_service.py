"""A push service of the tests' own: browsers connect as Firefox does to Mozilla's (the WebSocket protocol of autopush), and
senders POST messages as RFC 8030 says. It knows its browsers only while they are connected, and keeps nothing for others."""

import base64
import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from gateway import until

TAKEN = 100  # a browser's acknowledgement: decrypted, and handed to the service worker


class Message:
    """What a sender has POSTed, and what became of it."""

    def __init__(self, channel, headers, body):
        self.id = uuid.uuid4().hex
        self.channel, self.headers, self.body = channel, headers, body
        self.code = None  # of the browser's acknowledgement


class PushService:
    def __init__(self):
        self.channels = {}  # channel -> the browser's connection
        self.keys = {}  # channel -> the key of the sender that the browser has given, or nothing
        self.gone = set()
        self.messages = []
        self.refusals = []  # (status, headers) that the next messages are answered with
        self.sockets = serve(self._browser, "127.0.0.1", 0)
        service = self

        class Endpoint(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, headers = service._take(self.path.rsplit("/", 1)[1], dict(self.headers.items()), body)
                self.send_response(status)
                for name, value in {"Content-Length": "0", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.endpoints = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
        self.threads = [threading.Thread(target=one.serve_forever, daemon=True) for one in (self.sockets, self.endpoints)]
        for thread in self.threads:
            thread.start()

    @property
    def url(self):
        """Where browsers connect."""
        return f"ws://127.0.0.1:{self.sockets.socket.getsockname()[1]}/"

    @property
    def host(self):
        """Where senders POST: host and port."""
        return f"127.0.0.1:{self.endpoints.server_address[1]}"

    def stop(self):
        self.sockets.shutdown()
        self.endpoints.shutdown()
        self.endpoints.server_close()

    def forget(self):
        """Begins anew, for another test: with no message, and nothing revoked or refused."""
        for kept in (self.messages, self.keys, self.gone, self.refusals):
            kept.clear()

    def refuse(self, status, **headers):
        """The next message is answered so."""
        self.refusals.append((status, {name.replace("_", "-"): value for name, value in headers.items()}))

    def expire(self, channel):
        """As if the subscription were revoked: the browser is not told, and senders get 410."""
        self.gone.add(channel)

    def taken(self, count, patience=None):
        """The messages once there are as many and browsers have decrypted them."""
        def all_taken():
            return len(self.messages) >= count and all(one.code == TAKEN for one in self.messages)
        until(all_taken, f"{count} messages are taken: {[one.code for one in self.messages]}", patience)
        return self.messages

    def _take(self, channel, headers, body):
        headers = {name.lower(): value for name, value in headers.items()}
        if self.refusals:
            return self.refusals.pop(0)
        if channel in self.gone or channel not in self.channels:
            return 410, {}
        if not headers.get("ttl", "").isdigit() or headers.get("content-encoding") != "aes128gcm":
            return 400, {}
        if self.keys[channel] and not headers.get("authorization", "").endswith(f"k={self.keys[channel]}"):
            return 403, {}
        if len(body) > 4096:
            return 413, {}
        message = Message(channel, headers, body)
        self.messages.append(message)
        data = base64.urlsafe_b64encode(body).rstrip(b"=").decode()
        notification = {"messageType": "notification", "channelID": channel, "version": message.id, "ttl": int(headers["ttl"]),
                        "data": data, "headers": {"encoding": "aes128gcm"}}
        try:
            self.channels[channel].send(json.dumps(notification))
        except ConnectionClosed:
            self.messages.remove(message)
            return 410, {}
        return 201, {"Location": f"http://{self.host}/message/{message.id}", "TTL": headers["ttl"]}

    def _browser(self, socket):
        try:
            for frame in socket:
                answer = self._answer(socket, json.loads(frame))
                if answer is not None:
                    socket.send(json.dumps(answer))
        except ConnectionClosed:
            pass
        finally:
            for channel in [one for one, other in self.channels.items() if other is socket]:
                del self.channels[channel]

    def _answer(self, socket, frame):
        kind = frame.get("messageType")
        if not frame:  # a ping
            return {}
        if kind == "hello":
            return {"messageType": "hello", "uaid": frame.get("uaid") or uuid.uuid4().hex, "status": 200, "use_webpush": True}
        if kind == "register":
            channel = frame["channelID"]
            self.channels[channel], self.keys[channel] = socket, (frame.get("key") or "").rstrip("=")
            return {"messageType": "register", "channelID": channel, "status": 200, "pushEndpoint": f"http://{self.host}/push/{channel}"}
        if kind == "unregister":
            self.channels.pop(frame["channelID"], None)
            return {"messageType": "unregister", "channelID": frame["channelID"], "status": 200}
        if kind == "ack":
            for update in frame["updates"]:
                for message in self.messages:
                    if message.id == update["version"]:
                        message.code = update.get("code")
        return None

"""APNs as a gateway meets it: HTTP/2 over TLS, a certificate of a CA of its own, and whatever answer a test asks for.

It stands on `h2` alone: a whole server would not wind up a connection (GOAWAY) or keep silent when a test says so.
"""

import json
import pathlib
import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.events
import trustme
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

SILENCE, GOAWAY, TAKEN_AND_GOAWAY = "silence", "goaway", "taken and goaway"


class Request:
    def __init__(self, connection, headers, body):
        self.connection, self.headers, self.body = connection, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class APNsService:
    """Its requests are in `requests`; `answers` are the next ones: a status with a body, or one of the words above."""

    def __init__(self, folder, protocol="h2", host="localhost"):
        self.folder = pathlib.Path(folder)
        self.requests, self.answers, self.connections = [], [], 0
        ca = trustme.CA()
        ca.cert_pem.write_to_path(self.folder / "ca.pem")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_alpn_protocols([protocol])
        ca.issue_cert(host).configure_cert(self.context)
        self.serve = self._serve_http2 if protocol == "h2" else self._serve_http1
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://localhost:{self.listener.getsockname()[1]}"
        self.key = ec.generate_private_key(ec.SECP256R1())
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def entry(self, topic="com.example.app", **more):
        """An app of the file of --apns whose requests come here."""
        key = self.folder / "AuthKey.p8"
        if not key.exists():
            key.touch(mode=0o600)
            key.write_bytes(self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return {"topic": topic, "team": "DEF123GHIJ", "key id": "ABC123DEFG", "key": "AuthKey.p8",
                "environment": "sandbox", "url": self.url, "ca": "ca.pem", **more}

    def file(self, *entries):
        path = self.folder / "apps.json"
        path.write_text(json.dumps(entries or [self.entry()]))
        return str(path)

    def refuse(self, status, reason, **more):
        self.answers.append((status, {"reason": reason, **more}))

    def _accept(self):
        while True:
            try:
                raw, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._connection, args=(raw, self.connections), daemon=True).start()

    def _connection(self, raw, number):
        try:
            with self.context.wrap_socket(raw, server_side=True) as stream:
                self.serve(stream, number)
        except OSError:
            pass

    def _serve_http2(self, stream, number):
        link = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        link.initiate_connection()
        stream.sendall(link.data_to_send())
        pending = {}
        while data := stream.recv(65536):
            # After GOAWAY h2 takes nothing any more; the client closes the connection when it likes.
            is_left = link.state_machine.state is h2.connection.ConnectionState.CLOSED
            for event in [] if is_left else link.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    pending[event.stream_id] = (dict(event.headers), bytearray())
                elif isinstance(event, h2.events.DataReceived):
                    pending[event.stream_id][1].extend(event.data)
                    link.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    headers, body = pending.pop(event.stream_id)
                    self.requests.append(Request(number, headers, bytes(body)))
                    self._answer(link, event.stream_id, headers)
            stream.sendall(link.data_to_send())

    def _answer(self, link, stream_id, headers):
        answer = self.answers.pop(0) if self.answers else (200, None)
        if answer == SILENCE:
            return
        if answer == GOAWAY:
            link.close_connection(last_stream_id=stream_id - 2 if stream_id > 2 else 0)
            return
        status, body = (200, None) if answer == TAKEN_AND_GOAWAY else answer
        head = [(":status", str(status)), ("apns-id", headers.get("apns-id", ""))]
        link.send_headers(stream_id, head, end_stream=body is None)
        if body is not None:
            link.send_data(stream_id, json.dumps(body).encode(), end_stream=True)
        if answer == TAKEN_AND_GOAWAY:
            link.close_connection(last_stream_id=stream_id)

    def _serve_http1(self, stream, number):
        while data := stream.recv(65536):
            self.requests.append(Request(number, {}, data))
            stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

"""Google as a gateway meets it: the address for access tokens and that for pushes, over TLS with a CA of its own."""

import http.server
import json
import pathlib
import ssl
import threading
import urllib.parse

import trustme
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

EMAIL = "push@example-shop.iam.gserviceaccount.com"


class Request:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class FCMService:
    """Requests for access tokens are in `exchanges`, pushes in `pushes`. `answers` are the next ones to pushes and
    `token_answers` those to exchanges: a status, a body and more headers."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.exchanges, self.pushes, self.answers, self.token_answers = [], [], [], []
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        ca = trustme.CA()
        ca.cert_pem.write_to_path(self.folder / "ca.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert("localhost").configure_cert(context)
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, answer, headers = service.take(Request(self.path, dict(self.headers), body))
                answer = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(answer))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def finish_request(self, request, address):
                # The handshake is the thread's, not the listener's.
                with context.wrap_socket(request, server_side=True) as stream:
                    super().finish_request(stream, address)

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"https://localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self, request):
        if request.path == "/token":
            self.exchanges.append(request)
            granted = {"access_token": f"token-{len(self.exchanges)}", "expires_in": 3599, "token_type": "Bearer"}
            return self.token_answers.pop(0) if self.token_answers else (200, granted, {})
        self.pushes.append(request)
        return self.answers.pop(0) if self.answers else (200, {"name": "projects/example-shop/messages/1"}, {})

    def assertion(self):
        """The newest one that was exchanged."""
        return urllib.parse.parse_qs(self.exchanges[-1].body.decode())["assertion"][0]

    def account(self, **change):
        """The path of the service account's key; None leaves a member out."""
        path = self.folder / "service-account.json"
        path.touch(mode=0o600)
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        members = {"type": "service_account", "project_id": "example-shop", "private_key_id": "9f8e7d6c", "private_key": pem,
                   "client_email": EMAIL, "client_id": "1", "token_uri": f"{self.url}/token", **change}
        path.write_text(json.dumps({name: value for name, value in members.items() if value is not None}))
        return path

    def file(self, **change):
        """A file of --fcm with one app whose requests come here."""
        if not (self.folder / "service-account.json").exists():
            self.account()
        entry = {"project": "example-shop", "account": "service-account.json", "url": self.url, "ca": "ca.pem", **change}
        path = self.folder / "apps.json"
        path.write_text(json.dumps([entry]))
        return str(path)

    def refuse(self, status, word, code=None, field=None, **headers):
        details = []
        if field:
            details.append({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": field}]})
        if code:
            details.append({"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code})
        error = {"code": status, "message": "No. " * 500, "status": word, "details": details}
        self.answers.append((status, {"error": error}, headers))

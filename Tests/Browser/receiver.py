"""A receiver of webhooks on this machine, which answers as a test wants."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """`answer(request)` gives a status, headers and a body. What has come is in `requests`: {"id", "type", "text",
    "headers"}."""

    def __init__(self, answer=lambda request: (204, {}, b"")):
        self.answer = answer
        self.requests = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                request = {"id": self.headers["webhook-id"], "type": json.loads(text)["type"], "text": text,
                           "headers": self.headers}
                receiver.requests.append(request)
                status, headers, body = receiver.answer(request)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

"""The network between the service `sendbird` of a gateway and the sandbox of another one."""

import http.client
import http.server
import json
import threading


class Network:
    """What is between the adapter and the sandbox. It loses answers when it is told to."""

    def __init__(self):
        self.calls, self.lost, self.far = [], [], None
        network = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                network.calls.append((self.command, self.path, dict(self.headers)))
                try:
                    status, text, kind = network.ask(self.command, self.path, body, self.headers)
                except (OSError, http.client.HTTPException):
                    self.close_connection = True
                    return
                for entry in network.lost:
                    if self.command == entry[0] and self.path.partition("?")[0].endswith(entry[1]):
                        network.lost.remove(entry)
                        self.close_connection = True
                        return
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.authority = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.authority}"
        # For the gateway of the sandbox, which is to be set as `far` when it runs.
        self.options = ["--sendbird-sandbox", "--allow-host", self.authority]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def ask(self, method, path, body, headers):
        """The addresses of files that the sandbox makes lead through here, too."""
        kept = {name: headers[name] for name in ("Host", "Api-Token", "Content-Type") if headers[name]}
        connection = http.client.HTTPConnection(self.far.host, self.far.port, timeout=30)
        try:
            connection.request(method, path, body or None, kept)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.getheader("Content-Type") or "application/json"
        finally:
            connection.close()

    def count(self, method, ending):
        return sum(call[0] == method and call[1].partition("?")[0].endswith(ending) for call in self.calls)


def write(path, applications, mode=0o600):
    path.write_text(json.dumps({"applications": applications}))
    path.chmod(mode)
    return str(path)


def session(near, customer):
    made = near.post("/v1/sessions", {"service": "sendbird", "channel": "support", "customer": {"id": customer, "firstName": customer.title()}}).json
    assert made["state"] == "ready", made
    return f"/v1/sessions/{made['id']}"


def texts(near, thread):
    return [message["text"] for message in reversed(near.get(f"{thread}/messages?limit=100")["items"])]

"""A server that plays the gateway's part as a test has written it down: one function for each request, the last one for
all that follow. It speaks over bare sockets, so it can cut an answer at any byte."""

import contextlib
import json
import socket
import threading


class Request:
    def __init__(self, line, headers, body):
        self.method, self.target, _ = line.split(" ")
        self.headers, self.body = headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Scripted:
    """`requests` are those that have come. With `family=AF_UNIX`, `address` is a path that the test gives."""

    def __init__(self, *script, path=None):
        self.script, self.requests, self.connections = list(script), [], 0
        self._listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self._listener.bind(str(path) if path else ("127.0.0.1", 0))
        self._listener.listen()
        self.address = f"unix:{path}" if path else "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        self._lock, self._links = threading.Lock(), []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                link, _ = self._listener.accept()
                self.connections += 1
                self._links.append(link)
                threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link):
        with contextlib.suppress(OSError), link, link.makefile("rb") as file:
            while line := file.readline().decode().strip():
                headers = {}
                while field := file.readline().decode().strip():
                    name, _, value = field.partition(": ")
                    headers[name.lower()] = value
                body = file.read(int(headers.get("content-length", 0)))
                with self._lock:
                    self.requests.append(Request(line, headers, body))
                    answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
                if not answer(link):
                    return

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()
        for link in self._links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)


# -- answers: each sends something, and says whether the connection stays open for another request

def raw(data, *, stay=False):
    def answer(link):
        link.sendall(data)
        return stay
    return answer


def head(status, **fields):
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(status, body=None, **fields):
    data = b"" if body is None else json.dumps(body).encode()
    return raw(head(status, Content_Type="application/json", Content_Length=len(data), **fields) + data, stay=True)


def problem(status, code, **fields):
    return reply(status, {"title": f"Title of {code}", "status": status, "code": code, "detail": f"It is {code}."}, **fields)


def hang_up(link):
    """No answer at all."""
    return False


def frame(kind, data, id=None):
    return (f"id: {id}\n" if id else "").encode() + f"event: {kind}\ndata: {json.dumps(data)}\n\n".encode()


def ready(id):
    return frame("ready", {"cursor": id}, id)


def message(id, text):
    return frame("message.created", {"message": {"text": text}}, id)


def stream_bytes(*frames):
    """An event stream in chunks, as the gateway sends it, without its end."""
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in frames)
    return head(200, Content_Type="text/event-stream", Transfer_Encoding="chunked", Connection="close") + chunks


def stream(*frames):
    """It breaks off after these frames."""
    return raw(stream_bytes(*frames))


def silent_stream(*frames):
    """Nothing comes after these frames, and the connection stays."""
    return raw(stream_bytes(*frames), stay=True)

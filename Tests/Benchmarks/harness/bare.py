"""Peers on bare libmicrohttpd in C: what the HTTP library alone can do, and with SQLite's C API under it."""

import subprocess

from .processes import Failure, Process

# The library writes these itself; given again they would stand there twice.
OWN_HEADERS = {"date", "content-length", "connection", "transfer-encoding"}


class Peer:
    """A program that names its port, and ends with its standard input."""

    def __init__(self, bench, program, *arguments):
        self.arguments = [bench.program(program), *arguments]
        self.log = bench.new_path(f"{program}.log")

    def __enter__(self):
        self.process = Process(self.arguments, self.log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.child.stdout.readline()
        if not line.startswith(b"port "):
            self.process.child.wait(5)
            self.process.check()
            raise Failure(f"{self.process.name} named no port")
        self.port = int(line.split()[1])
        return self

    def __exit__(self, *_):
        self.process.stop()


def header_file(bench, headers):
    return bench.file("headers", "".join(f"{name}: {value}\n" for name, value in headers if name.lower() not in OWN_HEADERS))


class Bare(Peer):
    """Answers each GET with the same headers and bytes."""

    def __init__(self, bench, headers=(), body=b"", status=200):
        content = bench.file("page", "")
        with open(content, "wb") as file:
            file.write(body)
        super().__init__(bench, "bare", "-h", header_file(bench, headers), "-b", content, "-s", str(status))


class Sends(Peer):
    """Writes each message that is posted to a thread of a gateway's folder, in a commit of its own."""

    def __init__(self, bench, folder, headers):
        super().__init__(bench, "sends", "-d", f"{folder}/parley.sqlite", "-h", header_file(bench, headers))

"""Bare libmicrohttpd in C: what the HTTP library alone can do."""

import subprocess

from .processes import Failure, Process

# The library writes these itself; given again they would stand there twice.
OWN_HEADERS = {"date", "content-length", "connection", "transfer-encoding"}


class Bare:
    def __init__(self, bench, headers=(), body=b""):
        text = "".join(f"{name}: {value}\n" for name, value in headers if name.lower() not in OWN_HEADERS)
        content = bench.file("page", "")
        with open(content, "wb") as file:
            file.write(body)
        self.arguments = [bench.program("bare"), "-h", bench.file("headers", text), "-b", content]
        self.log = bench.new_path("bare.log")

    def __enter__(self):
        self.process = Process(self.arguments, self.log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.child.stdout.readline()
        if not line.startswith(b"port "):
            self.process.child.wait(5)
            self.process.check()
            raise Failure("bare libmicrohttpd named no port")
        self.port = int(line.split()[1])
        return self

    def __exit__(self, *_):
        self.process.stop()

"""A service manager as small as can be: it opens sockets, starts the gateway with them, and hears what it says.

It speaks sd_notify(3) and sd_listen_fds(3), as systemd does."""

import os
import queue
import socket
import subprocess
import sys
import threading

from serving import DEADLINE, Gateway, binary

#: Run in the child before the gateway: the variables name its process, and the sockets are moved to 3 and so on.
CHILD = """
import os, sys
count = int(sys.argv[1])
for place in range(count):
    os.dup2(int(sys.argv[2 + place]), 100 + place)
for place in range(count):
    os.dup2(100 + place, 3 + place, inheritable=True)
    os.close(100 + place)
for name in ("LISTEN_PID", "WATCHDOG_PID"):
    if os.environ.get(name) == "own":
        os.environ[name] = str(os.getpid())
os.execv(sys.argv[2 + count], sys.argv[2 + count:])
"""


class ServiceManager(Gateway):
    """A gateway that a service manager runs, on a folder and with sockets that outlive its processes."""

    def __init__(self, folder, sockets=(), arguments=(), watchdog=None, environment=None, is_abstract=False):
        """`sockets` are (name, listening socket); `watchdog` is in seconds."""
        super().__init__(folder, arguments)
        self.sockets = list(sockets)
        self.environment = {"LISTEN_PID": "own", "LISTEN_FDS": str(len(self.sockets)),
                            "LISTEN_FDNAMES": ":".join(name for name, _ in self.sockets)} if self.sockets else {}
        if watchdog:
            self.environment |= {"WATCHDOG_USEC": str(int(watchdog * 1_000_000)), "WATCHDOG_PID": "own"}
        self.environment |= environment or {}
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify_socket = f"@parley-test-{os.getpid()}-{id(self)}" if is_abstract else f"{folder}/notify"
        self._notices.bind(self.notify_socket.replace("@", "\0"))
        #: What the gateway has said, without its signs of life.
        self.said = queue.Queue()
        self.signs = threading.Condition()
        self.sign_count = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while data := self._notices.recv(4096):
            lines = data.decode().split("\n")
            if lines == ["WATCHDOG=1"]:
                with self.signs:
                    self.sign_count += 1
                    self.signs.notify_all()
            else:
                self.said.put(dict(line.split("=", 1) for line in lines))

    def launch(self):
        """Starts the process, without waiting for it."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptors = [link.fileno() for _, link in self.sockets]
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CHILD, str(len(descriptors)), *map(str, descriptors),
                 binary(), "serve", "--data", str(self.folder), *self.arguments],
                env={**os.environ, "NOTIFY_SOCKET": self.notify_socket, **self.environment}, pass_fds=descriptors,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        return self

    def hear(self, name, deadline=DEADLINE):
        """Waits for what has this variable, and returns it."""
        while True:
            said = self.said.get(timeout=deadline)
            if name in said:
                return said

    def signs_of_life(self, count, deadline=DEADLINE):
        """Waits for so many more of them. Returns whether they came in time."""
        with self.signs:
            wanted = self.sign_count + count
            return self.signs.wait_for(lambda: self.sign_count >= wanted, deadline)

    def close(self):
        super().close()
        # The thread ends with an empty datagram.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
            link.sendto(b"", self.notify_socket.replace("@", "\0"))
        for _, link in self.sockets:
            link.close()

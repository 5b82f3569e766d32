"""The gateway under a service manager: it says when it is ready, lives and stops, and takes the manager's sockets."""

import concurrent.futures
import ctypes
import http.client
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile

import pytest
from service_manager import ServiceManager
from serving import DEADLINE, Client, binary, until


@pytest.fixture
def folder():
    """Short, because names of UNIX sockets are."""
    with tempfile.TemporaryDirectory(prefix="parley-sd-") as path:
        yield pathlib.Path(path)


def tcp(address="127.0.0.1", family=socket.AF_INET):
    return socket.create_server((address, 0), family=family, backlog=64)


def unix(path):
    link = socket.socket(socket.AF_UNIX)
    link.bind(str(path).replace("@", "\0"))
    link.listen(64)
    return link


def status(link, path="/readyz"):
    """The status of a GET on a connection of its own to a listening socket's address."""
    with socket.socket(link.family) as client:
        client.settimeout(DEADLINE)
        client.connect(link.getsockname())
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port(link)}\r\nConnection: close\r\n\r\n".encode())
        return int(client.makefile("rb").readline().split()[1])


def port(link):
    name = link.getsockname()
    return name[1] if isinstance(name, tuple) else 80


@pytest.mark.parametrize("is_abstract", [False, True])
def test_it_tells_when_it_is_ready_and_when_it_stops(folder, is_abstract):
    manager = ServiceManager(folder, arguments=["--listen", "127.0.0.1:0"], is_abstract=is_abstract)
    try:
        manager.launch()
        ready = manager.hear("READY")
        assert ready["READY"] == "1"
        # From this moment on, not a little later.
        address = (manager.folder / "address").read_text().strip()
        host, _, number = address.removeprefix("http://").partition(":")
        assert Client(host, int(number), None).call("GET", "/readyz").status == 200
        assert address in ready["STATUS"]
        # The log of a manager is kept, and read by others: nothing in it logs anybody in.
        assert "/auth/" not in manager.log()
        manager.signal(signal.SIGTERM)
        assert manager.hear("STOPPING")["STOPPING"] == "1"
        assert manager.wait() == 0
    finally:
        manager.close()


def test_it_is_not_ready_before_it_is(folder):
    """What keeps /readyz from saying 200 keeps the manager waiting, and is told."""
    manager = ServiceManager(folder, arguments=["--listen", "127.0.0.1:0"])
    try:
        manager.launch()
        manager.hear("READY")
        manager.signal(signal.SIGTERM)
        manager.hear("STOPPING")
        manager.wait()
        # A file where the folder of the files belongs: nothing can be stored in it.
        files = manager.folder / "files"
        subprocess.run(["rm", "-r", files], check=True)
        files.write_text("")
        manager.launch()
        said = manager.hear("STATUS")
        assert "READY" not in said and "files" in said["STATUS"]
        files.unlink()
        files.mkdir(mode=0o700)
        (files / "temporary").mkdir()
        manager.hear("READY")
    finally:
        manager.close()


LIBC = ctypes.CDLL(None, use_errno=True)
SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17


def trace(request, thread):
    LIBC.ptrace.argtypes = [ctypes.c_long] * 4
    LIBC.ptrace.restype = ctypes.c_long
    assert LIBC.ptrace(request, thread, 0, 0) == 0, os.strerror(ctypes.get_errno())


def loop_of(process):
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        if (task / "comm").read_text().strip() == "http-loop":
            return int(task.name)


def test_a_loop_that_hangs_gives_no_sign_of_life(folder):
    manager = ServiceManager(folder, arguments=["--listen", "127.0.0.1:0"], watchdog=0.2)
    try:
        manager.launch()
        manager.hear("READY")
        assert manager.signs_of_life(3)
        # Only this thread stops; all others go on.
        loop = loop_of(manager.pid)
        trace(SEIZE, loop)
        trace(INTERRUPT, loop)
        os.waitpid(loop, 0x40000000)  # __WALL: the thread has stopped
        try:
            manager.signs_of_life(1, 0.1)  # one may be on its way
            assert not manager.signs_of_life(1, 1.0)
        finally:
            trace(DETACH, loop)  # a thread that is traced would outlive a kill
        assert manager.signs_of_life(3)
        manager.signal(signal.SIGSTOP)
        until("the process to stop", lambda: "T (stopped)" in pathlib.Path(f"/proc/{manager.pid}/status").read_text())
        manager.signs_of_life(1, 0.1)
        assert not manager.signs_of_life(1, 1.0)
        manager.signal(signal.SIGCONT)
        assert manager.signs_of_life(3)
    finally:
        manager.close()


def test_the_watchdog_of_another_process_is_not_fed(folder):
    manager = ServiceManager(folder, arguments=["--listen", "127.0.0.1:0"], watchdog=0.1, environment={"WATCHDOG_PID": "1"})
    try:
        manager.launch()
        manager.hear("READY")
        assert not manager.signs_of_life(1, 1.0)
    finally:
        manager.close()


def test_the_managers_sockets_take_the_place_of_the_default(folder):
    links = [("web", tcp()), ("six", tcp("::1", socket.AF_INET6)), ("local", unix(folder / "parley.sock")),
             ("hidden", unix(f"@{folder}"))]
    manager = ServiceManager(folder, links)
    try:
        manager.launch()
        said = manager.hear("READY")["STATUS"]
        for _, link in links:
            assert status(link) == 200
        assert f"http://127.0.0.1:{port(links[0][1])}, http://[::1]:{port(links[1][1])}, " \
               f"unix:{folder}/parley.sock, unix:@{folder}." in said
        # Nothing else is listened on: not the default, of which the manager knows nothing.
        listened = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
        own = [line.split()[3] for line in listened.splitlines() if f"pid={manager.pid}," in line]
        assert sorted(own) == sorted([f"127.0.0.1:{port(links[0][1])}", f"[::1]:{port(links[1][1])}"])
        # Commands find it, and the kernel says whose they are.
        done = subprocess.run([binary(), "status", "--gateway", f"unix:{folder}/parley.sock", "-q"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        # Children inherit none of it.
        for number in range(3, 3 + len(links)):
            text = pathlib.Path(f"/proc/{manager.pid}/fdinfo/{number}").read_text()
            flags = int(re.search(r"^flags:\t(\d+)", text, re.MULTILINE)[1], 8)
            assert flags & os.O_CLOEXEC and flags & os.O_NONBLOCK
    finally:
        manager.close()


def test_a_named_address_is_added(folder):
    link = tcp()
    manager = ServiceManager(folder, [("web", link)], ["--listen", f"unix:{folder}/own.sock"])
    try:
        manager.launch()
        manager.hear("READY")
        assert status(link) == 200
        assert subprocess.run([binary(), "api", "livez", "--gateway", f"unix:{folder}/own.sock"], capture_output=True).returncode == 0
        manager.signal(signal.SIGTERM)
        assert manager.wait() == 0
        assert not (folder / "own.sock").exists()
    finally:
        manager.close()


def test_sockets_of_another_process_are_left_alone(folder):
    manager = ServiceManager(folder, [("web", tcp())], ["--listen", "127.0.0.1:0"], environment={"LISTEN_PID": "1"})
    try:
        manager.launch()
        assert f":{port(manager.sockets[0][1])}" not in manager.hear("READY")["STATUS"]
    finally:
        manager.close()


def test_a_restart_refuses_no_connection(folder):
    """The manager's sockets stay: who connects meanwhile waits, and is answered by the next process."""
    links = [("web", tcp()), ("local", unix(folder / "parley.sock"))]
    manager = ServiceManager(folder, links)
    try:
        for sign in (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM):
            manager.launch()
            manager.hear("READY")
            assert [status(link) for _, link in links] == [200, 200]
            manager.signal(sign)
            manager.wait()
            assert (folder / "parley.sock").is_socket(), "the manager's file is gone"
            with concurrent.futures.ThreadPoolExecutor(8) as clients:
                answers = [clients.submit(status, link, "/livez") for _, link in links for _ in range(4)]
                until("clients to wait", lambda: all(has_waiting(link) for _, link in links))
                manager.launch()
                assert [answer.result() for answer in answers] == [200] * 8
            manager.hear("READY")
            manager.signal(signal.SIGTERM)
            assert manager.wait() == 0
    finally:
        manager.close()


def has_waiting(link):
    return bool(select.select([link], [], [], 0)[0])


def refusal(folder, sockets, *arguments, **environment):
    manager = ServiceManager(folder, sockets, arguments, environment=environment)
    try:
        manager.launch()
        assert manager.wait() == 1
        return manager.log()
    finally:
        manager.close()


def test_an_address_that_others_reach_needs_the_flag(folder):
    link = tcp("0.0.0.0")
    log = refusal(folder, [("web", link.dup())])
    assert f"0.0.0.0:{port(link)} (web)" in log and "--listen-public" in log
    allowed = folder / "allowed"
    allowed.mkdir()
    manager = ServiceManager(allowed, [("web", link)], ["--listen-public"])
    try:
        manager.launch()
        manager.hear("READY")
        assert status(link) == 200
    finally:
        manager.close()


def test_what_is_no_listening_socket_is_refused(folder):
    near, far = socket.socketpair()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", 0))
    for number, link in enumerate([near, datagrams]):
        place = folder / str(number)
        place.mkdir()
        assert "descriptor 3 (odd)" in refusal(place, [("odd", link)])
    far.close()


@pytest.mark.parametrize("variable", [
    {"LISTEN_FDS": "many"}, {"LISTEN_FDS": "-1"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "0"}, {"NOTIFY_SOCKET": "vsock:2:1"}])
def test_variables_that_mean_nothing_are_refused(folder, variable):
    name, = variable
    assert name in refusal(folder, [("web", tcp())], **variable)


def environment_of(process):
    """The names of a process's variables as it sees them now: /proc/PID/environ has those of its start."""
    def libc(maps):
        return int(next(line for line in maps.read_text().splitlines() if "/libc.so.6" in line).partition("-")[0], 16)

    place = ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.CDLL("libc.so.6"), "__environ")) - libc(pathlib.Path("/proc/self/maps"))
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        def pointer(address):
            memory.seek(address)
            return int.from_bytes(memory.read(8), "little")

        def text(address):
            memory.seek(address)
            return memory.read(200).partition(b"\0")[0].decode(errors="replace")

        entry, names = pointer(libc(pathlib.Path(f"/proc/{process}/maps")) + place), set()
        while address := pointer(entry):
            names.add(text(address).partition("=")[0])
            entry += 8
        return names


def test_the_variables_are_removed(folder):
    """A child of the gateway would take them for its own."""
    manager = ServiceManager(folder, [("web", tcp())], watchdog=10)
    try:
        manager.launch()
        manager.hear("READY")
        names = environment_of(manager.pid)
        assert "PARLEY_BIN" in names
        assert names.isdisjoint(
            {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
    finally:
        manager.close()

"""Peers that leave without a word."""

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import sys
import time

import pytest
from serving import Chat, Gateway, until
from streams import Parser, connect

HEARTBEAT = 15
USER_TIMEOUT = 30
COUNT = 50


def streams(gateway):
    return gateway.metrics()["parley_streams"]


def opened(gateway, chat, count=COUNT):
    links = [connect(gateway.host, gateway.port, f"{chat.path}/events", chat.token) for _ in range(count)]
    until("the streams to be open", lambda: streams(gateway) == count)
    for link in links:
        parser = Parser()
        while not any(event.name == "ready" for event in parser.feed(link.recv(65536))):
            pass
    return links


def shut(link):
    link.shutdown(socket.SHUT_RDWR)


def reset(link):
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


def half_close(link):
    link.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("how", [socket.socket.close, shut, reset, half_close], ids=["closed", "shut", "reset", "half-closed"])
def test_a_peer_that_left_is_found(gw, how):
    """Nothing is sent to them meanwhile: only the hang-up, or the heartbeat, can tell."""
    chat = Chat(gw)
    before = gw.descriptors()
    links = opened(gw, chat)
    start = time.monotonic()
    for link in links:
        how(link)
    until("the streams to be closed", lambda: streams(gw) == 0, 2 * HEARTBEAT + 5)
    took = time.monotonic() - start
    until("the connections to be closed", lambda: gw.metrics()["parley_http_connections"] <= 1)
    # The gateway opens a few at their first use, and keeps them: io_uring's, the search index's. None for each connection.
    until("the descriptors to be free", lambda: gw.descriptors() < before + COUNT / 2)
    print(f"{COUNT} peers found gone after {took:.2f} s")
    assert took < 5, f"took {took:.1f} s: found by the heartbeat, not by the hang-up"
    for link in links:
        with contextlib.suppress(OSError):
            link.close()


def test_bytes_behind_the_request_do_no_harm(gw):
    """A peer that goes on talking on its stream's connection: neither a spin nor a second answer."""
    chat = Chat(gw)
    (link,) = opened(gw, chat, 1)
    link.sendall(b"GET /v1/info HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
    thread = chat.thread()
    chat.say(thread, "still here")
    parser, seen = Parser(), b""
    link.settimeout(10)
    while b"still here" not in seen:
        piece = link.recv(65536)
        assert piece, "the stream was closed"
        seen += piece
    assert b"HTTP/1.1" not in seen, "an answer in the middle of a stream"
    ticks = lambda: sum(map(int, open(f"/proc/{gw.pid}/stat").read().rpartition(")")[2].split()[11:13]))
    start = ticks()
    time.sleep(1)
    assert ticks() - start < 0.5 * os.sysconf("SC_CLK_TCK"), "the gateway spins on unread bytes"
    link.close()
    until("the stream to be closed", lambda: streams(gw) == 0, 2 * HEARTBEAT + 5)


# A client in the other network: holds streams open, says so, and then only exists.
HOLD = """
import socket, sys
host, port, path, token, count = sys.argv[1:]
links = []
for _ in range(int(count)):
    link = socket.create_connection((host, int(port)), timeout=10)
    link.sendall(f"GET {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nAuthorization: Bearer {token}\\r\\n\\r\\n".encode())
    got = b""
    while b"event: ready" not in got:
        got += link.recv(65536)
    links.append(link)
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def network():
    """A network namespace behind a pair of virtual links: (its name, our end, our address)."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("a network of its own needs root and ip(8)")
    tail = f"{os.getpid() % 10000}"
    name, ours, theirs = f"parley{tail}", f"prly{tail}a", f"prly{tail}b"
    here, there = "169.254.87.1", "169.254.87.2"

    def ip(*words, check=True):
        return subprocess.run(["ip", *words], check=check, capture_output=True, text=True)

    try:
        ip("netns", "add", name)
        try:
            ip("link", "add", ours, "type", "veth", "peer", "name", theirs)
            ip("link", "set", theirs, "netns", name)
            ip("addr", "add", f"{here}/30", "dev", ours)
            ip("link", "set", ours, "up")
            ip("-n", name, "addr", "add", f"{there}/30", "dev", theirs)
            ip("-n", name, "link", "set", theirs, "up")
        except subprocess.CalledProcessError as fault:
            pytest.skip(f"no network can be made here: {fault.stderr.strip()}")
        yield name, ours, here
    except subprocess.CalledProcessError as fault:
        pytest.skip(f"no network namespace can be made here: {fault.stderr.strip()}")
    finally:
        ip("link", "del", ours, check=False)
        ip("netns", "del", name, check=False)


@pytest.mark.slow
def test_a_peer_that_vanished_is_found(network):
    """Its network is gone: no FIN, no RST. What the heartbeat sent stays unacknowledged until TCP_USER_TIMEOUT."""
    name, ours, here = network
    with Gateway(arguments=["--listen", f"{here}:0", "--listen-public"]) as gateway:
        chat = Chat(gateway)
        port = gateway.wait_for_log(f"listening on  http://{here}:").rpartition(":")[2]
        client = subprocess.Popen(
            ["ip", "netns", "exec", name, sys.executable, "-c", HOLD, here, port, f"{chat.path}/events", chat.token, "5"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert client.stdout.readline() == "open\n"
            assert streams(gateway) == 5
            start = time.monotonic()
            subprocess.run(["ip", "-n", name, "link", "set", ours[:-1] + "b", "down"], check=True)
            client.kill()
            until("the vanished peers to be given up", lambda: streams(gateway) == 0, HEARTBEAT + USER_TIMEOUT + 10, every=0.25)
            took = time.monotonic() - start
        finally:
            client.kill()
            client.wait()
        print(f"given up after {took:.0f} s")
        assert took > 10, "the test shows nothing: the peers did not vanish, they hung up"
        assert gateway.metrics()['parley_streams_closed_total{reason="peerGone"}'] == 5
        until("the connections to be closed", lambda: gateway.metrics()["parley_http_connections"] <= 1)

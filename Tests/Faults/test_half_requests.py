"""Requests that never come to their end: they take nobody's place, not even by the thousand."""

import resource
import socket
import time

import pytest
from serving import Gateway

COUNT = 4100


@pytest.fixture(scope="module", autouse=True)
def descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * COUNT:
        pytest.skip(f"{hard} descriptors are too few")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * COUNT), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def begin(gateway, text):
    link = socket.create_connection((gateway.host, gateway.port), timeout=20)
    link.sendall(text)
    return link


def half(gateway):
    """A request without a token whose body stops after a byte."""
    return begin(gateway, f"POST /auth/logout HTTP/1.1\r\nHost: {gateway.host}:{gateway.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())


def well(gateway):
    for path in ("/livez", "/readyz", "/v1/info"):
        answer = gateway.get(path)
        assert answer.status == 200, (path, answer)


def test_half_sent_bodies_keep_nobody_out(gw):
    links = [half(gw) for _ in range(COUNT)]
    well(gw)
    # The deadline is that of the whole request: a byte now and then does not move it.
    end = time.monotonic() + 8
    while time.monotonic() < end:
        for link in links[-20:]:
            try:
                link.send(b" ")
            except OSError:
                pass
        well(gw)
        time.sleep(0.5)
    for link in links[-5:]:
        link.settimeout(20)
        assert link.recv(65536).startswith((b"HTTP/1.1 408", b"HTTP/1.1 401", b"HTTP/1.1 503"))
    for link in links:
        link.close()
    well(gw)


def test_full_connections_keep_nobody_out():
    with Gateway(arguments=["--connection-limit", "200"]) as gateway:
        links = [begin(gateway, [b"", b"GET /li", f"GET /livez HTTP/1.1\r\nHost: {gateway.host}:{gateway.port}\r\n".encode()][index % 3])
                 for index in range(600)]
        for _ in range(20):
            well(gateway)
        for link in links:
            link.close()


def test_sigterm_ends_with_half_requests(gw):
    links = [half(gw) for _ in range(500)]
    links += [begin(gw, f"GET /livez HTTP/1.1\r\nHost: {gw.host}:{gw.port}\r\n".encode()) for _ in range(100)]
    start = time.monotonic()
    assert gw.stop() == 0
    assert time.monotonic() - start < 10
    for link in links:
        link.close()

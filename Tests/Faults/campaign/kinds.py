"""The faults, one function a kind: each is given a world, and checks it as often as it likes."""

import contextlib
import socket
import struct
import time

from campaign import shim
from campaign.world import RECOVERY
from serving import until
from streams import connect

DATABASE, WAL = "*/data/parley.sqlite", "*/data/parley.sqlite-wal"
FILES = [DATABASE, WAL, "*/data/search.sqlite", "*/data/search.sqlite-wal", "*/data/files/*", "*/data/files/incoming/*"]
AT_START = [*FILES, "*/data/key*", "*/data/token*", "*/data/address*", "*/data/lock", "*/data/*"]


def kill(world):
    """kill -9 in the middle of everything, and half a file on its way."""
    for _ in range(world.seed.randrange(1, 4)):
        load, half = world.load(), half_an_upload(world)
        world.wait(1.0)
        world.kill(load)
        half.close()
        world.restart()
        world.check()


def half_an_upload(world):
    customer, gateway = world.customers[0], world.gateway
    link = socket.create_connection((gateway.host, gateway.port), timeout=20)
    link.sendall(
        (
            f"POST {customer.path}/attachments HTTP/1.1\r\nHost: {gateway.host}:{gateway.port}\r\n"
            f"Authorization: Bearer {customer.token}\r\nContent-Type: image/png\r\nContent-Length: 900000\r\n\r\n"
        ).encode()
        + bytes(200_000)
    )
    return link


def term(world):
    """SIGTERM under load: it ends in time, and with what it had acknowledged."""
    for _ in range(2):
        load = world.load()
        world.wait(1.0)
        world.terminate(load)
        world.restart()
    world.check()


def torn(world):
    """A write that is cut in two by the end of the process."""
    for _ in range(world.seed.randrange(1, 3)):
        pattern = world.seed.choice([WAL, WAL, DATABASE, "*/data/files/incoming/*", "*/data/search.sqlite-wal"])
        world.shim.arm(
            shim.WRITE, pattern, error=world.seed.randrange(100), countdown=world.seed.randrange(300), action=shim.TEAR
        )
        load = world.load()
        end = time.monotonic() + 2
        while world.gateway.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        world.disarm()
        world.kill(load)
        world.restart()
        world.check()


def power(world):
    """A power cut: of what was not synchronised, some is lost."""
    for _ in range(world.seed.randrange(1, 3)):
        load = world.load()
        world.wait(1.5)
        world.kill(load)
        world.counts["lost writes"] += world.shim.cut_power(world.seed)
        world.restart()
        world.check()


def disk(world):
    """Errors of the disk at the k-th call on a file: a plain failure, nothing lost, no restart needed."""
    for _ in range(world.seed.randrange(1, 4)):
        calls = world.seed.choice(
            [
                shim.WRITE,
                shim.WRITE,
                shim.SYNC,
                shim.SYNC,
                shim.TRUNCATE,
                shim.RENAME,
                shim.OPEN,
                shim.WRITE | shim.SYNC,
            ]
        )
        pattern = world.seed.choice([*FILES, WAL, WAL, "*/data/*"])
        error = world.seed.choice(list(shim.ERRORS.values()))
        load = world.load()
        world.wait(0.3)
        world.shim.arm(
            calls, pattern, error, countdown=world.seed.randrange(40), times=world.seed.choice([1, 1, 3, -1, -1])
        )
        end = time.monotonic() + 1.5
        while not world.shim.hits and time.monotonic() < end:
            time.sleep(0.01)
        world.wait(0.7)
        world.lives()
        probe(world)
        world.disarm()
        world.finish(load)
        world.recovered()
        world.check()
    end = world.kill if world.seed.random() < 0.5 else world.terminate
    end()
    world.restart()
    world.check()


def probe(world):
    """While a disk fails, the gateway still answers."""
    assert world.gateway.get("/livez", token=None).status == 200
    assert world.gateway.get("/readyz", token=None).status in (200, 503)
    assert world.gateway.get(world.customers[0].path, token=world.customers[0].token).status in (200, 500, 503, 507)


def start(world):
    """Errors of the disk at the start: it serves, or it says why not and ends; the next start finds everything."""
    load = world.load()
    world.wait(0.6)
    end = world.kill if world.seed.random() < 0.5 else world.terminate
    end(load)
    for _ in range(3):
        calls = world.seed.choice([shim.OPEN, shim.OPEN, shim.WRITE, shim.SYNC, shim.RENAME, shim.TRUNCATE])
        world.shim.arm(
            calls,
            world.seed.choice(AT_START),
            world.seed.choice(list(shim.ERRORS.values())),
            countdown=world.seed.choice([0, 0, 0, 1, 2, 5]),
            times=world.seed.choice([1, -1]),
        )
        world.gateway.launch()
        serves = started(world.gateway)
        world.disarm()
        if serves:
            until("/readyz to be 200", lambda: world.gateway.get("/readyz", token=None).status == 200, RECOVERY)
            world.gateway.stop()
        else:
            code = world.gateway.process.returncode
            assert code > 0, f"it ended with {code}:\n{world.gateway.log()}"
    world.restart()
    world.check()


def started(gateway):
    """Whether it serves; False: it has ended."""
    end = time.monotonic() + 20
    while gateway.process.poll() is None:
        with contextlib.suppress(Exception):
            lines = (gateway.folder / "address").read_text().splitlines()
            gateway.host, gateway.port = "127.0.0.1", int(lines[0].rpartition(":")[2])
            if gateway.get("/readyz", token=None).status == 200:
                return True
        if time.monotonic() > end:
            return gateway.process.poll() is None
        time.sleep(0.02)
    return False


def clock(world):
    """The time of day jumps by a day, there and back, also over a restart."""
    world.counts["clock"] += 1
    load = world.load()
    for _ in range(3):
        world.wait(0.8)
        world.shim.move_clock(world.seed.choice([-shim.DAY, 0, shim.DAY, world.seed.randrange(-shim.DAY, shim.DAY)]))
    world.wait(0.8)
    world.finish(load)
    world.lives()
    world.check()
    world.kill()
    world.shim.move_clock(world.seed.choice([-shim.DAY, 0, shim.DAY]))
    world.restart()
    load = world.load()
    world.wait(0.5)
    world.finish(load)
    world.check()


def peers(world):
    """Peers that stop, break off, vanish in the middle, and a gateway that is stopped for a while itself."""
    customer, gateway = world.customers[0], world.gateway
    load = world.load()
    links = []
    for _ in range(30):
        link = connect(
            gateway.host,
            gateway.port,
            f"{customer.path}/events?after={world.epoch}-0",
            customer.token,
            receive_buffer=4096,
        )
        links.append(link)  # nobody reads it
    links += [half_an_upload(world) for _ in range(10)]
    for sent in (b"POST ", b"GET / HTTP/1.1\r\nHo", b"\x16\x03\x01"):
        link = socket.create_connection((gateway.host, gateway.port))
        link.sendall(sent)
        links.append(link)
    world.wait(1.0)
    if world.seed.random() < 0.5:
        gateway.signal(19)
        time.sleep(0.5 + world.seed.random())
        gateway.signal(18)
    for link in links:
        leave(link, world.seed.randrange(4))
    world.wait(1.0)
    world.finish(load)
    world.lives()
    world.check()
    until(
        "the peers' places to be free",
        lambda: gateway.metrics()["parley_streams"] <= len(world.followers),
        45,
        every=0.2,
    )
    for link in links:
        link.close()


def leave(link, how):
    with contextlib.suppress(OSError):
        if how == 0:
            link.close()
        elif how == 1:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
        elif how == 2:
            link.shutdown(socket.SHUT_WR)
        else:
            link.shutdown(socket.SHUT_RDWR)


#: Kind: whether it needs the preloaded library.
KINDS = {kill: False, term: False, torn: True, power: True, disk: True, start: True, clock: True, peers: False}

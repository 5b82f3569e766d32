"""What a gateway answers in the first moments, from when its port is open."""

import collections
import http.client
import socket
import threading

from database import IS_POSTGRES
from serving import Gateway, in_threads

STARTS = 5
CLIENTS = 4
#: Another address than the gateway's: who tries a closed port may otherwise meet itself there.
SOURCE = ("127.0.0.2", 0)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def test_the_gateways_own_address_is_known_to_the_first_request():
    port, statuses = free_port(), collections.Counter()
    gateway = Gateway()
    gateway.listen = f"127.0.0.1:{port}"
    try:
        for _ in range(STARTS):
            is_ready = threading.Event()

            def ask(_, is_ready=is_ready):
                """Tries to connect all the time, so that a request waits when the gateway begins to accept."""
                while not is_ready.is_set():
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=SOURCE)
                    try:
                        connection.request("GET", "/v1/info")
                        statuses[connection.getresponse().status] += 1
                        is_ready.wait(0.005)
                    except ConnectionRefusedError:
                        is_ready.wait(0.0005)  # the port is not open yet
                    finally:
                        connection.close()

            join = in_threads(ask, range(CLIENTS))
            try:
                gateway.start()
            finally:
                is_ready.set()
            join()
            assert gateway.stop() == 0
    finally:
        gateway.close()
    # Without a token each is refused, by a gateway that answers for its host. One on PostgreSQL stands by first.
    if IS_POSTGRES:
        del statuses[503]
    assert set(statuses) == {401}, statuses
    assert statuses[401] >= STARTS

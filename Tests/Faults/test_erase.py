"""A gateway that is killed while it erases a customer goes on with it at its start."""

import contextlib
import threading

from serving import Gateway, Gone, until

THREADS, MESSAGES = 3, 1000
TABLES = ("message", "thread", "member", "tombstone", "receipt", "orphan")


def fill(gateway):
    """A customer with many messages. Returns the session's id."""
    session = gateway.call("POST", "/v1/sessions", {"channel": "multi", "customer": {"id": "c1", "firstName": "Secret"}})
    base = f"/v1/sessions/{session['id']}/threads"

    def talk(thread):
        client = gateway.client()
        assert client.call("POST", base, {"id": f"t{thread}", "name": "Secret"}).status == 201
        for number in range(MESSAGES):
            assert client.call("POST", f"{base}/t{thread}/messages", {"text": f"Secret {number}"}).status == 201
        client.close()

    workers = [threading.Thread(target=talk, args=(thread,)) for thread in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return session["id"]


def erase(gateway):
    with contextlib.suppress(Gone):
        gateway.call("DELETE", "/v1/desk/customers/c1")


def count(gateway, what):
    return int(gateway.select(f"SELECT count(*) FROM {what}")[0][0])


def removed(gateway, cursor):
    """The ids of the threads that were removed after a cursor, as soon as there are some, and the next cursor."""
    page = gateway.call(
        "GET", f"/v1/desk/events?after={cursor}&types=thread.removed&wait=30", headers={"Accept": "application/json"})
    return [event["data"]["threadId"] for event in page["items"]], page["cursor"]


def test_it_goes_on_after_kills(tmp_path):
    with Gateway(tmp_path) as gateway:
        session = fill(gateway)
        cursor = gateway.call("GET", "/v1/desk/threads")["cursor"]
        asked = threading.Thread(target=erase, args=(gateway,))
        asked.start()
        # It is killed as soon as it has told of a thread, twice: each start goes on.
        gone = []
        while len(gone) < THREADS:
            threads, cursor = removed(gateway, cursor)
            gone += threads
            if len(gone) < THREADS:
                gateway.kill()
                asked.join()
                gateway.start()
        until("the end", lambda: gateway.call("GET", "/v1/desk/customers/c1/export").status == 404)
        asked.join()
        assert sorted(gone) == [f"t{thread}" for thread in range(THREADS)]
        assert gateway.call("GET", f"/v1/sessions/{session}").status == 404
        assert gateway.call("GET", "/v1/desk/threads")["items"] == []
        # What was begun and not ended is waited for by whoever asks again.
        assert gateway.call("DELETE", "/v1/desk/customers/c1").status == 204
        again = gateway.call("POST", "/v1/sessions", {"channel": "multi", "customer": {"id": "c1"}})
        assert again["customer"] == {"id": "c1"}
        gateway.stop()
        for table in TABLES:
            assert count(gateway, table) == 0, table
        assert {row[0] for row in gateway.select("SELECT DISTINCT type FROM log")} <= {"thread.removed"}
        assert count(gateway, "account WHERE service LIKE 'erasing:%'") == 0

"""kill -9 of the platform's sandbox and of two gateways on one application, while both send. PARLEY_SENDBIRD_ROUNDS says how often (3)."""

import os
import random
import threading

import pytest
from gateway import Gateway, until
from sendbird_network import Network, session, write

ROUNDS = int(os.environ.get("PARLEY_SENDBIRD_ROUNDS") or 3)


@pytest.fixture
def three(tmp_path):
    network = Network()
    with Gateway(options=network.options) as network.far:
        far = network.far
        info = far.get("/v1/info")["sendbirdSandbox"]
        options = [["--sendbird", write(tmp_path / f"{name}.json", [{
            "id": info["applicationId"], "url": network.url, "apiToken": info["apiToken"], "getLimit": 200, "writeLimit": 100,
            "channels": [{"id": "support"}]}])] for name in ("one", "two")]
        with Gateway(options=options[0]) as one, Gateway(options=options[1]) as two:
            yield far, one, two
        network.server.shutdown()


def all_of(gateway, path):
    """The messages by text, with how often each is there."""
    items = gateway.all(f"{path}?limit=200&replies=all")
    return sorted(item["text"] for item in items if item["status"] not in ("pending", "failed"))


def send(gateway, thread, id):
    """Sends a message, once, whatever becomes of the gateway meanwhile; it may be away."""
    try:
        gateway.post(f"{thread}/messages", {"id": id, "text": id}, check=False)
    except OSError:
        pass


def settle(gateway, thread, id):
    """Makes sure that the message is out, as a careful client does: the same id, until it is there."""
    answers = []

    def is_sent():
        answers.append(answer := gateway.post(f"{thread}/messages", {"id": id, "text": id}, check=False))
        if answer.status in (200, 201) and answer["status"] == "failed":
            answers.append(gateway.post(f"{thread}/messages/{id}/resend", check=False))
        return answer.status in (200, 201) and answer["status"] not in ("pending", "failed")
    try:
        until(f"{id} to be sent", is_sent, 90)
    except AssertionError:
        session = gateway.get(thread.partition("/threads")[0], check=False)
        pytest.fail(f"{id} is not sent: {answers[-4:]}; {len(answers)} answers; {session}\n{gateway.whole_log()[-3000:]}")


def test_nothing_is_lost_or_sent_twice(three):
    far, one, two = three
    paths = {gateway: session(gateway, "ada") for gateway in (one, two)}
    made = one.post(f"{paths[one]}/threads", {"name": "Both"})["id"]
    threads = {gateway: f"{path}/threads/{made}" for gateway, path in paths.items()}
    until("the thread", lambda: two.get(threads[two], check=False).status == 200)
    sent, dice = [], random.Random(32)
    for number in range(ROUNDS):
        victim = (far, one, two)[number % 3]
        jobs = [(gateway, f"{name}-{number}-{count}") for name, gateway in (("one", one), ("two", two)) for count in range(4)]
        senders = [threading.Thread(target=send, args=(gateway, threads[gateway], id)) for gateway, id in jobs]
        killer = threading.Timer(dice.uniform(0, 0.1), victim.kill)
        for thread in [*senders, killer]:
            thread.start()
        killer.join()
        victim.start()
        for thread in senders:
            thread.join()
        for gateway, id in jobs:
            settle(gateway, threads[gateway], id)
        sent += [id for _, id in jobs]
        there = all_of(far, f"/v1/desk/threads/{made}/messages")
        assert there == sorted(sent), f"after round {number}"
    for gateway, thread in threads.items():
        until("both to have all", lambda: all_of(gateway, f"{thread}/messages") == sorted(sent))

"""Sign-in under attack, and while gateways take over: what it costs is bounded, and who is signed in stays so."""

import collections
import http.client
import json
import threading

import pytest
from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Gateway, until
from standby import pair, ready  # noqa: F401  (a fixture)

PASSWORD = "two herons on a green boat"
TRIES = 1_000
OTHER = "127.0.0.2"  # another address of this machine, as of another household


def add(gateway, name):
    email = f"{name}@shop.example"
    assert gateway.post("/v1/people", {"id": name, "name": name, "email": email, "role": "agent"}).status == 201
    url = gateway.call("POST", f"/v1/people/{name}/invite")["url"]
    accepted = gateway.call("POST", f"/auth/invitations/{url.rpartition('/')[2]}", {"password": PASSWORD}, token=None)
    assert accepted.status == 200
    return email


def browser(gateway, name):
    """The headers of a browser in which the person is signed in."""
    body = {"email": add(gateway, name), "password": PASSWORD}
    answer = gateway.call("POST", "/auth/sign-in", body, token=None)
    assert answer.status == 200, answer
    return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0], "Parley-Page": answer["page"]}


def sign_in(gateway, email, password, source="127.0.0.1"):
    connection = http.client.HTTPConnection(gateway.host, gateway.port, timeout=60, source_address=(source, 0))
    try:
        connection.request("POST", "/auth/sign-in", json.dumps({"email": email, "password": password}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.mark.parametrize("names", [1, TRIES], ids=["one name", "a thousand names"])
def test_a_thousand_wrong_passwords_at_once(names):
    with Gateway() as gateway:
        email = add(gateway, "mara")
        before = gateway.resident()
        statuses, peak = collections.Counter(), 0
        lock = threading.Lock()
        start = threading.Barrier(51)

        def attack(number):
            start.wait()
            for turn in range(TRIES // 50):
                guess = number * (TRIES // 50) + turn
                name = email if names == 1 else f"nobody-{guess}@shop.example"
                status = sign_in(gateway, name, f"guess number {guess}, which is wrong")
                with lock:
                    statuses[status] += 1

        threads = [threading.Thread(target=attack, args=(number,)) for number in range(50)]
        for thread in threads:
            thread.start()
        start.wait()
        # Somebody elsewhere knows the password. A place may be taken, so it is asked again.
        until("the right password to be taken", lambda: sign_in(gateway, email, PASSWORD, OTHER) == 200)
        while any(thread.is_alive() for thread in threads):
            peak = max(peak, gateway.resident())
            threads[-1].join(0.2)
        for thread in threads:
            thread.join()
        assert sum(statuses.values()) == TRIES and set(statuses) <= {401, 429, 503}, statuses
        # An address has 20 tries in a minute; those that run when it has none left any more come on top.
        assert statuses[401] <= 20 + 18, statuses
        # Two computations of 32 MiB at a time, and what the allocator keeps of them.
        assert peak - before < 200 << 20, f"{(peak - before) >> 20} MiB more"
        assert gateway.get("/v1/info").status == 200


@needs_postgres
def test_the_next_gateway_knows_who_is_signed_in_and_who_is_not(pair):  # noqa: F811
    first, second = pair
    stays, leaves, disabled = (browser(first, name) for name in ("mara", "noah", "ida"))
    me = lambda gateway, headers: gateway.call("GET", "/v1/me", token=None, headers=headers)
    assert me(first, leaves).status == 200
    assert first.call("POST", "/v1/people/noah/signOut").status == 204
    assert first.call("PATCH", "/v1/people/ida", {"state": "disabled"}).status == 200
    first.kill()
    ready(second, 60)
    assert me(second, stays)["id"] == "mara"
    assert me(second, leaves).status == 401 and me(second, disabled).status == 401
    assert sign_in(second, "noah@shop.example", PASSWORD) == 200
    assert sign_in(second, "ida@shop.example", PASSWORD) == 401
    actions = {(each["action"], each["subject"]) for each in second.get("/v1/audit").json["items"]}
    assert {("person.created", "ida"), ("person.changed", "ida")} <= actions, actions

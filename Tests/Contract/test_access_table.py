"""Which operation each kind of holder may use: the document's `security` is the table, and the gateway keeps it."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from chat import Chat, add_channels
from document import DOCUMENT
from gateway import Gateway, until
from keys import Key
from people import Person

SCOPES = DOCUMENT.raw["components"]["schemas"]["Scope"]["enum"]
OPERATIONS = [each for each in DOCUMENT.operations if "x-platform" not in each[2]]
IMPLIED = {"manage": ("write", "read"), "write": ("read",), "read": ()}


def security(operation):
    """The schemes that let in, each with the scope that it needs."""
    schemes = operation.get("security", DOCUMENT.raw["security"])
    return {name: (scopes or [None])[0] for scheme in schemes for name, scopes in scheme.items()}


def opened(scope):
    """All that a key with this scope opens."""
    area, _, kind = scope.partition(".")
    return {scope} | {f"{area}.{less}" for less in IMPLIED[kind]} & set(SCOPES)


def passes(holder, method, path, operation, **more):
    """The answer to a request that shows whether it comes past the gate: of things that are not there."""
    path = re.sub(r"\{\w+\}", "x", path)
    if "x-stream" in operation:
        return holder("HEAD", path, **more)  # it opens no stream
    if "requestBody" in operation:
        more |= {"raw": b"<", "headers": {"Content-Type": "text/plain"}}
    return holder(method.upper(), path, **more)


@pytest.fixture(scope="module")
def gw():
    """One of its own: the operations do what they do."""
    with Gateway() as gateway:
        yield add_channels(gateway)


@pytest.fixture(scope="module")
def keys(gw):
    made = {scope: Key(gw, scope) for scope in SCOPES}
    yield made
    for key in made.values():
        key.end()


def test_the_routes_and_the_document_name_the_same_access(gw):
    served = {(route["method"].lower(), route["path"]): (route["access"], route.get("scope"))
              for route in json.loads(gw.run("routes", "--json"))}
    for method, path, operation in DOCUMENT.operations:
        schemes = security(operation)
        if not schemes:
            access = "open", None
        elif "gatewayToken" not in schemes:
            access = "person", None
        elif "key" not in schemes:
            access = "administer", None
        elif schemes["key"] is None:
            access = "known", None
        else:
            access = ("session" if "sessionToken" in schemes else "scope"), schemes["key"]
        assert served[method, path] == access, operation["operationId"]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_key_opens_what_its_scope_names(keys, scope):
    for method, path, operation in OPERATIONS:
        schemes = security(operation)
        answer = passes(keys[scope].call, method, path, operation)
        wanted = schemes.get("key", "none") if schemes else None
        if wanted is None or wanted in opened(scope):
            assert answer.status != 401 and answer.status != 403, (operation["operationId"], answer.status)
            continue
        assert answer.status == 403, operation["operationId"]
        if answer.body:
            assert answer.code == ("insufficientScope" if wanted != "none" else "forbidden"), operation["operationId"]
            assert answer.json.get("missingScope") == (wanted if wanted != "none" else None)
        if wanted != "none":
            assert f'error="insufficient_scope", scope="{wanted}"' in answer.header("WWW-Authenticate")


def soon():
    """The shortest life of a key that is made by a busy machine."""
    return (datetime.now(timezone.utc) + timedelta(seconds=2)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.mark.parametrize("holder", ["nobody", "wrong", "mistyped", "ended", "expired"])
def test_who_is_not_known_opens_what_is_open(own, holder):
    text = None
    if holder == "wrong":
        text = "no-token"
    elif holder != "nobody":
        more = {"expiresAt": soon()} if holder == "expired" else {}
        key = Key(own, *SCOPES, name=holder, **more)
        text = key.text[:-1] + ("A" if key.text[-1] != "A" else "B") if holder == "mistyped" else key.text
        if holder == "ended":
            key.end()
        elif holder == "expired":
            until("the key to expire", lambda: own.get(key.path)["state"] == "expired")
    for method, path, operation in OPERATIONS:
        answer = passes(own.call, method, path, operation, token=text)
        if security(operation):
            # After 20 tries the address has to wait.
            assert answer.status == 401 or answer.status == 429 and holder in ("wrong", "ended", "expired"), operation["operationId"]
        else:
            assert answer.status not in (401, 403), operation["operationId"]


def test_a_sessions_token_opens_its_own_session(gw):
    one, other = Chat(gw, "contract-multi"), Chat(gw, "contract-multi")
    for method, path, operation in OPERATIONS:
        if operation["operationId"] == "deleteSession":
            continue  # it would end the token
        schemes = security(operation)
        own = passes(lambda *each, **more: gw.call(*each, token=one.token, **more), method, path.replace("{session}", one.id), operation)
        if not schemes or "sessionToken" in schemes:
            assert own.status not in (401, 403) or own.code == "forbidden" and path == "/v1/events" or own.code == "notAllowed", operation["operationId"]
        else:
            assert own.status == 403, operation["operationId"]
        if "{session}" in path:
            foreign = passes(lambda *each, **more: gw.call(*each, token=one.token, **more), method, path.replace("{session}", other.id), operation)
            assert foreign.status == 403, operation["operationId"]


def test_the_gateways_token_opens_all_but_what_is_a_persons(gw):
    for method, path, operation in OPERATIONS:
        schemes = security(operation)
        status = passes(gw.call, method, path, operation).status
        if schemes and "gatewayToken" not in schemes:
            assert status == 403, operation["operationId"]
        else:
            assert status not in (401, 403), operation["operationId"]


ROLES = {
    "agent": ["desk.write", "channels.read"],
    "supervisor": ["desk.manage", "customers.write", "channels.read", "people.read", "reports.read"],
    "administrator": SCOPES,
}


@pytest.mark.parametrize("role", ROLES)
def test_a_person_opens_what_their_role_names(own, role):
    person = Person(own, role)
    assert sorted(person.call("GET", "/auth/status")["scopes"]) == sorted(set().union(*(opened(scope) for scope in ROLES[role])))
    for method, path, operation in OPERATIONS:
        schemes = security(operation)
        if operation["operationId"] == "logOut":
            continue  # it would end the login
        answer = passes(person.call, method, path, operation)
        is_own = "gatewayToken" not in schemes
        wanted = schemes.get("key", "none") if schemes else None
        if operation["operationId"] == "createAccessCode":
            assert answer.status == 403, "such a login outlives whoever makes it"
            continue
        if wanted is None or is_own or any(wanted in opened(scope) for scope in ROLES[role]) or wanted == "none" and role == "administrator":
            # A wrong password or code is refused, too.
            assert answer.status not in (401, 403), (operation["operationId"], answer.status)
            continue
        assert answer.status == 403, operation["operationId"]
        if answer.body:
            assert answer.code == ("insufficientScope" if wanted != "none" else "forbidden"), operation["operationId"]


def test_one_half_of_a_login_opens_what_is_open(own):
    person = Person(own, "administrator")
    for half in (person.cookie, person.page):
        for method, path, operation in OPERATIONS:
            answer = passes(lambda *each, **more: person.call(*each, halves=half, **more), method, path, operation)
            if security(operation):
                assert answer.status == 401, operation["operationId"]
            else:
                assert answer.status not in (401, 403), operation["operationId"]


def test_who_is_disabled_opens_what_is_open(own):
    person = Person(own, "administrator")
    assert own.call("PATCH", person.path, {"state": "disabled"}).status == 200
    for method, path, operation in OPERATIONS:
        status = passes(person.call, method, path, operation).status
        assert (status == 401) if security(operation) else (status not in (401, 403)), operation["operationId"]

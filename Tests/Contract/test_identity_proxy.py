"""A proxy in front that signs people in: what it says counts, and what anybody else says does not."""

import os

import nginx
import pytest
from commands import parley
from gateway import Gateway
from people import Person

SECRET = "0123456789abcdef0123456789abcdef"
HEADER = "Remote-Email"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("identity")
    (folder / "secret").write_text(SECRET + "\n")
    return folder


def options(folder, *more, proxy="127.0.0.1"):
    return ["--identity-header", HEADER, "--identity-proxy", proxy, "--identity-secret-file", str(folder / "secret"), *more]


@pytest.fixture(scope="module")
def gw(folder):
    with Gateway(options=options(folder)) as gateway:
        yield gateway


def ask(gateway, method="POST", path="/auth/proxy", name=None, secret=SECRET, halves=(), **more):
    headers = {HEADER: name, "Parley-Identity-Secret": secret, "Origin": gateway.origin, **dict(halves), **more}
    return gateway.call(method, path, token=None, headers=headers)


def halves(answer):
    return {"Cookie": answer.header("Set-Cookie").partition(";")[0], "Parley-Page": answer["page"]}


def test_the_proxys_word_is_exchanged_for_a_login(gw):
    person = Person(gw)
    by_name = gw.post("/v1/people", {"id": "lind", "name": "Lind", "email": "lind@shop.example", "role": "agent", "proxyName": "MLind"})
    assert by_name["state"] == "invited"
    signed_in = ask(gw, name=person.email.upper())
    assert signed_in.status == 200 and signed_in["person"]["id"] == person.id
    assert ask(gw, name="mlind")["person"]["state"] == "active"
    login = halves(signed_in)
    assert ask(gw, "GET", "/v1/me", name=person.email, halves=login.items()).status == 200
    # A sign-out at the proxy, and another person there, end it here.
    for name, secret in ((None, SECRET), ("mlind", SECRET), (person.email, "x"), (person.email, None)):
        assert ask(gw, "GET", "/v1/me", name=name, secret=secret, halves=login.items()).status == 401, (name, secret)
    assert ask(gw, "GET", "/v1/me", name=person.email, halves=login.items()).status == 200
    assert gw.get("/auth/status", token=None)["methods"] == ["code", "password", "proxy"]
    [made] = [one for one in gw.get("/v1/logins")["items"] if one.get("how") == "proxy" and one["person"] == person.id]
    assert made["id"] == signed_in["login"]


def test_the_header_alone_opens_nothing(gw):
    person = Person(gw, "administrator")
    for secret in (None, "", "x", SECRET[:-1], SECRET + "0"):
        assert ask(gw, name=person.email, secret=secret).status == 401
    assert ask(gw, name=None).status == 401
    assert ask(gw, "GET", "/v1/people", name=person.email).status == 401


@pytest.mark.parametrize("headers", [
    {"remote_email": "someone@shop.example"}, {"Remote_Email": ""}, {"Connection": "close, Remote-Email"},
])
def test_what_a_client_may_have_added_is_refused(gw, headers):
    person = Person(gw)
    assert ask(gw, name=person.email, **headers).code == "ambiguousIdentity"


@pytest.mark.parametrize("name", ["", "a@x,b@x", "a b@x", "x" * 255])
def test_a_name_that_is_none_is_refused(gw, name):
    assert ask(gw, name=name).code == "ambiguousIdentity"


@pytest.mark.skipif(not nginx.BINARY or not os.path.exists(nginx.BINARY), reason="there is no nginx")
def test_behind_nginx_nobody_else_says_who_asks(gw):
    person, other = Person(gw), Person(gw, "administrator")
    more = f"proxy_set_header {HEADER} {person.email}; proxy_set_header Parley-Identity-Secret {SECRET};"
    with nginx.in_front_of(gw, more) as proxied:
        forged = {HEADER: other.email, "Remote_Email": other.email, "Parley-Identity-Secret": "x"}
        answer = proxied.call("POST", "/auth/proxy", token=None, headers=forged)
        assert answer.status == 200 and answer["person"]["id"] == person.id
        me = proxied.call("GET", "/v1/me", token=None, headers={**halves(answer), **forged})
        assert me["id"] == person.id
    # Past the proxy the same login is nothing.
    assert gw.get("/v1/me", token=None, headers=halves(answer)).status == 401


def test_two_headers_are_refused(gw):
    person = Person(gw)
    lines = ["POST /auth/proxy HTTP/1.1", f"Host: 127.0.0.1:{gw.port}", f"Parley-Identity-Secret: {SECRET}", "Content-Length: 0",
             f"{HEADER}: {person.email}", f"{HEADER}: other@shop.example", "", ""]
    assert b"ambiguousIdentity" in gw.raw("\r\n".join(lines).encode(), half_close=True)


def test_whom_nobody_has_added_is_refused(gw):
    answer = ask(gw, name="stranger@shop.example")
    assert answer.status == 403 and answer.code == "unknownPerson"
    disabled = Person(gw)
    gw.call("PATCH", disabled.path, {"state": "disabled"})
    assert ask(gw, name=disabled.email).code == "forbidden"
    assert [one["subject"] for one in gw.get("/v1/audit?action=identity.refused")["items"]] == ["stranger@shop.example"]


def test_a_stranger_becomes_an_agent_without_channels(folder):
    with Gateway(options=options(folder, "--identity-create", "agent")) as gateway:
        answer = ask(gateway, name="New@shop.example")
        assert answer.status == 200 and answer["person"]["role"] == "agent" and answer["person"]["channels"] == []
        login = halves(answer)
        assert ask(gateway, "GET", "/v1/desk/threads", name="new@shop.example", halves=login.items())["items"] == []
        assert ask(gateway, name="no address").code == "ambiguousIdentity"


def test_another_address_is_not_the_proxy(folder):
    with Gateway(options=options(folder, proxy="10.0.0.5")) as gateway:
        person = Person(gateway)
        assert ask(gateway, name=person.email).status == 401
        assert ask(gateway, name=person.email, **{"X-Forwarded-For": "10.0.0.5"}).status == 401


@pytest.mark.parametrize("flags, named", [
    (["--identity-header", HEADER], "go together"),
    (["--identity-header", HEADER, "--identity-proxy", "10.0.0.5"], "needs a secret"),
    (["--identity-header", HEADER, "--identity-proxy", "*", "--identity-secret-file", "SECRET"], "is not a numeric address"),
    (["--identity-header", HEADER, "--identity-proxy", "0.0.0.0/0", "--identity-secret-file", "SECRET"], "is not a numeric address"),
    (["--identity-header", HEADER, "--identity-proxy", "proxy.local", "--identity-secret-file", "SECRET"], "is not a numeric address"),
    (["--identity-header", "Remote Email", "--identity-proxy", "unix"], "is not the name of a header"),
    (["--identity-header", HEADER, "--identity-proxy", "10.0.0.5", "--identity-secret-file", "SHORT"], "fewer than 32"),
    (["--identity-header", HEADER, "--identity-proxy", "10.0.0.5", "--identity-secret-file", "/nowhere"], "cannot be read"),
    (["--identity-header", HEADER, "--identity-proxy", "unix", "--identity-create", "admin"], "must be one of"),
])
def test_settings_that_cannot_be_are_refused_at_the_start(folder, tmp_path, flags, named):
    (folder / "short").write_text("too short")
    places = {"SECRET": str(folder / "secret"), "SHORT": str(folder / "short")}
    done = parley(None, "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"), *[places.get(one, one) for one in flags])
    assert done.returncode != 0 and named in done.stderr

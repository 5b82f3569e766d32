"""What is kept of customers who come by themselves, how they erase it, and what the pages and the audit tell."""

import gzip
import http.client
import json

import pytest
from chat import Chat
from gateway import Gateway

SHOP = "https://shop.example"


def channel(gw, name, mode="multithread", **visitors):
    gw.post("/v1/desk/channels", {"id": name, "mode": mode, "visitors": {"public": True, "origins": [SHOP], **visitors}})
    return name


def begin(gw, name):
    made = gw.call("POST", "/v1/visitors", {"channel": name}, token=None)
    return f"/v1/sessions/{made['session']}", made["token"], made["customer"]["id"]


# -- self-erasure


@pytest.mark.parametrize("kind", ["visitor", "plain", "link"])
def test_a_customer_erases_themselves(gw, kind):
    name = channel(gw, f"erase-{kind}", selfErase=True)
    if kind == "visitor":
        path, token, customer = begin(gw, name)
    else:
        chat = Chat(gw, name)
        path, token, customer = chat.path, chat.token, chat.customer
    if kind == "link":
        code = gw.post(f"{path}/links", {})["url"].rpartition("/")[2]
        made = gw.call("POST", f"/auth/links/{code}", {}, token=None)
        path, token = f"/v1/sessions/{made['session']}", made["token"]
    other, other_token, _ = begin(gw, name)
    thread = gw.post(f"{path}/threads", {}, token=token)["id"]
    gw.post(f"{path}/threads/{thread}/messages", {"text": "Hello"}, token=token)
    answer = gw.delete(f"{path}/customer", token=token)
    assert answer.status == 204 and answer.body == b""
    assert gw.get(path, token=token, check=False).status == 401
    assert gw.get(f"/v1/desk/threads/{thread}", check=False).status == 404
    assert gw.get(f"/v1/desk/customers/{customer}/export?channel={name}", check=False).status == 404
    assert gw.delete(f"{path}/customer", token=token, check=False).status == 401
    assert gw.get(other, token=other_token).status == 200
    entry = gw.get("/v1/audit?action=customer.erased&limit=1")["items"][0]
    assert entry["subject"] == customer and entry["actor"].startswith("session:")


def test_only_where_the_channel_lets_them(gw):
    name = channel(gw, "erase-not")
    path, token, _ = begin(gw, name)
    answer = gw.delete(f"{path}/customer", token=token, check=False)
    assert (answer.status, answer.code) == (403, "notAllowed")
    assert gw.delete(f"{path}/customer", check=False).code == "notAllowed", "the desk has a way of its own"
    settings = lambda: json.loads(gw.get(f"/widget/{name}", token=None).text.partition('id="settings">')[2].partition("</script>")[0])
    assert settings()["visitors"]["selfErase"] is False
    gw.patch(f"/v1/desk/channels/{name}", {"visitors": {"public": True, "selfErase": True}})
    assert settings()["visitors"]["selfErase"] is True
    other, other_token, _ = begin(gw, name)
    assert gw.delete(f"{path}/customer", token=other_token, check=False).status == 403, "another's session"
    assert gw.get(path, token=token).status == 200
    assert gw.delete(f"{path}/customer", token=token).status == 204


def test_what_a_customer_has_on_other_channels_stays(gw):
    one, two = channel(gw, "erase-one", selfErase=True), channel(gw, "erase-two", selfErase=True)
    chats = [Chat(gw, name, id="ann-of-two") for name in (one, two)]
    gw.delete(f"{chats[0].path}/customer", token=chats[0].token)
    assert gw.get(chats[1].path, token=chats[1].token).status == 200
    assert gw.get(f"/v1/desk/customers/ann-of-two/export?channel={two}").status == 200


# -- caches


def test_no_cache_gives_one_page_what_another_got(gw):
    """Also where no page asks: a cache keeps that answer for the pages that do."""
    name = channel(gw, "vary")
    path, token, _ = begin(gw, name)

    def varies(method, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", gw.port)
        connection.request(method, path, headers={"Authorization": f"Bearer {token}", **headers})
        answer = connection.getresponse()
        answer.read()
        return [each.strip() for each in ",".join(answer.headers.get_all("Vary") or []).split(",")].count("Origin")

    for way in (path, f"{path}/threads", f"{path}/threads/none", "/v1/services", f"/v1/visitors/challenge?channel={name}", "/v1/push"):
        assert varies("GET", way) == 1 and varies("GET", way, Origin=SHOP) == 1, way
    assert varies("OPTIONS", f"{path}/threads", **{"Access-Control-Request-Method": "POST"}) == 1
    assert varies("OPTIONS", f"{path}/threads", Origin=SHOP, **{"Access-Control-Request-Method": "POST"}) == 1
    for way in ("/v1/desk/threads", "/widget.js", "/livez"):
        assert varies("GET", way) == 0, way


# -- the page in the frame


def test_the_page_is_that_of_the_channel_as_it_is(gw):
    name = channel(gw, "page")
    ask = lambda **headers: gw.get(f"/widget/{name}", token=None, headers=headers)
    first = ask()
    tag = first.header("ETag")
    assert ask().header("ETag") == tag
    coded = ask(**{"Accept-Encoding": "gzip"})
    assert gzip.decompress(coded.body) == first.body and ask(**{"Accept-Encoding": "gzip"}).body == coded.body
    assert ask(**{"Accept-Language": "de"}).body != first.body
    gw.patch(f"/v1/desk/channels/{name}", {"appearance": {"greeting": "Good day"}})
    changed = ask()
    assert changed.header("ETag") != tag and "Good day" in changed.text
    gw.patch(f"/v1/desk/channels/{name}", {"visitors": None})
    assert "Good day" not in ask().text and '"public":false' in ask().text


# -- the audit


def test_the_audit_names_what_a_channel_has_that_is_new(gw):
    name = channel(gw, "audited")
    change = lambda body: gw.patch(f"/v1/desk/channels/{name}", body)
    last = lambda: gw.get("/v1/audit?action=channel.changed&limit=1")["items"][0]["detail"]["members"]
    for body, members in (
        ({"name": "Help", "visitors": {"public": True, "origins": [SHOP, "https://b.example"]}}, ["name", "visitors.origins"]),
        ({"visitors": {"public": True, "identity": "optional", "consent": {"version": "1"}, "limits": {"streams": 2}}},
         ["visitors.origins", "visitors.identity", "visitors.consent", "visitors.limits"]),
        ({"appearance": {"colour": "#ff0000", "name": "Shop"}}, ["appearance.colour", "appearance.name"]),
        ({"texts": {"de": {"head.online": "Wir sind da"}}}, ["texts"]),
        ({"name": "Help"}, []),
        ({"appearance": None}, ["appearance.colour", "appearance.name"]),
    ):
        change(body)
        assert sorted(last()) == sorted(members), body


# -- retention


def test_a_channel_that_keeps_nothing_long_says_so_to_nobody(gw):
    name = channel(gw, "short", retentionDays=1)
    path, token, _ = begin(gw, name)
    assert "retentionDays" not in gw.get(path, token=token).text
    assert "retentionDays" not in gw.get(f"/widget/{name}", token=None).text

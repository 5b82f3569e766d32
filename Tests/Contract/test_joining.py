"""A visitor who has written anonymously signs in, and goes on with what was written."""

import json

import pytest
from customers import identity_token
from gateway import until

AGENT = {"id": "robin", "name": "Robin"}


@pytest.fixture(scope="module")
def channel(gw):
    """Makes public channels with a secret."""
    made = []

    def make(mode="multithread", **visitors):
        made.append(f"joining-{len(made)}")
        gw.post("/v1/desk/channels", {"id": made[-1], "name": "Help", "mode": mode,
                                      "visitors": {"public": True, "identity": "optional", **visitors}})
        return made[-1], gw.post(f"/v1/desk/channels/{made[-1]}/identitySecrets")["secret"]

    return make


class Visitor:
    """Somebody on a public channel, by a session of their own."""

    def __init__(self, gw, channel, made=None, **body):
        self.gw = gw
        self.channel = channel
        self.made = made or gw.call("POST", "/v1/visitors", {"channel": channel, **body}, token=None).json
        self.token, self.id = self.made["token"], self.made["session"]
        self.customer = self.made["customer"]["id"]
        self.path = f"/v1/sessions/{self.id}"

    def write(self, *texts, thread=None):
        """A thread with these messages. The id of the thread is the only one of its kind, if none is given."""
        made = self.gw.post(f"{self.path}/threads", {"id": thread} if thread else {}, token=self.token)["id"]
        for text in texts:
            self.say(made, text)
        return made

    def say(self, thread, text, **more):
        return self.gw.post(f"{self.path}/threads/{thread}/messages", {"text": text, **more}, token=self.token).json

    def threads(self):
        return self.gw.get(f"{self.path}/threads", token=self.token)["items"]

    def texts(self, thread):
        items = self.gw.get(f"{self.path}/threads/{thread}/messages", token=self.token)["items"]
        return [one.get("text") for one in reversed(items)]

    def sign_in(self, jwt, check=True):
        answer = self.gw.post(f"{self.path}/identity", {"identity": jwt}, token=self.token, check=check)
        return Visitor(self.gw, self.channel, answer.json) if check else answer

    def status(self):
        return self.gw.get(self.path, token=self.token, check=False).status


def desk(gw, thread, channel, customer):
    return f"/v1/desk/threads/{thread}?channel={channel}&customer={customer}"


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("way", ["identity", "previous"])
def test_what_was_written_goes_on_after_the_sign_in(gw, channel, way, is_known):
    name, key = channel()
    if is_known:
        Visitor(gw, name, identity=identity_token(key, sub="4711")).write("Earlier", thread="earlier")
    anonymous = Visitor(gw, name, visit={"page": "https://shop.example/cart"})
    thread = anonymous.write("Do you have size 42?", "In blue?")
    gw.post(f"/v1/desk/threads/{thread}/messages", {"text": "Yes", "agent": AGENT})
    assert anonymous.threads()[0]["unreadCount"] == 1
    jwt = identity_token(key, sub="4711", name="Ann Berg")
    if way == "identity":
        ann = anonymous.sign_in(jwt)
    else:
        ann = Visitor(gw, name, identity=jwt, previous=anonymous.token)
    assert ann.made["joined"] == 1 and ann.made["verified"] is True and ann.id != anonymous.id
    assert ann.made["customer"] == {"id": "4711", "firstName": "Ann", "lastName": "Berg", "verified": True,
                                    "formerIds": [anonymous.customer]}
    assert [one["id"] for one in ann.threads()] == ([thread, "earlier"] if is_known else [thread])
    assert ann.threads()[0]["unreadCount"] == 1
    assert ann.texts(thread) == ["Do you have size 42?", "In blue?", "Yes"]
    assert anonymous.status() == 401
    # The desk has one customer, and finds the conversation under both names.
    mine = [one for one in gw.get(f"/v1/desk/threads?channel={name}&state=all")["items"] if one["id"] == thread]
    assert [one["customer"]["id"] for one in mine] == ["4711"]
    for customer in ("4711", anonymous.customer):
        assert gw.get(desk(gw, thread, name, customer))["customer"]["verified"] is True
    gw.post(desk(gw, thread + "/messages", name, anonymous.customer), {"text": "Tomorrow", "agent": AGENT})
    assert ann.texts(thread)[-1] == "Tomorrow"
    # What was written before is her own.
    first = gw.get(f"{ann.path}/threads/{thread}/messages", token=ann.token)["items"][-1]
    assert first["author"]["id"] == anonymous.customer
    gw.patch(f"{ann.path}/threads/{thread}/messages/{first['id']}", {"text": "Size 43?"}, token=ann.token)
    again = ann.say(thread, "In blue?", id=gw.get(f"{ann.path}/threads/{thread}/messages", token=ann.token)["items"][2]["id"])
    assert again["author"]["id"] == anonymous.customer, "a repeated message is the same"


def test_the_search_finds_it_for_the_known_customer(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    thread = anonymous.write("A most peculiar umbrella")
    ann = anonymous.sign_in(identity_token(key, sub="1"))
    ann.say(thread, "The umbrella again")

    def hits():
        found = gw.get(f"{ann.path}/search?q=umbrella", token=ann.token)["items"]
        return [one["message"]["text"] for one in found]

    until("the index to catch up", lambda: len(hits()) == 2)
    assert hits() == ["The umbrella again", "A most peculiar umbrella"]
    found = gw.get("/v1/desk/search?q=umbrella")["items"]
    assert {one["customer"]["id"] for one in found if one["threadId"] == thread} == {"1"}


def test_each_side_is_told(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    thread = anonymous.write("Hello")
    known = Visitor(gw, name, identity=identity_token(key, sub="1"))
    with gw.events(f"{anonymous.path}/events", token=anonymous.token) as old, \
            gw.events(f"{known.path}/events", token=known.token) as new, gw.events("/v1/desk/events") as seen:
        for stream in (old, new, seen):
            stream.wait("ready")
        anonymous.sign_in(identity_token(key, sub="1"))
        assert old.wait("thread.removed").data["threadId"] == thread
        assert new.wait("thread.created").data["thread"]["id"] == thread
        removed = seen.wait("thread.removed").data
        assert (removed["customer"]["id"], removed["movedTo"]) == (anonymous.customer, "1")
        updated = seen.wait("thread.updated").data["thread"]
        assert (updated["id"], updated["customer"]["id"]) == (thread, "1")


def test_a_collection_of_the_desk_shows_the_known_customer(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    thread = anonymous.write("Hello")
    made = gw.post("/v1/desk/collections", {"kind": "threads", "query": {"channel": name}}).json
    path = f"/v1/desk/collections/{made['id']}"
    gw.post(f"{path}/fetch", {"direction": "next"})
    with gw.events(f"{path}/events?version=1") as stream:
        anonymous.sign_in(identity_token(key, sub="1"))
        stream.wait("collection.insert")
    items = gw.get(path)["items"]
    assert [(one["id"], one["customer"]["id"]) for one in items] == [(thread, "1")]
    gw.delete(path)


def test_one_conversation_at_a_time_stays_one(gw, channel):
    name, key = channel("singlethread")
    known = Visitor(gw, name, identity=identity_token(key, sub="1"))
    own = known.threads()[0]["id"]
    known.say(own, "Mine")
    anonymous = Visitor(gw, name)
    other = anonymous.threads()[0]["id"]
    anonymous.say(other, "Also mine")
    ann = anonymous.sign_in(identity_token(key, sub="1"))
    assert {one["id"]: one["state"] for one in ann.threads()} == {own: "ready", other: "closed"}
    # Who has not written brings nothing, and with nothing open it goes on.
    assert Visitor(gw, name).sign_in(identity_token(key, sub="1")).made["joined"] == 0
    fresh = Visitor(gw, name)
    only = fresh.threads()[0]["id"]
    fresh.say(only, "First")
    assert [one["state"] for one in fresh.sign_in(identity_token(key, sub="2")).threads()] == ["ready"]


def test_nobody_joins_without_both_proofs(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    thread = anonymous.write("Mine")
    for bad in (identity_token("another", sub="1"), identity_token(key, sub="1", exp=1), "nonsense"):
        assert anonymous.sign_in(bad, check=False).status == 401
    assert anonymous.sign_in(identity_token(key, anonymous=True, jti="1"), check=False).code == "otherIdentity"
    for bad in (anonymous.token[:-3] + "AAA", anonymous.id, "x" * 512, "nobody.AAAA", gw.token):
        assert "joined" not in Visitor(gw, name, identity=identity_token(key, sub="1"), previous=bad).made, bad
    # Without a JWT the token is nothing, and on another channel the session is unknown.
    assert "joined" not in Visitor(gw, name, previous=anonymous.token).made
    other, other_key = channel()
    assert "joined" not in Visitor(gw, other, identity=identity_token(other_key, sub="1"), previous=anonymous.token).made
    too_long = gw.call("POST", "/v1/visitors", {"channel": name, "previous": "x" * 513}, token=None, check=False)
    assert too_long.status == 422
    assert [one["id"] for one in anonymous.threads()] == [thread]


def test_who_is_known_does_not_become_another(gw, channel):
    name, key = channel()
    first = Visitor(gw, name, identity=identity_token(key, sub="1"))
    first.write("Mine")
    assert first.sign_in(identity_token(key, sub="2"), check=False).code == "otherIdentity"
    second = Visitor(gw, name, identity=identity_token(key, sub="2"), previous=first.token)
    assert "joined" not in second.made and second.threads() == [] and first.status() == 200
    # An anonymous session is joined once.
    anonymous = Visitor(gw, name)
    anonymous.write("Hello")
    anonymous.sign_in(identity_token(key, sub="1"))
    assert anonymous.sign_in(identity_token(key, sub="2"), check=False).status == 401
    assert "joined" not in Visitor(gw, name, identity=identity_token(key, sub="2"), previous=anonymous.token).made


def test_links_of_the_anonymous_session_end_with_it(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    anonymous.write("Hello")
    code = gw.post(f"{anonymous.path}/links", {"uses": 2})["url"].rpartition("/")[2]
    linked = gw.call("POST", f"/auth/links/{code}", {}, token=None)
    anonymous.sign_in(identity_token(key, sub="1"))
    assert gw.get(f"/v1/sessions/{linked['session']}", token=linked["token"], check=False).status == 401
    assert gw.call("POST", f"/auth/links/{code}", {}, token=None, check=False).code == "linkGone"


def test_a_file_that_waits_is_sent_after_the_sign_in(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    thread = anonymous.write("Look")
    file = gw.call("POST", f"{anonymous.path}/attachments", raw=b"bytes", token=anonymous.token, headers={
        "Content-Type": "text/plain", "Content-Disposition": 'attachment; filename="a.txt"'})
    ann = anonymous.sign_in(identity_token(key, sub="1"))
    gw.post(f"{ann.path}/threads/{thread}/messages", {"attachments": [{"id": file["id"]}]}, token=ann.token)
    assert gw.get(f"{ann.path}/attachments/{file['id']}", token=ann.token).text == "bytes"


def test_what_is_known_of_a_visitor_comes_along(gw, channel):
    name, key = channel(consent={"version": "1"})
    anonymous = Visitor(gw, name, consent="1", visit={"page": "https://shop.example/cart"})
    gw.put(f"{anonymous.path}/customer", {"firstName": "Ann"}, token=anonymous.token)
    gw.put(f"{anonymous.path}/customer/customFields", {"customFields": {"shoe": "42"}}, token=anonymous.token)
    note = gw.post(f"/v1/desk/customers/{anonymous.customer}/notes?channel={name}", {"text": "Asks for size 42", "agent": AGENT}).json
    ann = anonymous.sign_in(identity_token(key, sub="1"))
    assert ann.made["customer"]["firstName"] == "Ann"
    notes = gw.get(f"/v1/desk/customers/1/notes?channel={name}")["items"]
    assert notes == [{**note, "customerId": "1"}]
    assert gw.get(f"{ann.path}/customer/customFields", token=ann.token)["customFields"] == {"shoe": "42"}
    lines = [json.loads(line) for line in gw.get(f"/v1/desk/customers/1/export?channel={name}").text.splitlines()]
    accounts = [line for line in lines if line["kind"] == "account"]
    assert [line["customer"]["id"] for line in accounts] == ["1", anonymous.customer]
    assert accounts[0]["consent"]["version"] == "1"
    assert [line["visit"]["page"] for line in lines if line["kind"] == "session"] == ["https://shop.example/cart"]


def test_the_erasure_takes_what_was_written_before(gw, channel):
    name, key = channel()
    anonymous = Visitor(gw, name)
    anonymous.write("SecretFirst", thread="twice")
    anonymous.write("SecretSecond")
    Visitor(gw, name, identity=identity_token(key, sub="1")).write("SecretOwn", thread="twice")
    ann = anonymous.sign_in(identity_token(key, sub="1"))
    assert ann.made["joined"] == 1
    assert len(gw.get(f"/v1/desk/threads?channel={name}&state=all")["items"]) == 3
    assert gw.delete(f"/v1/desk/customers/1?channel={name}").status == 204
    assert gw.get(f"/v1/desk/threads?channel={name}&state=all")["items"] == []
    assert ann.status() == 401
    assert gw.get("/v1/desk/search?q=SecretFirst")["items"] == []
    # She comes back as somebody new.
    again = Visitor(gw, name, identity=identity_token(key, sub="1"), previous=anonymous.token)
    assert again.threads() == [] and "formerIds" not in again.made["customer"]

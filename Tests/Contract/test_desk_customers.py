"""What the desk knows of customers: search, one customer, changes, notes; and the saved replies for them."""

import uuid

import pytest
from chat import Chat
from customers import identity_token
from gateway import until
from keys import Key
from people import Person
from receiver import Receiver

AGENT = {"id": "robin", "name": "Robin"}


@pytest.fixture
def ada(gw):
    """A customer of a name that nobody else has."""
    mark = uuid.uuid4().hex[:8]
    chat = Chat(gw, "contract-multi", id=f"shop-{mark}", firstName=f"Ada{mark}", lastName="Lind")
    chat.mark = mark
    chat.thread_path, chat.at_desk = chat.open(name="Order 4711")
    chat.say(chat.thread_path, "Where is my order?")
    chat.at = f"/v1/desk/customers/{chat.customer}?channel=contract-multi"
    chat.notes = f"/v1/desk/customers/{chat.customer}/notes"
    return chat


@pytest.fixture
def other_channel(gw):
    return gw.post("/v1/desk/channels", {"id": f"c-{uuid.uuid4().hex[:8]}", "mode": "multithread"})["id"]


def found(holder, query):
    return [one["id"] for one in holder.get(f"/v1/desk/customers?{query}")["items"]]


def test_a_customer_is_found_by_id_address_and_name(gw, ada):
    assert found(gw, f"q=shop-{ada.mark}") == [ada.customer]
    assert found(gw, f"q=ADA{ada.mark}%20l") == [ada.customer]
    assert gw.patch(ada.at, {"email": f"Ada.{ada.mark}@shop.example"}).status == 200
    assert found(gw, f"q=ada.{ada.mark}&channel=contract-multi") == [ada.customer]
    assert found(gw, f"q=ada.{ada.mark}&channel=contract-single") == found(gw, f"q=da{ada.mark}") == []
    Chat(gw, "contract-multi")
    first = gw.get("/v1/desk/customers?limit=1")
    assert len(first["items"]) == 1 and f"cursor={first['next']}" in first.header("Link")
    second = gw.get(f"/v1/desk/customers?limit=1&cursor={first['next']}")
    assert second["items"][0] != first["items"][0]
    for query in ("cursor=x", "limit=0", "limit=201", "q=", "q=%00", f"q={'a' * 257}"):
        assert gw.get(f"/v1/desk/customers?{query}").code == "invalidParameter"


def test_a_customer_is_shown_with_conversations(gw, ada):
    seen = gw.get(ada.at)
    assert seen["firstName"] == f"Ada{ada.mark}" and seen["channel"] == "contract-multi" and "verified" not in seen.json
    thread = seen["threads"][0]
    assert thread["id"] == ada.thread_path.rpartition("/")[2] and thread["name"] == "Order 4711"
    assert thread["lastMessage"]["text"] == "Where is my order?" and thread["state"] == "ready"
    assert seen["sessions"] == 1 and seen["ratings"] == {"count": 0} and seen["customFields"] == {}
    assert gw.get("/v1/desk/customers/nobody-at-all").code == "noSuchCustomer"


def test_a_visitor_comes_with_page_and_device(gw, other_channel):
    gw.patch(f"/v1/desk/channels/{other_channel}", {"visitors": {"public": True}})
    visit = {"page": "https://shop.example/cart?secret=1", "title": "Cart", "timeZone": "Europe/Berlin"}
    agent = {"User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"}
    made = gw.call("POST", "/v1/visitors", {"channel": other_channel, "visit": visit}, token=None, headers=agent)
    seen = gw.get(f"/v1/desk/customers/{made['customer']['id']}")
    assert seen["visit"] == {
        "page": "https://shop.example/cart", "title": "Cart", "timeZone": "Europe/Berlin", "device": "Firefox on Android"}
    bare = gw.call("POST", "/v1/visitors", {"channel": other_channel}, token=None, headers={"User-Agent": "curl/8"})
    assert gw.get(f"/v1/desk/customers/{bare['customer']['id']}")["visit"] == {"device": "curl"}


def test_the_same_id_on_two_channels_needs_the_channel(gw, ada, other_channel):
    Chat(gw, other_channel, id=ada.customer)
    path = f"/v1/desk/customers/{ada.customer}"
    assert gw.get(path).code == "ambiguousCustomer" == gw.patch(path, {"lastName": "Berg"}).code
    assert gw.get(f"{path}?channel={other_channel}")["threads"] == []
    key = Key(gw, "desk.read", channels=[other_channel])
    assert key.get(path)["channel"] == other_channel
    assert key.get(ada.at).code == "outsideChannels"
    assert found(key, f"q={ada.customer}") == [ada.customer] and found(key, f"q=ada{ada.mark}") == []
    assert key.get("/v1/desk/customers?channel=contract-multi").code == "outsideChannels"
    key.end()


def test_a_change_is_told_to_the_desk_alone(gw, ada):
    with gw.events("/v1/desk/events") as desk, ada.events() as customer:
        for stream in (desk, customer):
            stream.wait("ready")
        changed = gw.patch(f"{ada.at}&as=robin", {"lastName": None, "customFields": {"plan": "gold"}})
        assert changed.status == 200 and "lastName" not in changed.json and changed["customFields"] == {"plan": "gold"}
        told = desk.wait("customer.updated").data
        assert told["id"] == ada.customer and told["channel"] == "contract-multi" and told["actor"]["id"] == "robin"
        assert told["changed"] == ["lastName", "customFields"] and "gold" not in str(told)
        assert told["customer"] == {"id": ada.customer, "firstName": f"Ada{ada.mark}"}
        assert "lastName" not in customer.wait("thread.updated").data["thread"]["members"][0]
        assert not [one for one in customer.taken if one.name == "customer.updated"]
    gone = gw.patch(ada.at, {"customFields": {"plan": None}})
    assert gone["customFields"] == {}
    for body in ({"email": "x"}, {"firstName": ""}, {"customFields": {"a": 1}}, {"id": "x"}, {"customFields": None}, {"verified": True}):
        assert gw.patch(ada.at, body).status == 422, body


def test_the_address_that_a_shop_vouches_for_needs_a_scope(gw, other_channel):
    gw.patch(f"/v1/desk/channels/{other_channel}", {"visitors": {"public": True, "identity": "optional"}})
    secret = gw.post(f"/v1/desk/channels/{other_channel}/identitySecrets")["secret"]
    token = identity_token(secret, sub="4711", name="Ann Berg", email="ann@shop.example")
    gw.call("POST", "/v1/visitors", {"channel": other_channel, "identity": token}, token=None)
    path = f"/v1/desk/customers/4711?channel={other_channel}"
    assert gw.get(path)["verified"] is True
    agent, boss = Key(gw, "desk.write"), Key(gw, "desk.write", "customers.write")
    refused = agent.call("PATCH", path, {"email": "eve@shop.example"})
    assert refused.code == "insufficientScope" and refused["missingScope"] == "customers.write"
    assert agent.call("PATCH", path, {"firstName": "Anna"}).status == 200
    assert boss.call("PATCH", path, {"email": "anna@shop.example"})["email"] == "anna@shop.example"
    # What the shop says next is told, too.
    with gw.events("/v1/desk/events") as desk:
        desk.wait("ready")
        again = identity_token(secret, sub="4711", email="ann@shop.example")
        gw.call("POST", "/v1/visitors", {"channel": other_channel, "identity": again}, token=None)
        assert desk.wait("customer.updated").data["changed"] == ["email"]
    for key in (agent, boss):
        key.end()


def test_agents_write_notes_for_one_another(gw, ada):
    with gw.events("/v1/desk/events") as desk:
        desk.wait("ready")
        made = gw.post(ada.notes, {"text": "SecretNote", "agent": AGENT}, headers={"Idempotency-Key": ada.mark})
        assert made.status == 201 and made["customerId"] == ada.customer and made["author"]["name"] == "Robin"
        assert gw.get(made.header("Location")).json == made.json
        told = desk.wait("customer.updated").data
        assert told["changed"] == ["notes"] and "SecretNote" not in str(told)
    again = gw.post(ada.notes, {"text": "SecretNote", "agent": AGENT}, headers={"Idempotency-Key": ada.mark})
    assert again.json == made.json
    later = gw.post(ada.notes, {"text": "later"})
    assert [one["text"] for one in gw.get(ada.notes)["items"]] == ["later", "SecretNote"]
    page = gw.get(f"{ada.notes}?limit=1")
    assert [one["id"] for one in gw.get(f"{ada.notes}?limit=1&cursor={page['next']}")["items"]] == [made["id"]]
    export = f"/v1/desk/customers/{ada.customer}/export"
    assert "SecretNote" in gw.get(f"{export}?notes=true", check=False).text
    assert "SecretNote" not in gw.get(export, check=False).text
    assert gw.get(ada.notes, token=ada.token).status == 403
    for text in ("", "a" * 4001):
        assert gw.post(ada.notes, {"text": text}).status == 422
    assert gw.delete(f"{ada.notes}/{made['id']}").status == 204
    replayed = gw.call("POST", ada.notes, {"text": "SecretNote", "agent": AGENT}, headers={"Idempotency-Key": ada.mark}, check=False)
    assert "SecretNote" not in replayed.text
    assert gw.get(f"{ada.notes}/{made['id']}").code == "unknownNote" == gw.delete(f"{ada.notes}/{made['id']}").code
    assert gw.get(f"/v1/desk/customers/nobody-at-all/notes/{later['id']}").code == "noSuchCustomer"


def test_webhooks_of_the_desk_are_told(gw, ada):
    """A note is named, and its text stays here. A webhook of the customer's session is told nothing."""
    with Receiver() as receiver:
        hooks = [gw.post("/v1/webhooks", {"id": f"customers-{ada.mark}-{number}", "url": receiver.url, "types": ["customer.updated"],
                                          **audience}).json
                 for number, audience in enumerate(({"channels": ["contract-multi"]}, {"audience": {"session": ada.id}},
                                                    {"channels": ["contract-single"]}))]
        receiver.secrets += [hook["secret"] for hook in hooks]
        try:
            gw.post(ada.notes, {"text": "SecretNote"})
            gw.patch(ada.at, {"lastName": "Berg"})
            until("both changes", lambda: len(receiver.requests) >= 2)
            assert [one.data["changed"] for one in receiver.requests] == [["notes"], ["lastName"]]
            told = receiver.requests[1].data
            assert told["customer"]["lastName"] == "Berg" and told["channel"] == "contract-multi"
            assert not [one for one in receiver.requests if b"SecretNote" in one.body]
        finally:
            for hook in hooks:
                gw.delete(f"/v1/webhooks/{hook['id']}")


def test_an_agent_removes_their_own_notes(gw, ada):
    maria, robin, boss = Person(gw), Person(gw), Person(gw, "supervisor")
    made = maria.post(ada.notes, {"text": "mine"})
    assert made["author"]["id"] == maria.id
    note = f"{ada.notes}/{made['id']}"
    assert robin.call("DELETE", note).code == "notYou" and maria.call("DELETE", note).status == 204
    other = f"{ada.notes}/{robin.post(ada.notes, {'text': 'his'})['id']}"
    assert boss.call("DELETE", other).status == 204


def test_an_erased_customer_leaves_no_note(gw, ada):
    gw.post(ada.notes, {"text": "SecretNote"})
    assert gw.delete(f"/v1/desk/customers/{ada.customer}").status == 204
    assert gw.get(ada.notes).code == gw.get(ada.at).code == "noSuchCustomer"
    assert found(gw, f"q={ada.customer}") == found(gw, f"q=ada{ada.mark}") == []


def test_a_saved_reply_has_shortcut_channels_and_language(gw, other_channel):
    mark = uuid.uuid4().hex[:8]
    body = {"name": f"hours-{mark}", "text": "9 to 5", "shortcut": f"H{mark}", "channels": [other_channel], "language": "en"}
    made = gw.post("/v1/desk/answers", body)
    assert made.status == 201 and body.items() <= made.json.items()
    # Old clients send name and text alone.
    again = gw.post("/v1/desk/answers", {"name": body["name"], "text": "8 to 5"})
    assert again["shortcut"] == body["shortcut"] and again["channels"] == [other_channel]
    taken = gw.post("/v1/desk/answers", {"name": f"other-{mark}", "text": "x", "shortcut": f"h{mark}"})
    assert taken.status == 409 and taken.code == "answerExists"
    lost = gw.post("/v1/desk/answers", {"name": f"other-{mark}", "text": "x", "channels": ["no-such-channel"]})
    assert lost.code == "unknownChannel"
    for wrong in ({"shortcut": "a b"}, {"shortcut": ""}, {"shortcut": "a" * 33}, {"channels": []}, {"channels": "all"},
                  {"channels": [other_channel] * 2}, {"language": "german!"}, {"language": "x"}):
        assert gw.post("/v1/desk/answers", {"name": f"other-{mark}", "text": "x", **wrong}).status == 422, wrong
    key, foreign = Key(gw, "desk.read", channels=[other_channel]), Key(gw, "desk.read", channels=["contract-multi"])
    path = f"/v1/desk/answers/{made['id']}"
    assert key.get(path).status == 200 and foreign.get(path).code == "unknownAnswer"
    with gw.events("/v1/desk/events", token=foreign.text) as stream:
        stream.wait("ready")
        gw.post("/v1/desk/answers", {"name": body["name"], "text": "7 to 5"})
        gw.post("/v1/desk/answers", {"name": body["name"], "text": "7 to 5", "channels": ["contract-multi"]})
        assert [stream.wait("answer.updated").data.get("answer", {}).get("channels") for _ in range(2)] == [None, ["contract-multi"]]
        gw.post("/v1/desk/answers", body)
        assert stream.wait("answer.updated").data == {"id": made["id"]}
    names = lambda holder: [one["name"] for one in holder.get("/v1/desk/answers")["items"]]
    assert body["name"] in names(key) and body["name"] not in names(foreign)
    for one in (key, foreign):
        one.end()
    bare = gw.post("/v1/desk/answers", {"name": body["name"], "text": "x", "shortcut": None, "channels": None, "language": None})
    assert set(bare.json) == {"id", "name", "text", "updatedAt"}
    gw.delete(path)

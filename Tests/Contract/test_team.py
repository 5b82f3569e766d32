"""A team at the desk: order, counts, answering at the same time, reopening, snoozing, tags."""

import datetime
import uuid

import pytest
from chat import Chat
from gateway import until
from keys import Key
from people import Person


@pytest.fixture(scope="module")
def desk(gw):
    """A person at the desk, who sees one channel of their own."""
    channel = f"team-{uuid.uuid4().hex[:8]}"
    assert gw.post("/v1/desk/channels", {"id": channel, "mode": "multithread", "reopenDays": 2}).status == 201
    return Desk(gw, channel)


class Customer:
    """A customer with one conversation."""

    def __init__(self, gateway, channel):
        self.chat = Chat(gateway, channel)
        self.path = self.chat.thread()
        self.thread = self.path.rpartition("/")[2]

    def say(self, text="Hello"):
        return self.chat.gateway.post(f"{self.path}/messages", {"text": text})


class Desk:
    def __init__(self, gateway, channel):
        self.gateway, self.channel = gateway, channel
        self.mara = Person(gateway, publicName="Mara", channels=[channel])
        self.bo = Person(gateway, publicName="Bo", channels=[channel])

    def open(self, text="Hello"):
        """A customer's chat and its thread, at the desk."""
        customer = Customer(self.gateway, self.channel)
        assert customer.say(text).status == 201
        return customer, customer.thread

    def path(self, thread):
        return f"/v1/desk/threads/{thread}"

    def list(self, query="", person=None):
        page = (person or self.mara).get(f"/v1/desk/threads?{query}")
        assert page.status == 200, page.text
        return [one["id"] for one in page["items"]]

    def counts(self, person=None):
        return (person or self.mara).get("/v1/desk/counts")

    def answer(self, person, thread, text="Hi", **more):
        return person.post(f"{self.path(thread)}/messages", {"text": text, **more})


def later(**more):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**more)).isoformat()


def test_who_waits_longest_comes_first(desk):
    threads = [desk.open()[1] for _ in range(4)]
    desk.answer(desk.mara, threads[1])
    mine = [one for one in desk.list("order=waiting&state=open") if one in threads]
    assert mine == [threads[0], threads[2], threads[3], threads[1]]
    assert [one for one in desk.list("order=activity&state=open") if one in threads] == [threads[1], threads[3], threads[2], threads[0]]
    # Page by page, each once.
    seen, path = [], "/v1/desk/threads?order=waiting&limit=1"
    while path:
        page = desk.mara.get(path)
        seen += [one["id"] for one in page["items"]]
        path = page.link("next")
    assert len(seen) == len(set(seen)) and [one for one in seen if one in threads] == mine
    assert desk.mara.get("/v1/desk/threads?order=waiting&since=2026-01-01T00:00:00Z").code == "invalidParameter"


def test_a_collection_in_the_order_of_waiting_follows(desk):
    made = desk.mara.post("/v1/desk/collections", {"kind": "threads", "query": {"order": "waiting", "state": "open"}, "firstPage": True})
    assert made["query"]["order"] == "waiting"
    _, first = desk.open()
    _, second = desk.open()
    path = f"/v1/desk/collections/{made['id']}"

    def order():
        return [one["id"] for one in desk.mara.get(path)["items"] if one["id"] in (first, second)]

    until("both are there", lambda: order() == [first, second])
    desk.answer(desk.mara, first)
    until("who was answered comes after", lambda: order() == [second, first])
    desk.mara.call("DELETE", path)


def test_counts_are_those_of_the_lists(desk, gw):
    before = desk.counts()
    _, one = desk.open()
    _, two = desk.open()
    desk.answer(desk.mara, one)
    desk.mara.call("PUT", f"{desk.path(two)}/snooze", {"until": later(days=1)})
    after = desk.counts()
    assert {name: after[name] - before[name] for name in ("open", "waiting", "mine", "unassigned", "snoozed")} == {
        "open": 1, "waiting": 0, "mine": 1, "unassigned": 0, "snoozed": 1}
    assert desk.counts(desk.bo)["mine"] == 0 and desk.counts(desk.bo)["open"] == after["open"]
    assert "mine" not in gw.get("/v1/desk/counts").json
    for query, name in (("", "open"), ("&waiting=true", "waiting"), ("&agent=me", "mine"), ("&agent=none", "unassigned")):
        assert len(desk.list(f"state=open&snoozed=exclude&limit=200{query}")) == after[name], name
    assert len(desk.list("state=open&snoozed=only&limit=200")) == after["snoozed"]
    assert gw.get(f"/v1/desk/counts?channel={desk.channel}")["open"] == after["open"]
    assert gw.get("/v1/desk/counts?channel=nowhere")["open"] == 0
    assert desk.mara.get("/v1/desk/counts?channel=contract-multi").code == "outsideChannels"


def test_longest_waiting_is_who_has_waited_longest(own):
    own.post("/v1/desk/channels", {"id": "one", "mode": "multithread"})
    desk = Desk(own, "one")
    assert "longestWaitingSince" not in desk.counts().json
    (_, first), (_, second) = desk.open(), desk.open()
    assert desk.counts()["longestWaitingSince"] == desk.mara.get(desk.path(first))["waitingSince"]
    desk.answer(desk.mara, first)
    assert desk.counts()["longestWaitingSince"] == desk.mara.get(desk.path(second))["waitingSince"]


def test_who_answers_takes_it(desk, gw):
    _, thread = desk.open()
    desk.answer(desk.mara, thread)
    assert desk.mara.get(desk.path(thread))["agent"]["id"] == desk.mara.id
    desk.answer(desk.bo, thread)
    assert desk.mara.get(desk.path(thread))["agent"]["id"] == desk.mara.id  # it is hers
    _, other = desk.open()
    gw.post(f"{desk.path(other)}/messages", {"text": "Hi", "agent": {"id": "x", "name": "X"}})
    assert "agent" not in gw.get(desk.path(other)).json  # programs say whom they assign
    gw.patch(f"/v1/desk/channels/{desk.channel}", {"assignOnAnswer": False})
    desk.answer(desk.mara, other)
    assert "agent" not in gw.get(desk.path(other)).json
    assert gw.get(f"/v1/desk/channels/{desk.channel}")["assignOnAnswer"] is False
    gw.patch(f"/v1/desk/channels/{desk.channel}", {"assignOnAnswer": True})
    assert "assignOnAnswer" not in gw.get(f"/v1/desk/channels/{desk.channel}").json


def test_two_agents_do_not_answer_at_the_same_time_unknowingly(desk):
    chat, thread = desk.open()
    seen = desk.mara.get(f"{desk.path(thread)}/messages")["items"][0]["id"]
    first = desk.answer(desk.bo, thread, "From Bo", ifLatest=seen)
    assert first.status == 201
    chat.say("Thanks")  # a customer's word is no answer
    refused = desk.answer(desk.mara, thread, "From Mara", ifLatest=seen)
    assert refused.status == 409 and refused.code == "answeredMeanwhile"
    assert [one["detail"] for one in refused["errors"]] == [first["id"]] and refused["errors"][0]["pointer"] == "#/ifLatest"
    assert desk.answer(desk.mara, thread, "All the same").status == 201
    # Bo's note counts, Mara's own message does not.
    own = desk.answer(desk.mara, thread, "Once more")["id"]
    assert desk.answer(desk.mara, thread, "And again", ifLatest=own).status == 201
    note = desk.bo.post(f"{desk.path(thread)}/notes", {"text": "He called"})["id"]
    refused = desk.answer(desk.mara, thread, "Hello", ifLatest=own)
    assert refused.code == "answeredMeanwhile" and [one["detail"] for one in refused["errors"]] == [note]
    assert desk.answer(desk.mara, thread, "Hello", ifLatest=note).status == 201
    assert desk.answer(desk.mara, thread, "Hello", ifLatest="nowhere").code == "unknownMessage"


def test_a_repeated_answer_is_answered_even_if_somebody_has_answered_since(desk):
    _, thread = desk.open()
    seen = desk.mara.get(f"{desk.path(thread)}/messages")["items"][0]["id"]
    sent = desk.answer(desk.mara, thread, "Hi", id="mine-1", ifLatest=seen)
    desk.answer(desk.bo, thread, "From Bo")
    again = desk.answer(desk.mara, thread, "Hi", id="mine-1", ifLatest=seen)
    assert again.status == 200 and again["id"] == sent["id"]


def test_a_closed_conversation_is_opened_again(desk):
    chat, thread = desk.open()
    desk.answer(desk.mara, thread)
    assert desk.mara.post(f"{desk.path(thread)}/reopen").code == "illegalThreadState"
    closed = desk.mara.post(f"{desk.path(thread)}/close")
    opened = desk.bo.post(f"{desk.path(thread)}/reopen")
    assert opened["state"] == "ready" and opened["agent"]["id"] == desk.mara.id
    assert opened["contactId"] != closed["contactId"] and "contactClosedAt" not in opened.json
    assert chat.say("Again").status == 201


def test_the_customers_next_message_opens_it_as_the_channel_says(desk, gw):
    chat, thread = desk.open()
    desk.answer(desk.mara, thread)
    desk.mara.post(f"{desk.path(thread)}/close")
    with gw.events("/v1/desk/events?types=thread.updated") as stream:
        stream.wait("ready")
        assert chat.say("One more thing").status == 201
        news = stream.wait("thread.updated").data["thread"]
    assert news["state"] == "ready" and "agent" not in news and news["previousAgent"]["id"] == desk.mara.id and "waitingSince" in news
    desk.mara.post(f"{desk.path(thread)}/close")
    gw.patch(f"/v1/desk/channels/{desk.channel}", {"reopenDays": 0})
    assert chat.say("Too late").code == "illegalThreadState"
    gw.patch(f"/v1/desk/channels/{desk.channel}", {"reopenDays": 2})


def test_a_live_chat_stays_closed(gw, desk):
    name = f"live-{uuid.uuid4().hex[:8]}"
    gw.post("/v1/desk/channels", {"id": name, "mode": "liveChat", "reopenDays": 3})
    chat = Customer(gw, name)
    thread = chat.thread
    chat.say()
    gw.post(f"{desk.path(thread)}/close")
    assert gw.post(f"{desk.path(thread)}/reopen").code == "illegalThreadState" and chat.say().code == "illegalThreadState"


def test_on_a_channel_for_one_thread_the_open_one_stays_the_only_one(gw, desk):
    name = f"single-{uuid.uuid4().hex[:8]}"
    gw.post("/v1/desk/channels", {"id": name, "mode": "singlethread", "reopenDays": 3})
    chat = Chat(gw, name)
    first = f"{chat.path}/threads/{gw.get(f'{chat.path}/threads')['items'][0]['id']}"
    chat.say(first)
    at_desk = desk.path(first.rpartition("/")[2])
    gw.post(f"{at_desk}/close")
    second = chat.open()[1]
    assert gw.post(f"{at_desk}/reopen").code == "illegalThreadState"
    assert gw.post(f"{first}/messages", {"text": "Hi"}).code == "illegalThreadState"
    gw.post(f"{second}/close")
    assert gw.post(f"{at_desk}/reopen").status == 200


def test_a_snoozed_conversation_is_out_of_the_list_and_comes_back_with_a_reply(desk):
    chat, thread = desk.open()
    time = later(hours=3)
    snoozed = desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": time})
    assert snoozed["snooze"]["by"]["id"] == desk.mara.id and snoozed["snooze"]["wakeOnReply"] is True
    assert thread not in desk.list("snoozed=exclude&limit=200") and thread in desk.list("snoozed=only&limit=200")
    assert thread in desk.list("limit=200") and thread not in desk.list("order=waiting&snoozed=exclude&limit=200")
    assert chat.say("Are you there?").status == 201
    assert "snooze" not in desk.mara.get(desk.path(thread)).json and thread in desk.list("snoozed=exclude&limit=200")
    desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": time, "wakeOnReply": False})
    chat.say("Hello?")
    assert "snooze" in desk.mara.get(desk.path(thread)).json
    assert "snooze" not in desk.mara.call("DELETE", f"{desk.path(thread)}/snooze").json
    assert desk.mara.call("DELETE", f"{desk.path(thread)}/snooze").status == 200
    desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": time})
    desk.mara.post(f"{desk.path(thread)}/close")
    assert "snooze" not in desk.mara.get(desk.path(thread)).json
    assert desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": time}).code == "illegalThreadState"


@pytest.mark.parametrize("time", [{"minutes": 4}, {"days": -1}, {"days": 367}])
def test_a_snooze_has_a_length_of_sense(desk, time):
    _, thread = desk.open()
    refused = desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": later(**time)})
    assert refused.code == "invalidParameter" and refused["errors"][0]["pointer"] == "#/until"


def test_tags_sort_conversations(desk, gw):
    word = uuid.uuid4().hex[:8]
    with gw.events("/v1/desk/events?types=tag.updated,thread.updated") as stream:
        stream.wait("ready")
        refund = gw.post("/v1/desk/tags", {"name": f"Refund {word}", "colour": "orange"})
        assert refund.status == 201 and refund["colour"] == "orange"
        assert stream.wait("tag.updated").data["tag"]["id"] == refund["id"]
        late = gw.post("/v1/desk/tags", {"name": f"Late {word}"})
        assert late["colour"] == "grey" and late["position"] == refund["position"] + 1
        assert gw.post("/v1/desk/tags", {"name": f"REFUND {word}"}).code == "tagExists"
        chat, thread = desk.open()
        tagged = desk.mara.call("PUT", f"{desk.path(thread)}/tags", {"tags": [late["id"], refund["id"]]})
        assert tagged["tags"] == [late["id"], refund["id"]]
        assert desk.list(f"tag={late['id']}") == [thread]
        # Nothing of it is the customer's.
        with chat.chat.events() as own:
            own.wait("ready")
            assert "tags" not in gw.get(chat.path).text and "tags" not in gw.get(chat.path.rpartition("/")[0]).text
            desk.answer(desk.mara, thread)
            assert "tags" not in own.wait("thread.updated").data["thread"]
        assert desk.mara.call("PUT", f"{desk.path(thread)}/tags", {"tags": ["nowhere"]})["errors"][0]["pointer"] == "#/tags/0"
        assert gw.patch(f"/v1/desk/tags/{late['id']}", {"name": f"Later {word}"})["name"] == f"Later {word}"
        assert gw.delete(f"/v1/desk/tags/{refund['id']}").status == 204
        until("the tag is off the thread", lambda: desk.mara.get(desk.path(thread))["tags"] == [late["id"]])
    assert gw.get(f"/v1/desk/tags/{refund['id']}").code == "unknownTag"
    assert refund["id"] not in [one["id"] for one in gw.get("/v1/desk/tags")["items"]]
    assert desk.mara.post("/v1/desk/tags", {"name": "Mine"}).code == "insufficientScope"


def test_a_thread_has_at_most_20_tags_each_once(desk, gw):
    _, thread = desk.open()
    tag = gw.post("/v1/desk/tags", {"name": uuid.uuid4().hex})["id"]
    for tags in ([tag, tag], ["t"] * 21, "x", [1]):
        refused = desk.mara.call("PUT", f"{desk.path(thread)}/tags", {"tags": tags})
        assert refused.status in (400, 422) and refused["errors"][0]["pointer"] == "#/tags"


def test_all_of_it_is_there_after_a_restart(own):
    own.post("/v1/desk/channels", {"id": "kept", "mode": "multithread"})
    desk = Desk(own, "kept")
    tag = own.post("/v1/desk/tags", {"name": "Kept"})["id"]
    chat, thread = desk.open()
    desk.mara.call("PUT", f"{desk.path(thread)}/tags", {"tags": [tag]})
    desk.mara.call("PUT", f"{desk.path(thread)}/snooze", {"until": later(days=2)})
    before = desk.mara.get(desk.path(thread)).json
    own.restart()
    assert own.get(desk.path(thread)).json == before
    assert [one["tags"] for one in own.get("/v1/desk/threads?snoozed=only")["items"]] == [[tag]]
    key = Key(own, "desk.read", channels=["kept"])
    assert key.get("/v1/desk/counts")["snoozed"] == 1

"""Who is at the desk: agents say it, colleagues see it."""

import pytest
from chat import Chat
from keys import Key
from people import Person


def put(holder, body, query=""):
    return holder.call("PUT", f"/v1/desk/presence{query}", body)


def test_colleagues_see_who_is_there_and_what_they_do(own):
    mara, boss = Person(own, publicName="Mara"), Person(own, "supervisor")
    chat = Chat(own, "contract-multi")
    thread = chat.open()[1].rpartition("/")[2]
    with own.events("/v1/events?desk=true&types=presence.updated", token=None, headers={**boss.cookie, **boss.page}) as stream:
        stream.wait("ready")
        assert put(mara, {"state": "online"}).status == 204
        agent = {"id": mara.id, "name": "Mara"}
        assert stream.wait("presence.updated").data == {"agent": agent, "state": "online", "desk": True}
        assert put(mara, {"state": "online"}).status == 204  # no news
        assert put(mara, {"state": "online", "threadId": thread, "doing": "writing"}).status == 204
        place = {"threadId": thread, "channel": "contract-multi", "customerId": chat.customer}
        assert stream.wait("presence.updated").data == {"agent": agent, "state": "online", "desk": True}
        assert stream.wait("presence.updated").data == {"agent": agent, "state": "online", **place, "doing": "writing", "desk": True}
        assert boss.get("/v1/desk/presence")["items"] == [{"agent": agent, "state": "online", **place, "doing": "writing"}]
        assert put(mara, {"state": "offline"}).status == 204
        assert stream.wait("presence.updated").data["state"] == "offline"
    assert boss.get("/v1/desk/presence")["items"] == []


def test_a_conversation_is_seen_by_those_who_see_its_channel(own):
    own.post("/v1/desk/channels", {"id": "other", "mode": "multithread"})
    mara, limited = Person(own), Person(own, channels=["other"])
    thread = Chat(own, "contract-multi").open()[1].rpartition("/")[2]
    with own.events("/v1/events?desk=true", token=None, headers={**limited.cookie, **limited.page}) as stream:
        stream.wait("ready")
        assert put(mara, {"state": "online", "threadId": thread}).status == 204
        assert put(mara, {"state": "away"}).status == 204
        told = [stream.wait("presence.updated").data for _ in range(2)]
        assert [one["state"] for one in told] == ["online", "away"] and not any("threadId" in one for one in told)
    put(mara, {"state": "online", "threadId": thread})
    assert "threadId" not in limited.get("/v1/desk/presence")["items"][0]
    assert put(limited, {"state": "online", "threadId": thread}).code == "unknownThread"


def test_who_speaks_for_whom(own):
    mara, bot, key = Person(own), Key(own, "desk.write", agent={"id": "bot", "name": "Bot", "isBot": True}), Key(own, "desk.write")
    assert put(mara, {"state": "online", "agent": {"id": "other", "name": "x"}}).code == "notYou"
    assert put(mara, {"state": "online"}, "?as=other").code == "notYou"
    assert put(bot, {"state": "online"}).status == 204 and put(bot, {"state": "online"}, "?as=mara").code == "notYou"
    assert put(key, {"state": "online", "agent": {"id": mara.id, "name": "x"}}).code == "notYou"
    assert put(own, {"state": "online", "agent": {"id": "ann", "name": "Ann"}}).status == 204
    assert [one["agent"]["id"] for one in own.get("/v1/desk/presence")["items"]] == ["ann", "bot"]
    assert put(Key(own, "desk.read"), {"state": "online"}).code == "insufficientScope"


@pytest.mark.parametrize("body, code", [
    ({}, "missingMember"), ({"state": "here"}, "invalidValue"), ({"state": "online", "doing": "writing"}, "invalidValue"),
    ({"state": "offline", "threadId": "t"}, "invalidValue"), ({"state": "online", "threadId": "nowhere"}, "unknownThread"),
    ({"state": "online", "x": 1}, "unknownMember"),
])
def test_what_cannot_be_is_refused(gw, body, code):
    assert put(gw, body).code == code

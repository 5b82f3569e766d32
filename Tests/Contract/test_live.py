"""Live chats over HTTP: the queue, who takes a chat, how it ends, what a channel asks; and rich messages."""

import uuid

import pytest
from chat import Chat
from gateway import until

BO = {"agent": {"id": "bo", "name": "Bo"}}


@pytest.fixture
def channel(gw):
    """A live chat channel of the test's own."""
    return gw.post("/v1/desk/channels", {"id": f"live-{uuid.uuid4()}", "mode": "liveChat"})["id"]


def begin(gw, channel, **body):
    """A customer with an open live chat: the session, and the chat's path at the desk."""
    chat = Chat(gw, channel, firstName="Ann")
    chat.at = chat.thread(**body)
    return chat, "/v1/desk/threads/" + chat.at.rpartition("/")[2]


def test_the_queue_moves_up_and_says_so(gw, channel):
    (first, first_at_desk), (second, _) = begin(gw, channel), begin(gw, channel)
    assert gw.get(second.at)["queuePosition"] == 2
    with second.events() as stream:
        stream.wait("ready")
        taken = gw.post(f"{first_at_desk}/assign", BO)
        assert "queuePosition" not in taken.json and taken["agent"]["name"] == "Bo"
        events = stream.collect(lambda event: event.name == "queue.updated")
        assert [event.name for event in events] == ["thread.updated", "queue.updated"]
        assert events[0].data["thread"]["queuePosition"] == events[1].data["queuePosition"] == 1
    assert gw.get(first.at)["agent"]["id"] == "bo"


def test_a_program_at_the_desk_appears_as_a_bot(gw, channel):
    chat, at_desk = begin(gw, channel)
    robot = {"id": "robot", "name": "Robot", "isBot": True}
    assert gw.post(f"{at_desk}/assign", {"agent": robot})["agent"] == robot
    with chat.events() as stream:
        stream.wait("ready")
        gw.post(f"{at_desk}/typing", {"isTyping": True, "agent": robot})
        assert stream.wait("typing").data["author"] == {"id": "robot", "name": "Robot", "kind": "bot"}
    said = gw.post(f"{at_desk}/messages", {"text": "Hi", "agent": robot})
    assert said["author"] == gw.get(f"{chat.at}/messages/{said['id']}")["author"] == {"id": "robot", "name": "Robot", "kind": "bot"}
    assert robot in [{name: each.get(name) for name in robot} for each in gw.get("/v1/desk/agents")["items"]]
    person = gw.post(f"{at_desk}/messages", {"text": "I take over", "agent": {**BO["agent"], "isBot": False}})
    assert person["author"]["kind"] == "agent"
    assert "isBot" not in gw.post(f"{at_desk}/assign", BO)["agent"]
    wrong = gw.post(f"{at_desk}/typing", {"isTyping": True, "agent": {**robot, "isBot": "yes"}})
    assert wrong.status == 422 and wrong["errors"][0]["pointer"] == "#/agent/isBot"


def test_a_chat_from_its_beginning_to_its_end(gw, channel):
    chat, at_desk = begin(gw, channel)
    assert [each["id"] for each in gw.get(f"/v1/desk/threads?channel={channel}")["items"]] == [chat.at.rpartition("/")[2]]
    gw.post(f"{at_desk}/assign", BO)
    chat.say(chat.at, "Hello")
    gw.post(f"{at_desk}/messages", {"text": "Hi", **BO})
    with chat.events() as stream:
        stream.wait("ready")
        ended = gw.post(f"{chat.at}/end")
        assert ended["state"] == "closed" and not ended["canAddMoreMessages"] and ended["agent"]["name"] == "Bo"
        assert stream.wait("chat.updated").data == {"state": "closed", "mode": "liveChat"}
    assert gw.post(f"{chat.at}/messages", {"text": "Still there?"}).code == "illegalThreadState"
    assert gw.get(chat.path)["state"] == "closed"
    again = gw.get(chat.thread())
    assert again["queuePosition"] == 1 and again["contactId"] != ended["contactId"]
    assert gw.get(chat.path)["state"] == "ready"


def test_an_end_that_is_repeated_by_its_key_is_one(gw, channel):
    chat, _ = begin(gw, channel)
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first, again = gw.post(f"{chat.at}/end", headers=key), gw.post(f"{chat.at}/end", headers=key)
    assert first.json == again.json and again.header("Idempotency-Replayed") == "true"


def test_offline_there_are_no_new_chats(gw, channel):
    chat, _ = begin(gw, channel)
    idle = Chat(gw, channel)
    assert gw.put(f"/v1/desk/channels/{channel}/availability", {"isOnline": False})["isOnline"] is False
    assert Chat(gw, channel).session["state"] == "offline"
    assert gw.post(f"{idle.path}/threads").code == "illegalChatState"
    assert chat.say(chat.at)["status"] == "delivered"


def test_a_survey_points_to_each_answer(gw, channel):
    fields = [{"ident": "mail", "label": "E-mail", "type": "email", "isRequired": True},
              {"ident": "name", "type": "text", "isRequired": True},
              {"ident": "device", "type": "tree", "options": [{"id": "phone"}, {"id": "a", "label": "Model A", "parentId": "phone"}]}]
    assert gw.patch(f"/v1/desk/channels/{channel}", {"preChatSurvey": {"name": "You", "fields": fields}}).status == 200
    chat = Chat(gw, channel)
    assert [field["ident"] for field in chat.session["channel"]["preChatSurvey"]["fields"]] == ["mail", "name", "device"]
    refused = gw.post(f"{chat.path}/threads", {"customFields": {"mail": "nobody", "device": "phone"}})
    assert refused.status == 422 and refused.code == "missingPreChatCustomFields"
    assert {(each["pointer"], each["code"]) for each in refused["errors"]} == {
        ("#/customFields/name", "missingPreChatCustomFields"), ("#/customFields/mail", "invalidParameter"),
        ("#/customFields/device", "invalidParameter")}
    made = gw.post(f"{chat.path}/threads", {"customFields": {"mail": "a@b.cz", "name": "Ann", "device": "Model A"}})
    assert made.status == 201 and made["customFields"] == {"mail": "a@b.cz", "name": "Ann", "device": "a"}


def test_who_is_silent_is_asked_and_the_chat_ends(gw, channel):
    limits = {"inactivity": {"secondsUntilPopup": 1, "secondsUntilEnd": 1}}
    assert gw.patch(f"/v1/desk/channels/{channel}", limits).status == 200
    chat, at_desk = begin(gw, channel)
    with chat.events() as stream:
        stream.wait("ready")
        gw.post(f"{at_desk}/assign", BO)
        asked = stream.wait("proactive")
        assert asked.id and asked.data["type"] == "inactivityPopup" and asked.data["inactivityPopup"]["numberOfSeconds"] == 1
        answered = gw.post(f"{chat.at}/inactivity", {"answer": "refresh"})
        assert answered.status == 200 and "inactivityPopup" not in answered.json
        stream.wait("proactive")
    until("the chat to end", lambda: gw.get(chat.at)["state"] == "closed")


def test_a_rich_message_and_its_answer(gw, channel):
    chat, at_desk = begin(gw, channel)
    content = {"title": "Which day?", "buttons": [{"text": "Today", "postback": "{\"day\":1}"}, {"text": "Tomorrow"}]}
    asked = gw.post(f"{at_desk}/messages", {"type": "quickReplies", "content": content, **BO})
    assert asked.status == 201 and asked["content"] == content and asked["text"] == "Which day?"
    answer = gw.post(f"{chat.at}/messages", {"text": "Today", "postback": content["buttons"][0]["postback"]})
    assert answer.status == 201
    assert gw.get(f"{at_desk}/messages")["items"][0]["postback"] == "{\"day\":1}"


def test_a_thread_begins_with_the_welcome(gw, channel):
    assert gw.patch(f"/v1/desk/channels/{channel}", {"welcomeMessage": "Hello {{customer.firstName|you}}"}).status == 200
    chat, _ = begin(gw, channel)
    assert [each["text"] for each in gw.get(f"{chat.at}/messages")["items"]] == ["Hello Ann"]
    assert gw.patch(f"/v1/desk/channels/{channel}", {"welcomeMessage": None}).json.get("welcomeMessage") is None


def test_all_of_it_survives_a_kill(own):
    channel = own.post("/v1/desk/channels", {"id": "live-1", "mode": "liveChat", "welcomeMessage": "Hello",
                                             "inactivity": {"secondsUntilPopup": 1, "secondsUntilEnd": 1}})["id"]
    (first, at_desk), (second, _) = begin(own, channel), begin(own, channel)
    own.kill()
    own.start()
    assert own.get(second.at)["queuePosition"] == 2
    own.post(f"{at_desk}/assign", BO)
    assert own.get(second.at)["queuePosition"] == 1
    own.kill()
    own.start()
    until("the silent one's chat to end", lambda: own.get(first.at)["state"] == "closed")
    assert own.get(second.at)["state"] == "ready"
    assert own.get(f"/v1/desk/channels/{channel}")["welcomeMessage"] == "Hello"

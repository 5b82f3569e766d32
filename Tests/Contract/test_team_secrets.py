"""What a team does at the desk is the team's: nothing that a customer can read shows it, or tells that it has happened."""

import base64
import datetime
import json
import re
import uuid

import pytest
from chat import Chat
from document import DOCUMENT
from gateway import until
from people import Person

# The members that only the desk's answers have, at whatever depth.
DESKS_MEMBERS = {
    "tags", "snooze", "snoozedUntil", "wakeOnReply", "note", "notes", "presence", "doing", "shortcut", "visit", "sessions", "ratings", "verified",
    "assignOnAnswer", "visitors", "hours", "outside", "desk", "firstAnswer", "resolution",
}
STREAMS = {"streamSessionEvents", "streamEvents", "streamCollectionEvents"}


def for_sessions():
    """The operations that a session's own token may ask for."""
    for method, template, operation in DOCUMENT.operations:
        if method == "get" and any("sessionToken" in each for each in operation.get("security", DOCUMENT.raw["security"])):
            yield operation["operationId"], template


class Secrets:
    """A customer with one conversation, a team, and the words that are the team's alone."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.word = uuid.uuid4().hex[:12]
        self.channel = f"secrets-{uuid.uuid4().hex[:8]}"
        made = gateway.post("/v1/desk/channels", {
            "id": self.channel, "mode": "multithread", "rating": "numbers", "reopenDays": 2, "assignOnAnswer": False})
        assert made.status == 201
        self.mara = Person(gateway, name=f"Real {self.word}", publicName="Mara")
        self.boss = Person(gateway, "supervisor", name=f"Boss {self.word}", publicName="Bo")
        self.secrets = [self.word, self.mara.email, self.boss.email]
        self.chat = Chat(gateway, self.channel, firstName="Ada")
        self.thread, self.at_desk = self.chat.open(name="Order 17")
        first = self.chat.say(self.thread, "Where is it?")
        self.chat.say(self.thread, "And this?", parentId=first["id"])
        attachment = self.chat.upload(b"hello")
        self.say(attachments=[{"id": attachment["id"]}])
        self.mara.post(f"{self.at_desk}/messages", {"text": "I look"})
        collection = gateway.post(f"{self.chat.path}/collections", {"kind": "threads", "firstPage": True})
        assert collection.status == 201
        until("the search to know the answer", lambda: self.ask(f"{self.chat.path}/search?q=look")["items"])
        self.names = {
            "session": self.chat.id, "thread": self.thread.rpartition("/")[2], "message": first["id"], "service": "local",
            "channel": self.channel, "attachment": attachment["id"], "collection": collection["id"]}

    def say(self, **body):
        return self.chat.gateway.post(f"{self.thread}/messages", body)

    def ask(self, path, **more):
        return self.gateway.get(path, token=self.chat.token, **more)

    def paths(self):
        """What a customer can ask for, but streams: the operation and its path."""
        for operation, template in for_sessions():
            if operation in STREAMS:
                continue
            path = re.sub(r"\{(\w+)\}", lambda found: self.names[found[1]], template)
            if operation == "searchSession":
                path += "?q=look"
            yield operation, path
            if operation == "getTranscript":
                yield operation, f"{path}?format=text"
                yield operation, f"{path}?format=html"
            if operation == "listMessages":
                yield operation, f"{path}?replies=all"

    def seen(self):
        """All that the customer reads now: by path, body and entity tag.

        Without places in the log, which is the whole gateway's: a cursor grows with whatever happens there, to whomever. The
        search's tag has such a place, too. And without when the session was used last, which goes on with each minute.
        """
        found = {}
        for operation, path in self.paths():
            answer = self.ask(path)
            assert answer.status in (200, 204, 404), (path, answer)
            self.check(path, answer.text, answer.json if answer.kind == "application/json" else None)
            text = re.sub(r'"(cursor|indexedTo|instance|lastUsedAt)":"[^"]*"', r'"\1":""', answer.text)
            tag = None if operation == "searchSession" else answer.header("ETag")
            found[path] = (answer.status, "" if operation == "getInfo" else text, tag)
        return found

    def check(self, where, text, value):
        for secret in self.secrets:
            assert secret not in text, f"{where} shows {secret}: {text}"
        for name, place in members(value):
            assert name not in DESKS_MEMBERS, f"{where} has the desk's member {place}: {text}"

    def check_assistant(self):
        """An assistant that plays the customer reads the chat."""
        parts = [self.channel, self.chat.customer, self.names["thread"]]
        chat = base64.urlsafe_b64encode("\0".join(parts).encode()).decode().rstrip("=")
        read = self.gateway.post("/mcp/customer", {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read_chat", "arguments": {"chat": chat}}}, token=self.chat.token)
        result = read["result"]
        assert not result["isError"] and result["structuredContent"]["messages"]
        self.check("read_chat", read.text, result["structuredContent"])

    def check_events(self, events):
        for event in events:
            self.check(event.name, json.dumps(event.data), event.data)
            assert event.name not in ("note.created", "note.removed", "customer.updated", "presence.updated", "tag.updated", "answer.updated")

    def events(self, query=""):
        return self.gateway.events(f"{self.chat.path}/events{query}", token=self.chat.token)

    def silent_acts(self):
        """What the team does about the conversation, and its customer has no part in; each can be called alone."""
        word, mara, boss, gateway = self.word, self.mara, self.boss, self.gateway
        customer = f"/v1/desk/customers/{self.chat.customer}"
        tag = gateway.post("/v1/desk/tags", {"name": f"tag {word}", "colour": "red"})["id"]
        self.secrets.append(tag)
        until_time = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).isoformat()
        presence = f"/v1/desk/presence?channel={self.channel}&customer={self.chat.customer}"
        yield mara.call("PUT", f"{self.at_desk}/tags", {"tags": [tag]})
        yield mara.call("PUT", f"{self.at_desk}/snooze", {"until": until_time, "wakeOnReply": False})
        yield mara.call("DELETE", f"{self.at_desk}/snooze")
        yield mara.call("PUT", f"{self.at_desk}/snooze", {"until": until_time})
        yield mara.post(f"{self.at_desk}/notes", {"text": f"note {word}"})
        yield mara.call("DELETE", f"{self.at_desk}/notes/{mara.post(f'{self.at_desk}/notes', {'text': word})['id']}")
        yield mara.post(f"{customer}/notes", {"text": f"note on her {word}"})
        yield mara.call("PUT", presence, {"state": "online", "threadId": self.names["thread"], "doing": "writing"})
        yield mara.call("PUT", presence, {"state": "away", "threadId": self.names["thread"]})
        yield gateway.post("/v1/desk/answers", {"name": f"answer {word}", "text": f"text {word}", "shortcut": word})
        yield boss.get("/v1/desk/reports?by=tag")
        yield mara.get("/v1/desk/counts")
        yield mara.get(f"{self.at_desk}/transcript?format=text")
        yield gateway.patch(f"/v1/desk/tags/{tag}", {"name": f"renamed {word}"})
        yield gateway.delete(f"/v1/desk/tags/{tag}")
        until("the tag is off the thread", lambda: "tags" not in mara.get(self.at_desk).json)


def members(value, place=""):
    """The names of all members in a value, each with its place."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name, f"{place}.{name}"
            # A customer's and a thread's own fields have names that others choose.
            if name != "customFields":
                yield from members(each, f"{place}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from members(each, f"{place}[]")


@pytest.fixture
def team(gw):
    return Secrets(gw)


def test_everything_that_a_customer_can_ask_for_is_looked_at(team):
    """A new operation for sessions must have its names here, and answer."""
    statuses = {path: team.ask(path).status for _, path in team.paths()}
    assert {path for path, status in statuses.items() if status != 200} <= {
        f"{team.chat.path}/device", f"{team.chat.path}/device/deliveries", f"{team.chat.path}/menu"}, statuses
    assert STREAMS <= {operation for operation, _ in for_sessions()}


def test_what_the_team_does_for_itself_changes_nothing_for_the_customer(team):
    """Not a byte, not an entity tag, not an event."""
    before = team.seen()
    with team.events() as own, team.gateway.events(
            f"/v1/events?session={team.chat.id}", token=team.chat.token) as combined, team.gateway.events(
            f"{team.chat.path}/collections/{team.names['collection']}/events", token=team.chat.token) as listed:
        for stream in (own, combined, listed):
            stream.wait("ready")
        for act in team.silent_acts():
            assert act.status < 300, act.text
            after = team.seen()
            assert {path: seen for path, seen in after.items() if seen != before[path]} == {}
            for path, (_, _, tag) in before.items():
                if tag:
                    assert team.ask(path, headers={"If-None-Match": tag}).status == 304, path
        # The next thing that they hear is the answer.
        assert team.mara.post(f"{team.at_desk}/messages", {"text": "It comes"}).status == 201
        for stream in (own, combined):
            assert stream.next().name == "message.created"
        assert listed.next().data["version"] == before_version(before, team) + 1


def before_version(before, team):
    body = next(text for path, (_, text, _) in before.items() if path.endswith(f"/collections/{team.names['collection']}"))
    return json.loads(body)["version"]


def test_a_customers_change_is_not_refused_because_of_the_team(team):
    """`If-Match` names what the customer has seen, and the desk's own names what the desk has seen."""
    tag = team.ask(team.thread).header("ETag")
    desks = team.mara.get(team.at_desk).header("ETag")
    for act in team.silent_acts():
        assert act.status < 300
        assert team.mara.call("PUT", f"{team.at_desk}/tags", {"tags": []}, headers={"If-Match": desks}).status in (200, 412)
    seen = team.mara.get(team.at_desk).header("ETag")
    assert seen != desks and team.mara.call("DELETE", f"{team.at_desk}/snooze", headers={"If-Match": desks}).status == 412
    assert team.mara.call("DELETE", f"{team.at_desk}/snooze", headers={"If-Match": seen}).status == 200
    assert team.gateway.patch(team.thread, {"name": "Order 18"}, token=team.chat.token, headers={"If-Match": tag}).status == 200


def test_what_the_customer_has_a_part_in_carries_nothing_of_the_team(team):
    """Assignment to a person, answers, the end and a new beginning: with tags and notes on the thread all the while."""
    acts = team.silent_acts()
    for _ in range(7):  # tags, snooze and notes are there
        assert next(acts).status < 300
    person = {"agent": {"id": team.boss.id, "name": "x"}}
    with team.events() as own:
        own.wait("ready")
        visible = [
            team.mara.post(f"{team.at_desk}/assign", person),
            team.boss.post(f"{team.at_desk}/messages", {"text": "Hello"}),
            team.boss.post(f"{team.at_desk}/read"),
            team.say(text="Thank you"),
            team.mara.post(f"{team.at_desk}/release"),
            team.mara.call("PATCH", f"/v1/desk/customers/{team.chat.customer}", {"lastName": "Lind"}),
            team.mara.post(f"{team.at_desk}/close"),
            team.gateway.put(f"{team.thread}/rating", {"score": 2}, token=team.chat.token),
            team.mara.post(f"{team.at_desk}/reopen"),
            team.mara.post(f"{team.at_desk}/messages", {"text": "Again"}),
        ]
        assert [answer.status for answer in visible if answer.status >= 300] == []
        team.seen()
        team.check_assistant()
        team.check_events(own.collect(lambda event: event.name == "thread.updated" and event.data["thread"]["lastMessage"]["text"] == "Again"))
    # From the log's beginning.
    with team.events("?earliest=true") as whole:
        events = whole.collect(lambda event: event.name == "ready")
        assert len(events) > 10
        team.check_events(events)
    # A person is called by the public name, wherever they are named.
    said = {one["author"]["name"] for one in team.ask(f"{team.thread}/messages")["items"] if one["author"]["kind"] == "agent"}
    assert said == {"Mara", "Bo"} and team.ask(team.thread)["previousAgent"]["name"] == "Bo"


def test_others_see_nothing_of_a_conversation_that_is_not_theirs(team):
    """Another customer of the channel: not even that it is rated."""
    team.mara.post(f"{team.at_desk}/close")
    team.gateway.put(f"{team.thread}/rating", {"score": 1, "comment": f"comment {team.word}"}, token=team.chat.token)
    other = Chat(team.gateway, team.channel)
    for path in (team.thread, team.chat.path, f"{team.thread}/transcript", "/v1/desk/reports", "/v1/desk/counts", "/v1/desk/presence",
                 "/v1/desk/tags", "/v1/desk/answers", team.at_desk, f"{team.at_desk}/notes", "/v1/me/reports"):
        assert team.gateway.get(path, token=other.token).status in (401, 403), path
    theirs = other.open()[0]
    assert team.word not in team.gateway.get(theirs, token=other.token).text


def test_an_address_is_not_told_to_the_others_of_a_conversation(gw):
    """What an agent has noted of one customer stays between that customer and the desk."""
    people = [Chat(gw, "contract-multi", id=f"group-{uuid.uuid4().hex[:10]}") for _ in "ab"]
    address = f"{uuid.uuid4().hex[:8]}@shop.example"
    thread = gw.post("/v1/desk/threads", {"channel": "contract-multi", "members": [{"id": each.customer} for each in people]})["id"]
    gw.post(f"/v1/desk/threads/{thread}/messages", {"text": "Welcome"})
    with people[1].events("?earliest=true") as events:
        events.wait("ready")
        assert gw.patch(f"/v1/desk/customers/{people[0].customer}?channel=contract-multi", {"email": address, "lastName": "Lind"}).status == 200
        news = events.wait("thread.updated")
        gw.post(f"/v1/desk/threads/{thread}/messages", {"text": "Again"})
        events.wait("message.created")
    assert "Lind" in str(news.data) and address not in str([event.data for event in events.taken])
    for path in (f"/threads/{thread}", "/threads", f"/threads/{thread}/transcript"):
        assert address not in gw.get(people[1].path + path, token=people[1].token).text
    assert gw.get(f"{people[0].path}/customer", token=people[0].token)["email"] == address
    assert gw.get(f"/v1/desk/customers/{people[0].customer}?channel=contract-multi")["email"] == address

"""Many sessions with a stream each, and the desk's stream, which go from one gateway to another.

It knows what was acknowledged, and what the streams have told, and holds both against the rows. Streams may miss
nothing, tell nothing twice, and never start anew."""

import contextlib
import itertools
import threading
import time
import uuid

from serving import Chat, Gone, in_threads
from standby import on
from streams import Crowd, connect

SENDERS = 12
#: The desk's audience, as the table names it.
DESK = "0"
#: The text of a message's row.
TEXT = "convert_from(message.json, 'UTF8')::jsonb->>'text'"


class Follower:
    """One stream's reader: it outlives its connections."""

    def __init__(self, account, path, token):
        self.account, self.path, self.token = account, path, token
        self.last_id = None
        self.last_offset = 0
        self.told = []  # (offset, type) since the last look


class Crew:
    def __init__(self, server, gateway, count):
        self.server = server
        self.chats, self.threads = [], {}
        self.acknowledged, self.unknown = [], []
        self._numbers = itertools.count()
        self._is_stopped = threading.Event()
        in_threads(lambda _: self._join(gateway, count // SENDERS), range(SENDERS))()
        accounts = dict(server.ask("SELECT id, account FROM session"))
        self.followers = [Follower(accounts[chat.id], f"{chat.path}/events", chat.token) for chat in self.chats]
        self.followers.append(Follower(DESK, "/v1/desk/events", gateway.token))
        self.crowd = Crowd(self._take)
        self.connect(gateway)
        self._base = self._head()
        self._seen = len(self.acknowledged)

    def _join(self, gateway, count):
        for _ in range(count):
            chat = Chat(gateway)
            thread = chat.thread()
            # The desk knows a thread from its first message on.
            text = chat.say(thread, self._text())["text"]
            self.threads[chat.id] = thread
            self.acknowledged.append(text)
            self.chats.append(chat)

    def _text(self):
        return f"text {next(self._numbers)}"

    def _head(self):
        return int(self.server.ask("SELECT place FROM committed ORDER BY number DESC LIMIT 1")[0][0])

    # -- streams

    def _take(self, member, event):
        follower = member.key
        assert event.name != "reset", (follower.path, event)
        if event.offset is None:
            return
        assert event.offset > follower.last_offset, f"{follower.path} told {event} after {follower.last_offset}"
        follower.last_offset, follower.last_id = event.offset, event.id
        follower.told.append((event.offset, event.name))

    def connect(self, gateway, among=slice(None)):
        """Gives followers a stream of this gateway, from where their last one was."""
        members = {member.key: member for member in self.crowd.members}
        for follower in self.followers[among]:
            if follower in members:
                self.crowd.remove(members[follower])
            link = connect(gateway.host, gateway.port, follower.path, follower.token, last_id=follower.last_id)
            self.crowd.add(link, follower)
        self.crowd.read(
            "every new stream's ready", lambda: all(member.is_ready or member.is_gone for member in self.crowd.members))
        for member in self.crowd.members:
            # That of `ready`, if nothing was told yet.
            member.key.last_id = member.key.last_id or member.parser.last_id

    def read_until(self, moment):
        """Reads until the monotonic clock says so."""
        self.crowd.read("a moment", lambda: time.monotonic() > moment, moment - time.monotonic() + 5)

    def read_to_the_end(self):
        """Reads until the gateway has closed all streams."""
        self.crowd.read("the end of all streams", lambda: all(member.is_gone for member in self.crowd.members))

    # -- load

    def send(self, gateway):
        """Sends until the gateway goes away, or the load is stopped. Returns what waits for the end."""
        self._is_stopped.clear()
        shares = [self.chats[at::SENDERS] for at in range(SENDERS)]
        return in_threads(lambda share: self._send(gateway, share), shares)

    def stop(self):
        """Ends the load."""
        self._is_stopped.set()

    def _send(self, gateway, share):
        with contextlib.closing(gateway.client()) as client:
            for number, chat in enumerate(itertools.cycle(share)):
                body = {"text": self._text()}
                path, token = chat.messages_path(self.threads[chat.id]), chat.token
                if number % 4 == 3:  # an agent's
                    path, token = f"/v1/desk/threads/{self.threads[chat.id]}/messages", gateway.token
                elif number % 2:
                    body["id"] = str(uuid.uuid4())
                if not self._post(client, path, token, body) or self._is_stopped.is_set():
                    return

    def _post(self, client, path, token, body):
        with contextlib.suppress(Gone):
            answer = client.call("POST", path, body, headers={"Authorization": f"Bearer {token}"})
            if answer.status in (200, 201):
                self.acknowledged.append(body["text"])
                return True
            # Cut off between COMMIT and its answer, a gateway says after 20 seconds that nobody can tell.
            in_doubt = answer.status == 500 and b"may have taken place" in answer.body
            assert answer.status == 503 or in_doubt, answer
        self.unknown.append((path, token, body))
        return False

    def read_load(self, count):
        """Reads the streams until so many more messages were acknowledged."""
        goal = len(self.acknowledged) + count
        self.crowd.read("the load", lambda: len(self.acknowledged) >= goal)

    def send_again(self, gateway):
        """Sends again, as clients do, what nobody knows of: what has an id is stored once."""
        unknown, self.unknown = self.unknown, []
        with contextlib.closing(gateway.client()) as client:
            for path, token, body in unknown:
                if "id" in body:
                    assert self._post(client, path, token, body)

    # -- what must be true

    def check_sessions(self, gateway):
        """All sessions are ready."""
        found, cursor = {}, ""
        while cursor is not None:
            page = gateway.get(f"/v1/sessions?limit=200{cursor}").json
            found.update((session["id"], session["state"]) for session in page["items"])
            cursor = f"&cursor={page['next']}" if "next" in page else None
        assert found == {chat.id: "ready" for chat in self.chats}

    def check(self, gateway):
        """Since the last look, each acknowledged message has one row, and the streams have told each event once."""
        texts = [text for [text] in self.server.ask(f"SELECT {TEXT} FROM message WHERE number > {self._base}")]
        assert len(texts) == len(set(texts)), "a message is there twice"
        missing = set(self.acknowledged[self._seen:]) - set(texts)
        assert not missing, f"acknowledged messages are lost: {missing}"
        self._check_streams()
        # As the gateway shows it, of one session.
        chat = on(gateway, self.chats[len(texts) % len(self.chats)])
        shown = [message["text"] for message in chat.history(self.threads[chat.id])]
        stored = self.server.ask(
            f"SELECT {TEXT} FROM message JOIN thread ON thread.number = message.thread "
            f"WHERE thread.id = '{self.threads[chat.id]}' ORDER BY message.createdAt, message.number")
        assert [[text] for text in shown] == stored
        self._base, self._seen = self._head(), len(self.acknowledged)
        return len(texts)

    def _check_streams(self):
        logged = {}
        rows = self.server.ask(
            "SELECT audience.account, place, type FROM audience JOIN log USING (place) "
            f"WHERE place > {self._base} ORDER BY place")
        for account, place, kind in rows:
            logged.setdefault(account, []).append((int(place), kind))
        self.crowd.read("all events that were logged", lambda: all(
            len(follower.told) >= len(logged.get(follower.account, [])) for follower in self.followers))
        for follower in self.followers:
            assert follower.told == logged.get(follower.account, []), follower.path
            follower.told = []

    def close(self):
        self.crowd.close()

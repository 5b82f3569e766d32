"""Clients that come, do what clients do, and leave nothing behind but rows."""

import os
import pathlib
import sys
import uuid

from serving import Chat
from streams import Stream

# The protocol of the sandbox's clients is written down once, beside the tests of the contract.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Contract"))

from platform_client import PlatformClient


class Visitor(Chat):
    """A customer who is seen once: a session that is removed at the end."""

    def __init__(self, gateway):
        super().__init__(gateway, id=f"visitor-{uuid.uuid4()}", firstName="Ann")
        self.client = gateway.client(self.token)

    def ask(self, method, path, body=None, expected=(200, 201, 204), **more):
        answer = self.client.call(method, f"{self.path}{path}", body, **more)
        assert answer.status in expected, (method, path, answer)
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ask("DELETE", "")
        self.client.close()


def session(gateway, seed):
    """Threads, messages with a key, edits, removals and fields."""
    with Visitor(gateway) as visitor:
        for _ in range(seed.randrange(1, 3)):
            thread = visitor.ask("POST", "/threads", {"name": f"name {seed.random()}"})["id"]
            first = visitor.ask(
                "POST",
                f"/threads/{thread}/messages",
                {"text": "x" * seed.randrange(1, 2000)},
                headers={"Idempotency-Key": str(uuid.uuid4())},
            )["id"]
            reply = visitor.ask("POST", f"/threads/{thread}/messages/{first}/replies", {"text": "a reply"})["id"]
            visitor.ask("PATCH", f"/threads/{thread}/messages/{first}", {"text": "another text"})
            visitor.ask("PUT", f"/threads/{thread}/customFields", {"customFields": {"plan": "gold"}})
            gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "from the desk"})
            visitor.ask("POST", f"/threads/{thread}/typing", {"isTyping": True})
            visitor.ask("GET", f"/threads/{thread}/messages?limit=20")
            visitor.ask("DELETE", f"/threads/{thread}/messages/{reply}")
        visitor.ask("PUT", "/customer/customFields", {"customFields": {"city": "Ulm"}})
        visitor.ask("GET", "/search?q=reply")


def collection(gateway, seed):
    """Collections of both kinds, followed; some are left for the session's removal."""
    with Visitor(gateway) as visitor:
        thread = visitor.thread()
        texts = [visitor.say(thread, f"text {number}")["id"] for number in range(5)]
        definitions = [
            {"kind": "messages", "threadId": thread, "limit": 3},
            {"kind": "threads", "query": {"limit": 5}},
            {"kind": "messages", "threadId": thread, "parentId": texts[0]},
        ]
        for definition in definitions:
            path = "/collections/" + visitor.ask("POST", "/collections", definition)["id"]
            with Stream(gateway, f"{visitor.path}{path}/events", visitor.token) as stream:
                stream.ready()
                visitor.ask(
                    "POST", f"{path}/fetch", {"direction": "next" if definition["kind"] == "threads" else "previous"}
                )
                visitor.say(thread, "one more")
                visitor.ask("GET", path)
            if seed.random() < 0.5:
                visitor.ask("DELETE", path)
        with Stream(gateway, f"{visitor.path}/events?collections=true", visitor.token) as stream:
            stream.ready()


def file(gateway, seed):
    """Files that are sent, fetched and left unsent."""
    with Visitor(gateway) as visitor:
        thread = visitor.thread()
        for _ in range(2):
            data = os.urandom(seed.choice([10, 5_000, 200_000]))
            id = visitor.ask("POST", "/attachments", raw=data, headers={"Content-Type": "application/octet-stream"})[
                "id"
            ]
            if seed.random() < 0.8:
                visitor.ask("POST", f"/threads/{thread}/messages", {"attachments": [{"id": id}]})
            assert visitor.ask("GET", f"/attachments/{id}").body == data


def app(gateway, seed):
    """An app of the sandbox's protocol; some leave without a word."""
    client = PlatformClient(gateway, "multi", seed.choice(["ios", "android", "web"]))
    client.configuration()
    client.fetch_token()
    client.connect()
    client.authorize()
    thread = str(uuid.uuid4())
    for number in range(3):
        client.send(thread, f"from an app {number}")
    if seed.random() < 0.5:
        client.close()
    else:
        client.socket.socket.close()


def platform(gateway, seed):
    """A session on the gateway's own sandbox: adapter and platform in one process."""
    sandbox = gateway.get("/v1/info")["sandbox"]
    place = next(
        each["id"] for each in sandbox["channels"] if (each["channel"], each["authorization"]) == ("multi", "anonymous")
    )
    made = gateway.post(
        "/v1/sessions",
        {
            "service": "cxone",
            "brandId": sandbox["brandId"],
            "channelId": place,
            "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]},
        },
    )
    assert made.status == 201, made
    path = f"/v1/sessions/{made['id']}"
    thread = gateway.post(f"{path}/threads")["id"]
    for number in range(3):
        sent = gateway.post(f"{path}/threads/{thread}/messages", {"text": f"to the platform {number}"})
        assert sent.status == 201, sent
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "from the agent"})
    assert gateway.get(f"{path}/threads/{thread}/messages").status == 200
    assert gateway.call("DELETE", path).status == 204


#: Kind: how often a second.
KINDS = {session: 1.0, collection: 0.7, file: 0.5, app: 0.5, platform: 0.3}

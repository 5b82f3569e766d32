"""Every link of the document, followed once: what an answer gives is enough for the operation that it leads to."""

import datetime
import itertools
import json
import urllib.parse

import pytest
from chat import Chat
from document import DOCUMENT
from gateway import until
from push_receiver import PushReceiver

COUNT = itertools.count(1)
# Nobody listens there: what is to be sent waits.
NOWHERE = "http://127.0.0.1:9/"
LINKS = [
    (operation["operationId"], status, name)
    for _, _, operation in DOCUMENT.operations
    for status, response in operation["responses"].items()
    for name in response.get("links", {})
]
# The link leads where it should. Nothing is to be done on a channel that is no live chat, or for a message that was sent.
REFUSED = {"endThread": "illegalChatState", "resendMessage": "messageNotFailed"}


def browser(name):
    """A device whose push service no resolver knows: nothing goes anywhere."""
    with PushReceiver() as receiver:
        subscription = {**receiver.subscription(), "endpoint": f"https://push.invalid/{name}"}
    return {"kind": "webPush", "subscription": subscription}


class Scene:
    """A chat in which every operation finds what it needs."""

    def __init__(self, gateway):
        self.gateway = gateway
        chat = Chat(gateway, "contract-multi")
        self.word = f"word{next(COUNT)}"
        thread = chat.thread()
        message = chat.say(thread, self.word)
        gateway.post(f"{chat.path}/collections", {"kind": "threads"})
        gateway.post("/v1/desk/collections", {"kind": "threads"})
        gateway.patch("/v1/desk/channels/contract-multi", {"visitors": {"public": True}})
        gateway.post("/v1/webhooks", {"id": "linked", "url": NOWHERE})
        gateway.post("/v1/desk/devices", browser("linked"))
        self.chat = chat
        self.path = {
            "session": chat.id,
            "thread": thread.rpartition("/")[2],
            "message": message["id"],
            "channel": "contract-multi",
            "webhook": "linked",
            "customer": chat.customer,
        }
        self.query = {"q": self.word}

    def body(self, operation, session):
        """What the operation is sent, if the document's own example would not do here."""
        match operation:
            case "createVisitor":
                return {"channel": "contract-multi"}
            case "createPerson":
                name = f"linked-{next(COUNT)}"
                return {"id": name, "name": name, "email": f"{name}@shop.example", "role": "agent"}
            case "createSession":
                return {"channel": "contract-multi"}
            # The session of a link that begins with a session has no thread yet.
            case "createCollection" if session != self.chat.id:
                return {"kind": "threads"}
            case "createCollection" | "createDeskCollection":
                return {"kind": "messages", "threadId": self.path["thread"]}
            case "createDeskChannel":
                return {"id": f"link-{next(COUNT)}", "mode": "liveChat"}
            case "createDeskThread":
                return {"channel": "contract-multi", "members": [{"id": self.chat.customer}]}
            case "createDeskDevice":
                return browser(f"link-{next(COUNT)}")
            case "createWebhook":
                return {"url": NOWHERE}
            case "updateWebhook":
                return {"description": "Linked"}
            case "replayWebhook":
                return {"after": self.gateway.get("/v1/desk/threads")["cursor"]}
            case "createThread":
                return {"name": "Linked"}
            case "createDeskTag":
                return {"name": f"link-{next(COUNT)}"}
            case "updateDeskTag":
                return {"colour": "teal"}
            case "setDeskThreadTags":
                return {"tags": []}
            case "snoozeDeskThread":
                return {"until": (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).isoformat()}
            case "keepDeskAnswer":
                return {"name": f"link-{next(COUNT)}", "text": "Linked"}
            case "addDeskMembers":
                return {"members": [{"id": f"guest-{next(COUNT)}"}]}
            case "sendMessage" | "sendReply":
                return {"text": "Linked", "attachments": [{"id": self.chat.upload(b"Hello")["id"]}]}
            case "sendDeskMessage" | "sendDeskReply":
                return {"text": "Linked"}
        return None

    def call(self, operation, path=None, query=None, body=None):
        method, route, found = next(each for each in DOCUMENT.operations if each[2]["operationId"] == operation)
        path = {**self.path, **(path or {})}
        for name, value in path.items():
            route = route.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
        needed = [each["name"] for each in DOCUMENT.parameters(found) if each["in"] == "query" and each.get("required")]
        sent = {**{name: self.query[name] for name in needed}, **(query or {})}
        if sent:
            route += "?" + urllib.parse.urlencode(sent)
        if operation.startswith("upload"):
            return self.gateway.call(
                method.upper(), route, raw=b"Hello", headers={"Content-Type": "application/octet-stream"}
            )
        content = found.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            given = self.body(operation, path["session"])
            if given is None:
                given = DOCUMENT.resolve(next(iter(content["examples"].values())))["value"]
            body = {**given, **(body or {})}
        return self.gateway.call(method.upper(), route, body)


def value(expression, scene, answer):
    """A runtime expression of OpenAPI: the kinds that the document uses."""
    if isinstance(expression, dict):
        return {name: value(each, scene, answer) for name, each in expression.items()}
    if isinstance(expression, list):
        return [value(each, scene, answer) for each in expression]
    if not expression.startswith("$"):
        return expression
    if expression.startswith("$request.path."):
        return scene.path[expression.removeprefix("$request.path.")]
    found = answer.json
    for step in expression.removeprefix("$response.body#/").split("/"):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


@pytest.mark.parametrize("source, status, name", LINKS, ids=lambda each: each)
def test_link_leads_where_it_should(gw, source, status, name):
    scene = Scene(gw)
    response = next(each for _, _, each in DOCUMENT.operations if each["operationId"] == source)["responses"][status]
    link = DOCUMENT.resolve(response["links"][name])
    target = link["operationId"]

    def ask():
        answer = scene.call(source)
        assert answer.status == int(status), answer
        # The search index follows the log a moment later, and so do deliveries.
        follows = source.startswith("search") or source == "listWebhookDeliveries"
        return answer if not follows or answer["items"] else None

    answer = until("an answer with something in it", ask)
    parameters = {each: value(expression, scene, answer) for each, expression in link.get("parameters", {}).items()}
    query = {
        each.removeprefix("query."): parameters.pop(each) for each in list(parameters) if each.startswith("query.")
    }
    followed = scene.call(target, parameters, query, value(link.get("x-requestBody", {}), scene, answer))
    if target in REFUSED:
        assert followed.code == REFUSED[target], followed
    else:
        assert 200 <= followed.status < 300, json.dumps(followed.json)


def test_every_resource_that_is_made_has_links():
    linked = {source for source, _, _ in LINKS}
    makers = {
        operation["operationId"]
        for method, path, operation in DOCUMENT.operations
        if method == "post" and "201" in operation["responses"] and path.startswith("/v1/") and "sandbox" not in path
    }
    assert makers <= linked, makers - linked

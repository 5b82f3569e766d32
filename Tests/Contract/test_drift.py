"""The running gateway and the document name the same routes and the same kinds of answer."""

import json
import re

import pytest
from chat import Chat
from document import DOCUMENT
from gateway import until
from push_receiver import PushReceiver


def test_routes_are_the_same(gw):
    served = {(route["method"].lower(), route["path"]) for route in json.loads(gw.run("routes", "--json"))}
    served = {(method, path) for method, path in served if method not in ("head", "options")}
    documented = {(method, path) for method, path, _ in DOCUMENT.operations}
    assert {"only served": served - documented, "only documented": documented - served} \
        == {"only served": set(), "only documented": set()}


def test_the_document_is_served_with_the_address_that_was_asked(gw):
    for host in (f"127.0.0.1:{gw.port}", f"localhost:{gw.port}"):
        answer = gw.get("/openapi.json", token=None, headers={"Host": host})
        server = {**DOCUMENT.raw["servers"][0], "url": f"http://{host}"}
        assert answer.json == {**DOCUMENT.raw, "servers": [server]}


def test_the_versions_are_the_same(gw):
    assert DOCUMENT.raw["info"]["version"] == gw.get("/v1/info")["version"] == gw.run("--version").strip()


def fill(path, chat, thread, message):
    values = {"session": chat.id, "thread": thread, "message": message, "service": "local",
              "channel": chat.session["channel"]["id"], "member": chat.session["customer"]["id"], "path": "chat.js", "attachment": chat.file,
              "webhook": chat.webhook, "delivery": chat.delivery, "device": chat.desk_device,
              "collection": chat.desk_collection if path.startswith("/v1/desk") else chat.collection, "trigger": "x",
              "article": "GettingStarted", "tag": "messages", "note": chat.note, "answer": chat.answer, "key": chat.key, "login": "none", "person": "drift", "digest": chat.picture,
              "customer": chat.session["customer"]["id"], "link": chat.link, "secret": chat.secret}
    if path.startswith("/v1/desk/tags/"):
        values["tag"] = chat.desk_tag
    if path.startswith("/v1/desk/customers/"):
        values["note"] = chat.customer_note
    if path.startswith("/chat/"):
        sandbox = chat.gateway.get("/v1/info")["sandbox"]
        values |= {"brand": str(sandbox["brandId"]), "channel": sandbox["channels"][0]["id"]}
    if "{request}" in path:
        values["request"] = str(chat.gateway.get("/v1/requests")["last"])
    if "{script}" in path:
        step = {"fault": {"kind": "refuse", "event": "Nothing"}}
        values["script"] = chat.gateway.post("/v1/sandbox/scripts", {"steps": [step]})["id"]
    filled = re.sub(r"\{(\w+)\}", lambda name: values[name[1]], path)
    query = {"/search": "?q=Hello", "/challenge": f"?channel={values['channel']}"}.get(path[path.rfind("/"):], "")
    return filled + query


def is_for_programs(operation):
    """Not what only a person's login opens."""
    schemes = [name for scheme in operation.get("security", DOCUMENT.raw["security"]) for name in scheme]
    return not schemes or "gatewayToken" in schemes


GETS = [path for method, path, operation in DOCUMENT.operations
        if method == "get" and is_for_programs(operation) and not {"{code}", "{path}", "{event}"} & set(path.split("/")) and not {"x-events", "x-socket"} & set(operation)]


@pytest.fixture(scope="module")
def chat(gw):
    chat = Chat(gw, "contract-multi", firstName="Ann")
    # Nobody listens there: what is to be sent waits.
    chat.webhook = gw.post("/v1/webhooks", {"url": "http://127.0.0.1:9/"})["id"]
    path, at_desk = chat.open()
    waiting = until("a delivery", lambda: gw.get(f"/v1/webhooks/{chat.webhook}/deliveries")["items"])
    chat.delivery = waiting[0]["id"]
    chat.file = chat.upload(b"Hello")["id"]
    gw.post(f"{path}/messages", {"attachments": [{"id": chat.file}]})
    chat.note = gw.post(f"{at_desk}/notes", {"text": "Hello"})["id"]
    chat.customer_note = gw.post(f"/v1/desk/customers/{chat.customer}/notes", {"text": "Hello"})["id"]
    chat.answer = gw.post("/v1/desk/answers", {"name": "drift", "text": "Hello"})["id"]
    chat.desk_tag = gw.post("/v1/desk/tags", {"name": "drift"})["id"]
    chat.key = gw.post("/v1/keys", {"name": "drift", "scopes": ["metrics.read"]})["id"]
    gw.post("/v1/people", {"id": "drift", "name": "Drift", "email": "drift@shop.example", "role": "agent"})
    picture = gw.call("PUT", "/v1/people/drift/picture", raw=b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "image/png"})
    chat.picture = picture["picture"].rpartition("/")[2]
    gw.call("PUT", "/v1/desk/channels/contract-multi/logo", raw=b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "image/png"})
    gw.patch("/v1/desk/channels/contract-multi", {"visitors": {"public": True}})
    chat.link = gw.post(f"{chat.path}/links", {})["id"]
    chat.secret = gw.post("/v1/desk/channels/contract-multi/identitySecrets")["id"]
    chat.desk_collection = gw.post("/v1/desk/collections", {"kind": "threads"})["id"]
    with PushReceiver() as receiver:
        # A host that no resolver knows: nothing goes anywhere.
        subscription = {**receiver.subscription(), "endpoint": "https://push.invalid/x"}
    gw.put(f"{chat.path}/device", {"kind": "webPush", "subscription": subscription})
    chat.desk_device = gw.post("/v1/desk/devices", {"kind": "webPush", "subscription": subscription})["id"]
    chat.collection = gw.post(f"/v1/sessions/{chat.id}/collections", {"kind": "threads"})["id"]
    yield chat, path.rpartition("/")[2], gw.get(f"{path}/messages")["items"][0]["id"]
    gw.delete(f"/v1/webhooks/{chat.webhook}")
    gw.delete(f"/v1/desk/devices/{chat.desk_device}")


@pytest.mark.parametrize("path", GETS)
def test_each_get_answers_as_documented(gw, chat, path):
    answer = gw.get(fill(path, *chat))  # `get` itself holds it to the document
    assert answer.status == 200
    assert answer.body


@pytest.mark.parametrize("path", GETS)
def test_each_get_has_a_head(gw, chat, path):
    path = fill(path, *chat)
    head, answer = gw.call("HEAD", path), gw.get(path)
    assert head.status == 200 and head.body == b""
    # How a body comes that has no length is said with the body (RFC 9110, 9.3.2).
    names = lambda each: {name.lower() for name in each.headers} - {"connection", "transfer-encoding"}
    assert names(head) == names(answer)
    assert head.kind == answer.kind
    assert head.header("ETag") == answer.header("ETag")


@pytest.mark.parametrize("path", sorted(DOCUMENT.raw["paths"]))
def test_each_path_answers_options(gw, path):
    answer = gw.call("OPTIONS", re.sub(r"\{\w+\}", "x", path), token=None)
    assert answer.status == 204
    allowed = {method.strip().lower() for method in answer.header("Allow").split(",")}
    item = {method for method in DOCUMENT.raw["paths"][path]}
    assert allowed == item | {"options"} | ({"head"} if "get" in item else set())


@pytest.mark.parametrize("path", sorted(DOCUMENT.raw["paths"]))
def test_each_path_refuses_other_methods(gw, path):
    item = set(DOCUMENT.raw["paths"][path])
    for method in {"get", "put", "post", "patch", "delete"} - item:
        answer = gw.call(method.upper(), re.sub(r"\{\w+\}", "x", path), token=None, raw=b"<", headers={"Content-Type": "text/plain"})
        assert (answer.status, answer.code) == (405, "methodNotAllowed"), method
        assert {each.strip().lower() for each in answer.header("Allow").split(",")} >= item


GUARDED = [pytest.param(method, path, operation, id=operation["operationId"])
           for method, path, operation in DOCUMENT.operations if operation.get("security") != []]


@pytest.mark.parametrize("method, path, operation", GUARDED)
def test_each_operation_wants_its_token(gw, chat, method, path, operation):
    path = fill(path, *chat)
    answer = gw.call(method.upper(), path, token=None)
    assert (answer.status, answer.code) == (401, "unauthorized")
    if operation.get("security", []) and not any("sessionToken" in each for each in operation["security"]):
        answer = gw.call(method.upper(), path, token=chat[0].token)
        assert (answer.status, answer.code) == (403, "forbidden")

"""Feeds real sessions, threads and messages into schemathesis' cases, so that they come past the first 404.

Loaded by schemathesis' command line. PARLEY_URL and PARLEY_TOKEN tell which gateway; what a case would use up (a thread
to archive, a session to delete) is made for it alone. Values that are meant to be wrong stay as they are.
"""

import itertools
import os
import uuid
from functools import cache
from urllib.parse import quote

import httpx
import schemathesis
from schemathesis.core.parameters import ParameterLocation

CHANNEL = "contract-multi"
COUNT = itertools.count(1)
RUN = uuid.uuid4().hex  # several runs share a gateway, which remembers keys for a day
CLIENT = httpx.Client(base_url=os.environ["PARLEY_URL"], headers={"Authorization": f"Bearer {os.environ['PARLEY_TOKEN']}"}, timeout=20)
# These end what they are about: each gets its own.
USES_UP = {"deleteSession", "disconnectSession", "archiveThread", "closeDeskThread", "deleteMessage", "deleteDeskMessage", "leaveThread",
           "resetThreadHistory", "resetDeskThreadHistory", "removeDeskMember", "deleteCollection"}


def post(path, body=None):
    answer = CLIENT.post(path, json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def upload(path):
    answer = CLIENT.post(path, content=b"Hello", headers={"Content-Type": "application/octet-stream"})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def make():
    """A session with a thread that holds a message of the customer and one of the desk."""
    session = post("/v1/sessions", {"channel": CHANNEL})
    threads = f"/v1/sessions/{session['id']}/threads"
    thread = post(threads, {"name": "Material"})
    mine = post(f"{threads}/{thread['id']}/messages", {"text": "Hello"})
    theirs = post(f"/v1/desk/threads/{thread['id']}/messages", {"text": "Hi"})
    file = upload(f"/v1/sessions/{session['id']}/attachments")
    post(f"{threads}/{thread['id']}/messages", {"attachments": [{"id": file}]})
    collection = post(f"/v1/sessions/{session['id']}/collections", {"kind": "messages", "threadId": thread["id"]})
    desk_collection = post("/v1/desk/collections", {"kind": "messages", "threadId": thread["id"]})
    return {"attachment": file, "session": session["id"], "thread": thread["id"], "message": mine["id"], "answer": theirs["id"],
            "collection": collection["id"], "desk collection": desk_collection["id"], "channel": CHANNEL, "service": "local", "customer": session["customer"]["id"]}


shared = cache(make)


def is_wrong(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    number = next(COUNT)
    path, query, headers, body = case.path_parameters, case.query, case.headers, case.body
    material = make() if operation in USES_UP else shared()
    if operation in ("updateDeskChannel", "setDeskChannelAvailability"):
        # What others are held to must not change under them.
        channel = post("/v1/desk/channels", {"id": f"invented-{RUN[:8]}-{number}", "mode": "liveChat"})
        material = {**material, "channel": channel["id"]}
    at_desk = case.operation.path.startswith("/v1/desk")
    # One case in eight keeps its invented ids and meets a 404.
    if path and not is_wrong(case, ParameterLocation.PATH) and number % 8:
        for name in path:
            if name in material:
                own = {"message": "answer", "collection": "desk collection"}.get(name, name) if at_desk else name
                path[name] = quote(material[own], safe="")
        if "code" in path and operation == "getProblemDocs":
            path["code"] = "unknownThread"
    if query and not is_wrong(case, ParameterLocation.QUERY):
        query.pop("cursor", None)  # opaque: an invented one is rightly refused
        for name in ("channel", "customer"):
            if name in query:
                query[name] = material[name]
    if headers and not is_wrong(case, ParameterLocation.HEADER):
        if "If-Match" in headers:
            headers["If-Match"] = "*"
        if "Idempotency-Key" in headers:
            headers["Idempotency-Key"] = f"{RUN}-{number}"
        headers.pop("Repr-Digest", None)  # an invented one is rightly refused
        if "Content-Disposition" in headers:
            headers["Content-Disposition"] = 'attachment; filename="invented.bin"'
        if "Range" in headers:
            headers["Range"] = "bytes=0-0"
    if isinstance(body, dict) and not is_wrong(case, ParameterLocation.BODY):
        if operation in ("sendMessage", "sendDeskMessage") and "attachments" not in body:
            body.setdefault("text", "Hello")  # one of the two is needed, which a closed schema that generators know cannot say
        if body.get("attachments") and number % 8:
            body["attachments"] = [{"id": upload("/v1/desk/attachments" if at_desk else f"/v1/sessions/{material['session']}/attachments")}]
        if operation == "createSession":
            # A channel has a name or an address, and an address would lead out of this machine.
            for name in ("service", "environment", "urls", "brandId", "channelId", "authorization"):
                body.pop(name, None)
            if "channel" not in body or number % 4:
                body["channel"] = CHANNEL
        keep_together(operation, body, material, at_desk)


def keep_together(operation, body, material, at_desk):
    """What members demand of one another, which a schema that generators know cannot say."""
    if body.get("resend", {}).get("policy") != "automatic":
        body.get("resend", {}).pop("attempts", None)
    if operation in ("sendMessage", "sendDeskMessage"):
        if "parentId" in body:
            body["parentId"] = material["answer" if at_desk else "message"]
        else:
            body.pop("alsoInThread", None)
        if body.get("type") == "admin":
            for name in ("attachments", "parentId", "alsoInThread"):
                body.pop(name, None)
            body.setdefault("text", "Hello")
        keep_rich(body)
    for name in ("members", "attachments"):
        if isinstance(body.get(name), list):
            body[name] = list({each["id"]: each for each in body[name]}.values())
    if operation in ("createCollection", "createDeskCollection"):
        of_messages = ("threadId", "channel", "customer", "filter", "viewpoint", "limit", "parentId")
        strange = of_messages if body["kind"] == "threads" else ("query",)
        for name in strange:
            body.pop(name, None)
        if body["kind"] == "messages":
            body["threadId"] = material["thread"]
            for name in ("channel", "customer"):
                if name in body:
                    body[name] = material[name]
            if "parentId" in body:
                body["parentId"] = material["message"]


    if operation in ("createDeskChannel", "updateDeskChannel"):
        keep_fields(body)
        if body.get("mode", "liveChat") != "liveChat":
            body.pop("inactivity", None)


def keep_rich(body):
    """A rich message has the content of its type and nothing besides."""
    wanted = {"quickReplies": ("buttons",), "listPicker": ("text", "buttons"), "richLink": ("url",), "timePicker": ("sheetTitle", "timeSlots")}
    mine = wanted.get(body.get("type"))
    if mine is None:
        body.pop("content", None)
        return
    for name in ("attachments", "parentId", "alsoInThread"):
        body.pop(name, None)
    sample = {"buttons": [{"text": "Yes", "postback": "y"}], "text": "Which?", "url": "https://x.example/", "sheetTitle": "Call",
              "timeSlots": [{"id": "s1", "duration": 60, "startTime": "2026-05-04T09:30:00Z"}]}
    content = body.setdefault("content", {"title": "Title"})
    pictures = ("fileName", "fileUrl", "mimeType") if body["type"] == "richLink" else ()
    for name in [name for name in content if name not in ("title", *mine, *pictures)]:
        del content[name]
    for name in mine:
        content.setdefault(name, sample[name])


def keep_fields(body):
    """Definitions of custom fields: what their members demand of one another."""
    survey = body.get("preChatSurvey")
    for holder, name in ((body, "contactFields"), (body, "customerFields"), (survey, "fields")):
        if not holder or not isinstance(holder.get(name), list):
            continue
        holder[name] = list({field["ident"]: field for field in holder[name]}.values())
        for field in holder[name]:
            if field["type"] in ("text", "email"):
                field.pop("options", None)
                continue
            options = {option["id"]: option for option in field.get("options", [{"id": "one"}])}
            for option in options.values():
                option.pop("parentId", None)
            field["options"] = list(options.values())


@schemathesis.hook
def filter_query(context, query):
    """A head over libmicrohttpd's pool is refused by the library itself, as a page of its own (README, Limits)."""
    return not query or sum(len(quote(str(name))) + len(quote(str(value))) for name, value in query.items()) < 2000


@schemathesis.check
def documented_status(ctx, response, case):
    """The status has a line of its own: `default` alone does not document it."""
    if response.status_code == 405 or response.status_code == 431:
        return
    documented = case.operation.definition.raw["responses"]
    assert str(response.status_code) in documented, f"{response.status_code} is not documented for {case.operation.label}"


@schemathesis.check
def problem_has_a_documented_code(ctx, response, case):
    if response.status_code < 400 or "problem+json" not in response.headers.get("content-type", [""])[0]:
        return
    problem = response.json()
    codes = case.operation.schema.raw_schema["x-problem-codes"]
    assert problem.get("code") in codes, f"{problem.get('code')} is no documented code"
    assert problem["status"] == response.status_code


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A guess that is slowed down (429) was not let in either."""
    return "got `429 " not in failure.message

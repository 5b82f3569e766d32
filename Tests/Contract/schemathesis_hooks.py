"""Feeds real sessions, threads and messages into schemathesis' cases, so that they come past the first 404.

Loaded by schemathesis' command line. PARLEY_URL and PARLEY_TOKEN tell which gateway; what a case would use up (a thread
to archive, a session to delete) is made for it alone. Values that are meant to be wrong stay as they are, and so do ids
that an answer gave: the stateful phase takes them there by the document's links. PARLEY_LINKS names a file that is to
tell how often each link was followed.
"""

import datetime
import itertools
import json
import os
import re
import time
import uuid
from datetime import date
from functools import cache
from urllib.parse import quote, unquote

import httpx
import schemathesis
import schemathesis.cli
from schemathesis.core.parameters import ParameterLocation
from schemathesis.engine import events

CHANNEL = "contract-multi"
OWN_CHANNELS = {CHANNEL, "contract-single", "multi", "single", "live"}
COUNT = itertools.count(1)
RUN = uuid.uuid4().hex  # several runs share a gateway, which remembers keys for a day
CLIENT = httpx.Client(base_url=os.environ["PARLEY_URL"], headers={"Authorization": f"Bearer {os.environ['PARLEY_TOKEN']}"}, timeout=20)
# These end what they are about: each gets its own.
USES_UP = {"deleteSession", "deleteSessions", "disconnectSession", "archiveThread", "closeDeskThread", "deleteDeskThread", "deleteMessage", "deleteDeskMessage", "leaveThread",
           "resetThreadHistory", "resetDeskThreadHistory", "removeDeskMember", "deleteCollection"}


def post(path, body=None):
    answer = CLIENT.post(path, json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def upload(path):
    """A file's id; an invented one where nothing can be uploaded to."""
    answer = CLIENT.post(path, content=b"Hello", headers={"Content-Type": "application/octet-stream"})
    return answer.json()["id"] if answer.is_success else "none"


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
# Nobody listens there: what is to be sent waits.
NOWHERE = "http://127.0.0.1:9/"
INVENTED = f"invented-{RUN[:8]}"
# With the keys of RFC 8291's example. Its host is refused when something is to be sent there.
SUBSCRIPTION = {"endpoint": "https://localhost:9/push", "keys": {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}


@cache
def webhook():
    """A webhook with a delivery that waits."""
    room = make()
    path = f"/v1/webhooks/{post('/v1/webhooks', {'id': INVENTED, 'url': NOWHERE})['id']}"
    post(f"/v1/sessions/{room['session']}/threads/{room['thread']}/messages", {"text": "Hello"})
    for _ in range(500):
        if items := CLIENT.get(f"{path}/deliveries").json()["items"]:
            return {"webhook": INVENTED, "delivery": items[-1]["id"]}
        time.sleep(0.02)
    raise AssertionError("no delivery of the webhook")


# Ids that answers gave, and by each session the thread that it was last seen with.
KNOWN: set[str] = set()
THREADS: dict[str, str] = {}
# Threads that were left: they are gone for who has made them, though nobody has deleted them.
LEFT: set[str] = set()


def ids(value):
    """All ids in an answer."""
    if isinstance(value, list):
        for each in value:
            yield from ids(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name in ("id", "threadId", "parentId", "channel", "customer") and isinstance(each, str):
                yield each
            else:
                yield from ids(each)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """A link's body has its own name in the document, for generators take none that is no string."""
    for link in raw_schema["components"]["links"].values():
        if "x-requestBody" in link:
            link["requestBody"] = link.pop("x-requestBody")


@schemathesis.hook
def after_call(context, case, response):
    """Notes the ids in an answer: a case that names one of them is left alone."""
    operation = case.operation.definition.raw.get("operationId")
    if response.status_code < 300 and operation in ("leaveThread", "removeDeskMember", "deleteDeskThread"):
        LEFT.add(unquote(case.path_parameters["thread"]))
    if response.status_code < 300 and response.headers.get("content-type", [""])[0].startswith("application/json"):
        KNOWN.update(ids(response.json()))
    if response.status_code == 201 and operation == "createThread":
        THREADS[unquote(case.path_parameters["session"])] = response.json()["id"]


def is_linked(path):
    return any(unquote(str(value)) in KNOWN for value in path.values())


def thread_of(session):
    """A thread of a session that a link named, for a message to an invented one."""
    if session not in THREADS:
        answer = CLIENT.post(f"/v1/sessions/{quote(session, safe='')}/threads", json={"name": "Material"})
        THREADS[session] = answer.json()["id"] if answer.is_success else "none"
    return THREADS[session]


def real_day(time):
    """A time of the pattern, whose day may be the 31st of February: that no pattern says."""
    return f"2026-05-04{time[10:]}" if time[4:5] == "-" else time


@cache
def own_channel(name):
    """There are at most 1,000 channels, and more requests than that change one."""
    return post("/v1/desk/channels", {"id": name, "mode": "liveChat"})["id"]


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
        KNOWN.difference_update(OWN_CHANNELS)
        material = {**material, "channel": own_channel(f"invented-{RUN[:8]}-{number % 100}")}
    if "webhook" in (path or {}):
        material = {**material, **webhook()}
    if operation == "deleteWebhook":
        material["webhook"] = post("/v1/webhooks", {"id": f"own-{RUN[:8]}-{number}", "url": NOWHERE})["id"]
    at_desk = case.operation.path.startswith("/v1/desk")
    is_elsewhere = bool(path) and is_linked(path)
    # One case in eight keeps its invented ids and meets a 404.
    if path and not is_wrong(case, ParameterLocation.PATH) and number % 8:
        session = unquote(str(path.get("session", "")))
        if session in KNOWN and "thread" in path and unquote(str(path["thread"])) not in KNOWN:
            path["thread"] = quote(thread_of(session), safe="")
        for name, value in path.items():
            if str(value) in KNOWN:
                path[name] = quote(str(value), safe="")  # links pass ids as they are
            elif name in material and not is_elsewhere:
                own = {"message": "answer", "collection": "desk collection"}.get(name, name) if at_desk else name
                path[name] = quote(material[own], safe="")
        if "code" in path and operation == "getProblemDocs":
            path["code"] = "unknownThread"
    if operation == "snoozeDeskThread" and isinstance(body, dict) and "until" in body and not is_wrong(case, ParameterLocation.BODY):
        body["until"] = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).isoformat()
    if operation == "deleteSessions" and not is_wrong(case, ParameterLocation.QUERY):
        # Those of others are needed, and one filter is.
        query = case.query = {**(query or {}), "customer": material["customer"]}
    if query and not is_wrong(case, ParameterLocation.QUERY):
        query.pop("cursor", None)  # opaque: an invented one is rightly refused
        for name in ("channel", "customer"):
            several = isinstance(query.get(name), list)
            if name in query and (several or query[name] not in KNOWN) and is_elsewhere:
                del query[name]
            elif name in query and (several or query[name] not in KNOWN):
                query[name] = [material[name]] if several else material[name]
        if operation in ("getDeskReport", "getOwnReport"):
            # An invented name is no time zone, and invented times are too far apart.
            query.pop("since", None), query.pop("until", None)
            query["timeZone"] = "Europe/Berlin"
        if query.get("order") == "waiting":
            query.pop("since", None), query.pop("until", None)
        if operation in ("listMessages", "listDeskMessages") and "q" not in query:
            for name in ("types", "senderKinds", "senderIds"):
                query.pop(name, None)  # they choose among what a search has found
        if "platform" in query:
            query["platform"] = "cxone"  # the only sandbox of the gateway that is asked
        if "since" in query:
            query.pop("until", None)  # a list that ends before it begins is refused
        if "utcOffset" in query:
            query["format"] = "text"  # times in JSON are in UTC
        if isinstance(query.get("from"), str):
            query["from"] = real_day(query["from"])
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
        if isinstance(body.get("viewpoint"), str):
            body["viewpoint"] = real_day(body["viewpoint"])
        if operation in ("sendMessage", "sendDeskMessage") and "attachments" not in body:
            body.setdefault("text", "Hello")  # one of the two is needed, which a closed schema that generators know cannot say
        if body.get("attachments") and number % 8 and not KNOWN.intersection(ids(body["attachments"])):
            body["attachments"] = [{"id": upload("/v1/desk/attachments" if at_desk else f"/v1/sessions/{path['session']}/attachments")}]
        if operation in ("createTickets", "createDeskTickets"):
            place = "/v1/desk" if at_desk else f"/v1/sessions/{path['session']}"
            body["paths"] = [f"{place}/attachments/{one}" for one in range(len(body.get("paths", [1])))]
        if operation == "createSession":
            # A channel has a name or an address, and an address would lead out of this machine.
            for name in ("service", "environment", "urls", "brandId", "channelId", "authorization"):
                body.pop(name, None)
            if "channel" not in body or (number % 4 and body["channel"] not in KNOWN):
                body["channel"] = CHANNEL
        if operation in ("createWebhook", "updateWebhook"):
            # An invented address would lead out of this machine.
            body["url"] = NOWHERE
            if body.get("headers"):
                body["headers"] = {"X-Own": "a"}  # some names are the gateway's, and none comes twice
            if "session" in body.get("audience", {}):
                body["audience"] = {"session": material["session"]}
        if operation in ("setDevice", "createDeskDevice") and "subscription" in body:
            # A key is a point of a curve, and an invented address would lead out of this machine.
            body["subscription"] = SUBSCRIPTION
        if case.path.startswith("/v1/sandbox/"):
            steps = body.get("steps") if isinstance(body.get("steps"), list) else []
            for fault in [body, *(step.get("fault") for step in steps if isinstance(step, dict))]:
                if isinstance(fault, dict) and fault.get("kind") in SENDBIRD_FAULTS:
                    fault["kind"] = "refuse"  # those are not among the faults of the sandbox that is asked
        is_right = case.meta is None or case.meta.generation.mode.is_positive
        if operation in ("uploadAttachment", "uploadDeskAttachment") and is_right and body.get("file") in ("", b""):
            body["file"] = "Hello"  # an empty file is refused: generators know no length of files
            if "page" in body:
                body["page"] = "http://localhost:8787/"
        keep_together(operation, body, material, at_desk, is_elsewhere)


# What goes wrong in Sendbird's sandbox alone.
SENDBIRD_FAULTS = {
    "badSignature", "cutAnswer", "delayPush", "dropWebhook", "expirePage", "lateDeed", "limitRate", "loseRequest"}
# The scopes that are about channels, so that a key with them may be limited to some.
CHANNEL_SCOPES = re.compile(r"sessions\..*|desk\.(read|write)|customers\.write|channels\.read|reports\.read")


def keep_import(body, material):
    """A conversation of one moment: its ids are each there once, and nothing in it refers to what is not there."""
    def at_once(value):
        if isinstance(value, list):
            return [at_once(one) for one in value]
        if not isinstance(value, dict):
            return value
        moments = ("createdAt", "updatedAt", "editedAt", "seenAt", "at", "openedAt", "closedAt")
        return {name: "2024-05-04T09:30:00Z" if name in moments else at_once(one) for name, one in value.items()}

    body.update(at_once(body), channel=material["channel"], customFields={})
    for name in ("messages", "notes", "members"):
        if isinstance(body.get(name), list):
            body[name] = list({one["id"]: one for one in body[name]}.values())
    body["members"] = []
    for message in body.get("messages", []):
        for name in ("parentId", "alsoInThread", "content"):
            message.pop(name, None)
        if message.get("type") not in ("text", "admin"):
            message.pop("type", None)
    body["contacts"] = body.get("contacts", [])[:1]
    for contact in body["contacts"]:
        for name in ("firstAnswerAt", "firstAnswerBy"):
            contact.pop(name, None)
        contact["closedAt"] = "2024-05-04T09:30:00Z"
    for holder in [body, *body["contacts"]]:
        if "tags" in holder:
            holder["tags"] = [tag for tag in holder["tags"] if "id" in tag or "name" in tag]


def keep_together(operation, body, material, at_desk, is_elsewhere):
    """What members demand of one another, which a schema that generators know cannot say."""
    if operation in ("createKey", "updateKey"):
        body.pop("expiresAt", None)  # an invented time is past, or too far
    if operation == "createKey" and not all(CHANNEL_SCOPES.fullmatch(str(scope)) for scope in body.get("scopes", [])):
        body.pop("channels", None)
    if operation in ("createPerson", "updatePerson"):
        if body.get("role", "administrator") == "administrator":
            body.pop("channels", None)  # an administrator is not limited
        if len(str(body.get("email", "")).encode("utf-8", "replace")) > 254:
            body["email"] = "long@shop.example"  # the limit is one of bytes, which a schema cannot say
    if operation == "importThread":
        keep_import(body, material)
    if operation == "updateDeskCustomer" and body.get("email"):
        body["email"] = "invented@shop.example"  # no pattern of a schema says what an address is
    if operation == "setPresence" and (body.get("state") == "offline" or "threadId" not in body):
        for name in ("threadId", "doing"):
            body.pop(name, None)
    if body.get("resend", {}).get("policy") != "automatic":
        body.get("resend", {}).pop("attempts", None)
    if operation in ("sendMessage", "sendDeskMessage"):
        if is_elsewhere:
            body.pop("parentId", None)
        if "parentId" in body:
            body["parentId"] = material["answer" if at_desk else "message"]
        else:
            body.pop("alsoInThread", None)
        if body.get("type") == "admin":
            for name in ("attachments", "parentId", "alsoInThread"):
                body.pop(name, None)
            body.setdefault("text", "Hello")
        keep_rich(body)
    for name in ("members", "attachments", "menu"):
        if isinstance(body.get(name), list):
            body[name] = list({each["id"]: each for each in body[name]}.values())
    if operation in ("createCollection", "createDeskCollection"):
        of_messages = ("threadId", "channel", "customer", "filter", "viewpoint", "limit", "parentId")
        strange = of_messages if body["kind"] == "threads" else ("query",)
        for name in strange:
            body.pop(name, None)
        if body["kind"] == "messages" and body.get("threadId") not in KNOWN:
            body["threadId"] = material["thread"]
            for name in ("channel", "customer"):
                if name in body:
                    body[name] = material[name]
            if "parentId" in body:
                body["parentId"] = material["message"]
        lists = [part[name] for part in (body.get("filter", {}), body.get("query", {})) for name in ("customTypes", "senderIds") if name in part]
        while len(json.dumps(body)) > 12_000 and any(len(each) > 1 for each in lists):  # a definition has a bound
            for each in lists:
                del each[max(1, len(each) // 2):]

    if operation in ("createDeskChannel", "updateDeskChannel"):
        keep_fields(body)
        body.pop("texts", None)  # the keys are those of the pages' tables
        if isinstance(body.get("appearance"), dict):
            body["appearance"].pop("logo", None)  # it is the one that the channel has
        if isinstance(body.get("visitors"), dict) and body["visitors"].get("identity", "off") == "off":
            body["visitors"].pop("anonymous", None)  # nobody vouches there
        if body.get("mode", "liveChat") != "liveChat":
            body.pop("inactivity", None)
        keep_hours(body)


def is_day(text):
    try:
        return date.fromisoformat(text) is not None
    except ValueError:
        return False


def keep_hours(body):
    """Hours are in a time zone that there is, and the times of a day follow each other."""
    hours = body.get("hours")
    if isinstance(hours, dict):
        hours["timeZone"] = "Europe/Berlin"
        days = [day for day in hours.get("open") or [] if is_day(day["day"])]
        for day in days:
            day["times"] = [["09:00", "12:00"], ["13:00", "24:00"]]
        known = {day["day"]: day for day in days}
        if "open" in hours:
            hours["open"] = list(known.values())
        if "closed" in hours:
            hours["closed"] = [day for day in hours["closed"] if is_day(day) and day not in known]
        for name in list(hours.get("week") or {}):
            hours["week"][name] = [["09:00", "12:00"], ["13:00", "24:00"]]
    answer = (body.get("outside") or {}).get("answer")
    if isinstance(answer, dict):
        body["outside"]["answer"] = {tag: text for tag, text in zip(("de", "en", "pt-BR"), answer.values())}


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
    """A guess that is slowed down (429) was not let in either; who has left a thread does not find it again."""
    if response.status_code == 404 and LEFT.intersection(unquote(str(value)) for value in (case.path_parameters or {}).values()):
        return False
    return "got `429 " not in failure.message


@schemathesis.cli.handler()
class LinkCounter(schemathesis.cli.EventHandler):
    """Counts how often each link was followed, by the class of the answer's status."""

    def __init__(self, *args, **parameters):
        self.counts = {}

    def handle_event(self, ctx, event):
        if not isinstance(event, events.ScenarioFinished):
            return
        for id, node in event.recorder.cases.items():
            answer = event.recorder.interactions.get(id)
            if node.transition is None or not node.is_transition_applied or answer is None or answer.response is None:
                continue
            status = f"{answer.response.status_code // 100}xx"
            counts = self.counts.setdefault(node.transition.id, {})
            counts[status] = counts.get(status, 0) + 1

    def shutdown(self, ctx):
        if path := os.environ.get("PARLEY_LINKS"):
            with open(path, "w") as file:
                json.dump(self.counts, file, indent=1)

"""One request a line: method, path, body, what is expected. `{s}`, `{t}`, ... are the words of the fixture `world`.

What needs more than one request is in test_flows.py.
"""

import json
import re
from dataclasses import dataclass, field

import pytest


@dataclass
class Row:
    request: str                       # "POST {s}/connect"
    status: int | tuple
    code: str | tuple | None = None    # the problem's code
    body: object = None                # sent as JSON
    raw: bytes | None = None           # sent as it is
    has: tuple | str = ()              # what the answer's body must contain
    lacks: tuple | str = ()            # and must not
    pointer: str | None = None         # errors[0].pointer
    headers: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)  # headers of the answer: regular expressions
    token: str | None = "gateway"      # "gateway", "session", a token, or None

    def __str__(self):
        sent = self.body if self.body is not None else self.raw
        sent = "" if sent is None else f" {str(sent)[:40]}"
        return re.sub(r"\s+", " ", f"{self.request}{sent} {self.code or self.status}")


JSON = {"Content-Type": "application/json"}
TEXT = {"Content-Type": "text/plain"}
NONE = "00000000-0000-4000-8000-000000000000"


def bad(request, code, body=None, pointer=None, status=422, **more):
    return Row(request, status, code, body, pointer=pointer, **more)


def json_body(raw, **more):
    return Row("POST {t}/messages", 400, "invalidJSON", raw=raw, headers=JSON, **more)


OPEN = [Row(f"GET {path}", 200, token=None, has=has, answers=answers) for path, has, answers in (
    ("/", "<", {"Content-Type": "text/html.*", "Content-Security-Policy": ".*default-src 'self'.*frame-ancestors 'none'.*", "X-Content-Type-Options": "nosniff"}),
    ("/?thread=a&channel=b&anything=c", "<", {}), ("/desk", "<", {"Content-Type": "text/html.*", "Content-Security-Policy": ".*frame-ancestors 'none'.*"}),
    ("/docs", '<a href="/docs/GettingStarted">', {}), ("/docs?q=isTyping", 'class="results"', {"ETag": ".+"}),
    ("/docs/api/messages?q=send", 'id="sendMessage"', {"Content-Type": "text/html.*", "Content-Security-Policy": ".*default-src 'self'.*"}),
    ("/docs/GettingStarted", "<h2", {"Content-Type": "text/html.*", "Content-Security-Policy": ".*default-src 'self'.*"}),
    ("/docs/GettingStarted.md", "# Getting started", {"Content-Type": "text/markdown.*", "ETag": ".+"}),
    ("/parley.js", "Parley", {"Content-Type": "text/javascript.*"}),
    ("/parley.d.ts", "class Parley", {}), ("/parley.py", "class Parley", {"Content-Type": "text/x-python.*"}),
    ("/parley_schemas.pyi", "class Message", {"Content-Type": "text/x-python.*"}),
    ("/parley/errors.js", "ParleyError", {"Content-Type": "text/javascript.*"}),
    ("/push-worker.js", "pushsubscriptionchange", {"Content-Type": "text/javascript.*", "Cache-Control": "no-cache"}),
    ("/openapi.json", '"openapi"', {}), ("/livez", (), {}), ("/readyz", (), {}),
    ("/readyz?verbose", '"status"', {"Content-Type": "application/json.*"}), ("/livez?verbose", '"status"', {"Content-Type": "application/json.*"}),
    ("/auth/status", "false", {}))]

GATE = [
    Row("GET /v1/info", 421, "misdirectedHost", headers={"Host": "evil.example"}),
    Row("GET /", 421, "misdirectedHost", headers={"Host": "evil.example"}, token=None),
    Row("GET /v1/nothing", 421, "misdirectedHost", headers={"Host": "evil.example"}),
    Row("GET /v1/info", 421, "misdirectedHost", headers={"Host": "evil.example:{port}"}),
    Row("GET /v1/info", 200, headers={"Host": "localhost:{port}"}),
    Row("GET /v1/info", 403, "foreignOrigin", headers={"Origin": "https://evil.example"}),
    Row("GET /v1/info", 403, "foreignOrigin", headers={"Origin": "null"}),
    Row("GET /v1/info", 200, headers={"Origin": "http://127.0.0.1:{port}"}),
    Row("GET /v1/info", 403, "foreignOrigin", headers={"Origin": "http://127.0.0.1:1"}),
    Row("GET /v1/info", 403, "foreignOrigin", headers={"Origin": "https://127.0.0.1:{port}"}),
    Row("POST {s}/connect", 403, "foreignOrigin", headers={"Sec-Fetch-Site": "cross-site"}),
    Row("POST {s}/connect", 403, "foreignOrigin", headers={"Sec-Fetch-Site": "same-site"}),
    Row("POST {s}/connect", 200, headers={"Sec-Fetch-Site": "same-origin"}),
    Row("POST {s}/connect", 200, headers={"Sec-Fetch-Site": "none"}),
    Row("GET /v1/nothing", 403, "foreignOrigin", headers={"Origin": "https://evil.example"}),
    Row("GET /docs/api/nothing", 404, "notFound", token=None), Row("GET /docs?page=1", 400, "unknownParameter", token=None),
    Row(f"GET /docs?q={'x' * 101}", 400, "invalidParameter", token=None),
    Row("GET /nothing", 404, "notFound", token=None), Row("GET /v1", 404, "notFound", token=None),
    Row("GET /v1/nothing", 404, "notFound", token=None), Row("DELETE /v1/nothing", 404, "notFound", token=None),
    Row("GET /v1/sessions/", 404, "notFound"), Row("GET //v1/sessions", 404, "notFound"), Row("GET /V1/info", 404, "notFound"),
    Row("GET /v1%2Finfo", 404, "notFound"),
    Row("GET /assets/../../../../etc/passwd", 404, lacks="root:", token=None),
    Row("GET /assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd", 404, lacks="root:", token=None),
    Row("GET /assets/..%2f..%2fetc%2fpasswd", 404, lacks="root:", token=None), Row("GET /assets/none.css", 404, token=None),
    Row("PUT /v1/sessions", 405, "methodNotAllowed", raw=b"x", headers=TEXT, token=None, answers={"Allow": ".*POST.*"}),
    Row("PUT {t}/messages", 405, "methodNotAllowed", raw=b"{", headers=TEXT, answers={"Allow": ".*GET.*POST.*|.*POST.*GET.*"}),
    Row("OPTIONS /v1/sessions", 204, token=None, answers={"Allow": ".*GET.*"}), Row("OPTIONS /v1/nothing", 404, "notFound", token=None),
    Row("POST /v1/sessions", 401, "unauthorized", raw=b"x", headers=TEXT, token=None, answers={"WWW-Authenticate": "Bearer.*"}),
    Row("GET /v1/info", 401, "unauthorized", token=None), Row("GET /metrics", 401, "unauthorized", token=None),
    Row("GET /v1/info", 401, "unauthorized", token=None, headers={"Authorization": "Basic YTpi"}),
    Row("GET /v1/info?token={gateway_token}", 401, "unauthorized", token=None),
    Row("POST {t}/messages", 415, "unsupportedMediaType", raw=b'{"text":"x"}', headers=TEXT, answers={"Accept": ".*application/json.*"}),
    Row("POST {t}/messages", 415, "unsupportedMediaType", raw=b"x" * ((1 << 20) + 1), headers=TEXT),
    Row("POST {t}/messages", 415, "unsupportedMediaType", raw=b"text=x", headers={"Content-Type": "application/x-www-form-urlencoded"}),
    Row("POST {t}/messages", 201, raw=b'{"text":"with a charset"}', headers={"Content-Type": "Application/JSON; charset=utf-8"}),
    Row("PATCH {t}", 415, "unsupportedMediaType", raw=b'{"name":"x"}', headers={"Content-Type": "application/json-patch+json"}),
    Row("POST {t}/messages", 413, "bodyTooLarge", raw=b"{" * ((1 << 20) + 1), headers=JSON),
    Row("GET {t}", 200, headers={"Accept": "text/html"}), Row("GET {t}", 200, headers={"Accept": "application/xml;q=1, */*;q=0"}),
    Row("GET /v1/info", 200, headers={"X-Request-Id": "abc-123"}, answers={"X-Request-Id": "abc-123"}),
    Row("GET /v1/info", 200, headers={"X-Request-Id": "x" * 500}, answers={"X-Request-Id": "(?!xxx).{1,128}"}),
    Row("GET /v1/info", 200, headers={"X-Request-Id": "caf\u00e9"}, answers={"X-Request-Id": "[!-~]{1,128}"}),
]

BODIES = [
    json_body(b"{"), json_body(b'{"text":"a"} x'), json_body(b'{"text":"a",}'), json_body(b"{'text':'a'}"), json_body(b'{"text":NaN}'),
    json_body(b'{"text":"\xff\xfe"}'), json_body(b'{"text":"\xc0\x80"}'), json_body(b'{"text":"\xed\xa0\x80"}'),
    json_body(b'{"text":"\\ud800"}'), json_body(b'{"text":"\\udc00 \\ud800"}'), json_body(b'{"text":"a\nb"}'), json_body(b'{"text":"\\x"}'),
    json_body(b"[" * 10_000 + b"]" * 10_000), json_body(b'{"text":' * 10_000 + b'"a"' + b"}" * 10_000), json_body(b"[" * 10_000),
    json_body(b'{"a":' * 65 + b"1" + b"}" * 65),
    Row("POST {t}/messages", (400, 422), raw=b"[]", headers=JSON), Row("POST {t}/messages", (400, 422), raw=b'"text"', headers=JSON),
    Row("POST {t}/messages", (400, 422), raw=b"null", headers=JSON), Row("POST {t}/messages", (400, 415, 422), raw=b"", headers=JSON),
    Row("POST {t}/messages", (400, 415, 422)),
    Row("POST {t}/messages", 201, raw='{"text":"\\ud83d\\ude00 and é"}'.encode(), headers=JSON, has="and"),
    bad("POST {t}/messages", "unknownMember", {"text": "a", "txet": "b"}, "#/txet"),
    bad("POST {t}/messages", "unknownMember", {"text": "a", "a/b~c": "b"}, "#/a~1b~0c"),
    bad("POST {t}/messages", "invalidValue", {"text": 1}, "#/text"), bad("POST {t}/messages", "invalidValue", {"text": ["a"]}, "#/text"),
    bad("POST {t}/messages", "invalidValue", {"text": "a", "id": 5}, "#/id"), bad("POST {t}/messages", "invalidValue", {"text": "a", "id": ""}, "#/id"),
    bad("POST {t}/messages", "invalidValue", {"text": "a", "id": "x" * 129}, "#/id"), bad("POST {t}/messages", "invalidValue", {"text": "a", "id": "é"}, "#/id"),
    bad("POST {t}/messages", "invalidValue", {"text": "a", "id": "a\nb"}, "#/id"),
    bad("POST {t}/messages", "invalidParameter", {}), bad("POST {t}/messages", "textTooLong", {"text": "x" * 65_537}),
    bad("POST {t}/messages", "textTooLong", {"text": "€" * 21_846}),
    Row("POST {t}/messages", 201, body={"text": "x" * 65_536}), Row("POST {t}/messages", 201, body={"text": "a", "id": "An id / of 3 words ~!", "customType": "note"}),
    bad("POST /v1/sessions", "missingMember", {}, "#/channel"), bad("POST /v1/sessions", "invalidValue", {"channel": 1}, "#/channel"),
    bad("POST /v1/sessions", "invalidValue", {"channel": "contract-multi", "customer": "me"}, "#/customer"),
    bad("POST /v1/sessions", "unknownMember", {"channel": "contract-multi", "customer": {"nick": "me"}}, "#/customer/nick"),
    bad("POST /v1/sessions", "invalidValue", {"channel": "contract-multi", "connect": "yes"}, "#/connect"),
    bad("POST /v1/sessions", "invalidValue", {"channel": "contract-multi", "connect": None}, "#/connect"),
    bad("POST /v1/sessions", "unknownService", {"service": "pigeon", "channel": "contract-multi"}, "#/service", status=404),
    bad("POST /v1/sessions", "unknownChannel", {"channel": "no-such-channel"}, status=404),
    bad("POST {s}/sync", "invalidValue", {"state": "flying"}, "#/state"), bad("POST {s}/sync", "missingMember", {}, "#/state"),
    bad("POST {s}/threads", "invalidValue", {"name": "n" * 257}, "#/name"), bad("POST {s}/threads", "unknownMember", {"title": "n"}, "#/title"),
    Row("POST {s}/threads", 201, body={"name": "n" * 256}), Row("POST {s}/threads", 201, body={"name": "é" * 256}), Row("POST {s}/threads", 201),
    Row("POST {s}/threads", 201, body={}, answers={"Location": "/v1/sessions/.*/threads/.*"}),
    bad("POST {s}/threads", "invalidValue", {"customFields": {"a": 1}}, "#/customFields/a"),
    bad("PATCH {t}", "missingMember", {}, "#/name"), bad("PATCH {t}", "invalidValue", {"name": "n" * 257}, "#/name"), bad("PATCH {t}", "unknownMember", {"name": "a", "state": "closed"}, "#/state"),
    bad("POST {t}/typing", "missingMember", {}, "#/isTyping"), bad("POST {t}/typing", "invalidValue", {"isTyping": 1}, "#/isTyping"),
    bad("PUT {s}/customer", "unknownMember", {"id": "x"}, "#/id"), bad("PUT {s}/customer", "invalidValue", {"firstName": 1}, "#/firstName"),
    bad("PUT {s}/customer/customFields", "missingMember", {}, "#/customFields"), bad("PUT {t}/customFields", "invalidValue", {"customFields": {"a": {}}}, "#/customFields/a"),
    bad("PUT {t}/customFields", "invalidParameter", {"customFields": {f"f{n}": "x" for n in range(101)}}, "#/customFields"),
    bad("PUT {t}/customFields", "invalidParameter", {"customFields": {f"f{n}": "x" * 4096 for n in range(17)}}, "#/customFields"),
    bad("PUT {s}/customer/customFields", "invalidParameter", {"customFields": {"f": "x" * 4097}}, "#/customFields/f"),
    bad("PATCH {m}", "missingMember", {}, "#/text"), bad("PATCH {m}", "textTooLong", {"text": "x" * 65_537}), bad("PATCH {m}", "unknownMember", {"text": "a", "status": "seen"}, "#/status"),
    bad("POST {dt}/messages", "unknownMember", {"text": "a", "agent": {"id": "a", "name": "A", "kind": "bot"}}, "#/agent/kind"),
    bad("POST {dt}/messages", "missingMember", {"text": "a", "agent": {"id": "a"}}, "#/agent/name"), bad("POST {dt}/messages", "textTooLong", {"text": "x" * 65_537}),
    bad("POST {dt}/assign", "missingMember", {}, "#/agent"), bad("POST {dt}/typing", "missingMember", {}, "#/isTyping"),
    bad("POST /v1/desk/channels", "invalidValue", {"id": "a b", "mode": "multithread"}, "#/id"), bad("POST /v1/desk/channels", "missingMember", {"id": "some"}, "#/mode"),
    bad("POST /v1/desk/channels", "invalidValue", {"id": "some", "mode": "telepathy"}, "#/mode"),
    bad("POST /v1/desk/channels", "channelExists", {"id": "contract-multi", "mode": "multithread"}, status=409),
    bad("PUT /v1/log", "invalidValue", {"level": "loud"}, "#/level"), bad("PUT /v1/log", "unknownMember", {"volume": 1}, "#/volume"),
]

# Clients take these for steps of the path: no id may be one.
STEPS = [bad(request, "invalidValue", {**body, name: step}, f"#/{name}") for step in (".", "..") for request, name, body in (
    ("POST {s}/threads", "id", {}), ("POST {t}/messages", "id", {"text": "a"}), ("POST {dt}/messages", "id", {"text": "a"}),
    ("POST {t}/messages", "parentId", {"text": "a"}), ("POST /v1/desk/threads", "id", {"channel": "contract-multi", "members": [{"id": "x"}]}))] + [
    bad("POST /v1/sessions", "invalidValue", {"channel": "contract-multi", "customer": {"id": ".."}}, "#/customer/id"),
    bad("POST /v1/desk/threads", "invalidValue", {"channel": "contract-multi", "members": [{"id": "."}]}, "#/members/0/id"),
    bad("POST {dt}/assign", "invalidValue", {"agent": {"id": "..", "name": "x"}}, "#/agent/id"),
    bad("POST {dt}/read?as=..", "invalidParameter", None, "?as", 400), bad("GET /v1/desk/threads?customer=.", "invalidParameter", None, "?customer", 400)]

CLAIMS = [
    bad("POST {dt}/assign", "invalidValue", {"agent": {"id": "eve", "name": "Eve"}, "ifAgent": "you"}, "#/ifAgent"),
    Row("POST {dt}/assign", 412, "preconditionFailed", {"agent": {"id": "eve", "name": "Eve"}}, headers={"If-Match": '"other"'}),
    Row("POST {dt}/assign", 409, "assignedToAnother", {"agent": {"id": "eve", "name": "Eve"}, "ifAgent": "me"}),
    Row("POST {dt}/messages", 409, "assignedToAnother", {"text": "a", "agent": {"id": "eve", "name": "Eve"}, "ifAgent": "me"}),
    *(Row(f"POST {{dt}}/{action}", 412, "preconditionFailed", headers={"If-Match": '"other"'}) for action in ("close", "release", "endContact")),
    Row("DELETE {dt}", 412, "preconditionFailed", headers={"If-Match": '"other"'}), Row(f"DELETE /v1/desk/threads/{NONE}", 404, "unknownThread")]

QUERIES = [bad(f"GET {{t}}/messages?{query}", code, None, pointer, 400) for query, code, pointer in (
    ("limit=0", "invalidParameter", "?limit"), ("limit=201", "invalidParameter", "?limit"), ("limit=x", "invalidParameter", "?limit"),
    ("limit=", "invalidParameter", "?limit"), ("limit=-1", "invalidParameter", "?limit"), ("limit=5.0", "invalidParameter", "?limit"),
    ("limit=99999999999999999999", "invalidParameter", "?limit"), ("cursor=garbage", "invalidParameter", "?cursor"), ("cursor=", "invalidParameter", "?cursor"),
    ("replies=some", "invalidParameter", "?replies"), ("find=x", "unknownParameter", "?find"), ("Limit=5", "unknownParameter", "?Limit"), ("limit=5&x", "unknownParameter", "?x"))] + [
    bad("GET {s}/threads?state=ajar", "invalidParameter", None, "?state", 400), bad("GET {s}?x=1", "unknownParameter", None, "?x", 400),
    bad("GET /v1/info?x=1", "unknownParameter", None, "?x", 400), bad("GET /readyz?verbose=perhaps", "invalidParameter", None, "?verbose", 400),
    bad("GET /v1/desk/threads?state=ajar", "invalidParameter", None, "?state", 400), bad("POST {s}/connect?x=1", "unknownParameter", None, "?x", 400),
    bad("GET {s}/events?types=message.created,nonsense", "invalidParameter", None, "?types", 400),
    bad("GET {s}/events?types=", "invalidParameter", None, "?types", 400), bad("GET /v1/events?desk=maybe", "invalidParameter", None, "?desk", 400),
    Row("GET {t}/messages?limit=1", 200), Row("GET {t}/messages?limit=200", 200), Row("GET {t}/messages?replies=none", 200), Row("GET {t}/messages?limit=%31", 200),
    *(Row(f"GET {{s}}/threads?state={state}", 200) for state in ("open", "closed", "all")),
    Row("GET /v1/desk/threads?channel=contract-multi&state=open&limit=5", 200, has='"contract-multi"', lacks='"contract-single"'),
]

UNKNOWN = [Row(request, 404, code) for request, code in (
    (f"GET /v1/sessions/{NONE}", "unknownSession"), (f"DELETE /v1/sessions/{NONE}", "unknownSession"), (f"POST /v1/sessions/{NONE}/connect", "unknownSession"),
    (f"GET /v1/sessions/{NONE}/threads", "unknownSession"), (f"GET /v1/sessions/{NONE}/threads/{NONE}", "unknownSession"), (f"GET /v1/sessions/{NONE}/customer", "unknownSession"),
    (f"GET /v1/sessions/{NONE}/events", "unknownSession"), (f"GET /v1/events?session={NONE}", "unknownSession"),
    (f"GET {{s}}/threads/{NONE}", "unknownThread"), (f"GET {{s}}/threads/{NONE}/messages", "unknownThread"), (f"POST {{s}}/threads/{NONE}/archive", "unknownThread"),
    (f"GET {{s}}/threads/{NONE}/customFields", "unknownThread"), (f"GET {{t}}/messages/{NONE}", "unknownMessage"), (f"DELETE {{t}}/messages/{NONE}", "unknownMessage"),
    (f"GET /v1/desk/threads/{NONE}", "unknownThread"), (f"POST /v1/desk/threads/{NONE}/close", "unknownThread"), (f"GET {{dt}}/messages/{NONE}", "unknownMessage"),
    ("GET {dpending}", "unknownThread"), ("GET {dpending}/messages", "unknownThread"),
    ("GET /v1/services/pigeon/channels/contract-multi", "unknownService"), ("GET /v1/services/local/channels/no-such-channel", "unknownChannel"))] + [
    Row(f"POST {{s}}/threads/{NONE}/messages", 404, "unknownThread", {"text": "a"}), Row(f"PATCH {{t}}/messages/{NONE}", 404, "unknownMessage", {"text": "a"})]

STATES = [
    Row("POST {single}/threads", 409, "unsupportedChannelConfig", {}), Row("POST {single}/threads", 409, "unsupportedChannelConfig", {"name": "x"}),
    Row("PATCH {st}", 409, "unsupportedChannelConfig", {"name": "x"}), Row("POST {st}/archive", 409, "unsupportedChannelConfig"),
    Row("POST {closed}/messages", 409, "illegalThreadState", {"text": "a"}), Row("PATCH {closed}", 409, "illegalThreadState", {"name": "x"}),
    Row("POST {closed}/archive", 409, "illegalChatState"), Row("POST {closed}/typing", 409, "illegalThreadState", {"isTyping": True}),
    Row("POST {closed}/read", 204), Row("POST {pending}/read", 204), Row("POST {dclosed}/close", 409, "illegalThreadState"),
    Row("GET {closed}", 200, has=('"closed"', '"canAddMoreMessages":false')), Row("GET {pending}", 200, has='"pending"'),
    Row("POST {t}/end", 409, "illegalChatState"), Row("POST {t}/transcript", 409, "unsupportedCapability", {"email": "eva@example.com"}, has="transcript"),
    bad("POST {t}/transcript", "missingMember", {}, "#/email"),
    Row("POST {s}/analytics", 409, "unsupportedCapability", {"type": "chatWindowOpened"}, has="analytics"),
    bad("POST {s}/analytics", "missingMember", {}, "#/type"), bad("POST {s}/analytics", "invalidValue", {"type": "x"}, "#/type"),
    Row("POST {s}/triggers/x", 409, "unsupportedCapability", has="triggers"),
    Row("POST {t}/messages", 422, "unknownParent", {"text": "a", "parentId": NONE}, pointer="#/parentId"),
    Row("POST {t}/messages", 422, "invalidParameter", {"text": "a", "alsoInThread": True}, pointer="#/alsoInThread"),
    Row("POST {t}/messages", 404, "unknownAttachment", {"attachments": [{"id": NONE}]}, pointer="#/attachments/0/id"),
    Row("POST {t}/inactivity", 409, "unsupportedCapability", {"answer": "refresh"}, has="liveChat"),
    Row("POST {off}/threads", 409, "notConnected", {}), Row("GET {off}", 200, has='"prepared"'),
    Row("PATCH {agents}", 403, "notAuthor", {"text": "a"}), Row("DELETE {agents}", 403, "notAuthor"),
    Row("PATCH {customers}", 403, "notAuthor", {"text": "a"}),
    Row("PATCH {m}", 412, "preconditionFailed", {"text": "a"}, headers={"If-Match": '"other"'}), Row("DELETE {m}", 412, "preconditionFailed", headers={"If-Match": '"other"'}),
    Row("DELETE {dm}", 412, "preconditionFailed", headers={"If-Match": '"other"'}),
]

GOOD = [
    Row("POST {t}/messages", 201, body={"postback": "x"}, has='"postback":"x"'),
    Row("GET /v1/info", 200, has=('"Parley"', '"local"', '"epoch"')), Row("GET /v1/streams", 200), Row("GET /v1/services", 200, has=('"local"', '"contract-multi"', '"threads"')),
    Row("GET /v1/services/local/channels/contract-single", 200, has='"singlethread"'), Row("GET /metrics", 200, has="# EOF", answers={"Content-Type": "application/openmetrics-text.*"}),
    Row("GET /v1/log", 200), Row("PUT /v1/log", 200, body={}), Row("GET /v1/sessions", 200, lacks='"token"'), Row("GET {s}", 200, has='"ready"', lacks='"token"'),
    Row("POST {s}/sync", 200, body={"state": "paused"}), Row("POST {s}/sync", 200, body={"state": "running"}), Row("POST {s}/clearCache", 204),
    Row("POST {t}/load", 200), Row("POST {t}/read", 204), Row("POST {t}/typing", 204, body={"isTyping": True}), Row("GET {m}", 200), Row("GET {agents}", 200, has='"toClient"'),
    Row("GET {dt}", 200, has=('"channel":"contract-multi"', '"customer"')), Row("GET {dm}", 200), Row("GET {customers}", 200), Row("POST {dt}/read", 204),
    Row("POST {dt}/typing", 204, body={"isTyping": True, "agent": {"id": "eve", "name": "Eve"}}), Row("GET /v1/desk/channels", 200, has='"contract-single"'),
    Row("PATCH {dm}", 200, body={"text": "Yes, edited"}, has="Yes, edited"), Row("GET /auth/status", 200, has="true"),
]

SCOPE = [Row(request, 200, token="session") for request in ("GET {s}", "GET {s}/threads", "GET {t}", "GET {m}", "GET {s}/customer", "GET /v1/info", "GET /v1/services", "GET /v1/services/local/channels/contract-multi")] + [
    Row(request, 403, "forbidden", token="session") for request in (
        "GET {other}", "GET {other}/threads", "DELETE {other}", "GET /v1/sessions", "GET /v1/desk/threads", "GET {dt}", "GET {dt}/messages", "GET /v1/desk/channels", "GET /v1/desk/events",
        "GET /v1/events?session={other_id}", "GET /v1/events?session={s_id}&session={other_id}", "GET /v1/events?session={s_id}&desk=true", "GET /v1/log", "GET /v1/streams", "GET /metrics")] + [
    Row("POST /v1/sessions", 403, "forbidden", {"channel": "contract-multi"}, token="session"), Row("POST {dt}/messages", 403, "forbidden", {"text": "a"}, token="session"),
    Row("PUT /v1/log", 403, "forbidden", {"level": "debug"}, token="session"), Row(f"GET /v1/sessions/{NONE}", 403, "forbidden", token="session")]


def words(world):
    gateway = world["gateway"]
    return {**world, "port": gateway.port, "gateway_token": gateway.token, "s_id": world["s"].rpartition("/")[2], "other_id": world["other"].rpartition("/")[2]}


@pytest.mark.parametrize("row", OPEN + GATE + BODIES + STEPS + CLAIMS + QUERIES + UNKNOWN + STATES + GOOD + SCOPE, ids=str)
def test_request(world, row):
    gateway = world["gateway"]
    filled = words(world)
    method, path = row.request.split(" ", 1)
    for name, value in filled.items():
        path = path.replace("{" + name + "}", str(value))
    headers = {name: value.replace("{port}", str(gateway.port)) for name, value in row.headers.items()}
    token = {"gateway": gateway.token, "session": world["session_token"]}.get(row.token, row.token)
    answer = gateway.call(method, path, row.body, raw=row.raw, headers=headers, token=token)
    assert answer.status in (row.status if isinstance(row.status, tuple) else (row.status,)), answer
    if row.code:
        assert answer.code == row.code, answer
    if row.pointer:
        assert answer["errors"][0]["pointer"] == row.pointer, answer
        assert answer["errors"][0]["code"] == row.code, answer
    text = json.dumps(answer.json, separators=(",", ":")) if answer.kind == "application/json" else answer.text
    for each in [row.has] if isinstance(row.has, str) else row.has:
        assert each in text, answer
    for each in [row.lacks] if isinstance(row.lacks, str) else row.lacks:
        assert each not in text, answer
    for name, pattern in row.answers.items():
        assert re.fullmatch(pattern, answer.header(name) or ""), f"{name}: {answer.header(name)}"

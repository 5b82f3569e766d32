"""The types of the JavaScript library (web/parley.d.ts), its verbs (web/parley.js) and the document say the same."""

import json
import pathlib
import re
import subprocess

import client_types
import pytest
from document import DOCUMENT

HERE = pathlib.Path(__file__).parent
TYPES = (HERE.parents[1] / "web" / "parley.d.ts").read_text()
OPERATIONS = client_types.library_operations()

# How the script client_operations.mjs reaches an object of each class; with two the second one is the desk's.
HANDLES = {
    "Parley": ["parley"], "Sessions": ["parley.sessions"], "Webhooks": ["parley.webhooks"],
    "WebhookHandle": ["parley.webhook('webhook')"], "Side": ["session", "desk"], "Desk": ["desk"], "SessionHandle": ["session"],
    "CustomerOfSession": ["session.customer"], "DeviceOfSession": ["session.device"],
    "ViewingOfSession": ["session.viewing"], "SessionThreads": ["session.threads"], "DeskThreads": ["desk.threads"],
    "ThreadHandle": ["thread", "deskThread"], "SessionThread": ["thread"], "DeskThread": ["deskThread"],
    "Messages": ["thread.messages", "deskThread.messages"], "Notes": ["deskThread.notes"],
    "DeskAgents": ["desk.agents"], "DeskAnswers": ["desk.answers"],
    "DeskCustomers": ["desk.customers"], "CustomerHandle": ["deskCustomer"], "CustomerNotes": ["deskCustomer.notes"],
    "DeskPresence": ["desk.presence"],
    "DeskTags": ["desk.tags"],
    "MessageHandle": ["thread.message('message')", "deskThread.message('message')"],
    "Collections": ["session.collections", "desk.collections"],
    "CollectionHandle": ["session.collection('collection')", "desk.collection('collection')"],
    "Attachments": ["session.attachments", "desk.attachments"], "DeskChannels": ["desk.channels"],
    "DeskChannel": ["desk.channel('channel')"], "DeskDevices": ["desk.devices"],
    "DeskDevice": ["desk.device('device')"],
}
# The library follows one stream of all that it is asked for.
WITHOUT_VERB = {"streamSessionEvents", "streamDeskEvents"}
# Streams and pages of one feed share its parameters. Where a stream resumes is a header.
NOT_IN_QUERY = {"report": {"format"}, 
    "events": {"after", "earliest", "since", "last", "until", "limit", "wait"},
    "eventPage": {"collections", "holder"},
    # What resolves is JSON. Other forms are files, whose place another verb gives.
    "transcript": {"format", "utcOffset", "ticket"},
    # A ticket is for who sends no token.
    "transcriptURL": {"ticket"},
    "url": {"ticket"},
}
# Options that are no parameters: how the request is made, not what it asks.
OWN_OPTIONS = {"signal", "key", "tries", "delay", "onProgress", "name", "onState", "watchdog", "maxDelay"}
SAMPLES = {"IfAgent": "none", "boolean": True, "true | string[]": True, "number": 7, "string[]": ["a"], "number | string": 7}


def declared_classes():
    """{class: [(verb, parameters, result, operations)]} of those verbs that name operations."""
    found = {}
    for name, body in re.findall(r"^export class (\w+)[^{]*\{\n(.*?)^\}", TYPES, re.M | re.S):
        verbs = re.findall(r"/\*\* ([^\n]*?)\*/\n  (\w+)\((.*)\): (.*);", body)
        found[name] = [
            (verb, parameters, result, re.findall(r"\w+", text.split("@operation")[1]))
            for text, verb, parameters, result in verbs if "@operation" in text
        ]
    return found


def declared_options():
    """{interface: {member: type}}, with what it extends."""
    found = {}
    interface = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.M | re.S)
    for name, parent, body in interface.findall(TYPES):
        own = {member: kind for member, kind in re.findall(r"^  (\w+)\??: (.*);$", body, re.M)}
        found[name] = {**found.get(parent, {}), **own}
    return found


VERBS = [
    pytest.param(operation, HANDLES[name][at], verb, parameters, result, id=operation)
    for name, verbs in declared_classes().items()
    for verb, parameters, result, operations in verbs for at, operation in enumerate(operations)
]


def example(operation):
    """The document's example of a request's body."""
    body = DOCUMENT.resolve(OPERATIONS[operation][2].get("requestBody", {}))
    content = body.get("content", {}).get("application/json", {})
    return next((DOCUMENT.resolve(one)["value"] for one in content.get("examples", {}).values()), None)


def argument(operation, name, kind):
    """A value for a parameter: options with all their members, of bodies the document's example."""
    options = declared_options().get(kind)
    inline = re.fullmatch(r"\{ (.*) \}", kind)
    if inline:
        options = dict(re.findall(r"(\w+)\??: ([^;}]+?)(?=;|$)", inline[1]))
    if options is not None and name in ("options", "where"):
        asked = {member: type_ for member, type_ in options.items() if member not in OWN_OPTIONS}
        return {member: SAMPLES.get(type_, member) for member, type_ in asked.items()}
    if kind == "Blob":
        return {"$file": True}
    body = example(operation)
    if body is not None:
        return body.get(name, 7) if kind_is_member(kind) else body
    return name


def kind_is_member(kind):
    """Whether a parameter is one member of the body, not the body as a whole."""
    return kind in ("string | number", "Record<string, string>", "Member[]", "AgentRequest") or "'" in kind


def split(parameters):
    """[(name, type)] of a parameter list."""
    parts = re.split(r", (?=\w+\??: )", parameters) if "{" not in parameters else [parameters]
    return [re.fullmatch(r"(\w+)\??: (.*)", one).groups() for one in parts if one]


def test_the_schemas_are_those_of_the_document():
    assert client_types.PATH.read_text() == client_types.rendered(), "run Tests/Contract/client_types.py"
    assert client_types.PYTHON_PATH.read_text() == client_types.rendered_for_python(), "run Tests/Contract/client_types.py"


def test_the_types_that_modules_name_are_there():
    declared = re.findall(r"^export (?:interface|type|class|function) (\w+)", TYPES + client_types.PATH.read_text(), re.M)
    modules = sorted((HERE.parents[1] / "web").rglob("*.js"))
    named = {name for one in modules for name in re.findall(r"parley\.js'\)\.(\w+)", one.read_text())}
    assert named - set(declared) == set()
    assert "Parley" in named
    imported = set(re.search(r"^import type \{(.*?)\}", TYPES, re.M | re.S)[1].replace(" as DeskThreadData", "").split())
    assert {one.strip(",") for one in imported} <= set(declared)


def test_every_operation_has_a_verb():
    named = {one.values[0] for one in VERBS}
    assert named == set(OPERATIONS) - WITHOUT_VERB


@pytest.fixture(scope="module")
def requests():
    """What each verb asks, by its operation and its name."""
    calls = []
    for one in VERBS:
        operation, handle, verb, parameters, _ = one.values
        values = [argument(operation, name, kind) for name, kind in split(parameters)]
        calls.append({"handle": handle, "verb": verb, "arguments": values})
    command = ["node", str(HERE / "client_operations.mjs")]
    done = subprocess.run(command, input=json.dumps(calls), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return {one.values[:3:2]: asked[-1] for one, asked in zip(VERBS, json.loads(done.stdout), strict=True)}


@pytest.mark.parametrize("operation,handle,verb,parameters,result", VERBS)
def test_a_verb_asks_what_the_document_says(requests, operation, handle, verb, parameters, result):
    method, template, described = OPERATIONS[operation]
    asked = requests[operation, verb]
    assert asked["method"] == method.upper()
    assert DOCUMENT._pattern(template).fullmatch(asked["path"]), f"{asked['path']} is not {template}"
    listed = [DOCUMENT.resolve(one) for one in described.get("parameters", [])]
    names = {one["name"] for one in listed if one["in"] == "query"} - NOT_IN_QUERY.get(verb, set())
    assert set(asked["query"]) == names
    body = DOCUMENT.resolve(described.get("requestBody", {})).get("content", {}).get("application/json")
    assert (asked.get("body") is not None) == (body is not None)
    if body:
        assert DOCUMENT.errors(body["schema"], asked["body"]) == []


@pytest.mark.parametrize("operation,handle,verb,parameters,result", VERBS)
def test_a_verb_resolves_to_what_the_document_says(operation, handle, verb, parameters, result):
    answers = OPERATIONS[operation][2]["responses"]
    good = [DOCUMENT.resolve(one) for status, one in answers.items() if str(status).startswith("2")]
    contents = [one.get("content", {}).get("application/json") for one in good]
    schemas = [one["schema"] for one in contents if one]
    kind = re.fullmatch(r"Promise<(.*)>", result)
    if not kind:  # a stream, or where a file is
        assert re.match(r"AsyncGenerator<|EventStream$|string$", result)
        # The other form of a feed, and of a file.
        assert [one["$ref"].rsplit("/", 1)[-1] for one in schemas] in ([], ["EventPage"], ["Transcript"], ["DeskTranscript"])
        return
    desk = handle.startswith("desk")
    wanted = {"T": "DeskThread" if desk else "ChatThread", "DeskThreadData": "DeskThread"}.get(kind[1], kind[1])
    if wanted == "void":
        assert schemas == []
        return
    inner = re.fullmatch(r"List<(\w+)>|\{ items: (\w+)\[\] \}", wanted)
    for schema in schemas:
        # A list of messages may be one of what was found: `search` resolves to that.
        union = DOCUMENT.resolve(schema)
        names = [one["$ref"].rsplit("/", 1)[-1] for one in union.get("anyOf", union.get("oneOf", [schema]))]
        if inner:
            item = {"DeskThreadData": "DeskThread"}.get(inner[1] or inner[2], inner[1] or inner[2])
            lists = [DOCUMENT.raw["components"]["schemas"][name]["properties"]["items"]["items"] for name in names]
            assert item in [one["$ref"].rsplit("/", 1)[-1] for one in lists]
        else:
            assert wanted in names

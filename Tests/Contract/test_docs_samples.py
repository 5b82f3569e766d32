"""The samples of the reference, as the pages at /docs show them, run: by a shell, by Node and by Python.

What the reader must put in himself, the ids of his own session, thread and so on, the table below puts in.
"""

import contextlib
import datetime
import html
import itertools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading

import pytest
from chat import Chat
from customers import identity_token
from document import DOCUMENT
from gateway import DEADLINE, Gateway, binary, until
from platform_client import PlatformClient, new_id
from test_cxone import Wire
from test_links import browser

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
AGENT = {"agent": {"id": "agent", "name": "Agent"}}
LANGUAGES = {"curl": "sh", "parley": "sh", "javascript": "mjs", "python": "py"}
PROGRAMS = {"sh": ["bash", "-eu"], "mjs": ["node"], "py": [sys.executable]}
# `parley token` stands in most samples, and to start a debug build for it takes longer than all the rest.
PARLEY = """#!/bin/sh
if [ "$*" = token ]; then exec cat "$PARLEY_DATA/token"; fi
exec {binary} "$@"
"""


def has_samples(operation):
    """Not what only a browser's login opens, and not what takes or gives bytes alone."""
    schemes = {name for scheme in operation.get("security", DOCUMENT.raw["security"]) for name in scheme}
    bodies = set(operation.get("requestBody", {}).get("content", {}))
    is_picture = any(kind.startswith("image/") for answer in operation["responses"].values() for kind in answer.get("content", {}))
    return (not is_picture and "x-socket" not in operation and schemes != {"pageCookie", "pageHalf"}
            and (not bodies or bodies & {"application/json", "multipart/form-data"}))


OPERATIONS = {operation["operationId"]: (method, path, operation) for method, path, operation in DOCUMENT.operations
              if has_samples(operation)}
COUNT = itertools.count(1)
EXAMPLE = {name: str(parameter.get("example")) for name, parameter in DOCUMENT.raw["components"]["parameters"].items()}


# -- the table: what is there before a sample runs, as {example of the document: what stands for it here}

def chat(gw, channel="multi", **customer):
    made = Chat(gw, channel, **{"firstName": "Ann", **customer})
    return made, {EXAMPLE["Session"]: made.id}


def thread(gw, channel="multi"):
    """A thread with the message that the document's examples name."""
    made, ids = chat(gw, channel)
    made.at = made.thread(**({"name": "Order 4711"} if made.session["mode"] == "multithread" else {}))
    made.say(made.at, "Where is my order?", id=EXAMPLE["Message"])
    ids[EXAMPLE["Thread"]] = made.at.rpartition("/")[2]
    made.at_desk = "/v1/desk/threads/" + ids[EXAMPLE["Thread"]]
    return made, ids


def at_desk(gw):
    """The same, with an answer of the desk."""
    made, ids = thread(gw)
    ids[EXAMPLE["Message"]] = gw.post(f"{made.at_desk}/messages", {"text": "It left.", **AGENT})["id"]
    return made, ids


def note(gw):
    made, ids = thread(gw)
    return made, {**ids, EXAMPLE["Note"]: gw.post(f"{made.at_desk}/notes", {"text": "Has called twice already.", **AGENT})["id"]}


def key(gw):
    return None, {EXAMPLE["Key"]: gw.post("/v1/keys", {"name": f"key-{next(COUNT)}", "scopes": ["metrics.read"]})["id"]}


def kept_answer(gw):
    return None, {EXAMPLE["Answer"]: gw.post("/v1/desk/answers", {"name": f"answer-{next(COUNT)}", "text": "Hello"})["id"]}


def tag(gw):
    return None, {EXAMPLE["Tag"]: gw.post("/v1/desk/tags", {"name": f"tag-{next(COUNT)}"})["id"]}


def new_tag(gw):
    return None, {"Refund": f"tag-{next(COUNT)}"}


def tagged(gw):
    made, ids = thread(gw)
    return made, {**ids, **tag(gw)[1]}


def closed_thread(gw):
    made, ids = thread(gw)
    gw.post(f"{made.at_desk}/close")
    return made, ids


def snoozed(gw):
    """The example's time has passed."""
    made, ids = thread(gw)
    tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    return made, {**ids, "2026-05-05T07:00:00.000Z": tomorrow.strftime("%Y-%m-%dT%H:%M:%S.000Z")}


def request(gw):
    """One that has ended."""
    gw.get("/v1/info")
    ended = until("a request", lambda: gw.get("/v1/requests")["items"])
    return None, {f"requests/{EXAMPLE['RequestNumber']}": f"requests/{ended[-1]['number']}"}


def live(gw, **more):
    """A live chat that an agent has taken, on a channel of its own."""
    channel = gw.post("/v1/desk/channels", {"id": f"live-{next(COUNT)}", "mode": "liveChat", **more})["id"]
    made, ids = thread(gw, channel)
    gw.post(f"{made.at_desk}/assign", AGENT)
    return made, ids


def asked(gw):
    """The same, when the customer has been silent for so long that she is asked."""
    made, ids = live(gw, inactivity={"secondsUntilPopup": 1, "secondsUntilEnd": 60})
    until("the question", lambda: "inactivityPopup" in gw.get(made.at).json)
    return made, ids


def customer(gw):
    made, ids = thread(gw)
    return made, {**ids, EXAMPLE["CustomerId"]: made.customer}


def customer_note(gw):
    made, ids = customer(gw)
    notes = f"/v1/desk/customers/{made.customer}/notes"
    return made, {**ids, EXAMPLE["Note"]: gw.post(notes, {"text": "Prefers to be called after six.", **AGENT})["id"]}


def remote(gw, channel="multi"):
    """A session on CXone, whose part the gateway's own sandbox plays."""
    gw.delete("/v1/sandbox/faults")
    wire = Wire(gw, gw, channel)
    gw.call("POST", f"{wire.path}/analytics", {"type": "pageView", "title": "Shop", "url": "/"}, check=False)  # begins a visit
    return wire, {EXAMPLE["Session"]: wire.session["id"], EXAMPLE["Thread"]: wire.id}


def remote_live(gw):
    channel = gw.post("/v1/desk/channels", {"id": f"live-{next(COUNT)}", "mode": "liveChat"})["id"]
    wire, ids = remote(gw, channel)
    gw.post(f"{wire.thread}/messages", {"text": "Hello"})
    return wire, ids


def device(gw):
    made, ids = chat(gw)
    assert gw.put(f"{made.path}/device", browser(made.id)).status in (200, 201)
    return made, ids


def desk_device(gw):
    name = f"desk-{next(COUNT)}"
    return None, {EXAMPLE["DeskDevice"]: gw.post("/v1/desk/devices", browser(name))["id"]}


def attachment(gw):
    made, ids = chat(gw)
    return made, {**ids, EXAMPLE["Attachment"]: made.upload(b"Hello")["id"]}


def desk_attachment(gw):
    sent = gw.post("/v1/desk/attachments", raw=b"Hello", headers={"Content-Type": "text/plain"})
    return None, {EXAMPLE["Attachment"]: sent["id"]}


def collection(gw):
    made, ids = thread(gw)
    body = {"kind": "messages", "threadId": ids[EXAMPLE["Thread"]]}
    return made, {**ids, EXAMPLE["Collection"]: gw.post(f"{made.path}/collections", body)["id"]}


def desk_collection(gw):
    made, ids = thread(gw)
    body = {"kind": "messages", "threadId": ids[EXAMPLE["Thread"]]}
    return made, {**ids, EXAMPLE["Collection"]: gw.post("/v1/desk/collections", body)["id"]}


def of_ada(gw):
    made, ids = chat(gw, id="ada")
    made.at = made.thread()
    made.say(made.at)
    return made, {**ids, EXAMPLE["Thread"]: made.at.rpartition("/")[2]}


def group(gw):
    """A thread that the desk has made, with the members that the examples name."""
    body = DOCUMENT.raw["components"]["examples"]["DeskThreadRequest"]["value"]
    return None, {EXAMPLE["Thread"]: gw.post("/v1/desk/threads", body)["id"]}


def no_webhook(gw):
    gw.call("DELETE", "/v1/webhooks/crm", check=False)
    return None, {}


def webhook(gw):
    """A webhook with one delivery, which nobody takes."""
    no_webhook(gw)
    assert gw.post("/v1/webhooks", {"id": "crm", "url": "http://127.0.0.1:9/"}).status == 201
    thread(gw)
    made = until("a delivery", lambda: gw.get("/v1/webhooks/crm/deliveries")["items"])[0]
    return None, {"deliveries/" + EXAMPLE["Delivery"]: f"deliveries/{made['id']}",
                  "7k2m9q4x-12": gw.get("/v1/webhooks/crm")["cursor"]}


def new_channel(gw):
    return None, {"support": f"support-{next(COUNT)}"}


def own_channel(gw):
    """One that a sample may change."""
    made = gw.post("/v1/desk/channels", {"id": f"own-{next(COUNT)}", "mode": "multithread"})["id"]
    return None, {"channels/multi": f"channels/{made}"}


def live_channel(gw):
    made, _ = live(gw)
    return made, {"channels/multi": f"channels/{made.session['channel']['id']}"}


def new_person(gw):
    name = f"p{next(COUNT)}"
    return None, {"mara@shop.example": f"{name}@shop.example", EXAMPLE["Person"]: name}


def person(gw):
    _, ids = new_person(gw)
    body = {"id": ids[EXAMPLE["Person"]], "name": "Mara Lind", "email": ids["mara@shop.example"], "role": "agent"}
    assert gw.post("/v1/people", body).status == 201
    return None, {"mara@shop.example": body["email"], f"/{EXAMPLE['Person']}": f"/{body['id']}"}


def invited(gw):
    _, ids = person(gw)
    url = gw.post(f"/v1/people{ids['/' + EXAMPLE['Person']]}/invite")["url"]
    return None, {**ids, EXAMPLE["InvitationCode"]: url.rpartition("/")[2]}


def signing_in(gw):
    _, ids = invited(gw)
    body = DOCUMENT.raw["components"]["examples"]["PasswordRequest"]["value"]
    assert gw.call("POST", f"/auth/invitations/{ids[EXAMPLE['InvitationCode']]}", body, token=None).status == 200
    return None, ids


def login(gw):
    _, ids = access_code(gw)
    made = gw.call("POST", f"/auth/codes/{ids[EXAMPLE['AccessCode']]}/redeem", token=None)
    return None, {EXAMPLE["Login"]: made["login"]}


def access_code(gw):
    return None, {EXAMPLE["AccessCode"]: gw.post("/auth/codes")["url"].rpartition("/")[2]}


def rated(gw):
    """A conversation that has ended, on a channel that asks for ratings."""
    name = gw.post("/v1/desk/channels", {"id": f"rated-{next(COUNT)}", "mode": "multithread", "rating": "numbers"})["id"]
    made = Chat(gw, name)
    path, at_desk = made.open()
    gw.post(f"{at_desk}/close")
    return made, {EXAMPLE["Session"]: made.id, EXAMPLE["Thread"]: path.rpartition("/")[2]}


def customer_link(gw):
    made, ids = chat(gw)
    link = gw.post(f"{made.path}/links", {})
    return made, {**ids, EXAMPLE["LinkCode"]: link["url"].rpartition("/")[2], EXAMPLE["Link"]: link["id"]}


def public_channel(gw):
    """One on which customers begin by themselves, with a secret."""
    made = gw.post("/v1/desk/channels", {"id": f"help-{next(COUNT)}", "mode": "multithread", "visitors": {"public": True}})["id"]
    secret = gw.post(f"/v1/desk/channels/{made}/identitySecrets")["id"]
    return None, {"channel=help": f"channel={made}", '"help"': f'"{made}"', "/widget/help": f"/widget/{made}", "help/config": f"{made}/config",
                  "'help'": f"'{made}'", "channels/multi": f"channels/{made}", EXAMPLE["IdentitySecret"]: secret}


def with_logo(gw):
    """A channel that has a picture."""
    _, ids = own_channel(gw)
    channel = ids["channels/multi"]
    gw.call("PUT", f"/v1/desk/{channel}/logo", raw=b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "image/png"})
    return None, ids


def erasable(gw):
    """A customer who may erase themselves."""
    channel = f"erasable-{next(COUNT)}"
    gw.post("/v1/desk/channels", {"id": channel, "mode": "multithread", "visitors": {"selfErase": True}})
    made = Chat(gw, channel)
    return made, {EXAMPLE["Session"]: made.id}


def of_visitor(gw):
    """A session of a customer for whom a JWT vouches, and a fresh JWT."""
    _, ids = public_channel(gw)
    channel = ids["channel=help"].rpartition("=")[2]
    gw.patch(f"/v1/desk/channels/{channel}", {"visitors": {"public": True, "identity": "optional"}})
    gw.delete(f"/v1/desk/channels/{channel}/identitySecrets/{ids[EXAMPLE['IdentitySecret']]}")
    secret = gw.post(f"/v1/desk/channels/{channel}/identitySecrets")["secret"]
    token = identity_token(secret, sub="4711")
    made = gw.call("POST", "/v1/visitors", {"channel": channel, "identity": token}, token=None)
    example = DOCUMENT.raw["components"]["examples"]["IdentityRequest"]["value"]["identity"]
    return None, {EXAMPLE["Session"]: made["session"], example: token}


def sandbox(gw):
    """The tenant and the channel that the sandbox has, and a file there."""
    client = PlatformClient(gw, "multi")
    client.fetch_token()
    answer = client.http("POST", f"{client.chat}/attachment", {"content": "aGVsbG8=", "fileName": "a.txt", "mimeType": "text/plain"})
    ids = {EXAMPLE["Brand"]: str(client.brand), EXAMPLE["PlatformChannel"]: client.channel}
    return client, {**ids, EXAMPLE["Attachment"]: answer["fileUrl"].rpartition("/")[2]}


def large_event(gw):
    """What did not fit into a frame of the sandbox's socket."""
    client = PlatformClient(gw, "single").connect()
    client.authorize()
    made = new_id()
    for _ in range(10):
        client.send(made, "x" * 20_000)
    client.socket.send(json.dumps(client.frame("RecoverThread")))
    url = client.push("EventInS3")["s3Object"]["url"]
    return client, {EXAMPLE["Brand"]: str(client.brand), EXAMPLE["LargeEvent"]: url.rpartition("/")[2]}


def fault_script(gw):
    made = gw.post("/v1/sandbox/scripts", {"steps": [{"fault": {"kind": "refuse", "event": "Nothing"}}]})
    return None, {EXAMPLE["SandboxScriptId"]: made["id"]}


WORLDS = [  # the first that matches an operation's id, or its path from the beginning
    ("createDeskCollection", of_ada), ("removeDeskMember", group), ("answerInactivity", asked), ("endThread|endDeskContact", live),
    ("recordActivity|executeTrigger", remote), ("sendTranscript|leaveOfflineMessage", remote_live), ("createWebhook", no_webhook),
    ("rateThread|deleteThreadRating", rated), ("eraseOwnCustomer", erasable), (r"\w+ChannelLogo", with_logo),
    ("createDeskTag", new_tag), (r"/v1/desk/tags/", tag), ("setDeskThreadTags", tagged), ("reopenDeskThread", closed_thread),
    ("snoozeDeskThread", snoozed),
    ("redeemLink|showLink|deleteLink", customer_link), ("setIdentity", of_visitor), (r"createVisitor|.*IdentitySecret|/v1/visitors|/widget/\{channel\}", public_channel),
    ("createDeskChannel", new_channel), ("setDeskChannelAvailability", live_channel), ("updateDeskChannel", own_channel), ("showAccessCode|redeemAccessCode", access_code),
    ("createPerson", new_person), (r"/v1/people/", person), ("showInvitation|acceptInvitation", invited), ("signIn", signing_in),

    (r"/v1/logins/", login),
    ("createCollection|setViewing", thread),
    (r"/v1/sessions/\{session\}/device/|/v1/sessions/\{session\}/device$", device),
    (r"/v1/sessions/\{session\}/attachments/", attachment), (r"/v1/desk/attachments/", desk_attachment),
    (r"/v1/sessions/\{session\}/collections/", collection), (r"/v1/desk/collections/", desk_collection),
    (r"/v1/desk/customers/\{customer\}/notes/", customer_note), (r"/v1/desk/customers/", customer),
    (r"/v1/desk/devices/", desk_device), (r"/v1/desk/answers/", kept_answer), (r"/v1/keys/", key), ("getRequest", request),
    (r"/v1/desk/threads/\{thread\}/notes/", note),
    (r"/v1/desk/threads/\{thread\}/messages/\{message\}$", at_desk), (r"/v1/desk/threads/\{thread\}", thread),
    (r"/v1/sessions/\{session\}/threads/\{thread\}", thread), (r"/v1/sessions/\{session\}|/v1/events", chat),
    (r"/v1/webhooks/", webhook), ("getSandboxEvent", large_event), (r"/v1/sandbox/scripts/", fault_script),
    (r"/(chat|web-analytics)/1.0/|/oauth/token", sandbox),
    ("", lambda gw: (None, {})),
]
# What is refused here, but was understood: on the embedded service no message fails, and there are neither a proxy nor an
# application of Sendbird.
PROBLEMS = {
    "resendMessage": (409, "messageNotFailed"), "signInByProxy": (401, "wrongCredentials"), "takeSendbirdWebhook": (404, "notFound")}


def world(gw, operation):
    """What a run needs, and what the reader would put in."""
    path = OPERATIONS[operation][1]
    make = next(make for pattern, make in WORLDS if re.fullmatch(pattern, operation) or re.match(pattern, path))
    return make(gw)


# -- what the pages show

class Samples:
    """The samples of all pages, by operation and language."""

    def __init__(self, gateway):
        self.found = {}
        start = gateway.get("/docs").text
        for tag in sorted(set(re.findall(r'href="/docs/api/(\w+)"', start))):
            page = gateway.get(f"/docs/api/{tag}").text
            for section in re.split(r'<section class="operation" id="', page)[1:]:
                operation = section.partition('"')[0]
                for language, code in re.findall(r'data-language="(\w+)">.*?<code>(.*?)</code>', section, re.S):
                    self.found.setdefault((operation, language), []).append(html.unescape(code))


class Runner:
    """A process that runs the programs of one language, one after the other (programs.mjs, programs.py)."""

    def __init__(self, kind, folder, environment):
        self.command = [*PROGRAMS[kind], pathlib.Path(__file__).parent / f"programs.{kind}"]
        self.folder, self.environment, self.process = folder, environment, None

    def run(self, file):
        """(exit status, what it printed). A program that ends its runner, or takes too long, leaves the next one a new runner."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.environment, text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        late = threading.Timer(DEADLINE, self.process.kill)
        late.start()
        try:
            print(file, file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        finally:
            late.cancel()
        if not line:
            self.close()
            pytest.fail(f"{file} has ended its runner, or took {DEADLINE} s")
        return json.loads(line)

    def close(self):
        if self.process is not None:
            with self.process:
                self.process.stdin.close()
            self.process = None


class Bench:
    """A gateway, the samples of its pages, and a folder with parley.js in which programs are run."""

    def __init__(self, gateway, folder):
        self.gateway, self.folder, self.samples = gateway, folder, Samples(gateway).found
        for name in ("parley.js", "parley", "package.json"):
            (folder / name).symlink_to(WEB / name)
        # curl alone ends with 0 whatever the answer is.
        (folder / ".curlrc").write_text("fail-with-body\n")
        programs = folder / "bin"
        programs.mkdir()
        (programs / "parley").write_text(PARLEY.format(binary=shlex.quote(binary())))
        (programs / "parley").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PARLEY_DATA": str(gateway.folder),
                            "CURL_HOME": str(folder)}
        self.runners = {kind: Runner(kind, folder, self.environment) for kind in ("mjs", "py")}

    def close(self):
        for runner in self.runners.values():
            runner.close()

    def run(self, language, program, is_stream):
        """(exit status, what it printed). A program that follows a stream is ended when it has shown the first event."""
        kind = LANGUAGES[language]
        file = self.folder / f"sample-{next(COUNT)}.{kind}"
        file.write_text(program + "\n")
        if kind in self.runners and not is_stream:
            return self.runners[kind].run(file)
        with subprocess.Popen([*PROGRAMS[kind], file], cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True) as process:
            told = ""
            for line in process.stdout if is_stream else []:
                told += line
                if re.search(r"\bready\b", line):
                    os.killpg(process.pid, signal.SIGKILL)
                    return 0, told
            rest, _ = process.communicate(timeout=DEADLINE)
            return process.returncode, told + rest


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    with Gateway() as gateway, contextlib.closing(Bench(gateway, tmp_path_factory.mktemp("samples"))) as made:
        yield made


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_sample_runs(bench, operation, language):
    gateway, programs = bench.gateway, bench.samples[operation, language]
    bodies = OPERATIONS[operation][2].get("requestBody", {}).get("content", {})
    first = next(iter(bodies.values()), {"examples": {}})  # a file comes in two forms
    assert len(programs) == max(1, len(first["examples"])), "one for each example"
    for program in programs:
        made, ids = world(gateway, operation)
        for example, real in ids.items():
            program = program.replace(example, real)
        status, told = bench.run(language, program, "x-events" in OPERATIONS[operation][2])
        if isinstance(made, PlatformClient):
            made.close()  # what its socket could not carry is dropped with it
        if operation in PROBLEMS:
            number, code = PROBLEMS[operation]
            assert status != 0 and (code in told or f"HTTP Error {number}" in told), f"{program}\n{told}"
        else:
            assert status == 0, f"{program}\n{told}"
            # JavaScript's fetch takes every answer for a success; the sample prints the status.
            assert not re.match(r"[45]\d\d ", told), f"{program}\n{told}"


def test_the_token_is_what_the_command_prints(bench):
    short, whole = (subprocess.run([program, "token"], env=bench.environment, text=True, capture_output=True, timeout=DEADLINE)
                    for program in (bench.folder / "bin" / "parley", binary()))
    assert short.returncode == whole.returncode == 0
    assert short.stdout.strip() == whole.stdout.strip() == bench.gateway.token


def test_every_operation_has_samples_in_all_languages(bench):
    assert set(bench.samples) == {(operation, language) for operation in OPERATIONS for language in LANGUAGES}


def test_no_token_is_in_a_page(bench):
    samples = bench.samples
    assert not any(bench.gateway.token in program for programs in samples.values() for program in programs)
    closed = [id for id, (_, _, operation) in OPERATIONS.items() if operation.get("security") != []]
    assert all("parley" in program and "token" in program for id in closed for program in samples[id, "curl"])

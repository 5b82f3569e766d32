"""The build without the parts that call other machines (`--disable-default-traits`) serves a chat, and says what it lacks.

Tests/run builds it and names it in PARLEY_SMALL_BIN.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest
from chat import Chat, add_channels
from document import DOCUMENT
from gateway import Gateway, until

SMALL = os.environ.get("PARLEY_SMALL_BIN")
pytestmark = pytest.mark.skipif(not SMALL, reason="PARLEY_SMALL_BIN names no small build")
# The routes that need what sends webhooks and pushes.
OUTGOING = re.compile(r"/v1/(webhooks|push$|desk/devices|sessions/{session}/device)")


@pytest.fixture(scope="module", autouse=True)
def seen_codes():
    """The codes of a small build are not compared with the reference: that needs the whole gateway."""


@pytest.fixture(scope="module")
def small():
    with Gateway(program=SMALL) as gateway:
        yield add_channels(gateway)


def outgoing():
    """Method and path of each operation that needs what calls other machines, with its ids filled in."""
    for path, item in DOCUMENT.raw["paths"].items():
        for method in item:
            if OUTGOING.match(path) and method in ("get", "put", "post", "patch", "delete"):
                yield method.upper(), path


def test_there_are_such_routes():
    assert len(list(outgoing())) > 20


def test_a_customer_and_the_desk_chat(small):
    thread, at_desk = Chat(small, "contract-multi").open(name="Small")
    answer = small.post(f"{at_desk}/messages", {"text": "Yes?"})
    assert answer.status == 201
    assert answer["id"] in [message["id"] for message in small.get(f"{thread}/messages")["items"]]
    assert small.get("/").status == 200


@pytest.mark.parametrize("method, path", outgoing())
def test_a_route_of_a_missing_part_names_it(small, method, path):
    place = Chat(small, "contract-multi").path if "{session}" in path else ""
    path = re.sub(r"{[a-z]+}", "any", path.replace("/v1/sessions/{session}", place))
    answer = small.call(method, path, {} if method in ("PUT", "POST", "PATCH") else None)
    assert (answer.status, answer.code) == (501, "missingPart")
    assert "webhooks and pushes" in answer["detail"]


@pytest.mark.parametrize("form", ["table", "json"])
def test_its_status_says_what_it_has(small, form):
    done = subprocess.run(
        [SMALL, "status", "--data", str(small.folder), "-o", form], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    if form == "json":
        assert json.loads(done.stdout).keys() == {"gateway", "ready", "info", "streams"}
    else:
        assert "webhooks\tnot built" in done.stdout.splitlines()


def test_a_session_on_cxone_is_refused_with_the_reason(small):
    assert [service["id"] for service in small.get("/v1/services")["items"]] == ["local"]
    answer = small.post("/v1/sessions", {"service": "cxone", "channel": "any"})
    assert (answer.status, answer.code) == (404, "unknownService")
    assert "built without NICE CXone" in answer["detail"]
    channel = small.get("/v1/services/cxone/channels/any")
    assert (channel.code, channel["detail"]) == ("unknownService", answer["detail"])


@pytest.mark.parametrize("flags, part", [
    (["--cxone-sandbox"], "NICE CXone"), (["--sendbird-sandbox"], "Sendbird"),
    (["--sendbird", "applications.json"], "Sendbird"),
    (["--apns", "apps.json"], "webhooks and pushes"),
    (["--fcm", "apps.json"], "webhooks and pushes"),
    (["--push-contact", "mailto:tests@example.com"], "webhooks and pushes"),
    (["--push-allow-host", "example.com"], "webhooks and pushes"),
])
def test_a_flag_of_a_missing_part_is_refused(tmp_path, flags, part):
    done = subprocess.run(
        [SMALL, "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0", *flags], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert f"built without {part}" in done.stderr and flags[0] in done.stderr


def test_only_what_it_needs_is_fetched():
    """One dependency without its condition, and a package of the other parts is fetched and compiled again."""
    folders = [path for path in pathlib.Path(SMALL).resolve().parents if (path / "checkouts").is_dir()]
    assert {path.name for path in (folders[0] / "checkouts").iterdir()} == {
        "Yams", "swift-argument-parser", "swift-async-algorithms", "swift-collections", "swift-configuration",
        "swift-log", "swift-service-lifecycle", "swift-system"}


def test_the_demonstration_is_whole():
    with Gateway(program=SMALL, options=["--demo"]) as gateway:
        session = gateway.post("/v1/sessions", {"channel": "demo", "customer": {"id": "ada"}})["id"]
        threads = gateway.get(f"/v1/sessions/{session}/threads")["items"]
        assert len(threads) == 5
        thread = f"/v1/sessions/{session}/threads/demo-hello/messages"
        gateway.post(thread, {"text": "A picture, please"})
        file = until("the picture", lambda: [one for one in gateway.get(thread)["items"] if one["type"] == "file"])[0]
        path = f"/v1/sessions/{session}/attachments/{file['attachments'][0]['id']}"
        assert gateway.get(path).body.startswith(b"\x89PNG")

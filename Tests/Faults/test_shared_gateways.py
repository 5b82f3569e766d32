"""What two gateways of one database share: files, the key, the tokens of platforms."""

import hashlib
import random

from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gateway, until
from standby import gateway, on, pair, ready, standby  # noqa: F401  (a fixture)
from test_platform_away import address, far  # noqa: F401  (a fixture)

pytestmark = needs_postgres


def names(made):
    return sorted(path.name for path in (made.folder / "files").iterdir() if path.is_file())


def test_files_are_there_after_kill(pair):
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    seed = random.Random(7)
    data = [b"", seed.randbytes(1), seed.randbytes(256 << 10), seed.randbytes((1 << 20) + 1)]
    files = []
    for content in data[1:]:
        answer = first.call("POST", f"{chat.path}/attachments", raw=content, token=chat.token,
                            headers={"Content-Type": "application/octet-stream"})
        assert answer.status == 201, answer
        files.append((answer["id"], content))
    chat.say(thread, "with files", attachments=[{"id": id} for id, _ in files])
    first.kill()
    ready(second)
    assert names(second) == []
    moved = on(second, chat)
    message = moved.history(thread)[-1]
    assert [file["id"] for file in message["attachments"]] == [id for id, _ in files]
    for id, content in files:
        for _ in range(2):
            answer = second.get(f"{chat.path}/attachments/{id}", token=chat.token)
            assert answer.status == 200 and hashlib.sha256(answer.body).digest() == hashlib.sha256(content).digest()
    assert names(second) == sorted(id for id, _ in files)


def test_a_gateway_with_another_key_does_not_start(pair, postgres):  # noqa: F811
    first, _ = pair
    other = gateway(postgres, "three")
    try:
        other.launch()
        assert other.wait() not in (0, None)
        assert "--key-file" in other.log()
    finally:
        other.close()
    # The same key and token from files: the folder gets copies of them.
    other = Gateway(arguments=["--store", postgres.address, "--gateway-name", "three", "--key-file", str(first.folder / "key"),
                               "--token-file", str(first.folder / "token")])
    try:
        standby(other)
        assert other.token == first.token
        assert [(other.folder / name).read_text() for name in ("key", "token")] \
            == [(first.folder / name).read_text() for name in ("key", "token")]
    finally:
        other.close()


def test_a_session_of_a_platform_goes_on_with_its_tokens(pair, postgres, far):  # noqa: F811
    first, second = pair
    session = first.post("/v1/sessions", address(far, customer={"id": "ann"}))
    assert session["state"] == "ready", session
    path = f"/v1/sessions/{session['id']}"
    thread = f"{path}/threads/" + first.post(f"{path}/threads")["id"]
    assert first.post(f"{thread}/messages", {"text": "before"})["status"] in ("sent", "delivered")
    rows = postgres.ask("SELECT name, length(bytes), position('visitor' IN encode(bytes, 'escape')) FROM sealed")
    assert len(rows) == 1 and rows[0][0].startswith("cxone/") and rows[0][2] == "0", rows
    before = postgres.ask("SELECT encode(bytes, 'hex') FROM sealed")
    assert not (first.folder / "cxone").exists()
    first.kill()
    ready(second)
    until("the session to reconnect", lambda: second.get(path)["state"] == "ready", 30)
    assert second.post(f"{thread}/messages", {"text": "after"})["status"] in ("sent", "delivered")
    assert [message["text"] for message in second.get(f"{thread}/messages")["items"]] == ["after", "before"]
    assert not (second.folder / "cxone").exists()
    assert len(postgres.ask("SELECT name FROM sealed")) == 1 and before

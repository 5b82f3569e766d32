"""The gateway's token is exchanged while clients use it: two hold for a time, and then the former one no more."""

import http.client
import signal

import pytest
from chat import add_channels
from commands import parley
from gateway import Gateway
from test_reload import READ, REFUSED


class Rotating(Gateway):
    def hang_up(self, says=READ):
        count = self.count_in_log(says)
        self.process.send_signal(signal.SIGHUP)
        self.wait_for_log(says, count + 1)

    def change(self, *flags):
        """`parley token` with these flags; returns what it prints."""
        made = parley(self, "token", *flags)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def status(self, token):
        return self.get("/v1/info", token=token).status


@pytest.fixture
def gw():
    with Rotating() as gateway:
        yield add_channels(gateway)


def test_two_hold_between_the_steps(gw):
    former = gw.token
    with gw.events("/v1/desk/events", token=former) as stream:
        present = gw.change("--rotate")
        assert present != former and gw.status(present) == 401, "the gateway has not read it yet"
        gw.hang_up()
        assert [gw.status(token) for token in (former, present)] == [200, 200]
        assert gw.change() == present
        kept = http.client.HTTPConnection(gw.host, gw.port)

        def ask():
            kept.request("GET", "/v1/info", headers={"Authorization": f"Bearer {former}"})
            answer = kept.getresponse()
            answer.read()
            return answer.status

        assert ask() == 200
        assert gw.change("--retire") == present
        gw.hang_up()
        assert [gw.status(token) for token in (former, present)] == [401, 200]
        assert ask() == 401, "on a connection on which it held"
        while stream.next() is not None:
            pass
    gw.token = present
    gw.restart()
    assert [gw.status(token) for token in (former, present)] == [401, 200]


def test_what_the_former_token_began_goes_on_with_the_present_one(gw, multi):
    key = {"Idempotency-Key": "one"}
    path, body = f"{multi.thread()}/messages", {"text": "Hello"}
    made = gw.post(path, body, headers=key)
    gw.token = gw.change("--rotate")
    gw.hang_up()
    assert gw.post(path, body, headers=key).json == made.json
    assert multi.thread(), "the session's own token holds"


def test_four_are_too_many(gw):
    for _ in range(3):
        gw.change("--rotate")
    refused = parley(gw, "token", "--rotate")
    assert refused.returncode != 0 and "--retire" in refused.stderr


def test_a_damaged_file_changes_nothing(gw):
    kept = (gw.folder / "token").read_text()
    (gw.folder / "token").write_text(kept + "nonsense\n")
    gw.hang_up(says=REFUSED)
    assert gw.status(gw.token) == 200
    (gw.folder / "token").write_text(kept)


@pytest.mark.parametrize("text", [None, "A" * 43 + "\n"], ids=["missing", "another"])
def test_a_file_without_a_token_of_now_changes_nothing(gw, text):
    """Whoever removes or replaces it by mistake does not shut out all who use the gateway."""
    file = gw.folder / "token"
    kept = file.read_text()
    file.unlink()
    if text:
        file.write_text(text)
        file.chmod(0o600)
    gw.hang_up(says=REFUSED)
    assert gw.status(gw.token) == 200 and file.exists() == bool(text)
    file.write_text(kept)
    file.chmod(0o600)
    gw.hang_up()
    assert gw.status(gw.token) == 200


def test_a_file_of_tokens_is_followed(tmp_path):
    """`--token-file`, as gateways of one database share it."""
    def text(letter):
        return letter * 42 + "A\n"

    def token(letter):
        return text(letter).strip()

    file = tmp_path / "token"
    file.write_text(text("A"))
    with Rotating(options=["--token-file", str(file)]) as gateway:
        assert gateway.token == token("A")
        file.write_text(text("B") + text("A"))
        gateway.hang_up()
        assert [gateway.status(token(letter)) for letter in "AB"] == [200, 200]
        file.write_text(text("B"))
        gateway.hang_up()
        assert [gateway.status(token(letter)) for letter in "AB"] == [401, 200]
        # Nothing of it is known: a mistake, most likely.
        file.write_text(text("C"))
        gateway.hang_up(says=REFUSED)
        assert [gateway.status(token(letter)) for letter in "BC"] == [200, 401]

"""SIGHUP: a running gateway reads its settings anew."""

import json
import signal

import pytest
from chat import add_channels
from gateway import Gateway, until

READ, REFUSED, LATER = "settings were read anew", "settings were not read anew", "take effect at the next start"


class Configured:
    """A gateway with a configuration file."""

    def __init__(self, folder):
        self.file = folder / "parley.json"
        self.file.write_text("{}")
        self.gateway = Gateway(options=["--config", str(self.file)])

    def reload(self, settings, says=READ):
        """Writes the file, sends the signal, and returns the line of the log that answers it."""
        self.file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
        count = self.gateway.count_in_log(says)
        self.gateway.process.send_signal(signal.SIGHUP)
        self.gateway.wait_for_log(says, count + 1)
        return [line for line in self.gateway.whole_log().splitlines() if says in line][-1]


@pytest.fixture(scope="module")
def configured(tmp_path_factory):
    made = Configured(tmp_path_factory.mktemp("reload"))
    with made.gateway as gateway:
        add_channels(gateway)
        yield made


@pytest.fixture
def gw(configured):
    return configured.gateway


def test_names_of_hosts_come_and_go(configured, gw):
    def ask():
        return gw.get("/v1/info", headers={"Host": "chat.example"}).status

    assert ask() == 421
    assert "changed=allow-host" in configured.reload({"allow-host": ["chat.example"]})
    assert ask() == 200
    configured.reload({})
    assert ask() == 421


def test_origins_come_and_go(configured, gw, multi):
    def shared():
        answer = gw.get(multi.path, token=multi.token, headers={"Origin": "https://shop.example"})
        return answer.header("Access-Control-Allow-Origin")

    assert shared() is None
    configured.reload({"allow-origin": ["https://shop.example"]})
    assert shared() == "https://shop.example"
    configured.reload({})
    assert shared() is None


def sending(gw, multi):
    messages = f"{multi.thread()}/messages"

    def send(text="x"):
        answer = gw.post(messages, {"text": text}, token=multi.token)
        return answer.status, answer.code

    return send


def test_limits_of_writing_change(configured, gw, multi):
    send = sending(gw, multi)
    # With one an hour, what was written counts for longer than this test runs.
    configured.reload({"message-burst": 2, "messages-per-hour": 1})
    assert send() == (201, None)
    configured.reload({"message-burst": 1, "messages-per-hour": 1})
    assert send() == (429, "tooManyWrites")
    configured.reload({"messages-per-hour": 0})
    assert send() == (201, None)
    configured.reload({})


def test_what_an_account_may_keep_changes(configured, gw, multi):
    send = sending(gw, multi)
    configured.reload({"account-texts": 1024})
    # The message that reaches the limit may go beyond it.
    assert send("x" * 1024) == (201, None)
    assert send() == (409, "quotaExceeded")
    configured.reload({})
    assert send() == (201, None)


def test_the_log_is_trimmed_to_its_new_length(configured, gw, multi):
    thread = multi.thread()

    def say(text):
        assert gw.post(f"{thread}/messages", {"text": text}, token=multi.token).status == 201

    with gw.events(f"{multi.path}/events", token=multi.token) as events:
        say("first")
        first = events.wait("message.created").id
        say("second")
        events.wait("message.created")

    def resumed():
        with gw.events(f"{multi.path}/events", token=multi.token, headers={"Last-Event-ID": first}) as events:
            return events.next().name

    assert resumed() != "reset"
    configured.reload({"retention-events": 1})

    def is_short():
        # The trimmer looks between two groups of writes, once a second.
        say("more")
        return resumed() == "reset"

    until("the log to be short", is_short)
    configured.reload({})


def test_the_level_of_the_log_changes_and_one_that_was_set_by_hand_stays(configured, gw):
    configured.reload({"log-level": "debug", "log-verbosity": "medium"})
    assert gw.get("/v1/log").json == {"level": "debug", "verbosity": "medium"}
    assert gw.put("/v1/log", {"level": "notice"}).status == 200
    configured.reload({"log-level": "debug", "log-verbosity": "medium", "session-days": 3})
    assert gw.get("/v1/log").json == {"level": "notice", "verbosity": "medium"}
    configured.reload({})
    assert gw.get("/v1/log").json == {"level": "info", "verbosity": "simple"}


def test_what_needs_a_start_is_named(configured):
    line = configured.reload({"stream-limit": 7, "web": "/nowhere", "audit-days": 9}, says=LATER)
    assert "stream-limit" in line and "web" in line and "audit-days" not in line
    configured.reload({})


@pytest.mark.parametrize("settings, words", [
    ("{", "is not JSON"),
    ({"allow-hosts": []}, "unknown key: allow-hosts"),
    ({"allow-host": ["chat.example"], "allow-origin": ["nothing"]}, "--allow-origin needs an origin"),
    ({"allow-host": ["chat.example"], "log-level": "loud"}, "log-level must be one of"),
    ({"allow-host": ["chat.example"], "audit-days": 0}, "audit-days must be from 1 to"),
])
def test_a_file_that_cannot_be_used_changes_nothing(configured, gw, settings, words):
    assert words in configured.reload(settings, says=REFUSED)
    assert gw.get("/v1/info", headers={"Host": "chat.example"}).status == 421
    configured.reload({})


def test_streams_stay_open(configured, gw, multi):
    with gw.events(f"{multi.path}/events", token=multi.token) as events:
        thread = multi.thread()
        configured.reload({"allow-host": ["chat.example"]})
        assert gw.post(f"{thread}/messages", {"text": "Still there?"}, token=multi.token).status == 201
        events.wait("message.created")
    configured.reload({})

"""A standby that passes requests on: whoever asks any gateway is answered by the active one."""

import signal
import socket

import pytest
from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gone, in_threads, until
from standby import on, ready, text_of, two
from streams import Stream

pytestmark = needs_postgres


@pytest.fixture
def pair(postgres, tmp_path):  # noqa: F811
    """The active gateway and a standby that passes requests on."""
    settings = tmp_path / "settings.json"
    settings.write_text("{}")
    with two(postgres, ["--advertise", "listen", "--config", str(settings)]) as made:
        yield *made, settings


def test_whoever_asks_a_standby_is_answered_by_the_active_gateway(pair):
    first, second, _ = pair
    chat = Chat(second)
    thread = chat.thread()
    chat.say(thread, "through the standby")
    direct = on(first, chat)
    assert [message["text"] for message in direct.history(thread)] == ["through the standby"]
    path = chat.messages_path(thread)
    assert second.get(path, token=chat.token).body == first.get(path, token=chat.token).body
    # Refusals are those of the active gateway, too.
    for method, path, token in [
            ("GET", "/nowhere", second.token), ("PUT", "/v1/sessions", second.token), ("GET", "/v1/sessions", "wrong"),
            ("POST", "/v1/sessions", None)]:
        shown = [made.call(method, path, token=token) for made in (first, second)]
        assert shown[0].status == shown[1].status >= 400 and shown[0].code == shown[1].code, (method, path, shown)
    # A link names the host that was asked.
    assert second.call("GET", "/v1/nowhere").json["type"].startswith(f"http://{second.host}:{second.port}/")
    for method in ["HEAD", "OPTIONS"]:
        shown = [made.call(method, "/v1/sessions") for made in (first, second)]
        names = ["Allow", "Content-Type", "Content-Length"]
        assert [[answer.headers[name] for name in names] for answer in shown][0] == [shown[1].headers[name] for name in names]


def test_a_standby_answers_probes_and_metrics_itself(pair):
    first, second, _ = pair
    assert second.call("GET", "/livez", token=None).status == 200
    assert b"parley_gateway_active 0" in second.call("GET", "/metrics").body
    assert second.call("GET", "/readyz", token=None).status == 200
    first.signal(signal.SIGSTOP)
    try:
        assert second.call("GET", "/livez", token=None).status == 200
        assert second.call("GET", "/readyz", token=None).status == 503
    finally:
        first.signal(signal.SIGCONT)


def test_a_request_goes_through_one_standby_only(pair):
    first, second, _ = pair
    answer = second.get("/v1/sessions", headers={"Parley-Forwarded": "192.0.2.1 nobody"})
    assert (answer.status, answer.code) == (503, "standby"), answer
    # Nobody but a gateway of this database can say for whom it asks.
    assert first.get("/v1/sessions", headers={"Parley-Forwarded": "192.0.2.1 nobody"}).status == 200
    # The answer to the client tells nothing of that.
    assert "Parley-Forwarded" not in second.get("/v1/sessions").headers


def test_a_standby_answers_for_its_own_hosts_only(pair):
    first, second, _ = pair
    for host, status in [(f"{second.host}:{second.port}", 200), (f"{first.host}:{first.port}", 421), ("evil.example", 421)]:
        answer = second.get("/v1/sessions", headers={"Host": host})
        assert answer.status == status, (host, answer)


def raw(made, target, *lines):
    """The status of an answer to bytes that no library would send, and the answer."""
    with socket.create_connection((made.host, made.port), 20) as link:
        head = [b"GET " + target + b" HTTP/1.1", f"Host: {made.host}:{made.port}".encode(), b"Connection: close", *lines]
        link.sendall(b"\r\n".join(head) + f"\r\nAuthorization: Bearer {made.token}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: link.recv(1 << 16), b""))
    return int(answer.split(b" ", 2)[1]), answer


def test_odd_requests_get_the_same_answers(pair):
    first, second, _ = pair
    targets = [b"/v1/a|b", b"/v1/%zz", b"/v1/\xc3\xa4", b"/v1/\xff\xfe", b"/v1/..//../v1/info", b"//evil.example/", b"/v1/info?a=[]{}",
               b"/v1/sessions?limit=%zz", b'/v1/"<>\\^`', b"/v1/info?" + b"x" * 4000, b"@evil.example/", b".evil.example/", b"*"]
    for target in targets:
        assert raw(first, target)[0] == raw(second, target)[0], target
    # What a client names in Connection is not taken away: the host stays the one that was checked.
    status, answer = raw(second, b"/v1/nowhere", b"Connection: host, authorization")
    assert status == 404 and f"http://{second.host}:{second.port}/docs".encode() in answer, answer


def test_a_hang_up_names_other_hosts(pair):
    _, second, settings = pair
    ask = lambda: second.get("/v1/sessions", headers={"Host": "chat.example"}).status  # noqa: E731
    assert ask() == 421
    settings.write_text('{"allow-host": ["chat.example"]}')
    second.process.send_signal(signal.SIGHUP)
    second.wait_for_log("settings were read anew")
    assert ask() == 200


def test_files_are_passed_on_piece_by_piece(pair):
    first, second, _ = pair
    chat = Chat(second)
    data = bytes(index * 7 % 251 for index in range(3_000_000))
    headers = {"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="a.png"'}
    made = second.call("POST", f"{chat.path}/attachments", raw=data, token=chat.token, headers=headers)
    assert made.status == 201, made
    for asked in (first, second):
        back = asked.get(made.headers["Location"], token=chat.token)
        assert back.status == 200 and back.body == data and int(back.headers["Content-Length"]) == len(data)
        part = asked.get(made.headers["Location"], token=chat.token, headers={"Range": "bytes=1000-1999"})
        assert (part.status, part.body) == (206, data[1000:2000])
    head = second.call("HEAD", made.headers["Location"], token=chat.token)
    assert int(head.headers["Content-Length"]) == len(data)
    # What the active gateway refuses before it has read the body is refused here.
    for sent in (data, data * 20):
        wrong = second.call("POST", f"{chat.path}/attachments", raw=sent, token="wrong", headers=headers)
        assert wrong.status == 401, wrong


def test_streams_are_passed_on_and_go_on_at_the_next_gateway(pair):
    first, second, _ = pair
    chat = Chat(second)
    thread = chat.thread()
    with Stream(second, f"{chat.path}/events", token=chat.token) as stream:
        stream.ready()
        chat.say(thread, "one")
        seen = stream.collect(lambda event: event.name == "message.created")
        last = stream.last_id
        assert text_of(seen[-1]) == "one"
        first.kill()
        stream.rest()
    ready(second, 20)
    chat.say(thread, "two")
    with Stream(second, f"{chat.path}/events", token=chat.token, last_id=last) as stream:
        events = stream.collect(lambda event: event.name == "message.created")
    assert text_of(events[-1]) == "two"


def test_nobody_waits_for_a_gateway_that_has_lost_the_lease(pair):
    """A paused gateway answers nothing. Who has asked it through the standby is told so at the takeover."""
    first, second, _ = pair
    chat = Chat(second)
    thread = chat.thread()
    first.signal(signal.SIGSTOP)
    try:
        answers = {}

        def ask(method):
            try:
                answers[method] = second.call(
                    method, chat.messages_path(thread), {"text": "hello"} if method == "POST" else None, token=chat.token)
            except Gone:
                answers[method] = None

        in_threads(ask, ["GET", "POST"])()
        # Nobody knows whether the message was stored, so nobody says that it was not.
        assert answers["POST"] is None, answers
        # A reading request is asked for again by whoever gets this.
        assert (answers["GET"].status, answers["GET"].code) == (503, "standby"), answers
        ready(second, 20)
        chat.say(thread, "again")
    finally:
        first.signal(signal.SIGCONT)


def test_a_client_of_the_standby_meets_no_refusal_at_a_handover(pair):
    first, second, _ = pair
    chat = Chat(second)
    thread = chat.thread()
    first.process.send_signal(signal.SIGUSR2)
    sent = 0
    while first.process.poll() is None:
        chat.say(thread, str(sent))
        sent += 1
    assert sent > 0
    ready(second)
    chat.say(thread, "last")
    assert [message["text"] for message in chat.history(thread)] == [*map(str, range(sent)), "last"]


def test_many_streams_through_a_standby(pair):
    first, second, _ = pair
    chat = Chat(second)
    streams = [Stream(second, f"{chat.path}/events", token=second.token) for _ in range(200)]
    try:
        for stream in streams:
            stream.ready()
        thread = chat.thread()
        chat.say(thread, "to all")
        for stream in streams:
            assert text_of(stream.collect(lambda event: event.name == "message.created")[-1]) == "to all"
    finally:
        for stream in streams:
            stream.close()
    # Their places and connections are given back.
    until("the active gateway to close the streams", lambda: first.metrics()["parley_streams"] == 0)

"""Malformed requests over a bare socket: one answer at most, and nothing behind them is taken for a second request."""

import re

import pytest
from chat import Chat

INFO = "/v1/info"


@pytest.fixture(scope="module")
def victim(gw):
    chat = Chat(gw, "contract-multi")
    return chat, chat.thread()


def head(gateway, *lines, target=INFO, method="GET", version="HTTP/1.1", host=True):
    """A request's head as bytes; `lines` are its headers besides Host."""
    all = [f"{method} {target} {version}", *([f"Host: {gateway.authority}"] if host else []), *lines]
    return "\r\n".join(all).encode("latin-1") + b"\r\n\r\n"


def smuggled(gateway, thread):
    """A complete request that must never run."""
    body = b'{"text":"smuggled"}'
    return head(gateway, f"Authorization: Bearer {gateway.token}", "Content-Type: application/json", f"Content-Length: {len(body)}",
                target=f"{thread}/messages", method="POST") + body


def answers(data):
    """The statuses of all answers in what came back: one may begin right behind the body of another."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})\b", data)]


# What our own gate can see: refused, with one answer, and the connection closes.
REFUSED = {
    "no Host": lambda g, a: head(g, a, host=False),
    "two Hosts": lambda g, a: head(g, f"Host: {g.authority}", a),
    "two Hosts, one foreign": lambda g, a: head(g, "Host: evil.example", a),
    "two Authorizations": lambda g, a: head(g, a, "Authorization: Bearer nonsense"),
    "an empty Host": lambda g, a: head(g, "Host:", a, host=False),
    "two Content-Lengths": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 2", "Content-Length: 40", method="PUT", target="/v1/log") + b"{}",
    "two equal Content-Lengths": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 2", "Content-Length: 2", method="PUT", target="/v1/log") + b"{}",
    "Content-Length and chunked": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 12", "Transfer-Encoding: chunked", method="PUT", target="/v1/log") + b"2\r\n{}\r\n0\r\n\r\n",
    "an unknown Transfer-Encoding": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: gzip", method="PUT", target="/v1/log") + b"{}",
    "two Transfer-Encodings": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: gzip, chunked", method="PUT", target="/v1/log") + b"2\r\n{}\r\n0\r\n\r\n",
    "chunked twice": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: chunked", "Transfer-Encoding: identity", method="PUT", target="/v1/log") + b"2\r\n{}\r\n0\r\n\r\n",
    "absolute form to another host": lambda g, a: head(g, a, target=f"http://evil.example{INFO}"),
    "absolute form and a foreign Host": lambda g, a: head(g, "Host: evil.example", a, target=f"{g.origin}{INFO}", host=False),
    "authority form": lambda g, a: head(g, a, target="127.0.0.1:80", method="CONNECT"),
    "asterisk form of a GET": lambda g, a: head(g, a, target="*"),
    "a lower-case method": lambda g, a: head(g, a, method="get"),
    "an unknown method": lambda g, a: head(g, a, method="FETCH"),
    "a space before the colon": lambda g, a: head(g, a, "X-Some : value"),
    "a header without a name": lambda g, a: head(g, a, ": value"),
    "a header name that is no token": lambda g, a: head(g, a, "X(Some): value"),
    "a control character in a header": lambda g, a: head(g, a, "X-Some: a\x01b"),
    "a negative Content-Length": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: -1", method="PUT", target="/v1/log"),
    "a Content-Length with a sign": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: +2", method="PUT", target="/v1/log") + b"{}",
    "a Content-Length that is a list": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 2, 2", method="PUT", target="/v1/log") + b"{}",
    "a Content-Length that is no number": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: two", method="PUT", target="/v1/log") + b"{}",
    "a Content-Length beyond all numbers": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 99999999999999999999999", method="PUT", target="/v1/log") + b"{}",
    "a chunk size that is no number": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: chunked", method="PUT", target="/v1/log") + b"zz\r\n{}\r\n0\r\n\r\n",
    "a chunk size beyond all numbers": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: chunked", method="PUT", target="/v1/log") + b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
    "a chunk without its end": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: chunked", method="PUT", target="/v1/log") + b"2\r\n{}XX\r\n0\r\n\r\n",
    "a head over the pool": lambda g, a: head(g, a, "X-Some: " + "x" * 20_000),
    "many headers": lambda g, a: head(g, a, *(f"X-{number}: value" for number in range(2_000))),
    "a target over the pool": lambda g, a: head(g, a, target="/" + "x" * 20_000),
    "a TLS greeting": lambda g, a: bytes.fromhex("160301020001000001fc0303") + b"\0" * 60,
    "no HTTP at all": lambda g, a: b"hello there\r\n\r\n",
    "HTTP/2's preface": lambda g, a: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}

# What libmicrohttpd has smoothed over before we see it: at most one answer, no crash, and no forged value.
SMOOTHED = {
    "bare LF": lambda g, a: head(g, a).replace(b"\r\n", b"\n"),
    "NUL in a header": lambda g, a: head(g, a, "X-Some: a\0b"),
    "NUL in the target": lambda g, a: head(g, a, target="/v1/\0info"),
    "a folded line": lambda g, a: head(g, a, "X-Some: a\r\n b"),
    "bare CR": lambda g, a: head(g, a, "X-Some: a\rX-Other: b"),
    "a tab for a space": lambda g, a: f"GET\t{INFO}\tHTTP/1.1\r\nHost: {g.authority}\r\n{a}\r\n\r\n".encode(),
    "empty lines before": lambda g, a: b"\r\n\r\n" + head(g, a),
    "no version": lambda g, a: f"GET {INFO}\r\n\r\n".encode(),
    "another version": lambda g, a: head(g, a, version="HTTP/3.7"),
    "a bad percent": lambda g, a: head(g, a, target="/v1/sessions/%zz"),
    "a cut percent": lambda g, a: head(g, a, target="/v1/sessions/%"),
    "percent NUL": lambda g, a: head(g, a, target="/v1/sessions/%00"),
    "percent of bytes that are no UTF-8": lambda g, a: head(g, a, target="/v1/sessions/%ff%fe"),
    "bytes over 127 in the target": lambda g, a: head(g, a, target="/v1/sessions/\xff\xfe"),
    "a fragment in the target": lambda g, a: head(g, a, target="/v1/info#x"),
    "half a head": lambda g, a: f"GET {INFO} HTTP/1.1\r\nHost: {g.authority}\r\n".encode(),
    "half a body": lambda g, a: head(g, a, "Content-Type: application/json", "Content-Length: 100", method="PUT", target="/v1/log") + b"{",
    "half a chunk": lambda g, a: head(g, a, "Content-Type: application/json", "Transfer-Encoding: chunked", method="PUT", target="/v1/log") + b"ff\r\n{",
    "nothing": lambda g, a: b"",
    "an unmet expectation": lambda g, a: head(g, a, "Expect: 200-maybe", "Content-Type: application/json", "Content-Length: 2", method="PUT", target="/v1/log") + b"{}",
    "a word to upgrade": lambda g, a: head(g, a, "Connection: Upgrade, close", "Upgrade: websocket"),
}


def well(gateway, victim):
    """The gateway lives, and nothing was smuggled."""
    chat, thread = victim
    assert gateway.get("/livez", token=None).status == 200
    assert gateway.get(f"{thread}/messages")["items"] == []


@pytest.mark.parametrize("case", REFUSED)
def test_refused(gw, victim, case):
    data = REFUSED[case](gw, f"Authorization: Bearer {gw.token}")
    came = gw.raw(data + smuggled(gw, victim[1]), deadline=8)
    statuses = answers(came)
    assert len(statuses) <= 1, came
    assert all(400 <= status <= 505 for status in statuses), came
    well(gw, victim)


@pytest.mark.parametrize("case", ["no Host", "two Hosts", "two Content-Lengths", "Content-Length and chunked", "an unknown Transfer-Encoding", "absolute form to another host", "a lower-case method"])
def test_our_own_gate_answers_with_a_problem(gw, case):
    came = gw.raw(REFUSED[case](gw, f"Authorization: Bearer {gw.token}"), deadline=8)
    assert len(answers(came)) == 1, came
    assert b"application/problem+json" in came
    assert b"connection: close" in came.lower()


@pytest.mark.parametrize("case", SMOOTHED)
def test_smoothed(gw, victim, case):
    came = gw.raw(SMOOTHED[case](gw, f"Authorization: Bearer {gw.token}\r\nConnection: close"), deadline=4, half_close=True)
    finals = [status for status in answers(came) if status != 100]
    assert len(finals) <= 1, came
    assert not any(500 <= status <= 504 and status != 501 for status in finals), came
    well(gw, victim)


def test_a_folded_line_is_no_token(gw):
    came = gw.raw(head(gw, f"X-Some: a\r\n Authorization: Bearer {gw.token}", "Connection: close"), deadline=4)
    assert all(status in (400, 401) for status in answers(came)), came


def test_two_requests_on_one_connection_get_two_answers(gw):
    """The counter-test: pipelining as such works."""
    one = head(gw, f"Authorization: Bearer {gw.token}")
    last = head(gw, f"Authorization: Bearer {gw.token}", "Connection: close")
    assert answers(gw.raw(one + last)) == [200, 200]


@pytest.mark.parametrize("target", ["/", INFO, "/v1/nothing", "/openapi.json", "/v1/desk/events", "/v1/desk/threads"])
def test_the_answer_to_head_ends_with_its_head(gw, target):
    came = gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Connection: close", method="HEAD", target=target))
    assert len(answers(came)) == 1 and came.endswith(b"\r\n\r\n") and came.count(b"\r\n\r\n") == 1, came


def test_an_answer_without_content_ends_with_its_head(gw):
    came = gw.raw(head(gw, "Connection: close", method="OPTIONS"))
    assert answers(came) == [204] and came.endswith(b"\r\n\r\n") and came.count(b"\r\n\r\n") == 1, came
    tag = gw.get("/v1/desk/threads").header("ETag")
    came = gw.raw(head(gw, f"Authorization: Bearer {gw.token}", f"If-None-Match: {tag}", "Connection: close", target="/v1/desk/threads"))
    assert answers(came) == [304] and came.endswith(b"\r\n\r\n") and came.count(b"\r\n\r\n") == 1, came


def test_http_1_0(gw):
    assert answers(gw.raw(head(gw, f"Authorization: Bearer {gw.token}", version="HTTP/1.0"))) == [200]


def test_absolute_form_to_this_host(gw):
    assert answers(gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Connection: close", target=f"{gw.origin}{INFO}"))) == [200]


def test_a_chunked_body(gw):
    assert answers(gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Connection: close", "Content-Type: application/json", "Transfer-Encoding: chunked",
                               method="PUT", target="/v1/log") + b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")) == [200]


#: Whether libmicrohttpd 0.9.75 refuses the line, with each value of MHD_OPTION_STRICT_FOR_CLIENT. What it takes, a proxy
#: in front may take for something else: then what it holds for the body's rest is a request for the gateway.
CHUNK_LINES = {
    "bare LF after the size": (b"2\n{}\r\n0\r\n\r\n", False),
    "bare LF after the data": (b"2\r\n{}\n0\r\n\r\n", False),
    "bare LF after the last chunk": (b"2\r\n{}\r\n0\n\n", False),
    "bare LF in an extension": (b"2;a\n{}\r\n0\r\n\r\n", False),
    "bare CR in an extension": (b"2;a\rb\r\n{}\r\n0\r\n\r\n", False),
    "NUL in an extension": (b"2;a\0b\r\n{}\r\n0\r\n\r\n", False),
    "bare LF in a trailer": (b"2\r\n{}\r\n0\r\nX-Some: a\n\r\n", False),
    "bare CR after the size": (b"2\r{}\r\n0\r\n\r\n", True),
    "bare CR after the data": (b"2\r\n{}\r0\r\n\r\n", True),
    "NUL after the size": (b"2\0\r\n{}\r\n0\r\n\r\n", True),
    "space after the size": (b"2 \r\n{}\r\n0\r\n\r\n", True),
}


@pytest.mark.parametrize("case", CHUNK_LINES)
def test_nothing_behind_a_chunked_body_is_performed(gw, victim, case):
    body, is_refused = CHUNK_LINES[case]
    for target in ["/v1/log", f"{victim[1]}/messages"]:
        method = "PUT" if target == "/v1/log" else "POST"
        data = head(gw, f"Authorization: Bearer {gw.token}", "Content-Type: application/json", "Transfer-Encoding: chunked",
                    method=method, target=target) + body
        came = gw.raw(data + smuggled(gw, victim[1]), deadline=8)
        statuses = answers(came)
        assert len(statuses) == 1 and b"connection: close" in came.lower(), came
        assert (statuses[0] == 400) if is_refused else (statuses[0] in (200, 422)), came
        well(gw, victim)


def test_a_chunked_body_that_is_too_large(gw):
    piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
    came = gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Connection: close", "Content-Type: application/json", "Transfer-Encoding: chunked",
                       method="PUT", target="/v1/log") + piece * 17 + b"0\r\n\r\n")
    assert answers(came) == [413] and b"bodyTooLarge" in came


def test_a_body_announced_too_large_is_refused_unread(gw):
    came = gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Content-Type: application/json", "Content-Length: 1000000000", "Expect: 100-continue",
                       method="PUT", target="/v1/log"))
    assert answers(came) == [413], came


def test_100_continue(gw):
    came = gw.raw(head(gw, f"Authorization: Bearer {gw.token}", "Connection: close", "Content-Type: application/json", "Content-Length: 2", "Expect: 100-continue",
                       method="PUT", target="/v1/log") + b"{}")
    assert [status for status in answers(came) if status != 100] == [200], came


@pytest.mark.parametrize("target, status", [("/livez", 200), ("/readyz", 200), ("/livez?verbose", 200), (INFO, 400), ("/", 400)])
def test_http_1_0_needs_a_host_except_for_probes(gw, target, status):
    came = gw.raw(head(gw, target=target, version="HTTP/1.0", host=False), deadline=8)
    assert answers(came) == [status], came

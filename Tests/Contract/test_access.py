"""Who is let in: tokens, logins of browsers, and the brake on guessing. Each test has a gateway of its own."""

import http.client
import re
import stat

from chat import Chat


def code_of(gateway):
    printed = gateway.run("open", "--print", "--data", str(gateway.folder))
    found = re.search(r"http://127\.0\.0\.1:(\d+)(/auth/[A-Za-z0-9_-]+)", printed)
    assert found and int(found[1]) == gateway.port, printed
    assert gateway.token not in printed
    return found[2]


def test_the_token_is_a_private_file(own):
    file = own.folder / "token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_text().splitlines()) == 1


def test_nobody_else_may_read_what_is_stored(own):
    own.get("/v1/sessions")
    files = [path for path in own.folder.rglob("*") if path.is_file()]
    assert {"parley.sqlite", "parley.sqlite-wal", "search.sqlite"} <= {path.name for path in files}
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []


class Browser:
    """Both halves of a login, as a browser sends them."""

    def __init__(self, gateway):
        self.gateway = gateway
        answer = gateway.call("POST", f"/auth/codes/{code_of(gateway).rpartition('/')[2]}/redeem", token=None, headers={"Origin": gateway.origin})
        assert answer.status == 200
        self.set_cookie = answer.header("Set-Cookie")
        self.cookie = {"Cookie": self.set_cookie.partition(";")[0]}
        self.page = {"Parley-Page": answer["page"]}
        self.id = answer["login"]

    @property
    def halves(self):
        return {**self.cookie, **self.page}

    def ask(self, method, path, body=None, **headers):
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.gateway.call(method, path, body, token=None, headers={**self.halves, **more})


def test_a_browser_gets_in_by_a_code(own):
    path = code_of(own)
    redeem = f"/auth/codes/{path.rpartition('/')[2]}/redeem"
    # Looks do not use it up: mail scanners and messengers request what they show.
    for method in ("HEAD", "GET"):
        assert own.call(method, path, token=None).status == 200
    assert own.call("POST", redeem, token=None, headers={"Origin": "https://evil.example"}).code == "foreignOrigin"
    let_in = own.call("POST", redeem, token=None, headers={"Origin": own.origin})
    assert let_in.status == 200
    cookie, *attributes = [part.strip() for part in let_in.header("Set-Cookie").split(";")]
    assert cookie.partition("=")[0] == f"parley_p_{own.get('/v1/info')['instance']}"
    assert {"httponly", "samesite=strict", "path=/", f"max-age={90 * 24 * 3600}"} <= {each.lower() for each in attributes}
    assert own.token not in let_in.header("Set-Cookie") + let_in.text

    assert own.call("POST", redeem, token=None).code == "launchCodeGone"
    used = own.get(path, token=None)
    assert used.status == 410 and used.kind == "text/html" and "parley open" in used.text
    assert own.get("/auth/never-made", token=None).status == 410


def test_a_login_needs_both_halves(own):
    browser, other = Browser(own), Browser(own)
    assert own.get("/auth/status", token=None)["authenticated"] is False
    status = own.get("/auth/status", token=None, headers=browser.halves)
    assert status["authenticated"] is True and status["as"] == "operator" and "desk.manage" in status["scopes"]

    def ask(headers, path="/v1/sessions"):
        answer = own.get(path, token=None, headers=headers)
        return answer.status, answer.json.get("half")

    assert ask(browser.halves) == (200, None)
    assert ask(browser.cookie) == (401, "page")
    assert ask(browser.page) == (401, "cookie")
    assert ask({**browser.cookie, **other.page}) == (401, None)
    assert ask(browser.cookie, "/auth/status") == (200, "page")
    name = browser.cookie["Cookie"].partition("=")[0]
    for value in ("", "x", "a.b.c", browser.cookie["Cookie"].partition("=")[2][:-1]):
        assert ask({"Cookie": f"{name}={value}", **browser.page})[0] == 401


def test_a_login_writes_for_its_own_pages_alone(own):
    browser = Browser(own)
    session = {"channel": "contract-multi"}
    assert browser.ask("POST", "/v1/sessions", session).code == "foreignOrigin"
    assert browser.ask("POST", "/v1/sessions", session, Origin="https://evil.example").code == "foreignOrigin"
    assert browser.ask("POST", "/v1/sessions", session, Sec_Fetch_Site="cross-site").code == "foreignOrigin"
    assert browser.ask("POST", "/v1/sessions", session, Origin=own.origin).status == 201
    made = browser.ask("POST", "/v1/sessions", session, Sec_Fetch_Site="same-origin")
    assert made.status == 201
    assert browser.ask("DELETE", f"/v1/sessions/{made['id']}").code == "foreignOrigin"


def test_a_login_is_seen_and_ended_alone(own):
    first, second, third = Browser(own), Browser(own), Browser(own)
    own.restart()  # 30 days means over a restart too
    listed = own.get("/v1/logins", token=None, headers=first.halves)["items"]
    assert [one["id"] for one in listed] == [first.id, second.id, third.id]
    assert [one.get("isOwn", False) for one in listed] == [True, False, False] and {one["how"] for one in listed} == {"code"}
    with own.events("/v1/events?desk=true", token=None, headers=second.halves) as stream:
        stream.wait("ready")
        assert own.delete(f"/v1/logins/{second.id}").status == 204
        assert stream.wait("access.ended").data == {"reason": "signedOut"}
        assert stream.next() is None
    assert own.delete(f"/v1/logins/{second.id}").code == "unknownLogin"
    assert second.ask("GET", "/v1/sessions").status == 401
    assert first.ask("GET", "/v1/sessions").status == 200

    out = first.ask("POST", "/auth/logout", Origin=own.origin)
    assert out.status == 204
    assert re.search(r"max-age=0|expires=", out.header("Set-Cookie"), re.I) and out.header("Set-Cookie").startswith(first.cookie["Cookie"].partition("=")[0])
    assert first.ask("GET", "/v1/sessions").status == 401 and third.ask("GET", "/v1/sessions").status == 200
    own.restart()
    assert first.ask("GET", "/v1/sessions").status == 401 and third.ask("GET", "/v1/sessions").status == 200
    assert Browser(own).ask("POST", "/auth/logout", {"everywhere": True}, Origin=own.origin).status == 204
    assert third.ask("GET", "/v1/sessions").status == 401 and own.get("/v1/logins")["items"] == []
    acts = [(one["action"], one["subject"]) for one in own.get("/v1/audit")["items"]]
    assert ("login.created", first.id) in acts and ("login.removed", second.id) in acts and ("login.allRemoved", "") in acts


def test_the_old_page_cookie_opens_nothing(own):
    name = f"parley_{own.get('/v1/info')['instance']}"
    assert own.get("/v1/sessions", token=None, headers={"Cookie": f"{name}=anything"}).status == 401


def test_a_stream_by_a_login(own):
    browser = Browser(own)
    chat = Chat(own, "contract-multi")
    with own.events(f"/v1/events?session={chat.id}&desk=true", token=None, headers=browser.halves) as stream:
        assert stream.status == 200
        stream.wait("ready")


def test_guessing_is_slowed_down(own):
    answers = [own.get("/v1/info", token=f"wrong{number}") for number in range(30)]
    statuses = [answer.status for answer in answers]
    assert set(statuses) == {401, 429} and statuses == sorted(statuses)
    assert 20 <= statuses.count(401) <= 21
    last = answers[-1]
    assert last.code == "tooManyFailures" and 1 <= int(last.header("Retry-After")) <= 60
    # Another program of this machine must not be able to lock out one that has a valid token.
    assert own.get("/v1/info").status == 200
    assert own.get("/livez", token=None).status == 200


def test_requests_without_a_token_are_no_guesses(own):
    assert {own.get("/v1/info", token=None).status for _ in range(30)} == {401}


def test_a_sessions_token_is_not_guessable_from_its_id(own):
    one, two = Chat(own, "contract-multi"), Chat(own, "contract-multi")
    assert one.token != two.token and one.id not in one.token.replace(one.id, "", 1)
    swapped = one.token.replace(one.id, two.id)
    if swapped != one.token:
        assert own.get(two.path, token=swapped).status == 401


def test_an_equal_request_on_the_same_connection_is_judged_anew(own):
    """What was found out about a head is carried to the next equal one: never that its token is valid, nor what it shows."""
    chat = Chat(own, "contract-multi")
    thread, _ = chat.open()
    connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=30)

    def ask(**headers):
        connection.request("GET", f"{thread}/messages?limit=20", headers={"Authorization": f"Bearer {chat.token}", **headers})
        answer = connection.getresponse()
        return answer, answer.read()

    for text in ("Hello", "Again"):
        answers = [ask() for _ in range(3)]
        assert {answer.status for answer, _ in answers} == {200}
        assert len({body for _, body in answers}) == 1 and text in answers[0][1].decode()
        assert len({answer.getheader("X-Request-Id") for answer, _ in answers}) == 3
        assert len({(answer.getheader("ETag"), answer.getheader("Parley-Cursor")) for answer, _ in answers}) == 1
        tag = {"If-None-Match": answers[0][0].getheader("ETag")}
        unchanged = [ask(**tag) for _ in range(3)]
        assert {(answer.status, body) for answer, body in unchanged} == {(304, b"")}
        assert len({answer.getheader("X-Request-Id") for answer, _ in unchanged}) == 3
        cursor = answers[0][0].getheader("Parley-Cursor")
        assert {answer.getheader("Parley-Cursor") for answer, _ in unchanged} == {cursor}
        # Another thread's news moves the cursor; the page stays as it is.
        chat.open()
        moved, body = ask()
        assert moved.getheader("Parley-Cursor") != cursor and moved.getheader("ETag") == tag["If-None-Match"]
        assert moved.getheader("Parley-Cursor") in body.decode()
        chat.say(thread, "Again")
    # A page of another origin gets what CORS demands, in the same place.
    shared, _ = ask(Origin=own.origin)
    assert shared.status == 200 and shared.getheader("Access-Control-Allow-Origin") in (own.origin, None)
    assert ask()[0].getheader("Access-Control-Allow-Origin") is None
    assert own.delete(chat.path).status == 204
    assert ask()[0].status == 401
    assert ask()[0].status == 401

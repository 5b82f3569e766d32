"""Whole threads as files: as JSON, as text, and as a page."""

import base64
import hashlib
import html.parser
import json
import re

import pytest
from chat import Chat
from commands import answer, parley
from gateway import until

HOSTILE = '</p><script src="//x">alert(1)</script><img src=x onerror=alert(1)> & "\'\x1b[2J'
SIDES = ["session", "desk"]


@pytest.fixture(scope="module")
def talk(gw):
    """A conversation with a reply, a file, a program, an edited and a removed message, and hostile words."""
    chat = Chat(gw, "contract-multi", firstName="<b>Ada</b>")
    thread, at_desk = chat.open(name=HOSTILE[:40])
    asked = chat.say(thread, HOSTILE)
    gw.post(f"{at_desk}/messages", {"text": "two\nlines", "agent": {"id": "robin", "name": "Robin", "isBot": True}, "parentId": asked["id"],
                                    "alsoInThread": False})
    gw.post(f"{thread}/messages", {"attachments": [{"id": chat.upload(b"Hello", name="a.txt")["id"]}]})
    for change in ("edited", "removed"):
        said = f"{thread}/messages/{chat.say(thread, change)['id']}"
        assert (gw.delete(said) if change == "removed" else gw.patch(said, {"text": "Edited"})).status < 300
    chat.paths = {"session": thread, "desk": at_desk}
    return chat


def transcript(talk, side, query="", **more):
    return talk.gateway.get(f"{talk.paths[side]}/transcript{query}", **more)


@pytest.mark.parametrize("side", SIDES)
def test_json_is_what_the_api_writes(gw, talk, side):
    whole = transcript(talk, side)
    assert whole.kind == "application/json"
    assert whole["thread"] == gw.get(talk.paths[side]).json
    assert whole["items"] == gw.get(f"{talk.paths[side]}/messages?replies=all&limit=200")["items"][::-1]
    assert len(whole["items"]) == 5 and whole["removedCount"] == 1
    # Who follows from its cursor misses nothing: what came in between comes again.
    epoch, _, offset = whole.header("Parley-Cursor").rpartition("-")
    assert epoch == gw.get("/v1/info")["epoch"] and int(offset) > 0


@pytest.mark.parametrize("side", SIDES)
def test_text_has_a_line_for_each_message(talk, side):
    text = transcript(talk, side, "?format=text")
    assert text.header("Content-Type") == "text/plain; charset=utf-8"
    *lines, last = text.text.splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z  ", line) for line in lines)
    shown = HOSTILE.replace("\x1b", "\\u{1b}")
    assert [line.partition("  ")[2] for line in lines] == [
        "<b>Ada</b>: Hello", f"<b>Ada</b>: {shown}", f"Robin (bot): (to <b>Ada</b>: {shown[:60]}…) two\\u{{a}}lines",
        "<b>Ada</b>: [file a.txt, text/plain, 5 bytes]", "<b>Ada</b>: (edited) Edited"]
    assert last == "One message was removed."


class Page(html.parser.HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("side", SIDES)
def test_a_page_runs_and_loads_nothing(talk, side):
    answer = transcript(talk, side, "?format=html")
    assert answer.header("Content-Type") == "text/html; charset=utf-8"
    page = Page(answer.text)
    assert {tag for tag, _ in page.elements} == {"html", "head", "meta", "title", "style", "body", "h1", "ol", "li", "b", "time", "p"}
    assert not any(name in ("src", "href", "style") or name.startswith("on") for _, all in page.elements for name in all)
    for words in (HOSTILE.replace("\x1b", "�"), "two\nlines", "<b>Ada</b>", "Robin (bot)", "[file a.txt, text/plain, 5 bytes]", "edited",
                  "One message was removed.", "Times are in UTC."):
        assert words in page.words, words
    # The policy allows the page's own style, and nothing else: in the file, and as the gateway serves it.
    style = re.search(r"<style>(.*?)</style>", answer.text, re.S)[1]
    digest = "sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    own = next(all["content"] for tag, all in page.elements if all.get("http-equiv"))
    assert own == f"default-src 'none'; style-src '{digest}'"
    policies = answer.headers.get_all("Content-Security-Policy")
    assert policies == [f"style-src '{digest}'; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"]


@pytest.mark.parametrize("accept, kind", [
    (None, "application/json"), ("*/*", "application/json"), ("text/*", "text/plain"), ("text/html,*/*;q=0.8", "text/html"),
    ("application/json;q=0.1, text/plain", "text/plain"),
])
def test_the_form_is_negotiated(talk, accept, kind):
    answer = transcript(talk, "session", headers={"Accept": accept} if accept else {})
    assert answer.kind == kind and answer.header("Vary") == "Accept"
    assert transcript(talk, "session", "?format=text", headers={"Accept": "image/png"}).kind == "text/plain"


def test_another_form_is_not_there(talk):
    refused = transcript(talk, "session", headers={"Accept": "application/pdf"})
    assert (refused.status, refused.code) == (406, "notAcceptable") and "text/html" in refused["detail"]
    for query in ("?format=pdf", "?format=", "?format=text&utcOffset=2", "?format=text&utcOffset=%2B15:00", "?utcOffset=%2B02:00"):
        assert transcript(talk, "session", query).code == "invalidParameter", query


def test_times_are_those_of_other_clocks(talk):
    utc = transcript(talk, "desk")["items"][0]["createdAt"]
    line = transcript(talk, "desk", "?format=text&utcOffset=%2B02:00").text.split("  ")[0]
    assert re.fullmatch(r".*\+02:00", line) and line[:10] in (utc[:10], line[:10])
    hours = lambda time: int(time[11:13])
    assert (hours(line) - hours(utc)) % 24 == 2 and line[14:23] == utc[14:23]
    assert "Times are in UTC-03:30." in transcript(talk, "desk", "?format=html&utcOffset=-03:30").text


@pytest.mark.parametrize("form", ["json", "text", "html"])
def test_a_transcript_is_kept_until_something_changes(gw, form):
    chat = Chat(gw, "contract-multi")
    thread, at_desk = chat.open()
    path = f"{thread}/transcript?format={form}"
    first = gw.get(path)
    head = gw.call("HEAD", path)
    assert (head.status, head.body, head.header("ETag")) == (200, b"", first.header("ETag"))
    assert head.header("Content-Length") == first.header("Content-Length") == str(len(first.body))
    again = lambda: gw.get(path, headers={"If-None-Match": first.header("ETag")}).status
    assert again() == 304
    gw.post(f"{at_desk}/messages", {"text": "News"})
    assert again() == 200
    ending = {"json": "json", "text": "txt", "html": "html"}[form]
    assert first.header("Content-Disposition") == f'attachment; filename="transcript-{thread.rpartition("/")[2]}.{ending}"'


def test_each_form_has_a_tag_of_its_own(talk):
    tags = [transcript(talk, "session", headers={"Accept": kind}).header("ETag") for kind in ("application/json", "text/plain", "text/html")]
    assert len(set(tags)) == 3


@pytest.mark.parametrize("side", SIDES)
def test_a_long_thread_is_sent_as_it_is_read(gw, side):
    chat = Chat(gw, "contract-multi", firstName="Ada")
    thread, at_desk = chat.open()
    for number in range(120):
        chat.say(thread, f"{number} " + "x" * 2000)
    path = {"session": thread, "desk": at_desk}[side] + "/transcript"
    # A page that is kept in memory begins at the other end.
    assert gw.get(f"{path.removesuffix('/transcript')}/messages?replies=all&limit=50")["items"][0]["text"].startswith("119")
    whole = gw.get(path)
    assert whole.header("Transfer-Encoding") == "chunked" and whole.header("Content-Length") is None
    texts = [each["text"] for each in whole["items"]]
    assert texts == ["Hello"] + [f"{number} " + "x" * 2000 for number in range(120)]
    lines = gw.get(f"{path}?format=text").text.splitlines()
    assert [line.partition("Ada: ")[2] for line in lines] == texts
    page = Page(gw.get(f"{path}?format=html").text)
    assert [words for words in page.words if words in texts] == texts and page.words[-1] != texts[-1]
    head = gw.call("HEAD", path)
    assert (head.status, head.body, head.header("ETag")) == (200, b"", whole.header("ETag"))
    assert gw.get(path, headers={"If-None-Match": whole.header("ETag")}).status == 304
    # The program writes what the route answers.
    ids = [thread.rpartition("/")[2], "--desk"] if side == "desk" else [chat.id, thread.rpartition("/")[2]]
    assert json.loads(answer(gw, "transcript", *ids, "--format", "json")) == whole.json
    assert answer(gw, "transcript", *ids).splitlines() == lines
    assert "UTC+02:00" in answer(gw, "transcript", *ids, "--format", "html", "--utc-offset", "+02:00")


def test_a_reader_that_goes_away_is_forgotten(gw):
    import http.client
    chat = Chat(gw, "contract-multi")
    thread = chat.thread()
    for number in range(60):
        chat.say(thread, "x" * 60_000)
    connection = http.client.HTTPConnection(gw.host, gw.port, timeout=30)
    connection.request("GET", f"{thread}/transcript?format=text", headers={"Authorization": f"Bearer {gw.token}"})
    assert connection.getresponse().read(1000)
    connection.close()
    assert len(gw.get(f"{thread}/transcript").body) > 60 * 60_000


def test_it_is_its_owners_alone(gw, talk):
    other = Chat(gw, "contract-multi")
    assert transcript(talk, "session", token=other.token).code == "forbidden"
    assert transcript(talk, "desk", token=talk.token).code == "forbidden"
    assert transcript(talk, "session", token=talk.token).status == 200
    assert gw.get(f"{other.path}/threads/none/transcript").code == "unknownThread"
    assert gw.get("/v1/desk/threads/none/transcript").code == "unknownThread"


def test_what_a_reset_has_hidden_is_not_in_it(gw):
    chat = Chat(gw, "contract-multi")
    thread, at_desk = chat.open()
    assert gw.post(f"{thread}/resetHistory").status == 204
    chat.say(thread, "Anew")
    assert [each["text"] for each in gw.get(f"{thread}/transcript")["items"]] == ["Anew"]
    assert [each["text"] for each in gw.get(f"{at_desk}/transcript")["items"]] == ["Hello", "Anew"]


def test_a_remote_service_is_asked_for_all_of_it(gw):
    """A session on the sandbox, with more messages than one answer of the platform has."""
    sandbox = gw.get("/v1/info")["sandbox"]
    channel = next(each for each in sandbox["channels"] if each["channel"] == "contract-multi")
    urls = {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}
    where = {"service": "cxone", "brandId": sandbox["brandId"], "channelId": channel["id"], "urls": urls}
    customer = {"id": "remote-transcript"}
    first = gw.post("/v1/sessions", {**where, "customer": customer}).json
    thread = gw.post(f"/v1/sessions/{first['id']}/threads", {})["id"]
    for number in range(70):
        gw.post(f"/v1/sessions/{first['id']}/threads/{thread}/messages", {"text": str(number)})
    # Nothing is known any more of what was said.
    assert gw.post(f"/v1/sessions/{first['id']}/clearCache").status in (200, 204)
    # The thread comes back with what the platform lists.
    until("the thread", lambda: gw.post(f"/v1/sessions/{first['id']}/threads/{thread}/load").status == 200)

    def whole():
        found = gw.get(f"/v1/sessions/{first['id']}/threads/{thread}/transcript")
        # On a busy machine the platform may not have answered in time. What it has delivered is kept.
        assert found.status == 200 or found.code == "eventTimeout", found
        return found.status == 200 and found
    found = until("the history", whole)
    assert [each["text"] for each in found["items"]] == [str(number) for number in range(70)]
    assert gw.delete(f"/v1/sessions/{first['id']}").status == 204


@pytest.mark.parametrize("arguments", [["a"], ["a", "b", "--desk"], ["a", "b", "--format", "pdf"]])
def test_a_transcript_of_nothing_is_a_wrong_use(gw, arguments):
    assert parley(gw, "transcript", *arguments).returncode == 64


def test_the_program_tells_why_there_is_none(gw, talk):
    id = talk.paths["session"].rpartition("/")[2]
    for arguments, code in (([talk.id, "none"], "unknownThread"), ([talk.id, id, "--utc-offset", "2"], "invalidParameter")):
        done = parley(gw, "transcript", *arguments)
        assert (done.returncode, done.stdout) == (1, "") and code in done.stderr

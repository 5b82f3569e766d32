"""One table: every form of every feed in every situation, at the gateway itself and through nginx."""

import json
import threading
import urllib.request
import uuid

import nginx
import pytest
from chat import Chat, add_channels
from feeds import FORMS, PAGE_FORMS, STREAM_FORMS, open_feed
from gateway import Gateway, until

OTHER = {name: form for name, form in zip(FORMS, FORMS[2:] + FORMS[:2])}


@pytest.fixture(scope="module")
def gateway():
    """A gateway of the table's own, so that nobody else writes to its desk. On a busy machine its slow readers take longer
    to have their turn than the minute that a stream may stand still: here, and at nginx."""
    with Gateway(options=("--stream-stall", "600")) as gateway:
        yield add_channels(gateway)


@pytest.fixture(scope="module", params=["direct", "nginx"])
def front(gateway, request):
    """The way on which the feeds are read."""
    if request.param == "direct":
        yield gateway
    else:
        with nginx.in_front_of(gateway, "send_timeout 600s;") as proxied:
            yield proxied


def offset(id):
    return int(id.rpartition("-")[2])


class LogFeed:
    """A feed of the log: a customer speaks, and messages are its events."""

    has_pages = True
    begins = "after"
    types = "message.created"
    greatest = 120  # messages of 60,000 bytes: more than the buffers between the gateway and a reader take

    def __init__(self, gateway, name):
        self.chat = Chat(gateway, "contract-multi")
        self.path = {
            "session": f"{self.chat.path}/events", "several": f"/v1/events?session={self.chat.id}&desk=true",
            "desk": "/v1/desk/events", "all": "/v1/events?all=true"}[name]
        self.thread = self.chat.thread()
        # The desk hears of a thread with its first message.
        self.chat.say(self.thread, "first")
        self.start = gateway.get(f"{self.thread}/messages")["cursor"]
        self.snapshot = "/v1/desk/threads" if name in ("desk", "all") else f"{self.chat.path}/threads"

    def happen(self, number, size=0):
        self.chat.say(self.thread, f"{number}" + "x" * size)

    def number(self, event):
        """Which event it is; nil for those of another kind."""
        return int(event.data["message"]["text"].rstrip("x")) if event.name == "message.created" else None

    def bad_cursors(self, gateway):
        info = gateway.get("/v1/info").json
        return {"malformed": "nonsense", "foreignEpoch": "otherEpoch-1", "ahead": f"{info['epoch']}-{info['head'] + 1_000_000}"}


class CollectionFeed:
    """A feed of one collection: each message that comes is an insertion."""

    has_pages = False
    begins = "version"
    types = None
    greatest = 60  # a collection keeps 4 MiB of events

    def __init__(self, gateway, _):
        self.gateway = gateway
        self.chat = Chat(gateway, "contract-multi")
        self.thread = self.chat.thread()
        self.chat.say(self.thread, "first")
        made = gateway.post(f"{self.chat.path}/collections", {"kind": "messages", "threadId": self.thread.rpartition("/")[2]})
        self.snapshot = f"{self.chat.path}/collections/{made['id']}"
        self.path = f"{self.snapshot}/events"
        gateway.post(f"{self.snapshot}/fetch", {"direction": "previous"})
        snapshot = gateway.get(self.snapshot)
        self.start = f"{snapshot['incarnation']}-{snapshot['version']}"

    def happen(self, number, size=0):
        self.chat.say(self.thread, f"{number}" + "x" * size)

    def number(self, event):
        if event.name != "collection.insert":
            return None
        return int(event.data["items"][0]["text"].rstrip("x"))

    def bad_cursors(self, gateway):
        incarnation = gateway.get(self.snapshot)["incarnation"]
        return {"malformed": "nonsense", "foreignEpoch": "other-1", "ahead": f"{incarnation}-1000000"}


FEEDS = {"session": LogFeed, "several": LogFeed, "desk": LogFeed, "all": LogFeed, "collection": CollectionFeed}
ROWS = [pytest.param(form, feed, id=f"{form}-{feed}") for feed, kind in FEEDS.items() for form in FORMS
        if kind.has_pages or form in STREAM_FORMS]


def numbers(feed, events):
    return [number for number in map(feed.number, events) if number is not None]


def collect(feed, reader, last, deadline=30.0):
    return reader.collect(lambda event: feed.number(event) == last, deadline)


@pytest.mark.parametrize("form, name", ROWS)
@pytest.mark.parametrize("how", ["query", "header"])
def test_resume(front, form, name, how):
    """From a cursor comes all that is after it, in order; another form goes on where one has stopped."""
    feed = FEEDS[name](front, name)
    for number in range(6):
        feed.happen(number)

    def read(form, cursor):
        if how == "query":
            return open_feed(front, form, feed.path, f"?{feed.begins}={cursor}")
        return open_feed(front, form, feed.path, headers={"Last-Event-ID": cursor})

    with read(form, feed.start) as reader:
        part = collect(feed, reader, 2)
    other = OTHER[form] if feed.has_pages else next(each for each in STREAM_FORMS if each != form)
    with read(other, part[-1].id) as reader:
        middle = collect(feed, reader, 4)
    with read(form, middle[-1].id) as reader:
        rest = collect(feed, reader, 5)
        # A collection may take the last ones only now: then they come behind it.
        if all(event.name != "ready" for event in rest):
            rest += reader.collect(lambda event: event.name == "ready")
        feed.happen(6)
        rest += collect(feed, reader, 6)
    assert numbers(feed, part + middle + rest) == list(range(7))
    ids = [offset(event.id) for event in part + middle + rest if event.name != "ready"]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("form, name", ROWS)
@pytest.mark.parametrize("reason", ["malformed", "foreignEpoch", "ahead"])
def test_reset(front, form, name, reason):
    """A cursor of no use is said to be, and what comes then is live."""
    feed = FEEDS[name](front, name)
    cursor = feed.bad_cursors(front)[reason]
    with open_feed(front, form, feed.path, f"?{feed.begins}={cursor}") as reader:
        reset = reader.next()
        assert (reset.name, reset.data["reason"], reset.data["snapshot"]) == ("reset", reason, feed.snapshot)
        assert front.get(reset.data["snapshot"]).status == 200
        feed.happen(7)
        assert numbers(feed, collect(feed, reader, 7)) == [7]


@pytest.mark.parametrize("form, name", [row for row in ROWS if FEEDS[row.values[1]].types])
def test_filter(front, form, name):
    """Only what is wanted comes. The cursor moves past the rest, so that a quiet reader does not fall behind."""
    feed = FEEDS[name](front, name)
    for number in range(3):
        feed.happen(number)
    head = front.get("/v1/info")["head"]  # of the thread's update, which is not wanted
    with open_feed(front, form, feed.path, f"?types={feed.types}&after={feed.start}") as reader:
        events = reader.collect(lambda event: event.name == "ready")
        assert [event.name for event in events] == [feed.types] * 3 + ["ready"]
        assert offset(events[-1].id) >= head > offset(events[-2].id)
        feed.happen(3)
        last = reader.next()
        assert feed.number(last) == 3
    with open_feed(front, form, feed.path, f"?types={feed.types}&after={events[-1].id}") as reader:
        assert numbers(feed, reader.collect(lambda event: event.name == "ready")) == [3]


@pytest.mark.parametrize("form, name", ROWS)
def test_empty(front, form, name):
    """Where nothing has happened, a stream says that it is ready, and a page where the log ends."""
    feed = FEEDS[name](front, name)
    query = "" if feed.has_pages else f"?version={feed.start}"
    with open_feed(front, form, feed.path, query) as reader:
        ready = reader.next()
        assert ready.name == "ready" and ready.id == ready.data["cursor"]
        assert ready.id == front.get(f"{feed.thread}/messages")["cursor"] if feed.has_pages else feed.start
        assert reader.quiet(1.2) == []
        feed.happen(0)
        assert numbers(feed, collect(feed, reader, 0)) == [0]


@pytest.fixture(scope="module")
def slow(front):
    """Readers of all rows, which read nothing while much happens."""
    readers = {}
    for name, kind in FEEDS.items():
        feed = kind(front, name)
        forms = FORMS if kind.has_pages else STREAM_FORMS
        for form in forms:
            query = f"?{feed.begins}={feed.start}" + (f"&types={feed.types}" if feed.types else "")
            readers[form, name] = feed, open_feed(front, form, feed.path, query, is_slow=True)
    for feed in {id(feed): feed for feed, _ in readers.values()}.values():
        for number in range(feed.greatest):
            feed.happen(number, 60_000)
    yield readers
    for _, reader in readers.values():
        reader.close()


@pytest.mark.parametrize("form, name", ROWS)
def test_slow_reader(front, slow, form, name):
    """Who reads late misses nothing; a page is bounded, so that there are several."""
    feed, reader = slow[form, name]
    mine = feed.thread.rpartition("/")[2]
    events = []
    while not events or feed.number(events[-1]) != feed.greatest - 1:
        event = reader.next(30)
        # The desk also has the threads of the other rows.
        if event.data.get("threadId", mine) == mine:
            events.append(event)
    assert numbers(feed, events) == list(range(feed.greatest))
    if form in PAGE_FORMS:
        assert reader.pages >= 7


@pytest.mark.parametrize("feed", ["session", "several", "desk", "all"])
def test_a_waiting_page_comes_at_once(front, feed):
    """It is held until an event comes, and not for the whole time."""
    feed = LogFeed(front, feed)
    reader = open_feed(front, "wait", feed.path, f"?types={feed.types}")
    cursor = reader.next().id
    before = reader.pages
    sender = threading.Timer(0.3, feed.happen, [0])
    sender.start()
    assert feed.number(reader.next(4.5)) == 0
    sender.join()
    assert reader.pages == before + 1 and offset(reader.cursor) > offset(cursor)


def test_the_time_of_a_waiting_page_ends(front):
    feed = LogFeed(front, "session")
    page = front.get(f"{feed.path}?wait=1", headers={"Accept": "application/json"})
    assert (page["items"], page["hasMore"]) == ([], False)
    asked = front.get(feed.path, headers={"Accept": "application/json", "Prefer": "wait=1"})
    assert asked.header("Preference-Applied") == "wait=1"


@pytest.mark.parametrize("name", ["session", "several"])
def test_a_waiting_page_ends_with_its_session(front, name):
    feed = LogFeed(front, name)
    ended = threading.Timer(0.3, lambda: front.delete(feed.chat.path))
    ended.start()
    page = front.get(f"{feed.path}{'&' if '?' in feed.path else '?'}wait=40", headers={"Accept": "application/json"})
    ended.join()
    # The desk hears of nothing here; the session's page is over, and there is no further one.
    assert page.status == 200
    assert front.get(feed.path, headers={"Accept": "application/json"}).code == "unknownSession"


def test_waiting_pages_end_when_the_gateway_stops(own):
    feed = LogFeed(own, "session")
    pages = []
    reader = threading.Thread(target=lambda: pages.append(own.get(f"{feed.path}?wait=50", headers={"Accept": "application/json"})))
    reader.start()
    until("the page to wait", lambda: "parley_pages_waiting 1" in own.get("/metrics").text)
    assert own.stop() == 0
    reader.join(30)
    assert pages and pages[0].status == 200 and pages[0]["items"] == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("begin, wanted", [("last=3", ["3", "4", "5"]), ("earliest=true", ["first", "0", "1", "2", "3", "4", "5"])])
def test_other_beginnings(front, form, begin, wanted):
    feed = LogFeed(front, "session")
    for number in range(6):
        feed.happen(number)
    with open_feed(front, form, feed.path, f"?types={feed.types}&{begin}") as reader:
        events = reader.collect(lambda event: event.name == "ready")[:-1]
        assert [event.data["message"]["text"] for event in events] == wanted


@pytest.mark.parametrize("form", FORMS)
def test_beginning_with_a_time(front, form):
    feed = LogFeed(front, "session")
    for number in range(5):
        feed.happen(number)
    time = front.get(f"{feed.thread}/messages")["items"][1]["createdAt"]
    with open_feed(front, form, feed.path, f"?types={feed.types}&since={time}") as reader:
        found = numbers(feed, collect(feed, reader, 4))
        # The one before may have the same millisecond.
        assert found in ([3, 4], [2, 3, 4])


def test_a_page_ends_before_a_time(front):
    """There is nothing to wait for then, and a stream has no end."""
    feed = LogFeed(front, "session")
    for number in range(5):
        feed.happen(number)
    time = front.get(f"{feed.thread}/messages")["items"][1]["createdAt"]
    json_page = {"Accept": "application/json"}
    begun = front.get(f"{feed.path}?types={feed.types}&earliest=true&until={time}", headers=json_page)
    # The one before may have the same millisecond.
    assert [item["data"]["message"]["text"] for item in begun["items"]] in (["first", "0", "1", "2"], ["first", "0", "1"])
    assert not begun["hasMore"]
    more = front.get(f"{feed.path}?after={begun['cursor']}&until={time}&wait=50", headers=json_page)
    assert (more["items"], more["cursor"]) == ([], begun["cursor"])
    refused = front.get(f"{feed.path}?until={time}", headers={"Accept": "text/event-stream"})
    assert (refused.status, refused.code) == (400, "invalidParameter")


@pytest.mark.parametrize("name, accept", [
    *((name, "text/html") for name in FEEDS), ("collection", "application/json"), ("session", "application/json;q=0")])
def test_no_other_form(front, name, accept):
    feed = FEEDS[name](front, name)
    answer = front.get(feed.path, headers={"Accept": accept})
    assert (answer.status, answer.code) == (406, "notAcceptable")
    assert "application/jsonl" in answer["detail"]


def test_lines_are_read_by_what_every_language_has(front):
    """Python's own loop over the lines of an answer."""
    feed = LogFeed(front, "session")
    request = urllib.request.Request(front.origin + feed.path, headers={
        "Accept": "application/jsonl", "Authorization": f"Bearer {front.token}"})
    with urllib.request.urlopen(request, timeout=10) as response:
        types = []
        for line in response:
            event = json.loads(line)
            types.append(event["type"])
            if event["type"] == "ready":
                feed.happen(1)
            if event["type"] == "thread.updated":
                break
    assert types == ["ready", "message.created", "thread.updated"]


def test_a_feed_of_events_is_the_same_in_all_forms(front):
    """A history with all that customer and agent do, read in each form: the same ids, types and data."""
    chat = Chat(front, "contract-multi", id=f"cust-{uuid.uuid4()}")
    start = front.get(f"{chat.path}/threads")["cursor"]
    thread, at_desk = chat.open(name="All")
    message = chat.say(thread, "Edit me")
    front.patch(f"{thread}/messages/{message['id']}", {"text": "Edited"})
    front.post(f"{at_desk}/messages", {"text": "Yes?"})
    front.post(f"{thread}/messages/{message['id']}/replies", {"text": "A reply"})
    front.post(f"{at_desk}/read")
    front.delete(f"{thread}/messages/{message['id']}")
    front.post(f"{at_desk}/close")
    for path in (f"{chat.path}/events", f"/v1/events?session={chat.id}&desk=true", "/v1/desk/events"):
        told = {}
        for form in FORMS:
            with open_feed(front, form, path, f"?after={start}") as reader:
                events = reader.collect(lambda event: event.name == "ready")[:-1]
                told[form] = [(event.id, event.name, event.data) for event in events]
        assert len(told["sse"]) > 8
        assert all(each == told["sse"] for each in told.values())

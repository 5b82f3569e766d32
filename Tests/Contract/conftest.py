"""What the contract's tests share: one gateway for all, others on demand, and chats to work with."""

import re
import uuid

import pytest
from chat import Chat, add_channels
from document import DOCUMENT
from gateway import SEEN_AT, SEEN_CODES, Gateway


@pytest.fixture(scope="session")
def document():
    return DOCUMENT


@pytest.fixture(scope="session")
def shared():
    """The gateway of all modules. One that has a `gw` of its own asks this one for the reference only."""
    with Gateway() as gateway:
        yield add_channels(gateway)


@pytest.fixture(scope="session")
def gw(shared):
    """The gateway that all tests share which need none of their own."""
    return shared


@pytest.fixture
def own():
    """A gateway of the test's own."""
    with Gateway() as gateway:
        yield add_channels(gateway)


@pytest.fixture
def multi(gw):
    return Chat(gw, "contract-multi", firstName="Ann", lastName="Berg")


@pytest.fixture
def single(gw):
    return Chat(gw, "contract-single")


@pytest.fixture(scope="module")
def world(gw):
    """Words for the table of requests: a session, a thread with a message, another customer's, a closed one."""
    chat, other, single = Chat(gw, "contract-multi"), Chat(gw, "contract-multi"), Chat(gw, "contract-single")
    thread, at_desk = chat.open(name="Table")
    message = gw.get(f"{thread}/messages")["items"][0]["id"]
    answer = gw.post(f"{at_desk}/messages", {"text": "Yes?"})["id"]
    closed, closed_at_desk = chat.open(name="Closed")
    assert gw.post(f"{closed_at_desk}/close").status == 200
    pending = chat.thread(name="Pending")
    off = gw.post("/v1/sessions", {"channel": "contract-multi", "connect": False}).json
    return {
        "s": chat.path, "t": thread, "m": f"{thread}/messages/{message}", "agents": f"{thread}/messages/{answer}",
        "dt": at_desk, "dm": f"{at_desk}/messages/{answer}", "customers": f"{at_desk}/messages/{message}",
        "closed": closed, "dclosed": closed_at_desk, "pending": pending, "off": f"/v1/sessions/{off['id']}",
        "dpending": "/v1/desk/threads/" + pending.rpartition("/")[2], "other": other.path, "single": single.path,
        "st": f"{single.path}/threads/" + gw.get(f"{single.path}/threads")["items"][0]["id"],
        "none": str(uuid.uuid4()), "session_token": chat.token, "gateway": gw,
    }


@pytest.fixture(scope="session")
def listed_codes(shared):
    """The codes that the reference lists for each operation: the operation's own, and those of every operation."""
    codes = re.compile(r'href="/docs/problems/(\w+)"')
    of_all = set(codes.findall(shared.get("/docs").text.partition('id="every-operation"')[2].partition("</ul>")[0]))
    listed = {}
    for tag in DOCUMENT.raw["tags"]:
        for section in re.split(r'<section class="operation" id="', shared.get(f"/docs/api/{tag['name']}").text)[1:]:
            listed[section.partition('"')[0]] = of_all | set(codes.findall(section))
    return of_all, listed


@pytest.fixture(scope="module", autouse=True)
def seen_codes(listed_codes):
    """Each code that a module's tests have seen has a page, and is listed at the operation that answered with it."""
    SEEN_CODES.clear()
    SEEN_AT.clear()
    yield
    assert SEEN_CODES - set(DOCUMENT.raw["x-problem-codes"]) == set()
    assert not (silent := sorted(seen for seen in SEEN_AT if seen[1] not in listed_codes[1][seen[0]])), silent


def pytest_collection_modifyitems(items):
    """The longest module comes first: at the end, one process would wait for it."""
    items.sort(key=lambda item: "test_schemathesis" not in item.nodeid)

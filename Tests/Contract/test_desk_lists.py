"""The desk's lists: by agent, by who waits, by names; who works there; and the answers that agents keep for all of them."""

import urllib.parse
import uuid

import pytest
from chat import Chat

MARA, BO = {"id": "mara", "name": "Mara Lind"}, {"id": "bo", "name": "Bo Berg"}


@pytest.fixture(scope="module")
def people(gw):
    """Four customers: Ada is Mara's and waits, Ben is Bo's and was answered, Cleo is nobody's and waits, Dan is closed."""
    channel = f"lists-{uuid.uuid4().hex[:8]}"
    gw.post("/v1/desk/channels", {"id": channel, "mode": "multithread"})
    threads = {}
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        chat = Chat(gw, channel, firstName=name)
        threads[name] = chat.open(name=f"Order of {name.lower()}")[1].rpartition("/")[2]
    gw.post(f"/v1/desk/threads/{threads['Ada']}/assign", {"agent": MARA})
    gw.post(f"/v1/desk/threads/{threads['Ben']}/assign", {"agent": BO})
    gw.post(f"/v1/desk/threads/{threads['Ben']}/messages", {"text": "Yes", "agent": BO})
    gw.post(f"/v1/desk/threads/{threads['Dan']}/assign", {"agent": MARA})
    gw.post(f"/v1/desk/threads/{threads['Dan']}/close")
    for name, kind in (("Ben", "order-late"), ("Cleo", "order")):
        assert gw.patch(f"/v1/desk/threads/{threads[name]}", {"customType": kind}).status == 200
    return channel, {thread: name for name, thread in threads.items()}, threads


@pytest.mark.parametrize("query, wanted", [
    ({}, "Ada Ben Cleo Dan"), ({"agent": "mara"}, "Ada Dan"), ({"agent": "mara", "state": "open"}, "Ada"), ({"agent": "x"}, ""),
    ({"unassigned": True}, "Cleo"), ({"waiting": True}, "Ada Cleo"), ({"waiting": True, "unassigned": True}, "Cleo"),
    ({"nameContains": "ORDER OF B"}, "Ben"), ({"nameContains": "cleo"}, "Cleo"), ({"nameContains": "order"}, "Ada Ben Cleo Dan"),
    ({"unassigned": False, "waiting": False}, "Ada Ben Cleo Dan"),
    ({"members": ["Ada"]}, "Ada"), ({"members": ["Ben", "Ada"]}, ""), ({"customTypePrefix": "ord"}, "Ben Cleo"), ({"customTypePrefix": "Ord"}, ""),
])
def test_lists_and_collections_are_filtered_alike(gw, people, query, wanted):
    channel, names, threads = people
    if "members" in query:
        query = {"members": sorted(gw.get(f"/v1/desk/threads/{threads[name]}")["customer"]["id"] for name in query["members"])}
    text = urllib.parse.urlencode({
        "member" if name == "members" else name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}, doseq=True)
    listed, path = [], f"/v1/desk/threads?channel={channel}&limit=1&{text}"
    while path:
        page = gw.get(path)
        listed += page["items"]
        path = page.link("next")
    assert sorted(names[one["id"]] for one in listed) == wanted.split()
    made = gw.post("/v1/desk/collections", {"kind": "threads", "query": {"channel": channel, **query}, "firstPage": True})
    assert made["items"] == listed
    assert {name: made["query"][name] for name in query if query[name]} == {name: value.lower() if name == "nameContains" else value for name, value in query.items() if value}


@pytest.mark.parametrize("query", ["waiting=yes", "unassigned=", "nameContains=", "agent=", "customer="])
def test_a_wrong_condition_is_named(gw, query):
    answer = gw.get(f"/v1/desk/threads?{query}")
    assert answer.status == 400 and answer["errors"][0]["pointer"] == f"?{query.partition('=')[0]}"


def test_the_live_list_follows_the_same_conditions(gw, people):
    channel, names, threads = people
    made = gw.post("/v1/desk/collections", {"kind": "threads", "query": {"channel": channel, "waiting": True}, "firstPage": True})
    with gw.events(f"/v1/desk/collections/{made['id']}/events?version={made['version']}") as stream:
        stream.wait("ready")
        gw.post(f"/v1/desk/threads/{threads['Cleo']}/messages", {"text": "Soon", "agent": BO})
        assert stream.wait("collection.remove").data["ids"] == [threads["Cleo"]]
        chat = Chat(gw, channel, firstName="Eve")
        thread, _ = chat.open()
        inserted = stream.wait("collection.insert").data
        assert inserted["items"][0]["customer"]["id"] == chat.customer and inserted["items"][0]["waitingSince"] == gw.get(f"{thread}/messages")["items"][0]["createdAt"]


def test_a_customers_conversations(gw):
    chat, other = Chat(gw, "contract-multi"), Chat(gw, "contract-multi")
    mine = [chat.open()[1].rpartition("/")[2] for _ in range(2)]
    other.open()
    found = gw.get(f"/v1/desk/threads?customer={chat.customer}")["items"]
    assert [one["id"] for one in found] == mine[::-1]


def test_agents_are_known_by_their_work(gw, multi):
    agent = {"id": f"agent-{uuid.uuid4().hex[:8]}", "name": "Kim"}
    _, at_desk = multi.open()
    gw.post(f"{at_desk}/assign", {"agent": agent})
    agents = gw.get("/v1/desk/agents")
    assert agents["items"][0] == agent or agent in agents["items"]
    assert gw.get("/v1/desk/agents", token=multi.token).status == 403


def test_answers_are_shared_by_all_desks(gw, multi):
    name = f"hours-{uuid.uuid4().hex[:8]}"
    with gw.events("/v1/desk/events") as desk, multi.events() as customers:
        for stream in (desk, customers):
            stream.wait("ready")
        made = gw.post("/v1/desk/answers", {"name": name, "text": "9 to 5"})
        assert made.status == 201 and made.header("Location") == f"/v1/desk/answers/{made['id']}"
        assert desk.wait("answer.updated").data == {"id": made["id"], "answer": made.json}
        again = gw.post("/v1/desk/answers", {"name": name, "text": "all day"})
        assert again.status == 200 and again["id"] == made["id"] and gw.get(made.header("Location")).json == again.json
        assert desk.wait("answer.updated").data["answer"]["text"] == "all day"
        assert [one for one in gw.get("/v1/desk/answers")["items"] if one["name"] == name] == [again.json]
        assert gw.delete(made.header("Location")).status == 204
        assert desk.wait("answer.updated").data == {"id": made["id"]}
        multi.open()
        customers.wait("message.created")
        assert not [one for one in customers.taken if one.name == "answer.updated"]
    assert gw.get(made.header("Location")).code == "unknownAnswer" and gw.delete(made.header("Location")).code == "unknownAnswer"
    for method, path in (("GET", ""), ("POST", ""), ("GET", "/x"), ("DELETE", "/x")):
        body = {"name": "a", "text": "b"} if method == "POST" else None
        assert gw.call(method, f"/v1/desk/answers{path}", body, token=multi.token).status == 403


def test_answers_have_a_limit_and_survive(own):
    for number in range(1000):
        assert own.post("/v1/desk/answers", {"name": f"a{number:03}", "text": "x"}).status == 201
    assert own.post("/v1/desk/answers", {"name": "one more", "text": "x"}).code == "tooManyAnswers"
    assert own.post("/v1/desk/answers", {"name": "a007", "text": "y"}).status == 200
    own.restart()
    items = own.get("/v1/desk/answers")["items"]
    assert [one["name"] for one in items] == [f"a{number:03}" for number in range(1000)] and items[7]["text"] == "y"


@pytest.mark.parametrize("body", [{"name": "a"}, {"text": "a"}, {"name": "", "text": "a"}, {"name": "a" * 81, "text": "a"}, {"name": "a", "text": ""}, {"name": "a", "text": "b", "id": "c"}])
def test_answers_are_checked(gw, body):
    assert gw.post("/v1/desk/answers", body).status == 422

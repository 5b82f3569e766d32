"""Collections over HTTP: whose they are, what the desk's carry, and which streams carry whose."""

import uuid

from chat import Chat

DESK = "/v1/desk/collections"


def make(gw, path, definition):
    answer = gw.post(path, definition)
    assert answer.status == 201 and answer.header("Location") == f"{path}/{answer['id']}"
    return f"{path}/{answer['id']}", answer["id"]


def fetch(gw, path, direction="next"):
    assert gw.post(f"{path}/fetch", {"direction": direction}).status == 200


def test_the_desks_threads_are_its_own_list(gw, multi):
    for _ in range(3):
        multi.open()
    path, _ = make(gw, DESK, {"kind": "threads", "query": {"limit": 100, "channel": "contract-multi"}})
    fetch(gw, path)
    listed = gw.get("/v1/desk/threads?limit=100&channel=contract-multi")["items"]
    assert gw.get(path)["items"] == listed and {one["channel"] for one in listed} == {"contract-multi"}
    assert gw.delete(path).status == 204 and gw.get(path).code == "unknownCollection"


def test_one_thread_id_of_two_customers(gw):
    id = f"same-{uuid.uuid4()}"
    people = [Chat(gw, "contract-multi", id=f"{name}-{uuid.uuid4()}") for name in ("ada", "bo")]
    for person in people:
        gw.post(f"{person.path}/threads", {"id": id})
        person.say(f"{person.path}/threads/{id}", person.customer)
    assert gw.post(DESK, {"kind": "messages", "threadId": id}).code == "ambiguousThread"
    threads, _ = make(gw, DESK, {"kind": "threads", "query": {"state": "open"}})
    fetch(gw, threads)
    for person in people:
        messages, _ = make(gw, DESK, {"kind": "messages", "threadId": id, "customer": person.customer})
        fetch(gw, messages, "previous")
        shown = gw.get(messages)
        assert [one["text"] for one in shown["items"]] == [person.customer]
        assert (shown["channel"], shown["customer"]) == ("contract-multi", person.customer)
    with gw.events(f"{threads}/events?version=1") as stream:
        stream.wait("ready")
        assert gw.post(f"/v1/desk/threads/{id}/close?customer={people[0].customer}").status == 200
        removal = stream.wait("collection.remove").data
    assert (removal["ids"], removal["owners"]) == ([id], [{"channel": "contract-multi", "customer": people[0].customer}])
    assert [one["customer"]["id"] for one in gw.get(threads)["items"] if one["id"] == id] == [people[1].customer]


def test_one_stream_carries_a_sessions_and_the_desks(gw, multi):
    thread, at_desk = multi.open()
    id = thread.rpartition("/")[2]
    mine, _ = make(gw, f"{multi.path}/collections", {"kind": "messages", "threadId": id})
    desks, _ = make(gw, DESK, {"kind": "messages", "threadId": id})
    for path in (mine, desks):
        fetch(gw, path, "previous")
    with gw.events(f"/v1/events?session={multi.id}&desk=true&collections={mine.rpartition('/')[2]},{desks.rpartition('/')[2]}") as stream:
        stream.wait("ready")
        synced = {stream.wait("collection.sync").data["collectionId"] for _ in range(2)}
        assert synced == {mine.rpartition("/")[2], desks.rpartition("/")[2]}
        gw.post(f"{at_desk}/messages", {"text": "Yes?"})
        inserts = [stream.wait("collection.insert").data for _ in range(2)]
    by_side = {"desk" if one.get("desk") else tuple(one["sessions"]): one for one in inserts}
    assert set(by_side) == {"desk", (multi.id,)}
    assert by_side["desk"]["items"] == by_side[(multi.id,)]["items"], "a message is the same on both sides"


def test_a_stream_of_holders_carries_theirs(gw):
    (one, two) = (f"tab-{uuid.uuid4()}" for _ in "ab")
    kept = [make(gw, DESK, {"kind": "threads", "holder": holder})[1] for holder in (one, one, two)]
    with gw.events(f"/v1/events?desk=true&holder={one}") as stream:
        stream.wait("ready")
        assert {stream.wait("collection.sync").data["collectionId"] for _ in range(2)} == set(kept[:2])
        later = make(gw, DESK, {"kind": "threads", "holder": one})[1]
        assert stream.wait("collection.sync").data["collectionId"] == later
    definitions = {each["id"]: each["definition"] for each in gw.get(DESK)["items"]}
    assert [definitions[id]["holder"] for id in kept] == [one, one, two]


def test_a_sessions_token_does_not_open_the_desks(gw, multi):
    path, _ = make(gw, DESK, {"kind": "threads"})
    for each in (DESK, path, f"{path}/events"):
        assert gw.get(each, token=multi.token).status == 403


def test_the_desks_definitions_survive_a_restart(own):
    chat = Chat(own, "contract-multi")
    thread, _ = chat.open()
    path, id = make(own, DESK, {"kind": "messages", "threadId": thread.rpartition("/")[2]})
    fetch(own, path, "previous")
    before = own.get(path)
    own.restart()
    after = own.get(path)
    assert (after["version"], after["items"]) == (0, []) and after["incarnation"] != before["incarnation"]
    fetch(own, path, "previous")
    assert own.get(path)["items"] == before["items"]
    assert [each["id"] for each in own.get(DESK)["items"]] == [id]


def test_the_embedded_service_says_that_it_has_collections(gw):
    local = next(service for service in gw.get("/v1/services")["items"] if service["id"] == "local")
    assert "collections" in local["capabilities"]


ECHOED = ("kind", "query", "threadId", "channel", "customer", "filter", "parentId", "viewpoint", "limit", "capacity", "holder")


def test_what_is_shown_can_be_asked_for_again(gw, multi):
    thread, _ = multi.open()
    id = thread.rpartition("/")[2]
    query = {"limit": 5, "order": "chronological", "state": "open", "customTypes": ["a"], "includeEmpty": False, "nameContains": "x"}
    for at, definition in [
            (f"{multi.path}/collections", {"kind": "messages", "threadId": id, "filter": {"type": "text", "senderIds": ["a"]},
                                           "viewpoint": 1777887000000, "limit": 7, "capacity": 300, "holder": "tab"}),
            (f"{multi.path}/collections", {"kind": "messages", "threadId": id, "viewpoint": 9223372036854775807}),
            (f"{multi.path}/collections", {"kind": "threads", "query": query}),
            (DESK, {"kind": "messages", "threadId": id}), (DESK, {"kind": "threads", "query": {"state": "open", "channel": "contract-multi"}})]:
        path, made = make(gw, at, definition)
        shown = gw.get(path).json
        echo = {name: shown[name] for name in ECHOED if name in shown}
        again, _ = make(gw, at, echo)
        answer = gw.get(again).json
        assert {name: answer[name] for name in ECHOED if name in answer} == echo
        assert [one["definition"] for one in gw.get(at)["items"] if one["id"] == made] == [echo]


def test_the_answer_shows_the_first_page_if_that_is_asked_for(gw, multi):
    """As a page that is loaded wants it: one request, and the stream goes on from there."""
    thread, at_desk = multi.open()
    for number in range(5):
        multi.say(thread, f"m{number}")
    id = thread.rpartition("/")[2]
    shown = [one["id"] for one in gw.get(f"{thread}/messages")["items"]][::-1]
    where = f"{multi.path}/collections"
    made = gw.post(where, {"kind": "messages", "threadId": id, "limit": 3, "firstPage": True})
    assert [one["id"] for one in made["items"]] == shown[-3:] and (made["version"], made["hasPrevious"], made["hasNext"]) == (1, True, False)
    path = f"{where}/{made['id']}"
    assert gw.get(path).body == made.body
    with gw.events(f"{path}/events?version={made['version']}") as stream:
        multi.say(thread, "after it")
        assert stream.wait("collection.insert").data["version"] == 2
    first = gw.post(where, {"kind": "messages", "threadId": id, "viewpoint": 0, "limit": 3, "firstPage": True})
    assert [one["id"] for one in first["items"]] == shown[:3] and (first["hasPrevious"], first["hasNext"]) == (False, True)
    around = gw.post(where, {"kind": "messages", "threadId": id, "viewpoint": made["items"][0]["createdAt"], "limit": 1, "firstPage": True})
    assert len(around["items"]) == 2 and around["hasPrevious"] and around["hasNext"]
    threads = gw.post(DESK, {"kind": "threads", "query": {"limit": 1, "channel": "contract-multi"}, "firstPage": True})
    assert [one["id"] for one in threads["items"]] == [id] and threads["version"] == 1
    empty = gw.post(where, {"kind": "threads", "query": {"nameContains": "none has this"}, "firstPage": True})
    assert (empty["items"], empty["hasNext"]) == ([], False)
    assert gw.post(where, {"kind": "threads", "firstPage": 1}).code == "invalidValue"


def test_a_definition_has_a_bound(gw, multi):
    thread, _ = multi.open()
    def define(count, length):
        return {"kind": "messages", "threadId": thread.rpartition("/")[2], "filter": {"senderIds": [f"{number:03}{'ä' * (length - 3)}" for number in range(count)]}}
    for path in (f"{multi.path}/collections", DESK):
        answer = gw.post(path, define(100, 128))
        assert (answer.status, answer.code) == (422, "invalidParameter") and "16384 bytes" in answer["detail"]
        threads = gw.post(path, {"kind": "threads", "query": {"members": [f"{number:03}{'x' * 125}" for number in range(10)]}})
        assert threads.status == 201
        assert gw.post(path, define(60, 128)).status == 201
    assert len(gw.get(f"{multi.path}/collections").body) < 40_000

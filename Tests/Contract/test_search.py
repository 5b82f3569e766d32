"""Searching: what is found, for whom, and that the index follows."""

import uuid

import pytest
from chat import Chat
from gateway import until


def word():
    return "w" + uuid.uuid4().hex


def search(gateway, path, query, **more):
    """All that is found once the index has caught up, page after page."""
    import urllib.parse
    head = gateway.get("/v1/info")["head"]
    at = f"{path}?{urllib.parse.urlencode({'q': query, **more})}"
    offset = lambda cursor: int(cursor.rpartition("-")[2])
    def caught_up():
        found = gateway.get(at)
        return found if offset(found["indexedTo"]) >= head else None

    answer = until("the index to catch up", caught_up)
    items = answer["items"]
    while link := answer.link("next"):
        answer = gateway.get(link)
        items += answer["items"]
    return items


def ids(items):
    return [item["message"]["id"] for item in items]


def test_a_session_finds_its_messages_newest_first(gw, multi):
    one, two = word(), word()
    first, second = multi.thread(), multi.thread()
    sent = [multi.say(first, f"{one} here"), multi.say(second, f"There {one.upper()} {two}"), multi.say(first, two)]
    found = search(gw, f"{multi.path}/search", one)
    assert ids(found) == [sent[1]["id"], sent[0]["id"]]
    assert found[0]["threadId"] == second.rpartition("/")[2] and found[0]["message"] == sent[1]
    text, ranges = found[0]["snippet"]["text"], found[0]["snippet"]["ranges"]
    assert [text[start:start + length] for start, length in ranges] == [one.upper()]
    assert ids(search(gw, f"{first}/messages", one)) == [sent[0]["id"]]
    assert ids(search(gw, f"{multi.path}/search", f"{one} {two}")) == [sent[1]["id"]]
    assert ids(search(gw, f"{multi.path}/search", f'"{one} {two}"')) == [sent[1]["id"]]
    assert ids(search(gw, f"{multi.path}/search", one[:20] + "*")) == [sent[1]["id"], sent[0]["id"]]
    assert ids(search(gw, f"{multi.path}/search", one, limit=1)) == [sent[1]["id"], sent[0]["id"]]
    assert search(gw, f"{Chat(gw, 'contract-multi').path}/search", one) == []


def test_the_desk_searches_all_that_it_knows(gw, multi):
    one = word()
    thread, at_desk = multi.open()
    pending = multi.thread()
    message = multi.say(thread, one)
    found = search(gw, "/v1/desk/search", one)
    assert ids(found) == [message["id"]] and found[0]["customer"]["id"] == multi.customer and found[0]["channel"] == "contract-multi"
    assert ids(search(gw, f"{at_desk}/messages", one)) == [message["id"]]
    assert gw.get(f"{pending}/messages?q={one}")["items"] == []


def test_a_search_is_filtered_by_type_sender_and_time(gw, multi):
    one = word()
    thread, at_desk = multi.open()
    asked = multi.say(thread, one)
    said = gw.post(f"{at_desk}/messages", {"text": one, "agent": {"id": "robin, the 2nd", "name": "Robin"}})
    for path in (f"{multi.path}/search", "/v1/desk/search", f"{thread}/messages", f"{at_desk}/messages"):
        found = lambda **more: ids(search(gw, path, one, **more))
        assert found() == [said["id"], asked["id"]]
        assert found(senderKinds="customer") == [asked["id"]]
        assert found(senderIds=multi.customer) == [asked["id"]] and found(senderIds="nobody") == []
        assert asked["id"] in found(types="text") and said["id"] in found(types="text,file") and found(types="file") == []
        assert found(since=said["createdAt"], senderKinds="agent,bot")[-1] == said["id"]
        assert found(until=asked["createdAt"]) == []
        assert found(since=asked["createdAt"], until=asked["createdAt"]) == []


def test_edits_and_removals_follow(gw, multi):
    one, two = word(), word()
    thread = multi.thread()
    message = multi.say(thread, one)["id"]
    assert len(search(gw, f"{multi.path}/search", one)) == 1
    gw.patch(f"{thread}/messages/{message}", {"text": two})
    assert search(gw, f"{multi.path}/search", one) == [] and len(search(gw, f"{multi.path}/search", two)) == 1
    gw.delete(f"{thread}/messages/{message}")
    assert search(gw, f"{multi.path}/search", two) == []


def test_a_snippet_is_no_html(gw, multi):
    one = word()
    thread = multi.thread()
    text = f"<b>😀</b> &amp; <script>{one}</script>"
    multi.say(thread, text)
    snippet = search(gw, f"{multi.path}/search", one)[0]["snippet"]
    assert snippet["text"] == text
    [[start, length]] = snippet["ranges"]
    assert text.encode("utf-16-le")[2 * start:2 * (start + length)].decode("utf-16-le") == one


@pytest.mark.parametrize("query, status", [
    ("q=", 400), ("", 400), ("q=" + "a" * 257, 400), ("q=a&cursor=x", 400), ("q=a&cursor=s-1", 400), ("q=a&limit=0", 400), ("q=a&x=1", 400),
    ("q=%22", 200), ("q=*", 200), ("q=%00", 200), ("q=a%00b", 200), ("q=%27%3B--", 200), ("q=NEAR(", 200), ("q=%ff", 200)])
def test_bad_input_is_no_error_of_the_database(gw, multi, query, status):
    assert gw.get(f"{multi.path}/search?{query}").status == status


def test_the_index_catches_up_after_a_kill(own):
    chat = Chat(own, "contract-multi")
    thread, _ = chat.open()
    for round in range(3):
        said = word()
        messages = [chat.say(thread, f"{said} {number}")["id"] for number in range(30)]
        own.kill()
        if round == 1:
            for name in ("search.sqlite", "search.sqlite-wal", "search.sqlite-shm"):
                (own.folder / name).unlink(missing_ok=True)
        own.start()
        assert ids(search(own, f"{chat.path}/search", said)) == messages[::-1]

"""What a session shows, what it is notified of, and what is unread in all."""

from gateway import until

AGENT = {"id": "eve", "name": "Eve"}


def viewing(gw, chat):
    return gw.get(f"{chat.path}/viewing").json


def id_of(path):
    return path.rpartition("/")[2]


def test_the_screens_of_a_session_are_those_of_its_holders(gw, multi):
    one, two = multi.thread(), multi.thread()
    assert (viewing(gw, multi)["notifies"], viewing(gw, multi)["screens"]) == (False, [])
    assert gw.put(f"{multi.path}/viewing", {"threadId": id_of(one), "holder": "tab-1"}).status == 204
    assert gw.put(f"{multi.path}/viewing", {"threadId": id_of(two), "holder": "tab-2"}).status == 204
    assert gw.put(f"{multi.path}/viewing", {}).status == 204
    seen = viewing(gw, multi)
    assert seen["screens"] == [
        {"holder": "tab-1", "threadId": id_of(one)}, {"holder": "tab-2", "threadId": id_of(two)}, {}]
    assert seen["threadIds"] == sorted([id_of(one), id_of(two)]) and "threadId" not in seen and seen["notifies"]
    assert gw.delete(f"{multi.path}/viewing?holder=tab-1&holder=other").status == 204
    assert viewing(gw, multi)["threadIds"] == [id_of(two)]
    assert gw.delete(f"{multi.path}/viewing").status == 204
    assert viewing(gw, multi)["notifies"] is False


def test_a_session_has_a_limited_number_of_screens(gw, multi):
    answers = [gw.put(f"{multi.path}/viewing", {"holder": f"tab-{number}"}) for number in range(33)]
    assert [answer.status for answer in answers] == [204] * 32 + [409]
    assert answers[-1].code == "tooManyScreens"


def test_what_no_screen_shows_is_notified_with_a_link_and_the_total(gw, multi):
    (shown, shown_at_desk), (other, other_at_desk) = multi.open(), multi.open(name="My / order")
    with multi.events("?holder=tab-1&collections=false") as stream:
        stream.wait("ready")
        gw.put(f"{multi.path}/viewing", {"threadId": id_of(shown), "holder": "tab-1"})
        gw.post(f"{shown_at_desk}/messages", {"text": "On the screen", "agent": AGENT})
        sent = gw.post(f"{other_at_desk}/messages", {"text": "Elsewhere", "agent": AGENT})
        told = stream.wait("notification")
        channel = multi.session["channel"]["id"]
        assert told.id is None and told.data == {
            "channelId": channel, "threadId": id_of(other), "threadName": "My / order", "messageId": sent["id"], "title": "Eve",
            "text": "Elsewhere", "createdAt": sent["createdAt"], "tag": id_of(other), "unreadCount": 2,
            "link": f"/?channel={channel}&thread={id_of(other)}&message={sent['id']}&from=none"}
        assert gw.get(f"{multi.path}/unread").json == {"unreadCount": 2, "threadCount": 2}
        gw.post(f"{other}/read")
        events = stream.collect(lambda event: event.name == "unread.updated" and event.data["unreadCount"] == 1)
        assert events[-1].data == {"unreadCount": 1, "threadCount": 1}


def test_what_was_read_last_is_a_viewpoint(gw, multi):
    thread, at_desk = multi.open()
    assert "lastReadAt" not in gw.get(thread).json
    read = gw.post(f"{at_desk}/messages", {"text": "read"})
    gw.post(f"{thread}/read")
    seen = gw.get(thread)
    assert seen["lastReadAt"] == read["createdAt"]
    # Times are in milliseconds: a message of the same one would count as read.
    until("a later message", lambda: gw.post(f"{at_desk}/messages", {"text": "new"})["createdAt"] > read["createdAt"])
    unread = gw.get(thread)["unreadCount"]
    path = f"{multi.path}/collections"
    made = gw.post(path, {"kind": "messages", "threadId": id_of(thread), "viewpoint": seen["lastReadAt"]})["id"]
    gw.post(f"{path}/{made}/fetch", {"direction": "next"})
    texts = [each["text"] for each in gw.get(f"{path}/{made}")["items"]]
    assert texts[-1] == "new" and "read" not in texts and len(texts) <= unread

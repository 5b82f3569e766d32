"""Sessions that nobody has used since the gateway's start: whatever is asked first, they are as they were before it."""

import pytest


@pytest.fixture
def waiting(own):
    """A gateway after a restart, with the sessions, threads and tokens of before."""
    sessions = []
    for number in range(3):
        session = own.post("/v1/sessions", {"channel": "contract-multi", "customer": {"id": f"c{number}"}})
        path = f"/v1/sessions/{session['id']}"
        thread = f"{path}/threads/{own.post(f'{path}/threads', {})['id']}"
        own.post(f"{thread}/messages", {"text": "before"})
        collection = own.post(f"{path}/collections", {"kind": "threads"})["id"]
        sessions.append({
            "id": session["id"], "token": session["token"], "path": path, "thread": thread,
            "collection": f"{path}/collections/{collection}"})
    own.restart()
    own.sessions = sessions
    return own


def shown(gw, session):
    return gw.get(session["path"], token=session["token"])


@pytest.mark.parametrize("first", [
    "session", "page", "send", "upload", "stream", "combined", "list", "collection", "screen", "webhook", "metrics",
    "disconnect", "wrong token"])
def test_whatever_comes_first(waiting, first):
    one, other, last = waiting.sessions
    path, thread, token = one["path"], one["thread"], one["token"]
    match first:
        case "session":
            assert shown(waiting, one)["state"] == "ready"
        case "page":
            assert [m["text"] for m in waiting.get(f"{thread}/messages", token=token)["items"]] == ["before"]
        case "send":
            assert waiting.post(f"{thread}/messages", {"text": "after"}, token=token).status == 201
        case "upload":
            answer = waiting.call(
                "POST", f"{path}/attachments", raw=b"some text", token=token,
                headers={"Content-Type": "text/plain", "Content-Disposition": 'attachment; filename="a.txt"'})
            assert answer.status == 201
        case "stream":
            with waiting.events(f"{path}/events", token=token) as stream:
                assert stream.wait("ready").data["state"] == "ready"
                assert waiting.post(f"{thread}/messages", {"text": "after"}, token=token).status == 201
                assert stream.wait("message.created").data["message"]["text"] == "after"
        case "combined":
            with waiting.events(f"/v1/events?session={one['id']}&session={other['id']}") as stream:
                states = stream.wait("ready").data["sessions"]
                assert [states[each["id"]]["state"] for each in (one, other)] == ["ready", "ready"]
        case "list":
            listed = waiting.get("/v1/sessions")["items"]
            assert [(s["id"], s["state"]) for s in listed] == [(s["id"], "ready") for s in waiting.sessions]
        case "collection":
            # Its view is empty after a restart, and can be fetched as before.
            assert waiting.get(one["collection"], token=token)["items"] == []
            assert waiting.post(f"{one['collection']}/fetch", {"direction": "next"}, token=token).status == 200
            assert len(waiting.get(one["collection"], token=token)["items"]) == 1
        case "screen":
            assert waiting.put(f"{path}/viewing", {}, token=token).status in (200, 204)
        case "webhook":
            made = waiting.post("/v1/webhooks", {"url": "http://192.0.2.1/", "audience": {"session": one["id"]}})
            assert made.status == 201
        case "metrics":
            assert "\nparley_sessions 3\n" in waiting.get("/metrics").text
        case "disconnect":
            assert waiting.post(f"{path}/disconnect", token=token)["state"] == "prepared"
            waiting.restart()
            assert shown(waiting, one)["state"] == "prepared"
            assert waiting.post(f"{path}/connect", token=token)["state"] == "ready"
        case "wrong token":
            assert waiting.get(path, token=token[:-1] + ("A" if token[-1] != "A" else "B"), check=False).status == 401
            assert waiting.get(path, token=other["token"]).code == "forbidden"
    assert shown(waiting, one)["state"] == "ready"
    assert shown(waiting, last)["state"] == "ready"


def test_what_is_deleted_first_is_gone(waiting):
    one, other, last = waiting.sessions
    assert waiting.delete(one["path"], token=one["token"]).status == 204
    assert waiting.delete("/v1/sessions?customer=c1")["deleted"] == 1
    for gone in (one, other):
        assert waiting.get(gone["path"], token=gone["token"], check=False).status == 401
        assert waiting.get(gone["path"]).code == "unknownSession"
    assert shown(waiting, last)["state"] == "ready"

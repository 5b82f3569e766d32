"""Tickets: addresses of files and transcripts that a browser opens without a header."""

import pytest
from chat import Chat
from keys import Key


@pytest.fixture
def chat(gw):
    return Chat(gw, "contract-multi")


@pytest.fixture
def file(chat):
    made = chat.upload(b"hello")
    return f"{chat.path}/attachments/{made['id']}"


def tickets(gw, path, paths, token):
    return gw.call("POST", f"{path}/tickets", {"paths": paths}, token=token)


def test_an_address_opens_without_a_header(gw, chat, file):
    thread, _ = chat.open()
    chat.say(thread, "Hello")
    paths = [file, f"{thread}/transcript", f"{thread}/transcript?format=text&utcOffset=%2B02:00"]
    answer = tickets(gw, chat.path, paths, chat.token)
    assert answer.status == 200 and [one["path"] for one in answer["items"]] == paths
    got = [gw.get(one["url"], token=None) for one in answer["items"]]
    assert [one.status for one in got] == [200, 200, 200]
    assert got[0].body == b"hello" and "Hello" in got[1].text and "Hello" in got[2].text
    # The same for a while, so that a browser keeps what it has loaded.
    again = tickets(gw, chat.path, paths, chat.token)["items"][0]
    assert again == answer["items"][0] or again["expiresAt"] > answer["items"][0]["expiresAt"]
    for path in paths:
        assert gw.get(path, token=None).status == 401


def test_it_opens_this_address_alone(gw, chat, file):
    other = Chat(gw, "contract-multi")
    [made] = tickets(gw, chat.path, [file], chat.token)["items"]
    ticket = made["url"].partition("ticket=")[2]
    assert gw.get(f"{file}?ticket={ticket}", token=None).status == 200
    for path in (f"{other.path}/attachments/{file.rpartition('/')[2]}", f"{chat.path}/attachments/another", chat.path, f"{chat.path}/threads"):
        assert gw.get(f"{path}?ticket={ticket}", token=None).status in (400, 401), path
    assert gw.call("DELETE", f"{chat.path}?ticket={ticket}", token=None).status == 401
    for wrong in (ticket[:-1], ticket + "A", ticket.replace(".s~", ".g~"), "1." + ticket.partition(".")[2], "x"):
        assert gw.get(f"{file}?ticket={wrong}", token=None).status == 401, wrong
    assert gw.get(f"{file}?ticket={ticket}", token="wrong").status == 401, "a wrong token is not covered up"


def test_it_ends_with_the_credential(gw, chat, file):
    [by_session] = tickets(gw, chat.path, [file], chat.token)["items"]
    key = Key(gw, "sessions.read")
    [by_key] = tickets(gw, chat.path, [file], key.text)["items"]
    for made in (by_session, by_key):
        assert gw.get(made["url"], token=None).status == 200
    key.end()
    assert gw.get(by_key["url"], token=None).status == 401
    assert gw.get(by_session["url"], token=None).status == 200
    assert gw.delete(chat.path).status == 204
    assert gw.get(by_session["url"], token=None).status == 401


def test_it_ends_with_the_keys_text(gw, chat, file):
    key = Key(gw, "sessions.read")
    [by_old] = tickets(gw, chat.path, [file], key.text)["items"]
    old = key.text
    new = gw.post(f"/v1/keys/{key.id}/rotate", {"overlapSeconds": 600})["secret"]
    [by_new] = tickets(gw, chat.path, [file], new)["items"]
    [by_overlap] = tickets(gw, chat.path, [file], old)["items"]
    assert [gw.get(one["url"], token=None).status for one in (by_old, by_new, by_overlap)] == [200, 200, 200]
    newest = gw.post(f"/v1/keys/{key.id}/rotate", {"overlapSeconds": 0})["secret"]
    [by_newest] = tickets(gw, chat.path, [file], newest)["items"]
    assert [gw.get(one["url"], token=None).status for one in (by_old, by_new, by_overlap, by_newest)] == [401, 401, 401, 200]


def test_the_desk_has_its_own(gw, chat):
    _, thread = chat.open()
    path = f"{thread}/transcript?format=html"
    key = Key(gw, "desk.read")
    [made] = tickets(gw, "/v1/desk", [path], key.text)["items"]
    assert "Hello" in gw.get(made["url"], token=None).text
    assert tickets(gw, "/v1/desk", [path], chat.token).code == "forbidden"
    limited = Key(gw, "desk.read", channels=["another"])
    [made] = tickets(gw, "/v1/desk", [path], limited.text)["items"]
    assert gw.get(made["url"], token=None).status == 404, "it opens what its holder may see"


@pytest.mark.parametrize("paths", [
    [], ["x"], ["/"], ["/v1/info"], ["/v1/sessions/{other}/attachments/a"], ["/v1/desk/attachments/a"], [1], "x", ["/v1/ä"],
    ["{own}/attachments/a"] * 51, ["{own}/attachments/" + "a" * 2100], ["{own}/attachments/a#b"], ["{own}/messages"],
])
def test_other_addresses_have_none(gw, chat, paths):
    other = Chat(gw, "contract-multi")
    if isinstance(paths, list):
        paths = [one.format(own=chat.path, other=other.id) if isinstance(one, str) else one for one in paths]
    assert tickets(gw, chat.path, paths, chat.token).code == "invalidValue"

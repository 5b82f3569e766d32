"""The picture of a channel: who sets it, what is taken, and where it is shown."""

import json

import pytest
from chat import Chat
from gateway import Gateway

PNG = b"\x89PNG\r\n\x1a\n" + b"logo"
PICTURES = [(PNG, "image/png"), (b"\xff\xd8\xffx", "image/jpeg"), (b"RIFF\0\0\0\0WEBPx", "image/webp"), (b"GIF87ax", "image/gif"), (b"GIF89ax", "image/gif")]


@pytest.fixture(scope="module")
def name(gw):
    gw.post("/v1/desk/channels", {"id": "logo", "mode": "multithread", "visitors": {"public": True}})
    return "logo"


def put(gw, name, data, kind="application/octet-stream", **more):
    return gw.call("PUT", f"/v1/desk/channels/{name}/logo", raw=data, headers={"Content-Type": kind}, check=False, **more)


def settings(gw, path):
    return json.loads(gw.get(path, token=None).text.partition('id="settings">')[2].partition("</script>")[0])


@pytest.mark.parametrize("data, kind", PICTURES)
def test_a_picture_is_taken_by_how_it_begins(gw, name, data, kind):
    path = put(gw, name, data, "text/html")["logo"]
    assert gw.get(f"/v1/desk/channels/{name}/logo").json == {"logo": path}
    shown = gw.get(path, token=None)
    assert (shown.body, shown.kind) == (data, kind) and "sandbox" in shown.header("Content-Security-Policy")
    assert shown.header("X-Content-Type-Options") == "nosniff"


@pytest.mark.parametrize("data", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<?xml version='1.0'?><svg/>", b"GIF88a", b"BM", b""])
def test_what_is_no_picture_is_refused(gw, name, data):
    assert put(gw, name, data, "image/png").status in (400, 415)


def test_a_picture_has_a_bound(gw, name):
    assert put(gw, name, PNG + bytes((256 << 10) - len(PNG))).status == 200
    assert put(gw, name, PNG + bytes((256 << 10) - len(PNG) + 1)).status == 413


def test_the_chat_and_the_page_of_a_link_show_it(gw, name):
    path = put(gw, name, PNG)["logo"]
    assert gw.get(f"/v1/desk/channels/{name}")["appearance"] == {"logo": path}
    assert settings(gw, f"/widget/{name}")["appearance"]["logo"] == path
    assert path in gw.get(f"/widget/{name}/config.js", token=None).text
    chat = Chat(gw, name)
    code = gw.post(f"{chat.path}/links", {})["url"].rpartition("/")[2]
    assert settings(gw, f"/c/{code}")["appearance"]["logo"] == path
    assert gw.get(chat.path, token=chat.token)["channel"]["appearance"]["logo"] == path


def test_it_stays_until_it_is_taken_away(gw, name):
    path = put(gw, name, PNG)["logo"]
    channel = f"/v1/desk/channels/{name}"
    assert gw.patch(channel, {"appearance": {"colour": "#0b57d0"}})["appearance"] == {"colour": "#0b57d0", "logo": path}
    assert gw.patch(channel, {"appearance": {"logo": path}})["appearance"] == {"logo": path}, "what was read may be sent back"
    refused = gw.patch(channel, {"appearance": {"logo": "/pictures/" + "0" * 64}}, check=False)
    assert (refused.status, refused.code, refused["errors"][0]["pointer"]) == (422, "invalidParameter", "#/appearance/logo")
    assert gw.patch(channel, {"appearance": None})["appearance"] == {"logo": path}
    assert gw.delete(f"{channel}/logo").status == 204
    assert "appearance" not in gw.get(channel).json
    assert gw.get(f"{channel}/logo", check=False).status == 404
    assert gw.get(path, token=None, check=False).status == 404, "nobody else has it"
    assert gw.delete(f"{channel}/logo").status == 204


def test_a_picture_that_others_have_stays(gw, name):
    gw.post("/v1/desk/channels", {"id": "logo-2", "mode": "multithread"})
    gw.post("/v1/people", {"id": "logo-person", "name": "Ann", "email": "logo@shop.example", "role": "agent"})
    own = PNG + b"shared"
    path = put(gw, name, own)["logo"]
    assert put(gw, "logo-2", own)["logo"] == path
    assert gw.call("PUT", "/v1/people/logo-person/picture", raw=own, headers={"Content-Type": "image/png"})["picture"] == path
    for still, end in ((200, f"/v1/desk/channels/{name}/logo"), (200, "/v1/desk/channels/logo-2/logo"), (404, "/v1/people/logo-person/picture")):
        gw.delete(end)
        assert gw.get(path, token=None, check=False).status == still, end
    path = put(gw, name, own)["logo"]
    gw.call("PUT", "/v1/people/logo-person/picture", raw=own, headers={"Content-Type": "image/png"})
    gw.delete("/v1/people/logo-person/picture")
    assert gw.get(path, token=None).status == 200
    put(gw, name, PNG)
    assert gw.get(path, token=None, check=False).status == 404


def test_it_survives_a_restart_and_the_check_of_the_store():
    with Gateway() as gw:
        gw.post("/v1/desk/channels", {"id": "logo", "mode": "multithread"})
        path = put(gw, "logo", PNG)["logo"]
        gw.restart()
        assert gw.get("/v1/desk/channels/logo/logo")["logo"] == path and gw.get(path, token=None).body == PNG


def test_a_channel_that_is_not_there_has_none(gw):
    for method in ("GET", "DELETE"):
        assert gw.call(method, "/v1/desk/channels/nowhere/logo", check=False).code == "unknownChannel"
    assert put(gw, "nowhere", PNG).code == "unknownChannel"


def test_the_audit_tells_of_it(gw, name):
    put(gw, name, PNG)
    entry = gw.get("/v1/audit?action=channel.changed&limit=1")["items"][0]
    assert (entry["subject"], entry["detail"]) == (name, {"members": ["appearance.logo"]})

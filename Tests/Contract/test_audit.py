"""What administrators do is written down: who, when, from where and on what."""

from chat import Chat
from gateway import Gateway
from keys import Key
from people import Person


def acts(gateway, **query):
    text = "&".join(f"{name}={value}" for name, value in {"limit": 200, **query}.items())
    return gateway.get(f"/v1/audit?{text}")["items"]


def test_each_act_is_written_down_once(own):
    boss = Person(own, "administrator")
    before = len(acts(own))
    boss.post("/v1/desk/channels", {"id": "shop", "mode": "multithread"})
    boss.call("PATCH", "/v1/desk/channels/shop", {"name": "Shop"})
    hook = boss.post("/v1/webhooks", {"url": "http://127.0.0.1:9/"})["id"]
    boss.call("PATCH", f"/v1/webhooks/{hook}", {"types": ["message.created"]})
    boss.post(f"/v1/webhooks/{hook}/pause")
    boss.post(f"/v1/webhooks/{hook}/rotate")
    boss.call("DELETE", f"/v1/webhooks/{hook}")
    chat = Chat(own, "contract-multi", id="jana")
    chat.open()
    assert boss.call("GET", "/v1/desk/customers/jana/export?channel=contract-multi").status == 200
    assert boss.call("DELETE", "/v1/desk/customers/jana?channel=contract-multi").status == 204
    boss.call("PUT", "/v1/log", {"level": "info"})
    boss.call("PUT", "/v1/requests/capture", {"minutes": 1})
    found = acts(own)
    new = [(one["action"], one["subject"]) for one in found[:len(found) - before]][::-1]
    assert new == [
        ("channel.created", "shop"), ("channel.changed", "shop"), ("webhook.created", hook), ("webhook.changed", hook),
        ("webhook.paused", hook), ("webhook.rotated", hook), ("webhook.removed", hook), ("customer.exported", "jana"),
        ("customer.erased", "jana"), ("log.changed", ""), ("capture.changed", ""),
    ]
    assert {one["actor"] for one in found[:len(new)]} == {f"person:{boss.id}"}
    assert {one["actorName"] for one in found[:len(new)]} == {boss.name}
    assert all(one["address"].startswith("127.0.0.1:") for one in found)
    [changed] = [one for one in found if one["action"] == "webhook.created"]
    assert changed["detail"] == {"members": ["url"]}, "names, no values"


def test_what_fails_or_is_repeated_is_no_act(own):
    key = Key(own, "channels.write", name="shop")
    before = len(acts(own))
    assert key.call("PATCH", "/v1/desk/channels/nowhere", {"name": "x"}).status == 404
    assert key.post("/v1/desk/channels", {"id": "a b", "mode": "none"}).status == 422
    sent = {"Idempotency-Key": "once"}
    for _ in range(2):
        assert key.post("/v1/desk/channels", {"id": "shop", "mode": "multithread"}, headers=sent).status == 201
    assert key.post("/v1/desk/channels", {"id": "shop", "mode": "multithread"}).code == "channelExists"
    found = acts(own)
    assert [(one["action"], one["actor"], one["actorName"]) for one in found[:len(found) - before]] == [
        ("channel.created", f"key:{key.id}", "shop")]


def test_faults_of_the_stand_in_are_acts():
    with Gateway(options=["--cxone-sandbox"]) as gateway:
        gateway.post("/v1/sandbox/faults", {"kind": "dropSocket"})
        gateway.delete("/v1/sandbox/faults")
        assert [one["action"] for one in acts(gateway)] == ["fault.allRemoved", "fault.created"]


def test_the_command_lists_them(own):
    Key(own, "metrics.read", name="Prometheus")
    printed = own.run("audit", "--action", "key.created", "--data", str(own.folder))
    assert "key.created" in printed and "gateway" in printed


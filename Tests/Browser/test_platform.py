"""A session on a platform that is not the embedded service: the page offers what the platform can do, and nothing else."""

import pytest
from gateway import Gateway

AGENT = {"id": "4021", "name": "Marta Novak"}


@pytest.fixture
def far(tmp_path):
    """A gateway that plays CXone."""
    folder = tmp_path / "far"
    folder.mkdir()
    gateway = Gateway(folder, "--cxone-sandbox").start()
    yield gateway
    gateway.stop()


def enter(gateway, far, channel):
    """Makes the platform's channel known to the gateway, and returns its name there."""
    sandbox = far.get("/v1/info")["sandbox"]
    place = next(c["id"] for c in sandbox["channels"] if (c["channel"], c["authorization"]) == (channel, "anonymous"))
    session = gateway.post("/v1/sessions", {
        "service": "cxone", "brandId": sandbox["brandId"], "channelId": place,
        "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}})
    assert session["state"] == "ready", session
    return session["channel"]["id"]


def offered(chat, message):
    """What can be done with a message, pointed at or not."""
    script = """const message = all('message', `[data-id="${arguments[0]}"]`)[0];
        return Object.fromEntries(['reply', 'edit', 'remove'].map((name) => {
            const button = message.querySelector(`[data-test=${name}]`);
            return [name, Boolean(button) && !button.closest('[hidden]')];
        }));"""
    return chat.js(script, message)


def test_a_page_on_a_platform_offers_what_the_platform_can_do(browser, gateway, far):
    chat = browser.chat(enter(gateway, far, "multi"))
    chat.click("new-thread")
    chat.send("Where is my order?")
    chat.becomes("Where is my order?", "delivered")
    thread = chat.thread
    far.post(f"/v1/desk/threads/{thread}/messages", {"text": "It left today.", "agent": AGENT})
    chat.shows("Where is my order?", "It left today.")
    for text in ("Where is my order?", "It left today."):
        assert offered(chat, chat.id_of(text)) == {"reply": False, "edit": False, "remove": False}
    assert chat.has("rename") and chat.has("archive")
    chat.click("details")
    assert not chat.has("hide") and not chat.has("leave") and not chat.has("reset-history") and not chat.has("member-remove")
    chat.click("mail")
    chat.fill("field-email", "eva@example.com")
    chat.click("mail-submit")
    chat.says("notes", "It is on its way to eva@example.com.")


def test_the_embedded_service_mails_nothing(browser, gateway):
    chat = browser.chat("multi")
    chat.click("new-thread")
    chat.send("Hello")
    chat.becomes("Hello", "delivered")
    assert offered(chat, chat.id_of("Hello")) == {"reply": True, "edit": True, "remove": True}
    chat.click("details")
    assert chat.has("reset-history") and not chat.has("mail")

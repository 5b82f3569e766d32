"""Files in a chat: chosen, dropped, pasted; previews and progress; refused and sent again. On both pages."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from states import png


@pytest.fixture
def lamp(tmp_path):
    path = tmp_path / "lamp <b>.png"
    path.write_bytes(png(640, 400, (200, 120, 40)))
    return path


@pytest.fixture
def manual(tmp_path):
    path = tmp_path / "Manual.txt"
    path.write_text("Screw in the bulb.\n")
    return path


def begin(browser, **look):
    chat, desk = browser.chat("multi", **look), browser.desk(**look)
    chat.click("new-thread")
    chat.send("My lamp does not light up.")
    desk.click("desk-thread")
    desk.shows("My lamp does not light up.")
    return chat, desk


def choose(page, *paths, hook=""):
    page.browser.show(page.handle)
    page.find(f"{hook}attach")
    page.js("return document.querySelector(`[data-test='${arguments[0]}file-input']`)", hook).send_keys("\n".join(map(str, paths)))


LOADED = "return all('image').map((one) => one.querySelector('img')).filter((one) => one.complete && one.naturalWidth > 0).map((one) => one.naturalWidth)"


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_an_image_and_a_file_with_words(browser, lamp, manual, side):
    chat, desk = begin(browser)
    mine, other = (chat, desk) if side == "customer" else (desk, chat)
    choose(mine, lamp, manual)
    mine.wait(lambda: mine.js("return all('tray-file').map((one) => one.querySelector('.file-name').textContent)") == ["lamp <b>.png", "Manual.txt"], "both are in the tray")
    drawn = "return all('tray-file').map((one) => !!one.querySelector('canvas'))"
    mine.wait(lambda: mine.js(drawn) == [True, False], "the image is shown before it goes")
    assert not mine.find("send").get_attribute("disabled")
    mine.send("This is the one, and its manual")
    assert not mine.has("tray")
    mine.becomes("This is the one, and its manual", "delivered", "seen")
    for page in (mine, other):
        page.shows("My lamp does not light up.", "This is the one, and its manual")
        page.wait(lambda page=page: page.js(LOADED) == [640], "the image is shown")
        assert page.js("return all('image')[0].querySelector('img').alt") == "lamp <b>.png"
        assert page.js("return all('file').map((one) => [...one.querySelectorAll('span')].map((part) => part.textContent))") == [["Manual.txt", "19 bytes"]]
        got = page.js("return fetch(all('file')[0].href).then((answer) => answer.text())")
        assert got == "Screw in the bulb.\n"
        policy = page.js("return fetch(all('image')[0].href).then((answer) => [answer.headers.get('content-security-policy'), answer.headers.get('x-content-type-options'), answer.headers.get('content-type')])")
        assert "sandbox" in policy[0] and policy[1:] == ["nosniff", "image/png"]


def test_a_file_alone(browser, manual):
    chat, desk = begin(browser)
    choose(chat, manual)
    chat.wait(lambda: not chat.find("send").get_attribute("disabled"), "it can be sent without words")
    chat.click("send")
    for page in (chat, desk):
        page.find("file")
        assert page.texts()[-1] == ""
        assert page.js("return all('message').at(-1).innerText").startswith("Manual.txt")
    chat.says("thread-item", "You: Attachment")
    desk.says("desk-thread", "Attachment")


def test_a_file_is_taken_out_again(browser, lamp, manual):
    chat, _ = begin(browser)
    choose(chat, lamp)
    choose(chat, manual)
    chat.js("all('tray-file')[0].querySelector('button').click()")
    chat.wait(lambda: len(chat.items("tray-file")) == 1, "one is left")
    chat.js("all('tray-file')[0].querySelector('button').click()")
    chat.gone("tray")
    assert chat.find("send").get_attribute("disabled")


DROP = """
const data = new DataTransfer();
data.items.add(new File(['dropped'], 'dropped.txt', {type: 'text/plain'}));
const pane = all(arguments[0])[0];
const drop = (type) => pane.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
drop('dragenter');
const marked = !!pane.closest('.dropping');
const allowed = !drop('dragover');
drop('drop');
return [marked, allowed, !!pane.closest('.dropping')];
"""
PASTE = """
const data = new DataTransfer();
data.items.add(new File(['pasted'], 'image.png', {type: 'image/png'}));
return !all('composer')[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
"""


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_drop_and_paste(browser, side):
    chat, desk = begin(browser)
    page, other = (chat, desk) if side == "customer" else (desk, chat)
    page.find("attach")
    assert page.js(DROP, "transcript") == [True, True, False]
    assert page.js(PASTE)
    page.wait(lambda: len(page.items("tray-file")) == 2, "both are in the tray")
    page.click("send")
    names = "return [...all('message').at(-1).querySelectorAll('.file-name')].map((one) => one.textContent)"
    # What says that it is an image, but is none, is shown as a file.
    other.wait(lambda: other.js(names) == ["dropped.txt", "image.png"], "they arrive")


def drag(page, kind, at, *paths):
    """As the system does it, when files are dragged over the window."""
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    page.cdp("Input.dispatchDragEvent", type=kind, x=at[0], y=at[1], data=data)


def test_a_file_is_dragged_in(browser, lamp):
    chat, _ = begin(browser)
    at = chat.js("const box = all('transcript')[0].getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]")
    marked = "return document.querySelectorAll('.dropping').length"
    drag(chat, "dragEnter", at, lamp)
    drag(chat, "dragOver", at, lamp)
    chat.wait(lambda: chat.js(marked) == 1, "the conversation says that it takes it")
    drag(chat, "dragOver", [60, 400], lamp)
    chat.wait(lambda: chat.js(marked) == 0, "it is dragged away, over the list")
    assert not chat.has("tray-file")
    for kind in ("dragEnter", "dragOver", "drop"):
        drag(chat, kind, at, lamp)
    chat.find("tray-file")
    assert chat.js(marked) == 0
    chat.click("send")
    chat.wait(lambda: chat.js(LOADED) == [640], "the image is shown")


def test_what_is_dropped_on_the_panel_goes_with_a_reply(browser):
    chat, _ = begin(browser)
    chat.becomes("My lamp does not light up.", "delivered", "seen")
    chat.open_thread(chat.newest())
    assert chat.js(DROP, "panel-transcript") == [True, True, False]
    chat.find("panel-tray")
    assert not chat.has("tray")
    chat.click("panel-send")
    chat.wait(lambda: chat.js("return all('panel-message').map((one) => one.querySelector('.file-name')?.textContent)") == ["dropped.txt"], "it is a reply")


def test_where_no_files_are_taken_none_can_be_added(browser, gateway):
    gateway.post("/v1/desk/channels", {"id": "words", "mode": "multithread", "fileRestrictions": {"isAttachmentsEnabled": False, "maximumSize": 1000, "allowedTypes": ["*/*"]}})
    chat = browser.chat("words")
    chat.click("new-thread")
    chat.find("composer")
    assert not chat.has("attach")
    assert chat.js(DROP, "transcript") == [False, False, False]
    assert not chat.js(PASTE) and not chat.has("tray")


def test_text_is_still_pasted_as_text(browser):
    chat, _ = begin(browser)
    paste = "const data = new DataTransfer(); data.setData('text/plain', 'words'); return all('composer')[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))"
    assert chat.js(paste), "it is left to the browser"
    assert not chat.has("tray")


def test_progress_is_shown_while_a_file_goes_up(browser, tmp_path):
    chat, desk = begin(browser)
    big = tmp_path / "big.bin"
    big.write_bytes(b"x" * 600_000)
    choose(chat, big)
    chat.cdp("Network.enable")
    chat.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=200_000)
    chat.click("send")
    seen = set()

    def finished():
        value = chat.js("return all('progress')[0]?.value ?? null")
        if value is not None:
            seen.add(value)
        return chat.has("file")

    chat.wait(finished, "it is up")
    assert len([value for value in seen if 0 < value < 1]) >= 2, f"progress was shown: {sorted(seen)}"
    desk.find("file")
    assert not chat.has("progress")


PICTURES = {"id": "pictures", "mode": "multithread", "fileRestrictions": {"isAttachmentsEnabled": True, "maximumSize": 1000, "allowedTypes": ["image/*"]}}


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_what_cannot_go_is_said_before_it_is_uploaded(browser, gateway, lamp, manual, tmp_path, side):
    gateway.post("/v1/desk/channels", PICTURES)
    page = browser.chat("pictures")
    page.click("new-thread")
    page.send("one")
    if side == "desk":
        page = browser.desk()
        page.click("desk-thread")
        page.shows("one")
    big, small = tmp_path / "big.png", tmp_path / "small.png"
    big.write_bytes(b"x" * 2000)
    small.write_bytes(png(4, 4, (200, 120, 40)))
    choose(page, big, manual, small)
    page.says("composer-problem", "“big.png” is too large: 2.0 kB. At most 1.0 kB can be sent.")
    page.says("composer-problem", "“Manual.txt” cannot be sent here. Possible are: pictures.")
    assert page.js("return all('tray-file').map((one) => one.querySelector('.file-name').textContent)") == ["small.png"]
    assert page.js("return document.querySelector('[data-test=file-input]').accept") == "image/*"
    page.write("composer", "this one")
    assert not page.has("composer-problem"), "who goes on has read it"
    page.press(Keys.ENTER)
    page.becomes("this one", "delivered", "seen")
    assert [one["attachments"][0]["name"] for one in gateway.desk_messages(page.thread) if one["attachments"]] == ["small.png"]


def test_a_file_on_its_way_can_be_cancelled(browser, gateway, manual, tmp_path):
    chat, desk = begin(browser)
    big = tmp_path / "big.bin"
    big.write_bytes(b"x" * 600_000)
    choose(chat, big, manual)
    chat.write("composer", "with one of two")
    chat.cdp("Network.enable")
    chat.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=100_000)
    chat.press(Keys.ENTER)
    chat.wait(lambda: chat.js("return (all('progress')[0]?.value ?? 0) > 0"), "it is on its way")
    chat.js("all('upload-cancel')[0].click()")
    chat.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    for page in (chat, desk):
        page.shows("with one of two")
    desk.wait(lambda: desk.js("return all('file').map((one) => one.querySelector('.file-name').textContent)") == ["Manual.txt"], "the other has come")


def test_what_is_refused_says_why_and_can_be_removed(browser, gateway, console, manual, tmp_path):
    """The channel has got other rules since the page was loaded."""
    console.expect("status of (413|422)")
    gateway.post("/v1/desk/channels", {**PICTURES, "fileRestrictions": {**PICTURES["fileRestrictions"], "maximumSize": 9000, "allowedTypes": ["*/*"]}})
    chat = browser.chat("pictures")
    chat.click("new-thread")
    chat.send("one")
    gateway.api("PATCH", "/v1/desk/channels/pictures", {"fileRestrictions": PICTURES["fileRestrictions"]})
    choose(chat, manual)
    chat.click("send")
    failure = "return all('message').at(-1).querySelector('.failure').checkVisibility() && all('message').at(-1).querySelector('.failure').textContent"
    chat.wait(lambda: chat.js(failure), "it has failed")
    assert "this kind" in chat.js(failure), chat.js(failure)
    chat.js("all('message').at(-1).querySelector('[data-test=discard]').click()")
    chat.wait(lambda: chat.texts() == ["one"], "it is gone")
    big = tmp_path / "big.png"
    big.write_bytes(b"x" * 2000)
    choose(chat, big)
    chat.click("send")
    chat.wait(lambda: chat.js(failure), "it has failed")
    chat.send("and on")
    chat.becomes("and on", "delivered", "seen")


def test_a_file_sent_while_the_gateway_is_away_goes_when_it_is_back(browser, gateway, console, lamp):
    console.expect_outage()
    chat, _ = begin(browser)
    choose(chat, lamp)
    gateway.stop()
    chat.write("composer", "the lamp" + Keys.ENTER)
    chat.becomes("the lamp", "pending", "failed")
    assert chat.js("return all('upload').length") == 1
    chat.wait(lambda: chat.js("return all('upload')[0].querySelector('canvas')?.width ?? 0") > 0, "its picture is drawn from the file")
    gateway.start()
    chat.becomes("the lamp", "delivered", "seen")
    chat.wait(lambda: chat.js(LOADED) == [640], "the image is shown")
    assert len([one for one in gateway.desk_messages(chat.thread) if one["attachments"]]) == 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_images_do_not_move_what_is_read(browser, lamp, size):
    chat, _ = begin(browser, size=size)
    for _ in range(3):
        choose(chat, lamp)
        chat.click("send")
        chat.gone("tray")
    chat.wait(lambda: len(chat.js(LOADED)) == 3, "all are shown")
    chat.reload()
    chat.ready()
    chat.wait(lambda: len(chat.js(LOADED)) == 3, "all are shown")
    bottom = "const [box] = all('transcript'); return box.scrollHeight - box.scrollTop - box.clientHeight"
    assert chat.js(bottom) < 5, "still at the bottom"

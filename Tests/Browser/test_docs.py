"""The reference at /docs: finding an operation, its samples, and trying it."""

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from test_accessibility import complaints

MESSAGES = "/docs/api/messages"


@pytest.fixture
def docs(browser):
    """Opens a page of the reference, whose script has run."""

    def opened(path=MESSAGES, **how):
        page = browser.page(path, **how)
        page.ready()
        return page

    return opened


def operation(page, id, css):
    """The first element of an operation's section."""
    return page.js("return document.getElementById(arguments[0]).querySelector(arguments[1])", id, css)


def click(page, id, css):
    element = operation(page, id, css)
    page.js("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def found(page):
    return page.js("return document.querySelector('.found').textContent")


def links(page):
    return page.js("return [...document.querySelectorAll('#index a')].filter(shown).map((one) => one.hash.slice(1))")


def current(page):
    return page.js("return [...document.querySelectorAll('#index [aria-current=location]')].map((one) => one.hash.slice(1))")


def search(page, words):
    page.press("/")
    assert page.js("return document.activeElement.id") == "search"
    page.press(words)


# -- finding

def test_the_search_narrows_the_list_and_is_in_the_address(docs, browser):
    page = docs()
    search(page, "isTyping")
    page.wait(lambda: found(page).endswith("5 operations"), "the list is narrowed")
    assert set(links(page)) >= {"setTyping", "setDeskTyping"}
    assert page.js("return location.pathname + location.search") == MESSAGES + "?q=isTyping"
    page.reload()
    page.ready()
    assert found(page).endswith("5 operations") and page.js("return document.querySelector('#search').value") == "isTyping"
    page.js("[...document.querySelectorAll('#index a')].find((one) => one.hash === '#setTyping').click()")
    page.ready()
    page.wait(lambda: page.js("return location.pathname + location.search + location.hash") == "/docs/api/threads?q=isTyping#setTyping", "it leads there")
    page.js("document.querySelector('#search').focus()")
    page.press(Keys.ESCAPE)
    page.wait(lambda: found(page) == "" and len(links(page)) > 15, "Escape ends the search")
    assert page.js("return location.search") == ""


@pytest.mark.parametrize("words, operation", [
    ("/viewpoint", "setCollectionViewpoint"), ("send failed again", "resendMessage"), ("redeemAccessCode", "redeemAccessCode"),
    ("messageNotFailed", "resendMessage"), ("secondsUntilPopup", "updateDeskChannel"), ("queue.updated", "streamSessionEvents"),
], ids=["path", "summary", "operationId", "code", "member", "event"])
def test_the_search_looks_into(docs, words, operation):
    page = docs("/docs")
    search(page, words)
    page.wait(lambda: operation in links(page) and len(links(page)) < 25, f"{operation} is found")
    assert operation in page.js("return [...document.querySelectorAll('main .results a')].map((one) => one.hash.slice(1))")


def test_the_search_looks_into_articles_too(docs):
    page = docs("/docs/Bots")
    search(page, "backup")
    page.wait(lambda: "article" in found(page), "articles are found")
    paths = "return [...document.querySelectorAll('#index a')].filter(shown).map((one) => one.pathname)"
    assert "/docs/Operations" in page.js(paths)
    page.go("/docs?q=backup")
    page.ready()
    assert page.js("return [...document.querySelectorAll('main .results a')].some((one) => one.pathname === '/docs/Operations' && one.hash)")


def test_the_start_page_says_what_it_is_for(docs):
    page = docs("/docs")
    text = page.js("return document.querySelector('main').innerText")
    assert text.index("for programmers") < text.index("Operations")
    doors = page.js("return [...document.querySelectorAll('main table a')].map((one) => one.pathname)")
    assert {"/docs/GettingStarted", "/docs/Bots", "/docs/Packaging", "/docs/TestYourApp"} <= set(doors)
    page.go("/docs/getting-started")
    page.ready()
    assert page.js("return location.pathname") == "/docs/GettingStarted"


def test_the_search_works_without_script(browser):
    page = browser.page()
    page.cdp("Emulation.setScriptExecutionDisabled", value=True)
    page.go("/docs")
    page.js("document.querySelector('#search').value = 'typing'")
    page.js("document.querySelector('#search').form.submit()")
    page.wait(lambda: "setTyping" in links(page), "the page lists what was found")
    assert page.js("return document.body.dataset.ready") is None


def test_the_column_marks_what_is_read(docs):
    page = docs()
    assert current(page) == []
    page.js("document.getElementById('updateMessage').scrollIntoView()")
    page.wait(lambda: current(page) == ["updateMessage"], "the operation is marked")
    page.js("document.getElementById('deleteMessage').scrollIntoView()")
    page.wait(lambda: current(page) == ["deleteMessage"], "the next one is marked")


def test_a_schema_is_shown_where_it_is_named(docs):
    page = docs()
    click(page, "sendMessage", ".answer .unfold")
    assert page.js("return document.querySelector('#sendMessage .answer .unfolded').textContent").count("threadId")
    page.js("document.querySelector('#sendMessage .answer .unfolded .unfold').click()")
    assert page.js("return document.querySelectorAll('#sendMessage .answer .unfolded .unfolded').length") == 1
    click(page, "sendMessage", ".answer .unfold")
    assert page.js("return document.querySelector('#sendMessage .unfolded')") is None
    click(page, "schema-Message", ".members .unfold")
    click(page, "sendMessage", ".answer .unfold")
    assert page.js("return document.querySelectorAll('#sendMessage .unfolded').length") == 1, "a copy begins folded"
    assert page.js("return document.querySelector('#sendMessage .unfolded [aria-expanded=true]')") is None


# -- samples

def test_a_sample_is_copied(docs, browser, gateway):
    page = docs()
    page.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    click(page, "sendMessage", "[value=python]")
    assert page.js("return document.querySelector('#getMessage [value=python]').checked"), "the choice holds for all samples"
    click(page, "sendMessage", "[data-language=python] [data-test=copy]")
    page.wait(lambda: operation(page, "sendMessage", "[data-language=python] [data-test=copy]").text == "Copied", "it is copied")
    told = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert told == page.js("return document.querySelector('#sendMessage [data-language=python] code').textContent")
    assert gateway.address in told and gateway.token not in page.js("return document.documentElement.outerHTML")
    page.reload()
    page.ready()
    assert page.js("return document.querySelector('#getMessage [value=python]').checked"), "the choice is kept"


# -- trying

def try_it(page, id):
    click(page, id, "[data-test=try]")
    page.find("try-send")


def status(page):
    return page.text("try-status") or ""


def test_a_get_has_the_newest_ids(docs, gateway, shots):
    for name in ("Older", "Newer"):
        session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": name}})["id"]
        thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": name})["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "Is it there?"})
    page = docs()
    try_it(page, "listMessages")
    page.wait(lambda: page.js("return all('try-field').slice(0, 2).map((one) => one.value)") == [session, thread], "the newest ids are put in")
    page.click("try-send")
    page.wait(lambda: status(page).startswith("200 OK · "), "it is answered")
    assert "Is it there?" in page.text("try-answer") and status(page).endswith(" ms")
    page.js("document.querySelector('#listMessages details:has([data-test=try-headers])').open = true")
    assert "content-type: application/json" in page.text("try-headers")
    page.js("document.querySelector('#listMessages .trial').scrollIntoView()")
    page.screenshot(shots / "docs-tried.png")


def test_a_write_asks_once(docs, gateway):
    page = docs("/docs/api/sessions")
    try_it(page, "createSession")
    page.click("try-send")
    page.click("try-cancel")
    page.gone("try-ask")
    assert gateway.get("/v1/sessions")["items"] == [], "what was not agreed to is not sent"
    page.click("try-send")
    page.click("try-agree")
    page.wait(lambda: status(page).startswith("201 Created"), "it is answered")
    assert len(gateway.get("/v1/sessions")["items"]) == 1
    assert '"token": "(not shown here)"' in page.text("try-answer")
    page.click("try-send")
    page.wait(lambda: len(gateway.get("/v1/sessions")["items"]) == 2, "the second time it is sent at once")
    assert not page.has("try-ask")


def test_a_problem_is_shown(docs, console):
    console.expect("status of 404")
    page = docs()
    try_it(page, "listMessages")
    page.click("try-send")
    page.wait(lambda: status(page).startswith("404"), "it is answered")
    assert '"code": "unknownSession"' in page.text("try-answer")


def test_a_stream_shows_what_comes_until_it_is_stopped(docs, gateway):
    session = gateway.post("/v1/sessions", {"channel": "multi"})["id"]
    page = docs("/docs/api/events")
    try_it(page, "streamEvents")
    page.wait(lambda: page.js("return all('try-field')[0].value") == session, "the session is put in")
    page.put("try-form", "text/event-stream")
    page.click("try-send")
    page.says("try-answer", "event: ready")
    gateway.post(f"/v1/sessions/{session}/threads", {"name": "While it is open"})
    page.says("try-answer", "While it is open")
    page.click("try-stop")
    page.says("try-outcome", "Stopped.")
    assert page.js("return all('try-stop')[0].disabled")


def test_a_stranger_reads_all_but_cannot_try(browsers, gateway):
    browser = browsers(signed_in=False)
    page = browser.page(MESSAGES)
    page.ready()
    assert "parley open" in page.text("trial-locked") and not page.has("try")
    assert operation(page, "sendMessage", "[data-language=curl] code").text.startswith("curl")
    browser.page(gateway.launch_url()).find("channel-picker")
    page.js("window.dispatchEvent(new Event('focus'))")
    page.find("try")


# -- keyboard, phone, looks

def test_the_keyboard_is_enough(docs):
    page = docs()
    page.press(Keys.TAB)
    assert page.js("return document.activeElement.className") == "skip"
    search(page, "resendMessage")
    page.wait(lambda: found(page) == "1 operation", "it is found")
    page.press(Keys.ARROW_DOWN)
    assert page.js("return document.activeElement.hash") == "#resendMessage"
    page.press(Keys.ENTER)
    page.wait(lambda: page.js("return location.hash") == "#resendMessage", "Enter leads there")
    page.ready()
    page.js("document.querySelector('#resendMessage [value=curl]').focus()")
    page.press(Keys.ARROW_RIGHT)
    assert page.js("return document.querySelector('#resendMessage [value=javascript]').checked")
    page.js("document.querySelector('#resendMessage [data-test=try]').focus()")
    page.press(Keys.ENTER)
    assert page.js("return document.activeElement.dataset.test") == "try-field"


@pytest.mark.parametrize("path", ["/docs", "/docs?q=typing", MESSAGES, "/docs/api/events", "/docs/api/desk"])
def test_a_phone_scrolls_one_way(docs, path):
    page = docs(path, size=PHONE)
    page.js("for (const one of document.querySelectorAll('details')) one.open = true; document.querySelector('.unfold')?.click()")
    if "api" in path:
        page.js("document.querySelector('[data-test=try]').click()")
    wide = page.js("""return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > arguments[0] + 1
      && !one.parentElement.closest('pre, .wide')).map((one) => one.outerHTML.slice(0, 120))""", PHONE[0])
    assert (page.js("return document.documentElement.scrollWidth"), wide) == (PHONE[0], [])


def test_a_phone_opens_the_contents_and_goes_on(docs):
    page = docs(size=PHONE)
    assert links(page) == []
    page.js("document.querySelector('.menu').click()")
    page.wait(lambda: "sendMessage" in links(page), "the contents are shown")
    page.js("[...document.querySelectorAll('#index a')].find((one) => one.hash === '#sendMessage').click()")
    page.wait(lambda: links(page) == [], "they make room for the operation")
    assert page.js("return Math.abs(document.getElementById('sendMessage').getBoundingClientRect().top) < 100")


def test_on_a_phone_what_was_found_makes_room_for_what_was_chosen(docs):
    page = docs(f"{MESSAGES}?q=resendMessage", size=PHONE)
    assert links(page) == ["resendMessage"]
    page.js("document.querySelector('#index a').click()")
    page.wait(lambda: links(page) == [], "the list makes room")
    page.wait(lambda: page.js("return Math.abs(document.getElementById('resendMessage').getBoundingClientRect().top) < 100"), "the operation is shown")
    page.go("/docs?q=resendMessage")
    page.ready()
    assert links(page) == [] and page.js("return document.querySelectorAll('.results li').length") == 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_it_is_accessible(docs, size, shots):
    """In light and dark, with a form and members unfolded; and pictures of it."""
    axe = AXE_FILE_PATH.read_text()
    for path in ("/docs", "/docs?q=typing", MESSAGES, "/docs/api/events"):
        page = docs(path, size=size)
        if "api" in path:
            page.js("""const one = document.querySelector('#sendMessage, #streamEvents');
              one.querySelector('.unfold').click(); one.querySelector('[data-test=try]').click(); one.scrollIntoView()""")
        name = f"{size[0]}-docs-{path.rpartition('/')[2].partition('?')[0]}"
        page.screenshot(shots / f"{name}.png")
        assert list(complaints(page, size, axe)) == [], path
        if path == MESSAGES:
            page.js("document.querySelector('#sendMessage [data-test=try-send]').click()")
            page.find("try-ask")
            assert list(complaints(page, size, axe, "dialog[open]")) == [], "the question"
            page.click("try-cancel")
        page.js("(document.querySelector('.samples') ?? document.querySelector('h2')).scrollIntoView()")
        page.screenshot(shots / f"{name}-dark.png")
        page.close()

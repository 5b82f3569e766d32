"""A browser and its windows, seen through the pages' `data-test` hooks. Whatever is read is read in one step by a script, so that
a page that renders meanwhile never leaves a test with a stale element."""

import json
import os
import shlex
import tempfile

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.common.keys import Keys

from gateway import until

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync "
    # Processes that are started beforehand take time from the tests.
    "--disable-features=SpareRendererForSitePerProcess"
)
# Chromium without its own windows and menus: it shows the same pages with a fifth less of the processors' time. It has no settings
# of a person (`prefs`), no pushes and no questions.
SHELL = "/usr/lib/chromium/chromium-headless-shell"
DESKTOP = (1280, 800)
PHONE = (390, 844)
AGENT = {"id": "agent", "name": "Agent"}

SEE = """
const shown = (node) => node.checkVisibility({visibilityProperty: true}) && !node.closest('[hidden]');
const all = (hook, css = '') => [...document.querySelectorAll(`[data-test="${hook}"]${css}`)].filter(shown);
"""
OVERFLOW = """
const wide = document.documentElement.clientWidth;
return [...document.querySelectorAll('body *')].filter(shown)
  .filter((node) => !node.parentElement.closest('[role=region][tabindex]')) // it is scrolled, also by keyboard
  .filter((node) => { const box = node.getBoundingClientRect(); return box.width > 1 && box.height > 1 && (box.right > wide + 1 || box.left < -1); })
  .map((node) => `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`);
"""
# What the document has loaded, with each answer's status and how long it took, in milliseconds.
LOADED = """
const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
return document.readyState + ' ' + all.map((one) => `${one.name} ${one.responseStatus} ${Math.round(one.duration)}`).join(', ');
"""
UNSTEADY = (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)


class Browser:
    """One Chromium with an empty profile. Its first window stays empty: only emulation gives a page the focus."""

    def __init__(self, *flags, whole=True, **preferences):
        """`whole`: not the shell."""
        self.gateway = None
        self.folder = tempfile.TemporaryDirectory(prefix="parley-chromium-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        chromium = os.environ.get("PARLEY_CHROMIUM")
        if whole or chromium or not os.path.exists(SHELL):
            options.binary_location = chromium or "/usr/bin/chromium"
            # The process for a graphics card takes time, too.
            flags += ("--in-process-gpu", f"--user-data-dir={self.folder.name}")
        else:
            # Its profile is chromedriver's own: of another folder chromedriver finds no page of the shell.
            options.binary_location = SHELL
        for flag in shlex.split(f"{FLAGS} {os.environ.get('PARLEY_CHROMIUM_FLAGS', '')}") + list(flags):
            options.add_argument(flag)
        if preferences:
            options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(os.environ.get("PARLEY_CHROMEDRIVER", "/usr/bin/chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(120)
        self.shown = self.driver.current_window_handle
        # Where `sign_in` puts the login. Its document is a picture, for which Chromium wants an icon: that waits for ever.
        self.driver.execute_cdp_cmd("Fetch.enable", {"patterns": [{"urlPattern": "*/favicon.ico"}]})
        self.pages = []

    def show(self, handle):
        if self.shown != handle:
            self.driver.switch_to.window(handle)
            self.shown = handle

    def page(self, path=None, size=DESKTOP, dark=False, agent=AGENT):
        """Another window, signed in by nothing but the profile's login. `agent`: who answers at a desk in it."""
        self.driver.switch_to.new_window("tab")
        self.shown = self.driver.current_window_handle
        page = Page(self, self.shown)
        self.pages.append(page)
        page.look(size, dark)
        page.emulate_focus()
        if agent:
            page.answer_as(agent)
        if path is not None:
            page.go(path)
        return page

    def sign_in(self):
        """With the login that a launch address leaves: test_sign_in opens such an address itself."""
        (name, value), page = self.gateway.new_login()
        cookie = {"name": name, "value": value, "url": self.gateway.address, "httpOnly": True, "sameSite": "Strict"}
        self.driver.execute_cdp_cmd("Network.setCookie", cookie)
        self.show(self.driver.window_handles[0])
        self.driver.get(f"{self.gateway.address}/assets/icon.svg")  # the storage is the origin's: the lightest file of it will do
        self.driver.execute_script("localStorage.setItem('parley.page', arguments[0])", page)

    def chat(self, channel="multi", *, thread=None, stream=None, **how):
        query = "".join(f"&{name}={value}" for name, value in [("thread", thread), ("stream", stream)] if value)
        page = self.page(f"/?channel={channel}{query}", **how)
        page.ready()
        return page

    def desk(self, *, stream=None, **how):
        page = self.page(f"/desk{'?stream=' + stream if stream else ''}", **how)
        page.ready()
        return page

    def console(self):
        """What the pages wrote to the console since the last look, from warnings on."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]

    def serve(self, gateway):
        """Back to the beginning, for another gateway: what an earlier one on the same port has left is forgotten."""
        self.gateway = gateway
        for page in list(self.pages):
            page.close()
        self.show(self.driver.window_handles[0])
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": gateway.address, "storageTypes": "all"})
        self.console()
        return self

    def quit(self):
        self.driver.quit()
        self.folder.cleanup()


class Page:
    def __init__(self, browser, handle):
        self.browser = browser
        self.driver = browser.driver
        self.gateway = browser.gateway
        self.handle = handle

    # -- the window

    def js(self, script, *arguments):
        self.browser.show(self.handle)
        return self.driver.execute_script(SEE + script, *arguments)

    def cdp(self, command, **parameters):
        self.browser.show(self.handle)
        return self.driver.execute_cdp_cmd(command, parameters)

    def go(self, path):
        self.browser.show(self.handle)
        self.driver.get(path if "://" in path else self.gateway.address + path)

    def reload(self):
        self.browser.show(self.handle)
        self.driver.refresh()

    def history_back(self):
        self.browser.show(self.handle)
        self.driver.back()

    def close(self):
        self.browser.show(self.handle)
        self.driver.close()
        self.browser.pages.remove(self)
        self.browser.show(self.driver.window_handles[0])

    def overflowing(self):
        """What reaches beyond the window at its left or right."""
        return self.js(OVERFLOW)

    def look(self, size=DESKTOP, dark=False):
        width, height = size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 720)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def remember(self, items):
        """What localStorage shall hold (None: not hold) when the next document of this window begins."""
        lines = [
            f"localStorage.removeItem({json.dumps(name)})" if value is None else f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)})"
            for name, value in items.items()
        ]
        source = "if (!sessionStorage.getItem('prepared')) {" + ";".join(lines) + "; sessionStorage.setItem('prepared', '1') }"
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=source)

    def answer_as(self, agent):
        """At a desk in this profile, unless somebody answers there already."""
        name, value = json.dumps("parley.agent"), json.dumps(json.dumps(agent))
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=f"if (!localStorage.getItem({name})) localStorage.setItem({name}, {value})")

    def emulate_focus(self):
        """The user looks at this window, and maybe at others too, as on two computers."""
        self.cdp("Emulation.setFocusEmulationEnabled", enabled=True)

    def look_away(self):
        """The user looks at something else, until `look_back`."""
        self.js("document.hasFocus = () => false; window.dispatchEvent(new Event('blur'))")

    def look_back(self):
        self.js("delete document.hasFocus; window.dispatchEvent(new Event('focus'))")

    def screenshot(self, path):
        self.browser.show(self.handle)
        self.driver.save_screenshot(str(path))

    # -- what is there

    def wait(self, condition, what, patience=None):
        try:
            return until(condition, what, patience)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.describe()}") from None

    def describe(self):
        text = self.js("return document.body.innerText.slice(-1500)")
        return f"-- {self.js('return location.href')}\n{text}\n-- messages {json.dumps(self.messages()[-8:])}"

    def ready(self):
        try:
            self.wait(lambda: self.js("return document.body?.dataset.ready === 'true'"), "the page has started")
        except AssertionError as error:
            raise AssertionError(f"{error}\n-- {self.js(LOADED)}\n-- {self.browser.console()}") from None

    def has(self, hook, css=""):
        return self.js("return all(arguments[0], arguments[1]).length > 0", hook, css)

    def gone(self, hook, css=""):
        self.wait(lambda: not self.has(hook, css), f"{hook}{css} is gone")

    def find(self, hook, css=""):
        """The first element on show with this hook."""
        return self.wait(lambda: self.js("return all(arguments[0], arguments[1])[0]", hook, css), f"{hook}{css} is shown")

    def text(self, hook, css=""):
        return self.js("return all(arguments[0], arguments[1])[0]?.textContent", hook, css)

    def says(self, hook, text, css=""):
        self.wait(lambda: text in (self.text(hook, css) or ""), f"{hook}{css} says {text!r}")

    def click(self, hook, css=""):
        def once():
            try:
                self.find(hook, css).click()
                return True
            except UNSTEADY:
                return False

        self.wait(once, f"{hook}{css} can be clicked")

    def hover(self, hook, css=""):
        element = self.find(hook, css)
        webdriver.ActionChains(self.driver, duration=0).move_to_element(element).perform()

    def act(self, message, hook):
        """Clicks a button of a message, which shows only when pointed at."""
        at = f'[data-id="{message}"]'
        self.hover("message", at)
        script = "return all('message', arguments[0])[0].querySelector(`[data-test=${arguments[1]}]`)"
        self.wait(lambda: self.js(script + ".checkVisibility({visibilityProperty: true})", at, hook), f"{hook} of {message} is shown")
        self.js(script, at, hook).click()

    def press(self, *keys):
        """Keys to whatever has the focus."""
        self.browser.show(self.handle)
        webdriver.ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def shift(self, key):
        self.chord(Keys.SHIFT, key)

    def chord(self, held, key):
        """A key while another one is held."""
        self.browser.show(self.handle)
        webdriver.ActionChains(self.driver, duration=0).key_down(held).send_keys(key).key_up(held).perform()

    def write(self, hook, text):
        def once():
            try:
                self.find(hook).send_keys(text)
                return True
            except UNSTEADY:
                return False

        self.wait(once, f"{hook} can be written into")

    def fill(self, hook, text):
        """Puts a text in place of what is in a field."""
        self.find(hook).clear()
        self.write(hook, text)

    def put(self, hook, value, css=""):
        """Chooses what a list offers, or sets a field at once, as soon as it is there and takes the value."""
        script = (
            "const [one] = all(arguments[0], arguments[2]); if (!one) return false; one.value = arguments[1];"
            "if (one.value !== arguments[1]) return false; one.dispatchEvent(new Event('change')); return true"
        )
        self.wait(lambda: self.js(script, hook, value, css), f"{hook}{css} takes {value!r}")

    # -- conversations

    def send(self, text):
        """Writes and sends; the message is on show, sent or not. Others may come behind it meanwhile."""
        before = self.texts().count(text)
        self.write("composer", text + Keys.ENTER)  # at once: between two steps a page could move the focus
        self.wait(lambda: self.texts().count(text) > before, f"{text!r} is in the transcript")

    def messages(self):
        """(direction, status, text) of each message on show, as it stands in the transcript."""
        return self.js(
            "return all('message').map((one) => [one.dataset.direction, one.dataset.status, one.querySelector('.text').textContent])"
        )

    def texts(self):
        return [text for _, _, text in self.messages()]

    def status(self, text):
        return next((status for _, status, one in self.messages() if one == text), None)

    def shows(self, *texts):
        """The transcript ends with these, in this order."""
        self.wait(lambda: self.texts()[-len(texts):] == list(texts), f"the transcript ends with {texts}")

    def becomes(self, text, *statuses):
        self.wait(lambda: self.status(text) in statuses, f"{text!r} becomes {statuses}")

    def unread(self, hook, css=""):
        """The number on a conversation's badge; 0 without one."""
        script = "const [one] = all(arguments[0], arguments[1]); const badge = one?.querySelector('[data-test=unread]');"
        return self.js(script + "return !one ? null : badge.checkVisibility() ? badge.textContent : '0'", hook, css)

    def counts(self, hook, number, css=""):
        self.wait(lambda: self.unread(hook, css) == str(number), f"{hook}{css} has {number} unread")

    def items(self, hook):
        return self.js("return all(arguments[0]).map((one) => one.dataset.id)", hook)

    @property
    def thread(self):
        return self.js("return document.querySelector('.conversation-pane')?.checkVisibility() ? document.querySelector('.conversation-pane').dataset.thread : null")

    # -- the thread panel

    def replies(self):
        """The texts of the replies on show in the panel."""
        return self.js("return all('panel-message').map((one) => one.querySelector('.text').textContent)")

    def reply(self, text):
        before = self.replies().count(text)
        self.write("panel-composer", text + Keys.ENTER)
        self.wait(lambda: self.replies().count(text) > before, f"{text!r} is among the replies")

    def shows_replies(self, *texts):
        """The panel's list ends with these, in this order."""
        self.wait(lambda: self.replies()[-len(texts):] == list(texts), f"the replies end with {texts}")

    def id_of(self, text, hook="message"):
        script = "return all(arguments[1]).find((one) => one.querySelector('.text').textContent === arguments[0])?.dataset.id"
        return self.wait(lambda: self.js(script, text, hook), f"{text!r} is on show")

    def place_of(self, message, hook="panel-message", box="panel-transcript"):
        """Where a message stands in its box: 0 at the top, 1 at the bottom, by its middle."""
        script = (
            "const [one] = all(arguments[1], `[data-id='${arguments[0]}']`); if (!one) return null;"
            "const [a, b] = [one.getBoundingClientRect(), all(arguments[2])[0].getBoundingClientRect()];"
            "return (a.top + a.height / 2 - b.top) / b.height"
        )
        return self.js(script, message, hook, box)

    def open_thread(self, message):
        """By "Reply in thread" of a message's menu."""
        self.act(message, "reply")
        self.find("panel")

    def session(self, channel="multi"):
        return self.js("return localStorage.getItem(`parley.session.local.${arguments[0]}`)", channel)

    def newest(self):
        """The id of the newest message."""
        return self.js("return all('message').at(-1).dataset.id")

    def focused(self):
        """Hook (or tag) of what has the keyboard."""
        return self.js("return document.activeElement?.dataset?.test ?? document.activeElement?.tagName")

    def tab_to(self, hook, css="", most=60, back=False):
        """Reaches an element by Tab alone."""
        for _ in range(most):
            if self.js("return document.activeElement?.matches(`[data-test='${arguments[0]}']${arguments[1]}`) ?? false", hook, css):
                return
            self.shift(Keys.TAB) if back else self.press(Keys.TAB)
        raise AssertionError(f"Tab never reaches {hook}{css}\n{self.describe()}")

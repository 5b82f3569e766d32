"""A page of a shop with the chat's loader, seen from the page and from within the frame."""

from selenium.webdriver.common.by import By

LOOK = """
const chat = document.querySelector('parley-chat');
const holder = document.querySelector('parley-holder');
const part = (name) => holder?.shadowRoot.querySelector(`[part=${name}]`);
const panel = holder?.shadowRoot.querySelector('[role=dialog]');
"""


class Host:
    def __init__(self, page):
        self.page = page
        self.wait = page.wait

    def js(self, script, *arguments):
        self.page.browser.show(self.page.handle)
        self.page.driver.switch_to.default_content()
        return self.page.driver.execute_script(LOOK + script, *arguments)

    def go(self, url):
        self.page.browser.show(self.page.handle)
        self.page.driver.switch_to.default_content()
        self.page.driver.get(url)
        return self

    def shows(self):
        """Waits for the button."""
        self.wait(lambda: self.js("return part('launcher')?.checkVisibility() ?? false"), "the button is there")
        return self

    def launcher(self):
        """What a screen reader says of the button."""
        return self.js("return [part('launcher').ariaLabel, part('launcher').ariaExpanded]")

    def click(self):
        self.js("return part('launcher')").click()
        return self

    def told(self):
        """The events of the element: [name, detail]."""
        return self.js("return told")

    def tells(self, *event):
        self.wait(lambda: list(event) in self.told(), f"{event} was told")

    def ready(self):
        self.tells("ready")
        return self

    def frame(self, script, *arguments):
        """In the frame."""
        frame = self.js("return part('frame')")
        self.page.driver.switch_to.frame(frame)
        try:
            return self.page.driver.execute_script(script, *arguments)
        finally:
            self.page.driver.switch_to.default_content()

    def write(self, css, text):
        """Into a field of the frame."""
        self.page.driver.switch_to.frame(self.js("return part('frame')"))
        try:
            self.page.driver.find_element(By.CSS_SELECTOR, css).send_keys(text)
        finally:
            self.page.driver.switch_to.default_content()

    def say(self, message):
        """The stand-in frame says something."""
        self.frame("say(arguments[0])", message)

    def heard(self, kind):
        """What the stand-in frame has heard of one type."""
        return [one for one in self.frame("return JSON.parse(JSON.stringify(heard))") if one["type"] == kind]

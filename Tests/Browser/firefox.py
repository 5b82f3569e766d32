"""Firefox with an empty profile and a push service of its own, driven over WebDriver BiDi, which needs no driver beside it."""

import itertools
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gateway import PATIENCE, until

PREFERENCES = {
    "permissions.default.desktop-notification": 1,
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.push.connection.enabled": True,  # a driven Firefox is not connected otherwise
    "alerts.useSystemBackend": False,  # notifications are windows of Firefox's own, which a test can click
    "alerts.disableSlidingEffect": True,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",  # asks nobody on the network for settings
    "toolkit.telemetry.server": "",
}


class Failed(Exception):
    """Firefox has refused a command, or a script has thrown."""


class Firefox:
    def __init__(self, push_url, **more):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-firefox-", ignore_cleanup_errors=True)
        profile = Path(self.folder.name)
        preferences = {**PREFERENCES, "dom.push.serverURL": push_url, **more}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (profile / "user.js").write_text("\n".join(lines))
        binary = os.environ.get("PARLEY_FIREFOX", "/usr/bin/firefox-esr")
        command = [binary, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0",
                   "--remote-allow-system-access"]
        environment = {**os.environ, "HOME": self.folder.name, "MOZ_CRASHREPORTER_DISABLE": "1"}
        with open(profile / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self.numbers = itertools.count(1)
        self.answers = {}
        try:
            address = until(lambda: self._address(profile / "WebDriverBiDiServer.json"), "Firefox listens", 90)
            self.socket = connect(f"ws://{address}/session", max_size=None, ping_interval=None, legacy=True)
            self.reader = threading.Thread(target=self._read, daemon=True)
            self.reader.start()
            self.command("session.new", capabilities={})
        except BaseException:
            self.quit()
            raise

    def _address(self, file):
        if self.process.poll() is not None:
            raise AssertionError(f"Firefox ended with {self.process.returncode}")
        try:
            at = json.loads(file.read_text())
        except (OSError, ValueError):
            return None  # not yet, or half written
        return f"{at['ws_host']}:{at['ws_port']}"

    def quit(self):
        """With all its processes: a group of their own."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(20)
        self.folder.cleanup()

    def command(self, method, **parameters):
        number = next(self.numbers)
        waiting = self.answers[number] = queue.Queue(1)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        try:
            answer = waiting.get(timeout=2 * PATIENCE)
        finally:
            del self.answers[number]
        if answer.get("type") == "error":
            raise Failed(f"{method}: {answer['error']}: {answer.get('message')}")
        return answer["result"]

    def _read(self):
        try:
            for frame in self.socket:
                answer = json.loads(frame)
                waiting = self.answers.get(answer.get("id"))
                if waiting is not None:
                    waiting.put(answer)
        except ConnectionClosed:
            pass

    def tabs(self):
        """Context and address of each tab."""
        return [(one["context"], one["url"]) for one in self.command("browsingContext.getTree")["contexts"]]

    def page(self, url):
        context = self.command("browsingContext.create", type="tab")["context"]
        self.command("browsingContext.navigate", context=context, url=url, wait="complete")
        return FirefoxPage(self, context)

    def sign_in(self, gateway):
        """A page of the gateway, signed in by an address that works once."""
        page = self.page(gateway.launch_url())
        page.wait("location.pathname === '/'", "the page has signed in")
        return page

    def attach(self, context):
        """The page of a tab that the browser itself has opened."""
        return FirefoxPage(self, context)

    def chrome(self, script):
        """The value of a script that runs in the browser's own window."""
        (window, *_) = self.command("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]
        return FirefoxPage(self, window["context"]).js(script)

    def click_notification(self):
        """The user's click on the notifications on show. Each is a window, which takes it by its own code, as from a mouse, and
        closes; while it is still loading a click is lost."""
        click = """[...Services.wm.getEnumerator('alert:alert')].map((window) => {
          window.document.getElementById('alertTextBox')?.click();
          return 1;
        }).length"""
        until(lambda: self.chrome(click), "a notification is on show")
        until(lambda: self.chrome(click) == 0, "it has taken the click")


class FirefoxPage:
    def __init__(self, firefox, context):
        self.firefox, self.context = firefox, context

    def js(self, script):
        """The value of an expression; of a promise, what it becomes. It counts as the user's click."""
        expression = f"(async () => JSON.stringify(await ({script})) ?? 'null')()"
        answer = self.firefox.command("script.evaluate", expression=expression, awaitPromise=True, userActivation=True,
                                      target={"context": self.context})
        if answer["type"] == "exception":
            raise Failed(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait(self, script, what):
        return until(lambda: self.js(script), what)

    def go(self, url):
        self.firefox.command("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def screenshot(self):
        """The page as PNG, in base64."""
        return self.firefox.command("browsingContext.captureScreenshot", context=self.context)["data"]

    def close(self):
        self.firefox.command("browsingContext.close", context=self.context)

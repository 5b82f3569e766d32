"""What a visitor sees, picture by picture, while a page loads over a slow line: Chromium, driven over its own protocol, for that
alone slows the frames of other sites, too."""

import base64
import itertools
import json
import threading
import time
import urllib.request

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gateway import until

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => { for (const one of list.getEntries()) shifts.push([one.value, one.hadRecentInput]) })
  .observe({ type: 'layout-shift', buffered: true });
"""


class Film:
    """A tab of a browser, slowed down, with all that is on show in it. `latency` is in ms, `rate` in bytes a second."""

    def __init__(self, browser, *, latency, rate, size=(1000, 760)):
        at = browser.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{at}/json/version", timeout=30) as answer:
            self.socket = connect(json.load(answer)["webSocketDebuggerUrl"], max_size=None, ping_interval=None, legacy=True)
        self.line = {"offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate}
        self.numbers = itertools.count(1)
        self.answers = {}
        self.pictures = []  # (time, JPEG)
        self.sent = []  # (time, address) of each request
        self.frames = []  # the sessions of frames of other sites
        threading.Thread(target=self._read, daemon=True).start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.page = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.prepare(self.page)
        self.call("Emulation.setDeviceMetricsOverride", self.page, width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 720)
        self.call("Emulation.setFocusEmulationEnabled", self.page, enabled=True)

    def prepare(self, session):
        """Slow, from the first request on; measured from the first drawing on."""
        self.call("Network.enable", session)
        self.call("Network.emulateNetworkConditions", session, **self.line)
        self.call("Page.enable", session)
        self.call("Page.addScriptToEvaluateOnNewDocument", session, source=SHIFTS)
        self.call("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.call("Runtime.runIfWaitingForDebugger", session)

    def call(self, method, session=None, **parameters):
        number = next(self.numbers)
        ended = threading.Event()
        self.answers[number] = (ended, answer := {})
        self.send(number, method, session, parameters)
        assert ended.wait(60), method
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def send(self, number, method, session, parameters):
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}))

    def _read(self):
        try:
            for frame in self.socket:
                message = json.loads(frame)
                if message.get("id") in self.answers:
                    ended, answer = self.answers.pop(message["id"])
                    answer.update(message)
                    ended.set()
                elif "method" in message:
                    self._hear(message["method"], message["params"], message.get("sessionId"))
        except ConnectionClosed:
            pass

    def _hear(self, event, of, session):
        if event == "Page.screencastFrame":
            self.pictures.append((of["metadata"]["timestamp"], of["data"]))
            self.send(next(self.numbers), "Page.screencastFrameAck", session, {"sessionId": of["sessionId"]})
        elif event == "Network.requestWillBeSent":
            self.sent.append((of["wallTime"], of["request"]["url"]))
        elif event == "Target.attachedToTarget":
            if of["targetInfo"]["type"] != "iframe":  # a worker
                return self.send(next(self.numbers), "Runtime.runIfWaitingForDebugger", of["sessionId"], {})
            self.frames.append(of["sessionId"])
            # Each call waits for its answer, which is read here.
            threading.Thread(target=self.prepare, args=(of["sessionId"],), daemon=True).start()

    def js(self, script, session=None):
        """The value of an expression."""
        found = self.call("Runtime.evaluate", session or self.page, expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def go(self, url):
        """Begins to load a page, and to film it; answers when that was."""
        self.call("Page.startScreencast", self.page, format="jpeg", quality=80)
        start = time.time()
        self.call("Page.navigate", self.page, url=url)
        return start

    def click(self, script):
        """With a pointer, at the middle of the element that a script names; answers when that was."""
        x, y = self.js(f"(() => {{ const box = ({script}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }})()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", self.page, type=kind, x=x, y=y, button="left", clickCount=1)
            begun = time.time() if kind == "mouseMoved" else begun
        return begun

    def wait(self, script, what, session=None):
        """Until an expression is true; answers when that was."""
        until(lambda: self.js(script, session), what)
        return time.time()

    def strip(self, start, end, every=0.1, wide=250):
        """A page with one picture for each step of time: what was on show then."""
        cells = []
        for number in range(int((end - start) / every) + 2):
            now = start + number * every
            shown = [picture for at, picture in self.pictures if at <= now][-1:]
            picture = f'<img src="data:image/jpeg;base64,{shown[0]}" width="{wide}">' if shown else "<i>nothing</i>"
            cells.append(f"<figure>{picture}<figcaption>{number * every:.1f} s</figcaption></figure>")
        style = f"body {{ display: flex; flex-wrap: wrap; gap: 6px; font: 12px sans-serif; background: #ccc }} figure {{ margin: 0; width: {wide}px }}"
        return f"<!doctype html><title>Film</title><style>{style}</style>{''.join(cells)}"

    def save(self, path, page):
        """The strip as a picture."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", session, width=1560, height=900, deviceScaleFactor=1, mobile=False)
        self.js(f"document.open(); document.write({json.dumps(page)}); document.close()", session)
        self.wait("document.readyState === 'complete' && [...document.images].every((one) => one.complete)", "the strip is drawn", session)
        shot = self.call("Page.captureScreenshot", session, format="png", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": 1560, "height": self.js("document.documentElement.scrollHeight", session), "scale": 1})
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.socket.close()

"""An app on the sandbox: the program that the scenarios of the article "Test your CXone app" start.

It is a build for tests: it does what the agent asks for (`say X`, `list`, `upload`), and says what it shows. Its
argument is a mistake that such apps make; without one it makes none.
"""

import os
import sys
import time
import urllib.parse

from gateway import Gateway
from plain_websocket import Closed, Refused
from platform_client import PlatformClient, new_id

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else ""


class Place:
    """The gateway that the variables name."""

    def __init__(self):
        address = urllib.parse.urlsplit(os.environ["PARLEY_GATEWAY"])
        self.host, self.port, self.token = address.hostname, address.port, os.environ["PARLEY_TOKEN"]

    call, get = Gateway.call, Gateway.get


class App:
    def __init__(self, channel, customer):
        self.client = PlatformClient(Place(), channel, customer=customer, authorization="secured")
        self.thread, self.unsent, self.shown, self.has_begun = new_id(), [], {}, False

    def connect(self):
        pause = 0.1
        while True:
            try:
                if not self.client.token:
                    self.client.fetch_token()
                self.client.connect()
                break
            except Refused as refused:
                if MISTAKE == "gives up":
                    time.sleep(3600)
                if MISTAKE == "hurries":
                    pause = 0.4
                if refused.status == 401 and MISTAKE != "keeps its token":
                    self.client.token = None
                time.sleep(pause)
                pause = min(2 * pause, 1)
        # What was said while there was no socket.
        if self.has_begun:
            whole = self.client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": self.thread}})
            for message in reversed(whole["messages"]):
                self.show(message)

    def say(self, text):
        self.unsent.append([new_id(), text])

    def flush(self):
        """Sends what has no answer yet, under the same ids."""
        while self.unsent:
            id, text = self.unsent[0]
            try:
                self.client.ask("SendMessage", self.client.message(self.thread, text, id=id), deadline=1)
                self.unsent.pop(0)
                self.has_begun = True
            except TimeoutError:
                if MISTAKE == "sends again as new":
                    self.unsent[0][0] = new_id()
            except (Closed, OSError):
                if MISTAKE == "forgets":
                    self.unsent.pop(0)
                self.connect()

    def show(self, message):
        id, text = message["idOnExternalPlatform"], message["messageContent"]["payload"]["text"]
        if message["direction"] != "outbound" or (id in self.shown and MISTAKE != "shows twice"):
            return
        key = id if id not in self.shown else new_id()
        self.shown[key] = (message.get("createdAtWithMilliseconds", message["createdAt"]), text)
        if MISTAKE != "in order of arrival":
            self.shown = dict(sorted(self.shown.items(), key=lambda entry: entry[1][0]))
        if text == "list":
            self.say(", ".join(text for _, text in self.shown.values()))
        elif text.startswith("say "):
            self.say(text[4:])
        elif text == "upload":
            self.upload()

    def upload(self):
        file = {"content": "aGVsbG8=", "fileName": "a.txt", "mimeType": "text/plain"}
        if self.client.http("POST", f"{self.client.chat}/attachment", file, check=False).status != 200:
            if MISTAKE != "hides it":
                self.say("The file could not be sent.")

    def run(self):
        self.connect()
        self.say("Hello")
        while True:
            self.flush()
            try:
                frame = self.client.pushes.pop(0) if self.client.pushes else self.client.next(1)
            except TimeoutError:
                continue
            except (Closed, OSError):
                self.connect()
                continue
            if isinstance(frame, dict) and frame.get("eventType") == "MessageCreated":
                self.show(frame["data"]["message"])


print("the app begins", flush=True)
App(os.environ.get("CHANNEL", "multi"), os.environ.get("CUSTOMER", "ci")).run()

"""A client of CXone's platform, as each of the three families of SDKs speaks: frames are written by hand from the
protocol's description, and share nothing with Parley's own code."""

import json
import time
import urllib.parse
import uuid

from plain_websocket import WebSocket


def new_id():
    return str(uuid.uuid4())


class Failed(Exception):
    def __init__(self, error):
        super().__init__(str(error))
        self.code = error["errorCode"]


class PlatformClient:
    """One app: `family` is ios, android or web."""

    def __init__(self, gateway, channel, family="ios", customer=None, authorization="anonymous", path="/socket"):
        self.gateway, self.family, self.path = gateway, family, path
        info = gateway.get("/v1/info")["sandbox"]
        self.brand = info["brandId"]
        self.channel = next(each["id"] for each in info["channels"]
                            if each["channel"] == channel and each["authorization"] == authorization)
        self.customer = customer or new_id()
        self.visitor = new_id()
        self.chat = f"/chat/1.0/brand/{self.brand}/channel/{self.channel}"
        self.pushes, self.socket, self.token = [], None, None

    # -- HTTP

    def http(self, method, path, body=None, **more):
        headers = {"x-sdk-platform": self.family, "x-sdk-version": "3.3.1", **more.pop("headers", {})}
        if body is not None:
            headers["Content-Type"] = "application/json; charset=UTF-8"
        return self.gateway.call(method, path, token=None, headers=headers, raw=None if body is None else json.dumps(body).encode(), **more)

    def configuration(self):
        answer = self.http("GET", self.chat + ("?locale=en_US" if self.family == "web" else ""))
        assert answer.status == 200, answer
        return answer.json

    def fetch_token(self, body=None):
        if body is None:
            identity = {"customerIdentity": {"idOnExternalPlatform": self.customer}}
            body = {"ios": {"type": "anonymous", **identity}, "android": {"type": "Anonymous", **identity}, "web": identity}[self.family]
        answer = self.http("POST", f"/oauth/token?brandId={self.brand}&channelId={self.channel}&visitorId={self.visitor}", body)
        if answer.status == 200:
            self.token = answer["accessToken"]
            self.customer = answer["customerIdentity"]["idOnExternalPlatform"]
        return answer

    # -- socket

    def connect(self, **more):
        query = {"brandId": self.brand, "channelId": self.channel, "visitorId": self.visitor, "sdkPlatform": self.family, "sdkVersion": "3.3.1"}
        if self.token:
            query["transactionToken"] = self.token
        elif self.family == "web":
            query = {"v": "0", **query, "customerId": self.customer}
        self.socket = WebSocket(self.gateway.host, self.gateway.port, f"{self.path}?{urllib.parse.urlencode(query)}", **more)
        return self

    def close(self):
        if self.socket:
            self.socket.close()

    def __enter__(self):
        return self.connect()

    def __exit__(self, *_):
        self.close()

    def frame(self, event, data=None, *, event_id=None, action="chatWindowEvent"):
        key = "consumerIdentity" if self.family == "web" else "customerIdentity"
        payload = {"brand": {"id": self.brand}, "channel": {"id": self.channel}, key: {"idOnExternalPlatform": self.customer},
                   "eventType": event, "visitor": {"id": self.visitor}}
        if self.family == "web":
            payload |= {"destination": {}, "visit": {}}
        if data is not None or self.family != "ios":
            payload["data"] = data or {}
        return {"action": action, "eventId": event_id or new_id(), "payload": payload}

    def next(self, deadline=15.0):
        return json.loads(self.socket.receive(deadline))

    def ask(self, event, data=None, *, action="chatWindowEvent", deadline=15.0):
        """Sends a request and returns its answer; pushes that come meanwhile are kept. Raises `Failed` for an error frame."""
        frame = self.frame(event, data, action=action)
        self.socket.send(json.dumps(frame))
        end = time.monotonic() + deadline
        while True:
            answer = self.next(max(0.01, end - time.monotonic()))
            if isinstance(answer, dict) and answer.get("eventId") == frame["eventId"]:
                if "error" in answer:
                    raise Failed(answer["error"])
                if "postback" in answer:
                    assert "data" not in answer, "web clients take the top-level data first"
                    return answer["postback"].get("data", {})
                return answer
            self.pushes.append(answer)

    def push(self, event, deadline=15.0, where=lambda data: True):
        """The next push of a type; others before it are dropped."""
        end = time.monotonic() + deadline
        while True:
            frame = self.pushes.pop(0) if self.pushes else self.next(max(0.01, end - time.monotonic()))
            if isinstance(frame, dict) and frame.get("eventType") == event and where(frame["data"]):
                return frame["data"]

    def quiet(self, seconds=0.4):
        """What still comes within a while."""
        try:
            while True:
                self.pushes.append(self.next(seconds))
        except TimeoutError:
            pass
        taken, self.pushes = self.pushes, []
        return taken

    def authorize(self, **data):
        answer = self.ask("AuthorizeCustomer", {"sdkPlatform": self.family, "sdkVersion": "3.3.1", **data}, action="register")
        self.customer = answer["consumerIdentity"]["idOnExternalPlatform"]
        return answer

    def message(self, thread, text, *, id=None, parameters=None, postback=None, attachments=(), name=None, fields=None):
        thread = {"idOnExternalPlatform": thread}
        if name:
            thread["threadName"] = name
        contact, customer = ("consumerContact", "consumer") if self.family == "web" else ("contact", "customer")
        data = {"thread": thread, "idOnExternalPlatform": id or new_id(),
                "messageContent": {"type": "TEXT", "payload": {"text": text}, "parameters": parameters or {}, "postback": postback},
                contact: {"customFields": [{"ident": ident, "value": value} for ident, value in (fields or {}).items()]},
                customer: {"customFields": []}, "attachments": list(attachments)}
        return data

    def send(self, thread, text, **more):
        data = self.message(thread, text, **more)
        self.ask("SendMessage", data)
        return data["idOnExternalPlatform"]

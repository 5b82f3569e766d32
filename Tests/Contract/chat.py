"""A session and what tests do with it most."""


class Chat:
    """A session and what a test does with it most."""

    def __init__(self, gateway, channel, **customer):
        self.gateway = gateway
        self.session = gateway.post("/v1/sessions", {"channel": channel, "customer": customer}).json
        self.token = self.session["token"]
        self.id = self.session["id"]
        self.customer = self.session["customer"]["id"]
        self.path = f"/v1/sessions/{self.id}"

    def thread(self, **body):
        """A new thread's path."""
        return f"{self.path}/threads/{self.gateway.post(f'{self.path}/threads', body)['id']}"

    def say(self, thread, text="Hello", **more):
        return self.gateway.post(f"{thread}/messages", {"text": text, **more}).json

    def open(self, **body):
        """A new thread that has one message, so that the desk sees it: its path and its path at the desk."""
        thread = self.thread(**body)
        self.say(thread)
        return thread, "/v1/desk/threads/" + thread.rpartition("/")[2]

    def upload(self, data, name="a.txt", kind="text/plain", **headers):
        """A file's attachment."""
        return self.gateway.post(f"{self.path}/attachments", raw=data, headers={
            "Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"', **headers}).json

    def events(self, query=""):
        return self.gateway.events(f"{self.path}/events{query}")


def add_channels(gateway):
    """Channels of the tests' own, so that what a fresh gateway is configured with does not matter."""
    for id, mode in (("contract-multi", "multithread"), ("contract-single", "singlethread")):
        answer = gateway.post("/v1/desk/channels", {"id": id, "mode": mode})
        assert answer.status == 201, answer
    return gateway

"""One feed in every form, so that a table of tests can read them all in the same way."""

import queue
import time

from gateway import Event, EventReader

# How a client may ask, by a short name: what it accepts, and for how long a page waits.
STREAM_FORMS = {"sse": "text/event-stream", "jsonl": "application/jsonl", "ndjson": "application/x-ndjson"}
PAGE_FORMS = {"page": 0, "wait": 5}
FORMS = [*STREAM_FORMS, *PAGE_FORMS]


class Pages(EventReader):
    """A feed that is read page by page. `reset` and the end of the replay are events as on a stream."""

    def __init__(self, gateway, path, query, headers, wait):
        super().__init__()
        self.gateway, self.path, self.query, self.headers, self.wait_time = gateway, path, query, headers, wait
        self.cursor = None
        self.pages = 0
        self._items = []
        self._is_ready = False
        if not query and not (headers or {}).get("Last-Event-ID"):
            self._read()  # without a beginning a page says where the log ends

    def _read(self, wait=0):
        headers = {"Accept": "application/json", **({} if self.cursor else self.headers or {})}
        query = [each for each in self.query.removeprefix("?").split("&") if each]
        if self.cursor:
            query = [each for each in query if each.partition("=")[0] not in ("after", "earliest", "since", "last")]
            query.append(f"after={self.cursor}")
        if wait:
            query.append(f"wait={wait}")
        answer = self.gateway.get(f"{self.path}{'&' if '?' in self.path else '?'}{'&'.join(query)}", headers=headers)
        assert answer.status == 200, answer
        assert answer.kind == "application/json" and answer.header("Cache-Control") == "no-store"
        assert answer.header("Parley-Cursor") == answer["cursor"]
        assert (answer.link("next") is not None) == answer["hasMore"]
        self.pages += 1
        self.cursor = answer["cursor"]
        if "reset" in answer.json:
            assert not answer["items"]
            self._items.append(Event("reset", self.cursor, answer["reset"], None))
        self._items += [Event(each["type"], each["id"], each["data"], None) for each in answer["items"]]
        if not answer["hasMore"] and not self._is_ready:
            self._is_ready = True
            self._items.append(Event("ready", self.cursor, {"cursor": self.cursor}, None))
        return answer

    def _get(self, deadline):
        end = time.monotonic() + deadline
        while not self._items:
            left = end - time.monotonic()
            if left <= 0:
                raise queue.Empty
            # When all is read that there was, the waiting page waits in the gateway; the other one asks again.
            self._read(min(self.wait_time, int(left)) if self._is_ready else 0)
            if not self.wait_time and not self._items:
                time.sleep(0.02)
        return self._items.pop(0)


def open_feed(gateway, form, path, query="", headers=None, is_slow=False):
    """A reader of this feed in this form."""
    if form in PAGE_FORMS:
        return Pages(gateway, path, query, headers, PAGE_FORMS[form])
    joined = f"{path}{query.replace('?', '&', 1) if '?' in path else query}"
    return gateway.events(joined, headers=headers, form=STREAM_FORMS[form], is_slow=is_slow)

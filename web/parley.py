"""Parley's client for Python 3.9 and later: this one file, which needs nothing but the standard library.

    from parley import Parley

    parley = Parley()  # finds the gateway of this machine as the command line does; or Parley("http://...", token="...")
    session = parley.session(parley.sessions.create(channel="multi")["id"])
    thread = session.thread(session.threads.create(name="My order")["id"])
    events = session.events(types=["message.created"])  # from here on nothing is missed
    thread.messages.send(text="Hello")
    for event in events:
        print(event.type, event.data)

* A handle (`session`, `thread`, `message`, ...) is made of an id alone. It asks nothing of the gateway until a verb is
  called. Members of a body are keywords, and are named as in the gateway's document. So are the members of answers.
* A request is repeated while the gateway cannot be reached or says that it may answer later. A POST carries an
  `Idempotency-Key` then, so it happens once. Streams resume at their place for as long as it takes.
* All failures are `ParleyError`. Objects may be used by several threads; one stream is read by one thread at a time.
* `parley_schemas.pyi` beside this file tells type checkers and editors what the answers hold.
"""

from __future__ import annotations

import collections
import http.client
import json
import mimetypes
import os
import random
import socket
import threading
import time
import urllib.parse
import uuid
from typing import (
    TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Generic, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple,
    TypeVar, Union, cast,
)

if TYPE_CHECKING:  # Where the file is not there, answers are Any.
    import parley_schemas as schemas  # type: ignore[import-not-found, unused-ignore]

__all__ = [
    "Answer", "Event", "EventStream", "EventStreamParser", "Parley", "ParleyError", "all_items", "apply_collection_event",
    "compare_cursors", "item_key", "new_id", "version_of",
]

JSON = Dict[str, Any]
Query = Mapping[str, Any]
_Known = TypeVar("_Known", bound=Mapping[str, Any])
_Answer = TypeVar("_Answer")
_Page = TypeVar("_Page")
_Item = TypeVar("_Item")
_Transcript = TypeVar("_Transcript")


class Answer(Dict[str, Any]):
    """An object that the gateway answered. `version` is its ETag; None where it has none. See `version_of`."""

    version: Optional[str] = None


def version_of(answer: Mapping[str, object]) -> Optional[str]:
    """The version in which the gateway answered this, for `if_match`. None for what has none."""
    version: Optional[str] = getattr(answer, "version", None)
    return version


class Event(NamedTuple):
    """`id` is a cursor. What is live only, typing for example, has none."""

    type: str
    id: Optional[str]
    data: Any


class ParleyError(Exception):
    """A refused or failed request, with the members of the gateway's problem (RFC 9457). Status 0: there was no answer.

    The text of the exception names each member that is wrong.
    """

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.problem = problem
        self.status: int = problem["status"]
        self.code: str = problem.get("code", "unknown")
        self.detail: Optional[str] = problem.get("detail")
        self.errors: List[JSON] = problem.get("errors", [])
        #: In seconds.
        self.retry_after: Optional[float] = problem.get("retryAfter")
        places = "; ".join(": ".join(filter(None, (one.get("pointer"), one.get("detail") or one.get("code")))) for one in self.errors)
        title = problem.get("title") or self.code
        super().__init__(f"{title} ({places})" if places else self.detail or title)

    def __reduce__(self) -> Tuple[type, Tuple[Mapping[str, Any]]]:
        return type(self), (self.problem,)

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed later without anybody changing it."""
        if self.code == "idempotencyKeyInFlight":  # an earlier try of it still runs
            return True
        return self.status == 0 or self.status in (408, 425, 429) or self.status >= 500


_random = random.SystemRandom()


def new_id() -> str:
    """A new id for a message or a thread: a UUID of version 7 (RFC 9562), which begins with the time. Ids of about the same
    time stand beside each other in the gateway's index."""
    number = (time.time_ns() // 1_000_000) << 80 | _random.getrandbits(80)
    return str(uuid.UUID(int=number & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62))


def compare_cursors(a: str, b: str) -> Optional[int]:
    """Negative, 0 or positive, as `a` comes before, at or after `b`. None when their epochs differ."""
    (epoch, _, offset), (other, _, place) = a.rpartition("-"), b.rpartition("-")
    return int(offset) - int(place) if epoch == other and offset.isdigit() and place.isdigit() else None


def all_items(fetch: Callable[..., schemas.Page[_Item]], **query: Any) -> Iterator[_Item]:
    """All items of a list, page by page. `fetch` asks for one page: `all_items(session.search, q="order")`."""
    while True:
        page = fetch(**query)
        yield from page["items"]
        query["cursor"] = page.get("next")
        if query["cursor"] is None:
            return


# -- collections


def item_key(item: Mapping[str, Any]) -> Any:
    """What tells an item of a collection from the others. At the desk two customers may use one id."""
    channel, customer = item.get("channel"), item.get("customer")
    if not channel or not customer:
        return item["id"]
    return channel, customer["id"] if isinstance(customer, Mapping) else customer, item["id"]


def apply_collection_event(known: _Known, event: Union[Event, Mapping[str, Any]]) -> Optional[_Known]:
    """Applies one event of a collection to the list that is known: a snapshot, or what an earlier call answered.

    Nothing is compared or sorted: the event says where items go. The list that was given stays as it is; the answer is
    another list, or the same one when the event is older. None: events are missing in between, get a snapshot.
    """
    kind, data = (event.type, event.data) if isinstance(event, Event) else (event["type"], event["data"])
    if data["version"] <= known["version"]:
        return known
    if data["version"] != known["version"] + 1:
        return None
    action = kind.rpartition(".")[2]
    following: JSON = {**known, "version": data["version"]}
    if action == "clear":
        following.update(items=[], pending=[], failed=[])
    elif action in ("insert", "move", "update", "remove"):
        name = {"succeeded": "items", "pending": "pending", "failed": "failed"}[data.get("list", "succeeded")]
        following[name] = _rows_after(action, data, known.get(name, []))
    return cast("_Known", following)


def _rows_after(action: str, data: Mapping[str, Any], rows: List[JSON]) -> List[JSON]:
    items = data.get("items", [])
    if action == "update":
        changed = {item_key(item): item for item in items}
        return [changed.get(item_key(row), row) for row in rows]
    if action == "remove":
        owners = data.get("owners") or [{}] * len(data["ids"])
        leaving = {item_key({"id": id, **owner}) for id, owner in zip(data["ids"], owners)}
    else:
        leaving = {item_key(item) for item in items} if action == "move" else set()
    rows = [row for row in rows if item_key(row) not in leaving]
    if action != "remove":
        for index, item in zip(data["indices"], items):  # as after the event, ascending
            rows.insert(index, item)
    return rows


# -- event streams


class EventStreamParser:
    """Parses text/event-stream, however it is cut into pieces."""

    def __init__(self) -> None:
        #: What the last `retry:` field said, in milliseconds.
        self.retry: Optional[int] = None
        self._rest = b""
        self._after_cr = self._begun = False
        self._type = b""
        self._id: Optional[str] = None
        self._data: Optional[List[bytes]] = None

    def push(self, piece: bytes) -> List[Tuple[str, Optional[str], Optional[str]]]:
        """The events that are complete now, as (type, id, data). One without data only moves the id."""
        # A CR ends its line at once; an LF that follows belongs to it, even at the start of the next piece.
        if self._after_cr and piece:
            piece, self._after_cr = piece[piece[:1] == b"\n":], False
        lines = (self._rest + piece).splitlines(True)
        self._rest = lines.pop() if lines and lines[-1][-1:] not in (b"\n", b"\r") else b""
        if not self._rest and piece:
            self._after_cr = piece[-1:] == b"\r"
        if lines and not self._begun:
            self._begun, lines[0] = True, lines[0][3:] if lines[0].startswith(b"\xef\xbb\xbf") else lines[0]
        found = []
        for line in lines:
            line = line.rstrip(b"\r\n")
            if not line:
                if self._data is not None or self._id is not None:
                    data = None if self._data is None else b"\n".join(self._data).decode("utf-8", "replace")
                    found.append((self._type.decode("utf-8", "replace") or "message", self._id, data))
                self._type, self._id, self._data = b"", None, None
                continue
            name, _, value = line.partition(b":")
            if value[:1] == b" ":
                value = value[1:]
            if name == b"data":
                self._data = [value] if self._data is None else [*self._data, value]
            elif name == b"event":
                self._type = value
            elif name == b"id" and b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
            elif name == b"retry" and value.isdigit():
                self.retry = int(value)
        return found


class EventStream(Iterator[Event]):
    """The events of a stream, in order, each once. It resumes by itself after a break, at its place.

    It is open when it is made: what happens from then on comes. It begins with `ready`, or with what is replayed; after
    `reset`, what was known must be loaded again. It ends after `close()`, which any thread may call, and raises
    `ParleyError` when the gateway refuses it for good (401, 403, 404, ...).
    """

    #: The id up to which everything was delivered, for `after` of another stream.
    cursor: Optional[str]

    def __init__(
        self, parley: Parley, path: str, query: Query, *, after: Optional[str] = None, silence: float = 40.0,
        most: float = 15.0, on_state: Optional[Callable[[str, Optional[ParleyError]], object]] = None,
    ) -> None:
        """`silence`: seconds without a byte after which a connection counts as dead; the gateway pings every 15.
        `most`: the longest pause between two tries, in seconds. `on_state` is told "connecting", "live" and "waiting"."""
        self.cursor = after
        self._parley, self._path, self._query, self._silence, self._most = parley, path, query, silence, most
        self._tell = on_state or (lambda state, problem: None)
        self._retry = 2.0
        self._closed = threading.Event()
        self._link: Optional[socket.socket] = None
        self._events = self._follow()
        self._first = next(self._events, None)

    def __iter__(self) -> EventStream:
        return self

    def __next__(self) -> Event:
        event, self._first = self._first, None
        if event is None:
            event = next(self._events)
        if event.id is not None:
            self.cursor = event.id
        return event

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it, also while another thread waits for its next event."""
        self._closed.set()
        self._first = None
        link = self._link  # the reader may take it away meanwhile
        if link:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended already

    def _follow(self) -> Iterator[Event]:
        failures, place = 0, self.cursor
        while not self._closed.is_set():
            problem: Optional[ParleyError] = None
            self._tell("connecting", None)
            try:
                for event, place in self._answer(place):
                    failures = 0
                    if event:
                        yield event
                    if self._closed.is_set():
                        return
            except (OSError, http.client.HTTPException) as error:
                problem = _unreachable(error)
            except ParleyError as error:
                problem = error
                if not error.temporary and not self._closed.is_set():
                    raise
            if self._closed.is_set():
                return
            failures += 1
            self._tell("waiting", problem)
            pause = self._parley.back_off(self._retry, failures, self._most, problem)
            (self._parley.pause or self._closed.wait)(pause)

    def _answer(self, place: Optional[str]) -> Iterator[Tuple[Optional[Event], Optional[str]]]:
        """The news of one connection, each with the place after it."""
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": place} if place else {})}
        connection, prefix, credentials = self._parley._connect(self._silence)
        response: Optional[http.client.HTTPResponse] = None
        try:
            connection.request("GET", prefix + _target(self._path, self._query), headers={**headers, **credentials})
            self._link = connection.sock
            if self._closed.is_set():
                return
            response = connection.getresponse()  # which takes the socket over
            if response.status != 200:
                raise _refusal(response.status, response.reason, response.headers.get("Retry-After"), response.read())
            if response.headers.get_content_type() != "text/event-stream":
                raise ParleyError({"code": "notAStream", "status": 0, "detail": "The answer is not an event stream."})
            self._tell("live", None)
            parser, begin = EventStreamParser(), place
            while True:
                piece = response.read1(65536)
                if not piece:
                    return
                for kind, id, data in parser.push(piece):
                    if begin and id and kind not in ("ready", "reset", "ping"):
                        distance = compare_cursors(id, begin)
                        if distance is not None and distance <= 0:
                            continue  # it was delivered before the break
                        begin = None  # so are all that follow: ids only grow
                    place = id or place
                    yield (None if data is None else Event(kind, id, _decoded(data))), place
                self._retry = self._retry if parser.retry is None else parser.retry / 1000
        finally:
            self._link = None
            if response:
                response.close()
            connection.close()


# -- requests


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _unreachable(cause: BaseException) -> ParleyError:
    late = isinstance(cause, socket.timeout)
    error = ParleyError({
        "code": "timeout" if late else "unreachable", "status": 0,
        "detail": f"The gateway did not answer{' in time' if late else f': {cause}'}."})
    error.__cause__ = cause
    return error


def _refusal(status: int, reason: str, retry_after: Optional[str], body: bytes) -> ParleyError:
    """The problem of an answer, also when something between us and the gateway answered."""
    problem = _decoded(body.decode("utf-8", "replace"))
    wait = {"retryAfter": int(retry_after)} if retry_after and retry_after.isdigit() else {}
    if not isinstance(problem, dict):
        problem = {"detail": f"{status} {reason}".strip()}
    return ParleyError({"code": "unknown", **wait, **problem, "status": status})


def _decoded(text: str) -> Any:
    """The value of a text, or the text itself where it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _value(text: bytes) -> Any:
    """The value of an answer. Something between us and the gateway may have answered with a page instead."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise ParleyError({"code": "notJSON", "status": 0, "detail": "The answer is not JSON."}) from error


def _path(*parts: str) -> str:
    # Proxies and servers take these for steps of the path, in any encoding. No id is one of them.
    for part in parts:
        if part in (".", ".."):
            raise ValueError(f"{part} is no id")
    return "".join(f"/{urllib.parse.quote(part, safe='')}" for part in parts)


def _target(path: str, query: Query) -> str:
    """A path with its query. None is left out; sessions, holders and members are repeated, other lists are joined by commas."""
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        values = value if isinstance(value, (list, tuple, set)) else [value]
        texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in values if one is not None]
        if texts:
            texts = texts if name in ("session", "holder", "member") else [",".join(texts)]
            pairs += [(name.rstrip("_"), text) for text in texts]
    return path + (f"?{urllib.parse.urlencode(pairs)}" if pairs else "")


def _line(path: str) -> Optional[str]:
    """The first line of a file; None where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().strip() or None
    except OSError:
        return None


class Parley:
    """The gateway."""

    def __init__(
        self, address: Optional[str] = None, token: Optional[str] = None, *, data: Optional[str] = None,
        timeout: float = 30.0, tries: int = 5, delay: float = 0.5, pause: Optional[Callable[[float], object]] = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`address`: "http://HOST:PORT" or "unix:PATH". Without it the first of these counts: PARLEY_GATEWAY; the file
        `address` or `socket` of the data folder (`data`, PARLEY_DATA, or the usual one); the socket of this user or of
        the machine. It is looked up with each connection, for a gateway that comes back may have another one.
        `token`: without it PARLEY_TOKEN, or the data folder's for the gateway of that folder.

        `timeout`: seconds that one request may be silent. `tries`, `delay`: how often a request is made, and the first
        pause between two, in seconds; it doubles each time and is multiplied by a random 0.5 to 1.5. `pause` waits so
        many seconds, and `jitter` answers a number from 0 to 1: tests replace them."""
        self.timeout, self.tries, self.delay = timeout, tries, delay
        self.pause, self._jitter = pause, jitter
        self._given = address, token, data
        self._idle: collections.deque[Tuple[Tuple[str, Optional[str]], http.client.HTTPConnection]] = collections.deque()
        self.sessions = Sessions(self, "/v1/sessions")
        self.desk = Desk(self)
        self.webhooks = Webhooks(self, "/v1/webhooks")

    def __enter__(self) -> Parley:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept for the next requests; those open new ones. Streams end by their own
        `close`."""
        try:
            while True:
                self._idle.pop()[1].close()
        except IndexError:
            pass  # all of them

    def session(self, id: str) -> Session:
        return Session(self, id)

    def webhook(self, id: str) -> Webhook:
        return Webhook(self, "/v1/webhooks" + _path(id))

    def info(self) -> schemas.Info:
        return self._object("GET", "/v1/info")

    def push(self) -> schemas.Push:
        """What clients need to be pushed to."""
        return self._object("GET", "/v1/push")

    def services(self) -> schemas.ServiceList:
        return self._object("GET", "/v1/services")

    def channel(self, service: str, channel: str) -> schemas.Channel:
        return self._object("GET", "/v1/services" + _path(service) + "/channels" + _path(channel))

    def events(
        self, *, sessions: Iterable[str] = (), desk: bool = False, all: bool = False, types: Iterable[str] = (),
        collections: Union[bool, Iterable[str]] = (), holders: Iterable[str] = (), **options: Any,
    ) -> EventStream:
        """What happens to these sessions, at the desk, or to all: see `EventStream`, which takes the options."""
        shown = "true" if collections is True else list(collections or ())
        query = {**_feed(sessions, desk, all, types), "collections": shown, "holder": list(holders)}
        return EventStream(self, "/v1/events", query, **options)

    def stream(self, path: str, query: Query = {}, **options: Any) -> EventStream:
        """Any event stream of the gateway: see `EventStream`, which takes the options."""
        return EventStream(self, path, query, **options)

    def event_page(
        self, *, sessions: Iterable[str] = (), desk: bool = False, all: bool = False, types: Iterable[str] = (),
        wait: float = 0, **place: Any,
    ) -> schemas.EventPage:
        """One page of the same events. At most one of `after`, `earliest`, `since` and `last` says where it begins, and
        its `cursor` is where to go on. It ends before the events of the time `until`. With `wait` a page that would be empty waits so many seconds for an event."""
        query = {**_feed(sessions, desk, all, types), **place, "wait": wait or None}
        return self._object("GET", "/v1/events", query=query, wait=wait)

    def request(
        self, method: str, path: str, *, query: Query = {}, body: Any = None, key: Optional[str] = None,
        if_match: Optional[str] = "*", wait: float = 0, tries: Optional[int] = None,
    ) -> Any:
        """Any request; the decoded answer, or None where it is empty. With `if_match`, the `version` of an answer, it
        happens only while that is the newest, and is made once; None, of an answer without a version, is a TypeError,
        for else the change would be made over any other. `wait`: seconds that the gateway may take longer."""
        if if_match is None:
            raise TypeError("if_match is None: the answer that it is of had no version")
        headers = {"Accept": "application/json"}  # a feed of events is a page then, not a stream
        data = None
        if body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        if if_match != "*":
            headers["If-Match"], tries = if_match, 1
        version, text = self._repeat(method, _target(path, query), headers, lambda: data, key, tries, self.timeout + wait)
        answer = _value(text) if text else None
        if isinstance(answer, dict):
            answer = Answer(answer)
            answer.version = version
        return answer

    def _object(self, method: str, path: str, **more: Any) -> _Answer:  # type: ignore[type-var]
        answer: _Answer = self.request(method, path, **more)
        return answer

    def back_off(self, base: float, attempt: int, most: float, problem: Optional[ParleyError]) -> float:
        """The seconds before the next try: at least as many as the gateway asks for."""
        pause = min(most, base * 2.0 ** min(attempt - 1, 30)) * (0.5 + self._jitter())
        return max(pause, problem.retry_after if problem and problem.retry_after else 0.0)

    def _repeat(
        self, method: str, target: str, headers: Mapping[str, str], body: Callable[[], Any], key: Optional[str],
        tries: Optional[int], timeout: float, sink: Optional[Callable[[], BinaryIO]] = None,
    ) -> Tuple[Optional[str], bytes]:
        """Makes a request until it succeeds, fails for good, or has no tries left; the answer's ETag and body. `body` and
        `sink` begin anew each time."""
        if method == "POST":
            headers = {**headers, "Idempotency-Key": key or new_id()}
        attempt, uncertain = 1, False
        while True:
            try:
                return self._exchange(method, target, headers, body, timeout, sink)
            except ParleyError as error:
                if error.status == 404 and method == "DELETE" and uncertain:
                    return None, b""  # an earlier try was carried out, and its answer lost
                if not error.temporary or attempt >= (tries or self.tries):
                    raise
                uncertain = uncertain or error.status == 0
                (self.pause or time.sleep)(self.back_off(self.delay, attempt, 15.0, error))
            attempt += 1

    def _exchange(
        self, method: str, target: str, headers: Mapping[str, str], body: Callable[[], Any], timeout: float,
        sink: Optional[Callable[[], BinaryIO]],
    ) -> Tuple[Optional[str], bytes]:
        while True:
            place = self._find()
            # A kept connection may turn out closed, and the request is made again: not what may happen once only.
            kept = None if method in ("DELETE", "PATCH") else self._idle_connection(place, timeout)
            connection, prefix, credentials = kept or self._connect(timeout, place)
            reused = kept is not None
            try:
                try:
                    connection.request(method, prefix + target, body=body(), headers={**headers, **credentials})
                except (BrokenPipeError, ConnectionResetError):
                    if reused or connection.sock is None:
                        raise
                    # A body may be refused before it has been read: the answer is there.
                response = connection.getresponse()
                data = b""
                if sink and response.status < 300:
                    with sink() as file:
                        for piece in iter(lambda: response.read(1 << 18), b""):
                            file.write(piece)
                    if response.length:
                        raise http.client.IncompleteRead(b"", response.length)
                else:
                    data = response.read()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
                connection.close()
                if reused:
                    continue  # it was closed while it was idle
                raise _unreachable(error) from error
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                raise _unreachable(error) from error
            except BaseException:
                connection.close()
                raise
            if response.will_close or len(self._idle) >= 8:
                connection.close()
            else:
                self._idle.append((place, connection))
            if response.status >= 300:
                raise _refusal(response.status, response.reason, response.headers.get("Retry-After"), data)
            return response.headers.get("ETag"), data

    def _idle_connection(
        self, place: Tuple[str, Optional[str]], timeout: float
    ) -> Optional[Tuple[http.client.HTTPConnection, str, Dict[str, str]]]:
        while self._idle:
            try:
                known, connection = self._idle.pop()
            except IndexError:  # another thread was quicker
                return None
            if known == place and connection.sock:
                connection.sock.settimeout(timeout)
                return connection, _prefix(place[0]), _credentials(place[1])
            connection.close()
        return None

    def _connect(
        self, timeout: float, place: Optional[Tuple[str, Optional[str]]] = None
    ) -> Tuple[http.client.HTTPConnection, str, Dict[str, str]]:
        """A connection that is not open yet, what stands before each path, and the headers that say who asks."""
        address, token = place or self._find()
        if address.startswith("unix:"):
            connection: http.client.HTTPConnection = _UnixConnection(address[5:], timeout)
        else:
            parts = urllib.parse.urlsplit(address)
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            connection = kind(parts.hostname or "", parts.port, timeout=timeout)
        return connection, _prefix(address), _credentials(token)

    def _find(self) -> Tuple[str, Optional[str]]:
        """The address and the token, as the command line finds them."""
        given, token, data = self._given
        folder = data or os.environ.get("PARLEY_DATA")
        is_named = bool(folder)
        if not folder:
            base = os.environ.get("XDG_DATA_HOME", "")
            folder = os.path.join(base if base.startswith("/") else os.path.expanduser("~/.local/share"), "parley")
        own = _line(os.path.join(folder, "address"))
        if not own:
            path = _line(os.path.join(folder, "socket"))
            own = f"unix:{path}" if path else None
        if data:  # what the program says goes before what its environment says
            address = given or own
        else:
            address = given or os.environ.get("PARLEY_GATEWAY") or own
            token = token or os.environ.get("PARLEY_TOKEN")
        if not token and address and (is_named or address.rstrip("/") == own):
            token = _line(os.path.join(folder, "token"))
        if not address and not is_named:
            sockets = [os.environ.get("XDG_RUNTIME_DIR", "") + "/parley.sock", "/run/parley.sock"]
            address = next((f"unix:{path}" for path in sockets if os.path.exists(path)), None)
        if not address:
            raise ParleyError({
                "code": "noGateway", "status": 0,
                "detail": f"No gateway is running: there is no {folder}/address. Start one, or say Parley(\"http://...\")."})
        if not address.startswith(("http://", "https://", "unix:")):
            raise ValueError(f"an address is http://HOST:PORT or unix:PATH, not {address!r}")
        return address.rstrip("/"), token


def _prefix(address: str) -> str:
    return "" if address.startswith("unix:") else urllib.parse.urlsplit(address).path.rstrip("/")


def _credentials(token: Optional[str]) -> Dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _feed(sessions: Iterable[str], desk: bool, all: bool, types: Iterable[str]) -> JSON:
    return {"session": list(sessions), "desk": desk or None, "all": all or None, "types": list(types)}


# -- handles


class _Handle:
    """Something with a path. `owner` goes along with every request, its `as` only with what changes something."""

    def __init__(self, parley: Parley, base: str, owner: Query = {}) -> None:
        self._parley, self._base, self._owner = parley, base, owner

    def _call(
        self, method: str, action: str = "", body: Any = None, query: Query = {}, key: Optional[str] = None,
        if_match: Optional[str] = "*",
    ) -> _Answer:  # type: ignore[type-var]
        return self._parley._object(
            method, self._base + action, query={**self._which(method), **query}, body=body, key=key, if_match=if_match)

    def _which(self, method: str) -> Query:
        return {name: value for name, value in self._owner.items() if name != "as" or method != "GET"}


class _One(_Handle, Generic[_Answer]):
    def get(self) -> _Answer:
        return self._call("GET")


class _List(_Handle, Generic[_Page, _Item]):
    """`list` answers one page: `items`, `next` where there is more, and the `cursor` from which to follow the events."""

    def list(self, **query: Any) -> _Page:
        return self._call("GET", query=query)

    def all(self, **query: Any) -> Iterator[_Item]:
        """All of them, page by page."""
        return all_items(cast("Callable[..., schemas.Page[_Item]]", self.list), **query)


class _Making(_List[_Page, _Item]):
    def create(self, *, key: Optional[str] = None, **body: Any) -> _Item:
        """The members of what is made are keywords. With a `key` of one's own it is made once, however often one asks."""
        return self._call("POST", body=body, key=key)


class _Shelf(_List[_Page, _Item]):
    """Entries that have no handles."""

    def get(self, id: str) -> _Item:
        return self._call("GET", _path(id))

    def remove(self, id: str) -> None:
        self._call("DELETE", _path(id))


class _Side(_Handle):
    """What a session and the desk have in common."""

    def __init__(self, parley: Parley, base: str) -> None:
        super().__init__(parley, base)
        self.collections = Collections(parley, base + "/collections")
        self.attachments = Attachments(parley, base + "/attachments")

    def collection(self, id: str) -> Collection:
        return Collection(self._parley, self._base + "/collections" + _path(id))

    def tickets(self, *paths: str) -> schemas.TicketList:
        """Addresses of files and transcripts that open without a header, for ten minutes: for pictures and links."""
        return self._call("POST", "/tickets", body={"paths": paths})

    def search(self, q: str, **query: Any) -> schemas.SearchList:
        """One page of the messages of all threads with these words, newest first: words, "phrases", prefix*."""
        return self._call("GET", "/search", query={"q": q, **query})


class Sessions(_Making["schemas.SessionList", "schemas.Session"]):
    """Oldest first; a page may be short and have a `next`. The answer of `create` has the `token`, which no later one
    shows."""

    def delete_all(self, **query: Any) -> schemas.SessionDeletion:
        """Signs out those that the query names, a page at a time."""
        return self._call("DELETE", query=query)


class Session(_Side, _One["schemas.Session"]):
    def __init__(self, parley: Parley, id: str) -> None:
        super().__init__(parley, "/v1/sessions" + _path(id))
        self.id = id
        self.threads: Threads[schemas.ThreadList, schemas.ChatThread] = Threads(parley, self._base + "/threads")
        self.customer = Customer(parley, self._base + "/customer")
        self.device = SessionDevice(parley, self._base + "/device")
        self.viewing = Viewing(parley, self._base + "/viewing")

    def thread(self, id: str) -> SessionThread:
        return SessionThread(self._parley, self._base + "/threads" + _path(id), id)

    def events(self, **options: Any) -> EventStream:
        """What happens to this session: see `Parley.events`."""
        return self._parley.events(sessions=[self.id], **options)

    def delete(self) -> None:
        """Signs out; the session's streams end."""
        self._call("DELETE")

    def connect(self) -> schemas.Session:
        return self._call("POST", "/connect")

    def disconnect(self) -> schemas.Session:
        return self._call("POST", "/disconnect")

    def sync(self, state: str) -> schemas.Session:
        """Pauses ("paused") or resumes ("running") the background synchronization of a remote service."""
        return self._call("POST", "/sync", {"state": state})

    def clear_cache(self) -> None:
        """Forgets what is cached of a remote service."""
        self._call("POST", "/clearCache")

    def unread(self) -> schemas.UnreadTotal:
        """What the customer has not read, in all."""
        return self._call("GET", "/unread")

    def record_activity(self, **body: Any) -> None:
        """Tells a service with analytics what the customer does."""
        self._call("POST", "/analytics", body)

    def execute_trigger(self, trigger: str) -> None:
        """Has the service do what it has prepared under this id."""
        self._call("POST", "/triggers" + _path(trigger))

    def menu(self) -> schemas.Menu:
        """What the customer may choose from at any time: a message with an entry's label as text, and its postback."""
        return self._call("GET", "/menu")

    def leave_offline_message(self, **body: Any) -> None:
        """Leaves a message for agents who are away, while a live chat's channel is offline."""
        self._call("POST", "/offlineMessages", body)


class _Fields(_Handle):
    def custom_fields(self) -> schemas.CustomFields:
        return self._call("GET", "/customFields")

    def set_custom_fields(
        self, fields: Mapping[str, str], *, if_match: Optional[str] = "*"
    ) -> schemas.CustomFields:
        """Merges these into the fields that there are."""
        return self._call("PUT", "/customFields", {"customFields": dict(fields)}, if_match=if_match)


class Customer(_One["schemas.Customer"], _Fields):
    def set(self, *, if_match: Optional[str] = "*", **body: Any) -> schemas.Customer:
        return self._call("PUT", body=body, if_match=if_match)

    def erase(self) -> None:
        """Erases all that is kept of the customer on the channel, for ever, and ends the session."""
        self._call("DELETE")


class Device(_One["schemas.Device"]):
    """A device that is told of messages."""

    def delete(self) -> None:
        self._call("DELETE")

    def test(self) -> schemas.DeviceDelivery:
        """Sends one push now, and says what came of it."""
        return self._call("POST", "/test")

    def deliveries(self, **query: Any) -> schemas.DeviceDeliveryList:
        """One page, the newest first."""
        return self._call("GET", "/deliveries", query=query)


class SessionDevice(Device):
    def set(self, **body: Any) -> schemas.Device:
        """Registers it, in place of one that there is."""
        return self._call("PUT", body=body)


class Viewing(_One["schemas.Viewing"]):
    """Which threads are on screens: messages in others come as `notification`."""

    def set(self, **body: Any) -> None:
        self._call("PUT", body=body)

    def delete(self, *, holders: Iterable[str] = ()) -> None:
        """No screen any more; with holders only their screens end."""
        self._call("DELETE", query={"holder": list(holders)})


class Threads(_Making[_Page, _Item]):
    """Latest activity first."""


class _Thread(_One[_Answer], Generic[_Answer, _Transcript]):
    """One thread, as far as it is the same on both sides."""

    def __init__(self, parley: Parley, base: str, id: str, owner: Query = {}) -> None:
        super().__init__(parley, base, owner)
        self.id = id
        self.messages = Messages(parley, base + "/messages", owner)

    def message(self, id: str) -> MessageHandle:
        return MessageHandle(self._parley, self._base + "/messages" + _path(id), self._owner)

    def update(self, *, if_match: Optional[str] = "*", **patch: Any) -> _Answer:
        """A name that is None is taken away."""
        return self._call("PATCH", body=patch, if_match=if_match)

    def read(self) -> None:
        """Everything up to now counts as read."""
        self._call("POST", "/read")

    def reset_history(self) -> None:
        """Takes what was said out of sight; at the desk for all."""
        self._call("POST", "/resetHistory")

    def transcript(self) -> _Transcript:
        """The thread and all that was said, oldest first."""
        return self._call("GET", "/transcript")

    def transcript_file(self, form: str = "text", *, utc_offset: Optional[str] = None) -> bytes:
        """The same as a file: "text", "html" or "json". `utc_offset`: of the clocks whose times it shows, as +02:00."""
        target = _target(self._base + "/transcript", {**self._which("GET"), "format": form, "utcOffset": utc_offset})
        return self._parley._repeat("GET", target, {}, lambda: None, None, None, self._parley.timeout)[1]

    def typing(self, is_typing: bool = True, **body: Any) -> None:
        self._call("POST", "/typing", {"isTyping": is_typing, **body})


class SessionThread(_Thread["schemas.ChatThread", "schemas.Transcript"], _Fields):
    """A customer's thread."""

    def message(self, id: str) -> SessionMessage:
        return SessionMessage(self._parley, self._base + "/messages" + _path(id), self._owner)

    def archive(self, *, if_match: Optional[str] = "*") -> schemas.ChatThread:
        return self._call("POST", "/archive", if_match=if_match)

    def load(self) -> schemas.ChatThread:
        """Fetches its recent messages from the service."""
        return self._call("POST", "/load")

    def end(self, *, if_match: Optional[str] = "*") -> schemas.ChatThread:
        """Ends a live chat."""
        return self._call("POST", "/end", if_match=if_match)

    def send_transcript(self, email: str) -> None:
        """Has the platform mail what was said, where it can."""
        self._call("POST", "/transcript", {"email": email})

    def answer_inactivity(self, answer: str) -> schemas.ChatThread:
        """Answers a live chat's question whether one is still there: "refresh" or "expire"."""
        return self._call("POST", "/inactivity", {"answer": answer})

    def rate(self, score: int, comment: str | None = None) -> schemas.ChatThread:
        """Rates a conversation that has ended, where the channel asks for it: from 1, bad, to 5, very good."""
        return self._call("PUT", "/rating", {"score": score} | ({} if comment is None else {"comment": comment}))

    def withdraw_rating(self) -> schemas.ChatThread:
        """Withdraws the rating."""
        return self._call("DELETE", "/rating")

    def join(self) -> schemas.ChatThread:
        """Accepts an invitation."""
        return self._call("POST", "/join")

    def leave(self) -> None:
        """The thread is gone for this customer."""
        self._call("POST", "/leave")

    def hide(self) -> schemas.ChatThread:
        """Out of the list, until the next message or `unhide`."""
        return self._call("POST", "/hide")

    def unhide(self) -> schemas.ChatThread:
        return self._call("POST", "/unhide")


class DeskThread(_Thread["schemas.DeskThread", "schemas.DeskTranscript"]):
    """A thread as the agents see it."""

    def __init__(self, parley: Parley, base: str, id: str, owner: Query = {}) -> None:
        super().__init__(parley, base, id, owner)
        self.notes = Notes(parley, base + "/notes", owner)

    def remove(self, *, if_match: Optional[str] = "*") -> None:
        """Removes the thread for good, with all that was said."""
        self._call("DELETE", if_match=if_match)

    def add_members(self, members: List[JSON]) -> schemas.DeskThread:
        """Brings customers of the channel in, or invites them."""
        return self._call("POST", "/members", {"members": members})

    def remove_member(self, member: str) -> None:
        self._call("DELETE", "/members" + _path(member))

    def assign(
        self, agent: JSON, *, if_agent: Optional[str] = None, if_match: Optional[str] = "*"
    ) -> schemas.DeskThread:
        """`if_agent`: only if the thread is nobody's ("none"), the agent's own ("me"), or one of both
        ("meOrNone")."""
        body = {"agent": agent, **({"ifAgent": if_agent} if if_agent else {})}
        return self._call("POST", "/assign", body, if_match=if_match)

    def close(self, *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        return self._call("POST", "/close", if_match=if_match)

    def release(self, *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Takes its agent away; a live chat waits again."""
        return self._call("POST", "/release", if_match=if_match)

    def reopen(self, *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Opens a closed one again; a live chat stays closed."""
        return self._call("POST", "/reopen", if_match=if_match)

    def snooze(self, until: str, *, wake_on_reply: bool = True, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Lays it aside until a time."""
        return self._call("PUT", "/snooze", {"until": until, "wakeOnReply": wake_on_reply}, if_match=if_match)

    def wake(self, *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Ends a snooze."""
        return self._call("DELETE", "/snooze", if_match=if_match)

    def set_tags(self, tags: List[str], *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Gives it these tags, by their ids, in place of those that it has."""
        return self._call("PUT", "/tags", {"tags": tags}, if_match=if_match)

    def end_contact(self, *, if_match: Optional[str] = "*") -> schemas.DeskThread:
        """Ends its contact: a live chat closes, another thread stays open."""
        return self._call("POST", "/endContact", if_match=if_match)


class Notes(_Shelf["schemas.NoteList", "schemas.Note"]):
    """What agents note about one thread, for one another. No customer sees a note. Newest first."""

    def add(self, *, key: Optional[str] = None, **body: Any) -> schemas.Note:
        return self._call("POST", body=body, key=key)


class Messages(_List["schemas.MessageList", "schemas.Message"]):
    """The messages of one thread, newest first."""

    def send(self, *, key: Optional[str] = None, **body: Any) -> schemas.Message:
        return self._call("POST", body={"id": new_id(), **body}, key=key)

    def search(self, q: str, **query: Any) -> schemas.SearchList:
        """One page of those that contain these words."""
        return self._call("GET", query={"q": q, **query})


class MessageHandle(_One["schemas.Message"]):
    def edit(self, text: str, *, if_match: Optional[str] = "*") -> schemas.Message:
        return self._call("PATCH", body={"text": text}, if_match=if_match)

    def delete(self, *, if_match: Optional[str] = "*") -> None:
        self._call("DELETE", if_match=if_match)

    def replies(self, **query: Any) -> schemas.ReplyList:
        """The replies to it, ascending, around a starting point: `from_`, in milliseconds since 1970 or RFC 3339."""
        return self._call("GET", "/replies", query=query)

    def reply(self, *, key: Optional[str] = None, **body: Any) -> schemas.Message:
        return self._call("POST", "/replies", {"id": new_id(), **body}, key=key)


class SessionMessage(MessageHandle):
    def resend(self) -> schemas.Message:
        """Tries a message that failed again."""
        return self._call("POST", "/resend")


class Collections(_List["schemas.CollectionList", "schemas.CollectionSummary"]):
    """Live, ordered windows on threads or messages, without what they show."""

    def create(self, *, key: Optional[str] = None, **definition: Any) -> schemas.Collection:
        """Empty at first: `fetch` delivers its first page."""
        return self._call("POST", body=definition, key=key)


class Collection(_One["schemas.Collection"]):
    def delete(self) -> None:
        self._call("DELETE")

    def fetch(self, direction: str) -> schemas.FetchResult:
        """Asks for more at one end: "previous" or "next"."""
        return self._call("POST", "/fetch", {"direction": direction})

    def set_viewpoint(self, viewpoint: Union[str, int, None] = None) -> None:
        """Begins anew around another time; without one at the newest."""
        self._call("POST", "/viewpoint", {} if viewpoint is None else {"viewpoint": viewpoint})

    def follow(self, **options: Any) -> Iterator[Tuple[schemas.Collection, Optional[Event]]]:
        """The list after each of its events, with the event; without one where it is a snapshot, as at the beginning."""
        known = self.get()
        yield known, None
        with EventStream(self._parley, self._base + "/events", {"version": known["version"]}, **options) as events:
            for event in events:
                if event.type != "reset" and not event.type.startswith("collection."):
                    continue
                following = None if event.type == "reset" else apply_collection_event(known, event)
                if following is not known:
                    known = self.get() if following is None else following
                    yield known, None if following is None else event


class Attachments(_Handle):
    """Files that messages carry."""

    def upload(
        self, content: Union[bytes, str, os.PathLike[str]], *, name: Optional[str] = None, type: Optional[str] = None,
        key: Optional[str] = None,
    ) -> schemas.Attachment:
        """Sends bytes, or the file at a path; `messages.send(attachments=[{"id": ...}])` takes the answer's id."""
        name = name or ("file" if isinstance(content, bytes) else os.path.basename(os.fspath(content)))
        headers = {
            "Accept": "application/json",
            "Content-Type": type or mimetypes.guess_type(name)[0] or "application/octet-stream",
            "Content-Disposition": f"attachment; filename*=UTF-8''{urllib.parse.quote(name, safe='')}",
            "Content-Length": str(len(content) if isinstance(content, bytes) else os.stat(content).st_size),
        }
        target = _target(self._base, self._owner)
        if isinstance(content, bytes):
            text = self._parley._repeat("POST", target, headers, lambda: content, key, None, self._parley.timeout)[1]
        else:
            with open(content, "rb") as file:
                begin = lambda: (file.seek(0), file)[1]
                text = self._parley._repeat("POST", target, headers, begin, key, None, self._parley.timeout)[1]
        return cast("schemas.Attachment", Answer(_value(text)))

    def url(self, id: str) -> str:
        """Where its content is; the token is needed there."""
        address, _ = self._parley._find()
        return address + self._base + _path(id)

    def download(self, id: str) -> bytes:
        """Its content."""
        return self._fetch(id, None)

    def save(self, id: str, path: Union[str, os.PathLike[str]]) -> None:
        """Writes its content to a file, which is there when it is complete."""
        part = f"{os.fspath(path)}.{uuid.uuid4().hex}.part"
        try:
            self._fetch(id, lambda: open(part, "wb"))
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.remove(part)
            raise

    def _fetch(self, id: str, sink: Optional[Callable[[], BinaryIO]]) -> bytes:
        target = _target(self._base + _path(id), self._owner)
        return self._parley._repeat("GET", target, {}, lambda: None, None, None, self._parley.timeout, sink)[1]


class Desk(_Side):
    """The agents' side of the embedded service."""

    def __init__(self, parley: Parley) -> None:
        super().__init__(parley, "/v1/desk")
        self.threads: Threads[schemas.DeskThreadList, schemas.DeskThread] = Threads(parley, "/v1/desk/threads")
        self.agents: _List[schemas.AgentList, schemas.Agent] = _List(parley, "/v1/desk/agents")
        self.answers = KeptAnswers(parley, "/v1/desk/answers")
        self.channels: _Making[schemas.ChannelList, schemas.Channel] = _Making(parley, "/v1/desk/channels")
        self.devices = DeskDevices(parley, "/v1/desk/devices")
        self.customers = DeskCustomers(parley, "/v1/desk/customers")
        self.presence = DeskPresence(parley, "/v1/desk/presence")
        self.tags = DeskTags(parley, "/v1/desk/tags")

    def thread(
        self, id: str, *, channel: Optional[str] = None, customer: Optional[str] = None, agent: Optional[str] = None
    ) -> DeskThread:
        """`channel` and `customer`: for an id that several customers use. `agent`: the id of who does what is done
        through this handle."""
        owner = {"channel": channel, "customer": customer, "as": agent}
        return DeskThread(self._parley, "/v1/desk/threads" + _path(id), id, owner)

    def counts(self, *, channel: Optional[List[str]] = None) -> schemas.DeskCounts:
        """How many open threads are where; with `channel` only those of these channels."""
        return self._call("GET", "/counts", query={"channel": channel})

    def report(self, **query: Any) -> schemas.Report:
        """Figures on the desk's work, by default of the last 30 days: `since`, `until`, `timeZone`, `by`, `channel`."""
        return self._call("GET", "/reports", query=query)

    def exported(self, **query: Any) -> schemas.ExportedThreadList:
        """Conversations for another place, without messages and notes: `since`, `until`, `channel`, `limit`, and as
        `cursor` the `next` of the page before."""
        return self._call("GET", "/export", query=query)

    def import_thread(
        self, conversation: JSON, *, channel: Optional[str] = None, key: Optional[str] = None
    ) -> schemas.ImportResult:
        """Adds a conversation from another place. The same again changes nothing. `channel` instead of the one in it."""
        return self._call("POST", "/import", body=conversation, query={"channel": channel}, key=key)

    def customer(self, id: str, *, channel: Optional[str] = None, agent: Optional[str] = None) -> CustomerHandle:
        """`channel` is for an id that customers of several channels have; `agent` is who does what is done through this
        handle."""
        return CustomerHandle(self._parley, "/v1/desk/customers" + _path(id), id, {"channel": channel, "as": agent})

    def channel(self, id: str) -> Channel:
        return Channel(self._parley, "/v1/desk/channels" + _path(id))

    def device(self, id: str) -> Device:
        return Device(self._parley, "/v1/desk/devices" + _path(id))

    def events(self, **options: Any) -> EventStream:
        """What happens at the desk: see `Parley.events`."""
        return self._parley.events(desk=True, **options)


class DeskPresence(_Handle):
    """Who is at the desk now."""

    def list(self) -> schemas.PresenceList:
        return self._call("GET")

    def set(
        self, state: str, *, agent: Optional[str] = None, channel: Optional[str] = None, customer: Optional[str] = None, **body: Any
    ) -> None:
        """Says that an agent is there, for a minute."""
        query = {"as": agent, "channel": channel, "customer": customer}
        self._call("PUT", query=query, body={"state": state, **body})


class DeskTags(_Shelf["schemas.DeskTagList", "schemas.DeskTag"]):
    """The words with which the desk sorts its threads, in their order."""

    def create(self, *, key: Optional[str] = None, **body: Any) -> schemas.DeskTag:
        """`key` makes it safe to repeat."""
        return self._call("POST", body=body, key=key)

    def update(self, id: str, **patch: Any) -> schemas.DeskTag:
        return self._call("PATCH", _path(id), patch)


class DeskCustomers(_List["schemas.DeskCustomerList", "schemas.DeskCustomer"]):
    """The customers of the embedded service. `list` and `all` with `q`: those whose id, e-mail address or name begins with
    it. Without a `channel` it is all of the service's."""

    def erase(self, id: str, **where: Optional[str]) -> None:
        """Erases all that is kept of a customer, for ever."""
        self._call("DELETE", _path(id), query=where)

    def export(self, id: str, path: Union[str, os.PathLike[str]], *, notes: bool = False, **where: Optional[str]) -> None:
        """Writes all that is kept of a customer to a file, as lines of JSON; the last one is of the kind "end"."""
        target = _target(self._base + _path(id) + "/export", {**where, "notes": notes})
        self._parley._repeat(
            "GET", target, {}, lambda: None, None, None, self._parley.timeout, lambda: open(path, "wb"))


class CustomerHandle(_One["schemas.DeskCustomerDetails"]):
    """What the desk knows of one customer."""

    def __init__(self, parley: Parley, base: str, id: str, owner: Query) -> None:
        super().__init__(parley, base, owner)
        self.id = id
        self.notes = CustomerNotes(parley, base + "/notes", owner)

    def update(self, **patch: Any) -> schemas.DeskCustomerDetails:
        """Members that are None are taken away."""
        return self._call("PATCH", body=patch)


class CustomerNotes(_Shelf["schemas.CustomerNoteList", "schemas.CustomerNote"]):
    """What agents note about one customer, for one another. No customer sees a note. Newest first."""

    def add(self, *, key: Optional[str] = None, **body: Any) -> schemas.CustomerNote:
        return self._call("POST", body=body, key=key)


class KeptAnswers(_Shelf["schemas.CannedAnswerList", "schemas.CannedAnswer"]):
    """The answers that agents keep for all of them, by name."""

    def keep(self, *, key: Optional[str] = None, **body: Any) -> schemas.CannedAnswer:
        """The answer that has this name gets the text."""
        return self._call("POST", body=body, key=key)


class Channel(_One["schemas.Channel"]):
    """One channel of the embedded service."""

    def update(self, **patch: Any) -> schemas.Channel:
        """Members that are None are taken away."""
        return self._call("PATCH", body=patch)

    def set_availability(self, is_online: bool) -> schemas.Channel:
        """Whether new live chats can begin."""
        return self._call("PUT", "/availability", {"isOnline": is_online})


class DeskDevices(_Making["schemas.DeskDeviceList", "schemas.Device"]):
    """The browsers of agents that are told of what customers write. Oldest first. `create` with a subscription that is
    known changes its device."""


class Webhooks(_Making["schemas.WebhookList", "schemas.Webhook"]):
    """The URLs to which the gateway sends events. Oldest first. The answer of `create` has the secret, which no later one
    but that of `rotate` shows."""


class Webhook(_One["schemas.Webhook"]):
    def update(self, *, if_match: Optional[str] = "*", **patch: Any) -> schemas.Webhook:
        """None takes a member back to its default."""
        return self._call("PATCH", body=patch, if_match=if_match)

    def delete(self) -> None:
        self._call("DELETE")

    def test(self) -> schemas.Delivery:
        """Sends a `webhook.test` now; answers when the receiver has, or has not in time."""
        return self._call("POST", "/test")

    def pause(self) -> schemas.Webhook:
        """Sends nothing until `resume`."""
        return self._call("POST", "/pause")

    def resume(self) -> schemas.Webhook:
        """Goes on from where it stopped."""
        return self._call("POST", "/resume")

    def rotate(self, **body: Any) -> schemas.Webhook:
        """Gives it a new secret; the old one signs too for `graceSeconds`."""
        return self._call("POST", "/rotate", body or None)

    def replay(self, **place: Any) -> schemas.Webhook:
        """Sends again what the log has: `after` a cursor or `since` a time."""
        return self._call("POST", "/replay", place)

    def deliveries(self, **query: Any) -> schemas.DeliveryList:
        """One page, the newest event first."""
        return self._call("GET", "/deliveries", query=query)

    def delivery(self, id: str) -> schemas.Delivery:
        return self._call("GET", "/deliveries" + _path(id))

    def redeliver(self, id: str) -> schemas.Delivery:
        """Sends one delivery again, at once."""
        return self._call("POST", "/deliveries" + _path(id) + "/redeliver")

    def redeliver_dead(self) -> schemas.RedeliveryCount:
        """Sends all dead deliveries again, at once."""
        return self._call("POST", "/deliveries/redeliver", {"state": "dead"})

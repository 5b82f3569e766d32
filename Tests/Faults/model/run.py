"""One run: a gateway, the model beside it, and the list of operations that is carried out on both."""

import collections
import random
import zlib

from serving import Gateway, until

from . import answers
from .answers import Mismatch, same
from .followers import Replica, quoted
from .world import LIVE, MULTI, SINGLE, Account, Refused, Session, Thread, World


class Skip(Exception):
    """There is nothing that the operation could be done to."""


#: name: (weight, function); filled by `operation`.
OPERATIONS = {}


def operation(weight):
    """Registers a function `name(run, rng)` as an operation. It takes its choices from `rng` alone."""

    def register(function):
        OPERATIONS[function.__name__] = (weight, function)
        return function

    return register


def plan(seed, count, restart_every=0):
    """The operations of a run: pairs of a name and a seed of its own, so that any of them can be left out."""
    rng = random.Random(seed)
    names = list(OPERATIONS)
    weights = [OPERATIONS[name][0] for name in names]
    steps = [(name, rng.getrandbits(48)) for name in rng.choices(names, weights, k=count)]
    if restart_every:
        for place in range(restart_every, count, restart_every):
            steps[place] = ("restart", rng.getrandbits(48))
    return steps


class Run:
    def __init__(self, customers=4, folder=None, arguments=()):
        self.world = World()
        self.customers = customers
        self.gateway = Gateway(folder, arguments)
        self.client = None
        self.desk = None
        self.replicas = []
        self.windows = []
        self.uploads = []  # (account or None, id): not sent yet
        self.keys = []
        self.cached = {}
        self.counts = collections.Counter()
        self.requests = 0

    # -- life

    def start(self):
        self.gateway.start()
        self.client = self.gateway.client()
        cursor = self.position()
        self.desk = Replica(self, None, cursor)
        self.replicas.append(self.desk)
        for channel, count in ((MULTI, self.customers), (SINGLE, 1), (LIVE, 2)):
            for number in range(count):
                account = Account(channel, f"{channel}-{number}")
                self.world.accounts.append(account)
                cursor = self.position()
                self.open_session(account)
                self.replicas.append(Replica(self, account, cursor))
        return self

    def close(self):
        for follower in self.replicas + self.windows:
            follower.close()
        if self.client:
            self.client.close()
        self.gateway.close()

    def restart(self, kill):
        """Ends the gateway and starts it again, on the same folder."""
        for follower in self.replicas + self.windows:
            follower.close()
        self.client.close()
        if kill:
            self.gateway.kill()
        else:
            same("the exit code after SIGTERM", self.gateway.stop(), 0)
        self.resume()

    def resume(self):
        self.gateway.start()
        self.client = self.gateway.client()
        for account in self.world.accounts:
            connected = [session for session in account.sessions if session.is_connected]
            if account.channel == SINGLE:
                # A session comes back when it is first asked. One that came back later would make a thread then, if the
                # one that is open now had been closed meanwhile.
                for session in connected:
                    self.call("GET", f"{session.path}/threads?limit=1", session=session)
            if connected:
                self.adopt_single(account)
        for window in self.windows:
            # The view is a new one: empty, until it is fetched.
            window.connect()
            while (name := window.step()) != "ready":
                if not name:
                    raise Mismatch(f"the stream of the collection {window.definition} ended before it was ready")
            self.fetch(window)

    # -- requests

    def call(self, method, path, body=None, session=None, headers=None, raw=None):
        """As the session, or as the desk and everybody with the gateway's token."""
        self.requests += 1
        token = session.token if session else self.gateway.token
        sent = {"Authorization": f"Bearer {token}", **(headers or {})}
        answer = self.client.call(method, path, body, sent, raw)
        if answer.status >= 500:
            raise Mismatch(f"{method} {path} {body}: {answer}")
        return answer

    def get(self, path, session=None, headers=None):
        answer = self.call("GET", path, session=session, headers=headers)
        same(f"status of GET {path} ({answer})", answer.status, 200)
        return answer

    def act(self, session, method, path, body=None, apply=None, key=None):
        """Changes state: the answer; or None where the model says that it is refused, and it was."""
        if session and not session.is_connected:
            answer = self.call(method, path, body, session)
            if not 400 <= answer.status < 500:
                raise Mismatch(f"{method} {path} of a session that is not connected: {answer}")
            return None
        try:
            found, refused = apply() if apply else None, None
        except Refused as fault:
            refused = fault
        headers = {"Idempotency-Key": key} if key else None
        answer = self.call(method, path, body, session, headers)
        if refused:
            same(
                f"status of {method} {path} {body}, to be refused ({refused}); {answer}", answer.status, refused.status
            )
            return None
        if not 200 <= answer.status < 300:
            raise Mismatch(f"{method} {path} {body} was refused: {answer}")
        if key:
            self.keys.append((key, session, method, path, body, answer))
            del self.keys[:-40]
        answer.found = found
        return answer

    def pages(self, path, session=None, missing=None):
        """All items of a list, page by page, and the first page's cursor."""
        found, cursor, next = [], None, path
        while next:
            answer = self.call("GET", next, session=session)
            if answer.status == 404 and missing is not None:
                return missing
            same(f"status of GET {next} ({answer})", answer.status, 200)
            page = answer.json
            found += page["items"]
            cursor = cursor or page["cursor"]
            next = path + ("&" if "?" in path else "?") + "cursor=" + quoted(page["next"]) if "next" in page else None
        return found, cursor

    def head(self):
        return self.get("/v1/info")["head"]

    def position(self):
        info = self.get("/v1/info").json
        return f"{info['epoch']}-{info['head']}"

    # -- what operations share

    def pick(self, rng, things):
        """One of the things: the same one as long as it is there, whatever else is.

        So an operation of a shorter list does the same.
        """
        token = rng.getrandbits(32)
        things = list(things)
        if not things:
            raise Skip
        return max(things, key=lambda thing: zlib.crc32(f"{token} {getattr(thing, 'name_of_it', thing)}".encode()))

    def session(self, rng, account):
        return self.pick(rng, account.sessions)

    def a_thread(self, rng, account):
        return self.open_first(rng, account.threads.values())

    def desk_thread(self, rng):
        return self.open_first(rng, [thread for thread in self.world.threads if thread.is_known_to_desk])

    def open_first(self, rng, threads):
        """Mostly one that is open: there are ever more that are closed."""
        is_any = rng.random() < 0.2
        return self.pick(rng, [thread for thread in threads if is_any or thread.is_open])

    @staticmethod
    def path(session, thread):
        return f"{session.path}/threads/{quoted(thread.id)}"

    @staticmethod
    def desk_path(thread, rest=""):
        owner = f"channel={thread.channel}&customer={quoted(thread.owner.customer)}"
        return f"/v1/desk/threads/{quoted(thread.id)}{rest}?{owner}"

    @staticmethod
    def key(rng, name):
        """An Idempotency-Key for one request in four."""
        return f"{name} {rng.getrandbits(64):x}" if rng.random() < 0.25 else None

    def open_session(self, account):
        answer = self.call("POST", "/v1/sessions", {"channel": account.channel, "customer": {"id": account.customer}})
        same(f"status of a new session of {account} ({answer})", answer.status, 201)
        session = Session(account, answer.json)
        account.sessions.append(session)
        self.adopt_single(account)
        return session

    def adopt_single(self, account):
        """A session on a single-thread channel makes its thread by itself when it connects."""
        if account.channel != SINGLE or account.open_thread:
            return
        path = f"{account.sessions[0].path}/threads?state=open"
        found = until(f"the thread of {account}", lambda: self.get(path)["items"])
        same(f"open threads of {account}", len(found), 1)
        thread = Thread(found[0]["id"], account, next(self.world.numbers))
        thread.created = found[0]["createdAt"]
        self.world.add_thread(thread, [(account, "joined")])
        answers.thread(found[0], thread, self.world, account)

    def fetch(self, window, direction=None):
        kind = window.definition["kind"]
        direction = direction or ("next" if kind == "threads" else "previous")
        return self.call("POST", f"{window.path}/fetch", {"direction": direction}, window.owner_session)

    # -- carrying out

    def step(self, name, seed):
        try:
            OPERATIONS[name][1](self, random.Random(seed))
            self.counts[name] += 1
        except Skip:
            self.counts["skipped"] += 1

"""Streams: what followers have put together from events is compared with what is read."""

from streams import Stream

from .answers import Mismatch, same
from .followers import PATIENCE, Replica
from .reading import all_messages, check_list, check_messages
from .run import operation


def as_seen_lately(json):
    """A message without what a watermark tells of it.

    When more than a hundred are read at once, the older ones have no event of their own.
    """
    return {name: value for name, value in json.items() if name not in ("status", "seenAt", "updatedAt")}


def nameless(json):
    """A thread without its customers' names: a thread that is not open takes a new name when it next changes."""
    json = {**json, "members": [each["id"] for each in json["members"]]}
    if "customer" in json:
        json["customer"] = json["customer"]["id"]
    return json


def check_replica(run, replica):
    """What a follower has put together from events alone is what is read."""
    account = replica.account
    session = account.sessions[0] if account else None
    path = f"{session.path}/threads?limit=1" if account else "/v1/desk/threads?limit=1"
    tag = run.get(path, session).headers["ETag"]
    replica.catch_up(int(tag.removeprefix('W/"').partition("-")[0]))
    threads = {thread.id if account else thread.key: thread for thread in run.world.listed(account)}
    same(f"threads that {replica} has", set(replica.threads), set(threads))
    return threads


def compare_replica(run, replica, key, thread, json=None):
    account = replica.account
    session = account.sessions[0] if account else None
    json = json or run.get(run.path(session, thread) if account else run.desk_path(thread), session).json
    same(f"{thread} as {replica} has it", nameless(replica.threads[key]), nameless(json))
    found = all_messages(run, thread, account, "&replies=all")[::-1]
    same(f"messages of {thread} that {replica} has", list(replica.messages[key]), [each["id"] for each in found])
    for each in found:
        mine = replica.messages[key][each["id"]]
        if thread.message(each["id"]).has_untold_seen:
            mine, each = as_seen_lately(mine), as_seen_lately(each)
        same(f"message {each['id']} of {thread} as {replica} has it", mine, each)


@operation(4)
def check_stream(run, rng):
    replica = run.pick(rng, run.replicas)
    threads = check_replica(run, replica)
    for key in rng.sample(list(threads), min(2, len(threads))):
        compare_replica(run, replica, key, threads[key])


@operation(0.3)
def late_follower(run, rng):
    """Who follows from the very beginning comes to the same as who was there all the time."""
    known = run.pick(rng, run.replicas)
    late = Replica(run, known.account, known.first)
    threads = check_replica(run, late)
    for key in list(threads)[-5:]:
        compare_replica(run, late, key, threads[key])
    late.close()


def told(run, path, start, end, session=None):
    """The logged events of a stream between two places: their offsets and names."""
    found = []
    with Stream(run.gateway, path, session and session.token, last_id=start) as stream:
        while True:
            event = stream.next(PATIENCE, ignoring=())
            if event is None:
                raise Mismatch(f"the stream {path} ended")
            if event.id and event.name not in ("ready", "ping") and event.offset <= end:
                found.append((event.offset, event.name))
            if event.id and event.offset >= end:
                return found
            if event.name == "ready":
                raise Mismatch(f"the stream {path} is ready at {event.id} and not at {end}")


@operation(0.2)
def streams_agree(run, rng):
    """One stream of several sessions and the desk has each event of theirs once; a filter takes away what it should."""
    epoch, _, head = run.position().rpartition("-")
    head = int(head)
    start = f"{epoch}-{max(int(run.desk.first.rpartition('-')[2]), head - rng.randint(1, 3000))}"
    accounts = rng.sample(run.world.accounts, 3)
    parts = [told(run, "/v1/desk/events", start, head)]
    parts += [told(run, f"{account.sessions[0].path}/events", start, head, account.sessions[0]) for account in accounts]
    for part in parts:
        same("events of a stream come in order, each once", part, sorted(set(part)))
    sessions = "&".join(f"session={account.sessions[0].id}" for account in accounts)
    together = told(run, f"/v1/events?desk=true&{sessions}", start, head)
    same("events of several sessions and the desk", together, sorted({each for part in parts for each in part}))
    kinds = rng.sample(["message.created", "message.removed", "thread.updated", "thread.info"], 2)
    some = told(run, f"/v1/events?desk=true&{sessions}&types={','.join(kinds)}", start, head)
    same(f"events of {kinds}", some, [each for each in together if each[1] in kinds])


@operation(2)
def reconnect(run, rng):
    """A follower goes away and resumes."""
    run.pick(rng, run.replicas).close()


@operation(4)
def drain(run, rng):
    run.pick(rng, run.replicas).drain()


def check_everything(run):
    for account in [None, *run.world.accounts]:
        found = {
            each["id"] if account else (each["id"], each["channel"], each["customer"]["id"]): each
            for each in check_list(run, account)
        }
        replica = next(each for each in run.replicas if each.account is account)
        threads = check_replica(run, replica)
        for key, thread in threads.items():
            check_messages(run, thread, account)
            compare_replica(run, replica, key, thread, found[key])

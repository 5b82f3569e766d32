"""Collections: made, fetched, moved, and compared with the list that they are a window on."""

import time

from .answers import Mismatch, same
from .customers import an_account
from .followers import PATIENCE, Window
from .run import operation


@operation(3)
def new_window(run, rng):
    if len(run.windows) >= 12:
        window = run.pick(rng, run.windows)
        same(
            "status of removing a collection", run.call("DELETE", window.path, session=window.owner_session).status, 204
        )
        window.close()
        run.windows.remove(window)
    account = rng.choice([None, an_account(run, rng)])
    threads = list(account.threads.values()) if account else run.world.listed()
    definition = {"kind": "threads"}
    if rng.random() < 0.7:
        thread = run.pick(rng, threads)
        definition = {"kind": "messages", "threadId": thread.id, "limit": rng.choice([3, 20, 200])}
        if account is None:
            definition.update(channel=thread.channel, customer=thread.owner.customer)
        parents = [each for each in thread.visible(account) if thread.replies(each)]
        if parents and rng.random() < 0.3:
            definition["parentId"] = rng.choice(parents).id
    elif account:
        definition["query"] = {
            "limit": rng.choice([2, 50]),
            "state": rng.choice(["open", "closed", "all"]),
            "hidden": "all",
        }
        if rng.random() < 0.3:
            definition["query"] |= {"unreadOnly": True}
    else:
        definition["query"] = {"limit": rng.choice([2, 50]), "state": rng.choice(["open", "closed", "all"])}
    session = account.sessions[0] if account else None
    path = f"{session.path if session else '/v1/desk'}/collections"
    answer = run.call("POST", path, definition, session)
    same(f"status of a new collection ({answer})", answer.status, 201)
    run.windows.append(Window(run, session, answer["id"], definition))


@operation(5)
def fetch(run, rng):
    window = run.pick(rng, run.windows)
    kind = window.definition["kind"]
    answer = run.fetch(window, rng.choice(["previous", "next"]) if kind == "messages" else "next")
    if kind == "messages" and thread_of(run, window) is None:
        return  # the thread is gone for it: whatever is answered, the follower must agree with the snapshot
    same(f"status of a fetch of {window.definition} ({answer})", answer.status, 200)


@operation(1)
def viewpoint(run, rng):
    window = run.pick(rng, [each for each in run.windows if each.definition["kind"] == "messages"])
    body = {} if rng.random() < 0.5 else {"viewpoint": int(time.time() * 1000) - rng.randint(0, 20_000)}
    answer = run.call("POST", f"{window.path}/viewpoint", body, window.owner_session)
    same(f"status of a viewpoint ({answer})", answer.status, 204)


def thread_of(run, window):
    """The thread whose messages a collection shows; None when it is gone for the collection's owner."""
    account, definition = window.owner_session and window.owner_session.account, window.definition
    return next(
        (
            each
            for each in run.world.threads
            if each.id == definition["threadId"]
            and (account in each.members if account else each.owner.customer == definition["customer"])
        ),
        None,
    )


def wanted_of(run, window):
    """The whole list that a collection is a window on."""
    account = window.owner_session and window.owner_session.account
    definition = window.definition
    if definition["kind"] == "threads":
        query = definition.get("query", {})
        threads = run.world.listed(account, query.get("state", "all"))
        if account and "hidden" not in query:
            threads = [thread for thread in threads if not thread.members[account].is_hidden]
        if query.get("unreadOnly"):
            threads = [thread for thread in threads if thread.members[account].unread]
        return [thread.id if account else thread.key for thread in threads]
    thread = thread_of(run, window)
    if thread is None:
        return []
    visible = thread.visible(account)
    if "parentId" in definition:
        return [each.id for each in visible if each.parent == definition["parentId"]]
    return [each.id for each in visible if each.is_in_conversation]


@operation(6)
def check_window(run, rng):
    """A collection that follows its events is its snapshot, and that is a stretch of the list."""
    window = run.pick(rng, run.windows)
    end = time.monotonic() + PATIENCE
    while True:
        shown = window.follow()
        if shown["version"] == 0:
            return  # not fetched yet
        wanted = wanted_of(run, window)
        is_desk_list = window.owner_session is None and window.definition["kind"] == "threads"
        read = [
            (each["id"], each["channel"], each["customer"]["id"]) if is_desk_list else each["id"]
            for each in shown["items"]
        ]
        places = [wanted.index(id) for id in read if id in wanted]
        is_stretch = (
            len(places) == len(read) and places == list(range(places[0], places[0] + len(places)))
            if places
            else not read
        )
        # A gap at an end is told.
        is_whole = not places or (
            (places[0] == 0 or shown["hasPrevious"]) and (places[-1] == len(wanted) - 1 or shown["hasNext"])
        )
        if is_stretch and is_whole and (read or not wanted or shown["hasPrevious"] or shown["hasNext"]):
            return
        if time.monotonic() > end:
            raise Mismatch(
                f"collection {window.definition} shows {read}, "
                f"hasPrevious {shown['hasPrevious']}, hasNext {shown['hasNext']}; "
                f"the list is {wanted}"
            )
        time.sleep(0.02)  # collections follow the log a moment behind

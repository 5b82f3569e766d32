"""Reading: everything that the model knows is asked for, in several ways, and must be the same in all of them."""

import time
import urllib.parse

from serving import until

from . import answers
from .answers import Mismatch, same
from .customers import an_account, where
from .followers import PATIENCE, quoted
from .run import operation


def check_list(run, account):
    """The threads of an account, or of the desk, with all that each of them tells."""
    session = account.sessions[0] if account else None
    path = f"{session.path}/threads" if account else "/v1/desk/threads"
    found, _ = run.pages(f"{path}?limit=200", session)
    wanted = run.world.listed(account)
    same(f"threads of {account or 'the desk'}", [each["id"] for each in found], [each.id for each in wanted])
    for json, thread in zip(found, wanted):
        answers.thread(json, thread, run.world, account)
    return found


def all_messages(run, thread, account=None, query=""):
    session = account.sessions[0] if account else None
    path = f"{run.path(session, thread)}/messages?" if account else run.desk_path(thread, "/messages") + "&"
    return run.pages(f"{path}limit=200{query}", session)[0]


def check_messages(run, thread, account=None):
    wanted = thread.visible(account)[::-1]
    everything = all_messages(run, thread, account, "&replies=all")
    answers.messages(f"messages of {thread} for {account or 'the desk'}", everything, wanted, thread)
    return everything


@operation(4)
def check_account(run, rng):
    account = an_account(run, rng)
    check_list(run, account)
    for thread in rng.sample(list(account.threads.values()), min(2, len(account.threads))):
        check_messages(run, thread, account)


@operation(3)
def check_desk(run, rng):
    check_list(run, None)
    check_messages(run, run.desk_thread(rng))


@operation(4)
def filtered_pages(run, rng):
    """The filters of a list, in small pages, forwards and back."""
    account, session, thread = where(run, rng)
    visible = thread.visible(account)
    replies = rng.choice(["none", "all", "alsoInThread"])
    wanted = [
        each.id
        for each in visible
        if replies == "all" or each.is_in_conversation and (replies == "alsoInThread" or not each.parent)
    ][::-1]
    limit = rng.randint(1, 7)
    path = f"{run.path(session, thread)}/messages?limit={limit}&replies={replies}"
    forwards, page = [], run.get(path, session).json
    while True:
        forwards.append([each["id"] for each in page["items"]])
        if "next" not in page or len(forwards) > 40:
            break
        same("entries of a page that has a next one", len(page["items"]), limit)
        page = run.get(f"{path}&cursor={quoted(page['next'])}", session).json
    read = [id for ids in forwards for id in ids]
    same(f"pages of {thread} ({path})", read, wanted[: len(read)] if "next" in page else wanted)
    backwards = [forwards[-1]] if forwards else []
    while "prev" in page:
        page = run.get(f"{path}&cursor={quoted(page['prev'])}", session).json
        backwards.insert(0, [each["id"] for each in page["items"]])
    same(f"pages of {thread}, backwards", [id for ids in backwards for id in ids], read)


@operation(2)
def thread_pages(run, rng):
    account = rng.choice([None, an_account(run, rng)])
    session = account.sessions[0] if account else None
    state, limit = rng.choice(["open", "closed", "all"]), rng.randint(1, 5)
    path = f"{session.path}/threads" if account else "/v1/desk/threads"
    found, _ = run.pages(f"{path}?state={state}&limit={limit}", session)
    same(
        f"{state} threads of {account or 'the desk'}",
        [each["id"] for each in found],
        [each.id for each in run.world.listed(account, state)],
    )


@operation(4)
def reply_pages(run, rng):
    account, session, thread = where(run, rng)
    parent = run.pick(rng, [each for each in thread.visible(account) if thread.replies(each)])
    wanted = [each for each in thread.replies(parent) if each in thread.visible(account)]
    path = f"{run.path(session, thread)}/messages/{quoted(parent.id)}/replies"
    page = run.get(f"{path}?from=0&next=200", session).json
    answers.message(page["parent"], parent, thread)
    answers.messages(f"replies to {parent.id}", page["items"], wanted, thread)
    start = rng.choice(wanted).created
    previous, next = rng.randint(0, 3), rng.randint(0, 3)
    older, newer = (
        [each.id for each in wanted if each.created < start],
        [each.id for each in wanted if each.created > start],
    )
    same_time = [each.id for each in wanted if each.created == start]
    page = run.get(f"{path}?from={urllib.parse.quote(start)}&previous={previous}&next={next}", session).json
    same(
        f"replies to {parent.id} around {start}",
        [each["id"] for each in page["items"]],
        (older[-previous:] if previous else []) + same_time + newer[:next],
    )
    same(f"more of them: {page}", (page["hasPrevious"], page["hasNext"]), (len(older) > previous, len(newer) > next))


@operation(3)
def get_message(run, rng):
    account, session, thread = where(run, rng)
    message = run.pick(rng, thread.messages)
    answer = run.call("GET", f"{run.path(session, thread)}/messages/{quoted(message.id)}", session=session)
    if message in thread.visible(account):
        same("status of a message in sight", answer.status, 200)
        answers.message(answer.json, message, thread)
    else:
        same("status of a message out of sight", answer.status, 404)


@operation(2)
def stranger(run, rng):
    """Who is no member of a thread finds nothing of it."""
    account = an_account(run, rng)
    thread = run.pick(rng, [each for each in run.world.threads if each.id not in account.threads])
    session = run.session(rng, account)
    for rest in ("", "/messages", "/customFields"):
        same(
            f"status of {thread}{rest} for {account}",
            run.call("GET", run.path(session, thread) + rest, session=session).status,
            404,
        )


@operation(3)
def file_bytes(run, rng):
    """A file that a message in sight carries has its bytes; one of a removed message is gone."""
    account, session, thread = where(run, rng)
    files = [id for message in thread.visible(account) for id in message.attachments]
    id = run.pick(rng, files + sorted(run.world.dropped_files)[-3:])
    path = f"{session.path}/attachments/{id}"
    if id in run.world.dropped_files:
        # Of a long history that was reset the files go a moment later.
        return until(
            f"the file {id}, which was removed, to be gone",
            lambda: run.call("GET", path, session=session).status == 404,
        )
    answer = run.call("GET", path, session=session)
    same(f"status of the file {id}", answer.status, 200)
    same(f"bytes of the file {id}", answer.body == run.world.files[id], True)


@operation(6)
def conditional(run, rng):
    """What a cache holds under an ETag is what is there when the gateway says 304."""
    account, session, thread = where(run, rng)
    session = account.sessions[0]
    rest = rng.choice(["", "/messages?limit=5", "/messages?replies=all", "list"])
    path = f"{session.path}/threads" if rest == "list" else run.path(session, thread) + rest
    tag, body = run.cached.get(path, (None, None))
    plain = run.get(path, session)
    if tag:
        answer = run.call("GET", path, session=session, headers={"If-None-Match": tag})
        if answer.status == 304:
            same(f"{path} with the tag {tag}", without_cursor(body), without_cursor(plain.json))
        else:
            same(f"status of {path} with the tag {tag}", answer.status, 200)
            same(f"the tag of {path} has changed", answer.headers["ETag"] == tag, False)
    run.cached[path] = (plain.headers["ETag"], plain.json)
    answer = run.call("GET", path, session=session, headers={"If-None-Match": plain.headers["ETag"]})
    same(f"status of {path} with the tag of now", answer.status, 304)
    if rest == "" and rng.random() < 0.3:
        refused = run.call("PATCH", path, {"name": "x"}, session, {"If-Match": 'W/"1-0"'})
        same(f"a change with an old tag ({refused})", refused.status in (412, 409), True)


def without_cursor(page):
    return {name: value for name, value in page.items() if name != "cursor"}


@operation(3)
def search(run, rng):
    account = rng.choice([None, an_account(run, rng)])
    threads = list(account.threads.values()) if account else run.world.listed()
    thread = run.pick(rng, threads)
    message = run.pick(rng, [each for each in thread.messages if each.text])
    word = run.pick(rng, [word for word in message.text.split() if word.isalnum() and len(word) < 100])
    wanted = sorted(
        {
            (each.key if not account else each.id, found.id)
            for each in threads
            for found in each.visible(account)
            if found.text and word in found.text.split()
        },
        key=str,
    )
    session = account.sessions[0] if account else None
    path = f"{session.path if session else '/v1/desk'}/search?limit=200&q={quoted(word)}"
    head, end = run.head(), time.monotonic() + PATIENCE
    while True:
        page = run.get(path, session).json
        if int(page["indexedTo"].rpartition("-")[2]) >= head:
            break
        if time.monotonic() > end:
            raise Mismatch(f"the search index stays at {page['indexedTo']} and the log is at {head}")
        time.sleep(0.02)
    items = run.pages(path, session)[0]
    found = sorted(
        (
            (
                each["threadId"] if account else (each["threadId"], each["channel"], each["customer"]["id"]),
                each["message"]["id"],
            )
            for each in items
        ),
        key=str,
    )
    same(f"messages with {word} for {account or 'the desk'}", found, wanted)

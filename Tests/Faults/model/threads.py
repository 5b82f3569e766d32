"""What customers do with threads, and with what is noted about them."""

from .answers import same
from .answers import thread as check_thread
from .customers import WORDS, an_account, an_id, where
from .run import Skip, operation
from .world import LIVE, MULTI, Thread, require


@operation(4)
def create_thread(run, rng):
    account = an_account(run, rng)
    session = run.session(rng, account)
    if account.channel == MULTI and sum(thread.is_open for thread in account.threads.values()) >= 8:
        raise Skip
    body = {"id": an_id(rng, "t")}
    # An id is one account's own: another's thread may have the same.
    others = [
        thread.id for thread in run.world.threads if account.channel == MULTI and thread.id not in account.threads
    ]
    if others and rng.random() < 0.15:
        body["id"] = run.pick(rng, others)
    if account.channel == MULTI and rng.random() < 0.7:
        body["name"] = f"Name {rng.randint(1, 99)}"
    if rng.random() < 0.3:
        body["customFields"] = {"topic": rng.choice(WORDS), "empty": ""}

    if any(thread.id == body["id"] and thread.owner is account for thread in run.world.threads):
        raise Skip  # who has left a thread may take its id again, and then the desk can name neither of them

    def apply():
        require(account.channel == MULTI or account.open_thread is None, 409, "a thread is open")
        thread = Thread(body["id"], account, next(run.world.numbers), "ready" if account.channel == LIVE else "pending")
        thread.name = body.get("name")
        thread.fields = {name: value for name, value in body.get("customFields", {}).items() if value}
        if account.channel == LIVE:
            thread.begin_contact()
            thread.waits_since = thread
        return thread

    answer = run.act(session, "POST", f"{session.path}/threads", body, apply, run.key(rng, "thread"))
    if answer:
        thread = answer.found
        thread.created = answer["createdAt"]
        run.world.add_thread(thread, [(account, "joined")])
        check_thread(answer.json, thread, run.world, account)


@operation(2)
def rename(run, rng):
    account, session, thread = where(run, rng)
    name = rng.choice([None, f"Name {rng.randint(1, 99)}"])

    def apply():
        require(account.channel == MULTI, 409, "no names here")
        require(thread.members[account].state == "joined", 409, "only invited")
        require(thread.is_open, 409, "closed")
        thread.name = name

    answer = run.act(session, "PATCH", run.path(session, thread), {"name": name}, apply)
    if answer:
        check_thread(answer.json, thread, run.world, account)


def action(run, rng, name, apply, key=None):
    """One of the operations on a thread that have no body."""
    account, session, thread = where(run, rng)
    answer = run.act(
        session, "POST", f"{run.path(session, thread)}/{name}", apply=lambda: apply(account, thread), key=key
    )
    if answer and answer.status == 200:
        check_thread(answer.json, thread, run.world, account)
    return answer


@operation(1)
def archive(run, rng):
    def apply(account, thread):
        require(account.channel == MULTI, 409, "not here")
        require(thread.members[account].state == "joined", 409, "only invited")
        require(thread.is_open, 409, "closed")
        run.world.close(thread)

    action(run, rng, "archive", apply, run.key(rng, "archive"))


@operation(2)
def end(run, rng):
    def apply(account, thread):
        require(account.channel == LIVE, 409, "no live chat")
        if thread.is_open:
            run.world.close(thread)

    action(run, rng, "end", apply)


@operation(3)
def join(run, rng):
    def apply(account, thread):
        require(account.channel == MULTI, 409, "no members here")
        thread.members[account].state = "joined"

    action(run, rng, "join", apply, run.key(rng, "join"))


@operation(1)
def leave(run, rng):
    def apply(account, thread):
        require(account.channel == MULTI, 409, "no members here")
        run.world.leave(thread, account)

    action(run, rng, "leave", apply, run.key(rng, "leave"))


@operation(3)
def hide(run, rng):
    is_hidden = rng.random() < 0.7

    def apply(account, thread):
        require(account.channel == MULTI, 409, "no members here")
        thread.members[account].is_hidden = is_hidden

    action(run, rng, "hide" if is_hidden else "unhide", apply)


@operation(1)
def reset_history(run, rng):
    action(
        run, rng, "resetHistory", lambda account, thread: run.world.reset_own(thread, account), run.key(rng, "reset")
    )


@operation(2)
def load(run, rng):
    action(run, rng, "load", lambda account, thread: None)


@operation(3)
def set_fields(run, rng):
    account, session, thread = where(run, rng)
    fields = {rng.choice(WORDS): rng.choice(["", "one", "zwei", "drei é"]) for _ in range(rng.randint(1, 3))}

    def apply():
        require(thread.members[account].state == "joined", 409, "only invited")
        thread.fields.update({name: value for name, value in fields.items() if value})

    answer = run.act(session, "PUT", f"{run.path(session, thread)}/customFields", {"customFields": fields}, apply)
    if answer:
        same(f"fields of {thread}", answer["customFields"], thread.fields)


@operation(2)
def set_customer_fields(run, rng):
    account = an_account(run, rng)
    fields = {rng.choice(WORDS): rng.choice(["", "one", "zwei"]) for _ in range(rng.randint(1, 3))}
    answer = (
        run.act(
            run.session(rng, account),
            "PUT",
            f"{account.sessions[0].path}/customer/customFields",
            {"customFields": fields},
        )
        if len(account.sessions) == 1
        else None
    )
    if answer:
        account.fields.update({name: value for name, value in fields.items() if value})
        same(f"fields of {account}", answer["customFields"], account.fields)


@operation(2)
def set_name(run, rng):
    account = an_account(run, rng)
    session = run.session(rng, account)
    body = {name: rng.choice(WORDS) for name in ("firstName", "lastName") if rng.random() < 0.7}
    answer = run.act(session, "PUT", f"{session.path}/customer", body)
    if answer:
        account.first, account.last = body.get("firstName"), body.get("lastName")
        same(
            f"name of {account}",
            (answer.json.get("firstName"), answer.json.get("lastName")),
            (account.first, account.last),
        )


@operation(2)
def typing(run, rng):
    account, session, thread = where(run, rng)

    def apply():
        require(thread.members[account].state == "joined", 409, "only invited")
        require(thread.is_open, 409, "closed")

    run.act(session, "POST", f"{run.path(session, thread)}/typing", {"isTyping": True}, apply)

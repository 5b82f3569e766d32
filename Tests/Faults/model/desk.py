"""What the desk does."""

from .answers import message as check_message
from .answers import same
from .answers import thread as check_thread
from .customers import WORDS, checked, say, text
from .followers import quoted
from .run import Skip, operation
from .world import MULTI, Thread, require

AGENTS = [
    {"id": "agent", "name": "Agent"},
    {"id": "bo", "name": "Bo"},
    {"id": "cy", "name": "Cy"},
    {"id": "robi", "name": "Robi", "isBot": True},
]


def multi_accounts(run):
    return [account for account in run.world.accounts if account.channel == MULTI]


@operation(20)
def desk_send(run, rng):
    thread = run.desk_thread(rng)
    body = {"id": f"d{rng.getrandbits(48):x}", "text": text(rng), "agent": rng.choice(AGENTS)}
    checked(say(run, None, thread, run.desk_path(thread, "/messages"), body, key=run.key(rng, "desk")), thread)


@operation(6)
def desk_reply(run, rng):
    thread = run.desk_thread(rng)
    parent = run.pick(rng, thread.messages)
    also = rng.choice([True, False])
    body = {"id": f"e{rng.getrandbits(48):x}", "text": text(rng), "alsoInThread": also, "agent": rng.choice(AGENTS)}
    path = run.desk_path(thread, f"/messages/{quoted(parent.id)}/replies")
    checked(say(run, None, thread, path, body, parent, also=also, key=run.key(rng, "desk reply")), thread)


@operation(1)
def desk_admin(run, rng):
    """A message of the system: nobody can reply to it."""
    thread = run.desk_thread(rng)
    body = {"id": f"s{rng.getrandbits(48):x}", "text": text(rng), "type": "admin"}

    def apply():
        run.world.check_send(thread, None, None)
        return run.world.send(thread, None, body["id"], body["text"], ("system", "system"), type="admin")

    checked(run.act(None, "POST", run.desk_path(thread, "/messages"), body, apply), thread)


@operation(2)
def desk_file(run, rng):
    thread = run.desk_thread(rng)
    data = rng.randbytes(rng.choice([1, 3000]))
    upload = run.call("POST", "/v1/desk/attachments", headers={"Content-Type": "application/octet-stream"}, raw=data)
    same(f"status of an upload ({upload})", upload.status, 201)
    run.world.files[upload["id"]] = data
    body = {"id": f"g{rng.getrandbits(48):x}", "attachments": [{"id": upload["id"]}]}
    checked(say(run, None, thread, run.desk_path(thread, "/messages"), body), thread)


@operation(4)
def desk_edit(run, rng):
    thread = run.desk_thread(rng)
    message = run.pick(rng, thread.messages)
    new = text(rng)
    answer = run.act(
        None,
        "PATCH",
        run.desk_path(thread, f"/messages/{quoted(message.id)}"),
        {"text": new},
        lambda: run.world.edit(thread, None, message, new),
    )
    if answer:
        check_message(answer.json, message, thread)


@operation(4)
def desk_delete(run, rng):
    thread = run.desk_thread(rng)
    message = run.pick(rng, thread.messages)
    run.act(
        None,
        "DELETE",
        run.desk_path(thread, f"/messages/{quoted(message.id)}"),
        apply=lambda: run.world.remove(thread, None, message),
    )


@operation(7)
def desk_read(run, rng):
    thread = run.desk_thread(rng)
    run.act(
        None,
        "POST",
        run.desk_path(thread, "/read"),
        apply=lambda: run.world.desk_read(thread),
        key=run.key(rng, "desk read"),
    )


def action(run, rng, name, apply, body=None):
    thread = run.desk_thread(rng)

    def checked_apply():
        require(thread.is_open, 409, "closed")
        apply(thread)

    answer = run.act(None, "POST", run.desk_path(thread, f"/{name}"), body, checked_apply, run.key(rng, name))
    if answer and answer.status == 200:
        check_thread(answer.json, thread, run.world)


@operation(3)
def assign(run, rng):
    agent = rng.choice(AGENTS)
    action(run, rng, "assign", lambda thread: thread.give(agent), {"agent": agent})


@operation(3)
def claim(run, rng):
    """Takes a thread only while it is nobody's, the agent's own, or one of both."""
    agent, condition = rng.choice(AGENTS), rng.choice(["none", "me", "meOrNone"])

    def apply(thread):
        is_mine = thread.agent is not None and thread.agent["id"] == agent["id"]
        is_free = {"none": thread.agent is None, "me": is_mine, "meOrNone": thread.agent is None or is_mine}
        require(is_free[condition], 409, "another's")
        thread.give(agent)

    action(run, rng, "assign", apply, {"agent": agent, "ifAgent": condition})


@operation(2)
def release(run, rng):
    action(run, rng, "release", lambda thread: thread.give(None))


@operation(1)
def close(run, rng):
    action(run, rng, "close", run.world.close)


@operation(1)
def end_contact(run, rng):
    action(run, rng, "endContact", run.world.end_contact)


@operation(2)
def update(run, rng):
    thread = run.desk_thread(rng)
    body = {"customType": rng.choice([None, "order", "claim"])}
    if rng.random() < 0.5:
        body["name"] = rng.choice([None, f"Desk {rng.randint(1, 9)}"])

    def apply():
        require(thread.is_open, 409, "closed")
        require("name" not in body or thread.channel == MULTI, 409, "no names here")
        thread.custom_type = body["customType"]
        if "name" in body:
            thread.name = body["name"]

    answer = run.act(None, "PATCH", run.desk_path(thread), body, apply)
    if answer:
        check_thread(answer.json, thread, run.world)


@operation(2)
def desk_create(run, rng):
    members = rng.sample(multi_accounts(run), rng.randint(1, min(3, run.customers)))
    if any(sum(thread.is_open for thread in account.threads.values()) >= 12 for account in members):
        raise Skip
    states = [rng.choice(["joined", "joined", "invited"]) for _ in members]
    body = {
        "id": f"u{rng.getrandbits(48):x}",
        "channel": MULTI,
        "customFields": {"topic": rng.choice(WORDS)},
        "members": [{"id": account.customer, "memberState": state} for account, state in zip(members, states)],
    }
    if rng.random() < 0.5:
        body["name"] = f"Made {rng.randint(1, 9)}"
    thread = Thread(body["id"], members[0], next(run.world.numbers), "ready")
    thread.name, thread.fields = body.get("name"), dict(body["customFields"])
    answer = run.act(None, "POST", "/v1/desk/threads", body, key=run.key(rng, "desk thread"))
    thread.created = answer["createdAt"]
    run.world.add_thread(thread, zip(members, states))
    check_thread(answer.json, thread, run.world)


@operation(4)
def add_members(run, rng):
    thread = run.desk_thread(rng)
    if thread.channel != MULTI:
        raise Skip
    members = rng.sample(multi_accounts(run), rng.randint(1, 2))
    state = rng.choice(["joined", "invited"])

    def apply():
        require(thread.is_open, 409, "closed")
        require(
            all(account.threads.get(thread.id, thread) is thread for account in members),
            409,
            "another thread of this id",
        )
        for account in members:
            if account not in thread.members:
                run.world.join(thread, account, state)
            elif state == "joined":
                thread.members[account].state = "joined"

    body = {"members": [{"id": account.customer, "memberState": state} for account in members]}
    answer = run.act(None, "POST", run.desk_path(thread, "/members"), body, apply, run.key(rng, "members"))
    if answer:
        check_thread(answer.json, thread, run.world)


@operation(1)
def remove_member(run, rng):
    thread = run.desk_thread(rng)
    account = run.pick(rng, multi_accounts(run))
    if thread.channel != MULTI:
        raise Skip

    def apply():
        require(account in thread.members, 404, "no member")
        run.world.leave(thread, account)

    run.act(None, "DELETE", run.desk_path(thread, f"/members/{quoted(account.customer)}"), apply=apply)


@operation(1)
def desk_reset(run, rng):
    thread = run.desk_thread(rng)
    run.act(
        None,
        "POST",
        run.desk_path(thread, "/resetHistory"),
        apply=lambda: run.world.reset_all(thread),
        key=run.key(rng, "desk reset"),
    )


@operation(1)
def remove_thread(run, rng):
    thread = run.desk_thread(rng)
    run.act(None, "DELETE", run.desk_path(thread), apply=lambda: run.world.remove_thread(thread))
    answer = run.call("GET", run.desk_path(thread))
    same(f"status of a thread that was removed ({answer})", answer.status, 404)


@operation(1)
def tidy(run, rng):
    """Closes a thread that has become long, so that a long run does not become slow."""
    long = [
        thread
        for thread in run.world.threads
        if thread.is_open and thread.is_known_to_desk and len(thread.messages) > 120
    ]
    thread = run.pick(rng, long)
    run.act(None, "POST", run.desk_path(thread, "/close"), apply=lambda: run.world.close(thread))

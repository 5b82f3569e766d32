"""What customers do with messages."""

from .answers import message as check_message
from .answers import same
from .customers import an_account, an_id, checked, say, text, where
from .followers import quoted
from .run import Skip, operation
from .world import require


@operation(30)
def send(run, rng):
    account, session, thread = where(run, rng)
    body = {"id": an_id(rng, "m"), "text": text(rng)}
    if rng.random() < 0.1:
        body["customType"] = "mark"
    checked(say(run, session, thread, f"{run.path(session, thread)}/messages", body, key=run.key(rng, "send")), thread)


@operation(3)
def send_again(run, rng):
    """The id of a message that is there: the same message, or a conflict."""
    account, session, thread = where(run, rng)
    message = run.pick(
        rng,
        [each for each in thread.visible(account) if each.is_own(account) and each.type == "text" and not each.parent],
    )
    body = {"id": message.id, "text": message.text}
    if message.custom_type:
        body["customType"] = message.custom_type
    is_other = rng.random() < 0.3
    if is_other:
        body["text"] += " otherwise"

    def apply():
        require(thread.members[account].state == "joined", 409, "only invited")
        require(not is_other, 409, "another text")

    answer = run.act(session, "POST", f"{run.path(session, thread)}/messages", body, apply)
    if answer:
        same("status of a message that was there", answer.status, 200)
        check_message(answer.json, message, thread)


@operation(1)
def send_removed_id(run, rng):
    """The id of a message that was removed stays taken."""
    account, session, thread = where(run, rng)
    id = run.pick(rng, sorted(thread.gone))
    run.act(
        session,
        "POST",
        f"{run.path(session, thread)}/messages",
        {"id": id, "text": "again"},
        lambda: require(False, 409, "removed"),
    )


@operation(10)
def reply(run, rng):
    account, session, thread = where(run, rng)
    parent = run.pick(rng, thread.messages)  # also one that is out of sight
    also = rng.choice([True, False])
    body = {"id": an_id(rng, "r"), "text": text(rng), "alsoInThread": also}
    if rng.random() < 0.5:
        body["parentId"] = parent.id
        return checked(
            say(run, session, thread, f"{run.path(session, thread)}/messages", body, parent, also=also), thread
        )
    if parent not in thread.visible(account):
        raise Skip  # the path names it then: 404 and not 422
    path = f"{run.path(session, thread)}/messages/{quoted(parent.id)}/replies"
    checked(say(run, session, thread, path, body, parent, also=also, key=run.key(rng, "reply")), thread)


@operation(8)
def edit(run, rng):
    account, session, thread = where(run, rng)
    message = run.pick(rng, thread.messages)
    new = rng.choice([text(rng), message.text or "now with text"])
    answer = run.act(
        session,
        "PATCH",
        f"{run.path(session, thread)}/messages/{quoted(message.id)}",
        {"text": new},
        lambda: run.world.edit(thread, account, message, new),
    )
    if answer:
        check_message(answer.json, message, thread)


@operation(6)
def delete(run, rng):
    account, session, thread = where(run, rng)
    message = run.pick(rng, thread.messages)
    run.act(
        session,
        "DELETE",
        f"{run.path(session, thread)}/messages/{quoted(message.id)}",
        apply=lambda: run.world.remove(thread, account, message),
    )


@operation(3)
def upload(run, rng):
    account = an_account(run, rng)
    session = run.session(rng, account)
    data = rng.randbytes(rng.choice([1, 100, 5000, 70_000]))
    headers = {"Content-Type": "application/octet-stream", "Content-Disposition": 'attachment; filename="a.bin"'}
    answer = run.call("POST", f"{session.path}/attachments", session=session, headers=headers, raw=data)
    if session.is_connected:
        same(f"status of an upload ({answer})", answer.status, 201)
    if answer.status == 201:
        run.world.files[answer["id"]] = data
        run.uploads.append((account, answer["id"]))


@operation(4)
def send_file(run, rng):
    account, session, thread = where(run, rng)
    mine = [id for owner, id in run.uploads if owner is account]
    files = rng.sample(mine, min(len(mine), rng.randint(1, 3)))
    if not files:
        raise Skip
    body = {"id": f"f{rng.getrandbits(48):x}", "attachments": [{"id": id} for id in files]}
    if rng.random() < 0.5:
        body["text"] = text(rng)
    answer = say(run, session, thread, f"{run.path(session, thread)}/messages", body)
    if answer:
        run.uploads = [each for each in run.uploads if each[1] not in files]
        check_message(answer.json, answer.found, thread)


@operation(8)
def read(run, rng):
    account, session, thread = where(run, rng)
    run.act(
        session,
        "POST",
        f"{run.path(session, thread)}/read",
        apply=lambda: run.world.read(thread, account),
        key=run.key(rng, "read"),
    )

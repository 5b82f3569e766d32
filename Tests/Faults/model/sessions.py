"""Sessions: devices of one customer that come and go, and requests that are repeated with their keys."""

from .answers import same
from .customers import an_account
from .followers import quoted
from .run import Skip, operation


@operation(1)
def open_session(run, rng):
    account = an_account(run, rng)
    if len(account.sessions) >= 3:
        raise Skip
    run.open_session(account)


@operation(1)
def delete_session(run, rng):
    account = an_account(run, rng)
    session = run.pick(rng, account.sessions[1:])  # the first one's streams are followed
    answer = run.call("DELETE", session.path)
    same(f"status of deleting a session ({answer})", answer.status, 204)
    account.sessions.remove(session)
    for window in [each for each in run.windows if each.owner_session is session]:
        window.close()
        run.windows.remove(window)
    same("status of a session that was deleted", run.call("GET", session.path).status, 404)


@operation(1)
def disconnect(run, rng):
    account = an_account(run, rng)
    session = run.pick(rng, account.sessions[1:])
    same("status of disconnect", run.call("POST", f"{session.path}/disconnect", session=session).status, 200)
    session.is_connected = False


@operation(2)
def connect(run, rng):
    account = an_account(run, rng)
    session = run.session(rng, account)
    answer = run.call("POST", f"{session.path}/connect", session=session)
    same(f"status of connect ({answer})", answer.status, 200)
    if not session.is_connected:
        session.is_connected = True
        run.adopt_single(account)


@operation(3)
def repeat_with_key(run, rng):
    """The same key with the same body answers the same again; with another body it is refused."""
    key, session, method, path, body, first = run.pick(rng, run.keys)
    if session and session not in session.account.sessions:
        raise Skip
    if body and rng.random() < 0.3:
        other = {**body, "name": "other"} if "name" in body else {**body, "text": "other"}
        answer = run.call(method, path, other, session, {"Idempotency-Key": key})
        return same(f"code of {key} with another body ({answer})", answer.code, "idempotencyKeyReused")
    answer = run.call(method, path, body, session, {"Idempotency-Key": key})
    same(f"status of {key}, repeated ({answer})", answer.status, first.status)
    same(f"{key} is marked", answer.headers.get("Idempotency-Replayed"), "true")
    if first.body and set(answer.json) != {"threadId", "messageId"}:
        again, expected = answer.json, expected_again(run, session, path, first)
        if expected is None:
            again, expected = again["id"], first.json["id"]
        same(f"answer of {key}", again, expected)


#: Of an answer with a longer message, a receipt keeps a reference (Limits.md).
KEPT_MESSAGE = 4096


def expected_again(run, session, path, first):
    """The answer once more: of a great message as it is now. None if it cannot be read any more, after a reset."""
    message = first.json
    if len(first.body) <= KEPT_MESSAGE or "direction" not in message:
        return message
    above, _, query = path.partition("?")
    above = above[: above.rindex("/messages") + len("/messages")]
    now = run.call("GET", f"{above}/{quoted(message['id'])}?{query}", None, session)
    return now.json if now.status == 200 else None

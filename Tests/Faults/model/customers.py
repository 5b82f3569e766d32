"""What operations of customers share: who, where, what is said."""

from .answers import message as check_message

WORDS = (
    "amber birch cedar delta ember fjord grove haven inlet jetty knoll larch maple night ocean pearl quartz river"
).split()


def text(rng):
    """Some words, one of them the run's own, so that a search finds exactly this."""
    words = [*rng.sample(WORDS, rng.randint(1, 4)), f"w{rng.getrandbits(32):x}"]
    if rng.random() < 0.05:
        words += rng.choice([["été", "наводнение", "🙂", "日本"], ["x" * 300, "y" * 5000], ['"<&>\\']])
    return " ".join(words)


def an_id(rng, letter):
    """Mostly a plain one; any printable ASCII is allowed."""
    return f"{letter}{rng.getrandbits(48):x}" + (
        rng.choice([" /%?#", "\\\"'", ";,=&+", "%2F", ".."]) if rng.random() < 0.06 else ""
    )


def author(account):
    return ("customer", account.customer)


def desk_author(agent):
    return ("bot" if agent.get("isBot") else "agent", agent["id"])


def an_account(run, rng):
    return run.pick(rng, run.world.accounts)


def where(run, rng):
    """A session, and one of its account's threads."""
    account = an_account(run, rng)
    return account, run.session(rng, account), run.a_thread(rng, account)


def say(run, session, thread, path, body, parent=None, **more):
    """Sends a message as the session, or as the desk."""
    account = session.account if session else None
    world = run.world

    def apply():
        world.check_send(thread, account, parent)
        return world.send(
            thread,
            account,
            body["id"],
            body.get("text"),
            author(account) if account else desk_author(body.get("agent", {"id": "agent"})),
            parent=parent and parent.id,
            also=more.pop("also", None),
            custom_type=body.get("customType"),
            attachments=[each["id"] for each in body.get("attachments", [])],
            **more,
        )

    return run.act(session, "POST", path, body, apply, more.pop("key", None))


def checked(answer, thread):
    if answer:
        check_message(answer.json, answer.found, thread)

"""What happens at once, and what happens to the gateway."""

import threading

from serving import Gone

from .answers import Mismatch, same
from .customers import author, say, text
from .reading import all_messages
from .run import Skip, operation
from .streaming import check_everything


class Sender(threading.Thread):
    """Sends some messages one after another, on a connection of its own, until the gateway is gone."""

    def __init__(self, run, account, session, thread, messages):
        super().__init__(daemon=True)
        self.account, self.thread, self.messages = account, thread, messages
        self.client = run.gateway.client(session.token if session else None)
        self.path = f"{run.path(session, thread)}/messages" if session else run.desk_path(thread, "/messages")
        self.acknowledged, self.fault = [], None

    def run(self):
        try:
            for id, words in self.messages:
                answer = self.client.call("POST", self.path, {"id": id, "text": words})
                if answer.status != 201:
                    raise Mismatch(f"a message of several at once: {answer}")
                self.acknowledged.append(id)
        except Gone:
            pass
        except BaseException as fault:
            self.fault = fault
        finally:
            self.client.close()


def senders(run, rng):
    """Several at once, in a few threads, both sides."""
    threads = [thread for thread in run.world.threads if thread.is_open and thread.is_known_to_desk]
    if not threads:
        raise Skip
    found = []
    for thread in rng.choices(threads, k=rng.randint(2, 5)):
        sides = [
            (account, session)
            for account, member in thread.members.items()
            if member.state == "joined"
            for session in account.sessions
            if session.is_connected
        ]
        account, session = rng.choice([*sides, (None, None)])
        messages = [(f"b{rng.getrandbits(48):x}", text(rng)) for _ in range(rng.randint(1, 6))]
        found.append(Sender(run, account, session, thread, messages))
    return found


def adopt(run, crowd, is_whole):
    """Takes over the order in which messages that were sent at once have come: any that keeps each sender's own."""
    for thread in {sender.thread for sender in crowd}:
        mine = [sender for sender in crowd if sender.thread is thread]
        sent = {id: (sender, words) for sender in mine for id, words in sender.messages}
        items = [each for each in all_messages(run, thread, None, "&replies=all")[::-1] if each["id"] in sent]
        stored = [each["id"] for each in items]
        for sender in mine:
            own = [id for id in stored if sent[id][0] is sender]
            same(f"order of one sender's messages in {thread}", own, [id for id, _ in sender.messages][: len(own)])
            same("each that was acknowledged is there", own[: len(sender.acknowledged)], sender.acknowledged)
            if len(own) > len(sender.acknowledged) + (0 if is_whole else 1):
                raise Mismatch(f"{own} are there, and only {sender.acknowledged} were acknowledged")
        for each in items:
            sender, words = sent[each["id"]]
            writer = author(sender.account) if sender.account else ("agent", "agent")
            message = run.world.send(thread, sender.account, each["id"], words, writer)
            message.created = each["createdAt"]


@operation(2)
def at_once(run, rng):
    crowd = senders(run, rng)
    for sender in crowd:
        sender.start()
    for sender in crowd:
        sender.join(60)
        if sender.fault or sender.is_alive():
            raise Mismatch(f"{sender.path}: {sender.fault or 'no answer for a minute'}")
    adopt(run, crowd, True)


@operation(0.05)
def flood(run, rng):
    """More messages than a reading tells one by one, or a reset erases at once."""
    thread = run.open_first(rng, [thread for thread in run.world.threads if thread.is_open and thread.is_known_to_desk])
    count = rng.choice([110, 230])
    sides = [
        None,
        *[
            account
            for account, member in thread.members.items()
            if member.state == "joined" and account.sessions[0].is_connected
        ],
    ]
    account = rng.choice(sides)
    session = account.sessions[0] if account else None
    path = f"{run.path(session, thread)}/messages" if account else run.desk_path(thread, "/messages")
    for _ in range(count):
        body = {"id": f"x{rng.getrandbits(48):x}", "text": text(rng)}
        answer = say(run, session, thread, path, body)
        answer.found.created = answer["createdAt"]


@operation(0.02)
def restart(run, rng):
    """The gateway ends by SIGTERM or kill -9, also in the middle of messages. Afterwards everything is as it was."""
    crowd, kill = [], rng.random() < 0.6
    if kill and rng.random() < 0.7:
        crowd = senders(run, rng)
    for sender in crowd:
        sender.start()
    if crowd:
        threading.Event().wait(rng.random() ** 2 * 0.1)  # the moment is the point
    run.restart(kill)
    for sender in crowd:
        sender.join(60)
        if sender.fault:
            raise sender.fault
    adopt(run, crowd, False)
    check_everything(run)


@operation(0.2)
def everything(run, rng):
    check_everything(run)

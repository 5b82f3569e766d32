"""The model: what customers and the desk must be able to read, in plain values. It knows nothing of HTTP."""

import itertools

MULTI, SINGLE, LIVE = "multi", "single", "live"


class Refused(Exception):
    """The gateway must answer with this status."""

    def __init__(self, status, why):
        super().__init__(f"{status}: {why}")
        self.status = status


def require(condition, status, why):
    if not condition:
        raise Refused(status, why)


class Session:
    def __init__(self, account, answer):
        self.account, self.id, self.token = account, answer["id"], answer["token"]
        self.path = f"/v1/sessions/{self.id}"
        self.is_connected = True
        self.name_of_it = f"{account} {len(account.sessions)}"


class Account:
    """A customer on a channel."""

    def __init__(self, channel, customer):
        self.channel, self.customer = channel, customer
        self.first, self.last = None, None
        self.fields = {}
        self.sessions = []
        self.threads = {}  # by id: those it is a member of

    def __repr__(self):
        return f"{self.customer}@{self.channel}"

    @property
    def open_thread(self):
        return next((thread for thread in self.threads.values() if thread.state != "closed"), None)


class Member:
    def __init__(self, state="joined", read=0):
        self.state, self.is_hidden = state, False
        self.unread = set()  # ids
        self.read = read  # number of the newest message that it had seen when it last read
        self.was_reset = False
        self.line = 0  # messages up to this number are out of its sight


class Message:
    def __init__(self, id, number, text, author, **more):
        self.id, self.number, self.text, self.author = id, number, text, author
        self.custom_type = more.get("custom_type")
        self.attachments = more.get("attachments") or []
        self.parent, self.also = more.get("parent"), more.get("also")
        self.type = more.get("type") or ("file" if self.attachments else "text")
        self.created = None
        self.contact = None  # the number of the thread's contact in which it was sent
        self.is_seen = self.is_edited = False
        self.has_untold_seen = False  # it became seen together with so many that no event of its own told it

    def __repr__(self):
        return self.id

    @property
    def is_from_customer(self):
        return self.author[0] == "customer"

    @property
    def is_in_conversation(self):
        return self.parent is None or self.also

    def is_own(self, account):
        """Whether the account has written it; for None: whether the desk has."""
        return not self.is_from_customer if account is None else self.author == ("customer", account.customer)


class Thread:
    def __init__(self, id, owner, number, state="pending"):
        self.id, self.owner, self.number, self.state = id, owner, number, state
        self.channel = owner.channel
        self.name = self.custom_type = None
        self.fields = {}
        self.created = None
        self.members = {}
        self.messages = []  # in order
        self.gone = set()  # ids of messages that were removed
        self.desk_unread = set()
        self.is_known_to_desk = state != "pending"
        self.was_reset = False
        self.agent = self.former = None  # as the desk names them
        self.contact = 0  # how many there were
        self.has_contact = self.is_contact_closed = False
        self.waits_since = None  # a message, or the thread itself for its beginning

    def __repr__(self):
        return f"{self.id} of {self.owner}"

    @property
    def is_open(self):
        return self.state != "closed"

    @property
    def key(self):
        return (self.id, self.owner.channel, self.owner.customer)

    @property
    def activity(self):
        last = next((message for message in reversed(self.messages) if message.is_in_conversation), None)
        return last.created if last else self.created

    def message(self, id):
        return next((message for message in self.messages if message.id == id), None)

    def visible(self, account=None):
        """What an account sees, or the desk."""
        line = self.members[account].line if account else 0
        return [message for message in self.messages if message.number > line]

    def replies(self, message):
        return [each for each in self.messages if each.parent == message.id]

    def newest(self):
        return self.messages[-1].number if self.messages else 0

    # -- since when its customer waits for an answer

    @property
    def is_queued(self):
        return self.channel == LIVE and self.is_open and self.agent is None

    @property
    def is_handed_over(self):
        """A bot had it, and has it no longer."""
        return is_bot(self.former) and not is_bot(self.agent)

    def hear(self, message):
        if message.is_from_customer:
            self.waits_since = self.waits_since or message
        elif message.author[0] != "system" and not (message.author[0] == "bot" and self.is_handed_over):
            self.waits_since = None

    def begin_contact(self):
        self.contact += 1
        self.has_contact, self.is_contact_closed = True, False

    def give(self, agent):
        """To an agent, or to nobody."""
        if self.agent == agent:
            return
        if self.agent and (agent is None or agent["id"] != self.agent["id"]):
            self.former = self.agent
        self.agent = agent
        if self.waits_since is None and (self.is_handed_over or self.is_queued):
            self.waits_since = self.unanswered()

    def forget(self, message):
        """A message of the conversation is gone: a question, or an answer."""
        before = self.waits_since
        if message.is_from_customer:
            if before and before.created == message.created:
                self.waits_since = self.unanswered()
        elif message.author[0] != "system":
            since = self.unanswered()
            if since and not (before and before.created < since.created):
                self.waits_since = since

    def unanswered(self):
        """What the open contact says of it."""
        if not self.is_open or not self.has_contact or self.is_contact_closed:
            return None
        heard = [each for each in self.messages if each.is_in_conversation and each.contact == self.contact]
        questions = [each for each in heard if each.is_from_customer]
        answers = [each for each in heard if not each.is_from_customer and each.author[0] != "system"]
        begin = self if self.channel == LIVE else None
        if not answers:
            return begin or (questions[0] if questions else None)
        first = next((each for each in questions if each.number > answers[-1].number), None)
        if first:
            return first
        if (answers[-1].author[0] == "bot" and self.is_handed_over) or self.is_queued:
            return questions[-1] if questions else begin
        return None


def is_bot(agent):
    return bool(agent and agent.get("isBot"))


class World:
    """All accounts and threads, and the rules of the embedded service."""

    def __init__(self):
        self.accounts = []
        self.threads = []
        self.removed_threads = []
        self.files = {}  # attachment id: bytes
        self.dropped_files = set()
        self.numbers = itertools.count(1)

    # -- who may do what

    def check_send(self, thread, account, parent):
        if account:
            require(thread.members[account].state == "joined", 409, "only invited")
        require(thread.is_open, 409, "closed")
        if parent is not None:
            require(parent in thread.visible(account), 422, "the parent is out of sight")
            require(parent.parent is None and parent.type != "admin", 409, "no parent for a reply")

    def send(self, thread, account, id, text, author, **more):
        """Adds a message that the service has taken."""
        message = Message(id, next(self.numbers), text, author, **more)
        if thread.state == "pending":
            thread.state = "ready"
        thread.is_known_to_desk = True
        if not thread.has_contact or thread.is_contact_closed:
            thread.begin_contact()
        message.contact = thread.contact
        thread.messages.append(message)
        if message.is_in_conversation:
            thread.hear(message)
            if account:
                thread.desk_unread.add(id)
            for other, member in thread.members.items():
                member.is_hidden = False
                if other is not account:
                    member.unread.add(id)
        return message

    def edit(self, thread, account, message, text):
        if account:
            require(thread.members[account].state == "joined", 409, "only invited")
        require(message in thread.visible(account), 404, "out of sight")
        require(message.is_own(account), 403, "another's")
        require(thread.is_open, 409, "closed")
        if message.text != text:
            message.text, message.is_edited = text, True

    def remove(self, thread, account, message):
        if account:
            require(thread.members[account].state == "joined", 409, "only invited")
        require(message in thread.visible(account), 404, "out of sight")
        require(account is None or message.is_own(account), 403, "another's")
        require(not thread.replies(message), 409, "it has replies")
        self.erase(thread, message)
        if message.is_in_conversation:
            thread.forget(message)

    def erase(self, thread, message):
        thread.messages.remove(message)
        thread.gone.add(message.id)
        thread.desk_unread.discard(message.id)
        for member in thread.members.values():
            member.unread.discard(message.id)
        self.dropped_files.update(message.attachments)

    def read(self, thread, account):
        member = thread.members[account]
        require(member.state == "joined", 409, "only invited")
        if thread.state == "pending":
            return
        self.see([each for each in thread.messages if not each.is_from_customer and each.number > member.read])
        member.unread.clear()
        member.read = max(member.read, thread.newest())

    def desk_read(self, thread):
        self.see([each for each in thread.messages if each.is_from_customer])
        thread.desk_unread.clear()

    @staticmethod
    def see(messages):
        unseen = [message for message in messages if not message.is_seen]
        for message in unseen:
            message.is_seen = True
        for message in unseen[:-100]:
            message.has_untold_seen = True

    # -- threads

    def add_thread(self, thread, members):
        self.threads.append(thread)
        for account, state in members:
            self.join(thread, account, state)

    def join(self, thread, account, state):
        thread.members[account] = Member(state, thread.newest())
        account.threads[thread.id] = thread

    def leave(self, thread, account):
        del thread.members[account]
        del account.threads[thread.id]

    def close(self, thread):
        thread.state = "closed"
        thread.is_contact_closed = thread.has_contact
        thread.waits_since = None

    def end_contact(self, thread):
        if thread.channel == LIVE:
            self.close(thread)
        elif thread.has_contact and not thread.is_contact_closed:
            thread.is_contact_closed, thread.waits_since = True, None
            thread.former, thread.agent = thread.agent or thread.former, None

    def remove_thread(self, thread):
        """For good, for everybody: its id is free again."""
        for account in list(thread.members):
            del account.threads[thread.id]
        for message in thread.messages:
            self.dropped_files.update(message.attachments)
            thread.gone.add(message.id)
        self.threads.remove(thread)
        self.removed_threads.append(thread)

    def reset_own(self, thread, account):
        member = thread.members[account]
        require(member.state == "joined", 409, "only invited")
        member.line = member.read = thread.newest() or member.line
        member.unread.clear()
        member.was_reset = True

    def reset_all(self, thread):
        for message in list(thread.messages):
            self.erase(thread, message)
        thread.was_reset = True
        thread.waits_since = thread if thread.is_queued else None
        for member in thread.members.values():
            member.line = 0
            member.unread.clear()

    def queue(self, channel):
        """The live chats that wait for an agent, in order."""
        waiting = [
            thread for thread in self.threads if thread.channel == channel and thread.is_open and thread.agent is None
        ]
        return sorted(waiting, key=lambda thread: (thread.created, thread.number))

    def listed(self, account=None, state="all"):
        """The threads of an account, or of the desk: the last activity first, ties by id."""
        threads = (
            account.threads.values() if account else [thread for thread in self.threads if thread.is_known_to_desk]
        )
        wanted = [thread for thread in threads if state == "all" or thread.is_open == (state == "open")]
        wanted.sort(key=lambda thread: thread.key)
        return sorted(wanted, key=lambda thread: thread.activity, reverse=True)

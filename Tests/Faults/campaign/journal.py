"""What clients asked for and what they were told: the truth that rows, log, pages and streams are compared with."""

import threading
import uuid

#: States of a message that are no text.
ABSENT, REMOVED = "<absent>", "<removed>"


class Entry:
    """One thing that clients change, and the states it may be in: one if every change was answered.

    A change that was not answered, or answered by a failure of the gateway, may have happened.
    """

    __slots__ = ("states", "creations", "attachment", "parent", "pending")

    def __init__(self, states):
        self.states = states
        self.attachment = self.parent = None

    @property
    def must_be(self):
        return self.states[0] if len(self.states) == 1 else None


class Journal:
    """Entries by keys such as ("message", thread, id); written by the threads of the load."""

    def __init__(self):
        self._lock = threading.Lock()
        self.entries = {}
        #: Texts that were in a message at any time, by its key.
        self.texts = {}
        self.sessions = {}
        #: Messages that were sent with an Idempotency-Key, which is their id: by whom, and the body.
        self.keyed = {}
        self.acknowledged = self.refused = self.unknown = 0

    def text(self, words=""):
        """A text that is found again wherever it is."""
        return f"w{uuid.uuid4().hex} {words}"

    def entry(self, key, before=ABSENT):
        with self._lock:
            return self.entries.setdefault(key, Entry([before]))

    def began(self, key, after, before=ABSENT):
        """A change is asked for: from now on it may have happened."""
        entry = self.entry(key, before)
        with self._lock:
            entry.pending = list(entry.states)
            if after not in entry.states:
                entry.states = [*entry.states, after]
            if key[0] == "message" and after != REMOVED:
                self.texts.setdefault(key, []).append(after)
        return entry

    def answered(self, key, after, status):
        """The answer came: it happened, it did not happen (the request was refused), or nobody knows (a failure)."""
        entry = self.entries[key]
        with self._lock:
            if 200 <= status < 300:
                entry.states = [after]
                self.acknowledged += 1
            elif status < 500 or status == 503:
                entry.states = entry.pending
                self.refused += 1
            else:
                self.unknown += 1

    def not_answered(self, key):
        with self._lock:
            self.unknown += 1

    def of(self, kind):
        with self._lock:
            return {key: entry for key, entry in self.entries.items() if key[0] == kind}

    def settle(self, key, state):
        """The check has seen in which of the possible states it is; there it must stay."""
        self.entries[key].states = [state]

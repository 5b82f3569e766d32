"""How a receiver of webhooks answers: late, with failures, with cut connections, in shares of its own."""

import random

from webhook_receiver import CUT, RESET, TORN, Answer

#: Answers that speak of the receiver, so that all its events wait.
FAILURES = [500, 502, 503, 401, 404, 302]


class Mood:
    """Its shares are chosen once, its answers one by one. A healed one takes everything at once."""

    def __init__(self, seed, timeout):
        self.seed, self.timeout = random.Random(seed.random()), timeout
        self.delay = seed.choice([0, 0.005, 0.03, 0.15])
        self.failing = seed.choice([0, 0.01, 0.05])
        self.cutting = seed.choice([0, 0.01, 0.05])
        self.sleeping = seed.choice([0, 0, 0.01])
        self.aborting = seed.choice([0, 0.01])
        # A thread waits for 5 seconds then, so it is not in each round.
        self.refusing = seed.choice([0, 0, 0, 0.005])
        self.leaving = seed.choice([0, 0, 0.003])
        self.is_healed = False
        self._refused = set()

    def __call__(self, receipt):
        if self.is_healed:
            return Answer()
        delay = self.seed.expovariate(1 / self.delay) if self.delay else 0
        chance = self.seed.random()
        for share, answer in (
            (self.failing, lambda: Answer(self.seed.choice(FAILURES), delay)),
            (self.cutting, lambda: Answer(self.seed.choice([CUT, TORN, RESET]), delay)),
            (self.sleeping, lambda: Answer(204, self.timeout * 1.3)),
            (self.aborting, lambda: Answer(422, delay, {"webhook-delivery": "abort-message"})),
            (self.refusing, lambda: self.refuse(receipt, delay)),
            (self.leaving, lambda: Answer(410, delay)),
        ):
            chance -= share
            if chance < 0:
                return answer()
        return Answer(self.seed.choice([200, 204]), min(delay, self.timeout / 4))

    def refuse(self, receipt, delay):
        """Once for each event: the second time its thread would wait for a minute."""
        if receipt.id in self._refused:
            return Answer(204, delay)
        self._refused.add(receipt.id)
        return Answer(400, delay)

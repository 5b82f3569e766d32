"""Two gateways on one PostgreSQL database: how they are started, and how a session is asked for at the other one."""

import contextlib
import shutil
import time

import pytest
from serving import Chat, Gateway, Gone, until

#: The exit status of a gateway that has lost the lease.
LOST = 75


def gateway(server, name, like=None, address=None, more=()):
    """A gateway on the server's database. Another one's key and token make its sessions' tokens valid here."""
    made = Gateway(arguments=[*more, "--store", address or server.address, "--gateway-name", name])
    if like:
        made.folder.mkdir(parents=True, mode=0o700)
        for secret in ["key", "token"]:
            shutil.copy(like.folder / secret, made.folder / secret)
    return made


def standby(made):
    """Starts the process, and waits until it answers as a standby, or passes requests on."""
    made.launch()

    def answers():
        is_ready = made._is_ready()
        if "--advertise" in made.arguments:
            return is_ready
        with contextlib.suppress(Gone, AttributeError):
            return made.call("GET", "/readyz", token=None).code == "standby"

    until("the standby to answer", answers)
    # It answers so before it has looked at the database, too.
    made.wait_for_log("message=standby")
    made.token = (made.folder / "token").read_text().strip()
    return made


@contextlib.contextmanager
def two(server, more=()):
    """The active gateway and a standby, each with a data folder of its own."""
    first = gateway(server, "one", more=more)
    try:
        first.start()
        second = gateway(server, "two", like=first, more=more)
        try:
            yield first, standby(second)
        finally:
            second.close()
    finally:
        first.close()


@pytest.fixture
def pair(postgres):
    with two(postgres) as made:
        yield made


def ready(made, seconds=10):
    """How long it took until the gateway was ready."""
    begin = time.monotonic()
    until("the other gateway to be ready", made._is_ready, seconds)
    return time.monotonic() - begin


def on(made, chat):
    """The same session, asked for at another gateway."""
    moved = object.__new__(Chat)
    moved.__dict__.update(chat.__dict__, gateway=made)
    return moved


def text_of(event):
    """The text of a message.created."""
    return event.json.get("data", event.json)["message"]["text"]

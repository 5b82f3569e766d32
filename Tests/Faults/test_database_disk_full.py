"""PostgreSQL's disk is full: the gateway says so, also to the balancer, and goes on when there is room."""

import shutil

from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, until
from standby import gateway
from test_disk_full import fill, small_disk  # noqa: F401  (a fixture)

pytestmark = needs_postgres

FULL = 'parley_store_errors_total{work="write",code="storageFull"}'


def test_a_full_disk_is_told(postgres, small_disk):  # noqa: F811
    space, ballast = small_disk / "space", small_disk / "ballast"
    space.mkdir()
    shutil.chown(space, "postgres")
    small_disk.chmod(0o755)
    postgres.ask(f"CREATE TABLESPACE small LOCATION '{space}'")
    postgres.ask("CREATE DATABASE chat TABLESPACE small")
    made = gateway(postgres, "one", address=postgres.address.replace("/postgres?", "/chat?"))
    try:
        made.start()
        chat = Chat(made)
        thread = chat.thread()
        assert made.metrics()[FULL] == 0
        fill(ballast)

        def refused():
            answer = made.post(chat.messages_path(thread), {"text": "x" * 60_000}, token=chat.token)
            return None if answer.status == 201 else answer

        answer = until("no room to be left", refused, every=0)
        assert (answer.status, answer.code) == (507, "storageFull"), answer
        # However often it is asked: nothing is stored until there is room.
        for _ in range(3):
            ready = made.call("GET", "/readyz", token=None)
            assert ready.status == 503 and "disk of the database is full" in ready.body.decode(), ready
        assert made.metrics()[FULL] >= 1
        assert made.call("GET", "/livez", token=None).status == 200
        ballast.unlink()
        until("/readyz to say 200", lambda: made.call("GET", "/readyz", token=None).status == 200)
        chat.say(thread, "room again")
    finally:
        made.close()
        postgres.ask("DROP DATABASE IF EXISTS chat WITH (FORCE)")
        postgres.ask("DROP TABLESPACE IF EXISTS small")

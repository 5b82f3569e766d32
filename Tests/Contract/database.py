"""Where the gateways of the tests keep their rows: with PARLEY_TEST_STORE=postgres each data folder has a database of its
own in the server that Tests/with-postgres has started; else they are in SQLite.

The gateway refuses a server that may lose what it has acknowledged, so: PARLEY_POSTGRES_FLAGS='-c fsync=on'.
"""

import os
import subprocess
import urllib.parse
import uuid

import pytest

IS_POSTGRES = os.environ.get("PARLEY_TEST_STORE") == "postgres"


def sqlite_only(reason):
    """Marks tests that say nothing of PostgreSQL, or run beside it anyway, with the reason."""
    return pytest.mark.skipif(IS_POSTGRES, reason=f"on SQLite only: {reason}")


class Database:
    """The database of one data folder. It outlives the gateway's processes."""

    def __init__(self):
        self.name = f"c_{uuid.uuid4().hex}"
        self._is_made = False

    @property
    def arguments(self):
        """What the gateway is started with. Makes the database before the first start."""
        if not IS_POSTGRES:
            return []
        if not self._is_made:
            self._ask(f"CREATE DATABASE {self.name}")
            self._is_made = True
        # A name that stays: a gateway that was killed takes over from itself at once.
        return ["--gateway-name", "test", "--store", self._address()]

    def drop(self):
        if self._is_made:
            self._ask(f"DROP DATABASE {self.name} WITH (FORCE)")
            self._is_made = False

    @staticmethod
    def _server():
        server = os.environ.get("PARLEY_TEST_POSTGRES")
        assert server, "PARLEY_TEST_STORE=postgres needs Tests/with-postgres"
        return server

    def select(self, sql):
        """The rows of a query, as texts."""
        return [line.split("\t") for line in self._ask(sql, self._address()).splitlines()]

    def _address(self):
        return urllib.parse.urlsplit(self._server())._replace(path=f"/{self.name}").geturl()

    def _ask(self, sql, address=None):
        done = subprocess.run(
            ["psql", "-XqtAF\t", address or self._server(), "-c", sql], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

"""A PostgreSQL server of a test's own, Debian's program but not its service, in a temporary folder."""

import contextlib
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest
from database import IS_POSTGRES
from serving import until


def programs():
    """The folder of the newest server's programs; None without one."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[-2]))
    return found[-1] if found else None


needs_postgres = pytest.mark.skipif(
    IS_POSTGRES or programs() is None,
    reason="it starts a PostgreSQL of its own, and runs without PARLEY_TEST_STORE" if IS_POSTGRES
    else "no PostgreSQL here (Debian's package postgresql-15)")


class Server:
    """One server on a UNIX socket. It writes through to the disk, for a gateway refuses one that does not."""

    def __init__(self, *settings, within=(), listen=()):
        """`within` is a command that runs another one, such as that of a network namespace. The server also listens on
        the IPv4 addresses of `listen`, and trusts whoever comes there."""
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-postgres-"))
        self._settings = [f"listen_addresses={','.join(listen)}", *settings]
        # The server refuses to run as root.
        self._as = [*within, *(["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else [])]
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
        self._make()
        with open(f"{self._folder}/data/pg_hba.conf", "a") as rules:
            rules.writelines(f"host all all {address}/16 trust\n" for address in listen)
        self.start()

    def _make(self):
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")

    def _run(self, program, *arguments):
        path = self._folder.parent / f"{self._folder.name}.log"
        with open(path, "ab") as log:
            done = subprocess.run(
                [*self._as, f"{programs()}/{program}", "-D", f"{self._folder}/data", *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", timeout=60)
        if done.returncode:
            print(path.read_text()[-4000:])
        done.check_returncode()

    def start(self):
        settings = [f"unix_socket_directories={self._folder}", "max_connections=60", *self._settings]
        self._run("pg_ctl", "-w", "-l", f"{self._folder}/server.log", "-o",
                  " ".join(f"-c {setting}" if not setting.endswith("=") else f"-c {setting}''" for setting in settings),
                  "start")

    def stop(self, mode="immediate"):
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def kill(self):
        """Its first process dies, and the others follow as soon as they look."""
        lines = pathlib.Path(f"{self._folder}/data/postmaster.pid").read_text().splitlines()
        os.kill(int(lines[0]), signal.SIGKILL)

    def promote(self):
        self._run("pg_ctl", "-w", "promote")

    @property
    def address(self):
        return f"postgresql://postgres@/postgres?host={self._folder}"

    def address_with(self, other):
        """That of whichever of the two takes writes."""
        return f"postgresql://postgres@/postgres?host={self._folder},{other._folder}&target_session_attrs=read-write"

    def ask(self, sql):
        """The rows of a query, each a list of texts."""
        out = subprocess.run(
            [f"{programs()}/psql", "-X", "-A", "-t", "-F", "\t", "-d", self.address, "-c", sql],
            check=True, capture_output=True, text=True, timeout=30).stdout
        return [line.split("\t") for line in out.splitlines() if line]

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
        (self._folder.parent / f"{self._folder.name}.log").unlink(missing_ok=True)


class Replica(Server):
    """A standby of another server, as pg_basebackup makes it. The primary knows it by its name."""

    def __init__(self, primary, name, *settings):
        self._source = f"host={primary._folder} user=postgres application_name={name}"
        super().__init__(*settings)

    def _make(self):
        self._run("pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--dbname", self._source)

    def is_behind(self, primary):
        """Whether there is something that it has not received and shown yet."""
        [[end]] = primary.ask("SELECT pg_current_wal_lsn()")
        return self.ask(f"SELECT pg_last_wal_replay_lsn() < '{end}'") == [["t"]]

    def disconnect(self):
        """It receives nothing more, as behind a network that is slower than the writes."""
        self.ask("ALTER SYSTEM SET primary_conninfo = ''")
        self.ask("SELECT pg_reload_conf()")
        until("its receiver to end", lambda: self.ask("SELECT pid FROM pg_stat_wal_receiver") == [])
        until("what it has received to be shown", lambda: self.ask(
            "SELECT coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), true)") == [["t"]])


@pytest.fixture
def postgres():
    server = Server()
    yield server
    server.close()

"""A PostgreSQL server of a test's own, Debian's program but not its service, in a temporary folder."""

import atexit
import contextlib
import functools
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


def as_postgres():
    """What a command begins with that must not run as root, as the server must not."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def new_folder(prefix):
    """A temporary folder of the user that the server runs as."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    return folder


def run(command, log):
    """Runs a program of PostgreSQL. What it says is added to the file `log`, and shown when it fails."""
    with open(log, "ab") as out:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/", timeout=60)
    if done.returncode:
        print(pathlib.Path(log).read_text()[-4000:])
    done.check_returncode()


@functools.cache
def pattern():
    """The data folder of a server that has never run. To make one takes seconds, and to copy it does not. By their
    identifier, all copies are one server."""
    folder = new_folder("parley-postgres-pattern-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run([*as_postgres(), f"{programs()}/initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
         "--locale=C.UTF-8", "--no-sync"], folder / "log")
    return folder / "data"


class Server:
    """One server on a UNIX socket. It writes through to the disk, for a gateway refuses one that does not."""

    def __init__(self, *settings, within=(), listen=()):
        """`within` is a command that runs another one, such as that of a network namespace. The server also listens on
        the IPv4 addresses of `listen`, and trusts whoever comes there."""
        self._folder = new_folder("parley-postgres-")
        self._settings = [f"listen_addresses={','.join(listen)}", *settings]
        self._as = [*within, *as_postgres()]
        self._make()
        with open(f"{self._folder}/data/pg_hba.conf", "a") as rules:
            rules.writelines(f"host all all {address}/16 trust\n" for address in listen)
        self.start()

    def _make(self):
        subprocess.run(["cp", "-a", pattern(), self._folder / "data"], check=True)

    @property
    def _log(self):
        return self._folder.parent / f"{self._folder.name}.log"

    def _run(self, program, *arguments):
        run([*self._as, f"{programs()}/{program}", "-D", f"{self._folder}/data", *arguments], self._log)

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
        self._log.unlink(missing_ok=True)


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

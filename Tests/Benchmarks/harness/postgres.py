"""A PostgreSQL server as Debian ships it, in a folder of its own, with a database for each measurement."""

import contextlib
import glob
import os
import shutil
import subprocess
import tempfile

from .processes import Failure, Process, run, wait_until


class Server:
    """Where a server listens."""

    def __init__(self, folder):
        self.folder = folder

    def address(self, database="postgres"):
        return f"postgresql://postgres@/{database}?host={self.folder}"


class Postgres(Server):
    """On a UNIX socket, with its own settings but for the number of connections. It writes through to the disk."""

    def __init__(self, bench):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[-2]))
        if not found:
            raise Failure("no PostgreSQL here (Debian's package postgresql-15)")
        self.bench, self._programs = bench, found[-1]
        self._count = 0
        # The server refuses to run as root.
        self._user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}

    def __enter__(self):
        # Not in the run's folder: the server's user may not enter it.
        self.folder = tempfile.mkdtemp(prefix="parley-bench-")
        try:
            if self._user:
                shutil.chown(self.folder, self._user["user"])
            run([f"{self._programs}/initdb", "-D", f"{self.folder}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8"], 60, cwd="/", **self._user)
            self.process = Process(
                [f"{self._programs}/postgres", "-D", f"{self.folder}/data", "-c", "listen_addresses=",
                 "-c", f"unix_socket_directories={self.folder}", "-c", "max_connections=200"],
                self.bench.new_path("postgres.log"), cwd="/", **self._user)
            wait_until(self._answers, "PostgreSQL", self.process, step=0.05)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if hasattr(self, "process"):
            # SIGINT ends its sessions too.
            self.process.stop(2)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self):
        with contextlib.suppress(Failure):
            self.ask("SELECT 1")
            return True

    def ask(self, sql, database="postgres"):
        """What psql prints."""
        return run([self.program("psql"), "-X", "-A", "-t", "-q", "-d", self.address(database), "-c", sql], 120)

    @contextlib.contextmanager
    def behind(self, delay):
        """The same server where each round trip takes so many microseconds more."""
        folder, name = tempfile.mkdtemp(prefix="parley-bench-"), ".s.PGSQL.5432"
        try:
            with Process(
                    [self.bench.program("delay"), f"{folder}/{name}", f"{self.folder}/{name}", str(delay // 2)],
                    self.bench.new_path("delay.log"), stdout=subprocess.PIPE) as process:
                if not process.child.stdout.readline().startswith(b"listening"):
                    process.child.wait(5)
                process.check()
                yield Server(folder)
                process.check()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def program(self, name):
        return f"{self._programs}/{name}"

    @contextlib.contextmanager
    def copy(self, template="template0"):
        """A copy of a database; gone afterwards. What earlier ones left to be written is written."""
        self._count += 1
        name = f"run{self._count}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.ask("CHECKPOINT")
        try:
            yield name
        finally:
            self.ask(f"DROP DATABASE {name} WITH (FORCE)")

    @contextlib.contextmanager
    def snapshot(self, database):
        """A transaction that sees the database as it is now, for as long as the block runs, as a backup does."""
        holder = Process(
            [self.program("psql"), "-X", "-q", "-A", "-t", "-d", self.address(database)],
            self.bench.new_path("snapshot.log"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with holder:
            statements = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SELECT count(*) FROM message"]
            holder.child.stdin.write("".join(f"{each};\n" for each in statements).encode())
            holder.child.stdin.flush()
            holder.child.stdout.readline()
            yield
            holder.check()

"""Synapse, a Matrix homeserver, from PyPI, on SQLite as it comes."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys

from .api import Api
from .gateway import TEXT
from .processes import Failure, Process, run, wait_until

# Installed once and kept: it takes a minute.
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "parley-bench", "synapse")

# Its limits on one user's pace would measure themselves.
UNLIMITED = "{per_second: 1000000, burst_count: 1000000}"
CONFIGURATION = """
server_name: localhost
pid_file: {folder}/pid
listeners:
  - port: {port}
    bind_addresses: ['127.0.0.1']
    type: http
    tls: false
    resources: [{{names: [client]}}]
database: {{name: sqlite3, args: {{database: {folder}/homeserver.db}}}}
log_config: {folder}/log.yaml
media_store_path: {folder}/media
signing_key_path: {folder}/signing.key
macaroon_secret_key: bench
form_secret: bench
report_stats: false
trusted_key_servers: []
enable_registration: true
enable_registration_without_verification: true
rc_message: {unlimited}
rc_registration: {unlimited}
rc_login: {{address: {unlimited}, account: {unlimited}, failed_attempts: {unlimited}}}
rc_joins: {{local: {unlimited}, remote: {unlimited}}}
rc_room_creation: {unlimited}
"""
LOG = "version: 1\nhandlers: {console: {class: logging.StreamHandler}}\nroot: {level: WARNING, handlers: [console]}\n"


def installed(bench):
    """The Python that has Synapse; installs it when it is missing."""
    python = f"{CACHE}/bin/python"
    if subprocess.run([python, "-c", "import synapse"], capture_output=True).returncode if os.path.exists(python) else True:
        bench.say("installing Synapse from PyPI ...")
        run([sys.executable, "-m", "venv", CACHE], 120)
        run([f"{CACHE}/bin/pip", "install", "-q", "matrix-synapse"], 600)
    return python


class Synapse:
    def __init__(self, bench):
        self.bench = bench

    def __enter__(self):
        python = installed(self.bench)
        folder = self.bench.new_path("synapse")
        os.mkdir(folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        for name, text in [("homeserver.yaml", CONFIGURATION.format(folder=folder, port=self.port, unlimited=UNLIMITED)), ("log.yaml", LOG)]:
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        run([python, "-m", "synapse.app.homeserver", "-c", f"{folder}/homeserver.yaml", "--generate-keys"], 60, cwd=folder)
        self.process = Process(
            [python, "-m", "synapse.app.homeserver", "-c", f"{folder}/homeserver.yaml"], f"{folder}/log", cwd=folder)
        try:
            wait_until(self._answers, "Synapse", self.process, 60, step=0.1)
        except Failure:
            self.process.stop()
            raise
        return self

    def _answers(self):
        try:
            Api(self.port).call("GET", "/_matrix/client/versions")
            return True
        except Failure:
            return False

    def writer(self):
        """A user with a room: the line that sends to it, the line that reads a page of 20."""
        api = Api(self.port)
        user = api.call("POST", "/_matrix/client/v3/register", {
            "username": "u" + secrets.token_hex(6), "password": secrets.token_hex(12), "auth": {"type": "m.login.dummy"}})
        token = user["access_token"]
        room = api.call("POST", "/_matrix/client/v3/createRoom", {"preset": "private_chat"}, token)["room_id"]
        path = f"/_matrix/client/v3/rooms/{room}"
        body = json.dumps({"msgtype": "m.text", "body": TEXT})
        return (
            "\t".join(["PUT", path + "/send/m.room.message/{id}", token, body]),
            "\t".join(["GET", path + "/messages?dir=b&limit=20", token, ""]))

    def __exit__(self, *_):
        self.process.stop(signal.SIGTERM, patience=20)

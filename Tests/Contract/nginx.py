"""nginx in front of a gateway, as a reverse proxy with the settings that it has by itself."""

import contextlib
import copy
import os
import pwd
import shutil
import socket
import subprocess
import tempfile

from gateway import until

BINARY = shutil.which("nginx") or "/usr/sbin/nginx"
CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://{gateway};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            {more}
        }}
    }}
}}
"""


@contextlib.contextmanager
def in_front_of(gateway, more=""):
    """The gateway as clients of the proxy see it. `more` are further settings of the location."""
    with tempfile.TemporaryDirectory(prefix="parley-nginx-") as folder:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # Started by root, the workers would become nobody, who may not write here.
        user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(CONFIGURATION.format(user=user, folder=folder, port=port, gateway=gateway.authority, more=more))
        log = os.path.join(folder, "error.log")
        process = subprocess.Popen([BINARY, "-p", folder, "-e", log, "-c", path])
        try:
            proxied = copy.copy(gateway)
            proxied.port = port

            def answers():
                assert process.poll() is None, open(log).read()
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    return True
                except OSError:
                    return False

            until("nginx to answer", answers)
            yield proxied
        finally:
            process.terminate()
            process.wait(30)

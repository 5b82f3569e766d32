"""nchan: the publish-and-subscribe module of nginx, with its own configuration in the benchmark's folder."""

import os
import pwd
import socket

from .processes import Failure, Process, wait_until

MODULE = "/usr/lib/nginx/modules/ngx_nchan_module.so"

CONFIGURATION = """
load_module {module};
daemon off;
{user}
worker_processes {workers};
worker_rlimit_nofile {descriptors};
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    # The publisher keeps its one connection, and a burst of it is kept until the slowest has read it.
    keepalive_requests 100000000;
    client_body_buffer_size 64k;
    nchan_shared_memory_size 256m;
    nchan_message_buffer_length 100000;
    nchan_message_timeout 10m;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location = /events {{ nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }}
        location = /publish {{ nchan_publisher http; nchan_channel_id bench; }}
    }}
}}
"""


class Nchan:
    def __init__(self, bench, workers, descriptors):
        self.bench, self.workers, self.descriptors = bench, workers, descriptors

    def __enter__(self):
        if not os.path.exists(MODULE):
            raise Failure("nchan is not installed (Debian: nginx-light libnginx-mod-nchan)")
        # nginx cannot say which port it was given: a free one is looked for, and taken if nobody was faster.
        for attempt in range(5):
            try:
                return self._start()
            except Failure:
                if attempt == 4:
                    raise

    def _start(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        folder = self.bench.new_path("nchan")
        os.mkdir(folder)
        # Started by root, the workers would become nobody, who may not write here.
        user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
        configuration = self.bench.file("nginx.conf", CONFIGURATION.format(
            module=MODULE, user=user, workers=self.workers, descriptors=self.descriptors, folder=folder,
            connections=self.descriptors - 100, port=self.port))
        self.process = Process(["nginx", "-p", folder, "-c", configuration], f"{folder}/error.log")
        wait_until(self._answers, "nchan", self.process, 10)
        return self

    def _answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.stop()

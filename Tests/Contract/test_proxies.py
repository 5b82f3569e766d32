"""The gateway behind nginx and Caddy, with the configurations of the article as they stand there."""

import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile

import pytest
from chat import Chat, add_channels
from gateway import DEADLINE, Gateway, binary, until

ARTICLE = pathlib.Path(__file__).resolve().parents[2] / "Sources/parley/Parley.docc/BehindAProxy.md"
HOST = "chat.example.com"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def block(article, language, places):
    """An article's first block in a language. `places` are addresses and files that it names, and those of the test."""
    text = re.search(rf"```{language}\n(.*?)```", article.read_text(), re.S)[1]
    for written, here in places:
        assert written in text, f"{article.name} does not say {written}"
        text = text.replace(written, here)
    return text


def nginx(port, gateway, folder):
    return nginx_with(folder, block(ARTICLE, "nginx", [
        ("127.0.0.1:8787", f"127.0.0.1:{gateway.port}"), (f"/etc/ssl/{HOST}", f"{folder}/{HOST}"), ("listen 443", f"listen 127.0.0.1:{port}")]))


def nginx_with(folder, site):
    """The command that runs nginx with these blocks."""
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/nginx.pid; error_log stderr; events {{ }}
        http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; include {folder}/site.conf; }}""")
    return [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(port, gateway, folder):
    options = "{\n    admin off\n    auto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + block(ARTICLE, "caddy", [
        ("127.0.0.1:8787", f"127.0.0.1:{gateway.port}"), (f"/etc/ssl/{HOST}", f"{folder}/{HOST}"),
        (f"{HOST} {{\n    tls", f"https://{HOST}:{port} {{\n    bind 127.0.0.1\n    tls")]))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


class Proxy:
    """A proxy with TLS, and a client that trusts its certificate. `host` is the first of its names."""

    def __init__(self, command, gateway, host=HOST, *others):
        self.gateway, self.port, self.host = gateway, free_port(), host
        self._own = tempfile.TemporaryDirectory(prefix="parley-proxy-")
        self.folder = pathlib.Path(self._own.name)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={host}", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in (host, *others)),
             "-keyout", f"{self.folder}/{host}.key", "-out", f"{self.folder}/{host}.pem"], check=True, capture_output=True)
        self.trust = ssl.create_default_context(cafile=f"{self.folder}/{host}.pem")
        self.errors = open(self.folder / "log", "wb")
        environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        self.process = subprocess.Popen(
            command(self.port, gateway, self.folder), stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
            env=environment)
        until("the proxy to answer", self._answers)

    def _answers(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            return self.call("GET", "/readyz").status == 200
        except OSError:
            return False

    def connection(self, host=None):
        """Over TLS, by a name of the proxy, which leads to this machine."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection = http.client.HTTPSConnection(host or self.host, 443, timeout=30)
        connection.sock = self.trust.wrap_socket(plain, server_hostname=host or self.host)
        return connection

    def call(self, method, path, body=None, headers=(), host=None, token=None):
        """With the gateway's token or another one, unless the headers have a cookie."""
        headers = dict(headers)
        if "Cookie" not in headers:
            headers["Authorization"] = f"Bearer {token or self.gateway.token}"
        connection = self.connection(host)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode()
        connection.close()
        return answer

    def close(self):
        # A graceful end would wait for streams, which last.
        self.process.kill()
        self.process.wait(30)
        self.errors.close()
        self._own.cleanup()


@pytest.fixture(scope="module")
def behind():
    with Gateway(options=["--allow-host", HOST, "--trust-proxy", "--proxy-hops", "1"]) as gateway:
        yield add_channels(gateway)


@pytest.fixture(scope="module", params=[nginx, caddy])
def proxy(request, behind):
    proxy = Proxy(request.param, behind)
    yield proxy
    proxy.close()


def test_a_page_gets_a_secure_cookie_and_links_of_the_proxy(proxy):
    answer = proxy.call("POST", "/auth/codes")
    url = json.loads(answer.text)["url"]
    assert url.startswith(f"https://{HOST}/auth/")
    login = proxy.call("POST", f"/auth/codes/{url.rpartition('/')[2]}/redeem", headers={"Origin": f"https://{HOST}", "Cookie": ""})
    assert login.status == 200 and login.headers["Set-Cookie"].endswith("; Secure")
    cookie = login.headers["Set-Cookie"].partition(";")[0]
    assert cookie.startswith("__Host-parley_p_"), "no other host and no plain HTTP can set it"
    # As a browser sends it from the gateway's own page.
    answer = proxy.call(
        "POST", "/v1/sessions", json.dumps({"channel": "contract-multi"}),
        {"Content-Type": "application/json", "Cookie": cookie, "Parley-Page": json.loads(login.text)["page"], "Origin": f"https://{HOST}"})
    assert answer.status == 201
    problem = json.loads(proxy.call("GET", "/v1/none").text)
    assert problem["type"] == f"https://{HOST}/docs/problems/notFound"


def test_the_sandbox_names_the_proxy(proxy):
    sandbox = json.loads(proxy.call("GET", "/v1/info").text)["sandbox"]
    assert (sandbox["url"], sandbox["socket"]) == (f"https://{HOST}", f"wss://{HOST}/socket")


def test_the_audit_names_the_client_and_not_the_proxy(proxy):
    body, headers = json.dumps({"name": "k", "scopes": ["metrics.read"]}), {"Content-Type": "application/json", "X-Forwarded-For": "198.51.100.7"}
    assert proxy.call("POST", "/v1/keys", body, headers).status == 201
    address = proxy.gateway.get("/v1/audit?action=key.created")["items"][0]["address"]
    assert address == "127.0.0.1", "without a port: it comes from the proxy's header, at its place"


def test_a_stream_passes_at_once(proxy):
    chat = Chat(proxy.gateway, "contract-multi")
    thread, _ = chat.open(name="Behind")
    connection = proxy.connection()
    connection.request("GET", f"{chat.path}/events", headers={"Authorization": f"Bearer {proxy.gateway.token}"})
    stream = connection.getresponse()
    assert stream.status == 200
    for _ in range(3):
        sent = proxy.gateway.post(f"{thread}/messages", {"text": "At once"})["id"]
        line = b""
        while not (line.startswith(b"data:") and sent.encode() in line):
            line = stream.readline()
            assert line, "the stream ended"
    connection.close()


def test_a_file_of_several_megabytes_passes(proxy):
    chat = Chat(proxy.gateway, "contract-multi")
    text = "0123456789abcdef" * (3 << 16)
    answer = proxy.call("POST", f"{chat.path}/attachments", text, {
        "Content-Type": "text/plain", "Content-Disposition": 'attachment; filename="long.txt"'})
    assert answer.status == 201, answer.text
    assert proxy.call("GET", f"{chat.path}/attachments/{json.loads(answer.text)['id']}").text == text


def test_each_client_of_a_proxy_has_tries_of_its_own():
    """Counted from the right: what the client itself has sent stands to the left of what the proxy appends."""
    def wrong(gateway, forwarded):
        return gateway.call("GET", "/v1/keys", token="wrong", headers={"Host": HOST, "X-Forwarded-For": forwarded}).status

    with Gateway(options=["--allow-host", HOST, "--trust-proxy", "--proxy-hops", "1"]) as gateway:
        assert [wrong(gateway, f"198.51.100.{number}, 192.0.2.1") for number in range(21)] == [401] * 20 + [429]
        assert wrong(gateway, "192.0.2.1, 192.0.2.2") == 401
        gateway.post("/v1/keys", {"name": "Prometheus", "scopes": ["metrics.read"]}, headers={"X-Forwarded-For": "192.0.2.3"})
        assert gateway.get("/v1/audit")["items"][0]["address"] == "192.0.2.3"


def test_proxies_that_are_not_believed_are_not_counted(tmp_path):
    done = subprocess.run(
        [binary(), "serve", "--proxy-hops", "1", "--listen", "127.0.0.1:0", "--data", str(tmp_path)],
        capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode != 0 and "trust-proxy" in done.stderr


def test_without_the_flag_nobody_is_believed():
    with Gateway(options=["--allow-host", HOST]) as gateway:
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example.com"}
        answer = gateway.call("POST", "/auth/codes", headers=headers)
        assert answer["url"].startswith(f"http://{HOST}/")


def test_a_forwarded_host_must_be_allowed(behind):
    answer = behind.call("GET", "/v1/info", headers={"X-Forwarded-Host": "evil.example.com"})
    assert (answer.status, answer.code) == (421, "misdirectedHost")

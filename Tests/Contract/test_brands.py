"""One gateway for each brand behind one nginx, with the unit, the settings and the configuration of the article."""

import json
import pathlib
import re
import subprocess

import pytest
from chat import Chat, add_channels
from gateway import Gateway, binary
from test_proxies import Proxy, block, nginx_with

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARTICLE = ROOT / "Sources/parley/Parley.docc/Brands.md"
BRANDS = {"red": "127.0.0.1:8801", "blue": "127.0.0.1:8802"}


def host(brand):
    return f"chat.{brand}.example"


def flags(brand):
    """The article's settings, as flags, for another brand too; the listener is the test's own."""
    settings = dict(line.split("=") for line in block(ARTICLE, "env", []).replace("red", brand).splitlines())
    assert settings.pop("PARLEY_LISTEN") == BRANDS["red"]
    found = []
    for name, value in settings.items():
        found.append("--" + name.removeprefix("PARLEY_").lower().replace("_", "-"))
        found += [] if value == "true" else [value]
    return found


@pytest.fixture(scope="module")
def gateways():
    with Gateway(options=flags("red")) as red, Gateway(options=flags("blue")) as blue:
        yield {"red": add_channels(red), "blue": add_channels(blue)}


@pytest.fixture(scope="module")
def proxy(gateways):
    def command(port, _, folder):
        places = [(at, f"127.0.0.1:{gateways[brand].port}") for brand, at in BRANDS.items()]
        return nginx_with(folder, block(ARTICLE, "nginx", [
            *places, ("/etc/ssl/brands", f"{folder}/{host('red')}"), ("listen 443", f"listen 127.0.0.1:{port}")]))

    proxy = Proxy(command, gateways["red"], *map(host, BRANDS))
    yield proxy
    proxy.close()


@pytest.mark.parametrize("brand, other", [("red", "blue"), ("blue", "red")])
def test_each_name_leads_to_its_gateway_and_no_token_opens_another(gateways, proxy, brand, other):
    chat = Chat(gateways[brand], "contract-multi")
    assert proxy.call("GET", chat.path, host=host(brand), token=gateways[brand].token).status == 200
    assert proxy.call("GET", chat.path, host=host(other), token=gateways[other].token).status == 404
    assert proxy.call("GET", chat.path, host=host(other), token=gateways[brand].token).status == 401
    link = json.loads(proxy.call("POST", "/auth/codes", host=host(brand), token=gateways[brand].token).text)["url"]
    assert link.startswith(f"https://{host(brand)}/auth/")


def test_a_gateway_refuses_the_name_of_another(gateways):
    assert gateways["red"].call("GET", "/v1/info", headers={"Host": host("blue")}).code == "misdirectedHost"


def test_a_brand_that_stops_leaves_the_streams_of_the_others(gateways, proxy):
    chat = Chat(gateways["red"], "contract-multi")
    thread, _ = chat.open(name="Goes on")
    connection = proxy.connection(host("red"))
    connection.request("GET", f"{chat.path}/events", headers={"Authorization": f"Bearer {gateways['red'].token}"})
    stream = connection.getresponse()
    gateways["blue"].kill()
    assert proxy.call("GET", "/v1/info", host=host("blue"), token=gateways["blue"].token).status == 502
    sent = gateways["red"].post(f"{thread}/messages", {"text": "Still here"})["id"]
    line = b""
    while not (line.startswith(b"data:") and sent.encode() in line):
        line = stream.readline()
        assert line, "the stream ended"
    connection.close()
    gateways["blue"].start()


def test_the_template_of_the_unit_is_a_unit(tmp_path):
    unit = (ROOT / "Sources/DebianPackage/debian/parley.service").read_text().replace("@PROGRAM@", str(binary()))
    (tmp_path / "parley.service").write_text(unit)
    subprocess.run(["sh", "-eu", "-c", block(ARTICLE, "sh", [
        ("/lib/systemd/system", str(tmp_path)), ("/etc/systemd/system", str(tmp_path))])], check=True)
    template = (tmp_path / "parley@.service").read_text()
    changed = [line for line in template.splitlines() if line not in unit.splitlines()]
    assert changed == [
        "After=network-online.target", f"ExecStart={binary()} serve --data /var/lib/parley-%i",
        "EnvironmentFile=-/etc/default/parley-%i", "StateDirectory=parley-%i"]
    assert not re.search("socket", template)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", tmp_path / "parley@.service"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")

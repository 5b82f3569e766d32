"""The note on the first page of a demonstration, and what it says one can try."""

import os
import signal
import subprocess

import pytest
from axe_core_python.base import AXE_FILE_PATH

from gateway import Gateway
from page import DESKTOP, PHONE
from test_accessibility import complaints


@pytest.fixture
def gateway(tmp_path, request):
    """One that runs a demonstration, unless the test names other options."""
    gateway = Gateway(tmp_path, *getattr(request, "param", ["--demo"]))
    gateway.start()
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.mark.parametrize("gateway", [[]], indirect=True)
def test_without_a_demonstration_there_is_no_note(browser):
    page = browser.page("/")
    page.find("channel-multi")
    assert not page.has("demo-note")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_note_is_accessible_and_fits(browser, shots, size):
    page = browser.page("/", size=size)
    page.find("demo-note")
    page.find("demo-curl").click()
    page.wait(lambda: page.js("return document.querySelector('[data-test=demo-curl]').open"), "the commands are shown")
    assert list(complaints(page, size, AXE_FILE_PATH.read_text())) == []
    assert page.js("return document.querySelector('.screen').scrollWidth <= innerWidth"), "nothing is cut off"
    for dark in (False, True):
        page.look(size, dark)
        page.screenshot(shots / f"demo-first-{size[0]}{'-dark' if dark else ''}.png")


def test_what_the_note_says_works(browser, gateway):
    page = browser.page("/")
    page.find("demo-note")
    channels = page.js("return [...document.querySelectorAll('.channel')].map((one) => one.dataset.test)")
    assert channels[:2] == ["channel-demo", "channel-demo-live"], "those of the demonstration come first"
    page.click("channel-demo")
    page.wait(lambda: len(page.items("thread-item")) == 4, "Ada's conversations are there")
    assert page.text("customer") == "Ada"
    page.click("thread-item", "[data-id$='demo-hello']")
    page.send("Where is my order?")
    page.wait(lambda: page.js("return all('rich-button').some((one) => one.textContent.startsWith('Tent'))"), "the bot offers a list")
    page.js("all('rich-button').find((one) => one.textContent.startsWith('Tent')).click()")
    page.wait(lambda: "Order 1001: tent. It was sent." in page.texts(), "the bot understands the button")
    page.send("I would like to talk to a person")
    page.wait(lambda: page.texts()[-1].startswith("A person will answer"), "the bot hands over")
    desk = browser.desk(agent={"id": "bo", "name": "Bo"})
    desk.click("desk-thread", "[data-id*='demo-hello']")
    desk.click("assign")
    desk.send("It comes tomorrow.")
    page.wait(lambda: page.texts()[-1] == "It comes tomorrow.", "the customer reads the answer")
    desk.click("release")
    page.wait(lambda: page.texts()[-1].startswith("I am back"), "the bot goes on")


def test_the_commands_of_the_note_run_as_they_stand(browser, gateway, tmp_path):
    page = browser.page("/")
    page.find("demo-note")
    commands = page.js("return document.querySelector('.demo-note pre').textContent")
    folder = tmp_path / "home/.local/share"
    folder.mkdir(parents=True)
    (folder / "parley").symlink_to(gateway.data)
    done = subprocess.run(
        ["bash", "-uc", commands], env={**os.environ, "HOME": str(tmp_path / "home")}, capture_output=True, text=True, timeout=60)
    assert '"text":"Where is my order?"' in done.stdout, done
    assert '"type":"listPicker"' in done.stdout, "the stream tells the bot's answer"

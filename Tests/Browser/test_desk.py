"""The desk's lists are collections: they follow what happens at all customers', each row in its place."""

import base64
import hashlib
import hmac
import json
import signal
import time

import pytest
from selenium.webdriver.common.keys import Keys

AGENT = {"id": "mara", "name": "Mara Lind"}


class Customer:
    """A customer of a channel, who writes from outside the pages."""

    def __init__(self, gateway, name, channel="multi"):
        self.gateway = gateway
        self.session = gateway.post("/v1/sessions", {"channel": channel, "customer": {"id": name.lower(), "firstName": name}})["id"]

    def write(self, text, thread):
        threads = f"/v1/sessions/{self.session}/threads"
        if all(one["id"] != thread for one in self.gateway.get(f"{threads}?limit=200")["items"]):
            self.gateway.post(threads, {"id": thread})
        self.gateway.post(f"{threads}/{thread}/messages", {"text": text})


def identity_token(secret, **claims):
    """A JWT that says who a customer is."""
    parts = ({"alg": "HS256"}, {"exp": int(time.time()) + 600, **claims})
    signed = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
    code = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return f"{signed.decode()}.{base64.urlsafe_b64encode(code).rstrip(b'=').decode()}"


def titles(page):
    return page.js("return all('desk-thread').map((one) => one.querySelector('.thread-title').textContent)")


def lists(page, *names):
    page.wait(lambda: titles(page) == list(names), f"the list is {names}")


def pick(page, name):
    """Opens the conversation of the customer of this name."""
    page.wait(lambda: name in titles(page), f"{name} is listed")
    page.js("all('desk-thread').find((one) => one.querySelector('.thread-title').textContent === arguments[0]).click()", name)


def previews(page):
    return page.js("return all('desk-thread').map((one) => one.querySelector('.thread-preview').textContent)")


def test_the_list_inserts_moves_and_removes(browser, gateway):
    ada, bo = Customer(gateway, "Ada"), Customer(gateway, "Bo")
    ada.write("hello", "a")
    desk = browser.desk()
    lists(desk, "Ada")
    bo.write("me too", "b")
    lists(desk, "Bo", "Ada")
    ada.write("are you there?", "a")
    lists(desk, "Ada", "Bo")
    assert previews(desk) == ["are you there?", "me too"]
    desk.js("all('desk-thread')[1].focus()")
    bo.write("I wait", "b")
    lists(desk, "Bo", "Ada")
    assert desk.js("return document.activeElement.querySelector('.thread-title').textContent") == "Bo", "the focus moves along"
    gateway.post("/v1/desk/threads/a/close")
    lists(desk, "Bo")
    desk.click("segment-closed")
    lists(desk, "Ada")
    gateway.post("/v1/desk/threads/b/close")
    lists(desk, "Bo", "Ada")
    desk.click("segment-all")
    lists(desk, "Bo", "Ada")


def test_one_id_of_two_customers(browser, gateway):
    """Ids of threads are the customers': at the desk two may be the same."""
    ada, bo = Customer(gateway, "Ada"), Customer(gateway, "Bo")
    ada.write("from Ada", "same")
    bo.write("from Bo", "same")
    desk = browser.desk()
    lists(desk, "Bo", "Ada")
    pick(desk, "Ada")
    desk.shows("from Ada")
    bo.write("more from Bo", "same")
    ada.write("more from Ada", "same")
    lists(desk, "Ada", "Bo")
    desk.shows("from Ada", "more from Ada")
    assert previews(desk) == ["more from Ada", "more from Bo"]
    desk.send("to Ada")
    pick(desk, "Bo")
    desk.shows("from Bo", "more from Bo")
    gateway.post("/v1/desk/threads/same/close?customer=ada")
    lists(desk, "Bo")
    desk.shows("from Bo", "more from Bo")


def test_a_long_list_comes_page_by_page(browser, gateway):
    customer = Customer(gateway, "Ada")
    for number in range(120):
        customer.write(f"message {number}", f"t{number}")
    desk = browser.desk()
    desk.wait(lambda: len(desk.items("desk-thread")) == 50, "one page is there")
    desk.click("more-threads")
    desk.wait(lambda: len(desk.items("desk-thread")) == 100, "two pages are there")
    # Beyond what is loaded, and comes to the top.
    customer.write("at last", "t3")
    desk.wait(lambda: desk.items("desk-thread")[0] == "t3", "t3 has come up")
    desk.click("more-threads")
    everything = ["t3"] + [f"t{number}" for number in reversed(range(120)) if number != 3]
    desk.wait(lambda: desk.items("desk-thread") == everything, "all are there, each once")
    desk.gone("more-threads")


def test_a_channel_is_chosen(browser, gateway):
    ada, bo = Customer(gateway, "Ada"), Customer(gateway, "Bo", "single")
    ada.write("on many", "a")
    only = gateway.get(f"/v1/sessions/{bo.session}/threads")["items"][0]["id"]
    bo.write("on one", only)
    desk = browser.desk()
    lists(desk, "Bo", "Ada")
    desk.put("channel-filter", "multi")
    lists(desk, "Ada")
    bo.write("again", only)
    ada.write("more", "a")
    desk.wait(lambda: previews(desk) == ["more"], "the other channel's does not come")
    desk.put("channel-filter", "")
    lists(desk, "Ada", "Bo")


def test_replies_and_edits_arrive(browser, gateway):
    ada = Customer(gateway, "Ada")
    ada.write("a question", "a")
    desk = browser.desk()
    pick(desk, "Ada")
    desk.shows("a question")
    parent = desk.id_of("a question")
    messages = f"/v1/desk/threads/a/messages"
    desk.open_thread(parent)
    gateway.post(messages, {"text": "beside", "agent": AGENT, "parentId": parent, "alsoInThread": False})
    desk.shows_replies("beside")
    desk.says("panel-count", "1 reply")
    mine = gateway.post(messages, {"text": "mispelt", "agent": AGENT})["id"]
    desk.shows("a question", "mispelt")
    gateway.api("PATCH", f"{messages}/{mine}", {"text": "misspelt"})
    desk.shows("a question", "misspelt")
    gateway.api("DELETE", f"{messages}/{mine}")
    desk.shows("a question")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_was_given_to_others_is_made_anew(browser, gateway, console, how):
    """The page was away for so long that the gateway has given its collections' places away."""
    console.expect_outage()
    console.expect("status of 404")
    ada = Customer(gateway, "Ada")
    ada.write("before", "a")
    desk = browser.desk()
    pick(desk, "Ada")
    desk.shows("before")
    for collection in gateway.get("/v1/desk/collections")["items"]:
        gateway.api("DELETE", f"/v1/desk/collections/{collection['id']}")
    gateway.restart(how)
    Customer(gateway, "Bo").write("while it was away", "b")
    ada.write("after", "a")
    desk.shows("before", "after")
    lists(desk, "Ada", "Bo")
    ada.write("live again", "a")
    desk.shows("before", "after", "live again")


def test_a_page_takes_back_what_it_made(browser, gateway):
    Customer(gateway, "Ada").write("hello", "a")
    first, second = browser.desk(), browser.desk()
    for page in (first, second):
        pick(page, "Ada")
        page.shows("hello")

    def held():
        return [one["definition"]["holder"] for one in gateway.get("/v1/desk/collections")["items"]]

    first.wait(lambda: len(held()) == 4 and len(set(held())) == 2, "a list and a transcript for each page")
    first.close()
    second.wait(lambda: len(held()) == 2 and len(set(held())) == 1, "the other page keeps its own")
    second.reload()
    second.shows("hello")
    second.wait(lambda: len(held()) == 2, "a reload leaves none behind")


def test_an_agent_goes_on_writing_when_the_customer_signs_in(browser, gateway):
    gateway.post("/v1/desk/channels", {"id": "late", "mode": "multithread", "visitors": {"public": True, "identity": "optional"}})
    secret = gateway.post("/v1/desk/channels/late/identitySecrets", {})["secret"]
    visitor = gateway.post("/v1/visitors", {"channel": "late"})
    path = f"/v1/sessions/{visitor['session']}"
    thread = gateway.post(f"{path}/threads", {})["id"]
    gateway.post(f"{path}/threads/{thread}/messages", {"text": "Do you have it in blue?"})
    desk = browser.desk()
    desk.wait(lambda: "Do you have it in blue?" in previews(desk), "the desk lists it")
    desk.js("all('desk-thread').find((one) => one.textContent.includes('in blue')).click()")
    desk.shows("Do you have it in blue?")
    desk.write("composer", "Yes, and")
    known = gateway.post(f"{path}/identity", {"identity": identity_token(secret, sub="ann", name="Ann Berg")})
    desk.wait(lambda: "Ann Berg" in titles(desk) and len(titles(desk)) == 1, "the customer is known")
    desk.shows("Do you have it in blue?")
    assert desk.js("return all('composer')[0].value") == "Yes, and"
    gateway.post(f"/v1/sessions/{known['session']}/threads/{thread}/messages", {"text": "Hello?"})
    desk.shows("Do you have it in blue?", "Hello?")
    desk.write("composer", " in green" + Keys.ENTER)
    desk.shows("Do you have it in blue?", "Hello?", "Yes, and in green")

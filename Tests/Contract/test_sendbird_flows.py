"""Tests of other services, as they are, on the service `sendbird`: its sessions are at one gateway, the desk is at the one of the sandbox."""

import pytest
from chat import Chat
from gateway import Gateway
from sendbird_network import Network, write
from test_collections import test_a_definition_has_a_bound, test_the_answer_shows_the_first_page_if_that_is_asked_for, test_what_is_shown_can_be_asked_for_again  # noqa: F401
from test_flows import (  # noqa: F401
    test_a_cursor_belongs_to_its_list, test_pages_over_120_messages, test_the_customer_is_named, test_the_same_thread_id_again,
    test_threads_outlive_the_session, test_two_sessions_of_one_account_are_two_devices,
    test_versions_of_a_list, test_versions_of_customers_and_their_fields, test_versions_of_one_thing)
from test_members import test_a_reply_that_is_repeated_by_its_key_is_one, test_replies_are_paged_by_time_without_a_loss  # noqa: F401
from test_search import test_a_session_finds_its_messages_newest_first, test_a_snippet_is_no_html, test_edits_and_removals_follow  # noqa: F401


class Both(Gateway):
    """Two gateways as one: the desk's paths lead to the far one, all others to the near one. What the tests call `contract-multi` is the
    channel of the sandbox there, and the one of the application here."""

    def __init__(self, near, far):
        self.near, self.far = near, far

    def __getattr__(self, name):
        return getattr(self.near, name)

    def call(self, method, path, body=None, **more):
        is_desk = path.startswith("/v1/desk")
        path = path.replace("contract-multi", "multi" if is_desk else "support")
        if body and body.get("channel") == "contract-multi":
            body = {**body, "channel": "multi"} if is_desk else {**body, "service": "sendbird", "channel": "support"}
        elif body and body.get("query", {}).get("channel") == "contract-multi":
            body = {**body, "query": {**body["query"], "channel": "multi"}}
        return (self.far if is_desk else self.near).call(method, path, body, **more)


@pytest.fixture(scope="module")
def gw(tmp_path_factory):
    network = Network()
    with Gateway(options=network.options) as network.far:
        info = network.far.get("/v1/info")["sendbirdSandbox"]
        file = write(tmp_path_factory.mktemp("flows") / "applications.json", [{
            "id": info["applicationId"], "url": network.url, "apiToken": info["apiToken"], "getLimit": 1000, "writeLimit": 1000,
            "channels": [{"id": "support"}]}])
        with Gateway(options=["--sendbird", file]) as near:
            yield Both(near, network.far)
        network.server.shutdown()


@pytest.fixture
def multi(gw):
    return Chat(gw, "contract-multi", firstName="Ann", lastName="Berg")

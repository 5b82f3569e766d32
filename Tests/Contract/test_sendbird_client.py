"""Sendbird's official Python client, unmodified, against the sandbox; and the usual mistakes of plain clients."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
import sendbird_platform_sdk
import urllib3
from gateway import Gateway, binary
from sendbird_platform_sdk import models
from sendbird_platform_sdk.apis import BotApi, GroupChannelApi, MessageApi, MetadataApi, ModerationApi, UserApi

KIND = "group_channels"


@pytest.fixture(scope="module")
def gateway():
    # Faults and frames are those of one sandbox.
    with Gateway(program=binary(), options=["--sendbird-sandbox"]) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def program(gateway):
    return Program(gateway.get("/v1/info")["sendbirdSandbox"])


class Program:
    """A program with the official client. Its APIs give the token with each call."""

    def __init__(self, info):
        self.info = info
        self.client = sendbird_platform_sdk.ApiClient(sendbird_platform_sdk.Configuration(host=info["url"]))
        self.users, self.channels, self.messages, self.metadata, self.bots, self.moderation = (
            Calls(api(self.client), info["apiToken"])
            for api in (UserApi, GroupChannelApi, MessageApi, MetadataApi, BotApi, ModerationApi))

    def user(self, name):
        return self.users.create_a_user(create_a_user_request=models.CreateAUserRequest(name.title(), name, profile_url=""))

    def channel(self, url, *names):
        users = [models.SendbirdUser(user_id=name) for name in names]
        return self.channels.create_a_group_channel(
            create_a_group_channel_request=models.CreateAGroupChannelRequest(users, channel_url=url))

    def send(self, url, name, text, **more):
        return self.messages.send_a_message(
            KIND, url, send_a_message_request=models.SendAMessageRequest("MESG", name, message=text, **more))


class Calls:
    def __init__(self, api, token):
        self.api, self.token = api, token

    def __getattr__(self, name):
        return lambda *ids, **more: getattr(self.api, name)(*ids, api_token=self.token, **more)


def test_users(program):
    users, metadata = program.users, {"metadata": {"tier": "gold"}}
    made = users.create_a_user(create_a_user_request=models.CreateAUserRequest(
        "Ada Brink", "k/47@11", profile_url="https://p.example/a.png", issue_access_token=True, **metadata))
    assert made.user_id == "k/47@11" and made.is_created and len(made.access_token) == 40
    read = users.view_a_user("k/47@11", include_unread_count=True)
    assert (read.nickname, read.profile_url, read.metadata) == ("Ada Brink", "https://p.example/a.png", {"tier": "gold"})
    changed = users.update_a_user("k/47@11", update_a_user_request=models.UpdateAUserRequest(
        nickname="Bo", preferred_languages=["de"], discovery_keys=["d"]))
    assert (changed.nickname, changed.preferred_languages) == ("Bo", ["de"])
    assert "k/47@11" in [user.user_id for user in users.list_users(user_ids="k/47@11,none").users]
    token = users.create_user_token("k/47@11", create_user_token_request=models.CreateUserTokenRequest())
    assert token.token == made.access_token and token.expires_at > made.created_at
    users.create_user_metadata("k/47@11", create_user_metadata_request=models.CreateUserMetadataRequest({"a": "b"}))
    users.update_user_metadata("k/47@11", update_user_metadata_request=models.UpdateUserMetadataRequest(
        {"a": "c", "new": "x"}, upsert=True))
    users.update_specific_user_metadata(
        "k/47@11", "a", update_specific_user_metadata_request=models.UpdateSpecificUserMetadataRequest("d"))
    users.view_specific_user_metadata("k/47@11", "a")
    assert users.view_a_user("k/47@11").metadata == {"tier": "gold", "a": "d", "new": "x"}
    users.delete_specific_user_metadata("k/47@11", "a")
    users.delete_user_all_metadata("k/47@11")
    assert users.view_a_user("k/47@11").metadata == {}
    assert users.get_channel_invitation_preference("k/47@11").auto_accept is True
    users.update_channel_invitation_preference(
        "k/47@11", update_channel_invitation_preference_request=models.UpdateChannelInvitationPreferenceRequest(
            auto_accept=False))
    assert users.get_channel_invitation_preference("k/47@11").auto_accept is False
    users.delete_a_user("k/47@11")
    with pytest.raises(sendbird_platform_sdk.ApiException) as gone:
        users.view_a_user("k/47@11")
    assert gone.value.status == 400 and '"code":400301' in gone.value.body


def test_moderation(program):
    for name in ("max", "moritz"):
        program.user(name)
    blocked = program.moderation.block_a_user("max", block_a_user_request=models.BlockAUserRequest(target_id="moritz"))
    assert [user.user_id for user in blocked.users] == ["moritz"]
    assert [user.user_id for user in program.moderation.list_blocked_users("max").users] == ["moritz"]
    program.moderation.unblock_a_user("max", "moritz")
    assert program.moderation.list_blocked_users("max").users == []
    program.channel("chan_frozen", "max")
    frozen = program.moderation.freeze_a_group_channel(
        "chan_frozen", freeze_a_group_channel_request=models.FreezeAGroupChannelRequest(freeze=True))
    assert (frozen.channel_url, frozen.freeze) == ("chan_frozen", True)
    with pytest.raises(sendbird_platform_sdk.ApiException) as refused:
        program.send("chan_frozen", "max", "Hello")
    assert '"code":400108' in refused.value.body


def test_channels(program):
    channels = program.channels
    for name in ("ada", "bob", "cy"):
        program.user(name)
    made = program.channel("chan_1", "ada", "bob")
    assert (made.channel_url, made.member_count, made.operators) == ("chan_1", 2, [])
    channels.update_a_group_channel("chan_1", update_a_group_channel_request=models.UpdateAGroupChannelRequest(
        name="Order 7/81", data="{}", cover_url="https://p.example/c.png", custom_type="t", is_public=True))
    read = channels.get_a_group_channel("chan_1", show_member=True, show_read_receipt=True)
    assert (read.name, read.data, read.cover_url, read.custom_type) == ("Order 7/81", "{}", "https://p.example/c.png", "t")
    assert sorted(member.user_id for member in read.members) == ["ada", "bob"]
    assert [c.channel_url for c in channels.list_channels(show_empty=True, custom_types="t").channels] == ["chan_1"]
    mine = program.users.list_my_group_channels("ada", show_empty=True, show_member=True).channels
    assert [channel.channel_url for channel in mine] == ["chan_1"]
    invited = channels.invite_as_members("chan_1", invite_as_members_request=models.InviteAsMembersRequest(
        ["cy"], invitation_status={"cy": "invited_by_friend"}))
    assert (invited.member_count, invited.joined_member_count) == (3, 2)
    channels.accept_an_invitation("chan_1", accept_an_invitation_request=models.AcceptAnInvitationRequest("cy"))
    assert channels.check_if_member("chan_1", "cy").state == "joined"
    channels.leave_a_channel("chan_1", leave_a_channel_request=models.LeaveAChannelRequest(["cy"]))
    assert channels.check_if_member("chan_1", "cy").state == "none"
    channels.join_a_channel("chan_1", join_a_channel_request=models.JoinAChannelRequest("cy"))
    assert [member.user_id for member in channels.list_members("chan_1").members] == ["ada", "bob", "cy"]
    channels.register_operators_to_a_group_channel(
        "chan_1", register_operators_to_a_group_channel_request=models.RegisterOperatorsToAGroupChannelRequest(["ada", "bob"]))
    assert [user.user_id for user in channels.list_operators("chan_1").operators] == ["ada", "bob"]
    channels.cancel_the_registration_of_operators("chan_1", "bob")
    assert [user.user_id for user in channels.list_operators("chan_1").operators] == ["ada"]
    typing = models.StartTypingIndicatorsRequest(["ada"])
    channels.start_typing_indicators("chan_1", start_typing_indicators_request=typing)
    channels.stop_typing_indicators("chan_1", start_typing_indicators_request=typing)
    channels.hide_a_channel("chan_1", hide_a_channel_request=models.HideAChannelRequest("bob", allow_auto_unhide=False))
    hidden = channels.get_a_group_channel("chan_1", user_id="bob")
    assert hidden.hidden_state == "hidden_prevent_auto_unhide" and hidden.my_role == "none"
    channels.unhide_a_channel("chan_1", "bob")
    assert channels.reset_chat_history(
        "chan_1", reset_chat_history_request=models.ResetChatHistoryRequest("bob")).ts_message_offset > 0
    program.users.update_count_preference_of_a_channel(
        "ada", "chan_1", update_count_preference_of_a_channel_request=models.UpdateCountPreferenceOfAChannelRequest(
            "unread_message_count_only"))
    preference = program.users.view_count_preference_of_a_channel("ada", "chan_1").count_preference
    assert preference == "unread_message_count_only"
    metadata = program.metadata
    metadata.create_a_channel_metadata(KIND, "chan_1", create_a_channel_metadata_request=models.CreateAChannelMetadataRequest(
        {"topic": "delivery"}))
    metadata.update_a_channel_metadata(KIND, "chan_1", update_a_channel_metadata_request=models.UpdateAChannelMetadataRequest(
        {"topic": "return", "new": "x"}, upsert=True))
    read, = channels.list_channels(channel_urls="chan_1", show_empty=True, show_metadata=True).channels
    assert read.metadata == {"topic": "return", "new": "x"}
    metadata.view_a_channel_metadata_when_retrieving_all_items_of_a_channel_metadata(KIND, "chan_1")
    metadata.delete_a_channel_metadata_when_deleting_all_items_of_a_channel_metadata(KIND, "chan_1")
    program.users.leave_my_group_channels("cy", leave_my_group_channels_request=models.LeaveMyGroupChannelsRequest())
    channels.delete_a_group_channel("chan_1")
    with pytest.raises(sendbird_platform_sdk.ApiException) as gone:
        channels.get_a_group_channel("chan_1")
    assert '"code":400201' in gone.value.body


def test_messages(program):
    messages, users = program.messages, program.users
    for name in ("dan", "eve"):
        program.user(name)
    program.channel("chan_2", "dan", "eve")
    sent = program.send("chan_2", "dan", "Hello", data="d", custom_type="t", mentioned_user_ids=["eve"], dedup_id="1")
    assert (sent.message, sent.data, sent.custom_type, sent.user.user_id) == ("Hello", "d", "t", "dan")
    assert program.send("chan_2", "dan", "Hello", dedup_id="1").message_id == sent.message_id
    read = messages.get_a_message(KIND, "chan_2", sent.message_id)
    assert (read.message, read.data, read.message_id) == ("Hello", "d", sent.message_id)
    assert [user.user_id for user in read.mentioned_users] == ["eve"]
    program.send("chan_2", "eve", "Reply", parent_message_id=sent.message_id)
    listed = messages.list_messages(KIND, "chan_2", 0, 0, include_reply_type="ALL").messages
    assert [message.message for message in listed] == ["Hello", "Reply"]
    assert users.view_number_of_unread_messages("eve").unread_count == 0, "who sends has read"
    last = program.send("chan_2", "dan", "Again")
    assert users.view_number_of_unread_messages("eve").unread_count == 1
    assert users.view_number_of_channels_with_unread_messages("eve").unread_count == 1
    messages.mark_channel_messages_as_read(
        "chan_2", mark_channel_messages_as_read_request=models.MarkChannelMessagesAsReadRequest(user_id="eve"))
    users.mark_all_messages_as_read("eve", mark_all_messages_as_read_request=models.MarkAllMessagesAsReadRequest())
    assert users.view_number_of_unread_messages("eve").unread_count == 0

    def items(value):
        return models.SendbirdSortedMetaarray([models.SendbirdSortedMetaarrayInner(key="k", value=[value])])

    messages.add_extra_data_to_a_message(
        KIND, "chan_2", last.message_id,
        add_extra_data_to_a_message_request=models.AddExtraDataToAMessageRequest(items("1")))
    messages.update_extra_data_in_a_message(
        KIND, "chan_2", last.message_id, update_extra_data_in_a_message_request=models.UpdateExtraDataInAMessageRequest(
            sorted_metaarray=items("2"), mode="add"))
    read = messages.get_a_message(KIND, "chan_2", last.message_id, with_sorted_meta_array=True)
    assert [(item.key, item.value) for item in read.sorted_metaarray.value] == [("k", ["1", "2"])]
    messages.remove_extra_data_from_a_message(KIND, "chan_2", last.message_id)
    edited = messages.update_a_message(
        KIND, "chan_2", last.message_id, update_a_message_request=models.UpdateAMessageRequest("MESG", message="Changed"))
    assert edited.message == "Changed" and edited.updated_at > 0
    assert messages.get_total_number_of_messages_in_a_channel(KIND, "chan_2").total == 3
    messages.delete_a_message(KIND, "chan_2", last.message_id)
    assert messages.get_total_number_of_messages_in_a_channel(KIND, "chan_2").total == 2


def test_admin_messages(program):
    """The client demands a sender of them, too."""
    program.user("fay")
    program.channel("chan_4", "fay")
    sent = program.messages.send_a_message(
        KIND, "chan_4", send_a_message_request=models.SendAMessageRequest("ADMM", "fay", message="Closed at noon"))
    assert (sent.type, sent.message) == ("ADMM", "Closed at noon") and "user" not in sent
    listed = program.messages.list_messages(KIND, "chan_4", 0, 0).messages
    assert [(message.type, message.message) for message in listed] == [("ADMM", "Closed at noon")]
    assert ask(program, "GET", "/group_channels/chan_4")[1]["last_message"]["message"] == "Closed at noon"


def test_bots(program):
    bots = program.bots
    made = bots.create_a_bot(create_a_bot_request=models.CreateABotRequest(
        "http://127.0.0.1:9/bot", "Helper", "", "", "helper", True))
    assert (made.bot.bot_userid, made.bot.bot_nickname) == ("helper", "Helper")
    assert [one.bot.bot_userid for one in bots.list_bots().bots] == ["helper"]
    bots.update_bot_by_id("helper", update_bot_by_id_data=models.UpdateBotByIdData(
        "helper", "Help", "", "http://127.0.0.1:9/other", False, False, False, 0))
    read = bots.view_bot_by_id("helper")
    assert (read.bot.bot_nickname, read.bot_callback_url, read.is_privacy_mode) == ("Help", "http://127.0.0.1:9/other", False)
    program.user("gus")
    for url in ("chan_5", "chan_6"):
        program.channel(url, "gus")
    joined = bots.join_channels("helper", join_channels_request=models.JoinChannelsRequest(["chan_5", "chan_6"]))
    assert joined.channel_url in ("chan_5", "chan_6")
    said = bots.send_a_bot_message("helper", "MESG", "chan_5", message="At your service")
    assert (said.message.message, said.message.user.user_id) == ("At your service", "helper")
    listed = program.messages.list_messages(KIND, "chan_5", 0, 0).messages
    assert [message.message for message in listed] == ["At your service"]
    bots.leave_a_group_channel("chan_5", "helper")
    assert program.channels.check_if_member("chan_5", "helper").state == "none"
    bots.leave_group_channels("helper")
    assert program.channels.check_if_member("chan_6", "helper").state == "none"
    bots.delete_bot_by_id("helper")
    assert not bots.list_bots().bots


# MARK: Answers that are lost


def lose(gateway, kind, operation, count):
    gateway.post("/v1/sandbox/faults", {"kind": kind, "event": operation, "count": count})


def asked(gateway, operation):
    """How often the client has asked, since the frames began."""
    frames = gateway.get("/v1/sandbox/frames")["items"]
    return sum(frame["kind"] == "request" and frame["type"] == operation for frame in frames)


@pytest.fixture
def lossy(program, gateway):
    """A channel of its own, and frames that begin anew."""
    gateway.post("/v1/sandbox/reset")
    for name in ("ida", "jan"):
        program.user(name)
    program.channel("chan_lost", "ida", "jan")
    yield program
    gateway.delete("/v1/sandbox/faults")


@pytest.mark.parametrize("kind", ["loseAnswer", "loseRequest", "cutAnswer"])
def test_the_client_repeats_what_it_may(lossy, gateway, kind):
    """GET, PUT and DELETE have four tries: the same deed four times ends as once."""
    channels, metadata = lossy.channels, lossy.metadata
    metadata.create_a_channel_metadata(
        KIND, "chan_lost", create_a_channel_metadata_request=models.CreateAChannelMetadataRequest({"topic": "delivery"}))
    calls = {
        "updateGroupChannel": lambda: channels.update_a_group_channel(
            "chan_lost", update_a_group_channel_request=models.UpdateAGroupChannelRequest(name="Order 7")),
        "hideGroupChannel": lambda: channels.hide_a_channel(
            "chan_lost", hide_a_channel_request=models.HideAChannelRequest("jan")),
        "leaveGroupChannel": lambda: channels.leave_a_channel(
            "chan_lost", leave_a_channel_request=models.LeaveAChannelRequest(["ida"])),
        "deleteChannelMetadata": lambda: metadata.delete_a_channel_metadata_when_deleting_all_items_of_a_channel_metadata(
            KIND, "chan_lost"),
        "listMembers": lambda: channels.list_members("chan_lost"),
    }
    for operation, call in calls.items():
        lose(gateway, kind, operation, 3)
        call()
        assert asked(gateway, operation) == 4, operation
    read = channels.get_a_group_channel("chan_lost", user_id="jan", show_member=True)
    assert (read.name, read.hidden_state, [member.user_id for member in read.members]) == (
        "Order 7", "hidden_allow_auto_unhide", ["jan"])
    assert ask(lossy, "GET", "/group_channels/chan_lost/metadata") == (200, {})


def test_a_fifth_try_is_not_made(lossy, gateway):
    lose(gateway, "loseRequest", "getGroupChannel", 4)
    with pytest.raises(urllib3.exceptions.MaxRetryError):
        lossy.channels.get_a_group_channel("chan_lost")
    assert asked(gateway, "getGroupChannel") == 4
    assert lossy.channels.get_a_group_channel("chan_lost").channel_url == "chan_lost"


def test_a_removal_whose_answer_was_lost_finds_nothing(lossy, gateway):
    """It is done, and the client hears that there is no such channel."""
    lose(gateway, "loseAnswer", "deleteGroupChannel", 1)
    with pytest.raises(sendbird_platform_sdk.ApiException) as gone:
        lossy.channels.delete_a_group_channel("chan_lost")
    assert '"code":400201' in gone.value.body and asked(gateway, "deleteGroupChannel") == 2


@pytest.mark.parametrize("more, count", [({}, 2), ({"dedup_id": "1"}, 1)])
def test_a_post_is_not_repeated(lossy, gateway, more, count):
    """Whoever sends again has sent twice, but under a `dedup_id`."""
    lose(gateway, "loseAnswer", "sendMessage", 1)
    with pytest.raises(urllib3.exceptions.HTTPError):
        lossy.send("chan_lost", "ida", "Hello", **more)
    assert asked(gateway, "sendMessage") == 1
    lossy.send("chan_lost", "ida", "Hello", **more)
    assert len(lossy.messages.list_messages(KIND, "chan_lost", 0, 0).messages) == count
    assert lossy.users.view_number_of_unread_messages("jan").unread_count == count


def test_a_late_deed_comes_when_nobody_waits(lossy, gateway):
    gateway.post("/v1/sandbox/faults", {"kind": "lateDeed", "event": "sendMessage", "milliseconds": 300})
    with pytest.raises(urllib3.exceptions.HTTPError):
        lossy.send("chan_lost", "ida", "Late")
    deadline = time.monotonic() + 60
    while not (listed := lossy.messages.list_messages(KIND, "chan_lost", 0, 0).messages):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert [message.message for message in listed] == ["Late"]


def test_beyond_the_rate_the_client_hears_it(lossy, gateway):
    gateway.post("/v1/sandbox/faults", {"kind": "limitRate", "count": 1, "event": "getUser"})
    with pytest.raises(sendbird_platform_sdk.ApiException) as refused:
        for _ in range(1000):
            lossy.users.view_a_user("ida")
    assert refused.value.status == 429 and refused.value.headers["X-RateLimit-RetryAfter"] == "1"
    assert '"code":500910' in refused.value.body


def test_pages_expire(lossy, gateway):
    first = lossy.users.list_users(limit=1)
    gateway.post("/v1/sandbox/faults", {"kind": "expirePage"})
    with pytest.raises(sendbird_platform_sdk.ApiException) as refused:
        lossy.users.list_users(limit=1, token=first.next)
    assert '"code":400109' in refused.value.body
    assert lossy.users.list_users(limit=1, token=lossy.users.list_users(limit=1).next).users


# MARK: What the client would not take


GONE = object()
RULES = [
    ("user", (), GONE), ("user", ("user_id",), GONE), ("user", ("created_at",), 1.0), ("user", ("created_at",), "1"),
    ("user", ("profile_url",), None), ("user", ("is_active",), 1),
    ("channel", (), GONE), ("channel", ("channel_url",), GONE), ("channel", ("name",), None),
    ("channel", ("member_count",), None), ("channel", ("my_role",), "owner"), ("channel", ("hidden_state",), "shown"),
    ("channel", ("member_state",), "gone"), ("channel", ("members", 0, "user_id"), GONE),
    ("channel", ("members", 0, "state"), "none"), ("channel", ("members", 0, "role"), "owner"),
    ("channel", ("members", 0, "push_trigger_option"), "default"),
    ("channels", ("next",), None), ("channels", ("channels",), None), ("channels", ("channels", 0, "channel_url"), GONE),
    ("members", ("members",), GONE), ("members", ("members", 0, "user_id"), GONE),
    ("messages", ("messages", 0, "user"), None), ("messages", ("messages", 0, "user"), {}),
    ("messages", ("messages", 0, "mentioned_users", 0, "user_id"), GONE),
    ("messages", ("messages", 0, "message_id"), "1"), ("preference", ("count_preference",), "off"),
    ("unread", ("unread_count",), "0"),
]


def broken(text, place, value):
    """An answer in which one rule is broken."""
    if not place:
        return b""
    answer = json.loads(text)
    inner = answer
    for step in place[:-1]:
        inner = inner[step]
    if value is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return json.dumps(answer).encode()


@pytest.mark.parametrize("call, place, value", RULES, ids=lambda value: "gone" if value is GONE else None)
def test_the_client_sees_each_rule_that_is_broken(program, monkeypatch, call, place, value):
    """So the tests above can fail: what the sandbox sends passes, and with one rule broken it does not."""
    if ask(program, "GET", "/group_channels/chan_rules")[0] != 200:
        program.user("mo")
        program.channel("chan_rules", "mo")
        program.send("chan_rules", "mo", "Hello", mentioned_user_ids=["mo"])
    read = {
        "user": lambda: program.users.view_a_user("mo"),
        "channel": lambda: program.channels.get_a_group_channel("chan_rules", show_member=True, user_id="mo"),
        "channels": lambda: program.channels.list_channels(channel_urls="chan_rules"),
        "members": lambda: program.channels.list_members("chan_rules"),
        "messages": lambda: program.messages.list_messages(KIND, "chan_rules", 0, 0),
        "preference": lambda: program.users.view_count_preference_of_a_channel("mo", "chan_rules"),
        "unread": lambda: program.users.view_number_of_unread_messages("mo"),
    }[call]
    read()
    rest = program.client.rest_client
    request = rest.request

    def tampered(*arguments, **more):
        answer = request(*arguments, **more)
        answer.data = broken(answer.data, place, value)
        return answer

    monkeypatch.setattr(rest, "request", tampered)
    with pytest.raises((TypeError, ValueError)):
        read()


# MARK: What plain clients do wrong


def ask(program, method, path, **more):
    headers = more.pop("headers", {"Api-Token": program.info["apiToken"]})
    answer = requests.request(method, f"{program.info['url']}/v3{path}", headers=headers, timeout=30, **more)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("method, path, more, code", [
    ("GET", "/users/nobody", {}, 400301),
    ("GET", "/group_channels/nothing", {}, 400201),
    ("POST", "/users", {"json": [{"user_id": "a", "nickname": "a"}]}, 400403),
    ("POST", "/users", {"data": {"user_id": "a", "nickname": "a"}}, 400403),
    ("POST", "/users", {"headers": {"Authorization": "Bearer x"}, "json": {}}, 400401),
    ("POST", "/users", {"json": {"userid": "a", "nickname": "a"}}, 400105),
    ("POST", "/users/frank/token", {}, 400402),
    ("GET", "/users/", {}, 400930),
    ("GET", "/users/frank/nothing/at/all", {}, 400930),
    ("PATCH", "/users/frank", {"json": {}}, 400930),
    ("GET", "", {}, 400930),
])
def test_a_mistake_has_its_code(program, method, path, more, code):
    if ask(program, "GET", "/users/frank")[0] != 200:
        program.user("frank")
    status, answer = ask(program, method, path, **dict(more))
    assert (status, answer["error"], answer["code"]) == (400, True, code)


def test_a_body_needs_no_content_type(program):
    status, _ = ask(program, "POST", "/users", data='{"user_id":"gil","nickname":"Gil"}')
    assert status == 200


def test_a_misspelt_member_is_reported(program, gateway):
    assert ask(program, "PUT", "/users/frank", json={"nickname": "F", "is_activ": False})[0] == 200
    frames = gateway.get("/v1/sandbox/frames")["items"]
    assert frames[-1]["unknown"] == ["is_activ"]


def test_a_file_is_sent_and_fetched(program):
    program.user("hal")
    program.channel("chan_3", "hal")
    status, sent = ask(
        program, "POST", "/group_channels/chan_3/messages", data={"message_type": "FILE", "user_id": "hal"},
        files={"file": ("a/ä b.txt", b"four" * (1 << 19), "text/plain")})
    assert (status, sent["type"], sent["file"]["size"]) == (200, "FILE", 1 << 21)
    fetched = requests.get(sent["file"]["url"], timeout=30)
    assert (fetched.status_code, fetched.content, fetched.headers["Content-Type"]) == (200, b"four" * (1 << 19), "text/plain")
    assert ask(program, "GET", "/files/nothing/x")[1]["code"] == 400201


def test_the_articles_page_passes(gateway, tmp_path):
    article = Path(__file__).parents[2] / "Sources/parley/Parley.docc/SendbirdSandbox.md"
    page = tmp_path / "test_page.py"
    page.write_text(re.search(r"```python\n(.*?)```", article.read_text(), re.DOTALL)[1])
    url = gateway.get("/v1/info")["sendbirdSandbox"]["url"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(page)], cwd=tmp_path, timeout=120,
        env=os.environ | {"PARLEY_URL": url, "PARLEY_TOKEN": gateway.token}, capture_output=True, text=True)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout

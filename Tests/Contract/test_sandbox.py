"""The sandbox as clients of CXone's platform meet it: the conversation of each family of SDKs, whole."""

import base64
import http.client
import json
import random
import re
import urllib.parse
import uuid

import pytest
from gateway import Gateway, until
from plain_websocket import CLOSE, PONG, Closed, Refused, WebSocket
from platform_client import Failed, PlatformClient, new_id

MULTI, SINGLE, LIVE = "contract-multi", "contract-single", "contract-live"
SECONDS = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+]00:00"
FAMILIES = [("ios", "anonymous"), ("ios", "secured"), ("android", "anonymous"), ("android", "secured"), ("web", "anonymous"), ("web", "secured")]


@pytest.fixture(scope="module")
def live(gw):
    gw.post("/v1/desk/channels", {"id": LIVE, "mode": "liveChat"})
    return LIVE


def open_client(gw, channel, family="ios", authorization="anonymous", **more):
    client = PlatformClient(gw, channel, family, authorization=authorization, **more)
    if authorization == "secured":
        assert client.fetch_token().status == 200
    client.connect()
    if authorization == "anonymous":
        client.authorize()
    return client


def desk(thread):
    return f"/v1/desk/threads/{thread}"


def say(gw, thread, text, **more):
    answer = gw.post(f"{desk(thread)}/messages", {"text": text, "agent": {"id": "4021", "name": "Marta Novak"}, **more})
    assert answer.status == 201, answer
    return answer["id"]


@pytest.mark.parametrize("family, authorization", FAMILIES)
def test_a_conversation_of_many_threads(gw, family, authorization):
    configuration = PlatformClient(gw, MULTI, family, authorization=authorization).configuration()
    assert configuration["settings"]["hasMultipleThreadsPerEndUser"] and not configuration["isLiveChat"]
    assert configuration["settings"]["features"]["securedSessions"] is (authorization == "secured")
    assert all(isinstance(value, bool) for value in configuration["settings"]["features"].values())
    assert isinstance(configuration["settings"]["fileRestrictions"]["allowedFileSize"], str)
    client = open_client(gw, MULTI, family, authorization)
    assert client.ask("FetchThreadList")["threads"] == []

    thread, text = new_id(), "Where is my order?"
    message = client.send(thread, text, name="Invoice", fields={"topic": "billing"})
    created = client.push("MessageCreated")
    assert (created["message"]["idOnExternalPlatform"], created["thread"]["idOnExternalPlatform"]) == (message, thread)
    assert created["brand"] == {"id": client.brand} and created["channel"]["id"] == client.channel
    assert created["message"]["direction"] == "inbound" and created["message"]["hasAdditionalMessageContent"] is False
    assert re.fullmatch(SECONDS, created["message"]["createdAt"]) and created["case"]["id"].isdecimal()
    assert client.push("CaseCreated")["case"]["id"] == created["case"]["id"]

    gw.post(f"{desk(thread)}/read")
    read = client.push("MessageReadChanged")["message"]
    assert read["idOnExternalPlatform"] == message and re.fullmatch(SECONDS, read["userStatistics"]["readAt"])
    gw.post(f"{desk(thread)}/typing", {"isTyping": True, "agent": {"id": "4021", "name": "Marta Novak"}})
    typing = client.push("SenderTypingStarted")
    assert typing["direction"] == "outbound" and typing["user"]["id"] == 4021 and typing["user"]["surname"] == "Novak"
    answer = say(gw, thread, "It left today.")
    heard = client.push("MessageCreated")["message"]
    assert heard["idOnExternalPlatform"] == answer and heard["direction"] == "outbound" and heard["authorUser"]["firstName"] == "Marta"
    client.ask("MessageSeenByConsumer" if family == "web" else "MessageSeenByCustomer", {"thread": {"idOnExternalPlatform": thread}})
    seen = client.push("MessageSeenChanged")["message"]
    assert seen["idOnExternalPlatform"] == answer and seen["customerStatistics"]["seenAt"]

    with gw.events("/v1/desk/events") as stream:
        stream.wait("ready")
        client.ask("SenderTypingStarted", {"thread": {"idOnExternalPlatform": thread}})
        assert stream.wait("typing").data["isTyping"] is True

    listed = client.ask("FetchThreadList")["threads"]
    assert [(each["idOnExternalPlatform"], each["threadName"], each["canAddMoreMessages"]) for each in listed] == [(thread, "Invoice", True)]
    last = client.ask("LoadThreadMetadata", {"thread": {"idOnExternalPlatform": thread}})["lastMessage"]
    assert last["idOnExternalPlatform"] == answer
    recovered = client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": thread}})
    assert [each["idOnExternalPlatform"] for each in recovered["messages"]] == [answer, message]
    assert recovered["contactHistory"] == [] and recovered["messagesScrollToken"] == ""
    assert [(each["ident"], each["value"]) for each in recovered["contact"]["customFields"]] == [("topic", "billing")]
    client.ask("UpdateThread", {"thread": {"idOnExternalPlatform": thread, "threadName": "Invoice 17"}})
    assert gw.get(desk(thread))["name"] == "Invoice 17"
    client.ask("SendTranscript", {"consumerContact": {"id": recovered["contact"]["id"]},
                                  "consumerRecipients": [{"idOnExternalPlatform": "eva@example.com"}]})
    client.ask("ArchiveThread", {"thread": {"idOnExternalPlatform": thread}})
    assert client.ask("FetchThreadList")["threads"][0]["canAddMoreMessages"] is False
    with pytest.raises(Failed) as failed:
        client.send(thread, "Too late")
    assert failed.value.code == ("InconsistentData" if family == "ios" else "SendingMessageFailed")
    client.close()


@pytest.mark.parametrize("family, authorization", FAMILIES)
def test_a_live_chat_with_queue_and_end(gw, live, family, authorization):
    client = open_client(gw, live, family, authorization)
    assert client.http("GET", f"{client.chat}/availability").json == {"status": "online"}
    if family == "ios":
        assert "thread" not in client.ask("RecoverLivechat")
    else:
        with pytest.raises(Failed) as failed:
            client.ask("RecoverLivechat", {"thread": {"client_type": "no_thread_id"}} if family == "android" else {})
        assert failed.value.code == "RecoveringLivechatFailed"

    thread = new_id()
    parameters = {} if family == "web" else {"isInitialMessage": True}
    begin = client.send(thread, "Begin conversation" if family == "web" else "Begin Conversation", parameters=parameters)
    created = client.push("MessageCreated")
    assert created["message"]["idOnExternalPlatform"] == begin
    contact = client.push("CaseCreated")["case"]["id"]
    assert created["case"]["id"] == contact
    queue = client.push("CaseToRoutingQueueAssignmentChanged")["routingQueue"]["id"]
    position = client.push("SetPositionInQueue")
    assert position["consumerContact"]["id"] == contact and position["routingQueue"]["id"] == queue and position["positionInQueue"] >= 1
    assert gw.get(f"{desk(thread)}/messages")["items"] == [], "the opening is no message"

    gw.post(f"{desk(thread)}/assign", {"agent": {"id": "4021", "name": "Marta Novak"}})
    assigned = client.push("CaseInboxAssigneeChanged")
    assert assigned["inboxAssignee"]["id"] == 4021 and assigned["case"]["status"] == "open"
    message = client.send(thread, "Hello")
    assert client.push("MessageCreated")["message"]["idOnExternalPlatform"] == message
    answer = say(gw, thread, "Hi")
    assert client.push("MessageCreated")["message"]["idOnExternalPlatform"] == answer
    again = client.ask("RecoverLivechat", {"thread": {"idOnExternalPlatform": thread}})
    assert again["contact"]["id"] == contact and again["inboxAssignee"]["surname"] == "Novak" and len(again["messages"]) == 2

    client.ask("EndContact", {"thread": {"idOnExternalPlatform": thread}, "contact": {"id": contact}})
    closed = client.push("CaseStatusChanged")["case"]
    assert (closed["id"], closed["status"]) == (contact, "closed") and re.fullmatch(SECONDS, closed["statusUpdatedAt"])
    assert client.ask("RecoverLivechat", {"thread": {"idOnExternalPlatform": thread}})["contact"]["status"] == "closed"
    client.close()


def test_a_single_thread_is_recovered_without_its_id_and_page_by_page(gw):
    client = open_client(gw, SINGLE)
    with pytest.raises(Failed) as failed:
        client.ask("RecoverThread")
    assert failed.value.code == "RecoveringThreadFailed"
    thread = new_id()
    sent = [client.send(thread, f"Message {number}") for number in range(45)]
    page = client.ask("RecoverThread")
    assert page["thread"]["idOnExternalPlatform"] == thread
    seen, token = [each["idOnExternalPlatform"] for each in page["messages"]], page["messagesScrollToken"]
    assert len(seen) == 20
    while token:
        page = client.ask("LoadMoreMessages", {"scrollToken": token, "thread": {"idOnExternalPlatform": thread},
                                               "oldestMessageDatetime": page["messages"][-1]["createdAt"]})
        assert page["contactHistory"] == []
        seen += [each["idOnExternalPlatform"] for each in page["messages"]]
        token = page["scrollToken"]
    assert seen == sent[::-1]
    with pytest.raises(Failed):
        client.ask("LoadMoreMessages", {"scrollToken": "invented", "thread": {"idOnExternalPlatform": thread}})
    with pytest.raises(Failed):
        client.send(new_id(), "A second thread")


def test_files_go_both_ways(gw):
    client = open_client(gw, MULTI)
    thread, data = new_id(), b"hello world"
    upload = client.http("POST", f"{client.chat}/attachment",
                         {"content": base64.encodebytes(data).decode(), "fileName": "note.txt", "mimeType": "text/plain"})
    url = upload["fileUrl"]
    assert client.http("GET", urllib.parse.urlsplit(url).path).body == data
    client.send(thread, "", attachments=[{"url": url, "friendlyName": "note.txt", "mimeType": "text/plain", "fileName": "note.txt"}])
    told = client.push("MessageCreated")["message"]["attachments"]
    assert [(each["url"], each["fileName"]) for each in told] == [(url, "note.txt")]
    [held] = gw.get(f"{desk(thread)}/messages")["items"][0]["attachments"]
    assert gw.get(f"/v1/desk/attachments/{held['id']}").body == data
    mine = gw.post("/v1/desk/attachments", raw=b"\x89PNG", headers={"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="a.png"'})["id"]
    say(gw, thread, "Look", attachments=[{"id": mine}])
    [told] = client.push("MessageCreated")["message"]["attachments"]
    assert told["mimeType"] == "image/png" and client.http("GET", urllib.parse.urlsplit(told["url"]).path).body == b"\x89PNG"
    with pytest.raises(Failed):
        client.send(thread, "", attachments=[{"url": "https://files.example.net/a.txt", "friendlyName": "a", "mimeType": "text/plain"}])


def test_one_upload_is_in_one_message(gw):
    client, other = open_client(gw, MULTI), open_client(gw, MULTI)
    upload = {"content": base64.encodebytes(b"hello").decode(), "fileName": "note.txt", "mimeType": "text/plain"}
    file = {"url": client.http("POST", f"{client.chat}/attachment", upload)["fileUrl"], "friendlyName": "note.txt", "mimeType": "text/plain"}
    thread = new_id()
    message = client.send(thread, "", attachments=[file])
    assert client.send(thread, "", id=message, attachments=[file]) == message, "the same message may be sent again"
    for one, place in ((client, thread), (client, new_id()), (other, new_id())):
        with pytest.raises(Failed):
            one.send(place, "", attachments=[file])
    [message] = gw.get(f"{desk(thread)}/messages")["items"]
    assert len(message["attachments"]) == 1


def test_a_file_that_the_channel_does_not_take_is_refused_with_what_it_takes(gw):
    gw.post("/v1/desk/channels", {"id": "contract-files", "mode": "multithread",
                                  "fileRestrictions": {"isAttachmentsEnabled": True, "maximumSize": 1 << 20, "allowedTypes": ["image/*"]}})
    client = PlatformClient(gw, "contract-files")
    answer = client.http("POST", f"{client.chat}/attachment", {"content": "aGk=", "fileName": "a.txt", "mimeType": "text/plain"})
    assert (answer.status, answer["allowedFileSize"], answer["allowedFileTypes"][0]["mimeType"]) == (200, "1", "image/*")


def test_rich_messages_and_their_answers(gw):
    client = open_client(gw, MULTI)
    thread = new_id()
    client.send(thread, "Hi")
    client.push("MessageCreated")
    content = {"title": "Which day?", "buttons": [{"text": "Today", "postback": "/today"}]}
    answer = gw.post(f"{desk(thread)}/messages", {"type": "quickReplies", "content": content})
    assert answer.status == 201, answer
    told = client.push("MessageCreated")["message"]["messageContent"]
    assert told["type"] == "QUICK_REPLIES" and told["payload"]["actions"][0]["postback"] == "/today"
    assert told["payload"]["text"] == {"content": "Which day?"} and told["fallbackText"] == "Which day?"
    client.send(thread, "Today", postback="/today")
    assert client.push("MessageCreated")["message"]["messageContent"]["postback"] == "/today"
    assert gw.get(f"{desk(thread)}/messages")["items"][0]["postback"] == "/today"


def test_two_devices_of_a_customer_hear_the_same(gw):
    one = open_client(gw, MULTI)
    two = open_client(gw, MULTI, "android", customer=one.customer)
    other = open_client(gw, MULTI)
    thread = new_id()
    message = one.send(thread, "From the phone")
    for each in (one, two):
        assert each.push("MessageCreated")["message"]["idOnExternalPlatform"] == message
    assert other.quiet() == []


def test_rest_and_platform_show_one_truth(gw):
    client = open_client(gw, MULTI)
    session = gw.post("/v1/sessions", {"channel": MULTI, "customer": {"id": client.customer}}).json
    thread = new_id().upper()
    message = client.send(thread, "Upper case ids stay")
    items = gw.get(f"/v1/sessions/{session['id']}/threads/{thread}/messages")["items"]
    assert [each["id"] for each in items] == [message]
    mine = gw.post(f"/v1/sessions/{session['id']}/threads/{thread}/messages", {"text": "From REST"})["id"]
    client.push("MessageCreated")
    assert client.push("MessageCreated")["message"]["idOnExternalPlatform"] == mine


def test_a_message_sent_again_is_one_and_told_again(gw):
    client = open_client(gw, MULTI)
    thread, id = new_id(), new_id()
    client.send(thread, "Once", id=id)
    client.push("MessageCreated")
    client.send(thread, "Once", id=id)
    assert client.push("MessageCreated")["message"]["idOnExternalPlatform"] == id
    assert len(gw.get(f"{desk(thread)}/messages")["items"]) == 1
    with pytest.raises(Failed):
        client.send(thread, "Something else", id=id)


def test_a_survey_gates_the_thread(gw):
    field = {"ident": "email", "label": "E-mail", "type": "email", "isRequired": True}
    gw.post("/v1/desk/channels", {"id": "contract-survey", "mode": "multithread", "preChatSurvey": {"name": "You", "fields": [field]}})
    client = open_client(gw, "contract-survey")
    form = client.configuration()["preContactForm"]
    assert form["channels"] == [{"id": client.channel}] and form["customFields"][0]["isRequired"]
    thread = new_id()
    with pytest.raises(Failed):
        client.send(thread, "Hi")
    client.send(thread, "Hi", fields={"email": "eva@example.com"})
    assert gw.get(desk(thread))["customFields"] == {"email": "eva@example.com"}


def test_the_authorization_code_names_the_customer_and_gives_tokens(gw):
    client = PlatformClient(gw, MULTI, authorization="oauth").connect()
    assert client.configuration()["isAuthorizationEnabled"] is True
    with pytest.raises(Failed) as failed:
        client.authorize()
    assert failed.value.code == "CustomerAuthorizationFailed"
    token = client.authorize(authorization={"authorizationCode": "AbC", "codeVerifier": "v"})["accessToken"]
    assert token["expiresIn"] > 0
    client.close()
    again = PlatformClient(gw, MULTI, authorization="oauth", customer=client.customer).connect()
    again.ask("ReconnectCustomer", {"accessToken": {"token": token["token"]}})
    assert again.ask("FetchThreadList")["threads"] == []
    gw.post("/v1/sandbox/faults", {"kind": "expireToken", "customer": client.customer})
    late = PlatformClient(gw, MULTI, "web", authorization="oauth", customer=client.customer).connect()
    with pytest.raises(Failed) as failed:
        late.ask("ReconnectConsumer", {"accessToken": {"token": token["token"]}})
    assert failed.value.code == "ConsumerReconnectionFailed"
    fresh = late.ask("RefreshToken", {"accessToken": {"token": token["token"]}})["accessToken"]["token"]
    late.ask("ReconnectConsumer", {"accessToken": {"token": fresh}})


def test_third_party_tokens_come_in_both_shapes(gw):
    client = PlatformClient(gw, MULTI, authorization="securedOAuth")
    assert client.fetch_token().status == 401
    answer = client.fetch_token({"thirdParty": {"grant_type": "authorization_code", "authorization_code": "AbC", "code_verifier": "v"}})
    assert answer["thirdParty"]["refresh_token"] and answer["customerIdentity"]["idOnExternalPlatform"] == client.customer
    answer = client.fetch_token({"thirdParty": {"grant_type": "refresh_token", "refresh_token": answer["thirdParty"]["refresh_token"]}})
    assert answer["access_token"] == answer["thirdParty"]["access_token"]
    with client:
        assert client.ask("FetchThreadList")["threads"] == []


def test_a_secured_socket_wants_a_good_token(gw):
    client = PlatformClient(gw, MULTI, authorization="secured")
    for token in (None, "invented", "a.b"):
        client.token = token
        with pytest.raises(Refused) as refused:
            client.connect()
        assert refused.value.status == 401
    client.fetch_token()
    gw.post("/v1/sandbox/faults", {"kind": "expireToken", "customer": client.customer})
    with pytest.raises(Refused):
        client.connect()
    client.fetch_token()
    client.connect().close()


def test_tokens_and_ids_survive_a_restart(own):
    client = PlatformClient(own, MULTI, authorization="secured")
    client.fetch_token()
    before = own.get("/v1/info")["sandbox"]
    own.restart()
    after = own.get("/v1/info")["sandbox"]
    assert (before["brandId"], before["channels"]) == (after["brandId"], after["channels"])
    with client:
        assert client.ask("FetchThreadList")["threads"] == []


def test_pages_of_allowed_origins_share_the_platform(gw):
    client = PlatformClient(gw, MULTI, "web", authorization="secured")
    path = f"/oauth/token?brandId={client.brand}&channelId={client.channel}"
    asked = {"Origin": gw.origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,x-trace-id"}
    answer = gw.call("OPTIONS", path, token=None, headers=asked)
    assert answer.status == 204 and "POST" in answer.header("Access-Control-Allow-Methods")
    assert answer.header("Access-Control-Allow-Headers") == "content-type,x-trace-id"
    answer = gw.post(path, {}, token=None, headers={"Origin": gw.origin, "Sec-Fetch-Site": "same-site"})
    assert answer.status == 200
    assert (answer.header("Access-Control-Allow-Origin"), answer.header("Access-Control-Allow-Credentials")) == (gw.origin, "true")
    assert gw.post(path, {}, token=None, headers={"Origin": "http://evil.example"}, check=False).status == 403
    with pytest.raises(Refused) as refused:
        PlatformClient(gw, MULTI).connect(headers={"Origin": "http://evil.example"})
    assert refused.value.status == 403


# -- the socket


def test_the_page_stays_where_the_socket_is(gw):
    assert gw.get("/", token=None).kind == "text/html"
    client = PlatformClient(gw, MULTI, path="/")
    with client:
        client.socket.send('{"action":"heartbeat"}')
        assert client.socket.receive() == '"pong"'


@pytest.mark.parametrize("headers, status", [
    ({"Sec-WebSocket-Version": "8"}, 426), ({"Sec-WebSocket-Key": "short"}, 426), ({"Connection": "keep-alive"}, 426),
])
def test_a_bad_handshake_is_refused(gw, headers, status):
    with pytest.raises(Refused) as refused:
        PlatformClient(gw, MULTI).connect(headers=headers)
    assert refused.value.status == status


def test_a_socket_of_no_channel_is_refused(gw):
    client = PlatformClient(gw, MULTI)
    client.channel = f"chat_{uuid.uuid4()}"
    with pytest.raises(Refused) as refused:
        client.connect()
    assert refused.value.status == 404


def test_what_comes_behind_the_handshake_is_heard(gw):
    client = PlatformClient(gw, MULTI)
    client.connect(early=WebSocket.frame(b'{"action":"heartbeat"}'))
    assert client.next() == "pong"


def test_fragments_are_joined_and_pings_answered_between_them(gw):
    with PlatformClient(gw, MULTI) as client:
        text = b'{"action":"heartbeat"}'
        client.socket.raw(WebSocket.frame(text[:5], fin=False) + WebSocket.frame(b"!", 9) + WebSocket.frame(text[5:], 0))
        assert client.socket.next_frame() == (PONG, b"!")
        assert client.next() == "pong"


def refusals(gw):
    """What the log says of frames that were refused."""
    return [line for line in gw.whole_log().splitlines() if "frame refused" in line]


def closes_with(client, data):
    client.socket.raw(data)
    with pytest.raises(Closed) as closed:
        client.socket.receive()
    return closed.value.code


FRAME = WebSocket.frame


@pytest.mark.parametrize("name, data, code", [
    ("unmasked", FRAME(b"{}", masked=False), 1002), ("reserved bit", FRAME(b"{}", rsv=4), 1002), ("opcode", FRAME(b"{}", 3), 1002),
    ("binary", FRAME(b"{}", 2), 1003), ("bad UTF-8", FRAME(b"\xff\xfe"), 1007), ("torn surrogate", FRAME(b'"\xed\xa0\x80"'), 1007),
    ("too large", FRAME(b"", length=(1 << 20) + 1), 1009), ("absurdly large", FRAME(b"", length=1 << 62), 1009),
    ("a fragment of nothing", FRAME(b"{}", 0), 1002), ("a text in a text", FRAME(b"{", fin=False) + FRAME(b"}"), 1002),
    ("too large in pieces", FRAME(b"x" * (1 << 19), fin=False) + FRAME(b"x" * (1 << 19), 0, fin=False) + FRAME(b"x", 0), 1009),
    ("a long ping", FRAME(b"x" * 126, 9), 1002), ("a bad close code", FRAME(b"\x03\xed", CLOSE), 1002),
])
def test_who_breaks_the_protocol_is_told_how_and_harms_nobody(gw, name, data, code):
    bystander = open_client(gw, MULTI)
    kind = {1002: "protocolError", 1003: "unsupportedData", 1007: "invalidText", 1009: "tooLarge"}[code]
    before = len(refusals(gw))
    with PlatformClient(gw, MULTI) as client:
        assert closes_with(client, data) == code
    if name != "a bad close code":  # it is answered by a close, and no frame is refused
        until("the log", lambda: [kind in line for line in refusals(gw)[before:]] == [True])
    assert bystander.ask("FetchThreadList")["threads"] == []


@pytest.mark.parametrize("text", [
    "", "{", "null", "[]", '"pong"', "{}", '{"action":"chatWindowEvent"}', "[" * 100_000, '{"eventId":1e999}', '{"eventId":"a","payload":[]}',
    '{"eventId":"\\ud800","payload":{}}', '{"eventId":"e","payload":{"eventType":"SendMessage","brand":{"id":"x"}}}',
    '{"a":"\u0000"}',
])
def test_a_frame_that_is_no_request_is_answered_and_harms_nobody(gw, text):
    with PlatformClient(gw, MULTI) as client:
        client.socket.send(text)
        answer = client.next()
        assert "error" in answer or answer.keys() == {"message", "connectionId", "requestId"}
        client.authorize()
        assert client.ask("FetchThreadList")["threads"] == []


def test_requests_before_the_customer_is_known_are_refused(gw):
    with PlatformClient(gw, MULTI) as client:
        for event in ("FetchThreadList", "RecoverThread"):
            with pytest.raises(Failed):
                client.ask(event)
    web = PlatformClient(gw, MULTI, "web").connect()  # its URL names the customer
    assert web.ask("FetchThreadList")["threads"] == []


def test_every_request_is_answered(gw):
    client = open_client(gw, MULTI, "web")
    thread = new_id()
    client.send(thread, "Hi")
    known = {"thread": {"idOnExternalPlatform": thread}}
    fields = {"customFields": [{"ident": "vip", "value": "yes"}]}
    text = {"messageContent": {"type": "TEXT", "payload": {"text": "x"}}}
    for event, data in [
        ("SenderTypingStarted", known), ("SenderTypingEnded", known), ("MessageSeenByConsumer", known), ("SendMessagePreview", {**known, **text}),
        ("SetConsumerCustomFields", fields), ("SetConsumerContactCustomFields", {**known, **fields}), ("ExecuteTrigger", {"trigger": {"id": new_id()}}),
        ("StoreVisitorEvents", {"visitorEvents": []}), ("GenerateAuthorizationToken", {**known, "url": "/x"}), ("SomethingNew", {"a": [1]}),
        ("SendOutbound", {**client.message(thread, "Welcome")}),
        ("SendOfflineMessage", {**text, "authorCustomerIdentity": {"idOnExternalPlatform": "a@example.com"}}),
    ]:
        client.ask(event, data)
    for event, data in [("CreateInvitationToGroupChat", {"contact": {"id": "1"}}), ("JoinGroupChat", {"invitation": {"code": "K"}}),
                        ("LoadThreadMetadata", {"thread": {"idOnExternalPlatform": "none"}}), ("EndContact", known),
                        ("SendOfflineMessage", {**text, "authorCustomerIdentity": {"idOnExternalPlatform": "nobody"}})]:
        with pytest.raises(Failed):
            client.ask(event, data)


def test_what_does_not_fit_into_a_frame_is_fetched(gw):
    client = open_client(gw, SINGLE)
    thread = new_id()
    sent = [client.send(thread, "x" * 20_000) for _ in range(10)]
    frame = client.frame("RecoverThread")
    client.socket.send(json.dumps(frame))
    data = client.push("EventInS3")
    assert data["originEvent"]["eventType"] == "ThreadRecovered"
    body = client.http("GET", urllib.parse.urlsplit(data["s3Object"]["url"]).path).json
    assert body["eventId"] == frame["eventId"]
    assert [each["idOnExternalPlatform"] for each in body["postback"]["data"]["messages"]] == sent[::-1]


def test_a_client_that_reads_nothing_keeps_nobody_waiting(gw):
    lazy, busy = open_client(gw, MULTI), None
    busy = open_client(gw, MULTI, customer=lazy.customer)
    thread = new_id()
    for _ in range(100):
        busy.send(thread, "x" * 30_000)
        busy.pushes.clear()
    ids = {frame["data"]["message"]["idOnExternalPlatform"] for frame in lazy.quiet(3) if frame.get("eventType") == "MessageCreated"}
    assert len(ids) == 100, "all of it is there when it reads again"


# -- faults


@pytest.fixture
def faulty(gw):
    gw.delete("/v1/sandbox/faults")
    yield lambda kind, **more: gw.post("/v1/sandbox/faults", {"kind": kind, **more})
    gw.delete("/v1/sandbox/faults")


def test_faults_are_listed_and_taken_back(gw, faulty):
    answer = faulty("delayAnswer", count=3, milliseconds=50, event="SendMessage", customer="someone")
    assert answer.status == 201 and answer["count"] == 3
    assert [each["kind"] for each in gw.get("/v1/sandbox/faults")["items"]] == ["delayAnswer"]
    assert gw.delete("/v1/sandbox/faults").status == 204
    assert gw.get("/v1/sandbox/faults")["items"] == []
    assert faulty("explode").code == "invalidValue"
    assert faulty("refuse", count=0).status == 422


def test_a_socket_is_dropped(gw, faulty):
    client, other = open_client(gw, MULTI), open_client(gw, MULTI)
    faulty("dropSocket", customer=client.customer)
    with pytest.raises((Closed, ConnectionError)):
        client.next()
    assert other.ask("FetchThreadList")["threads"] == []


def test_an_answer_is_lost_and_its_request_done(gw, faulty):
    client = open_client(gw, MULTI)
    faulty("loseAnswer", customer=client.customer, event="SendMessage")
    thread = new_id()
    client.socket.send(json.dumps(client.frame("SendMessage", client.message(thread, "Hello"))))
    told = client.quiet(1)
    assert [frame["eventType"] for frame in told if "eventType" in frame][:2] == ["MessageCreated", "CaseCreated"]
    assert all("eventType" in frame for frame in told)


def test_an_answer_over_http_is_lost(gw, faulty):
    """The connection closes, also where a socket was to be opened."""
    client = PlatformClient(gw, MULTI, authorization="secured")
    faulty("loseAnswer", event="postSandboxToken")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        client.fetch_token()
    assert client.fetch_token().status == 200
    faulty("loseAnswer", event="openSandboxSocket", count=2)
    sockets = gw.get("/v1/sandbox/sockets")["items"]
    for _ in range(2):
        with pytest.raises((Closed, ConnectionError)):
            client.connect()
    assert gw.get("/v1/sandbox/sockets")["items"] == sockets
    with client:
        assert client.ask("FetchThreadList")["threads"] == []


def test_an_answer_is_late(gw, faulty):
    client = open_client(gw, MULTI)
    faulty("delayAnswer", customer=client.customer, milliseconds=600, event="FetchThreadList")
    client.socket.send(json.dumps(client.frame("FetchThreadList")))
    assert client.quiet(0.2) == []
    assert client.next()["postback"]["eventType"] == "ThreadListFetched"


def test_a_request_is_refused(gw, faulty):
    client = open_client(gw, MULTI)
    faulty("refuse", customer=client.customer, errorCode="SdkVersionNotSupported", count=2)
    for _ in range(2):
        with pytest.raises(Failed) as failed:
            client.ask("FetchThreadList")
        assert failed.value.code == "SdkVersionNotSupported"
    assert client.ask("FetchThreadList")["threads"] == []


def test_pushes_are_doubled_and_reordered(gw, faulty):
    client = open_client(gw, MULTI)
    thread = new_id()
    client.send(thread, "Hi")
    client.quiet()
    faulty("duplicatePush", customer=client.customer, event="MessageCreated")
    first = say(gw, thread, "one")
    told = [frame["data"]["message"]["idOnExternalPlatform"] for frame in client.quiet(1) if frame["eventType"] == "MessageCreated"]
    assert told == [first, first]
    faulty("reorderPush", customer=client.customer, event="MessageCreated")
    second, third = say(gw, thread, "two"), say(gw, thread, "three")
    told = [frame["data"]["message"]["idOnExternalPlatform"] for frame in client.quiet(1) if frame["eventType"] == "MessageCreated"]
    assert told == [third, second]


def test_under_random_faults_nothing_is_lost_or_doubled(gw, faulty):
    """Clients that send again what was not acknowledged, on sockets that are dropped under them."""
    chance = random.Random(20260504)
    client, thread = open_client(gw, MULTI), new_id()
    sent = []
    for number in range(60):
        if chance.random() < 0.4:
            kind = chance.choice(["loseAnswer", "delayAnswer", "duplicatePush", "reorderPush", "refuse", "dropSocket"])
            faulty(kind, customer=client.customer, **({"milliseconds": 100} if kind == "delayAnswer" else {}))
        id = new_id()
        while True:
            try:
                client.ask("SendMessage", client.message(thread, f"Message {number}", id=id), deadline=0.7)
                break
            except (TimeoutError, Failed):  # not acknowledged: once more, under the same id
                continue
            except (Closed, OSError):
                client.connect().authorize()
        sent.append(id)
    gw.delete("/v1/sandbox/faults")
    at_desk, page = [], gw.get(f"{desk(thread)}/messages?limit=200").json
    at_desk = [each["id"] for each in page["items"]][::-1]
    assert at_desk == sent
    client.connect().authorize()
    page = client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": thread}})
    seen, token = [each["idOnExternalPlatform"] for each in page["messages"]], page["messagesScrollToken"]
    while token:
        page = client.ask("LoadMoreMessages", {"scrollToken": token, "thread": {"idOnExternalPlatform": thread}})
        seen += [each["idOnExternalPlatform"] for each in page["messages"]]
        token = page["scrollToken"]
    assert seen[::-1] == sent


def test_faults_take_the_gateways_token(gw):
    assert gw.post("/v1/sandbox/faults", {"kind": "dropSocket"}, token=None).status == 401


def test_a_welcome_message_is_told_and_kept_as_it_was_shown(gw):
    gw.post("/v1/desk/channels", {"id": "contract-welcome", "mode": "multithread", "welcomeMessage": "Dear {{customer.firstName|customer}}, hello."})
    client = open_client(gw, "contract-welcome")
    action = client.push("FireProactiveAction")["proactiveAction"]["action"]
    assert action["actionType"] == "WelcomeMessage" and action["data"]["content"]["bodyText"].startswith("Dear {{customer")
    thread, shown, sent = new_id(), new_id(), new_id()
    client.ask("SendOutbound", client.message(thread, "Dear customer, hello.", id=shown))
    client.send(thread, "Hi", id=sent)
    messages = client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": thread}})["messages"]
    assert [(each["idOnExternalPlatform"], each["direction"]) for each in messages] == [(sent, "inbound"), (shown, "outbound")]
    silent = open_client(gw, "contract-welcome", "android")
    other = new_id()
    silent.send(other, "Hi")
    messages = silent.ask("RecoverThread", {"thread": {"idOnExternalPlatform": other}})["messages"]
    assert [each["messageContent"]["payload"]["text"] for each in messages] == ["Hi", "Dear customer, hello."]


# -- what a tester sees and does

def test_the_traffic_of_an_app_as_a_stream(gw):
    """Requests over HTTP and frames come in their order, filtered, with a place from which the stream goes on."""
    place = gw.get("/v1/sandbox/frames")["cursor"]
    client = PlatformClient(gw, "multi", customer=new_id(), authorization="secured")
    client.fetch_token()
    client.connect()
    thread = new_id()
    client.send(thread, "Where is my order?")
    client.push("MessageCreated")
    with gw.events(f"/v1/sandbox/frames/events?after={place}&customer={client.customer}") as stream:
        seen = [event.data for event in stream.collect(lambda event: event.name == "ready")][:-1]
        kinds = [(each["kind"], each.get("type")) for each in seen]
        assert ("answer", "postSandboxToken") in kinds and ("frame", "SendMessage") in kinds
        assert client.token not in str(seen)
        asked = next(each["number"] for each in seen if each.get("type") == "SendMessage")
        assert any(each.get("answers") == asked for each in seen)
        client.send(thread, "Hello?")
        assert stream.next().data["type"] == "SendMessage"
    client.close()
    listed = gw.get(f"/v1/sandbox/frames?customer={client.customer}&event=SendMessage&direction=toSandbox")["items"]
    assert [each["type"] for each in listed] == ["SendMessage"] * 2


def test_a_place_of_an_earlier_start_is_reset(gw):
    with gw.events("/v1/sandbox/frames/events?after=00000000-1") as stream:
        first = stream.next()
        assert first.name == "reset" and first.data == {"reason": "foreignEpoch", "snapshot": "/v1/sandbox/frames"}
        stream.wait("ready")
    refused = gw.get("/v1/sandbox/frames/events", headers={"Accept": "application/json"}, check=False)
    assert (refused.status, refused.code) == (406, "notAcceptable")


def test_a_script_of_faults(gw):
    client = open_client(gw, "multi")
    thread = new_id()
    steps = [{"fault": {"kind": "refuse", "event": "SendMessage", "nth": 2, "customer": client.customer}},
             {"fault": {"kind": "loseAnswer", "event": "RecoverThread", "customer": client.customer}}]
    made = gw.post("/v1/sandbox/scripts", {"name": "two", "steps": steps})
    assert [each["progress"] for each in made["steps"]] == ["due", "waiting"]
    client.send(thread, "one")
    with pytest.raises(Failed):
        client.send(thread, "two")
    with pytest.raises(TimeoutError):
        client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": thread}}, deadline=1.0)
    script = gw.get(f"/v1/sandbox/scripts/{made['id']}")
    assert script["isDone"]
    for step, kind in zip(script["steps"], ["refuse", "loseAnswer"]):
        frame = step["happened"][0]["frame"]
        [told] = [each for each in gw.get(f"/v1/sandbox/frames?customer={client.customer}")["items"] if each["number"] == frame]
        assert (told["kind"], told["faultKind"], told["customer"]) == ("fault", kind, client.customer)
    gw.delete(f"/v1/sandbox/scripts/{made['id']}")
    assert gw.get(f"/v1/sandbox/scripts/{made['id']}", check=False).status == 404
    bad = gw.post("/v1/sandbox/scripts", {"steps": [{"fault": {"kind": "refuse", "nth": 0}}]}, check=False)
    assert bad.status == 422 and bad["errors"][0]["pointer"] == "#/steps/0/fault/nth"
    client.close()


def test_faults_of_requests_over_http(gw):
    client = PlatformClient(gw, "multi")
    gw.post("/v1/sandbox/faults", {"kind": "refuse", "event": "uploadSandboxAttachment"})
    file = {"content": "aGVsbG8=", "fileName": "a.txt", "mimeType": "text/plain"}
    assert client.http("POST", f"{client.chat}/attachment", file, check=False).status == 503
    assert client.http("POST", f"{client.chat}/attachment", file).status == 200


def test_a_clean_start():
    with Gateway() as own:
        own.post("/v1/desk/channels", {"id": "mine", "mode": "multithread"})
        mine = own.post("/v1/sessions", {"channel": "multi", "customer": {"id": "rest"}})
        kept = own.post(f"/v1/sessions/{mine['id']}/threads", {})["id"]
        client = PlatformClient(own, "multi", customer="app").connect()
        client.authorize()
        thread = new_id()
        client.send(thread, "Hello")
        first = client.push("CaseCreated")["case"]["id"]
        own.restart()  # what an app did before a restart counts, too
        client = PlatformClient(own, "multi", customer="app").connect()
        client.authorize()
        with own.events("/v1/desk/events") as stream:
            stream.wait("ready")
            done = own.post("/v1/sandbox/reset")
            assert (done["sockets"], done["customers"], done["threads"]) == (1, 1, 1)
            assert stream.wait("thread.removed").data["threadId"] == thread
        assert own.get("/v1/sandbox/frames")["last"] == 0 and own.get("/v1/sandbox/sockets")["items"] == []
        assert own.get("/v1/desk/threads")["items"] == []
        assert [each["id"] for each in own.get(f"/v1/sessions/{mine['id']}/threads")["items"]] == [kept]
        again = PlatformClient(own, "multi", customer="app").connect()
        again.authorize()
        assert again.ask("FetchThreadList")["threads"] == []
        again.send(thread, "Hello")
        assert again.push("CaseCreated")["case"]["id"] == first
        again.close()

"""Customers who come by themselves: links, public channels, JWTs, proof of work, pages of other origins."""

import http.client
import json
import time

import pytest
from chat import Chat
from customers import identity_token, solve
from gateway import Gateway

SHOP = "https://shop.example"


@pytest.fixture(scope="module")
def channel(gw):
    """Makes public channels."""
    made = []

    def make(mode="multithread", **visitors):
        made.append(f"public-{len(made)}")
        gw.post("/v1/desk/channels", {"id": made[-1], "name": "Help", "mode": mode,
                                      "visitors": {"public": True, "origins": [SHOP, "https://*.shop.example"], **visitors}})
        return made[-1]

    return make


def secret(gw, channel):
    return gw.post(f"/v1/desk/channels/{channel}/identitySecrets")


def begin(gw, channel, status=201, headers=None, **body):
    answer = gw.call("POST", "/v1/visitors", {"channel": channel, **body}, token=None, check=False, headers=headers)
    assert answer.status == status, answer.text
    return answer


# -- links


def test_a_link_gives_a_session_of_the_customer_and_works_once(gw):
    chat = Chat(gw, "multi", firstName="Ann")
    link = gw.post(f"{chat.path}/links", {"label": "Mail"})
    assert link["url"].startswith(f"{gw.origin}/c/") and link["usesLeft"] == 1
    code = link["url"].rpartition("/")[2]
    for _ in range(2):  # programs look at the address, which uses nothing up
        page = gw.get(f"/c/{code}", token=None)
        assert page.status == 200 and "frame-ancestors 'none'" in page.header("Content-Security-Policy")
    made = gw.call("POST", f"/auth/links/{code}", {}, token=None)
    assert made.status == 201 and made["channel"] == "multi" and made["service"] == "local"
    session = gw.get(f"/v1/sessions/{made['session']}", token=made["token"])
    assert session["customer"]["id"] == chat.session["customer"]["id"] and session["kind"] == "link"
    again = gw.call("POST", f"/auth/links/{code}", {}, token=None, check=False)
    assert (again.status, again.code) == (410, "linkGone")
    assert '"isGood":false' in gw.get(f"/c/{code}", token=None).text
    # It opens this customer's chat and nothing else.
    assert gw.get(f"/v1/sessions/{chat.id}", token=made["token"], check=False).status == 403
    assert gw.get("/v1/desk/threads", token=made["token"], check=False).status == 403
    answer = gw.post(f"/v1/sessions/{made['session']}/links", {}, token=made["token"], check=False)
    assert (answer.status, answer.code) == (403, "forbidden")


def test_a_link_ends_with_the_sessions_that_it_has_made(gw):
    chat = Chat(gw, "multi")
    link = gw.post(f"{chat.path}/links", {"uses": 2})
    code = link["url"].rpartition("/")[2]
    made = gw.call("POST", f"/auth/links/{code}", {}, token=None)
    assert [one["usesLeft"] for one in gw.get(f"{chat.path}/links")["items"]] == [1]
    assert "url" not in gw.get(f"{chat.path}/links")["items"][0]
    gw.delete(f"{chat.path}/links/{link['id']}?sessions=true")
    assert gw.get(f"/v1/sessions/{made['session']}", token=made["token"], check=False).status == 401
    assert gw.call("POST", f"/auth/links/{code}", {}, token=None, check=False).code == "linkGone"
    assert gw.get(f"/v1/sessions/{chat.id}", token=chat.token).status == 200


def test_a_session_has_twenty_links(gw):
    chat = Chat(gw, "multi")
    for _ in range(20):
        gw.post(f"{chat.path}/links", {})
    answer = gw.post(f"{chat.path}/links", {}, check=False)
    assert (answer.status, answer.code) == (409, "tooManyLinks")


def test_an_erased_customer_s_link_is_gone(gw):
    chat = Chat(gw, "multi", id="erased-by-link")
    code = gw.post(f"{chat.path}/links", {})["url"].rpartition("/")[2]
    gw.delete("/v1/desk/customers/erased-by-link?channel=multi")
    assert gw.call("POST", f"/auth/links/{code}", {}, token=None, check=False).code == "linkGone"


# -- public channels


def test_a_visitor_begins_and_chats(gw, channel):
    name = channel()
    made = begin(gw, name, visit={"page": f"{SHOP}/cart?secret=1", "title": "x" * 1000})
    assert made["customer"]["id"].startswith("visitor-") and made["verified"] is False
    path, token = f"/v1/sessions/{made['session']}", made["token"]
    thread = gw.post(f"{path}/threads", {}, token=token)["id"]
    gw.post(f"{path}/threads/{thread}/messages", {"text": "Hello"}, token=token)
    session = gw.get(path, token=token)
    assert session["kind"] == "visitor" and "visitors" not in session["channel"]
    # Of the service it sees its own channel, without what is for those who run it.
    channels = gw.get("/v1/services", token=token)["items"][0]["channels"]
    assert [one["id"] for one in channels] == [name] and "visitors" not in channels[0]
    assert gw.get("/v1/services/local/channels/single", token=token, check=False).code == "unknownChannel"


def test_only_public_channels_take_visitors(gw, channel):
    assert begin(gw, "single", 404).code == "channelNotPublic"
    assert begin(gw, "not-there", 404).code == "channelNotPublic"
    name = channel()
    gw.patch(f"/v1/desk/channels/{name}", {"visitors": None})
    assert begin(gw, name, 404).code == "channelNotPublic"
    page = gw.get(f"/widget/{name}", token=None)
    assert '"public":false' in page.text and "Help" not in page.text
    assert "frame-ancestors 'none'" in page.header("Content-Security-Policy")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://shop.example", "https://shop.example.evil.example", "null", "https://shop.example:444"])
def test_a_page_of_another_origin_is_refused(gw, channel, origin):
    assert begin(gw, channel(), 403, {"Origin": origin}).code == "originNotAllowed"


def test_pages_of_the_channel_s_origins_use_the_sessions_of_the_channel(gw, channel):
    name, other = channel(), channel(origins=["https://other.example"])
    made = begin(gw, name, headers={"Origin": SHOP})
    assert made.header("Access-Control-Allow-Origin") == SHOP
    assert made.header("Access-Control-Allow-Credentials") is None and "Origin" in made.header("Vary")
    path, headers = f"/v1/sessions/{made['session']}", {"Origin": "https://a.b.shop.example"}
    assert gw.get(path, token=made["token"], headers=headers).header("Access-Control-Allow-Origin") == headers["Origin"]
    # Also what goes wrong can be read.
    lost = gw.get(f"{path}/threads/none", token=made["token"], headers=headers, check=False)
    assert lost.status == 404 and lost.header("Access-Control-Allow-Origin") == headers["Origin"]
    foreign = gw.get(path, token=made["token"], headers={"Origin": "https://other.example"}, check=False)
    assert (foreign.status, foreign.code) == (403, "originNotAllowed")
    assert other != name


def test_a_preflight_is_answered_for_the_sessions_and_for_nothing_else(gw, channel):
    channel()
    ask = {"Origin": SHOP, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    answer = gw.call("OPTIONS", "/v1/sessions/any/threads", token=None, headers=ask)
    assert answer.status == 204 and "POST" in answer.header("Access-Control-Allow-Methods")
    assert "Authorization" in answer.header("Access-Control-Allow-Headers")
    for path in ("/v1/sessions", "/v1/desk/threads", "/v1/keys", "/auth/logout"):
        assert gw.call("OPTIONS", path, token=None, headers=ask, check=False).header("Access-Control-Allow-Origin") is None, path


def test_other_credentials_count_nothing_from_a_page_of_another_origin(gw, channel):
    channel()
    headers = {"Origin": SHOP}
    answer = gw.get("/v1/services", headers=headers, check=False)  # the gateway's token
    assert (answer.status, answer.code) == (403, "foreignOrigin")
    for path in ("/v1/sessions", "/v1/desk/threads"):
        assert gw.get(path, headers=headers, check=False).code == "foreignOrigin", path


# -- who the customer is


def test_a_jwt_says_who_the_customer_is(gw, channel):
    name = channel(identity="required")
    gw.patch(f"/v1/desk/channels/{name}", {"customerFields": [{"ident": "tier", "label": "Tier", "type": "text"}]})
    key = secret(gw, name)
    assert begin(gw, name, 401).code == "identityRequired"
    token = identity_token(key["secret"], {"kid": key["id"]}, sub="4711", name="Ann Berg", email="ann@shop.example",
                           fields={"tier": "gold", "shoe": "42"}, aud=name)
    made = begin(gw, name, identity=token)
    assert made["verified"] is True and made["ignored"] == ["shoe"]
    assert made["customer"] == {"id": "4711", "firstName": "Ann", "lastName": "Berg", "email": "ann@shop.example", "verified": True}
    # She comes back, to the same conversations.
    path = f"/v1/sessions/{made['session']}"
    thread = gw.post(f"{path}/threads", {}, token=made["token"])["id"]
    gw.post(f"{path}/threads/{thread}/messages", {"text": "Hello"}, token=made["token"])
    again = begin(gw, name, identity=identity_token(key["secret"], sub="4711"))
    items = gw.get(f"/v1/sessions/{again['session']}/threads", token=again["token"])["items"]
    assert [one["id"] for one in items] == [thread]
    # She does not say another name of herself.
    answer = gw.put(f"{path}/customer", {"firstName": "Eve"}, token=made["token"], check=False)
    assert answer.code == "nameVouched"


NOW = int(time.time())
BAD = [
    ("form", lambda key: "a.b"), ("form", lambda key: identity_token(key, sub="1") + ".x"), ("form", lambda key: identity_token(key, sub="1") + "="),
    ("form", lambda key: identity_token(key, {"crit": ["exp"]}, sub="1")),
    ("algorithm", lambda key: identity_token(key, {"alg": "none"}, sub="1")), ("algorithm", lambda key: identity_token(key, {"alg": "HS512"}, sub="1")),
    ("algorithm", lambda key: identity_token(key, {"alg": "RS256"}, sub="1")), ("algorithm", lambda key: identity_token(key, {"alg": "hs256"}, sub="1")),
    ("signature", lambda key: identity_token("another", sub="1")), ("signature", lambda key: identity_token(key, sub="1")[:-4] + "AAAA"),
    ("key", lambda key: identity_token(key, {"kid": "nobody"}, sub="1")), ("key", lambda key: identity_token(key, {"kid": 7}, sub="1")),
    ("claims", lambda key: identity_token(key)), ("claims", lambda key: identity_token(key, sub="x" * 129)), ("claims", lambda key: identity_token(key, sub="visitor-x")),
    ("claims", lambda key: identity_token(key, sub="ä")), ("claims", lambda key: identity_token(key, sub="1", exp=None)),
    ("claims", lambda key: identity_token(key, sub="1", exp="soon")), ("claims", lambda key: identity_token(key, sub="1", exp=NOW + 90_000)),
    ("claims", lambda key: identity_token(key, sub="1", iat=NOW + 3600)), ("claims", lambda key: identity_token(key, sub="1", nbf=NOW + 3600)),
    ("claims", lambda key: identity_token(key, sub="1", aud="another")), ("claims", lambda key: identity_token(key, sub="1", fields={"a": 1})),
    ("claims", lambda key: identity_token(key, anonymous=True)), ("claims", lambda key: identity_token(key, sub="1", anonymous=True, jti="1")),
]


def test_a_bad_jwt_never_makes_an_anonymous_customer(gw, channel):
    name = channel(identity="optional")
    key = secret(gw, name)["secret"]
    for reason, make in BAD:
        answer = begin(gw, name, 401, identity=make(key))
        assert (answer.code, answer["reason"]) == ("invalidIdentity", reason), make(key)
    assert begin(gw, name, 401, identity=identity_token(key, sub="1", exp=NOW - 120)).code == "identityExpired"
    # Twice the same member: a reader that takes the last one would see another customer.
    good = identity_token(key, sub="1")
    assert begin(gw, name, identity=good)["verified"] is True


def test_two_secrets_work_while_one_replaces_the_other(gw, channel):
    name = channel(identity="required")
    old, new = secret(gw, name), secret(gw, name)
    answer = gw.post(f"/v1/desk/channels/{name}/identitySecrets", check=False)
    assert answer.code == "tooManySecrets"
    assert [one["id"] for one in gw.get(f"/v1/desk/channels/{name}/identitySecrets")["items"]] == [old["id"], new["id"]]
    for key in (old, new):
        begin(gw, name, identity=identity_token(key["secret"], sub="1"))
        begin(gw, name, identity=identity_token(key["secret"], {"kid": key["id"]}, sub="1"))
    gw.delete(f"/v1/desk/channels/{name}/identitySecrets/{old['id']}")
    assert begin(gw, name, 401, identity=identity_token(old["secret"], sub="1"))["reason"] == "signature"
    assert begin(gw, name, 401, identity=identity_token(old["secret"], {"kid": old["id"]}, sub="1"))["reason"] == "key"
    begin(gw, name, identity=identity_token(new["secret"], sub="1"))


def test_a_server_vouches_for_somebody_who_is_not_known(gw, channel):
    name = channel(identity="optional", anonymous="vouched")
    key = secret(gw, name)["secret"]
    assert begin(gw, name, 401).code == "identityRequired"
    token = identity_token(key, anonymous=True, jti="once")
    made = begin(gw, name, identity=token)
    assert made["verified"] is False and made["customer"]["id"].startswith("visitor-")
    assert begin(gw, name, 401, identity=token)["reason"] == "claims"


def test_a_fresh_jwt_is_of_the_same_customer(gw, channel):
    name = channel(identity="optional")
    key = secret(gw, name)["secret"]
    made = begin(gw, name, identity=identity_token(key, sub="1"))
    path = f"/v1/sessions/{made['session']}/identity"
    answer = gw.post(path, {"identity": identity_token(key, sub="1", email="a@b.example")}, token=made["token"])
    assert answer["verified"] is True and answer["expiresAt"] >= made["expiresAt"]
    assert gw.get(f"/v1/sessions/{made['session']}", token=made["token"])["customer"]["email"] == "a@b.example"
    other = gw.post(path, {"identity": identity_token(key, sub="2")}, token=made["token"], check=False)
    assert (other.status, other.code) == (409, "otherIdentity")


# -- consent, work, limits


def test_consent_comes_before_the_chat(gw, channel):
    name = channel(consent={"version": "2026-05", "url": f"{SHOP}/privacy"})
    assert begin(gw, name, 403).code == "consentRequired"
    assert begin(gw, name, 403, consent="2025-01").code == "consentRequired"
    begin(gw, name, consent="2026-05")


def test_a_browser_works_before_it_begins(gw, channel):
    name = channel(proof="work")
    refused = begin(gw, name, 403)
    assert refused.code == "proofRequired"
    proof = solve(refused["challenge"])
    assert begin(gw, name, 403, proof={**proof, "number": proof["number"] + 1}).code == "proofRequired"
    begin(gw, name, proof=proof)
    assert begin(gw, name, 403, proof=proof).code == "proofRequired", "a task is solved once"
    asked = gw.get(f"/v1/visitors/challenge?channel={name}", token=None).json
    other = channel(proof="work")
    assert begin(gw, other, 403, proof=solve(asked)).code == "proofRequired", "a task is of one channel"


def test_what_is_too_large_or_unknown_is_refused(gw, channel):
    name = channel()
    assert begin(gw, name, 413, visit={"title": "x" * 20_000}).code == "bodyTooLarge"
    assert begin(gw, name, 422, customer={"id": "4711"}).code == "unknownMember"


def test_a_visitor_writes_less_than_others(gw, channel):
    made = begin(gw, channel())
    path, token = f"/v1/sessions/{made['session']}/threads", made["token"]
    thread = gw.post(path, {}, token=token)["id"]
    answers = [gw.post(f"{path}/{thread}/messages", {"text": "x"}, token=token, check=False) for _ in range(22)]
    assert [one.status for one in answers[:20]] == [201] * 20
    assert (answers[21].status, answers[21].code) == (429, "tooManyWrites") and int(answers[21].header("Retry-After")) > 0


# -- settings of a channel


@pytest.mark.parametrize("origin", ["https://shop.example/path", "*", "null", "ftp://shop.example", "https://shop.example:0", "https://*", "https://sh*p.example", "https://-a.example", ""])
def test_what_is_no_origin_is_refused(gw, channel, origin):
    answer = gw.patch(f"/v1/desk/channels/{channel()}", {"visitors": {"public": True, "origins": [origin]}}, check=False)
    assert (answer.status, answer.code) == (422, "invalidValue")


def test_origins_are_kept_as_browsers_send_them(gw, channel):
    origins = ["HTTPS://Shop.Example:443", "http://localhost:3000", "http://[::1]:80"]
    made = gw.patch(f"/v1/desk/channels/{channel()}", {"visitors": {"public": True, "origins": origins}})
    assert made["visitors"]["origins"] == ["https://shop.example", "http://localhost:3000", "http://[::1]"]


def test_texts_of_a_channel_have_the_places_of_their_keys(gw, channel):
    name = channel()
    path = f"/v1/desk/channels/{name}"
    faults = {"xx": {"head.online": "x"}, "de": {"head.nothing": "x", "composer.tooLong": "{name} {limit}"}}
    answer = gw.patch(path, {"texts": faults}, check=False)
    assert answer.status == 422
    assert sorted(error["pointer"] for error in answer["errors"]) == ["#/texts/de/composer.tooLong", "#/texts/de/head.nothing", "#/texts/xx/head.online"]
    gw.patch(path, {"texts": {"de": {"head.online": "Wir sind <da>"}}, "languages": ["de", "en"]})
    page = gw.get(f"/widget/{name}", token=None, headers={"Accept-Language": "de-AT,en;q=0.5"})
    settings = json.loads(page.text.partition('id="settings">')[2].partition("</script>")[0])
    assert settings["lang"] == "de" and settings["texts"]["head"]["online"] == "Wir sind <da>"
    assert "<da>" not in page.text and '<html lang="de" dir="ltr">' in page.text
    other = gw.get(f"/widget/{name}?lang=fr", token=None)
    assert '<html lang="de"' in other.text, "a language that is not offered is the channel's first"


def test_the_widget_s_files_are_for_every_page(gw, channel):
    name = channel()
    headers = {"Origin": "https://any.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    for path in ("/widget.js", f"/widget/{name}/config.js"):
        answer = gw.get(path, token=None, headers=headers)
        assert answer.header("Access-Control-Allow-Origin") == "*"
        assert answer.header("Cross-Origin-Resource-Policy") == "cross-origin"
    page = gw.get(f"/widget/{name}", token=None, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"})
    assert f"frame-ancestors 'self' {SHOP} https://*.shop.example" in page.header("Content-Security-Policy")
    assert page.header("Cross-Origin-Embedder-Policy") == "require-corp"
    assert gw.get("/widget/single/config.js", token=None, check=False).code == "channelNotPublic"


def test_the_pages_come_in_the_browser_s_language(gw):
    for header, query, tag, direction in [("de-AT,en;q=0.5", "", "de", "ltr"), ("ar", "", "ar", "rtl"), ("de", "?lang=fr", "fr", "ltr")]:
        page = gw.get(f"/{query}", token=None, headers={"Accept-Language": header}).text
        assert f'<html lang="{tag}" dir="{direction}"' in page
        texts = json.loads(page.partition('id="texts">')[2].partition("</script>")[0])
        assert texts["lang"] == tag and texts["pages"] and "widget" not in texts
    for header in ("en", "xx", "de;q=0"):
        assert 'id="texts"' not in gw.get("/", token=None, headers={"Accept-Language": header}).text, "English is in the scripts"


# -- a host of their own


def test_on_the_customers_host_there_is_nothing_else():
    with Gateway(options=["--customer-host", "chat.shop.example"]) as gw:
        gw.post("/v1/desk/channels", {"id": "help", "mode": "multithread", "visitors": {"public": True}})
        theirs = {"Host": "chat.shop.example"}
        chat = Chat(gw, "help")
        link = gw.post(f"{chat.path}/links", {})["url"]
        assert link.startswith("http://chat.shop.example/c/")
        for path in ("/", "/desk", "/access", "/reports", "/inspect", "/docs", "/openapi.json", "/v1/desk/threads", "/v1/keys", "/v1/info", "/metrics", "/auth/status", "/v1/sessions"):
            for host in ("chat.shop.example", "Chat.Shop.Example"):
                # Not by the helper: the document tells of the gateway's own names.
                connection = http.client.HTTPConnection("127.0.0.1", gw.port)
                connection.request("GET", path, headers={"Host": host, "Authorization": f"Bearer {gw.token}"})
                answer = connection.getresponse()
                assert answer.status == 404 and b'"notFound"' in answer.read(), path
                connection.close()
        for path in ("/widget.js", "/widget/help", "/widget/help/config.js", f"/c/{link.rpartition('/')[2]}"):
            assert gw.get(path, token=None, headers=theirs).status == 200, path
        made = gw.call("POST", "/v1/visitors", {"channel": "help"}, token=None, headers=theirs)
        assert gw.get(f"/v1/sessions/{made['session']}", token=made["token"], headers=theirs).status == 200
        assert gw.get("/desk", token=None).status == 200, "on the gateway's own name the desk is there"


def test_visitors_are_counted_by_the_address_that_the_proxy_names():
    with Gateway(options=["--trust-proxy", "--proxy-hops", "1"]) as gw:
        gw.post("/v1/desk/channels", {"id": "help", "mode": "multithread", "visitors": {"public": True}})
        def ask(address):
            headers = {"X-Forwarded-For": f"192.0.2.9, {address}"}
            return gw.call("POST", "/v1/visitors", {"channel": "help"}, token=None, headers=headers, check=False)
        assert [ask("198.51.100.7").status for _ in range(6)] == [201] * 6
        refused = ask("198.51.100.7")
        assert (refused.status, refused.code) == (429, "tooManyVisitors") and int(refused.header("Retry-After")) > 0
        assert ask("198.51.100.8").status == 201


# -- what strangers tried


def test_what_a_channel_says_ends_no_script(gw, channel):
    """By bytes: a mark before `<` makes another character of it for whoever compares characters."""
    name = channel()
    hostile = "\u0600</script>\u0600<script src='/v1/x'>"
    gw.patch(f"/v1/desk/channels/{name}", {"appearance": {"greeting": hostile, "name": hostile}, "texts": {"de": {"head.online": hostile}}})
    page = gw.get(f"/widget/{name}?lang=de", token=None)
    settings = page.text.partition('id="settings">')[2].partition("</script>")[0]
    assert json.loads(settings)["appearance"]["greeting"] == hostile and "<" not in settings
    link = gw.post(f"{Chat(gw, name).path}/links", {})["url"].rpartition("/")[2]
    assert "<" not in gw.get(f"/c/{link}", token=None).text.partition('id="settings">')[2].partition("</script>")[0]


def test_a_file_of_a_customer_is_no_code_of_a_page(gw):
    chat = Chat(gw, "multi")
    file = chat.upload(b"alert(1)", kind="text/javascript")["id"]
    path = f"{chat.path}/attachments/{file}"
    assert gw.get(path, token=chat.token).status == 200
    for use in ("script", "style", "worker", "sharedworker", "serviceworker", "object", "embed"):
        answer = gw.get(path, token=chat.token, headers={"Sec-Fetch-Dest": use, "Sec-Fetch-Site": "same-origin"}, check=False)
        assert (answer.status, answer.code) == (403, "foreignOrigin"), use


def test_what_is_refused_closes_no_channel(gw, channel):
    name = channel(proof="work", consent={"version": "1"})
    connection = http.client.HTTPConnection("127.0.0.1", gw.port)
    for _ in range(700):
        connection.request("POST", "/v1/visitors", json.dumps({"channel": name}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 403 and answer.read()
    asked = gw.get(f"/v1/visitors/challenge?channel={name}", token=None).json
    assert asked["maxNumber"] == 50_000, "and nobody has to work more for it"
    begin(gw, name, consent="1", proof=solve(asked))


def test_a_customer_does_not_change_what_the_shop_vouches_for(gw, channel):
    name = channel(identity="optional")
    gw.patch(f"/v1/desk/channels/{name}", {"customerFields": [{"ident": "tier", "label": "Tier", "type": "text"}]})
    made = begin(gw, name, identity=identity_token(secret(gw, name)["secret"], sub="1", fields={"tier": "basic"}))
    path = f"/v1/sessions/{made['session']}/customer"
    assert gw.put(path, {"firstName": "Shop"}, token=made["token"], check=False).code == "nameVouched"
    assert gw.put(f"{path}/customFields", {"customFields": {"tier": "gold"}}, token=made["token"], check=False).code == "nameVouched"
    assert gw.put(f"{path}/customFields", {"customFields": {"tier": "gold"}}).status == 200, "who runs the gateway may"


def test_without_identity_a_channel_takes_no_jwt(gw, channel):
    name = channel()
    assert begin(gw, name, 401, identity=identity_token(secret(gw, name)["secret"], sub="1"))["reason"] == "key"


def test_an_origin_that_is_taken_away_ends_at_once(gw, channel):
    name = channel()
    made = begin(gw, name)
    connection = http.client.HTTPConnection("127.0.0.1", gw.port)

    def ask():
        connection.request("GET", f"/v1/sessions/{made['session']}", headers={"Authorization": f"Bearer {made['token']}", "Origin": "https://gone.shop.example"})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    assert [ask(), ask()] == [200, 200]
    gw.patch(f"/v1/desk/channels/{name}", {"visitors": {"public": True, "origins": ["https://elsewhere.example"]}})
    assert ask() == 403


def test_the_export_has_what_was_kept_of_a_visitor(gw, channel):
    name = channel(consent={"version": "1"})
    made = begin(gw, name, consent="1", visit={"page": f"{SHOP}/a?\u0301secret=1", "title": "Cart"})
    text = gw.get(f"/v1/desk/customers/{made['customer']['id']}/export?channel={name}").text
    lines = [json.loads(line) for line in text.splitlines()]
    account, session = [next(line for line in lines if line["kind"] == kind) for kind in ("account", "session")]
    assert account["consent"]["version"] == "1"
    assert session["begunBy"] == "visitor" and session["visit"] == {"page": f"{SHOP}/a", "title": "Cart"}


# -- ratings


def test_a_conversation_that_has_ended_is_rated(gw):
    gw.post("/v1/desk/channels", {"id": "rated", "mode": "multithread", "rating": "numbers"})
    chat = Chat(gw, "rated")
    path, at_desk = chat.open()
    assert gw.put(f"{path}/rating", {"score": 5}, token=chat.token, check=False).code == "illegalThreadState"
    gw.post(f"{at_desk}/close")
    rated = gw.put(f"{path}/rating", {"score": 4, "comment": "Quick."}, token=chat.token)
    assert (rated["rating"]["score"], rated["rating"]["comment"]) == (4, "Quick.")
    assert gw.get(at_desk)["rating"]["score"] == 4
    assert gw.put(f"{path}/rating", {"score": 5}, token=chat.token)["rating"]["at"] == rated["rating"]["at"]
    for body in ({"score": 0}, {"score": 6}, {"score": 3.5}, {"score": 1, "comment": "x" * 2001}):
        assert gw.put(f"{path}/rating", body, token=chat.token, check=False).status == 422
    assert "rating" not in gw.delete(f"{path}/rating", token=chat.token).json
    other = Chat(gw, "multi")
    path, at_desk = other.open()
    gw.post(f"{at_desk}/close")
    assert gw.put(f"{path}/rating", {"score": 5}, token=other.token, check=False).code == "unsupportedChannelConfig"

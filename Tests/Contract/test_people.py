"""The shop's people: invitations, passwords, roles, names and pictures. Each test has a gateway of its own."""

import http.client

import pytest
from chat import Chat
from commands import parley
from keys import Key
from people import PASSWORD, Person, invite

OTHER = "four cranes on a blue roof"
PNG = b"\x89PNG\r\n\x1a\n picture"


def made(gateway, **members):
    body = {"name": "Mara Lind", "email": "Mara@Shop.example", "role": "agent", **members}
    answer = gateway.post("/v1/people", body)
    assert answer.status == 201, answer.text
    return answer


def test_who_is_invited_chooses_a_password_and_is_in(own):
    person = made(own, id="mara", publicName="Mara")
    assert person["state"] == "invited" and person["email"] == "mara@shop.example" and person["hasPassword"] is False
    assert person.header("Location") == "/v1/people/mara"
    code = invite(own, "/v1/people/mara")
    for method in ("HEAD", "GET"):
        assert own.call(method, f"/welcome/{code}", token=None).status == 200  # a look uses nothing up
    accepted = own.call("POST", f"/auth/invitations/{code}", {"password": PASSWORD}, token=None)
    assert accepted.status == 200 and accepted["person"]["state"] == "active" and accepted["person"]["hasPassword"] is True
    assert PASSWORD not in accepted.text
    assert own.call("POST", f"/auth/invitations/{code}", {"password": PASSWORD}, token=None).code == "invitationGone"
    assert own.call("POST", "/auth/invitations/never-made", {"password": PASSWORD}, token=None).code == "invitationGone"
    own.restart()
    signed_in = own.call("POST", "/auth/sign-in", {"email": "MARA@shop.example", "password": PASSWORD}, token=None)
    assert signed_in.status == 200 and signed_in["person"]["id"] == "mara"
    assert own.call("GET", "/auth/status", token=None)["methods"] == ["code", "password"]
    acts = [(one["action"], one["actor"]) for one in own.get("/v1/audit")["items"]]
    assert {("person.created", "gateway"), ("person.invited", "gateway"), ("password.changed", "person:mara"),
            ("login.created", "person:mara")} <= set(acts)


def test_nothing_tells_why_a_sign_in_failed(own):
    active, disabled = Person(own), Person(own)
    own.call("PATCH", disabled.path, {"state": "disabled"})
    made(own, email="invited@shop.example")
    answers = [
        active.sign_in("another password of no one"), active.sign_in(email="nobody@shop.example"), disabled.sign_in(),
        active.sign_in(email="invited@shop.example"),
    ]
    told = {(one.status, one.code, one.json.get("detail"), one.header("WWW-Authenticate")) for one in answers}
    assert len(told) == 1 and answers[0].code == "wrongCredentials"
    assert active.sign_in().status == 200
    failed = [one["subject"] for one in own.get("/v1/audit?action=login.failed")["items"]]
    assert sorted(failed) == sorted({active.email, "nobody@shop.example", disabled.email, "invited@shop.example"})


def test_a_new_invitation_takes_the_place_of_a_forgotten_password(own):
    person = Person(own)
    first, second = invite(own, person.path), invite(own, person.path)
    assert own.call("POST", f"/auth/invitations/{first}", {"password": OTHER}, token=None).code == "invitationGone"
    assert person.get("/v1/me").status == 200, "an invitation ends nothing"
    assert own.call("POST", f"/auth/invitations/{second}", {"password": OTHER}, token=None).status == 200
    assert person.get("/v1/me").status == 401 and person.sign_in().code == "wrongCredentials"
    assert person.sign_in(OTHER).status == 200


@pytest.mark.parametrize("password, reason", [
    ("short", "short"), ("fourteen chars", "short"), ("ab" * 20, "repeated"), ("correct horse battery staple", "common"),
    ("password password password", "common"), ("mara.lind@shop.example", "personal"), ("Mara Lind Mara Lind", "personal"),
    ("two herons " + "é" * 250, "long"),
])
def test_a_weak_password_is_refused(own, password, reason):
    made(own, id="mara")
    code = invite(own, "/v1/people/mara")
    refused = own.call("POST", f"/auth/invitations/{code}", {"password": password}, token=None)
    assert refused.code == "passwordTooWeak" and refused["reason"] == reason
    assert own.call("POST", f"/auth/invitations/{code}", {"password": "Ünïcode herons with 🦩🦩"}, token=None).status == 200, "it was not used up"


def test_nobody_acts_under_anothers_name(own):
    mara, other = Person(own, publicName="Mara"), Person(own)
    chat = Chat(own, "contract-multi")
    _, desk = chat.open()
    said = mara.post(f"{desk}/messages", {"text": "Hello"})
    assert said.status == 201 and said["author"]["id"] == mara.id and said["author"]["name"] == "Mara"
    named = mara.post(f"{desk}/messages", {"text": "Hello", "agent": {"id": mara.id, "name": "The Boss"}})
    assert named.status == 201 and named["author"]["name"] == "Mara", "the name in the body is ignored"
    for agent in (other.id, "agent"):
        assert mara.post(f"{desk}/messages", {"text": "Hello", "agent": {"id": agent, "name": "x"}}).code == "notYou"
        assert mara.post(f"{desk}/typing?as={agent}", {"isTyping": True}).code == "notYou"
    # Whoever runs the gateway names anybody; a person is called by their own name.
    by_gateway = own.post(f"{desk}/messages", {"text": "Hello", "agent": {"id": mara.id, "name": "x"}})
    assert by_gateway["author"]["name"] == "Mara"
    key = Key(own, "desk.write")
    assert key.post(f"{desk}/messages", {"text": "Hello", "agent": {"id": mara.id, "name": "x"}}).code == "notYou"
    assert key.post(f"{desk}/messages", {"text": "Hello", "agent": {"id": "bot", "name": "Bot"}}).status == 201
    assert own.post("/v1/keys", {"name": "k", "scopes": ["desk.write"], "agent": {"id": mara.id, "name": "x"}}).code == "notYou"
    agents = {one["id"]: one for one in own.get("/v1/desk/agents")["items"]}
    assert agents[mara.id]["person"] is True and agents[other.id]["person"] is True and "person" not in agents["bot"]


def test_an_agent_changes_their_own_messages_alone(own):
    mara, boss = Person(own), Person(own, "supervisor")
    _, desk = Chat(own, "contract-multi").open()
    mine = mara.post(f"{desk}/messages", {"text": "mine"})["id"]
    others = boss.post(f"{desk}/messages", {"text": "another's"})["id"]
    assert mara.call("PATCH", f"{desk}/messages/{mine}", {"text": "changed"}).status == 200
    assert mara.call("PATCH", f"{desk}/messages/{others}", {"text": "changed"}).code == "notYou"
    assert mara.call("DELETE", f"{desk}/messages/{others}").code == "notYou"
    note = boss.post(f"{desk}/notes", {"text": "for you"})["id"]
    assert mara.call("DELETE", f"{desk}/notes/{note}").code == "notYou"
    for method, path in (("DELETE", desk), ("POST", f"{desk}/resetHistory")):
        refused = mara.call(method, path)
        assert (refused.code, refused["missingScope"]) == ("insufficientScope", "desk.manage")
    assert boss.call("PATCH", f"{desk}/messages/{mine}", {"text": "changed again"}).status == 200
    assert mara.call("DELETE", f"{desk}/messages/{mine}").status == 204
    own_note = mara.post(f"{desk}/notes", {"text": "for me"})["id"]
    assert mara.call("DELETE", f"{desk}/notes/{own_note}").status == 204
    # A key that has an agent is held to it as well.
    bot = Key(own, "desk.write", agent={"id": "helper", "name": "Helper"})
    said = bot.post(f"{desk}/messages", {"text": "I can help"})["id"]
    assert bot.delete(f"{desk}/messages/{others}").code == "notYou" and bot.delete(f"{desk}/notes/{note}").code == "notYou"
    assert bot.delete(f"{desk}/messages/{said}").status == 204
    assert boss.call("DELETE", f"{desk}/notes/{note}").status == 204 and boss.call("DELETE", desk).status == 204


def test_nobody_takes_the_name_of_another_person(own):
    mara, other = Person(own, publicName="Mara"), Person(own, publicName="Bo")
    for body in ({"publicName": "bo"}, {"name": other.name}, {"name": "BO"}):
        assert mara.call("PATCH", "/v1/me", body).code == "notYou", body
    changed = mara.call("PATCH", "/v1/me", {"publicName": "Mara L.", "name": mara.name})
    assert changed.status == 200 and changed["lastSeenAt"] == mara.get("/v1/me")["lastSeenAt"]
    [entry] = own.get(f"/v1/audit?actor=person:{mara.id}&action=person.changed")["items"]
    assert entry["detail"] == {"name": mara.name, "publicName": "Mara L."}


def test_a_person_is_limited_to_channels_everywhere(own):
    boss = Person(own, "supervisor", channels=["contract-multi"])
    availability = "/v1/desk/channels/{}/availability"
    assert boss.call("PUT", availability.format("contract-live"), {"isOnline": False}).code == "unknownChannel"
    [service] = [each for each in boss.get("/v1/services")["items"] if each["id"] == "local"]
    assert [each["id"] for each in service["channels"]] == ["contract-multi"]
    assert boss.get("/v1/services/local/channels/contract-live").code == "unknownChannel"
    assert boss.get("/v1/services/local/channels/contract-multi").status == 200


def test_a_program_signs_out_without_an_origin(own):
    person = Person(own)
    halves = {**person.cookie, **person.page}
    with own.events("/v1/desk/events", token=None, headers={"Origin": own.origin, **halves}) as stream:
        assert own.call("POST", "/auth/logout", {}, token=None, headers={**halves, "Origin": "https://evil.example"}).status == 403
        assert person.get("/v1/me").status == 200
        assert own.call("POST", "/auth/logout", {}, token=None, headers=halves).status == 204
        assert stream.wait("access.ended").data == {"reason": "signedOut"}
    assert person.get("/v1/me").status == 401


def test_people_are_changed_by_command(own):
    person = Person(own)
    changed = parley(own, "person", "change", person.id, "--role", "supervisor", "--public-name", "Mara", "--channel", "contract-multi")
    assert changed.returncode == 0 and "supervisor" in changed.stdout, changed
    now = own.get(person.path)
    assert (now["role"], now["publicName"], now["channels"]) == ("supervisor", "Mara", ["contract-multi"])
    assert parley(own, "person", "change", person.id, "--all-channels", "--disable").returncode == 0
    now = own.get(person.path)
    assert now["state"] == "disabled" and "channels" not in now.json
    assert own.get("/v1/audit?action=person.changed")["items"][0]["detail"]["channels"] is None, "all, and not none"
    assert parley(own, "person", "change", person.id, "--enable").returncode == 0
    for wrong in ((), ("--enable", "--disable"), ("--all-channels", "--channel", "a")):
        assert parley(own, "person", "change", person.id, *wrong).returncode == 64, wrong
    again = person.sign_in()
    person.take(again)
    assert person.login in parley(own, "login").stdout and person.id in parley(own, "login").stdout
    assert '"channels"' in parley(own, "audit", "--action", "person.changed").stdout


def test_a_person_sees_their_channels_alone(own):
    mara = Person(own, channels=["contract-multi"])
    own.post("/v1/desk/channels", {"id": "other", "mode": "multithread"})
    _, seen_desk = Chat(own, "contract-multi").open()
    _, hidden_desk = Chat(own, "other").open()
    assert [one["id"] for one in mara.get("/v1/desk/threads")["items"]] == [seen_desk.rpartition("/")[2]]
    assert mara.get(seen_desk).status == 200 and mara.get(hidden_desk).status == 404
    assert mara.get("/v1/desk/threads?channel=other").code == "outsideChannels"
    assert mara.get("/auth/status")["channels"] == ["contract-multi"]


@pytest.mark.parametrize("change, reason", [
    ({"role": "supervisor"}, "changed"), ({"channels": ["contract-multi"]}, "changed"), ({"state": "disabled"}, "disabled"),
])
def test_what_is_open_ends_with_another_right(own, change, reason):
    mara, other = Person(own), Person(own)
    with own.events("/v1/events?desk=true", token=None, headers={**mara.cookie, **mara.page}) as stream, \
            own.events("/v1/events?desk=true", token=None, headers={**other.cookie, **other.page}) as others:
        stream.wait("ready"), others.wait("ready")
        assert own.call("PATCH", mara.path, {"name": "Another name"}).status == 200  # ends nothing
        assert own.call("PATCH", mara.path, change).status == 200
        assert stream.wait("access.ended").data == {"reason": reason}
        assert stream.next() is None
        Chat(own, "contract-multi").open()
        others.wait("thread.created")
    assert mara.get("/v1/me").status == (401 if reason == "disabled" else 200)
    assert other.get("/v1/me").status == 200


def test_an_equal_request_on_the_same_connection_is_judged_anew(own):
    ida = Person(own, "supervisor")
    connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=30)

    def ask(path):
        connection.request("GET", path, headers={**ida.cookie, **ida.page})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    assert [ask("/v1/people") for _ in range(3)] == [200] * 3
    own.call("PATCH", ida.path, {"role": "agent"})
    assert [ask("/v1/people") for _ in range(2)] == [403] * 2
    own.call("PATCH", ida.path, {"state": "disabled"})
    assert ask("/v1/people") == 401
    own.call("PATCH", ida.path, {"state": "active"})
    assert ask("/v1/people") == 401, "who is enabled again signs in again"
    connection.close()


def test_sign_out_everywhere_and_removal(own):
    mara, other = Person(own), Person(own)
    again = Person.__new__(Person)
    again.gateway = own
    again.take(mara.sign_in())
    assert len(mara.get("/v1/me/logins")["items"]) == 2
    assert mara.call("DELETE", f"/v1/me/logins/{other.login}").code == "unknownLogin"
    assert mara.call("DELETE", f"/v1/me/logins/{again.login}").status == 204 and again.get("/v1/me").status == 401
    again.take(mara.sign_in())
    assert own.call("POST", f"{mara.path}/signOut").status == 204
    assert mara.get("/v1/me").status == 401 and again.get("/v1/me").status == 401 and other.get("/v1/me").status == 200
    assert own.delete(other.path).status == 204
    assert other.get("/v1/me").status == 401 and own.get(other.path).code == "unknownPerson"
    assert other.sign_in().code == "wrongCredentials"


def test_a_changed_password_ends_the_other_logins(own):
    mara = Person(own)
    other = Person.__new__(Person)
    other.gateway = own
    other.take(mara.sign_in())
    assert mara.post("/v1/me/password", {"current": OTHER, "password": OTHER}).code == "wrongCredentials"
    assert mara.post("/v1/me/password", {"current": PASSWORD, "password": "short"}).code == "passwordTooWeak"
    assert mara.post("/v1/me/password", {"current": PASSWORD, "password": OTHER}).status == 204
    assert mara.get("/v1/me").status == 200 and other.get("/v1/me").status == 401
    assert mara.sign_in().code == "wrongCredentials" and mara.sign_in(OTHER).status == 200


def test_somebody_is_left_who_may_administer(own):
    first, second = Person(own, "administrator"), Person(own, "administrator")
    assert first.call("PATCH", second.path, {"role": "agent"}).status == 200
    for method, path, body in (("PATCH", first.path, {"role": "agent"}), ("PATCH", first.path, {"state": "disabled"}), ("DELETE", first.path, None)):
        assert first.call(method, path, body).code == "lastAdministrator"
    assert second.post("/v1/people", {"name": "x", "email": "x@shop.example", "role": "agent"}).code == "forbidden"
    assert own.delete(first.path).status == 204, "whoever runs the gateway may"


def test_administrators_make_people_and_keys(own):
    boss = Person(own, "administrator")
    person = boss.post("/v1/people", {"name": "New", "email": "new@shop.example", "role": "agent"})
    assert person.status == 201 and person["id"].startswith("p_") and len(person["id"]) == 14
    key = boss.post("/v1/keys", {"name": "k", "scopes": ["metrics.read"]})
    assert key.status == 201 and key["createdBy"] == f"person:{boss.id}"
    assert boss.post("/auth/confirm", {"password": OTHER}).code == "wrongCredentials"
    assert boss.post("/auth/confirm", {"password": PASSWORD}).status == 204
    entry = own.get("/v1/audit?action=key.created")["items"][0]
    assert (entry["actor"], entry["actorName"]) == (f"person:{boss.id}", boss.name)


def test_who_guesses_waits_and_others_do_not(own):
    mara, other = Person(own), Person(own)
    answers = [mara.sign_in("not the password, surely") for _ in range(8)]
    assert [one.code for one in answers] == ["wrongCredentials"] * 5 + ["tooManyFailures"] * 3
    assert 1 <= int(answers[-1].header("Retry-After")) <= 900
    assert mara.get("/v1/me").status == 200, "a login is never refused for others' failures"
    assert other.sign_in().status == 200


@pytest.mark.parametrize("body, code", [
    ({"email": "nobody"}, "invalidValue"), ({"email": "a b@c"}, "invalidValue"), ({"email": "a@b@c"}, "invalidValue"),
    ({"email": "x" * 250 + "@shop"}, "invalidValue"), ({"role": "owner"}, "invalidValue"), ({"role": "administrator", "channels": ["multi"]}, "invalidValue"),
    ({"channels": []}, "invalidValue"), ({"name": ""}, "invalidValue"), ({"name": None}, "invalidValue"), ({"state": "active"}, "unknownMember"),
    ({"id": "a\u0000b"}, "invalidValue"),
])
def test_a_person_that_cannot_be_is_refused(own, body, code):
    answer = own.post("/v1/people", {"name": "x", "email": "x@shop.example", "role": "agent", **body})
    assert answer.code == code and own.get("/v1/people")["items"] == []


def test_addresses_are_of_one_person(own):
    made(own, id="mara", proxyName="mlind")
    for body in ({"email": "MARA@shop.example"}, {"email": "mlind@x", "id": "mara"}, {"email": "x@shop.example", "proxyName": "mara@shop.example"}):
        answer = own.post("/v1/people", {"name": "x", "role": "agent", **body})
        assert answer.code == "personExists", body
    assert own.call("PATCH", "/v1/people/mara", {"proxyName": None, "publicName": None, "channels": None}).status == 200
    assert "proxyName" not in own.get("/v1/people/mara").json
    assert own.call("PATCH", "/v1/people/mara", {"state": "active"})["state"] == "invited", "who has never signed in stays invited"
    assert own.call("PATCH", "/v1/people/nobody", {"name": "x"}).code == "unknownPerson"


def test_a_person_changes_what_is_their_own(own):
    mara = Person(own)
    me = mara.get("/v1/me")
    assert me["id"] == mara.id and me["settings"] == {}
    changed = mara.call("PATCH", "/v1/me", {"publicName": "M.", "settings": {"theme": "dark", "list": [1, {"a": None}]}})
    assert changed.status == 200 and changed["publicName"] == "M." and changed["settings"] == {"theme": "dark", "list": [1, {"a": None}]}
    for body in ({"role": "administrator"}, {"email": "x@y"}, {"channels": None}, {"state": "active"}):
        assert mara.call("PATCH", "/v1/me", body).code == "unknownMember"
    assert mara.call("PATCH", "/v1/me", {"settings": {"x": "y" * 9000}}).status in (400, 422)
    assert mara.call("PATCH", "/v1/me", {"settings": 1}).code == "invalidValue"
    own.restart()
    assert mara.get("/v1/me")["settings"] == {"theme": "dark", "list": [1, {"a": None}]}
    assert "settings" not in own.get(mara.path).json


def test_pictures(own):
    mara = Person(own)
    put = lambda data, path=f"{mara.path}/picture", kind="image/png": own.call("PUT", path, raw=data, headers={"Content-Type": kind})
    address = put(PNG)["picture"]
    assert own.get(mara.path)["picture"] == address
    shown = own.get(address, token=None)
    assert shown.body == PNG and shown.kind == "image/png" and "immutable" in shown.header("Cache-Control")
    assert "sandbox" in shown.header("Content-Security-Policy")
    assert put(b"<svg xmlns='http://www.w3.org/2000/svg'/>", kind="image/svg+xml").status == 415
    assert put(b"").status in (415, 422) and put(PNG + bytes(300_000)).status == 413
    mine = mara.call("PUT", "/v1/me/picture", raw=b"\xff\xd8\xff mine", headers={"Content-Type": "image/jpeg"})
    assert mine.status == 200 and own.get(mine["picture"], token=None).kind == "image/jpeg"
    assert own.get(address, token=None).status == 404, "nobody has it any more"
    assert mara.call("DELETE", "/v1/me/picture").status == 204 and "picture" not in own.get(mara.path).json
    for wrong in ("/pictures/x", "/pictures/" + "g" * 64, "/pictures/" + "0" * 64):
        assert own.get(wrong, token=None, check=False).status == 404


def test_a_key_does_not_act_as_somebody_who_came_later(own):
    key = own.post("/v1/keys", {"name": "bot", "scopes": ["desk.read", "desk.write"], "agent": {"id": "mara", "name": "Mara"}})
    assert key.status == 201, key.text
    come = lambda: own.call("PUT", "/v1/desk/presence", {"state": "online"}, token=key["secret"])
    assert come().status == 204
    made(own, id="mara")
    assert come().code == "notYou"


def test_who_is_disabled_loses_the_invitation(own):
    person = made(own, id="mara")
    code = invite(own, "/v1/people/mara")
    for state in ("disabled", "active"):
        assert own.call("PATCH", "/v1/people/mara", {"state": state}).status == 200
    assert own.call("POST", f"/auth/invitations/{code}", {"password": PASSWORD}, token=None).code == "invitationGone", person

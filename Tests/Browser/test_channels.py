"""What the desk says of a channel: what is asked, what is noted, which files may come."""

from test_live import SURVEY


def settings(browser, channel):
    desk = browser.desk()
    desk.put("channel-filter", channel)
    desk.click("channel-settings")
    return desk


def fields(browser, channel):
    desk = settings(browser, channel)
    desk.click("channel-fields")
    desk.find("fields-dialog")
    return desk


def newest(desk, hook):
    return desk.js(f"return all('{hook}').at(-1)")


def add(desk, name, label, kind, options=""):
    desk.click(f"add-{name}")
    newest(desk, f"{name}-label").send_keys(label)
    desk.js("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", newest(desk, f"{name}-type"), kind)
    if options:
        newest(desk, f"{name}-options").send_keys(options)


def test_the_desk_writes_what_is_asked_and_customers_answer(browser, gateway):
    desk = fields(browser, "multi")
    add(desk, "survey", "E-mail", "email")
    newest(desk, "survey-required").click()
    add(desk, "survey", "Product", "tree", "Shoes\n  Boots\nGloves")
    add(desk, "contactFields", "Priority", "list", "High\nLow")
    add(desk, "contactFields", "Product", "text")
    add(desk, "customerFields", "Shoe size", "text")
    desk.click("fields-submit")
    desk.gone("fields-dialog")
    channel = gateway.get("/v1/desk/channels/multi")
    assert channel["preChatSurvey"]["fields"] == [
        {"ident": "e-mail", "label": "E-mail", "type": "email", "isRequired": True},
        {
            "ident": "product",
            "label": "Product",
            "type": "tree",
            "options": [{"id": "shoes", "label": "Shoes"}, {"id": "boots", "label": "Boots", "parentId": "shoes"}, {"id": "gloves", "label": "Gloves"}],
        },
    ]
    assert [(field["ident"], field["type"]) for field in channel["contactFields"]] == [
        ("priority", "list"),
        ("product-2", "text"),
    ], "a question has the name already"
    assert [(field["ident"], field["type"]) for field in channel["customerFields"]] == [("shoe-size", "text")]
    chat = browser.chat("multi")
    chat.click("new-thread")
    chat.write("field-survey-0", "ann@example.org")
    chat.js("document.querySelector('[data-ident=product]').value = 'boots'")
    chat.click("survey-submit")
    chat.find("composer")
    thread = gateway.get(f"/v1/sessions/{chat.session('multi')}/threads")["items"][0]
    assert thread["customFields"] == {"e-mail": "ann@example.org", "product": "boots"}
    chat.send("Hello?")
    desk.click("desk-thread")
    desk.click("details")
    desk.wait(lambda: desk.text("facts") == "E-mailann@example.orgProductShoes › Boots", "the agent reads the answers")


def test_what_is_there_is_shown_and_keeps_its_names(browser, gateway):
    gateway.api("PATCH", "/v1/desk/channels/live", {"preChatSurvey": SURVEY})
    desk = fields(browser, "live")
    assert desk.js("return all('survey-label').map((one) => one.value)") == ["E-mail", "Topic", "Product", "Anything else"]
    assert desk.js("return all('survey-options').filter(shown).map((one) => one.value)") == ["Invoices\nTechnical", "Hardware\n  Lamp\nSoftware"]
    desk.fill("survey-label", "Your e-mail")
    desk.click("survey-remove", "[aria-label]")
    desk.click("fields-cancel")
    desk.gone("fields-dialog")
    assert gateway.get("/v1/desk/channels/live")["preChatSurvey"] == SURVEY, "nothing was saved"
    desk.click("channel-settings")
    desk.click("channel-fields")
    desk.fill("survey-label", "Your e-mail")
    note = [{"ident": "note", "label": "Note", "type": "text"}]
    gateway.api("PATCH", "/v1/desk/channels/live", {"contactFields": note})
    desk.click("fields-submit")
    desk.gone("fields-dialog")
    first, *rest = SURVEY["fields"]
    assert gateway.get("/v1/desk/channels/live")["preChatSurvey"] == {**SURVEY, "fields": [{**first, "label": "Your e-mail"}, *rest]}
    assert gateway.get("/v1/desk/channels/live")["contactFields"] == note, "what another desk has written stays"
    desk.click("channel-settings")
    desk.click("channel-fields")
    for _ in SURVEY["fields"]:
        desk.click("survey-remove")
    desk.click("fields-submit")
    desk.gone("fields-dialog")
    assert "preChatSurvey" not in gateway.get("/v1/desk/channels/live")


def test_what_the_gateway_refuses_is_said_in_the_dialog(browser, gateway, console):
    console.expect("status of 422")
    desk = fields(browser, "multi")
    add(desk, "contactFields", "Tree", "tree", "A\n" + "\n".join("B" * 300 for _ in range(1)))
    desk.click("fields-submit")
    desk.wait(lambda: desk.text("fields-problem"), "the refusal is said")
    assert "contactFields" not in gateway.get("/v1/desk/channels/multi")
    desk.click("fields-cancel")


def test_the_desk_says_which_files_may_come(browser, gateway):
    before = gateway.get("/v1/desk/channels/multi")["fileRestrictions"]
    desk = settings(browser, "multi")
    desk.click("channel-submit")
    desk.gone("channel-dialog")
    assert gateway.get("/v1/desk/channels/multi")["fileRestrictions"] == before, "what was not changed stays"
    desk.click("channel-settings")
    desk.fill("field-size", "1.5")
    desk.fill("field-types", "image/*, application/pdf")
    desk.click("channel-submit")
    desk.gone("channel-dialog")
    wanted = {"isAttachmentsEnabled": True, "maximumSize": 1_572_864, "allowedTypes": ["image/*", "application/pdf"]}
    desk.wait(lambda: gateway.get("/v1/desk/channels/multi")["fileRestrictions"] == wanted, "it is set")
    desk.click("channel-settings")
    desk.put("field-files", "false")
    desk.click("channel-submit")
    desk.gone("channel-dialog")
    desk.wait(lambda: gateway.get("/v1/desk/channels/multi")["fileRestrictions"] == {**wanted, "isAttachmentsEnabled": False}, "none may come")


def test_the_desk_sets_the_hours(browser, gateway, console):
    console.expect("status of 4")  # a time zone is refused
    desk = settings(browser, "multi")
    desk.click("channel-hours")
    desk.put("field-mode", "hours")
    desk.fill("field-timeZone", "Europe/Atlantis")
    desk.fill("field-mon", "9-12, 13:00-17:30")
    desk.fill("field-closed", "2026-12-25")
    desk.fill("field-answer", "We are away.")
    desk.click("hours-submit")
    desk.says("hours-problem", "There is no time zone Europe/Atlantis here.")
    assert "hours" not in gateway.get("/v1/desk/channels/multi")
    desk.fill("field-timeZone", "Europe/Berlin")
    desk.click("hours-submit")
    desk.gone("hours-dialog")
    desk.wait(lambda: "hours" in gateway.get("/v1/desk/channels/multi"), "the hours are set")
    channel = gateway.get("/v1/desk/channels/multi")
    week = {"mon": [["09:00", "12:00"], ["13:00", "17:30"]]}
    assert channel["hours"] == {"mode": "hours", "timeZone": "Europe/Berlin", "week": week, "closed": ["2026-12-25"]}
    assert channel["outside"] == {"answer": {"en": "We are away."}, "askEmail": False, "hideBubble": False, "chats": "close"}
    desk.click("channel-settings")
    desk.click("channel-hours")
    desk.wait(lambda: desk.js("return all('field-mon')[0]?.value") == "09:00–12:00, 13:00–17:30", "they are there again")
    gateway.api("PATCH", "/v1/desk/channels/multi", {"hours": None, "outside": None})

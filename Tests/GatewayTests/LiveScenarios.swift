/// Live chats, what channels ask and say, and rich messages, over HTTP.
extension Scenario {
    private static let begin: (path: String, body: String?) = ("/v1/sessions/$L/threads", "{\"id\":\"l1\"}")
    private static let take: (path: String, body: String?) = (
        "/v1/desk/threads/l1/assign", "{\"agent\":{\"id\":\"bo\",\"name\":\"Bo\"}}"
    )
    private static let l = "/v1/sessions/$L/threads/l1"
    private static let survey =
        "{\"preChatSurvey\":{\"name\":\"S\",\"fields\":[{\"ident\":\"mail\",\"label\":\"E-mail\",\"type\":\"email\",\"isRequired\":true},{\"ident\":\"a/b\",\"type\":\"list\",\"options\":[{\"id\":\"x\",\"label\":\"X\"}]}]}}"
    private static let ask: (path: String, body: String?) = ("PATCH /v1/desk/channels/live", survey)

    static let live: [Scenario] = [
        Scenario(
            "GET", "/v1/sessions/$L", 200,
            contains: ["\"mode\":\"liveChat\"", "\"state\":\"ready\"", "\"isOnline\":true"]),
        Scenario("GET", "/v1/sessions/$L/threads", 200, contains: ["\"items\":[]"]),
        Scenario(
            "POST", begin.path, 201, body: begin.body,
            contains: ["\"state\":\"ready\"", "\"contactId\":\"2\"", "\"queuePosition\":1"]),
        Scenario("POST", begin.path, 200, body: begin.body, contains: ["\"queuePosition\":1"], afterAll: [begin]),
        Scenario("POST", begin.path, 409, body: "{\"id\":\"l2\"}", code: "unsupportedChannelConfig", afterAll: [begin]),
        Scenario(
            "GET", "/v1/desk/threads?channel=live", 200,
            contains: ["\"id\":\"l1\"", "\"queuePosition\":1", "\"channel\":\"live\""], afterAll: [begin]),
        Scenario(
            "POST", take.path, 200, body: take.body, contains: ["\"agent\":{\"id\":\"bo\",\"name\":\"Bo\"}"],
            lacks: ["queuePosition"], afterAll: [begin]),
        Scenario(
            "POST", take.path, 200, body: "{\"agent\":{\"id\":\"di\",\"name\":\"Di\"}}",
            contains: ["\"previousAgent\":{\"id\":\"bo\",\"name\":\"Bo\"}"], afterAll: [begin, take]),
        Scenario(
            "POST", "/v1/desk/threads/l1/release", 200,
            contains: ["\"queuePosition\":1", "\"previousAgent\":{\"id\":\"bo\""], lacks: ["\"agent\""],
            afterAll: [begin, take]),
        Scenario(
            "POST", "\(l)/end", 200,
            contains: ["\"state\":\"closed\"", "\"canAddMoreMessages\":false", "\"contactClosedAt\":\""],
            lacks: ["queuePosition"], afterAll: [begin]),
        Scenario("POST", "\(l)/end", 200, contains: ["\"state\":\"closed\""], afterAll: [begin, ("\(l)/end", nil)]),
        Scenario(
            "GET", "/v1/sessions/$L", 200, contains: ["\"state\":\"closed\""], afterAll: [begin, ("\(l)/end", nil)]),
        Scenario(
            "GET", "/v1/sessions/$L", 200, contains: ["\"state\":\"ready\""],
            afterAll: [begin, ("\(l)/end", nil), (begin.path, nil)]),
        Scenario(
            "POST", "\(l)/messages", 409, body: "{\"text\":\"x\"}", code: "illegalThreadState",
            afterAll: [begin, ("\(l)/end", nil)]),
        Scenario("POST", "/v1/sessions/$S/threads/t1/end", 409, code: "illegalChatState"),
        Scenario("POST", "/v1/sessions/$L/threads/none/end", 404, code: "unknownThread"),
        Scenario(
            "POST", "/v1/desk/threads/t1/endContact", 200,
            contains: ["\"state\":\"ready\"", "\"contactId\":\"1\",\"contactClosedAt\":\""]),
        Scenario(
            "POST", "/v1/sessions/$S/threads/t1/messages", 201, body: "{\"text\":\"again\"}",
            afterAll: [("/v1/desk/threads/t1/endContact", nil)]),
        Scenario(
            "GET", "/v1/sessions/$S/threads/t1", 200, contains: ["\"contactId\":\"2\""], lacks: ["contactClosedAt"],
            afterAll: [
                ("/v1/desk/threads/t1/endContact", nil),
                ("/v1/sessions/$S/threads/t1/messages", "{\"text\":\"again\"}"),
            ]),
        Scenario("POST", "/v1/desk/threads/none/endContact", 404, code: "unknownThread"),
        Scenario("POST", "/v1/desk/threads/l1/release", 403, as: .session, code: "forbidden"),
        // Inactivity.
        Scenario(
            "POST", "\(l)/inactivity", 409, body: "{\"answer\":\"refresh\"}", code: "illegalThreadState",
            afterAll: [begin]),
        Scenario(
            "POST", "\(l)/inactivity", 422, body: "{\"answer\":\"perhaps\"}", code: "invalidValue",
            contains: ["\"#/answer\""], afterAll: [begin]),
        Scenario(
            "POST", "/v1/sessions/$S/threads/t1/inactivity", 409, body: "{\"answer\":\"expire\"}",
            code: "unsupportedCapability"),
        // Availability.
        Scenario(
            "PUT", "/v1/desk/channels/live/availability", 200, body: "{\"isOnline\":false}",
            contains: ["\"isOnline\":false"]),
        Scenario(
            "POST", begin.path, 409, body: begin.body, code: "illegalChatState",
            afterAll: [("PUT /v1/desk/channels/live/availability", "{\"isOnline\":false}")]),
        Scenario(
            "POST", "/v1/sessions", 201, body: "{\"channel\":\"live\"}",
            contains: ["\"state\":\"offline\"", "\"isOnline\":false"],
            afterAll: [("PUT /v1/desk/channels/live/availability", "{\"isOnline\":false}")]),
        Scenario(
            "PUT", "/v1/desk/channels/multi/availability", 409, body: "{\"isOnline\":false}",
            code: "unsupportedChannelConfig"),
        Scenario(
            "PUT", "/v1/desk/channels/none/availability", 404, body: "{\"isOnline\":false}", code: "unknownChannel"),
        Scenario(
            "PUT", "/v1/desk/channels/live/availability", 422, body: "{\"isOnline\":\"no\"}", code: "invalidValue",
            contains: ["\"#/isOnline\""]),
        Scenario(
            "PUT", "/v1/desk/channels/live/availability", 403, as: .session, body: "{\"isOnline\":true}",
            code: "forbidden"),
        // Survey.
        Scenario(
            "POST", begin.path, 422, body: "{\"customFields\":{\"a/b\":\"y\"}}", code: "missingPreChatCustomFields",
            contains: [
                "{\"pointer\":\"#/customFields/mail\",\"code\":\"missingPreChatCustomFields\"",
                "{\"pointer\":\"#/customFields/a~1b\",\"code\":\"invalidParameter\"",
            ], afterAll: [ask]),
        Scenario(
            "POST", begin.path, 201, body: "{\"customFields\":{\"mail\":\"a@b.cz\",\"a/b\":\"X\"}}",
            contains: ["\"customFields\":{\"a/b\":\"x\",\"mail\":\"a@b.cz\"}"], afterAll: [ask]),
        Scenario(
            "PUT", "\(l)/customFields", 422, body: "{\"customFields\":{\"mail\":\"x\"}}", code: "invalidParameter",
            contains: ["\"#/customFields/mail\""], afterAll: [begin, ask]),
        Scenario(
            "GET", "/v1/services/local/channels/live", 200, as: .session,
            contains: [
                "\"preChatSurvey\":{\"name\":\"S\",\"fields\":[{\"ident\":\"mail\",\"label\":\"E-mail\",\"type\":\"email\",\"isRequired\":true},{\"ident\":\"a/b\",\"label\":\"a/b\",\"type\":\"list\",\"options\":[{\"id\":\"x\",\"label\":\"X\"}]}]}"
            ], afterAll: [ask]),
        // Rich messages.
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201,
            body:
                "{\"type\":\"quickReplies\",\"content\":{\"title\":\"Day?\",\"buttons\":[{\"text\":\"Today\",\"postback\":\"1\"}]}}",
            contains: [
                "\"type\":\"quickReplies\",\"text\":\"Day?\",\"content\":{\"title\":\"Day?\",\"buttons\":[{\"text\":\"Today\",\"postback\":\"1\"}]}"
            ]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201,
            body:
                "{\"type\":\"listPicker\",\"text\":\"Colours\",\"content\":{\"title\":\"Colour\",\"text\":\"Which?\",\"buttons\":[{\"text\":\"red\",\"iconUrl\":\"https://x.example/r.png\"}]}}",
            contains: ["\"text\":\"Colours\"", "\"iconUrl\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201,
            body: "{\"type\":\"richLink\",\"content\":{\"title\":\"Shop\",\"url\":\"https://x.example/\"}}",
            contains: ["\"url\":\"https://x.example/\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422,
            body: "{\"type\":\"richLink\",\"content\":{\"title\":\"Shop\",\"url\":\"javascript:alert(1)\"}}",
            code: "invalidValue", contains: ["\"#/content/url\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201,
            body:
                "{\"type\":\"timePicker\",\"content\":{\"title\":\"When?\",\"sheetTitle\":\"Call\",\"timeSlots\":[{\"id\":\"s1\",\"duration\":1800,\"startTime\":\"2026-03-03T10:00:00+01:00\"}]}}",
            contains: ["\"startTime\":\"2026-03-03T09:00:00.000Z\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422,
            body:
                "{\"type\":\"timePicker\",\"content\":{\"title\":\"When?\",\"sheetTitle\":\"Call\",\"timeSlots\":[{\"id\":\"s1\",\"duration\":60,\"startTime\":\"0000-01-01T00:00:00+23:59\"},{\"id\":\"s2\",\"duration\":60,\"startTime\":\"9999-12-31T23:59:59-23:59\"}]}}",
            code: "invalidValue",
            contains: ["\"#/content/timeSlots/0/startTime\"", "\"#/content/timeSlots/1/startTime\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422,
            body:
                "{\"type\":\"timePicker\",\"content\":{\"title\":\"When?\",\"sheetTitle\":\"Call\",\"timeSlots\":[{\"id\":\"s1\",\"duration\":0,\"startTime\":\"tomorrow, about ten\"}]}}",
            code: "invalidValue",
            contains: ["\"#/content/timeSlots/0/duration\"", "\"#/content/timeSlots/0/startTime\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422, body: "{\"type\":\"quickReplies\",\"text\":\"x\"}",
            code: "missingMember", contains: ["\"#/content\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422,
            body: "{\"text\":\"x\",\"content\":{\"title\":\"Day?\",\"buttons\":[]}}", code: "unknownMember",
            contains: ["\"#/content\""]),
        Scenario(
            "POST", "/v1/sessions/$S/threads/t1/messages", 201, as: .session,
            body: "{\"text\":\"Today\",\"postback\":\"1\"}", contains: ["\"text\":\"Today\",\"postback\":\"1\""]),
        Scenario(
            "POST", "/v1/sessions/$S/threads/t1/messages", 201, as: .session, body: "{\"postback\":\"1\"}",
            contains: ["\"postback\":\"1\""], lacks: ["\"text\":\""]),
    ]

    private static func fields(_ fields: String) -> String { "{\"contactFields\":[\(fields)]}" }

    static let settings: [Scenario] = [
        Scenario("GET", "/v1/desk/channels/live", 200, contains: ["\"id\":\"live\"", "\"mode\":\"liveChat\""]),
        Scenario("GET", "/v1/desk/channels/none", 404, code: "unknownChannel"),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 200,
            body:
                "{\"name\":\"Help\",\"welcomeMessage\":\"Hello\",\"inactivity\":{\"secondsUntilPopup\":60,\"secondsUntilEnd\":30}}",
            contains: [
                "\"name\":\"Help\"", "\"welcomeMessage\":\"Hello\"",
                "\"inactivity\":{\"secondsUntilPopup\":60,\"secondsUntilEnd\":30}",
            ]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 200, body: "{\"welcomeMessage\":null}", lacks: ["welcomeMessage"],
            afterAll: [("PATCH /v1/desk/channels/live", "{\"welcomeMessage\":\"Hello\"}")]),
        Scenario("PATCH", "/v1/desk/channels/live", 200, body: "{}", contains: ["\"id\":\"live\""]),
        Scenario(
            "PATCH", "/v1/desk/channels/multi", 409,
            body: "{\"inactivity\":{\"secondsUntilPopup\":60,\"secondsUntilEnd\":30}}",
            code: "unsupportedChannelConfig", contains: ["\"#/inactivity\""]),
        Scenario("PATCH", "/v1/desk/channels/none", 404, body: "{}", code: "unknownChannel"),
        Scenario("PATCH", "/v1/desk/channels/live", 403, as: .session, body: "{}", code: "forbidden"),
        Scenario("PATCH", "/v1/desk/channels/live", 422, body: "{\"mode\":\"multithread\"}", code: "unknownMember"),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422, body: "{\"inactivity\":{\"secondsUntilPopup\":0}}",
            code: "invalidValue", contains: ["\"#/inactivity/secondsUntilPopup\"", "\"#/inactivity/secondsUntilEnd\""]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422, body: "{\"preChatSurvey\":{\"name\":\"S\",\"fields\":[]}}",
            code: "invalidValue", contains: ["\"#/preChatSurvey/fields\""]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422, body: fields("{\"ident\":\"a\",\"type\":\"list\"}"),
            code: "invalidValue", contains: ["\"#/contactFields/0/options\""]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields("{\"ident\":\"a\",\"type\":\"text\",\"options\":[{\"id\":\"x\"}]}"), code: "invalidValue",
            contains: ["\"#/contactFields/0/options\""]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields("{\"ident\":\"a\",\"type\":\"list\",\"options\":[{\"id\":\"x\"},{\"id\":\"x\"}]}"),
            code: "invalidValue", contains: ["two options"]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields("{\"ident\":\"a\",\"type\":\"tree\",\"options\":[{\"id\":\"x\",\"parentId\":\"y\"}]}"),
            code: "invalidValue", contains: ["no option y"]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields(
                "{\"ident\":\"a\",\"type\":\"tree\",\"options\":[{\"id\":\"x\",\"parentId\":\"y\"},{\"id\":\"y\",\"parentId\":\"x\"}]}"
            ), code: "invalidValue", contains: ["below itself"]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields("{\"ident\":\"a\",\"type\":\"text\"},{\"ident\":\"a\",\"type\":\"email\"}"),
            code: "invalidValue", contains: ["two fields have the same ident"]),
        Scenario(
            "PATCH", "/v1/desk/channels/live", 422,
            body: fields("{\"ident\":\"a\",\"type\":\"text\",\"isRequired\":true}"), code: "unknownMember"),
        Scenario(
            "POST", "/v1/desk/channels", 201,
            body: "{\"id\":\"new\",\"mode\":\"liveChat\",\"welcomeMessage\":\"Hi\",\"contactFields\":[]}",
            contains: ["\"isOnline\":true", "\"welcomeMessage\":\"Hi\"", "\"liveChat\""]),
        Scenario(
            "POST", "/v1/desk/channels", 422, body: "{\"id\":\"new\",\"mode\":\"liveChat\",\"welcomeMessage\":null}",
            code: "invalidValue", contains: ["\"#/welcomeMessage\""]),
        Scenario(
            "POST", "/v1/desk/channels", 409,
            body:
                "{\"id\":\"new\",\"mode\":\"multithread\",\"inactivity\":{\"secondsUntilPopup\":60,\"secondsUntilEnd\":30}}",
            code: "unsupportedChannelConfig"),
    ]
}

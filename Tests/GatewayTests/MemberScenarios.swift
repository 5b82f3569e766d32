/// Members, histories and threads of the desk's making, over HTTP.
extension Scenario {
    private static let t = "/v1/sessions/$S/threads/t1"

    static let members: [Scenario] = [
        Scenario("POST", "\(t)/join", 200, as: .session, contains: ["\"id\":\"t1\""], lacks: ["memberState"]),
        Scenario("POST", "/v1/sessions/$S/threads/none/join", 404, code: "unknownThread"),
        Scenario("POST", "\(t)/leave", 204),
        Scenario("GET", t, 404, code: "unknownThread", after: ("\(t)/leave", nil)),
        Scenario("GET", "\(t)/messages", 404, code: "unknownThread", after: ("\(t)/leave", nil)),
        Scenario("POST", "\(t)/hide", 200, contains: ["\"hidden\":true"]),
        Scenario(
            "GET", "/v1/sessions/$S/threads", 200, contains: ["\"unreadCount\":0,\"hidden\":true}"],
            after: ("\(t)/hide", nil)),
        Scenario("POST", "\(t)/unhide", 200, lacks: ["\"hidden\""], after: ("\(t)/hide", nil)),
        Scenario("POST", "\(t)/resetHistory", 204),
        Scenario("GET", "\(t)/messages", 200, contains: ["\"items\":[]"], after: ("\(t)/resetHistory", nil)),
        Scenario("GET", "\(t)/messages/m1", 404, code: "unknownMessage", after: ("\(t)/resetHistory", nil)),
        Scenario("GET", "\(t)/messages/m1/replies", 404, code: "unknownMessage", after: ("\(t)/resetHistory", nil)),
        Scenario(
            "GET", t, 200, contains: ["\"historyResetAt\":\""], lacks: ["lastMessage"],
            after: ("\(t)/resetHistory", nil)),
        Scenario(
            "GET", "/v1/desk/threads/t1/messages", 200, contains: ["\"id\":\"m1\""], after: ("\(t)/resetHistory", nil)),
        Scenario("POST", "/v1/desk/threads/t1/resetHistory", 204),
        Scenario(
            "GET", "/v1/desk/threads/t1/messages", 200, contains: ["\"items\":[]"],
            after: ("/v1/desk/threads/t1/resetHistory", nil)),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-0", 200, lacks: ["hello"],
            after: ("/v1/desk/threads/t1/resetHistory", nil)),
        Scenario(
            "POST", "/v1/desk/threads", 201,
            body:
                "{\"id\":\"g1\",\"channel\":\"multi\",\"members\":[{\"id\":\"c1\"},{\"id\":\"c2\",\"firstName\":\"Cy\",\"memberState\":\"invited\"}],\"name\":\"Group\",\"customType\":\"team\",\"customFields\":{\"a\":\"1\"}}",
            contains: [
                "\"state\":\"ready\"", "\"customType\":\"team\"",
                "\"members\":[{\"id\":\"c1\"},{\"id\":\"c2\",\"firstName\":\"Cy\"}]", "\"channel\":\"multi\"",
            ], expects: [("Location", "/v1/desk/threads/g1")]),
        Scenario(
            "POST", "/v1/desk/threads", 409,
            body: "{\"id\":\"t1\",\"channel\":\"multi\",\"members\":[{\"id\":\"c1\"}]}", code: "threadIdConflict"),
        Scenario(
            "POST", "/v1/desk/threads", 409, body: "{\"channel\":\"single\",\"members\":[{\"id\":\"c1\"}]}",
            code: "unsupportedChannelConfig"),
        Scenario(
            "POST", "/v1/desk/threads", 404, body: "{\"channel\":\"none\",\"members\":[{\"id\":\"c1\"}]}",
            code: "unknownChannel", contains: ["\"#/channel\""]),
        Scenario(
            "POST", "/v1/desk/threads", 422, body: "{\"channel\":\"multi\",\"members\":[]}", code: "invalidValue",
            contains: ["\"#/members\""]),
        Scenario(
            "POST", "/v1/desk/threads", 422,
            body: "{\"channel\":\"multi\",\"members\":[{\"id\":\"a\"},{\"id\":\"a\"}]}", code: "invalidParameter",
            contains: ["\"#/members\""]),
        Scenario(
            "POST", "/v1/desk/threads", 422,
            body: "{\"channel\":\"multi\",\"members\":[{\"id\":\"a\",\"memberState\":\"x\",\"y\":1}]}",
            code: "invalidValue", contains: ["\"#/members/0/memberState\"", "\"#/members/0/y\""]),
        Scenario(
            "POST", "/v1/desk/threads", 422, body: "{\"members\":\"a\"}", code: "missingMember",
            contains: ["\"#/channel\"", "\"#/members\""]),
        Scenario("POST", "/v1/desk/threads", 403, as: .session, body: "{}", code: "forbidden"),
        Scenario(
            "PATCH", "/v1/desk/threads/t1", 200, body: "{\"customType\":\"vip\"}",
            contains: ["\"customType\":\"vip\"", "\"name\":\"First\""]),
        Scenario("PATCH", "/v1/desk/threads/t1", 200, body: "{\"name\":null}", lacks: ["\"name\":\"First\""]),
        Scenario("PATCH", "/v1/desk/threads/t1", 422, body: "{\"customType\":\"\"}", code: "invalidValue"),
        Scenario(
            "PATCH", "/v1/desk/threads/t1", 422, body: "{\"customType\":\"a\\u0000\"}", code: "invalidValue",
            contains: ["\"#/customType\"", "U+0000"]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422, body: "{\"text\":\"a\",\"customType\":\"\\u0000\"}",
            code: "invalidValue", contains: ["\"#/customType\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201, body: "{\"text\":\"a\\u0000b\"}", contains: ["a\\u0000b"]),
        Scenario(
            "POST", "/v1/desk/answers", 422, body: "{\"name\":\"a\\u0000\",\"text\":\"b\"}", code: "invalidValue",
            contains: ["\"#/name\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/members", 200, body: "{\"members\":[{\"id\":\"c2\"}]}",
            contains: ["\"members\":[{\"id\":\"c1\"},{\"id\":\"c2\"}]"]),
        Scenario("POST", "/v1/desk/threads/t1/members", 422, body: "{\"members\":{}}", code: "invalidValue"),
        Scenario(
            "POST", "/v1/desk/threads/none/members", 404, body: "{\"members\":[{\"id\":\"c2\"}]}", code: "unknownThread"
        ),
        Scenario("DELETE", "/v1/desk/threads/t1/members/c1", 204),
        Scenario("DELETE", "/v1/desk/threads/t1/members/c9", 404, code: "unknownCustomer"),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-$HEAD", 200, contains: ["data: {\"threadId\":\"t1\"}"],
            events: ["thread.removed", "ready"], after: ("\(t)/leave", nil)),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201,
            body: "{\"type\":\"admin\",\"text\":\"notice\",\"customType\":\"n\"}",
            contains: ["\"type\":\"admin\",\"customType\":\"n\"", "\"kind\":\"system\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422, body: "{\"type\":\"file\",\"text\":\"x\"}",
            code: "invalidValue", contains: ["\"#/type\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422,
            body: "{\"type\":\"admin\",\"text\":\"x\",\"parentId\":\"m1\"}", code: "invalidParameter",
            contains: ["\"#/parentId\""]),
    ]
}

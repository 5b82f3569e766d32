extension Scenario {
    private static let list = "/v1/sessions/$S/collections"
    private static let ofMessages = "{\"kind\":\"messages\",\"threadId\":\"t1\"}"

    /// Collections: what bodies may say, and what is refused.
    static let collections: [Scenario] = [
        Scenario(
            "POST", list, 201, as: .session, body: ofMessages,
            contains: [
                "\"kind\":\"messages\",\"threadId\":\"t1\",\"filter\":{\"type\":\"all\"},\"limit\":50,\"capacity\":1000,\"version\":0",
                "\"items\":[],\"pending\":[],\"failed\":[]", "\"hasPrevious\":true,\"hasNext\":true",
            ], expects: [("Location", "/v1/sessions/$S/collections/id")]),
        Scenario(
            "POST", list, 201, body: "{\"kind\":\"threads\"}",
            contains: ["\"kind\":\"threads\",\"query\":{\"limit\":20,", "\"version\":0"], lacks: ["pending"]),
        Scenario(
            "POST", list, 201,
            body:
                "{\"kind\":\"threads\",\"query\":{\"limit\":5,\"order\":\"nameAlphabetical\",\"state\":\"open\",\"customTypes\":[\"a\"],\"includeEmpty\":false,\"unreadOnly\":true,\"nameContains\":\"x\"},\"capacity\":200}"
        ),
        Scenario(
            "POST", list, 201,
            body:
                "{\"kind\":\"messages\",\"threadId\":\"t1\",\"filter\":{\"type\":\"text\",\"customTypes\":[\"a\"],\"senderIds\":[\"b\"]},\"viewpoint\":1772442904512,\"limit\":1,\"parentId\":\"m1\"}",
            contains: ["\"parentId\":\"m1\""]),
        Scenario(
            "POST", list, 201,
            body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"viewpoint\":\"2026-03-02T09:15:04.512Z\"}",
            contains: ["\"filter\":{\"type\":\"all\"}", "\"viewpoint\":\"2026-03-02T09:15:04.512Z\"", "\"limit\":50"]),
        // Any integer: the customary "newest" above all.
        Scenario(
            "POST", list, 201, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"viewpoint\":9223372036854775807}"),
        Scenario("POST", list, 201, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"viewpoint\":1e30}"),
        Scenario(
            "POST", list, 201, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"viewpoint\":-1}",
            contains: ["\"viewpoint\":\"1970-01-01T00:00:00.000Z\""]),
        Scenario(
            "POST", list, 201, body: "{\"kind\":\"threads\",\"query\":{\"limit\":7,\"order\":\"nameAlphabetical\"}}",
            contains: [
                "\"query\":{\"limit\":7,\"state\":\"all\",\"order\":\"nameAlphabetical\",\"includeEmpty\":true,\"unreadOnly\":false,\"hidden\":\"unhidden\"}"
            ]),
        Scenario("POST", list, 401, as: .nobody, body: ofMessages, code: "unauthorized"),
        Scenario("POST", list, 404, body: "{\"kind\":\"messages\",\"threadId\":\"nope\"}", code: "unknownThread"),
        Scenario(
            "POST", list, 404, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"parentId\":\"nope\"}",
            code: "unknownMessage"),
        Scenario("POST", list, 422, body: "{}", code: "missingMember", contains: ["\"#/kind\""]),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"messages\"}", code: "missingMember", contains: ["\"#/threadId\""]),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"threads\",\"threadId\":\"t1\"}", code: "unknownMember",
            contains: ["\"#/threadId\""]),
        Scenario(
            "POST", list, 422,
            body: "{\"kind\":\"threads\",\"query\":{\"limit\":0,\"order\":\"x\",\"customTypes\":[],\"y\":1}}",
            code: "invalidValue",
            contains: ["\"#/query/limit\"", "\"#/query/order\"", "\"#/query/customTypes\"", "\"#/query/y\""]),
        Scenario(
            "POST", list, 422,
            body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"filter\":{\"senderIds\":[\"a\\u0000\"]}}",
            code: "invalidValue", contains: ["\"#/filter/senderIds\"", "U+0000"]),
        Scenario(
            "POST", list, 422,
            body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"viewpoint\":true,\"capacity\":199,\"limit\":201}",
            code: "invalidValue", contains: ["\"#/viewpoint\"", "\"#/capacity\"", "\"#/limit\""]),
        Scenario(
            "GET", list, 200, as: .session,
            contains: ["\"items\":[{\"id\":\"", "\"definition\":{\"kind\":\"messages\",\"threadId\":\"t1\""],
            after: (list, ofMessages)),
        Scenario("GET", "\(list)/nope", 404, code: "unknownCollection"),
        Scenario("DELETE", "\(list)/nope", 404, code: "unknownCollection"),
        Scenario("POST", "\(list)/nope/fetch", 404, body: "{\"direction\":\"next\"}", code: "unknownCollection"),
        Scenario("POST", "\(list)/nope/fetch", 422, body: "{\"direction\":\"up\"}", code: "invalidValue"),
        Scenario("POST", "\(list)/nope/viewpoint", 404, body: "{}", code: "unknownCollection"),
        Scenario("GET", "\(list)/nope/events", 404, code: "unknownCollection"),
        Scenario("GET", "/v1/sessions/$S/events?collections=a%01b", 400, code: "invalidParameter"),
        Scenario(
            "GET", "/v1/sessions/$S/events?collections=true&holder=", 400, code: "invalidParameter",
            contains: ["?holder"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?holder=tab", 200, events: ["ready", "collection.sync"],
            after: (list, "{\"kind\":\"threads\",\"holder\":\"tab\"}")),
        Scenario(
            "GET", "/v1/sessions/$S/events?collections=true&holder=other", 200, events: ["ready"],
            after: (list, "{\"kind\":\"threads\",\"holder\":\"tab\"}")),
        Scenario(
            "GET", "/v1/sessions/$S/events?collections=false&holder=tab", 200, events: ["ready"],
            after: (list, "{\"kind\":\"threads\",\"holder\":\"tab\"}")),
        Scenario("POST", list, 201, body: "{\"kind\":\"threads\",\"holder\":\"tab\"}"),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"threads\",\"holder\":\"\"}", code: "invalidValue",
            contains: ["\"#/holder\""]),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"customer\":\"ada\"}",
            code: "unknownMember", contains: ["\"#/customer\""]),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"threads\",\"query\":{\"channel\":\"multi\"}}", code: "unknownMember",
            contains: ["\"#/query/channel\""]),
    ]
}

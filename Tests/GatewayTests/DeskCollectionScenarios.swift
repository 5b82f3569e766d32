extension Scenario {
    private static let list = "/v1/desk/collections"
    private static let ofMessages = "{\"kind\":\"messages\",\"threadId\":\"t1\"}"

    /// The desk's collections: the same routes as a session's, for the gateway's token alone.
    static let deskCollections: [Scenario] = [
        Scenario(
            "POST", list, 201, body: "{\"kind\":\"threads\"}",
            contains: [
                "\"kind\":\"threads\",\"query\":{\"limit\":20,\"state\":\"all\"},\"capacity\":1000,\"version\":0",
                "\"items\":[],\"hasPrevious\":false,\"hasNext\":true",
            ], expects: [("Location", "/v1/desk/collections/id")]),
        Scenario(
            "POST", list, 201,
            body:
                "{\"kind\":\"threads\",\"query\":{\"limit\":5,\"state\":\"open\",\"channel\":\"multi\"},\"capacity\":200,\"holder\":\"tab\"}"
        ),
        Scenario(
            "POST", list, 201, body: ofMessages,
            contains: [
                "\"threadId\":\"t1\",\"channel\":\"multi\",\"customer\":\"c1\",\"filter\":{\"type\":\"all\"},\"limit\":50,\"capacity\":1000,\"version\":0"
            ]),
        Scenario(
            "POST", list, 201,
            body:
                "{\"kind\":\"messages\",\"threadId\":\"t1\",\"channel\":\"multi\",\"customer\":\"c1\",\"filter\":{\"type\":\"text\"},\"viewpoint\":0,\"limit\":1,\"parentId\":\"m1\"}",
            contains: ["\"parentId\":\"m1\""]),
        Scenario("POST", list, 401, as: .nobody, body: ofMessages, code: "unauthorized"),
        Scenario("POST", list, 403, as: .session, body: ofMessages, code: "forbidden"),
        Scenario("GET", list, 403, as: .session, code: "forbidden"),
        Scenario("POST", list, 404, body: "{\"kind\":\"messages\",\"threadId\":\"nope\"}", code: "unknownThread"),
        Scenario(
            "POST", list, 404, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"customer\":\"nope\"}",
            code: "unknownThread"),
        Scenario(
            "POST", list, 404, body: "{\"kind\":\"messages\",\"threadId\":\"t1\",\"parentId\":\"nope\"}",
            code: "unknownMessage"),
        Scenario(
            "POST", list, 422,
            body: "{\"kind\":\"threads\",\"query\":{\"order\":\"chronological\",\"unreadOnly\":true}}",
            code: "unknownMember", contains: ["\"#/query/order\"", "\"#/query/unreadOnly\""]),
        Scenario(
            "POST", list, 422, body: "{\"kind\":\"threads\",\"channel\":\"multi\"}", code: "unknownMember",
            contains: ["\"#/channel\""]),
        Scenario("POST", list, 422, body: "{}", code: "missingMember", contains: ["\"#/kind\""]),
        Scenario(
            "GET", list, 200,
            contains: [
                "\"definition\":{\"kind\":\"messages\",\"threadId\":\"t1\",\"channel\":\"multi\",\"customer\":\"c1\""
            ], after: (list, ofMessages)),
        Scenario("GET", "/v1/sessions/$S/collections", 200, contains: ["\"items\":[]"], after: (list, ofMessages)),
        Scenario("GET", "\(list)/nope", 404, code: "unknownCollection", contains: ["The desk has no collection nope."]),
        Scenario("DELETE", "\(list)/nope", 404, code: "unknownCollection"),
        Scenario("POST", "\(list)/nope/fetch", 404, body: "{\"direction\":\"next\"}", code: "unknownCollection"),
        Scenario("POST", "\(list)/nope/viewpoint", 404, body: "{}", code: "unknownCollection"),
        Scenario("GET", "\(list)/nope/events", 404, code: "unknownCollection"),
        Scenario("GET", "/v1/desk/events?collections=true&holder=a&holder=b", 200, events: ["ready"]),
        Scenario(
            "GET", "/v1/desk/events?collections=true", 200, events: ["ready", "collection.sync"],
            after: (list, ofMessages)),
    ]
}

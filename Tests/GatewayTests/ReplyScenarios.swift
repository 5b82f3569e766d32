/// Replies over HTTP.
extension Scenario {
    private static let t = "/v1/sessions/$S/threads/t1"
    private static let list = "/v1/sessions/$S/threads/t1/messages/m1/replies"
    private static let atDesk = "/v1/desk/threads/t1/messages/m1/replies"
    private static let replied: (path: String, body: String?) = (path: list, body: "{\"id\":\"r1\",\"text\":\"reply\"}")

    static let replies: [Scenario] = [
        Scenario(
            "GET", list, 200, as: .session,
            contains: [
                "{\"parent\":{\"id\":\"m1\"",
                "\"items\":[],\"hasPrevious\":false,\"hasNext\":false,\"cursor\":\"$EPOCH-$HEAD\"}",
            ], expects: [("ETag", "W/\""), ("Parley-Cursor", "$EPOCH-$HEAD")]),
        Scenario(
            "GET", list, 200,
            contains: ["\"items\":[{\"id\":\"r1\"", "\"replyInfo\":{\"count\":1,\"mostReplies\":[{\"id\":\"c1\""],
            after: replied),
        Scenario(
            "GET",
            "\(list)?from=0&previous=0&next=1&inclusive=false&reverse=true&types=text,file&customTypes=x&senderIds=c1",
            200, contains: ["\"items\":[]"], after: replied),
        Scenario("GET", "\(list)?from=2026-01-01T00:00:00Z", 200),
        Scenario("GET", "\(list)?from=soon", 400, code: "invalidParameter", contains: ["\"pointer\":\"?from\""]),
        Scenario("GET", "\(list)?from=-1", 400, code: "invalidParameter"),
        Scenario("GET", "\(list)?previous=201", 400, code: "invalidParameter", contains: ["\"pointer\":\"?previous\""]),
        Scenario("GET", "\(list)?next=x", 400, code: "invalidParameter"),
        Scenario("GET", "\(list)?inclusive=1", 400, code: "invalidParameter"),
        Scenario("GET", "\(list)?types=letter", 400, code: "invalidParameter"),
        Scenario("GET", "\(list)?customTypes=a,", 400, code: "invalidParameter", contains: ["?customTypes"]),
        Scenario("GET", "\(list)?limit=1", 400, code: "unknownParameter"),
        Scenario("GET", "\(t)/messages/none/replies", 404, code: "unknownMessage"),
        Scenario(
            "POST", list, 201, body: "{\"id\":\"r1\",\"text\":\"reply\",\"alsoInThread\":false}",
            contains: ["\"parentId\":\"m1\",\"alsoInThread\":false"], expects: [("Location", "/threads/t1/messages/r1")]
        ),
        Scenario(
            "POST", list, 422, body: "{\"text\":\"reply\",\"parentId\":\"m1\"}", code: "unknownMember",
            contains: ["\"#/parentId\""]),
        Scenario("POST", "\(t)/messages/none/replies", 404, body: "{\"text\":\"reply\"}", code: "unknownMessage"),
        Scenario(
            "POST", "\(t)/messages/r1/replies", 409, body: "{\"text\":\"reply\"}", code: "replyDepthExceeded",
            lacks: ["pointer"], after: replied),
        Scenario(
            "POST", "\(t)/messages", 201, body: "{\"text\":\"reply\",\"parentId\":\"m1\"}",
            contains: ["\"parentId\":\"m1\",\"alsoInThread\":true"]),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"text\":\"reply\",\"parentId\":\"none\"}", code: "unknownParent",
            contains: ["\"#/parentId\""]),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"text\":\"reply\",\"alsoInThread\":true}", code: "invalidParameter",
            contains: ["\"#/alsoInThread\""]),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"text\":\"reply\",\"parentId\":\"\",\"alsoInThread\":1}",
            code: "invalidValue", contains: ["\"#/parentId\"", "\"#/alsoInThread\""]),
        Scenario("DELETE", "\(t)/messages/m1", 409, code: "parentHasReplies", after: replied),
        Scenario(
            "GET", "\(t)/messages?replies=none", 200, contains: ["\"id\":\"m1\""], lacks: ["\"r1\""], after: replied),
        Scenario("GET", "\(t)/messages", 200, contains: ["\"id\":\"m1\"", "\"id\":\"r1\""], after: replied),
        Scenario("GET", atDesk, 200, contains: ["\"id\":\"r1\""], after: replied),
        Scenario("GET", "\(atDesk)?channel=multi&customer=c1&next=0", 200),
        Scenario(
            "POST", atDesk, 201, body: "{\"id\":\"d1\",\"text\":\"reply\"}", contains: ["\"parentId\":\"m1\""],
            expects: [("Location", "/v1/desk/threads/t1/messages/d1")]),
        Scenario("GET", "/v1/desk/threads/t1/messages?replies=all", 200, contains: ["\"id\":\"r1\""], after: replied),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-$HEAD", 200,
            contains: [
                "event: thread.info\ndata: {\"threadId\":\"t1\",\"actor\":{\"id\":\"c1\",\"kind\":\"customer\"}",
                "\"parentId\":\"m1\",\"replyInfo\":{\"count\":1",
            ],
            events: ["message.created", "thread.info", "thread.updated", "ready"], after: replied),
    ]
}

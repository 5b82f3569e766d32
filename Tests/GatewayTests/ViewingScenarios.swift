extension Scenario {
    private static let path = "/v1/sessions/$S/viewing"

    /// What a session shows.
    static let viewing: [Scenario] = [
        Scenario("PUT", path, 204, as: .session, body: "{\"threadId\":\"t1\"}"),
        Scenario("PUT", path, 204, body: "{}"),
        Scenario("PUT", path, 204, body: "{\"threadId\":null}"),
        Scenario("PUT", path, 204, body: "{\"threadId\":\"t1\",\"holder\":\"tab-1\"}"),
        Scenario("PUT", path, 404, body: "{\"threadId\":\"none\"}", code: "unknownThread"),
        Scenario("PUT", path, 422, body: "{\"threadId\":1}", code: "invalidValue", contains: ["\"#/threadId\""]),
        Scenario("PUT", path, 422, body: "{\"holder\":\"\"}", code: "invalidValue", contains: ["\"#/holder\""]),
        Scenario(
            "GET", path, 200,
            contains: [
                "{\"notifies\":false,\"threadIds\":[],\"screens\":[],\"knownSince\":\"2026-03-02T09:15:04.512Z\"}"
            ]),
        Scenario(
            "GET", path, 200,
            contains: [
                "{\"notifies\":true,\"threadId\":\"t1\",\"threadIds\":[\"t1\"],\"screens\":[{\"threadId\":\"t1\"}],"
            ],
            after: ("PUT \(path)", "{\"threadId\":\"t1\"}")),
        Scenario(
            "GET", path, 200, contains: ["{\"notifies\":true,\"threadIds\":[],\"screens\":[{}],"],
            after: ("PUT \(path)", "{\"threadId\":null}")),
        Scenario(
            "GET", path, 200,
            contains: ["\"threadIds\":[\"t1\"],\"screens\":[{\"holder\":\"tab-1\",\"threadId\":\"t1\"}],"],
            after: ("PUT \(path)", "{\"threadId\":\"t1\",\"holder\":\"tab-1\"}")),
        Scenario(
            "GET", "/v1/sessions/$S/unread", 200, as: .session, contains: ["{\"unreadCount\":0,\"threadCount\":0}"]),
        Scenario(
            "GET", "/v1/sessions/$S/unread", 200, contains: ["{\"unreadCount\":1,\"threadCount\":1}"],
            after: ("/v1/desk/threads/t1/messages", "{\"text\":\"Hello\"}")),
        Scenario("DELETE", path, 204),
        Scenario("DELETE", path, 422, body: "{\"holder\":\"tab-1\"}", code: "unknownMember"),
        Scenario("DELETE", "\(path)?holder=tab-1&holder=tab-2", 204),
        Scenario("DELETE", "\(path)?holder=", 400, code: "invalidParameter", contains: ["?holder"]),
    ]
}

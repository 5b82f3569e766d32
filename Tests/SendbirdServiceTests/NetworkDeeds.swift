@testable import SendbirdService

/// What the network does: to calls that are made later, and with webhooks.
extension RandomDeeds {
    static let ofNetwork = [
        Kind("trouble", 4) { scene in
            let trouble = troubles[scene.place % troubles.count]
            scene.world.port.next(trouble.method, trouble.ending, trouble.fate)
        },
        Kind("webhook", 3) { scene in
            // They come late, several times, or never.
            let categories = ["message_send", "message_update", "message_delete", "message_read", "join", "leave"]
            let message = try? await scene.deskMessage().id
            for _ in 0..<(scene.hasWebhooks ? scene.place % 3 : 0) {
                _ = scene.world.hears(
                    categories[scene.place % categories.count], in: scene.thread,
                    message: message.flatMap { Int64($0) } ?? 7)
            }
        },
    ]

    private static let troubles: [(method: String, ending: String, fate: SandboxPort.Fate)] = [
        ("POST", "/messages", .loseAnswer), ("POST", "/messages", .loseAnswer), ("POST", "/messages", .loseRequest),
        ("POST", "/messages", .tooMany), ("POST", "/messages", .away), ("GET", "/messages", .loseAnswer),
        ("GET", "/messages", .tooMany), ("GET", "/messages", .cut), ("GET", "/group_channels", .loseRequest),
        ("GET", "/group_channels", .away), ("GET", "/my_group_channels", .cut), ("GET", "/room_1", .away),
        ("PUT", "/room_1", .loseAnswer), ("PUT", "/mark_as_read", .loseAnswer), ("PUT", "/hide", .loseAnswer),
        ("DELETE", "/hide", .loseAnswer), ("PUT", "/metadata", .loseAnswer), ("PUT", "/leave", .loseAnswer),
        ("PUT", "/accept", .loseAnswer), ("PUT", "/reset_user_history", .loseAnswer),
        ("POST", "/group_channels", .loseAnswer),
    ]
}

extension SandboxPort.Fate {
    static let tooMany = Self.answer(
        status: 429, body: #"{"error":true,"code":500910,"message":"Too many requests."}"#,
        headers: ["x-ratelimit-retryafter": "2"])
    fileprivate static let away = Self.answer(status: 503, body: "<html>Away</html>", headers: [:])
    fileprivate static let cut = Self.answer(status: 200, body: #"{"messages": [{"message_id": 1, "mess"#, headers: [:])
}

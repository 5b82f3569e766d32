@testable import Outbound

/// Messages that make payloads as long as they can get.
enum WorstMessages {
    static let texts = [
        "", String(repeating: "👨‍👩‍👧‍👦", count: 256), String(repeating: "\u{1}", count: 70_000),
        String(repeating: "\"", count: 600),
        String(repeating: "\\", count: 70_000), "e" + String(repeating: "\u{301}", count: 30_000),
        String(repeating: "\r\n", count: 600), String(repeating: "a", count: 70_000),
        "\u{1}" + String(repeating: "ä", count: 599),
    ]
    static let ids = [
        "t", String(repeating: "\\", count: 128), String(repeating: "\"", count: 128),
        String(repeating: " ", count: 128),
        String(repeating: "\u{1}", count: 128), String(repeating: "ä", count: 128),
        String(repeating: "x", count: 10_000),
        String(repeating: "{", count: 128), String(repeating: "x", count: 256),
    ]

    static let all: [PushMessage] = ids.flatMap { id in
        texts.map {
            PushMessage(channelID: id, threadID: id, messageID: id, event: id, author: $0, words: $0)
        }
    }
}

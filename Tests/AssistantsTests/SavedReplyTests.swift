import ChatModel
import Formats
import Testing

@testable import Assistants

@Suite struct SavedReplyTests {
    private static func reply(_ name: String, _ text: String, shortcut: String? = nil) -> CannedAnswer {
        CannedAnswer(
            id: name, name: name, text: text, shortcut: shortcut, updatedAt: Timestamp(milliseconds: 0))
    }

    private let replies = [
        reply("Closing", "We close the order."), reply("Order", "It comes soon.", shortcut: "ord"),
        reply("Order late", "We are sorry for the order."), reply("Wort", "Grüße, ORD", shortcut: "gr"),
    ]

    @Test(arguments: [
        (nil, ["Closing", "Order", "Order late", "Wort"]), ("ord", ["Order", "Order late", "Closing", "Wort"]),
        ("ORDER", ["Order", "Order late", "Closing"]), ("late  order", ["Order late"]), ("sorry late", ["Order late"]),
        ("grüße", ["Wort"]), ("nothing", []), ("GR", ["Wort"]),
    ])
    func theBestComesFirst(_ query: String?, _ wanted: [String]) {
        #expect(SavedReplies.found(for: query, in: replies).map(\.name) == wanted)
    }
}

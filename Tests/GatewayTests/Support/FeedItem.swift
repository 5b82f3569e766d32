import ChatModel
import Formats
import GatewaySupport
import HTTPRouting
import Testing

@testable import Gateway

/// An event as a client gets it in any form.
struct FeedItem: Equatable, CustomStringConvertible {
    var id: String?
    var type: String
    var data: JSONValue

    var description: String { "\(type)#\(id ?? "-")" }

    init(id: String?, type: String, data: JSONValue) {
        (self.id, self.type, self.data) = (id, type, data)
    }

    /// One object of a page or a line.
    init(json: JSONValue) throws {
        id = json["id"]?.string
        type = try #require(json["type"]?.string)
        data = try #require(json["data"])
    }

    /// What a stream has written so far.
    static func all(of text: String, as framing: EventFraming) throws -> [FeedItem] {
        switch framing {
        case .serverSent:
            return try StreamedEvent.parse(text).map {
                FeedItem(id: $0.id, type: $0.type, data: try JSONParser.parse(Array($0.data.utf8)))
            }
        case .line, .item:
            #expect(text.isEmpty || text.hasSuffix("\n"))
            return try text.split(separator: "\n").map { try FeedItem(json: try JSONParser.parse(Array($0.utf8))) }
        }
    }
}

/// A page as a client reads it.
struct FeedPage {
    var items: [FeedItem]
    var cursor: String
    var hasMore: Bool
    var reset: String?

    init(_ page: EventPage, epoch: String = "e1") throws {
        let json = try JSONParser.parse(page.json(cursor: "\(epoch)-\(page.position)"))
        items = try #require(json["items"]?.array).map { try FeedItem(json: $0) }
        cursor = try #require(json["cursor"]?.string)
        hasMore = json["hasMore"] == .bool(true)
        #expect(json["hasMore"]?.bool != nil)
        reset = json[path: "reset", "reason"]?.string
        #expect(items.count == page.count)
    }
}

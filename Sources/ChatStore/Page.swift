import ChatModel

/// Which page of a list is asked for.
public struct PageRequest: Sendable, Hashable {
    public var limit: Int
    /// The opaque cursor of an earlier page's `next` or `prev`; nil for the first page.
    public var cursor: String?

    public init(limit: Int, cursor: String?) {
        self.limit = limit
        self.cursor = cursor
    }

    static let badCursor = ChatError(.invalidParameter, "The cursor is not one that this list gave out.", pointer: "?cursor")

    func parsedCursor() throws -> PageCursor? {
        guard let cursor else { return nil }
        guard let parsed = PageCursor(cursor) else { throw Self.badCursor }
        return parsed
    }
}

/// A page of a list, as bytes.
public struct PageBytes: Sendable {
    /// `{"items":[...],"next":"..","prev":".."`: without the member `cursor` and the closing brace, which the caller adds.
    public var body: [UInt8]
    /// The version of the list, for its entity tag.
    public var version: Int64
    public var next: String?
    public var prev: String?
    /// The position in the log from which to follow: no change after the page was read is missed.
    public var offset: Int64 = 0

    init(items: [[UInt8]], version: Int64, next: PageCursor?, prev: PageCursor?) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(64) { $0 + $1.count + 1 })
        bytes.append(contentsOf: "{\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: item)
        }
        bytes.append(UInt8(ascii: "]"))
        self.next = next?.description
        self.prev = prev?.description
        if let next { bytes.append(contentsOf: ",\"next\":\"\(next)\"".utf8) }
        if let prev { bytes.append(contentsOf: ",\"prev\":\"\(prev)\"".utf8) }
        body = bytes
        self.version = version
    }
}

/// Where a page goes on: beside a position, in one direction. Never an offset, so that rows which arrive meanwhile shift nothing.
enum PageCursor: CustomStringConvertible, Equatable {
    case older(ReadPosition)
    case newer(ReadPosition)

    var description: String {
        switch self {
        case .older(let position): "o\(position.createdAt).\(position.number)"
        case .newer(let position): "n\(position.createdAt).\(position.number)"
        }
    }

    init?(_ text: String) {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 48, parts.count == 2, let createdAt = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        let position = ReadPosition(createdAt: createdAt, number: number)
        switch text.first {
        case "o": self = .older(position)
        case "n": self = .newer(position)
        default: return nil
        }
    }
}

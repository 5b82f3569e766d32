import Bounds
import ChatModel
import Formats
import Synchronization

/// Which page of a list is wanted.
///
/// ```swift
/// func newest(of store: ChatStore) async throws {
///     let page = try await store.read { try $0.threadPage(of: 1, .all, PageRequest(limit: 20, cursor: nil)) }
///     print(page.count, page.next ?? "that is all")
/// }
/// ```
public struct PageRequest: Sendable, Hashable {
    /// The most items that the page has.
    public var limit: Int
    /// The opaque cursor of an earlier page's `next` or `prev`; nil for the first page.
    public var cursor: String?
    /// Whether the first page of a thread's messages has the oldest ones. `prev` leads on from there.
    public var beginsAtOldest: Bool
    /// The most bytes of items that the page has; it has one item in any case. A page that ends here leads on like any
    /// other.
    public var bytes: Int
    /// The times of the items: of threads the latest activity, of messages when they were created. Other lists have no
    /// use for it.
    public var times: TimeRange

    public init(
        limit: Int, cursor: String?, beginsAtOldest: Bool = false, bytes: Int = ByteBound.page.bytes,
        times: TimeRange = .all
    ) {
        self.limit = limit
        self.cursor = cursor
        self.beginsAtOldest = beginsAtOldest
        self.bytes = bytes
        self.times = times
    }

    var size: PageSize { PageSize(count: limit, bytes: bytes) }

    static let badCursor = ChatError(
        .invalidParameter, "The cursor is not one that this list gave out.", pointer: "?cursor")

    /// The cursor; nil for the first page. Throws `invalidParameter` for a text that this list never gave out.
    func parsedCursor(of list: PageCursor.List) throws -> PageCursor? {
        guard let cursor else { return nil }
        guard let parsed = PageCursor(cursor, of: list) else { throw Self.badCursor }
        return parsed
    }
}

/// A page of a list as the bytes of its answer.
public struct PageBytes: Sendable {
    /// `{"items":[...],"next":"..","prev":".."`. The caller adds the member `cursor` and the closing brace.
    public var body: [UInt8]
    /// How many items a page of a list has; 0 for a page of replies, which does not count them.
    public let count: Int
    /// Whether the page ended because it had its number of items, or its bytes, and not because the rows ended.
    public internal(set) var isFull = false
    /// The version of the list, for its entity tag.
    public var version: Int64
    public var next: String?
    public var prev: String?
    /// The log's offset at which the page was read. A stream that follows from it misses no change.
    public internal(set) var offset: Int64
    /// Where a reader can keep what it has made of the page; nil for a page that is not kept.
    public internal(set) var form: PageForm?

    init(body: [UInt8], version: Int64, offset: Int64) {
        self.body = body
        count = 0
        self.version = version
        self.offset = offset
    }

    init(
        offset: Int64, items: [[UInt8]], of list: PageCursor.List, version: Int64, next: PageCursor?, prev: PageCursor?
    ) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(64) { $0 + $1.count + 1 })
        bytes.append(contentsOf: "{\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: item)
        }
        bytes.append(UInt8(ascii: "]"))
        self.next = next?.text(of: list)
        self.prev = prev?.text(of: list)
        if let next = self.next { bytes.append(contentsOf: ",\"next\":\"\(next)\"".utf8) }
        if let prev = self.prev { bytes.append(contentsOf: ",\"prev\":\"\(prev)\"".utf8) }
        body = bytes
        count = items.count
        self.version = version
        self.offset = offset
    }
}

/// A place in memory that lives as long as a kept page: for the form in which its last reader has sent it. What is kept
/// here counts as twice the page's bytes. Any thread may use it.
public final class PageForm: Sendable {
    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    public var value: (any AnyObject & Sendable)? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

/// Where a list goes on: at a position, in one direction. It is never a count of rows, so rows that arrive meanwhile
/// shift nothing.
package enum PageCursor: Equatable {
    /// Lists of messages.
    case older(MessagePosition)
    case newer(MessagePosition)
    /// Lists of threads, by latest activity.
    case behind(ThreadKey)

    /// The list that a cursor belongs to. Its name is part of the cursor's text, because a position of one list means
    /// nothing in another.
    package enum List: Equatable {
        case threads(account: Int64)
        case deskThreads
        case messages(thread: Int64, ReplyFilter)
        case notes(thread: Int64)
        case customerNotes(account: Int64)
        /// Threads in the order in which they came here.
        case exported

        var name: String {
            switch self {
            case .threads(let account): "t\(account)"
            case .deskThreads: "d"
            case .messages(let thread, .alsoInThread): "m\(thread)"
            case .messages(let thread, .all): "ma\(thread)"
            case .messages(let thread, .none): "mn\(thread)"
            case .notes(let thread): "n\(thread)"
            case .customerNotes(let account): "cn\(account)"
            case .exported: "x"
            }
        }
    }

    /// The cursor as clients get it: list, direction, time and number, for instance `m7o1700000000000.42`. For threads
    /// it has the id in place of the number, in base64url; at the desk also the owner's channel and customer.
    package func text(of list: List) -> String {
        switch self {
        case .older(let position): "\(list.name)o\(position.createdAt).\(position.number)"
        case .newer(let position): "\(list.name)n\(position.createdAt).\(position.number)"
        case .behind(let key): "\(list.name)k\(-key.number).\(Base64URL.encode(key.identity))"
        }
    }

    /// The first number in a cursor's text: in one of a list of messages, the thread's.
    static func firstNumber(in text: String) -> Int64? {
        Int64(digits: text.drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) })
    }

    /// Reads a cursor. Nil for a cursor of another list, and for any text that ``text(of:)`` does not write.
    package init?(_ text: String, of list: List) {
        guard text.utf8.count <= Self.maximumLength, text.hasPrefix(list.name) else { return nil }
        let rest = text.dropFirst(list.name.count)
        let parts = rest.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(signedDigits: parts[0]) else { return nil }
        switch list {
        case .threads, .deskThreads:
            guard rest.first == "k",
                let key = ThreadKey(activity: time, identity: parts[1], isAtDesk: list == .deskThreads)
            else { return nil }
            self = .behind(key)
        case .messages, .notes, .customerNotes, .exported:
            guard let number = Int64(digits: parts[1]) else { return nil }
            let position = MessagePosition(createdAt: time, number: number)
            switch rest.first {
            case "o": self = .older(position)
            case "n": self = .newer(position)
            default: return nil
            }
        }
        // Another spelling of the numbers was never given out.
        guard self.text(of: list) == text else { return nil }
    }
}

extension PageCursor {
    /// In bytes; the API's description of a cursor says the same.
    private static let maximumLength = 1024
}

extension ThreadKey {
    /// The id, and at the desk the owner's channel and customer; a zero byte, which no id has, is between them.
    fileprivate var identity: [UInt8] {
        Array(([id] + (owner.map { [$0.channel, $0.customer] } ?? [])).joined(separator: "\0").utf8)
    }

    /// Nil for an identity that ``identity`` does not write.
    fileprivate init?(activity: Int64, identity: Substring, isAtDesk: Bool) {
        // The least number has no negative.
        guard activity > .min, let bytes = Base64URL.decode(String(identity)),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == (isAtDesk ? 3 : 1) else { return nil }
        self.init(
            number: -activity, id: parts[0],
            owner: isAtDesk ? ThreadOwner(channel: parts[1], customer: parts[2]) : nil)
    }
}

/// The times that a list shows: from `since` on, and before `until`. An end that is nil bounds nothing.
public struct TimeRange: Sendable, Hashable {
    public var since: Timestamp?
    public var until: Timestamp?

    public static let all = TimeRange()

    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    public func contains(_ time: Timestamp) -> Bool {
        since.map { time >= $0 } != false && until.map { time < $0 } != false
    }
}

/// The range among messages. No message has the least number, so these places lie before all messages of their time.
extension TimeRange {
    private var start: MessagePosition? { since.map { MessagePosition(createdAt: $0.milliseconds, number: .min) } }
    private var end: MessagePosition? { until.map { MessagePosition(createdAt: $0.milliseconds, number: .min) } }

    /// Where a list begins that would begin at a place outside.
    func beginning(_ place: MessagePosition, isOlder: Bool) -> MessagePosition {
        isOlder ? min(place, end ?? place) : max(place, start ?? place)
    }

    /// Where a list ends, and whether a hole is the reason; nil if nothing bounds it.
    ///
    /// - Parameter hole: where messages begin that the store may lack; nil if there are none.
    func bound(_ hole: MessagePosition?, isOlder: Bool) -> (place: MessagePosition, isHole: Bool)? {
        guard let edge = isOlder ? start : end else { return hole.map { ($0, true) } }
        guard let hole, isOlder ? hole > edge : hole < edge else { return (edge, false) }
        return (hole, true)
    }

    /// The hole, if it is within the range; nil otherwise.
    public func hole(_ hole: MessagePosition?, isOlder: Bool) -> MessagePosition? {
        bound(hole, isOlder: isOlder).flatMap { $0.isHole ? $0.place : nil }
    }
}

/// The range among threads, whose lists begin with the latest activity.
extension TimeRange {
    /// The place before the first thread of the range; nil if nothing bounds it.
    var threadKey: ThreadKey? { until.map { ThreadKey(number: 1 - $0.milliseconds, id: "") } }
}

import ChatModel
import ChatStore
import DequeModule

/// What a stream has to write that is not in the event log. Each entry knows the log offset after which it belongs.
struct EphemeralQueue {
    /// An entry: something without an offset of its own.
    enum Aside {
        /// An ephemeral event.
        case event(LogEvent)
        /// The session was deleted. Its followers are told, and lose it.
        case farewell(session: String)
    }

    /// The most entries that wait for a client that does not read. Further ephemeral events are dropped.
    private static let limit = 256

    private var asides = Deque<(after: Int64, aside: Aside)>()
    /// Sessions whose last `chat.updated` on this stream had the state `initial`. Their farewell need not write it
    /// again.
    private var saidInitial: Set<String> = []

    /// The next entry, and the log offset after which it is to be written.
    var first: (after: Int64, aside: Aside)? { asides.first }

    /// Adds an ephemeral event.
    /// - Returns: false when the event is the last entry already, because it has several audiences, or when too many
    ///   wait.
    mutating func append(_ event: LogEvent, after offset: Int64) -> Bool {
        guard asides.count < Self.limit else { return false }
        if case .event(let last)? = asides.last?.aside, last === event { return false }
        asides.append((offset, .event(event)))
        return true
    }

    /// Adds a farewell, even above the limit, because a stream may end only by it.
    mutating func append(farewellTo session: String, after offset: Int64) {
        asides.append((offset, .farewell(session: session)))
    }

    /// Removes the first entry after it was written, and remembers whether it told of the state `initial`.
    mutating func removeFirst() {
        guard case .event(let event)? = asides.popFirst()?.aside, event.type == .chatUpdated else { return }
        let isInitial = String(decoding: event.data, as: UTF8.self).contains(
            "\"state\":\"\(ChatState.initial.rawValue)\"")
        for case .session(let id) in event.audiences {
            if isInitial { saidInitial.insert(id) } else { saidInitial.remove(id) }
        }
    }

    /// Whether the client knows already that the session is over.
    func hasSaidFarewell(to session: String) -> Bool { saidInitial.contains(session) }

    mutating func removeAll() { asides.removeAll() }
}

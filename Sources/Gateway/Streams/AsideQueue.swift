import ChatModel
import ChatStore
import DequeModule

/// What a stream has to write that is not in the log, each at its place among what is.
struct AsideQueue {
    enum Aside {
        /// An ephemeral event.
        case event(LogEvent)
        /// The session was deleted.
        case farewell(session: String)
    }

    /// A reader that takes nothing hears no more asides than this.
    private static let limit = 256

    private var asides = Deque<(after: Int64, aside: Aside)>()
    /// The last `chat.updated` said `initial`: a farewell need not say it again.
    private var saidInitial: Set<String> = []

    /// The next one, and the offset in the log after which it comes.
    var first: (after: Int64, aside: Aside)? { asides.first }

    /// Adds an ephemeral event.
    /// - Returns: false when it was added already, for another audience, or when too many wait.
    mutating func append(_ event: LogEvent, after offset: Int64) -> Bool {
        guard asides.count < Self.limit else { return false }
        if case .event(let last)? = asides.last?.aside, last === event { return false }
        asides.append((offset, .event(event)))
        return true
    }

    /// Adds a farewell, whatever waits: the stream may end by it.
    mutating func append(farewellTo session: String, after offset: Int64) {
        asides.append((offset, .farewell(session: session)))
    }

    /// Takes the first away: it was written.
    mutating func removeFirst() {
        guard case .event(let event)? = asides.popFirst()?.aside, event.type == .chatUpdated else { return }
        let isInitial = String(decoding: event.data, as: UTF8.self).contains("\"state\":\"\(ChatState.initial.rawValue)\"")
        for case .session(let id) in event.audiences {
            if isInitial { saidInitial.insert(id) } else { saidInitial.remove(id) }
        }
    }

    /// Whether the reader knows already that the session is no more.
    func hasSaidFarewell(to session: String) -> Bool { saidInitial.contains(session) }

    mutating func removeAll() { asides.removeAll() }
}

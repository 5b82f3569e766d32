import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// A chat platform in memory, the far side of a remote service: threads, messages, changelogs, devices that are told.
///
/// Its ids are its own, unless it keeps its clients'. It takes each request id once.
public final class SimulatedPlatform: Sendable {
    public struct Room: Sendable {
        public var thread: ChatThread
        /// In its own order.
        public var messages: [RemoteMessage] = []
        var changes: [(id: String, isRemoval: Bool)] = []
        /// How often a request id came, and created a message.
        public var requests: [String: Int] = [:]
    }

    public enum News: Sendable {
        case message(RemoteMessage, in: ChatThread)
        case edited(RemoteMessage, in: ChatThread)
        case removed(String, in: ChatThread)
        case thread(ChatThread, isNew: Bool)
    }

    private struct State {
        var rooms: [String: Room] = [:]
        var threadChanges: [(id: String, isRemoval: Bool)] = []
        var devices: [Int: @Sendable (News) -> Void] = [:]
        var lastDevice = 0
        var lastID = 0
    }
    private let positions = Mutex<Set<PositionKind>?>(nil)
    private let state = Mutex(State())
    private let environment: ModelEnvironment
    private let keepsRequestIDs: Bool
    private let makeID: @Sendable (Int) -> String
    /// Entries of a changelog's answer.
    public let changesLimit: Int
    public let threadLimit: Int

    /// - Parameter makeID: a message's id, by how many there were before it.
    public init(
        environment: ModelEnvironment, keepsRequestIDs: Bool = false, changesLimit: Int = 20, threadLimit: Int = 20,
        makeID: @escaping @Sendable (Int) -> String = { "r\($0)" }
    ) {
        self.environment = environment
        self.keepsRequestIDs = keepsRequestIDs
        self.makeID = makeID
        self.changesLimit = changesLimit
        self.threadLimit = threadLimit
    }

    // MARK: What others do there

    public func room(_ id: String) -> Room? { state.withLock { $0.rooms[id] } }
    public var threadIDs: [String] { state.withLock { $0.rooms.keys.sorted() } }

    @discardableResult
    public func makeThread(_ id: String) -> ChatThread {
        var thread = ChatThread(id: id, createdAt: environment.now(), members: [])
        thread.state = .ready
        let made = thread
        tell { state in
            state.rooms[id] = Room(thread: made)
            state.threadChanges.append((id, false))
            return .thread(made, isNew: true)
        }
        return thread
    }

    public func removeThread(_ id: String) {
        tell { state in
            state.rooms[id] = nil
            state.threadChanges.append((id, true))
            return nil
        }
    }

    /// The agent writes.
    @discardableResult
    public func write(_ text: String, in thread: String, at time: Timestamp? = nil) -> RemoteMessage {
        let author = Author(id: "a1", kind: .agent)
        return add(text, in: thread, at: time, direction: .toClient, author: author, requestID: nil)
    }

    /// Fills a thread with messages, one second after the other, without telling anybody.
    public func fill(_ thread: String, count: Int, text: (Int) -> String = { "text \($0)" }) {
        let now = environment.now()
        state.withLock { state in
            for index in 0..<count {
                let time = now.advanced(byMilliseconds: Int64(index - count) * 1000)
                _ = append(text(index), to: thread, time, .toClient, Author(id: "a1", kind: .agent), nil, [], &state)
            }
        }
    }

    func add(
        _ text: String, in thread: String, at time: Timestamp? = nil, direction: MessageDirection, author: Author,
        requestID: String?,
        attachments: [Attachment] = []
    ) -> RemoteMessage {
        let time = time ?? environment.now()
        var added: RemoteMessage?
        tell { state in
            if let requestID {
                state.rooms[thread]?.requests[requestID, default: 0] += 1
                if state.rooms[thread]?.requests[requestID] != 1,
                    let known = state.rooms[thread]?.messages.first(where: { $0.requestID == requestID })
                {
                    added = known
                    return nil
                }
            }
            let message = append(text, to: thread, time, direction, author, requestID, attachments, &state)
            added = message
            return state.rooms[thread].map { .message(message, in: $0.thread) }
        }
        return added!
    }

    private func append(
        _ text: String, to thread: String, _ time: Timestamp, _ direction: MessageDirection, _ author: Author,
        _ requestID: String?, _ attachments: [Attachment], _ state: inout State
    ) -> RemoteMessage {
        state.lastID += 1
        let id = (keepsRequestIDs ? requestID : nil) ?? makeID(state.lastID)
        var message = RemoteMessage(
            Message(
                id: id, threadID: thread, createdAt: time, direction: direction, author: author, text: text,
                status: .delivered),
            requestID: requestID)
        message.message.attachments = attachments
        if !attachments.isEmpty { message.message.type = .file }
        if var room = state.rooms.removeValue(forKey: thread) {
            room.messages.insert(message, at: room.messages.place(after: time))
            room.thread.lastMessage = room.messages.last.map { MessagePreview($0.message) }
            room.thread.updatedAt = max(room.thread.updatedAt, time)
            state.rooms[thread] = room
        }
        return message
    }

    public func edit(_ id: String, in thread: String, to text: String) {
        tell { state in
            guard var room = state.rooms[thread], let index = room.messages.firstIndex(where: { $0.message.id == id })
            else { return nil }
            room.messages[index].message.text = text
            room.messages[index].message.updatedAt = max(
                environment.now(), room.messages[index].message.updatedAt.advanced(byMilliseconds: 1))
            room.changes.append((id, false))
            room.thread.lastMessage = room.messages.last.map { MessagePreview($0.message) }
            room.thread.updatedAt = max(room.thread.updatedAt, room.messages[index].message.updatedAt)
            state.rooms[thread] = room
            state.threadChanges.append((thread, false))
            return .edited(room.messages[index], in: room.thread)
        }
    }

    public func remove(_ id: String, in thread: String) {
        tell { state in
            guard var room = state.rooms[thread] else { return nil }
            room.messages.removeAll { $0.message.id == id }
            room.changes.append((id, true))
            room.thread.lastMessage = room.messages.last.map { MessagePreview($0.message) }
            room.thread.updatedAt = max(environment.now(), room.thread.updatedAt.advanced(byMilliseconds: 1))
            state.rooms[thread] = room
            state.threadChanges.append((thread, false))
            return .removed(id, in: room.thread)
        }
    }

    // MARK: What a device asks

    public func page(of thread: String, _ query: HistoryQuery) -> HistoryPage {
        // Under the lock: whoever writes meanwhile would have to copy what is read here.
        state.withLock { Self.page(of: $0.rooms[thread]?.messages ?? [], query) }
    }

    private static func page(of all: [RemoteMessage], _ query: HistoryQuery) -> HistoryPage {
        let range: Range<Int>
        switch query {
        case .newest(let limit): range = max(0, all.count - limit)..<all.count
        case .before(let time, let limit):
            let end = all.place(after: time)
            let equal = all.place(of: time)
            range = max(0, equal - limit)..<end
        case .after(let time, let limit):
            let start = all.place(of: time)
            let beyond = all.place(after: time)
            range = start..<min(all.count, beyond + limit)
        case .around(let time, let limit):
            let start = all.place(of: time)
            let beyond = all.place(after: time)
            range = max(0, start - limit)..<min(all.count, beyond + limit)
        }
        return HistoryPage(
            messages: Array(all[range]), hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < all.count)
    }

    /// Positions are places in the room's changelog; a time is its beginning, since some changes twice do no harm.
    func changes(of thread: String, since position: ChangePosition) -> MessageChanges {
        if knownPositions.map({ !$0.contains(position.kind) }) == true { return .forgotten }
        var start = 0
        if case .token(let token) = position { start = Int(token) ?? 0 }
        guard let room = room(thread) else {
            return MessageChanges(updated: [], removed: [], position: position, hasMore: false)
        }
        let end = min(room.changes.count, start + changesLimit)
        let entries = room.changes[min(start, end)..<end]
        return MessageChanges(
            updated: entries.compactMap { entry in
                entry.isRemoval ? nil : room.messages.first { $0.message.id == entry.id }
            },
            removed: entries.filter(\.isRemoval).map(\.id), position: .token("\(end)"),
            hasMore: end < room.changes.count)
    }

    func threads(after token: String?) -> ThreadPage {
        state.withLock { state in
            let sorted = state.rooms.values.map(\.thread).sorted {
                ($0.lastActivityAt, $0.id) > ($1.lastActivityAt, $1.id)
            }
            let start = token.flatMap { Int($0) } ?? 0
            let end = min(sorted.count, start + threadLimit)
            return ThreadPage(
                threads: sorted[min(start, end)..<end].map { RemoteThread($0) },
                next: end < sorted.count ? "\(end)" : nil,
                changes: "\(state.threadChanges.count)")
        }
    }

    func threadChanges(since token: String) -> ThreadChanges {
        if knownPositions?.contains(.threads) == false { return .forgotten }
        return presentChanges(since: token)
    }

    private func presentChanges(since token: String) -> ThreadChanges {
        state.withLock { state in
            let start = Int(token) ?? 0
            let end = min(state.threadChanges.count, start + changesLimit)
            let entries = state.threadChanges[min(start, end)..<end]
            let updated = Set(entries.filter { !$0.isRemoval }.map(\.id)).sorted()
            return ThreadChanges(
                updated: updated.compactMap { state.rooms[$0].map { RemoteThread($0.thread) } },
                removed: entries.filter { entry in entry.isRemoval && state.rooms[entry.id] == nil }.map(\.id),
                token: "\(end)",
                hasMore: end < state.threadChanges.count)
        }
    }

    func message(sentAs requestID: String, in thread: String) -> RemoteMessage? {
        state.withLock { state in
            guard let room = state.rooms[thread], room.requests[requestID] != nil else { return nil }
            return room.messages.first { $0.requestID == requestID }
        }
    }

    // MARK: Positions

    /// What a device may hold on to.
    public enum PositionKind: Sendable { case times, tokens, threads }

    /// Kinds of positions that are still known; nil: all.
    public var knownPositions: Set<PositionKind>? {
        get { positions.withLock { $0 } }
        set { positions.withLock { $0 = newValue } }
    }

    // MARK: Devices

    func add(device: @escaping @Sendable (News) -> Void) -> Int {
        state.withLock { state in
            state.lastDevice += 1
            state.devices[state.lastDevice] = device
            return state.lastDevice
        }
    }

    func remove(device: Int) { state.withLock { $0.devices[device] = nil } }

    private func tell(_ change: (inout State) -> News?) {
        // Under the lock, so that all devices hear everything in the order in which it happened.
        state.withLock { state in
            guard let news = change(&state) else { return }
            for device in state.devices.values { device(news) }
        }
    }
}

extension ChangePosition {
    fileprivate var kind: SimulatedPlatform.PositionKind {
        if case .time = self { .times } else { .tokens }
    }
}

extension [RemoteMessage] {
    /// Where the messages of a time begin.
    fileprivate func place(of time: Timestamp) -> Int { place { $0 < time } }

    /// Where those after a time begin.
    fileprivate func place(after time: Timestamp) -> Int { place { $0 <= time } }

    private func place(_ isBefore: (Timestamp) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle].message.createdAt) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

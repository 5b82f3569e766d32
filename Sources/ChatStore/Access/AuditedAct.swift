import ChatModel
import Formats
import Synchronization

/// An act of an administrator that is going on: its entry is committed together with the first thing that the act writes.
/// Any thread may use it.
public final class AuditedAct: Sendable {
    private struct State {
        var entry: NewAuditEntry
        var isStored = false
    }

    private let state: Mutex<State>

    public init(_ entry: NewAuditEntry) { state = Mutex(State(entry: entry)) }

    /// Says what it is done to, where that is known only while it is done.
    public func name(_ subject: String) { state.withLock { $0.entry.subject = subject } }

    /// Says which members are changed by it, where that is known only while it is done.
    public func name(members: [String]) {
        var json = JSONWriter()
        json.beginObject()
        json.member("members", texts: members)
        json.endObject()
        state.withLock { $0.entry.detail = json.bytes }
    }

    /// The entry, as long as it is not stored.
    public var missing: NewAuditEntry? { state.withLock { $0.isStored ? nil : $0.entry } }

    /// Writes the entry with a unit of the act. A unit may be run again, in another transaction.
    func record(in transaction: WriteTransaction) throws {
        if let missing { try transaction.audit(missing) }
    }

    /// Notes that a unit with the entry is committed.
    func settle() { state.withLock { $0.isStored = true } }
}

extension ChatStore {
    /// The act to which the writing of this task belongs; nil for all that is not audited.
    @TaskLocal public static var act: AuditedAct?
}

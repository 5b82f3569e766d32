import Chat
import ChatModel
import CXoneWire
import Formats
import Synchronization

/// When each custom field got its value, so that the later one of two values wins. May be used from any task.
///
/// Kept in memory, until the account's last session ends. The time of a value from before is unknown: then the
/// platform's value wins.
final class FieldTimes: Sendable {
    /// Whose fields: those of a thread's contact; with an empty thread, the customer's.
    struct Owner: Hashable, Sendable {
        var account: Int64
        var thread = ""
    }

    /// By account and thread.
    private let times = Mutex<[Int64: [String: [String: Int64]]]>([:])

    /// Notes that a client set these fields at that time.
    func set(_ idents: some Sequence<String>, of owner: Owner, at time: Timestamp) {
        times.withLock { times in
            for ident in idents {
                times[owner.account, default: [:]][owner.thread, default: [:]][ident] = time.milliseconds
            }
        }
    }

    /// Returns the known fields with the platform's merged in. The newer value wins; of two equal times the known
    /// value stays. Values beyond the limits of the API are left out, and an empty value does not remove a known
    /// one.
    func merge(_ fields: [CustomField], into known: [String: String], of owner: Owner) -> [String: String] {
        times.withLock { times in
            var result = known
            for field in fields {
                let time = field.updatedAt?.milliseconds ?? .min
                let mine = times[owner.account]?[owner.thread]?[field.ident]
                guard result[field.ident] == nil || time > mine ?? .min || mine == nil else { continue }
                guard CustomFieldLimits.allow(field.value, as: field.ident, in: result) else { continue }
                // An empty value of a field that is not there leaves no trace, or its times would grow without bound.
                guard !field.value.isEmpty || result[field.ident] != nil else { continue }
                if !field.value.isEmpty { result[field.ident] = field.value }
                times[owner.account, default: [:]][owner.thread, default: [:]][field.ident] = time
            }
            return result
        }
    }

    /// The fields as they are sent, sorted by name, each with the time when it was set.
    ///
    /// - Parameter time: for fields whose time is unknown.
    func wire(_ fields: [String: String], of owner: Owner, otherwise time: Timestamp) -> [CustomField] {
        times.withLock { times in
            fields.sorted { $0.key < $1.key }.map { ident, value in
                let known = times[owner.account]?[owner.thread]?[ident].flatMap { $0 == .min ? nil : $0 }
                return CustomField(
                    ident: ident, value: value, updatedAt: Timestamp(milliseconds: known ?? time.milliseconds))
            }
        }
    }

    /// The account has no thread of this id any more.
    func forget(_ thread: String, account: Int64) { times.withLock { _ = $0[account]?.removeValue(forKey: thread) } }

    /// The account has no sessions any more.
    func forget(account: Int64) { times.withLock { $0[account] = nil } }

    /// How many accounts have times.
    var count: Int { times.withLock { $0.count } }
}

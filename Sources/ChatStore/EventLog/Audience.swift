import ChatModel
import Formats

/// The readers of an event.
public enum Audience: Sendable, Hashable {
    /// All agents of the embedded service together.
    case desk
    /// An account, by its number in the store.
    case account(Int64)
    /// One session. Only ephemeral events can have it; the log stores none.
    case session(String)
    /// All sessions on a channel. Only ephemeral events can have it, too.
    case channel(service: String, id: String)
    /// A reader of all events, whomever they concern. No event names it.
    case everyone

    /// The number under which the log stores the audience: 0 for the desk, the account's number from 1, nil for those
    /// that it does not store.
    var number: Int64? {
        switch self {
        case .desk: 0
        case .account(let number): number
        case .session, .channel, .everyone: nil
        }
    }

    init(number: Int64) { self = number == 0 ? .desk : .account(number) }
}

/// One audience of an event, with the membership that is shown to it.
public struct AudienceMember: Sendable, Hashable {
    public var audience: Audience
    /// The account's own view of the thread; only for events that carry a whole thread.
    public var membership: Membership?

    public var unreadCount: Int? { membership?.unreadCount }

    public init(_ audience: Audience, _ membership: Membership? = nil) {
        self.audience = audience
        self.membership = membership
    }

    public init(_ audience: Audience, unreadCount: Int?) {
        self.init(audience, unreadCount.map { Membership(unreadCount: $0) })
    }
}

extension [AudienceMember] {
    /// The audiences as base-128 varints (7 bits to a byte, lowest first), in pairs: account, unread count plus one
    /// (0: none).
    ///
    /// The rest of a membership follows in pairs that begin with 0. No account has this number, and the desk has no
    /// unread count, so such a pair cannot be an audience. The first one has 1 + hidden + 2 * invited + 4 * (the time
    /// of the history's reset plus one). A second one has the time up to which the account has read, plus one. Times
    /// are milliseconds.
    var packed: [UInt8] {
        var bytes: [UInt8] = []
        func put(_ number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        for member in self {
            guard let number = member.audience.number else { continue }
            put(UInt64(number))
            put(UInt64((member.unreadCount ?? -1) + 1))
            guard let membership = member.membership else { continue }
            let (flags, read) = (membership.packedFlags, membership.packedRead)
            if flags > 0 || read > 0 {
                put(0)
                put(flags + 1)
            }
            if read > 0 {
                put(0)
                put(read)
            }
        }
        return bytes
    }

    /// Reads what ``packed`` has written.
    init(packed: some Sequence<UInt8>) {
        self = []
        var numbers: [UInt64] = []
        var (number, shift): (UInt64, UInt64) = (0, 0)
        for byte in packed {
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                numbers.append(number)
                (number, shift) = (0, 0)
            } else {
                shift += 7
            }
        }
        // Pairs since the last audience that belong to it.
        var pairs = 0
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            let (account, value) = (numbers[index], numbers[index + 1])
            if account == 0, value > 0, !isEmpty {
                pairs += 1
                if pairs == 1 { self[count - 1].membership?.packedFlags = value - 1 }
                if pairs == 2 { self[count - 1].membership?.packedRead = value }
            } else {
                pairs = 0
                append(AudienceMember(Audience(number: Int64(account)), unreadCount: value == 0 ? nil : Int(value) - 1))
            }
        }
    }
}

extension Membership {
    /// 0: nothing was read.
    fileprivate var packedRead: UInt64 {
        get { lastReadAt.map { UInt64(max(0, $0.milliseconds)) + 1 } ?? 0 }
        set { lastReadAt = newValue == 0 ? nil : Timestamp(milliseconds: Int64(clamping: newValue - 1)) }
    }

    fileprivate var packedFlags: UInt64 {
        get {
            let line = historyResetAt.map { UInt64(max(0, $0.milliseconds)) + 1 } ?? 0
            return (isHidden ? 1 : 0) + (state == .invited ? 2 : 0) + 4 * line
        }
        set {
            isHidden = newValue & 1 != 0
            state = newValue & 2 != 0 ? .invited : .joined
            historyResetAt = newValue < 4 ? nil : Timestamp(milliseconds: Int64(newValue / 4) - 1)
        }
    }
}

/// Whom an event concerns.
public enum Audience: Sendable, Hashable {
    /// The agent's side of the embedded service.
    case desk
    /// An account, by its number in the store.
    case account(Int64)
    /// One session; for ephemeral events only.
    case session(String)

    /// The number under which the log keeps it; accounts count from 1.
    var number: Int64? {
        switch self {
        case .desk: 0
        case .account(let number): number
        case .session: nil
        }
    }

    init(number: Int64) { self = number == 0 ? .desk : .account(number) }
}

/// One audience of a logged event, and what that account has unread in the thread.
public struct AudienceMember: Sendable, Hashable {
    public var audience: Audience
    public var unreadCount: Int?

    public init(_ audience: Audience, unreadCount: Int? = nil) {
        self.audience = audience
        self.unreadCount = unreadCount
    }
}

extension [AudienceMember] {
    /// Numbers as base-128 varints, in pairs: account, unread count plus one (0: none).
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
        }
        return bytes
    }

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
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            let unread = numbers[index + 1]
            append(AudienceMember(Audience(number: Int64(numbers[index])), unreadCount: unread == 0 ? nil : Int(unread) - 1))
        }
    }
}

import ChatModel
import Formats
import Chat
import ChatStore

/// Which events a webhook wants. Each part that is absent lets everything pass.
package struct WebhookFilter: Sendable, Hashable {
    private let types: Set<EventType>?
    private let directions: Set<MessageDirection>?
    private let channels: Set<ExactText>?

    package init(types: [EventType]? = nil, directions: [MessageDirection]? = nil, channels: [String]? = nil) {
        self.types = types.map { Set($0) }
        self.directions = directions.map { Set($0) }
        self.channels = channels.map { Set($0.map(ExactText.init)) }
    }

    /// The types that the log keeps, but for notes, which are the desk's alone. Others are live only. Neither is sent.
    package static let durableTypes: [EventType] = [
        .threadCreated, .threadUpdated, .threadRemoved, .messageCreated, .messageUpdated, .messageRemoved, .threadInfo,
        .proactive, .customerUpdated,
    ]

    /// Whether the webhook wants an event.
    ///
    /// - Parameters:
    ///   - direction: the direction of the event's message; nil when the event has no message. Such an event passes
    ///     every filter of directions. It is looked for only where directions are filtered.
    ///   - channel: the channel of the event; nil when it is not known. Then the event passes no filter of channels.
    package func matches(type: EventType, direction: @autoclosure () -> MessageDirection?, channel: String?) -> Bool {
        guard Self.durableTypes.contains(type), types?.contains(type) ?? true else { return false }
        if let directions, let direction = direction(), !directions.contains(direction) { return false }
        guard let channels else { return true }
        return channel.map { channels.contains(ExactText($0)) } ?? false
    }
}

/// Rows of the store as the owner of a webhook sees them.
extension Webhook {
    /// - Parameters:
    ///   - epoch: of the log.
    ///   - offset: the position in the log at which the target was read.
    init(_ target: TargetRecord, lag: Int64, epoch: String, offset: Int64) throws {
        let settings = try WebhookSettings(canonicalJSON: target.settings)
        let audience: WebhookAudience =
            if case .account(let account) = target.audience {
                .session(target.session ?? "", account: account)
            } else {
                .desk
            }
        self.init(
            id: target.id, url: settings.url, description: settings.description, audience: audience,
            types: settings.types ?? WebhookFilter.durableTypes, directions: settings.directions,
            channels: settings.channels, headerNames: settings.headers.map(\.name), concurrency: settings.concurrency,
            timeoutSeconds: settings.timeoutSeconds, state: target.health.state, reason: target.health.reason,
            cursor: Cursor(epoch: epoch, offset: target.position), lag: lag, failingSince: target.health.failingSince,
            nextAttemptAt: target.health.nextAt, createdAt: target.createdAt, version: target.version, offset: offset)
    }
}

extension ReadTransaction {
    /// The webhook of this id. Throws `unknownWebhook`, also for a target of another kind.
    func webhook(_ id: String) throws -> TargetRecord {
        guard let target = try target(id), target.kind == .webhook else { throw ChatError.unknownWebhook(id) }
        return target
    }
}

/// A header of the webhook owner's own, sent with each request.
///
/// Its value may be a password: it is stored, and never shown.
package struct WebhookHeader: Sendable, Hashable {
    package let name: String
    package let value: String

    static let maximumNameLength = 100
    static let maximumValueLength = 4096

    /// The name must be a token (RFC 9110, 5.6.2) and no header that the gateway writes itself. The value must be
    /// printable ASCII, with spaces and tabs inside only. Throws the sentence that says what is wrong.
    init(checking name: String, _ value: String) throws(InvalidHeader) {
        guard (1...Self.maximumNameLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.isToken) else {
            throw InvalidHeader(detail: "a token of 1 to \(Self.maximumNameLength) characters was expected as the name")
        }
        let lowercased = name.lowercased()
        guard !Self.forbidden.contains(lowercased), !Self.forbiddenPrefixes.contains(where: lowercased.hasPrefix) else {
            throw InvalidHeader(detail: "the gateway writes this header itself, or it belongs to the connection")
        }
        guard value.utf8.count <= Self.maximumValueLength, value.utf8.allSatisfy({ $0.isPrintable || $0.isBlank }),
            value.trimmingOptionalSpace.utf8.count == value.utf8.count
        else {
            throw InvalidHeader(
                detail: "up to \(Self.maximumValueLength) printable ASCII characters were expected, no space around")
        }
        self.init(name: name, value: value)
    }

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    struct InvalidHeader: Error, Equatable {
        var detail: String
    }

    private static let forbidden: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "keep-alive",
        "te", "trailer", "upgrade", "expect", "accept-encoding",
    ]
    private static let forbiddenPrefixes = ["webhook-", "proxy-"]

    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

extension WebhookHeader: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "\(name): (hidden)" }
    package var debugDescription: String { description }
}

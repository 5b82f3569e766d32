import Formats

/// How much the visitors of a channel may do. What a channel does not say has its usual value.
public struct VisitorLimits: CanonicalJSON, Hashable {
    /// What is limited, by the name that the API has for it.
    public enum Name: String, Sendable, CaseIterable {
        /// Chats that are begun from one address.
        case addressBeginsPerMinute, addressBeginsPerHour
        /// Chats that are begun on the channel before everybody has to work for it. At ten times as many nobody begins.
        case channelBeginsPerHour
        /// Of one session.
        case messagesPerMinute, messagesPerHour
        /// Of all visitors' sessions at one address.
        case addressMessagesPerMinute
        /// Of one message's text, in UTF-8.
        case messageBytes
        /// Of one session.
        case uploadsPerHour, uploadBytesPerDay
        /// Of one customer, at a time.
        case openThreads
        /// Event streams that are open at a time: of one session, and of all visitors' sessions at one address.
        case streams, addressStreams
        /// Of one session.
        case collections

        public var usual: Int {
            switch self {
            case .addressBeginsPerMinute: 6
            case .addressBeginsPerHour: 30
            case .channelBeginsPerHour: 600
            case .messagesPerMinute: 20
            case .messagesPerHour: 200
            case .addressMessagesPerMinute: 60
            case .messageBytes: 16 << 10
            case .uploadsPerHour: 20
            case .uploadBytesPerDay: 100_000_000
            case .openThreads: 5
            case .streams: 4
            case .addressStreams: 50
            case .collections: 3
            }
        }

        /// The most that a channel may allow: ten times what is usual. No message is longer than the chat's own limit.
        public var greatest: Int { self == .messageBytes ? 64 << 10 : usual * 10 }
    }

    private var own: [Name: Int] = [:]

    public init() {}

    public subscript(name: Name) -> Int {
        get { own[name] ?? name.usual }
        set { own[name] = newValue }
    }

    /// Whether the channel says nothing of them.
    public var isEmpty: Bool { own.isEmpty }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        for name in Name.allCases {
            guard let number = own[name] else { continue }
            json.name(name.rawValue)
            json.value(number)
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        for name in Name.allCases {
            guard let number = json[name.rawValue]?.integer.flatMap({ Int(exactly: $0) }) else { continue }
            own[name] = min(max(1, number), name.greatest)
        }
    }
}

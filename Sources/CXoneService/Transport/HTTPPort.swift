/// Asks HTTP servers.
public protocol HTTPPort: Sendable {
    /// Throws when no answer came; an answer of any status is none of that.
    ///
    /// - Parameter limit: bytes of the answer's body at most.
    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer
}

public struct HTTPCall: Sendable, Hashable {
    public var method: String
    public var url: String
    public var headers: [Header]
    public var body: [UInt8]?

    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(_ method: String, _ url: String, headers: [Header] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

public struct HTTPAnswer: Sendable {
    public var status: Int
    /// In small letters, the last of each name.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}

import Synchronization

/// A whole JSON text of the protocol: a frame, or an HTTP body.
public protocol WireDocument: Sendable {
    /// Reads the text. Throws ``WireError``, also for more than `limit` bytes.
    ///
    /// A text of the platform is read even if an optional member of it cannot be read: it counts as absent. A text of a
    /// client is refused, so that whoever writes the client learns of the mistake.
    ///
    /// - Parameter omissions: gets what was left out.
    init(json: [UInt8], limit: Int, omissions: WireOmissions?) throws(WireError)

    /// The UTF-8 text, as it is sent.
    func encoded() -> [UInt8]
}

extension WireDocument {
    public init(json: [UInt8], limit: Int) throws(WireError) {
        try self.init(json: json, limit: limit, omissions: nil)
    }
}

/// What was left out of a text of the platform, because it could not be read and is optional.
public final class WireOmissions: Sendable {
    private let state = Mutex<(first: [WireError], count: Int)>(([], 0))

    /// The most errors that are kept; further ones are counted.
    private static let limit = 4

    public init() {}

    func add(_ error: WireError) {
        state.withLock { state in
            state.count += 1
            if state.first.count < Self.limit { state.first.append(error) }
        }
    }

    /// How many members and elements were left out.
    public var count: Int { state.withLock { $0.count } }

    /// What was left out, for a log; nil if nothing was. The paths begin at the object that has the member, and nothing
    /// of the text is in it.
    public var summary: String? {
        let (first, count) = state.withLock { $0 }
        guard count > 0 else { return nil }
        let rest = count - first.count
        return first.map(\.description).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}

/// The most bytes of a text that is read.
public enum WireLimit {
    /// Of a frame: 1 MiB.
    public static let frame = 1 << 20
    /// Of an event that is too large for a frame and is fetched instead (`EventInS3`): 16 MiB.
    public static let largeEvent = 16 << 20
    /// Of a body: an attachment of 40 MiB in base64, and its name.
    public static let body = 64 << 20
}

/// What is wrong with a frame or a body, and where.
///
/// `detail` holds nothing of the text itself, so it may be logged. A server answers a frame whose `eventID` is
/// known with an operation error of that id.
public struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// More bytes than a frame may have.
        case tooLarge
        /// No JSON text (RFC 8259, RFC 7493).
        case notJSON
        /// A member that must be there isn't, or is null.
        case missing
        /// A member is of another kind than it must be.
        case wrongType
        /// A number or a time that can't be represented, or a value outside of what the protocol knows.
        case invalid
    }

    public var kind: Kind
    /// The names and positions that lead to the bad value, from the outside in.
    public var path: [String]
    public var detail: String
    /// The frame's `eventId`, once it was read.
    public var eventID: String?
    /// The frame's `eventType`, once it was read.
    public var eventType: String?

    init(_ kind: Kind, _ detail: String, at path: [String] = []) {
        self.kind = kind
        self.detail = detail
        self.path = path
    }

    /// Where the culprit is, as a JSON Pointer (RFC 6901).
    public var pointer: String { path.map { "/" + $0 }.joined() }

    public var description: String {
        let event = eventType.map { " in \($0)" } ?? ""
        return "\(kind.rawValue)\(event)\(path.isEmpty ? "" : " at \(pointer)"): \(detail)"
    }

    /// The same error one level further out: the step is put before the path.
    func within(_ step: some CustomStringConvertible) -> WireError {
        var error = self
        error.path.insert(step.description, at: 0)
        return error
    }

    /// The same error with the frame's id and type, where it has none yet.
    func of(eventID: String?, eventType: String?) -> WireError {
        var error = self
        error.eventID = error.eventID ?? eventID
        error.eventType = error.eventType ?? eventType
        return error
    }
}

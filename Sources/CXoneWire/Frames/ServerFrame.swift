import Formats

/// A text frame from the platform to a client, or the body of an event that was too large for one.
public enum ServerFrame: Sendable, Hashable {
    /// The JSON string `"pong"`: the answer to ``ClientFrame/heartbeat``.
    case pong
    /// An answer with a type of its own: a frame with `postback`.
    case answer(ServerAnswer, eventID: String?)
    /// An answer without a type, `SendMessage`'s for example.
    case acknowledgement(Acknowledgement)
    /// Something that happened. Its `eventId` belongs to no request.
    case push(ServerPush)
    /// A request failed: a frame with `error`.
    case error(OperationError)
    /// The gateway in front of the platform failed; no request is named.
    case gatewayError(GatewayError)
    /// JSON that is none of these; it is ignored.
    case unknown
}

extension ServerFrame: WireDocument {
    /// Reads a frame, or the body to which an ``EventInS3`` points (with ``WireLimit/largeEvent``).
    ///
    /// The order of the tests matters: a frame with `error` is an error whatever else it has, and a known
    /// answer's type makes a frame an answer even without `postback`. Throws ``WireError`` with the `eventId` and
    /// the type, if they could be read.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
        if value.string == "pong" {
            self = .pong
            return
        }
        let eventID = value["eventId"]?.idText
        let postbackType = value["postback"]?["eventType"]?.string
        let type = value["eventType"]?.string ?? postbackType
        do throws(WireError) {
            if value["error"] != nil {
                self = .error(try OperationError(value))
            } else if let error = GatewayError(value) {
                self = .gatewayError(error)
            } else if let type, let answer = try ServerAnswer(type: type, in: value) {
                self = .answer(answer, eventID: eventID)
            } else if let type {
                self =
                    postbackType == nil
                    ? .push(try ServerPush(type: type, in: value)) : .answer(.unknown(type: type), eventID: eventID)
            } else if let eventID {
                self = .acknowledgement(try Acknowledgement(value, eventID: eventID))
            } else {
                self = .unknown
            }
        } catch {
            throw error.of(eventID: eventID, eventType: type)
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            switch self {
            case .pong: writer.string("pong")
            case .answer(let answer, let eventID): answer.write(to: &writer, eventID: eventID)
            case .acknowledgement(let acknowledgement): acknowledgement.write(to: &writer)
            case .push(let push): push.write(to: &writer)
            case .error(let error): error.write(to: &writer)
            case .gatewayError(let error): error.write(to: &writer)
            case .unknown: writer.object { _ in }
            }
        }
    }
}

/// Says that a request was accepted: a frame with an `eventId` and no type. Web clients wait for one after every
/// request.
public struct Acknowledgement: Sendable, Hashable {
    public var eventID: String
    public var status: String?
    public var createdAt: Timestamp?

    public init(eventID: String, status: String? = "success", createdAt: Timestamp? = nil) {
        self.eventID = eventID
        self.status = status
        self.createdAt = createdAt
    }
}

extension Acknowledgement: WireWritable {
    init(_ value: WireValue, eventID: String) throws(WireError) {
        self.eventID = eventID
        status = try value.optional("status")
        createdAt = try value.optional("createdAt")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("eventId", eventID)
            writer.member("status", ifPresent: status)
            writer.member("createdAt", ifPresent: createdAt)
        }
    }
}

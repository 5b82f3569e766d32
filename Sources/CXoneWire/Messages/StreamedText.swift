/// The text of a `STREAMED` message, which is generated while it is read: server-sent events, each with a
/// ``StreamedDelta``. It is fed with the bytes as they come.
public struct StreamedText: Sendable {
    /// What has come so far; at most ``limit`` bytes.
    public private(set) var text = ""
    /// The last piece has come, or the text is as long as it may be.
    public private(set) var isComplete = false

    /// The most bytes of a text, and of one event.
    public static let limit = 64 << 10

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    /// The event has another name than `delta`.
    private var isForeign = false
    /// The last byte was a carriage return, which may be the first half of a line's end.
    private var isAfterReturn = false

    public init() {}

    /// Takes the next bytes. Events that cannot be read are passed over.
    public mutating func append(_ bytes: [UInt8]) {
        for byte in bytes where !isComplete {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): endLine()
            default: if line.count < Self.limit { line.append(byte) }
            }
        }
    }

    private mutating func endLine() {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if parts[0].elementsEqual("data".utf8) {
            if data.count + value.count <= Self.limit { data += value }
        } else if parts[0].elementsEqual("event".utf8) {
            isForeign = !value.isEmpty && !value.elementsEqual("delta".utf8)
        }
    }

    private mutating func endEvent() {
        defer { (data, isForeign) = ([], false) }
        guard !isForeign, !data.isEmpty, let delta = try? StreamedDelta(json: data) else { return }
        if let content = delta.content {
            if text.utf8.count + content.utf8.count > Self.limit {
                isComplete = true
            } else {
                text += content
            }
        }
        if delta.finishReason != nil { isComplete = true }
    }
}

/// A piece of a message that is generated while it is read: one event of the stream to which a `STREAMED` message
/// points.
public struct StreamedDelta: Sendable, Hashable {
    /// The piece of text, to be appended to those before.
    public var content: String?
    /// `stop` with the last piece.
    public var finishReason: String?

    public init(content: String?, finishReason: String? = nil) {
        self.content = content
        self.finishReason = finishReason
    }
}

extension StreamedDelta: WireDocument {
    /// Reads the JSON text of one server-sent event. Both members of `delta` may be absent.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        (content, finishReason) = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
            .inside("delta") { delta throws(WireError) in
                (try delta.optional("content"), try delta.optional("finish_reason"))
            }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            writer.object { writer in
                writer.object("delta") { writer in
                    writer.member("content", ifPresent: content)
                    writer.member("finish_reason", orNull: finishReason)
                }
            }
        }
    }
}

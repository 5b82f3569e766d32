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
    public mutating func take(_ bytes: [UInt8]) {
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

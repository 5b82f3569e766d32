import ChatModel
import Formats

/// An answer of APNs: its status, and what its body says (`{"reason":"...","timestamp":...}`).
package struct APNsAnswer: Sendable, Hashable {
    package let status: Int
    /// Apple's word for what went wrong; nil when the body names none, or something that is no such word.
    package let reason: String?
    /// Since when the device's token is no longer valid; with 410 alone.
    package let timestamp: Timestamp?

    /// - Parameter body: as much of it as was read. A body that is no JSON has no reason.
    package init(status: Int, body: [UInt8]) {
        self.status = status
        let json = try? JSONParser.parse(body)
        reason = json?["reason"]?.string.flatMap { reason in
            (1...64).contains(reason.utf8.count) && reason.utf8.allSatisfy(\.isAlphanumeric) ? reason : nil
        }
        timestamp = json?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))
    }
}

/// Leaves out of a history that fails what is not needed to fail. Returns what is left, and how that fails.
///
/// - Parameter failure: nil when a history goes well.
public func shrink<Step: Sendable>(
    _ history: [Step], _ reason: String, isolation: isolated (any Actor)? = #isolation,
    failure: ([Step]) async -> String?
) async -> (history: [Step], reason: String) {
    var (history, reason) = (history, reason)
    var size = (history.count + 1) / 2
    while size > 0 {
        var start = 0
        while start < history.count {
            var shorter = history
            shorter.removeSubrange(start..<min(start + size, history.count))
            if let failure = await failure(shorter) {
                (history, reason) = (shorter, failure)
            } else {
                start += size
            }
        }
        size /= 2
    }
    return (history, reason)
}

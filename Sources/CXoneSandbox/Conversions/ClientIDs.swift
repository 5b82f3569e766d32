/// How the platform's clients know the ids of the embedded service's threads and messages.
///
/// The platform's ids are UUIDs, and SDKs drop a frame with any other. The embedded service takes any text. So an id
/// that is no UUID is told as the UUID that stands for the thread or the message as the server's own id. It depends on
/// the data folder and the id alone, so it is the same after a restart. Ids that a client of the platform has made
/// itself stay as they are.
struct ClientIDs: Sendable {
    let stable: StableIDs
    /// Threads and messages whose ids are no UUIDs and were made by a client of the platform.
    var foreignThreads: Set<String> = []
    var foreignMessages: Set<String> = []

    init(_ stable: StableIDs) { self.stable = stable }

    /// The id under which clients know the thread.
    func thread(_ id: String) -> String {
        StableIDs.isUUID(id) || foreignThreads.contains(id) ? id : stable.thread(id)
    }

    /// The id under which clients know the message.
    func message(_ id: String, in thread: String) -> String {
        StableIDs.isUUID(id) || foreignMessages.contains(id) ? id : stable.message(id, in: thread)
    }
}

extension Sandbox {
    /// The id under which the platform's clients know a message of a thread.
    ///
    /// - Parameter isForeign: whether one of them has made it.
    package func clientID(ofMessage id: String, in thread: String, isForeign: Bool) -> String {
        var known = ClientIDs(ids)
        if isForeign { known.foreignMessages = [id] }
        return known.message(id, in: thread)
    }
}

import ChatStore

/// Erases what stands before the lines of histories that were reset for all: in bounded units, so that no send waits long.
///
/// Nobody sees any of it from the line's commit on; this makes it go from the disk. What a stop
/// leaves is taken up when the service is made again.
struct HistoryEraser {
    let store: ChatStore

    /// Erases all there is, in a task of its own; it ends when nothing is left, or with the store.
    func start() {
        Task { [self] in await run() }
    }

    func run() async {
        while (try? await store.write({ try $0.eraseHistory() })) == true {}
    }
}

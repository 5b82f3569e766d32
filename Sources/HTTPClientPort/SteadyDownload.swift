import Synchronization

/// How slowly a file may come before it is given up.
public enum SteadyDownload {
    /// How long the beginning of a file's answer may take, and each piece after it.
    public static let piecePatience = Duration.seconds(10)
    /// The least number of bytes in each ``piecePatience`` but the first, on average: 4 KiB a second.
    public static let leastBytes = 40 << 10
    /// The limit for the whole file, even if its bytes come steadily.
    public static let filePatience = Duration.seconds(300)
}

extension HTTPPort {
    /// Reads a file piece by piece, as ``receive(_:limit:begin:take:)`` does. Throws `HTTPCallError.timeout` for one that
    /// stops or comes too slowly (``SteadyDownload``); the caller has a limit for the whole of it.
    public func download(
        _ call: HTTPCall, limit: Int, on clock: any Clock<Duration>,
        begin: @escaping @Sendable (HTTPAnswer) throws -> Void, take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let progress = FileProgress()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await receive(call, limit: limit) { answer in
                    try begin(answer)
                    progress.pieces.add(1, ordering: .relaxed)
                } take: { piece in
                    progress.bytes.add(piece.count, ordering: .relaxed)
                    progress.pieces.add(1, ordering: .relaxed)
                    try await take(piece)
                }
                return true
            }
            group.addTask {
                // Nothing came for as long as this sleeps, or too little in all: the other side hangs.
                var seen = -1, expected = -SteadyDownload.leastBytes
                while case let now = progress.pieces.load(ordering: .relaxed), now != seen,
                    progress.bytes.load(ordering: .relaxed) >= expected
                {
                    seen = now
                    try await clock.sleep(for: SteadyDownload.piecePatience)
                    expected += SteadyDownload.leastBytes
                }
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == true else { throw HTTPCallError.timeout }
        }
    }
}

/// What has come of a file.
private final class FileProgress: Sendable {
    /// The head counts as one.
    let pieces = Atomic<Int>(0)
    let bytes = Atomic<Int>(0)
}

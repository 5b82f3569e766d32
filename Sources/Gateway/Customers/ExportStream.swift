import ChatStore
import MicroHTTP

/// Sends an export as fast as its reader takes it: a piece is read when the one before it is sent. What breaks off has no
/// line `end`.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only. A task that reads a piece has a
/// copy, and gives back what it has made on the loop's thread.
final class ExportStream: EventSource, @unchecked Sendable {
    private let core: GatewayCore
    private var export: AccountExport
    /// What is to be sent next.
    private var ready: ArraySlice<UInt8> = []
    private var isReading = false
    private var isEnded = false
    private var stream: (any StreamHandle)?

    init(_ core: GatewayCore, _ export: AccountExport) { (self.core, self.export) = (core, export) }

    func opened(_ stream: EventStream) { self.stream = stream }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        if ready.isEmpty { return isEnded ? .end : read() }
        let piece = ready.prefix(out.limit)
        out.append(piece)
        ready = ready.dropFirst(piece.count)
        return .more
    }

    private func read() -> EventProgress {
        if isReading { return .idle }
        isReading = true
        Task { [export, loop = core.life.loop] in
            var export = export
            let bytes = try? await export.next()
            let read = export
            loop?.execute { [self] in took(read, bytes) }
        }
        return .idle
    }

    private func took(_ export: AccountExport, _ bytes: [UInt8]?) {
        (self.export, ready) = (export, (bytes ?? [])[...])
        (isReading, isEnded) = (false, bytes == nil)
        stream?.wake()
    }

    /// Nothing is between two lines.
    func heartbeat(_ out: inout EventBuffer) {}

    func draining(_ out: inout EventBuffer) {}

    func closed(_ reason: StreamEnd) { stream = nil }
}

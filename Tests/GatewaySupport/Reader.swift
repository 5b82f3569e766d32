import Gateway
import MicroHTTP

/// Reads a stream without a socket, as the server's loop would write it.
package final class Reader: StreamHandle, @unchecked Sendable {
    // Guarded by being used in one test's task.
    private let source: any ReadableSource
    private let loop: TestLoop
    private let limit: Int
    private var isWoken = true
    package private(set) var text = ""
    package private(set) var isEnded = false
    /// The kernel takes no buffer at once.
    package var isSlow = false
    /// How many buffers were filled.
    package private(set) var fills = 0
    package var bytesWritten: Int { text.utf8.count }
    package var peer: Peer { .unix(uid: 0) }

    package init(_ source: any ReadableSource, loop: TestLoop, limit: Int = 65_536) {
        (self.source, self.loop, self.limit) = (source, loop, limit)
        source.attach(to: self)
    }

    package func wake() { isWoken = true }

    /// One buffer, if there is something to write.
    @discardableResult
    package func fill() -> EventProgress {
        var buffer = EventBuffer(limit: limit)
        isWoken = false
        let progress = source.fill(&buffer)
        fills += 1
        text += String(decoding: buffer.contents, as: UTF8.self)
        if isSlow, buffer.count > 0 { source.blocked() }
        if progress == .more { isWoken = true }
        if progress == .end { close() }
        return progress
    }

    /// Turns and buffers until nothing is left.
    package func pump() {
        loop.turn()
        while isWoken, !isEnded {
            fill()
            loop.turn()
        }
    }

    /// The same, through all readings of the database.
    package func pumpThroughDatabase() async {
        pump()
        while source.isFetching {
            await loop.job()
            pump()
        }
    }

    package func heartbeat() {
        var buffer = EventBuffer(limit: limit)
        source.heartbeat(&buffer)
        text += String(decoding: buffer.contents, as: UTF8.self)
    }

    package func drain() {
        var buffer = EventBuffer(limit: limit)
        source.draining(&buffer)
        text += String(decoding: buffer.contents, as: UTF8.self)
        close()
    }

    package func close() {
        if isEnded { return }
        isEnded = true
        source.closed(.ended)
    }

    package var events: [StreamedEvent] { StreamedEvent.parse(text) }

    /// What came since the last call.
    package func take() -> [StreamedEvent] {
        defer { text = "" }
        return events
    }
}

/// A stream's source that can be read without a socket.
package protocol ReadableSource: EventSource {
    func attach(to stream: any StreamHandle)
    /// Whether the database has been asked and has not answered.
    var isFetching: Bool { get }
}

extension ReadableSource {
    package var isFetching: Bool { false }
}

/// An event as a client reads it.
package struct StreamedEvent: Equatable, CustomStringConvertible {
    package var id: String?
    package var type: String
    package var data: String

    package init(id: String?, type: String, data: String) { (self.id, self.type, self.data) = (id, type, data) }

    package var description: String { "\(type)#\(id ?? "-") \(data)" }

    package static func parse(_ text: String) -> [StreamedEvent] {
        text.split(separator: "\n\n").compactMap { block in
            var event = StreamedEvent(id: nil, type: "", data: "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            return event.type.isEmpty ? nil : event
        }
    }
}

import Bounds
import CMicroHTTPD
import Glibc

/// Event streams: the library sends the head. Then the loop takes the socket, and the library forgets the connection.
/// So an open stream costs nothing of the library: neither its memory, nor a place among its suspended connections.
///
/// This is safe. The library asks the content reader for the first bytes only after the kernel has taken the whole
/// head, so the library has nothing buffered then. The loop suspends the connection inside the content reader, where
/// the library allows it. A suspended connection is in no epoll of the library's, which does not use the socket until
/// it is resumed. By then a spent socket is in its place, and the library closes that.
///
/// The socket ends with the stream (`Connection: close`), because the library may have read bytes behind the request.
/// They are lost with the connection's memory, and what follows them must not be taken for a request.
extension Loop {
    /// The library's response for a stream. For HEAD there is no stream: the source is told, and `connection.source`
    /// stays nil.
    ///
    /// - Parameter count: the bytes of the whole body; nil when nobody knows it.
    func makeStream(
        _ source: any EventSource, count: Int64? = nil, for connection: Connection
    ) -> OpaquePointer? {
        connection.isStreamCounted = count != nil
        let size = count.map(UInt64.init) ?? .max
        guard connection.request?.method != "HEAD" else {
            source.closed(.ended)
            if count != nil { return MHD_create_response_from_callback(size, 32, readStream, nil, nil) }
            // After a chunked head the library would send the last chunk even to HEAD. Without chunking it just closes.
            let made = MHD_create_response_from_callback(UInt64.max, 32, readStream, nil, nil)
            if let made { cmhd_never_chunk(made) }
            return made
        }
        connection.source = source
        statistics.streams = streamPlaces.taken
        // The library allocates a buffer of the block size for each response. It is never filled here, so it is small.
        return MHD_create_response_from_callback(
            size, 32, readStream, Unmanaged.passUnretained(connection).toOpaque(), nil)
    }

    /// Ends a stream that was never opened, because its head could not be sent.
    func abandonStream(_ connection: Connection, _ reason: StreamEnd) {
        let source = connection.source
        connection.source = nil
        giveStreamBack(connection.holder)
        statistics.count(reason)
        source?.closed(reason)
    }

    private func giveStreamBack(_ holder: Holder) {
        streamPlaces.giveBack(holder)
        statistics.streams = streamPlaces.taken
    }

    /// The library asks for a stream's bytes. The first time the head has been sent; later the socket is spent.
    fileprivate func bytesWanted(_ connection: Connection) -> Int {
        guard connection.phase == .answering else { return endWithError }
        MHD_suspend_connection(connection.mhd)
        connection.phase = .streaming
        opening.append(connection)
        return 0
    }

    /// The most streams that are opened in a turn. Each has two descriptors until the library has closed its own.
    private static let openingLimit = 64

    /// Opens streams whose heads were sent, and wakes each, so that it is written in the same turn.
    func openStreams() {
        guard !opening.isEmpty else { return }
        let connections = opening.prefix(Self.openingLimit)
        opening.removeFirst(connections.count)
        for connection in connections {
            guard let source = connection.source, let head = connection.request else { continue }
            guard let descriptor = spent.takeOver(connection.descriptor) else {
                abandonStream(connection, .refused)
                connection.phase = .aborted
                resume(connection)
                continue
            }
            connection.source = nil
            connection.request = nil
            connection.phase = .taken
            resume(connection)
            let name: StreamName
            if let slot = freeSlots.popLast() {
                generations[Int(slot)] = (generations[Int(slot)] + 1) & 0xfff_ffff
                name = StreamName(slot: slot, generation: generations[Int(slot)])
            } else {
                name = StreamName(slot: Int32(streams.count), generation: 0)
                streams.append(nil)
                generations.append(0)
            }
            let stream = EventStream(
                loop: self, descriptor: descriptor, name: name,
                request: AnsweredRequest(head: head, status: connection.status, started: connection.started),
                isChunked: !connection.isHTTP10 && !connection.isStreamCounted, holder: connection.holder,
                memory: unsentShares.counter(of: connection.holder), source: source)
            streams[Int(name.slot)] = stream
            statistics.streamsOpened += 1
            if let size = configuration.sendBuffer {
                setOption(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: size))
            }
            poller.add(descriptor, .stream(name), .gone)
            let interval = configuration.heartbeat.nanoseconds
            // Streams that are opened together should not have their heartbeats together. So the first heartbeat comes
            // after half an interval to a whole one, depending on the slot.
            if interval > 0 {
                heartbeats.add(
                    name, at: now + interval / 2 + interval / 128 * Int64(UInt32(bitPattern: name.slot) &* 37 % 64))
            }
            source.opened(stream)
            if isStopping { drain(stream) } else { stream.wake() }
        }
    }

    /// The most streams that are written in a turn: for about a millisecond, in which requests wait.
    static let portion = 256

    /// Writes the next portion of a round. In a round every woken stream is filled and written once. A stream that is
    /// woken again waits for the next round, and what has come until its turn goes out together.
    func writeWokenStreams() {
        if round.isEmpty { swap(&round, &woken) }
        guard !round.isEmpty else { return }
        let end = min(roundPlace + Self.portion, round.count)
        if end - roundPlace >= Self.smallestBroadcast {
            writeTogether(roundPlace..<end)
        } else {
            for index in roundPlace..<end {
                round[index].isWoken = false
                write(round[index])
            }
        }
        roundPlace = end
        guard end == round.count else { return }
        round.removeAll(keepingCapacity: true)
        roundPlace = 0
    }

    private func write(_ stream: EventStream) {
        guard let progress = fill(stream) else { return }
        let filled = scratch.count
        if let failure = send(stream) { return finish(stream, failure) }
        written(stream, progress, any: filled > 0)
    }

    /// Lets the source fill the scratch buffer.
    /// - Returns: nil when nothing may be written: the stream is over, or it has unsent bytes. In the second case it is
    ///   woken again when they are sent.
    func fill(_ stream: EventStream) -> EventProgress? {
        guard let source = stream.source, stream.unsent == nil else { return nil }
        if stream.ending != nil {
            end(stream)
            return nil
        }
        scratch.reset()
        return source.fill(&scratch)
    }

    /// The bytes of a fill were sent or kept: ends the stream, or wakes it for more.
    func written(_ stream: EventStream, _ progress: EventProgress, any: Bool) {
        if progress == .end { stream.ending = .ended }
        if stream.ending != nil, stream.unsent == nil { return end(stream) }
        if progress == .more, any { stream.wake() }
    }

    /// Sends the contents of the scratch buffer, and keeps what the kernel does not take.
    /// - Returns: why the stream must end; nil when it goes on.
    private func send(_ stream: EventStream) -> StreamEnd? {
        let bytes = scratch.framed(chunked: stream.isChunked)
        guard bytes.count > 0 else { return nil }
        if let waiting = stream.unsent {
            let all = waiting.bytes[stream.unsentStart...] + bytes
            return all.withUnsafeBytes { keepUnsent($0, from: 0, of: stream) }
        }
        guard let sent = send(stream, bytes) else { return .peerGone }
        return sent < bytes.count ? keepUnsent(bytes, from: sent, of: stream) : nil
    }

    /// Keeps what the kernel did not take of a frame. It is sent when the socket is writable again.
    /// - Returns: `stalled` when there is no room for it: the client resumes from its last id.
    func keepUnsent(_ frame: UnsafeRawBufferPointer, from sent: Int, of stream: EventStream) -> StreamEnd? {
        guard let kept = unsentFrames.frame(of: frame, stream.memory) else { return .stalled }
        stream.unsent = kept
        stream.unsentStart = sent
        stream.source?.blocked()
        stream.lastProgress = now
        poller.change(stream.descriptor, .stream(stream.name), [.gone, .write])
        if !stream.isPatient { bePatient(stream) }
        if !stream.isWatchedForStall {
            stream.isWatchedForStall = true
            stalls.add(stream.name, at: now + configuration.stallLimit.nanoseconds)
        }
        return nil
    }

    /// Adds bytes that the kernel took to the stream's and the server's numbers.
    func count(_ sent: Int, of stream: EventStream) {
        stream.bytesWritten += sent
        statistics.streamBytes += sent
    }

    /// Makes the socket's TCP_USER_TIMEOUT longer than the stall limit, for the rest of the stream.
    ///
    /// That timeout is for peers that have vanished. But the kernel also ends a peer that answers with a closed window,
    /// that is, one that only reads slowly. Once a stream has had unsent bytes, the stall limit decides about it.
    private func bePatient(_ stream: EventStream) {
        stream.isPatient = true
        guard let limit = configuration.userTimeout, case .tcp = stream.peer else { return }
        let stall = configuration.stallLimit.nanoseconds
        let milliseconds = max(limit.nanoseconds, stall + stall / 4 + 1_000_000_000) / 1_000_000
        setOption(stream.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: milliseconds))
    }

    /// Whether the peer's window is closed: bytes wait in the kernel, and none are sent and unacknowledged. For a peer
    /// that has vanished, sent bytes stay unacknowledged.
    private func hasClosedWindow(_ descriptor: Int32) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return false }
        var waiting: Int32 = 0
        return info.tcpi_unacked == 0 && cmhd_unsent(descriptor, &waiting) == 0 && waiting > 0
    }

    /// Gives bytes to the kernel once.
    /// - Returns: how many it took, 0 when the socket is full; nil when the connection has failed.
    private func send(_ stream: EventStream, _ bytes: UnsafeRawBufferPointer) -> Int? {
        var order = SendOrder(descriptor: stream.descriptor, bytes: bytes)
        order.carryOut()
        if let sent = order.sent { count(sent, of: stream) }
        return order.sent
    }

    /// The poller reports a stream's socket: the client is gone, or unsent bytes can be sent.
    func streamReady(_ name: StreamName, _ event: Poller.Interest) {
        guard let stream = find(name) else { return }
        if !event.isDisjoint(with: [.gone, .broken]) { return finish(stream, .peerGone) }
        guard event.contains(.write), let unsent = stream.unsent else { return }
        let sent = unsent.bytes.withUnsafeBytes {
            send(stream, UnsafeRawBufferPointer(rebasing: $0[stream.unsentStart...]))
        }
        guard let sent else { return finish(stream, .peerGone) }
        if sent > 0 { stream.lastProgress = now }
        stream.unsentStart += sent
        if stream.unsentStart == unsent.bytes.count {
            stream.unsent = nil
            stream.unsentStart = 0
            poller.change(stream.descriptor, .stream(name), .gone)
            stream.wake()
        }
    }

    /// Sends the heartbeats that are due. A stream with unsent bytes gets none: they show that it is alive.
    func sendHeartbeats() {
        for name in heartbeats.collect(now: now) {
            guard let stream = find(name), let source = stream.source else { continue }
            heartbeats.add(name, at: now + configuration.heartbeat.nanoseconds)
            guard stream.unsent == nil, stream.ending == nil else { continue }
            // All bytes were given to the kernel, but the client may not read them. It is alive, so it must not fall
            // to the kernel's timeout.
            if !stream.isPatient, hasClosedWindow(stream.descriptor) { bePatient(stream) }
            scratch.reset()
            source.heartbeat(&scratch)
            if let failure = send(stream) { finish(stream, failure) }
        }
    }

    /// Ends the streams whose unsent bytes have not moved for ``ServerConfiguration/stallLimit``.
    func closeStalledStreams() {
        for name in stalls.collect(now: now) {
            guard let stream = find(name) else { continue }
            stream.isWatchedForStall = false
            if stream.unsent == nil { continue }
            let deadline = stream.lastProgress + configuration.stallLimit.nanoseconds
            if deadline <= now {
                finish(stream, .stalled)
            } else {
                stream.isWatchedForStall = true
                stalls.add(name, at: deadline)
            }
        }
    }

    /// Lets the source write its last events (``EventSource/draining(_:)``). The stream ends when they are sent.
    func drain(_ stream: EventStream) {
        guard let source = stream.source, stream.ending != .stopped else { return }
        scratch.reset()
        source.draining(&scratch)
        stream.ending = .stopped
        if let failure = send(stream) { return finish(stream, failure) }
        if stream.unsent == nil { end(stream) }
    }

    /// Ends a stream that has no unsent bytes, when the kernel has taken the last chunk too.
    private func end(_ stream: EventStream) {
        if stream.isChunked, !stream.hasLastChunk, !stream.isUnfinished {
            scratch.reset()
            scratch.append("0\r\n\r\n")
            let lastChunk = scratch.framed(chunked: false)
            guard let sent = send(stream, lastChunk) else { return finish(stream, .peerGone) }
            stream.hasLastChunk = true
            if sent < lastChunk.count {
                if let failure = keepUnsent(lastChunk, from: sent, of: stream) { finish(stream, failure) }
                return
            }
        }
        finish(stream, stream.ending ?? .ended)
    }

    /// Ends a stream at once, for the end of the loop.
    func stop(_ stream: EventStream) {
        stream.ending = .stopped
        if stream.unsent == nil { end(stream) }
        finish(stream, .stopped)
    }

    /// Ends a stream and closes its socket. If the last chunk is not sent, the client sees that the body is incomplete.
    func finish(_ stream: EventStream, _ reason: StreamEnd) {
        guard let source = stream.source else { return }
        stream.source = nil
        let isComplete = (reason == .ended || reason == .stopped) && stream.unsent == nil && !stream.isUnfinished
        stream.unsent = nil
        poller.remove(stream.descriptor)
        streams[Int(stream.name.slot)] = nil
        freeSlots.append(stream.name.slot)
        giveStreamBack(stream.holder)
        statistics.count(reason)
        source.closed(reason)
        // The client may have sent something, and must not lose the end for it.
        if isComplete, !isStopping { lingering.add(stream.descriptor, now: now, poller) }
        close(stream.descriptor)
        finished(stream.request, bytes: stream.bytesWritten, completed: isComplete)
        connectionsChanged()
    }

    /// The open stream of this name; nil when it is closed, even if its slot has another stream now.
    func find(_ name: StreamName) -> EventStream? {
        guard let stream = streams[Int(name.slot)], stream.name.generation == name.generation else { return nil }
        return stream
    }
}

/// `MHD_CONTENT_READER_END_OF_STREAM`
private let endOfStream = -1
/// `MHD_CONTENT_READER_END_WITH_ERROR`
let endWithError = -2

/// The library's content reader. `context` is the connection, which outlives its response.
private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, out: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
    guard let context else { return endOfStream }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    return connection.loop.bytesWanted(connection)
}

import CMicroHTTPD
import Glibc

/// Event streams: the library sends the head; then the connection stays suspended and we write its socket.
///
/// Why that is safe: the library asks the content reader for the first bytes only after the whole head was taken by the
/// kernel, and pushed; it has nothing buffered then. We suspend inside the reader, the library's own place for it, so
/// it touches the socket no more. Chunks have no memory: ours, then after the resume the library's last one, are one
/// valid body.
extension Loop {
    /// Queued like any answer; nil source afterwards means it became another one.
    func makeStream(_ source: any EventSource, for connection: Connection) -> OpaquePointer? {
        guard connection.request?.method != "HEAD" else {
            source.closed(.ended)
            // The library would send the last chunk after a chunked head to HEAD; without chunking it just closes.
            let made = MHD_create_response_from_callback(UInt64.max, 32, readStream, nil, nil)
            if let made { cmhd_never_chunk(made) }
            return made
        }
        connection.source = source
        statistics.streams += 1
        // The library allocates the block size with each response, and never fills it here.
        return MHD_create_response_from_callback(
            UInt64.max, 32, readStream, Unmanaged.passUnretained(connection).toOpaque(), nil)
    }

    /// A stream whose head could not go out.
    func abandonStream(_ connection: Connection, _ reason: StreamEnd) {
        let source = connection.source
        connection.source = nil
        statistics.streams -= 1
        statistics.count(reason)
        source?.closed(reason)
    }

    /// The library wants a stream's bytes: the head is out, or the stream is over.
    fileprivate func bytesWanted(_ connection: Connection) -> Int {
        switch connection.phase {
        case .answering:
            MHD_suspend_connection(connection.mhd)
            connection.phase = .streaming
            opening.append(connection)
            return 0
        case .streamEnded: return endOfStream
        default: return endWithError
        }
    }

    /// Opens what the daemons brought in this turn; each is written in the same turn.
    func openStreams() {
        guard !opening.isEmpty else { return }
        let connections = opening
        opening = []
        for connection in connections {
            guard let source = connection.source else { continue }
            connection.source = nil
            connection.target = []
            let name: StreamName
            if let slot = freeSlots.popLast() {
                generations[Int(slot)] = (generations[Int(slot)] + 1) & 0xfff_ffff
                name = StreamName(slot: slot, generation: generations[Int(slot)])
            } else {
                name = StreamName(slot: Int32(streams.count), generation: 0)
                streams.append(nil)
                generations.append(0)
            }
            let stream = EventStream(loop: self, connection: connection, name: name, source: source)
            streams[Int(name.slot)] = stream
            connection.stream = stream
            statistics.streamsOpened += 1
            if let size = configuration.sendBuffer {
                setOption(connection.descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: size))
            }
            poller.add(connection.descriptor, .stream(name), .gone)
            let interval = configuration.heartbeat.nanoseconds
            // Streams that come together must not beat together: the first beat comes after half to a whole interval.
            if interval > 0 {
                heartbeats.add(
                    name, at: now + interval / 2 + interval / 128 * Int64(UInt32(bitPattern: name.slot) &* 37 % 64))
            }
            source.opened(stream)
            if isStopping { drain(stream) } else { stream.wake() }
        }
    }

    /// One round: every woken stream is filled and written once. Who has more waits for the next turn.
    func writeWokenStreams() {
        guard !woken.isEmpty else { return }
        let round = woken
        woken = []
        if round.count >= Self.smallestBroadcast, configuration.senders > 1 { return writeTogether(round) }
        for stream in round {
            stream.isWoken = false
            write(stream)
        }
    }

    private func write(_ stream: EventStream) {
        guard let progress = fill(stream) else { return }
        let filled = scratch.count
        guard send(stream) else { return finish(stream, .peerGone) }
        written(stream, progress, any: filled > 0)
    }

    /// Has the source fill the scratch buffer.
    /// - Returns: nil when there is nothing to be written: the stream is over, or woken again when its unsent bytes are
    ///   gone.
    func fill(_ stream: EventStream) -> EventProgress? {
        guard let source = stream.source, stream.unsent.isEmpty else { return nil }
        if let ending = stream.ending {
            finish(stream, ending)
            return nil
        }
        scratch.reset()
        return source.fill(&scratch)
    }

    /// What was filled is sent, or kept.
    func written(_ stream: EventStream, _ progress: EventProgress, any: Bool) {
        if progress == .end { stream.ending = .ended }
        if let ending = stream.ending, stream.unsent.isEmpty { return finish(stream, ending) }
        if progress == .more, any { stream.wake() }
    }

    /// Sends what is in the scratch buffer, keeping what the kernel does not take.
    /// - Returns: false when the connection has failed.
    private func send(_ stream: EventStream) -> Bool {
        let bytes = scratch.framed(chunked: !stream.connection.isHTTP10)
        guard bytes.count > 0 else { return true }
        if !stream.unsent.isEmpty {
            stream.unsent.append(contentsOf: bytes)
            return true
        }
        guard let sent = send(stream, bytes) else { return false }
        if sent < bytes.count { keep(bytes[sent...], of: stream) }
        return true
    }

    /// The kernel did not take these: they go out when the socket is writable again.
    func keep(_ bytes: some Collection<UInt8>, of stream: EventStream) {
        stream.unsent = Array(bytes)
        stream.unsentStart = 0
        stream.lastProgress = now
        poller.change(stream.connection.descriptor, .stream(stream.name), [.gone, .write])
        if !stream.isPatient { bePatient(stream) }
        if !stream.isWatchedForStall {
            stream.isWatchedForStall = true
            stalls.add(stream.name, at: now + configuration.stallLimit.nanoseconds)
        }
    }

    func count(_ sent: Int, of stream: EventStream) {
        stream.bytesWritten += sent
        statistics.streamBytes += sent
    }

    /// The kernel's user timeout also ends a peer that answers but has closed its window: one that only reads slowly.
    /// From the first time a stream is behind, the stall limit decides, so the kernel must wait longer than that.
    private func bePatient(_ stream: EventStream) {
        stream.isPatient = true
        guard let limit = configuration.userTimeout, case .tcp = stream.peer else { return }
        let stall = configuration.stallLimit.nanoseconds
        let milliseconds = max(limit.nanoseconds, stall + stall / 4 + 1_000_000_000) / 1_000_000
        setOption(stream.connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: milliseconds))
    }

    /// Bytes wait in the kernel and none are on their way: the peer's window is closed. A vanished peer has some on
    /// their way.
    private func hasClosedWindow(_ descriptor: Int32) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return false }
        var waiting: Int32 = 0
        return info.tcpi_unacked == 0 && cmhd_unsent(descriptor, &waiting) == 0 && waiting > 0
    }

    /// - Returns: how much the kernel took; nil when the connection has failed.
    private func send(_ stream: EventStream, _ bytes: UnsafeRawBufferPointer) -> Int? {
        var order = SendOrder(descriptor: stream.connection.descriptor, bytes: bytes)
        order.carryOut()
        if let sent = order.sent { count(sent, of: stream) }
        return order.sent
    }

    func streamReady(_ name: StreamName, _ event: Poller.Interest) {
        guard let stream = find(name) else { return }
        if !event.isDisjoint(with: [.gone, .broken]) { return finish(stream, .peerGone) }
        guard event.contains(.write), !stream.unsent.isEmpty else { return }
        let sent = stream.unsent.withUnsafeBytes {
            send(stream, UnsafeRawBufferPointer(rebasing: $0[stream.unsentStart...]))
        }
        guard let sent else { return finish(stream, .peerGone) }
        if sent > 0 { stream.lastProgress = now }
        stream.unsentStart += sent
        if stream.unsentStart == stream.unsent.count {
            stream.unsent = []
            stream.unsentStart = 0
            poller.change(stream.connection.descriptor, .stream(name), .gone)
            stream.wake()
        }
    }

    func sendHeartbeats() {
        for name in heartbeats.collect(now: now) {
            guard let stream = find(name), let source = stream.source else { continue }
            heartbeats.add(name, at: now + configuration.heartbeat.nanoseconds)
            guard stream.unsent.isEmpty, stream.ending == nil else { continue }
            // What the kernel took may wait in it: the peer lives and does not read.
            if !stream.isPatient, hasClosedWindow(stream.connection.descriptor) { bePatient(stream) }
            scratch.reset()
            source.heartbeat(&scratch)
            if !send(stream) { finish(stream, .peerGone) }
        }
    }

    func closeStalledStreams() {
        for name in stalls.collect(now: now) {
            guard let stream = find(name) else { continue }
            stream.isWatchedForStall = false
            if stream.unsent.isEmpty { continue }
            let deadline = stream.lastProgress + configuration.stallLimit.nanoseconds
            if deadline <= now {
                finish(stream, .stalled)
            } else {
                stream.isWatchedForStall = true
                stalls.add(name, at: deadline)
            }
        }
    }

    /// The source's last words, then the end when everything is written.
    func drain(_ stream: EventStream) {
        guard let source = stream.source, stream.ending != .stopped else { return }
        scratch.reset()
        source.draining(&scratch)
        stream.ending = .stopped
        if !send(stream) { return finish(stream, .peerGone) }
        if stream.unsent.isEmpty { finish(stream, .stopped) }
    }

    /// Ends a stream: the connection goes back to the library, which writes the last chunk or, if bytes are missing,
    /// closes.
    func finish(_ stream: EventStream, _ reason: StreamEnd) {
        guard let source = stream.source else { return }
        stream.source = nil
        let connection = stream.connection
        let clean = (reason == .ended || reason == .stopped) && stream.unsent.isEmpty
        stream.unsent = []
        poller.remove(connection.descriptor)
        streams[Int(stream.name.slot)] = nil
        freeSlots.append(stream.name.slot)
        statistics.streams -= 1
        statistics.count(reason)
        connection.stream = nil
        connection.bytes = stream.bytesWritten
        connection.phase = clean ? .streamEnded : .streamBroken
        source.closed(reason)
        resume(connection)
    }

    func find(_ name: StreamName) -> EventStream? {
        guard let stream = streams[Int(name.slot)], stream.name.generation == name.generation else { return nil }
        return stream
    }
}

private let endOfStream = -1
private let endWithError = -2

/// The library's content reader. `context` is the connection, which outlives its response.
private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, out: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
    guard let context else { return endOfStream }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    return connection.loop.bytesWanted(connection)
}

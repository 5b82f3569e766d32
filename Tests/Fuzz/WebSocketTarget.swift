import Bounds
import CXoneSandbox
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Synchronization

extension Target {
    /// The bytes of a WebSocket after its handshake, as the sandbox's clients send them. The first byte says where they
    /// are cut in two.
    static let webSocket = Target("web-socket") { bytes in
        guard let cut = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        let (whole, parts) = (
            try listen(to: [stream]),
            try listen(to: [Array(stream.prefix(Int(cut))), Array(stream.dropFirst(Int(cut)))])
        )
        try expect(whole == parts, "it makes a difference where the bytes are cut")
    }

    /// What a socket has told its session.
    private struct Heard: Equatable {
        var texts: [[UInt8]] = []
        var ends: [CloseReason] = []
    }

    private static func listen(to parts: [[UInt8]]) throws -> Heard {
        let heard = Mutex(Heard())
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let memory = SocketMemory(within: ByteCounter(limit: ByteBound.sandbox.bytes))
        let bytes = UnfinishedBytes(in: memory)
        let isOverdue = Mutex(false)
        try channel.pipeline.syncOperations.addHandlers([
            bytes, WebSocketFrameEncoder(),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)),
            WebSocketMessages(heartbeat: .seconds(30), unfinished: bytes, memory: memory) { news in
                heard.withLock { heard in
                    if !heard.ends.isEmpty { isOverdue.withLock { $0 = true } }
                    switch news {
                    case .text(let text): heard.texts.append(text)
                    case .closed(let reason): heard.ends.append(reason)
                    case .drained: break
                    }
                }
            },
        ])
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for part in parts where channel.isActive { _ = try? channel.writeInbound(ByteBuffer(bytes: part)) }
        var answers = 0
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { answers += buffer.readableBytes }
        let result = heard.withLock { $0 }
        try expect(result.ends.count <= 1, "the end is told \(result.ends.count) times")
        try expect(!isOverdue.withLock { $0 }, "something is told after the end")
        for text in result.texts {
            try expect(text.count <= WebSocketMessages.limit, "a text of \(text.count) bytes")
            try expect(String(validating: text, as: UTF8.self) != nil, "a text that is no UTF-8")
        }
        return result
    }
}

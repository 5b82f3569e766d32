import Bounds
@testable import CXoneSandbox
import NIOCore
import NIOEmbedded
import NIOWebSocket
import TestSupport
import Testing

/// The protocol above the frames, over a channel in memory.
@Suite struct WebSocketMessagesTests {
    private struct Wire {
        let channel: EmbeddedChannel
        let news = Journal<SocketNews>()

        init(within share: ByteCounter = ByteCounter(limit: ByteBound.sandbox.bytes)) throws {
            let news = news, memory = SocketMemory(within: share), bytes = UnfinishedBytes(in: memory)
            channel = EmbeddedChannel()
            try channel.pipeline.syncOperations.addHandlers([
                bytes, WebSocketFrameEncoder(),
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)),
                WebSocketMessages(heartbeat: .seconds(30), unfinished: bytes, memory: memory) { news.add($0) },
            ])
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        var texts: [String] {
            news.entries.compactMap {
                if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
            }
        }
        var end: CloseReason? {
            news.entries.compactMap { if case .closed(let reason) = $0 { reason } else { nil } }.first
        }

        func come(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

        /// The opcode and the payload of what was sent last.
        func sent() throws -> (opcode: UInt8, payload: [UInt8])? {
            var bytes: [UInt8] = []
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                bytes += Array(buffer.readableBytesView)
            }
            return bytes.isEmpty ? nil : (bytes[0] & 0x0F, Array(bytes.dropFirst(2)))
        }

        func closeCode() throws -> UInt16? {
            guard let sent = try sent(), sent.opcode == 8, sent.payload.count >= 2 else { return nil }
            return UInt16(sent.payload[0]) << 8 | UInt16(sent.payload[1])
        }
    }

    /// A frame as a client sends it, with a mask of zeros or without one.
    private static func frame(
        _ opcode: UInt8, _ payload: [UInt8], fin: Bool = true, masked: Bool = true, rsv: UInt8 = 0
    ) -> [UInt8] {
        let first = (fin ? 0x80 : 0) | rsv << 4 | opcode, bit: UInt8 = masked ? 0x80 : 0
        let length: [UInt8] =
            payload.count < 126
            ? [bit | UInt8(payload.count)] : [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        return [first] + length + (masked ? [0, 0, 0, 0] : []) + payload
    }

    @Test func aTextComesWholeHoweverItIsCut() throws {
        let whole =
            Self.frame(1, Array("Grüße".utf8).prefix(4) + [], fin: false)
            + Self.frame(0, Array(Array("Grüße".utf8).dropFirst(4)))
        for cut in 1..<whole.count {
            let wire = try Wire()
            try wire.come(Array(whole[..<cut]))
            try wire.come(Array(whole[cut...]))
            #expect(wire.texts == ["Grüße"])
        }
    }

    @Test func aPingIsAnsweredWithWhatItCarries() throws {
        let wire = try Wire()
        try wire.come(Self.frame(9, [1, 2, 3]))
        let sent = try #require(try wire.sent())
        #expect(sent.opcode == 10 && sent.payload == [1, 2, 3])
    }

    @Test(
        arguments: [
            (Self.frame(1, [], masked: false), 1002), (Self.frame(1, [], rsv: 1), 1002), (Self.frame(3, []), 1002),
            (Self.frame(0, []), 1002), (Self.frame(1, [], fin: false) + Self.frame(1, []), 1002),
            (Self.frame(2, [0]), 1003),
            (Self.frame(1, [0xFF]), 1007), (Self.frame(1, [0xC3], fin: false) + Self.frame(0, [0x28]), 1007),
            ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0], 1009),
        ] as [([UInt8], UInt16)])
    func whoBreaksTheProtocolIsToldHow(_ bytes: [UInt8], _ code: UInt16) throws {
        let wire = try Wire()
        try? wire.come(bytes)
        #expect(try wire.closeCode() == code)
        #expect(wire.end == .refused(try #require(CloseCode(rawValue: code))))
        #expect(wire.texts.isEmpty)
        // What still comes is not listened to.
        try? wire.come(Self.frame(1, Array("late".utf8)))
        #expect(wire.texts.isEmpty)
    }

    @Test func aCloseIsAnsweredWithItsCode() throws {
        for (payload, code) in [([0x03, 0xE8], 1000), ([0x0F, 0xA0], 4000), ([0x03, 0xED], 1002), ([0x03], 1002)]
            as [([UInt8], UInt16)]
        {
            let wire = try Wire()
            try wire.come(Self.frame(8, payload))
            #expect(try wire.closeCode() == code)
            #expect(wire.end == .client)
        }
    }

    @Test func whoIsSilentIsAskedAndThenLetGo() throws {
        let wire = try Wire()
        let loop = wire.channel.embeddedEventLoop
        loop.advanceTime(by: .seconds(30))
        #expect(try wire.sent()?.opcode == 9)
        try wire.come(Self.frame(10, []))
        for _ in 0..<3 { loop.advanceTime(by: .seconds(30)) }
        #expect(wire.end == nil)
        loop.advanceTime(by: .seconds(30))
        #expect(wire.end == .refused(.goingAway))
        loop.advanceTime(by: .seconds(5))
        #expect(!wire.channel.isActive)
    }

    @Test func noMoreIsReadThanTheSessionTakes() throws {
        let wire = try Wire()
        let reads = Reads()
        try wire.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        // Each counts with its bytes and what it costs besides.
        let text = Array(repeating: UInt8(ascii: "x"), count: 1024)
        let count = WebSocketMessages.window / (text.count + WebSocketMessages.overhead)
        for _ in 0..<count { try wire.come(Self.frame(1, text)) }
        let before = reads.count
        wire.channel.pipeline.fireChannelReadComplete()
        #expect(reads.count == before, "held")
        let handler = try wire.channel.pipeline.syncOperations.handler(type: WebSocketMessages.self)
        handler.handled(
            text.count, try wire.channel.pipeline.syncOperations.context(handlerType: WebSocketMessages.self))
        #expect(reads.count == before + 1)
    }

    @Test("Messages that many clients begin and do not finish have a bound together", arguments: [true, false])
    func unfinishedMessagesHaveABoundTogether(_ inFragments: Bool) throws {
        let all = ByteCounter(limit: 64 << 20), half = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 19)
        // Half of a frame, or half of a message in fragments: either is held until the rest comes.
        let header: [UInt8] = [inFragments ? 0x01 : 0x81, 0xFF, 0, 0, 0, 0, 0, inFragments ? 8 : 16, 0, 0, 0, 0, 0, 0]
        var wires: [Wire] = []
        for _ in 0..<200 {
            let wire = try Wire(within: all)
            try wire.come(header)
            try? wire.come(half)
            wires.append(wire)
        }
        #expect(all.used <= all.limit + 200 * SocketMemory.own)
        #expect(wires.last?.end == .refused(.tryAgainLater))
        let told = try wires.last?.sent()?.payload ?? []
        #expect(Array(told.prefix(2)) == [0x03, 0xF5], "1013")
        #expect(String(decoding: told.dropFirst(2), as: UTF8.self) == CloseCode.tryAgainLater.reason)
        #expect(wires.first?.end == nil)
        // Whoever sends small ones is not disturbed.
        do {
            let other = try Wire(within: all)
            try other.come(Self.frame(1, Array("hello".utf8)))
            #expect(other.texts == ["hello"])
            _ = try? other.channel.finish()
        }
        for wire in wires { _ = try? wire.channel.finish() }
        wires = []
        #expect(all.used == 0)
    }

    @Test func whatIsHeldOfARefusedClientCountsUntilItIsGone() throws {
        let all = ByteCounter(limit: 64 << 20), half = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 19)
        let header: [UInt8] = [0x81, 0xFF, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0]
        var wires: [Wire] = []
        for _ in 0..<127 {
            let wire = try Wire(within: all)
            try wire.come(header + half)
            wires.append(wire)
        }
        let others = all.used
        let wire = try Wire(within: all)
        try wire.come(header + Array(half.prefix(1 << 18)))
        let held = all.used - others
        #expect(held == header.count + (1 << 18))
        try? wire.come(half)
        #expect(wire.end == .refused(.tryAgainLater))
        #expect(all.used == others + held, "the decoder has it still")
        _ = try? wire.channel.finish()
        #expect(all.used == others)
        for wire in wires { _ = try? wire.channel.finish() }
        #expect(all.used == 0)
    }

    /// What waits for the session counts beside what is not finished.
    @Test func messagesThatNobodyHandlesHaveABoundTogether() throws {
        let all = ByteCounter(limit: 100_000), text = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        let header: [UInt8] = [0x81, 0xFE, UInt8(10_000 >> 8), UInt8(10_000 & 255), 0, 0, 0, 0]
        var wires: [Wire] = []
        while wires.last?.end == nil {
            let wire = try Wire(within: all)
            for _ in 0..<2 { try? wire.come(header + text) }
            wires.append(wire)
        }
        #expect(wires.count == 5 && wires.last?.end == .refused(.tryAgainLater) && all.used <= all.limit)
        #expect(try wires.last?.closeCode() == 1013)
        let context = try wires[0].channel.pipeline.syncOperations.context(handlerType: WebSocketMessages.self)
        let handler = try wires[0].channel.pipeline.syncOperations.handler(type: WebSocketMessages.self)
        let before = all.used
        handler.handled(text.count, context)
        #expect(all.used == before - text.count - WebSocketMessages.overhead)
        // One that is greater than any may be is refused as that.
        let wire = try Wire(within: all)
        try? wire.come([0x81, 0xFF, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0])
        #expect(wire.end == .refused(.tooLarge))
        #expect(String(decoding: try wire.sent()?.payload.dropFirst(2) ?? [], as: UTF8.self).contains("1048576 bytes"))
    }

    @Test func ofPingsThatComeWhileAPongIsOnItsWayTheLastIsAnswered() throws {
        let wire = try Wire()
        let held = HeldWrites()
        try wire.channel.pipeline.syncOperations.addHandler(held, position: .first)
        for number in 1...100 { try wire.come(Self.frame(9, [UInt8(number)])) }
        #expect(held.count == 1)
        held.release()
        #expect(held.count == 2, "of 100 pings the first and the last")
    }
}

/// Writes that the kernel does not take.
private final class HeldWrites: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private var promises: [EventLoopPromise<Void>?] = []
    var count = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // A frame may come as a header and its data.
        if promise != nil { count += 1 }
        promises.append(promise)
    }

    func release() {
        let now = promises
        promises = []
        for promise in now { promise?.succeed() }
    }
}

private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Any
    var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

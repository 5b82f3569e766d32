import Chat
import ChatModel
import ChatStore
import Crypto
import Dispatch
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// A file on its way from the socket to the disk: takes pieces on the loop's thread, hashes and writes them on a queue.
///
/// Two buffers: one fills while the other is written. When both are full the client waits, so an upload
/// needs the same memory whatever its size.
final class Upload: BodySink {
    /// Bytes that are written at once.
    private static let block = 256 << 10
    /// A few, so that a great file's fsync does not keep all others waiting, and no more threads than that.
    private static let queues = (0..<4).map { DispatchQueue(label: "upload-\($0)") }

    private struct State {
        var buffer: [UInt8] = []
        var isWriting = false
        var isPaused = false
        var isAbandoned = false
        var whenIdle: (@Sendable () -> Void)?

        mutating func takeBlock(reserving capacity: Int) -> [UInt8] {
            isWriting = true
            let block = buffer
            buffer = []
            buffer.reserveCapacity(capacity)
            return block
        }
    }

    /// Touched on the queue alone.
    ///
    /// `@unchecked Sendable`: blocks of a serial queue follow each other, and no two uploads share one of these.
    private final class Writer: @unchecked Sendable {
        var file: StagedFile?
        var failure: ChatError?
        var size: Int64 = 0
        var digest: BodyDigest

        init(digest: BodyDigest) { self.digest = digest }
    }

    let head: FileHead
    private let flow: BodyFlow
    private let store: ChatStore
    private let queue: DispatchQueue
    private let writer: Writer
    /// The whole file, until a handler takes it.
    private let finished = Mutex<FileUpload?>(nil)
    private let state = Mutex(State())

    init(_ head: FileHead, store: ChatStore, flow: BodyFlow, number: UInt64) {
        self.head = head
        self.store = store
        self.flow = flow
        queue = Self.queues[Int(number % UInt64(Self.queues.count))]
        writer = Writer(digest: BodyDigest(needsSHA512: head.digest.needsSHA512))
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        let (block, demand) = state.withLock { state -> ([UInt8]?, BodyDemand) in
            state.buffer.append(contentsOf: bytes)
            if state.buffer.count < Self.block { return (nil, .more) }
            if state.isWriting {
                state.isPaused = true
                return (nil, .pause)
            }
            return (state.takeBlock(reserving: Self.block), .more)
        }
        if let block { write(block) }
        return demand
    }

    func abandoned() {
        state.withLock { state in
            state.isAbandoned = true
            state.buffer = []
        }
    }

    private func write(_ block: [UInt8]) {
        queue.async { [self] in
            append(block)
            let (next, resumes, idle) = state.withLock { state -> ([UInt8]?, Bool, (@Sendable () -> Void)?) in
                let resumes = state.isPaused
                state.isPaused = false
                if state.buffer.count >= Self.block || (state.whenIdle != nil && !state.buffer.isEmpty) {
                    return (state.takeBlock(reserving: Self.block), resumes, nil)
                }
                state.isWriting = false
                defer { state.whenIdle = nil }
                return (nil, resumes, state.whenIdle)
            }
            if resumes { flow.resume() }
            if let next { write(next) }
            idle?()
        }
    }

    private func append(_ block: [UInt8]) {
        // Of a body that cannot be kept the rest is taken and dropped: an answer can go out only at its end.
        guard writer.failure == nil, !state.withLock({ $0.isAbandoned }) else { return }
        do {
            if writer.file == nil { writer.file = try store.stageFile() }
            try block.withUnsafeBytes { try writer.file?.write($0) }
            writer.digest.update(block)
            writer.size += Int64(block.count)
        } catch {
            writer.failure = error as? ChatError ?? ChatError(.storageFailed, "A file could not be stored.")
            writer.file = nil
        }
    }

    /// Brings the whole file to the disk. To be called once, when the body is complete.
    ///
    /// Throws `storageFull`, `storageFailed`, and the problem `digestMismatch`.
    func finish() async throws {
        await withCheckedContinuation { continuation in
            let block = state.withLock { state -> [UInt8]? in
                state.whenIdle = { continuation.resume() }
                return state.isWriting ? nil : state.takeBlock(reserving: 0)
            }
            if let block { write(block) }
        }
        let result: Result<FileUpload, any Error> = await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: Result { try seal() }) }
        }
        let file = try result.get()
        finished.withLock { $0 = file }
    }

    /// What stands for the file where its request is compared with another; nil unless the file is finished.
    var fingerprint: [UInt8]? {
        guard let file = finished.withLock({ $0 }) else { return nil }
        return Array("\(Hexadecimal.encode(file.digest))\n\(file.mimeType)\n\(file.name)".utf8)
    }

    /// The whole file, once: its bytes are on the disk as long as somebody holds it.
    func take() -> FileUpload? {
        finished.withLock { file in
            defer { file = nil }
            return file
        }
    }

    private func seal() throws -> FileUpload {
        // Whatever is thrown, the file is gone before the answer goes out.
        defer { writer.file = nil }
        if let failure = writer.failure { throw failure }
        guard let file = writer.file, writer.size > 0 else { throw FileHead.empty }
        let digest = writer.digest.finish()
        try head.digest.check(digest)
        try file.synchronize()
        return FileUpload(file: file, name: head.name, mimeType: head.mimeType, size: writer.size, digest: digest.sha256)
    }
}

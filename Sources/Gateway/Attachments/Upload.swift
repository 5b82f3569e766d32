import Chat
import ChatModel
import ChatStore
import Dispatch
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// A file on its way from the socket to the disk. The loop's thread receives the pieces; a queue hashes and writes
/// them.
///
/// It has two buffers: one is filled while the other is written. When both are full the client has to wait, so an
/// upload needs the same memory for a file of any size.
final class Upload: BodySink {
    /// Bytes that are written at once: 256 KiB.
    private static let block = 256 << 10
    /// Four serial queues for all uploads: more than one, so that the fsync of a large file does not delay all others,
    /// and few, to bound the number of threads.
    private static let queues = (0..<4).map { DispatchQueue(label: "upload-\($0)") }

    /// What the loop's thread and the queue share, under the lock.
    private struct State {
        var body: UploadBody
        /// Of a form with all that is around the file; nil where nobody asks for it, and where the file is the body.
        var content: BodyDigest?
        /// Bytes of the file.
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

    /// The state of the writing; used on the upload's queue only.
    ///
    /// `@unchecked Sendable`: the blocks of a serial queue do not overlap, and each upload has its own writer.
    private final class Writer: @unchecked Sendable {
        var file: StagedFile?
        var failure: ChatError?
        var size: Int64 = 0
        var digest: BodyDigest

        init(digest: BodyDigest) { self.digest = digest }
    }

    /// What the digests of the body and of the file have to be.
    private let digests: [DigestField]
    /// Resumes the reading of the body after a pause.
    private let flow: BodyFlow
    private let store: ChatStore
    private let queue: DispatchQueue
    private let writer: Writer
    /// The complete file, from ``finish()`` until a handler takes it.
    private let finished = Mutex<FileUpload?>(nil)
    private let state: Mutex<State>

    /// - Parameter number: the request's number; it chooses the queue.
    init(_ body: UploadBody, digests: [DigestField], store: ChatStore, flow: BodyFlow, number: UInt64) {
        var content: BodyDigest?
        if case .form = body, let field = digests.first(where: { $0.name == .content }), !field.isEmpty {
            content = BodyDigest(needsSHA512: field.needsSHA512)
        }
        state = Mutex(State(body: body, content: content))
        self.digests = digests
        self.store = store
        self.flow = flow
        queue = Self.queues[Int(number % UInt64(Self.queues.count))]
        writer = Writer(digest: BodyDigest(needsSHA512: digests.contains(where: \.needsSHA512)))
    }

    /// Takes a piece of the body, on the loop's thread. Returns `pause` when both buffers are full; the flow is resumed
    /// when one has been written.
    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        let (block, demand) = state.withLock { state -> ([UInt8]?, BodyDemand) in
            state.body.read(bytes, into: &state.buffer)
            state.content?.update(Array(bytes))
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

    /// The client went away: nothing more is written, and the temporary file is removed with the upload.
    func abandoned() {
        state.withLock { state in
            state.isAbandoned = true
            state.buffer = []
        }
    }

    /// Writes a block on the queue, and goes on with the next one as long as a full one waits.
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

    /// Hashes one block and writes it. On the queue only.
    private func append(_ block: [UInt8]) {
        // After a failure the rest of the body is received and dropped, because an answer can be sent only after the
        // body's end.
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

    /// Writes the rest, compares the digests, and syncs the file to the disk. Call it once, when the body is complete.
    ///
    /// Throws `storageFull`, `storageFailed`, `emptyFile`, the problem `digestMismatch`, and what
    /// was wrong with a form.
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

    /// Identifies the file for idempotency keys: its digest, type and name. Nil unless the file is finished and has not
    /// been taken.
    var fingerprint: [UInt8]? {
        guard let file = finished.withLock({ $0 }) else { return nil }
        return Array("\(Hexadecimal.encode(file.digest))\n\(file.mimeType)\n\(file.name)".utf8)
    }

    /// The finished file; nil from the second call on. The file stays on the disk as long as somebody holds the result,
    /// and afterwards only if it was stored.
    func takeFile() -> FileUpload? {
        finished.withLock { file in
            defer { file = nil }
            return file
        }
    }

    /// Turns what was written into a finished upload. On the queue only.
    private func seal() throws -> FileUpload {
        // Release the file in any case: after a failure it must be gone before the answer goes out.
        defer { writer.file = nil }
        if let failure = writer.failure { throw failure }
        let (head, content) = try state.withLock { (try $0.body.finish(), $0.content?.finish()) }
        guard let file = writer.file, writer.size > 0 else { throw FileHead.empty }
        let digest = writer.digest.finish()
        for field in digests { try field.check(field.name == .content ? content ?? digest : digest) }
        try file.synchronize()
        return FileUpload(
            file: file, name: head.name, mimeType: head.mimeType, size: writer.size, digest: digest.sha256)
    }
}

extension Call {
    /// Answers with a stored file, or a range of it. The answer owns the open descriptor. Throws `rangeNotSatisfiable`.
    func file(_ open: OpenAttachment) throws(Problem) -> HTTPResponse {
        let attachment = open.attachment
        return try ServedFile(
            owning: open.descriptor, name: attachment.name, type: attachment.mimeType, size: attachment.size,
            digest: open.digest
        ).response(to: request)
    }

    /// The file that came as the body. The caller owns it from now on, so the second call throws. Throws
    /// `emptyFile` when there is none.
    func uploaded() throws(Problem) -> FileUpload {
        guard let file = (request.sink as? Upload)?.takeFile() else { throw FileHead.empty }
        return file
    }
}

extension Route.Body {
    /// A body that is one file of any type, or a form with one; the file is streamed to the disk.
    ///
    /// - Parameter restrictions: which files are accepted. It is asked before any of the body is read.
    static func file(_ restrictions: @escaping @Sendable (Call) async throws -> FileRestrictions) -> Self {
        .streamed { call in
            let allowed = try await restrictions(call)
            let body = try UploadBody(call.request, for: allowed)
            let digests = try DigestField.Name.allCases.map { try DigestField($0, of: call.request) }
            let (store, number) = (call.core.store, call.request.number)
            return .stream(limit: body.limit(allowed.maximumSize)) { flow in
                Upload(body, digests: digests, store: store, flow: flow, number: number)
            }
        }
    }
}

/// How a file comes in a request's body.
enum UploadBody: Sendable {
    /// The body is the file.
    case file(FileHead)
    case form(UploadForm)

    /// Decides by the head alone. Throws what ``FileHead`` and ``UploadForm`` throw.
    init(_ request: HTTPRequest, for restrictions: FileRestrictions) throws {
        let header = request.headers["Content-Type"]
        if let type = header.flatMap(MediaType.init), type.essence == "multipart/form-data" {
            self = .form(try UploadForm(request, boundary: type.boundary, for: restrictions))
        } else {
            let size = request.headers["Content-Length"].flatMap { Int64($0) }
            let disposition = request.headers["Content-Disposition"]
            self = .file(try FileHead(type: header, disposition: disposition, size: size, for: restrictions))
        }
    }

    /// The bytes that a body may have for a file of `size` bytes.
    func limit(_ size: Int64) -> Int {
        switch self {
        case .file: Int(size)
        case .form: min(Int(size), .max - UploadForm.allowance) + UploadForm.allowance
        }
    }

    /// Appends the file's bytes in a piece of the body to `file`.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into file: inout [UInt8]) {
        switch self {
        case .file: file.append(contentsOf: bytes)
        case .form(var form):
            form.read(bytes, into: &file)
            self = .form(form)
        }
    }

    /// The file's name and type, once the body is complete. Throws what was wrong with a form.
    func finish() throws(Problem) -> FileHead {
        switch self {
        case .file(let head): head
        case .form(let form): try form.finish()
        }
    }
}

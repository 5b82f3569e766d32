import Bounds
import Chat
import ChatModel
import ChatStore
import Crypto
import CXoneWire
import Dispatch
import Formats
import Foundation
import HTTPRouting
import MicroHTTP

/// Files: clients upload them, and name their links in messages.
extension Sandbox {
    /// `POST .../channel/{channel}/attachment`. A refused file is answered with 200 and the channel's rules, as
    /// the platform does. The file belongs to no customer until a message names its link.
    ///
    /// Few files are decoded at a time, and the holders take turns. Unknown visitors take turns with each other first, and
    /// have one share together. Who has its share of those that wait gets 429.
    ///
    /// - Parameter visitor: the name that an unknown sender gives itself.
    public func upload(
        to channel: String, brand: String, _ request: HTTPRequest, of holder: Holder = .nobody, visitor: String? = nil
    ) async -> HTTPResponse {
        do {
            guard holder == .nobody else {
                return try await fileLine.holding(holder) {
                    await self.storeUpload(request, for: channel, brand: brand)
                }
            }
            return try await visitorsFileLine.holding(visitor.map { .named($0) } ?? .nobody) {
                try await fileLine.holding(holder) { await self.storeUpload(request, for: channel, brand: brand) }
            }
        } catch let refusal as PlaceRefusal {
            return .failure(refusal, of: "uploads")
        } catch {
            return .failure(503, "InternalServerError", "The upload was given up.")
        }
    }

    /// Decodes and keeps the file.
    private func storeUpload(_ request: HTTPRequest, for channel: String, brand: String) async -> HTTPResponse {
        // Beside the body: its text, and the file. They are given back with the counter.
        let bytes = ByteCounter(limit: memory.uploads.limit, within: memory.uploads)
        defer { withExtendedLifetime(bytes) {} }
        guard bytes.reserve(2 * request.body.count) else {
            return .failure(503, "TooManyRequests", "There is no room for the file now. Try again later.")
        }
        return await answer { () async throws(ChatError) in
            let face = try await face(channel, brand: Int(brand) ?? 0)
            let restrictions = try await service.channel(face.channel).fileRestrictions
            guard var file = await Self.decoded(request.body) else {
                return .failure(400, "InconsistentData", "The body must be content in base64, fileName and mimeType.")
            }
            // As they are stored: what is checked is what others will see.
            file.mimeType = FileName.cleanType(file.mimeType)
            file.fileName = FileName.clean(file.fileName, or: "document")
            do throws(ChatError) {
                try restrictions.check(mimeType: file.mimeType, size: Int64(file.content.count))
            } catch {
                return .json(AttachmentUploadAnswer.refused(WireFileRestrictions(restrictions)).encoded())
            }
            let upload = try await stage(file)
            // Who uploads is not told: the file belongs to nobody until its link comes with a message.
            let outcome = try await upload.store(
                in: store, of: .account(try await unclaimed()), within: .shared, receipt: nil)
            let link = FileLink.url(outcome.id, brand: ids.brand, base: Self.base(of: request))
            return .json(AttachmentUploadAnswer.stored(url: link).encoded())
        }
    }

    /// `GET /chat/1.0/brand/{brand}/attachments/{attachment}`. Whoever has the link may fetch the file. Throws
    /// `unknownAttachment`.
    func file(_ id: String, brand: String) async throws(ChatError) -> ServedFile {
        guard brand == "\(ids.brand)" else { throw .unknownAttachment(id) }
        let open = try await attachment(id)
        let (name, type) = (open.attachment.name, open.attachment.mimeType)
        return ServedFile(
            owning: open.descriptor, name: name, type: type, size: open.attachment.size, digest: open.digest)
    }

    /// The file behind a link that the sandbox gave out. Throws `unknownAttachment`.
    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment {
        do throws(ChatError) {
            return try await desk.attachment(id, within: nil)
        } catch {
            guard error.code == .unknownAttachment else { throw error }
            return try await store.open(id, for: .account(try await unclaimed()))
        }
    }

    /// The account that holds files until a message claims them.
    private func unclaimed() async throws(ChatError) -> Int64 {
        let key = AccountKey(service: Self.ownService, channel: Self.uploadChannel, customer: "unclaimed")
        if let known = try await store.read({ try $0.account(key)?.number }) { return known }
        return try await store.write { try $0.openAccount(key).number }
    }

    /// Gives the uploads that a message's links name to the customer, unless somebody has them already. An upload is in one
    /// message only, as in the embedded service: a copy for each message would let one link fill the disk.
    func claim(_ files: [String], for account: Int64) async throws(ChatError) {
        guard !files.isEmpty else { return }
        let holder = try await unclaimed()
        try await store.write { try $0.handOver(files, from: .account(holder), to: .account(account)) }
    }

    /// Great bodies are decoded and written where nobody else waits, as many at a time as the line lets through.
    private static let queue = DispatchQueue(label: "sandbox-files", attributes: .concurrent)

    /// Nil for a body that is not an upload's JSON.
    private static func decoded(_ body: [UInt8]) async -> AttachmentUpload? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: try? AttachmentUpload(json: body)) }
        }
    }

    /// Writes the file to the disk under a temporary name, with its digest, on a thread that may wait for the disk. It is
    /// kept only when the store has its row.
    private func stage(_ file: AttachmentUpload) async throws(ChatError) -> FileUpload {
        let store = store
        let result: Result<FileUpload, ChatError> = await withCheckedContinuation { continuation in
            Self.queue.async {
                continuation.resume(
                    returning: Result { () throws(ChatError) in
                        let staged = try store.stageFile()
                        try staged.write(file.content)
                        try staged.synchronize()
                        return FileUpload(
                            file: staged, name: file.fileName, mimeType: file.mimeType, size: Int64(file.content.count),
                            digest: Array(SHA256.hash(data: file.content)))
                    })
            }
        }
        return try result.get()
    }
}

extension StagedFile {
    fileprivate func write(_ bytes: [UInt8]) throws(ChatError) {
        let written: Result<Void, ChatError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(ChatError) in try write(bytes) }
        }
        try written.get()
    }
}

/// Where the platform's clients fetch a file: whoever has the link has the file, as with the platform's signed links.
enum FileLink {
    private static let part = "/attachments/"

    /// The link of an attachment.
    ///
    /// - Parameter base: `http://host:port`, as the client reaches the gateway.
    static func url(_ id: String, brand: Int, base: String) -> String { "\(base)/chat/1.0/brand/\(brand)\(part)\(id)" }

    /// The attachment that a link names; nil for a link of somebody else.
    static func attachment(_ url: String, brand: Int) -> String? {
        guard let range = url.firstRange(of: "/chat/1.0/brand/\(brand)\(part)") else { return nil }
        let id = url[range.upperBound...]
        return id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) ? nil : String(id)
    }
}

import ChatModel
import Glibc

extension ChatStore {
    /// An empty file for what is being received. Throws `storageFailed`, `storageFull`.
    public func stageFile() throws(ChatError) -> StagedFile { try files.stage() }

    /// Keeps a file, whose bytes are on the disk, under an id that nobody has; then runs the unit that makes it an attachment.
    ///
    /// When the unit fails the file goes again, unless the attachment is there: then an earlier file may have been placed for
    /// it, and what is left over is swept.
    public func keep<T: Sendable>(
        _ file: StagedFile, as id: String, _ unit: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(ChatError) -> T {
        defer { files.settle(id) }
        do throws(ChatError) {
            try await files.place(file, as: id)
            return try await write(unit)
        } catch {
            if let isKnown = try? await read({ try $0.attachment(id) != nil }), !isKnown { files.remove([id]) }
            throw error
        }
    }

    /// Opens an attachment's file for reading, off the calling thread. Throws `unknownAttachment` when it was removed,
    /// `storageFailed` when it does not have the attachment's size: nobody is promised bytes that are not there.
    public func openFile(of attachment: Attachment) async throws(ChatError) -> Int32 {
        guard let descriptor = await files.open(attachment.id) else { throw .unknownAttachment(attachment.id) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == attachment.size else {
            Glibc.close(descriptor)
            throw ChatError(
                .storageFailed,
                "The file of the attachment \(attachment.id) has \(status.st_size) bytes, and should have \(attachment.size).")
        }
        return descriptor
    }

    /// Removes uploads that were never sent, and files that have no row: at start, and now and then.
    public func sweepFiles() async {
        let time = environment.now().advanced(byMilliseconds: -AttachmentRecord.lifetimeInMilliseconds)
        await sweepUnsent(before: time)
        await sweepLost()
        for batch in await files.batches() {
            let settled = files.settled(batch)
            let orphans = try? await read { transaction in try settled.filter { try transaction.attachment($0) == nil } }
            files.remove(orphans ?? [])
        }
        await files.finish()
    }

    /// They are found beside the writer, which looks only at each of them once more.
    private func sweepUnsent(before time: Timestamp) async {
        while let ids = try? await read({ try $0.unsentAttachments(before: time, limit: Self.sweepLimit) }), !ids.isEmpty {
            guard (try? await write(inBackground: true, { try $0.discardUnsent(ids, before: time) })) != nil else { return }
            if ids.count < Self.sweepLimit { return }
        }
    }

    private func sweepLost() async {
        var place: Int64? = -1
        while let start = place {
            guard let step = try? await read({ try $0.lostAttachments(after: start, limit: Self.sweepLimit) }) else { return }
            if !step.ids.isEmpty {
                guard (try? await write(inBackground: true, { try $0.discardLost(step.ids) })) != nil else { return }
            }
            place = step.through
        }
    }

    /// Rows in one step.
    private static let sweepLimit = 200
}

import ChatModel
import Glibc

extension ChatStore {
    /// An empty file for what is being received. Throws `storageFailed`, `storageFull`.
    public func stageFile() throws(ChatError) -> StagedFile { try files.stage() }

    /// Why no file can be stored now; nil when one can. A readiness probe that costs little.
    public func fileFault() async -> String? { await files.fault(at: environment.now()) }

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

    /// Removes uploads that were never sent, and messages of threads that are gone; sets files aside that have no row. At start,
    /// and now and then. What was set aside for 7 days is deleted. A task that is cancelled ends it soon; the rest is left to
    /// the next time.
    @discardableResult
    public func sweepFiles() async -> FileSweep {
        let now = environment.now()
        let time = now.advanced(byMilliseconds: -AttachmentRecord.lifetimeInMilliseconds)
        await repeatInBackground { try $0.discardUnsent(before: time, limit: 200) }
        await repeatInBackground { try $0.collectOrphans(limit: 500) }
        search.forgetRemovedThreads()
        try? await discardLost()
        var sweep = FileSweep()
        for batch in await files.batches() {
            if Task.isCancelled { return sweep }
            let settled = files.settled(batch)
            // What cannot be read is not known to be missing.
            guard let rows = try? await existingAttachments(among: settled) else { continue }
            sweep.setAside += await files.setAside(settled.filter { !rows.contains($0) }, at: now)
        }
        for batch in await files.setAsideBatches() {
            if Task.isCancelled { return sweep }
            guard let rows = try? await existingAttachments(among: batch.map(\.id)) else { continue }
            files.restore(batch.map(\.id).filter(rows.contains))
            let old = batch.filter { file in
                !rows.contains(file.id) && now.milliseconds - FileSweep.graceInMilliseconds > file.since.milliseconds
            }
            files.remove(old.map(\.id))
            sweep.deleted += old.count
        }
        await files.finish()
        return sweep
    }

    /// Runs a unit until there is nothing more for it to do, it fails or the task is cancelled.
    private func repeatInBackground(_ unit: @escaping @Sendable (WriteTransaction) throws -> Bool) async {
        while !Task.isCancelled, (try? await write(inBackground: true, unit)) == true {}
    }

    /// Removes what lost messages carried. They are looked for beside the writer.
    private func discardLost() async throws(ChatError) {
        var next: Int64? = .min
        while let number = next, !Task.isCancelled {
            let found = try await read { try $0.lostMessages(after: number, limit: 500) }
            if !found.lost.isEmpty { try await write(inBackground: true) { try $0.discardAttachments(ofLost: found.lost) } }
            next = found.next
        }
    }

    private func existingAttachments(among ids: [String]) async throws(ChatError) -> Set<String> {
        guard !ids.isEmpty else { return [] }
        return try await read { transaction in
            Set(try ids.filter { try transaction.attachment($0) != nil })
        }
    }
}

/// What a sweep of the files found that have no row in the database.
public struct FileSweep: Sendable, Equatable {
    /// How long such a file is kept, so that whoever put the wrong database beside the files can put back the right one.
    public static let graceInMilliseconds: Int64 = 7 * 24 * 3_600_000

    /// Files that were moved to `files/unclaimed`.
    public var setAside = 0
    /// Files that had been there for long enough.
    public var deleted = 0
}

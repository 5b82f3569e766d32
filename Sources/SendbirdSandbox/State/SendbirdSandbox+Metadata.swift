import ChatStore
import SendbirdWire

/// Metadata of users and channels: texts by keys, five at most.
extension SendbirdSandbox {
    /// Whose metadata a call is about.
    enum MetadataOwner { case user, channel }

    private struct Place: Sendable {
        let user: String?
        let channel: String

        init(_ request: SandboxRequest, _ owner: MetadataOwner) {
            user = owner == .user ? request.parameters["user"] : nil
            channel = request.parameters["channel"]
        }

        func row(_ transaction: ReadTransaction, in sandbox: SendbirdSandbox) throws -> ExtraRow {
            if let user { return .account(try transaction.user(user, in: sandbox).number) }
            return .thread(try transaction.knownChannel(channel, in: sandbox).number)
        }

        func read(_ transaction: ReadTransaction, in sandbox: SendbirdSandbox) throws -> [String: String] {
            let row = try row(transaction, in: sandbox)
            let metadata =
                user == nil
                ? try transaction.kept(ChannelExtras.self, of: row)?.metadata
                : try transaction.kept(UserExtras.self, of: row)?.metadata
            return metadata ?? [:]
        }

        func change(
            _ transaction: WriteTransaction, in sandbox: SendbirdSandbox,
            _ work: (inout [String: String]) throws -> Void
        ) throws -> [String: String] {
            func changed(_ extras: inout some MetadataExtras) throws -> [String: String] {
                try work(&extras.metadata)
                guard extras.metadata.count <= SendbirdBound.metadataItems else {
                    throw SendbirdError(
                        .tooManyItems, "\"metadata\" must have at most \(SendbirdBound.metadataItems) items.")
                }
                return extras.metadata
            }
            let row = try row(transaction, in: sandbox)
            return user == nil
                ? try transaction.change(ChannelExtras.self, of: row) { try changed(&$0) }
                : try transaction.change(UserExtras.self, of: row) { try changed(&$0) }
        }
    }

    /// `GET .../metadata`, and with `keys` some of it.
    func metadata(_ request: SandboxRequest, of owner: MetadataOwner) async throws(SendbirdError) -> SendbirdMetadata {
        let (place, keys) = (Place(request, owner), request.texts("keys"))
        let all = try await read { try place.read($0, in: self) }
        return SendbirdMetadata(keys == nil ? all : all.filter { keys?.contains($0.key) == true })
    }

    /// `GET .../metadata/{key}`
    func metadataValue(
        _ request: SandboxRequest, of owner: MetadataOwner
    ) async throws(SendbirdError) -> SendbirdMetadata {
        let (place, key) = (Place(request, owner), request.parameters["key"])
        guard let value = try await read({ try place.read($0, in: self) })[key] else { throw Self.noKey(key) }
        return SendbirdMetadata([key: value])
    }

    /// `POST` and `PUT .../metadata`. `PUT` changes what is there, and adds nothing unless it is told to.
    func writeMetadata(
        _ request: SandboxRequest, of owner: MetadataOwner, adds: Bool
    ) async throws(SendbirdError) -> SendbirdMetadata {
        let (asked, place) = (try request.read(WriteMetadata.self), Place(request, owner))
        let isAdded = adds || asked.isUpsert == true
        return SendbirdMetadata(
            try await write { transaction in
                try place.change(transaction, in: self) { metadata in
                    for (key, value) in asked.values where isAdded || metadata[key] != nil { metadata[key] = value }
                }
            })
    }

    /// `PUT .../metadata/{key}`
    func writeMetadataValue(
        _ request: SandboxRequest, of owner: MetadataOwner
    ) async throws(SendbirdError) -> SendbirdMetadata {
        let (asked, place) = (try request.read(WriteMetadataValue.self), Place(request, owner))
        let key = request.parameters["key"]
        guard key.utf8.count <= SendbirdBound.metadataKey else {
            throw SendbirdError(.tooLong, "A key of \"metadata\" is too long.")
        }
        _ = try await write { transaction in
            try place.change(transaction, in: self) { metadata in
                guard metadata[key] != nil || asked.isUpsert == true else { throw Self.noKey(key) }
                metadata[key] = asked.value
            }
        }
        return SendbirdMetadata([key: asked.value])
    }

    /// `DELETE .../metadata`, and of one key. A key that is not there is 400201.
    func deleteMetadata(
        _ request: SandboxRequest, of owner: MetadataOwner
    ) async throws(SendbirdError) -> SendbirdNothing {
        let (place, key) = (Place(request, owner), request.parameters["key"])
        _ = try await write { transaction in
            try place.change(transaction, in: self) { metadata in
                guard !key.isEmpty else { return metadata = [:] }
                guard metadata.removeValue(forKey: key) != nil else { throw Self.noKey(key) }
            }
        }
        return SendbirdNothing()
    }

    private static func noKey(_ key: String) -> SendbirdError {
        SendbirdError(.notFound, "No such key: \(key.prefix(SendbirdBound.metadataKey)).")
    }
}

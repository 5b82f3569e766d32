import ChatModel

/// A row of `picture`. It never changes.
public struct Picture: Sendable, Equatable {
    /// How many bytes a picture has at most.
    public static let maximumByteCount = 256 << 10

    /// The SHA-256 of the bytes.
    public var digest: [UInt8]
    /// The media type, such as `image/png`.
    public var type: String
    public var bytes: [UInt8]

    public init(digest: [UInt8], type: String, bytes: [UInt8]) {
        self.digest = digest
        self.type = type
        self.bytes = bytes
    }
}

extension ReadTransaction {
    /// The picture of this digest; nil if nobody has it.
    public func picture(_ digest: [UInt8]) throws -> Picture? {
        try db.first("SELECT digest, type, bytes FROM picture WHERE digest = ?", [.blob(digest)]) {
            Picture(digest: $0.blob(0), type: $0.text(1), bytes: $0.blob(2))
        }
    }
}

extension WriteTransaction {
    /// Gives a person a picture, or none. The one before goes if nobody else has it. Throws `unknownPerson`, and
    /// `invalidFileSize` for more than ``Picture/maximumByteCount``.
    public func setPicture(_ picture: Picture?, ofPerson id: String) throws {
        let before = try person(id).picture
        if let picture {
            assert(picture.digest.count == AccessDigest.byteCount)
            guard picture.bytes.count <= Picture.maximumByteCount else {
                throw ChatError(.invalidFileSize, "A picture may have \(Picture.maximumByteCount >> 10) KiB.")
            }
            try db.run(
                "INSERT INTO picture (digest, type, bytes) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING",
                [.blob(picture.digest), .text(picture.type), .blob(picture.bytes)])
        }
        try set(picture: picture?.digest, of: id)
        try removeUnused(picture: before)
    }

    /// Removes a picture that nobody has any more.
    func removeUnused(picture: [UInt8]?) throws {
        guard let picture else { return }
        try db.run(
            "DELETE FROM picture WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM person WHERE person.picture = ?1)",
            [.blob(picture)])
    }
}

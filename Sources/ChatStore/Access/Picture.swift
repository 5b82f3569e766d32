import ChatModel
import Formats

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

extension Picture {
    private static let folder = "/pictures/"

    /// Where everybody may read a picture who knows its address.
    public static func path(_ digest: [UInt8]) -> String { folder + Hexadecimal.encode(digest) }

    /// The digest in the address of a picture; nil for any other text.
    public static func digest(ofPath path: String) -> [UInt8]? {
        guard path.hasPrefix(folder), path.utf8.count == folder.utf8.count + 64 else { return nil }
        let digits = path.utf8.dropFirst(folder.utf8.count).compactMap(Hexadecimal.value)
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension ReadTransaction {
    /// The pictures that channels have.
    func logos() throws -> [[UInt8]] {
        try db.all("SELECT json FROM channel", []) { try Channel(canonicalJSON: $0.blob(0)) }
            .compactMap { $0.appearance?.logo.flatMap(Picture.digest(ofPath:)) }
    }

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
        if let picture { try insert(picture) }
        try set(picture: picture?.digest, of: id)
        try removeUnused(picture: before)
    }

    /// Gives a channel a logo, or none. The one before goes if nobody else has it. Throws `invalidFileSize` as for a
    /// person's picture.
    public func setLogo(_ picture: Picture?, of channel: inout Channel, _ service: String) throws {
        let before = channel.appearance?.logo.flatMap(Picture.digest(ofPath:))
        if let picture { try insert(picture) }
        var appearance = channel.appearance ?? Appearance()
        appearance.logo = picture.map { Picture.path($0.digest) }
        channel.appearance = appearance.isEmpty ? nil : appearance
        try save(channel, of: service)
        try removeUnused(picture: before)
    }

    private func insert(_ picture: Picture) throws {
        assert(picture.digest.count == AccessDigest.byteCount)
        guard picture.bytes.count <= Picture.maximumByteCount else {
            throw ChatError(.invalidFileSize, "A picture may have \(Picture.maximumByteCount >> 10) KiB.")
        }
        try db.run(
            "INSERT INTO picture (digest, type, bytes) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING",
            [.blob(picture.digest), .text(picture.type), .blob(picture.bytes)])
    }

    /// Removes a picture that nobody has any more.
    func removeUnused(picture: [UInt8]?) throws {
        guard let picture, try !logos().contains(picture) else { return }
        try db.run(
            "DELETE FROM picture WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM person WHERE person.picture = ?1)",
            [.blob(picture)])
    }
}

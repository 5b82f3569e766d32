import Chat
import ChatModel
import ChatStore

/// A picture of a tent at sunrise, as a PNG file that is drawn by code.
enum DemoPicture {
    static let name = "tent.png"
    static let mimeType = "image/png"
    private static let width = 360, height = 220

    /// The file. It is the same in every run.
    static let png: [UInt8] = {
        var head: [UInt8] = bytes(UInt32(width)) + bytes(UInt32(height))
        // 4 bits a pixel, which are places in a palette.
        head += [4, 3, 0, 0, 0]
        var rows: [UInt8] = []
        rows.reserveCapacity((width / 2 + 1) * height)
        for y in 0..<height {
            rows.append(0)
            for x in stride(from: 0, to: width, by: 2) { rows.append(colour(x, y) << 4 | colour(x + 1, y)) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
            + chunk("PLTE", palette.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 255), UInt8($0 & 255)] })
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }()

    /// Sky from top to bottom, sun, far hills, near hills, meadow, tent, its shadowed side, its entrance.
    private static let palette = [
        0x2B4A6F, 0x55719A, 0x9C8FB0, 0xE7A78F, 0xF9CE8B, 0xFFF1C4, 0x6F7FA3, 0x3F5F6B, 0x4E7A4B,
        0xE0643C, 0xB1452A, 0x3A1F1A,
    ]

    private static func colour(_ x: Int, _ y: Int) -> UInt8 {
        let side = abs(x - 215)
        if y >= 120, y < 190, side <= y - 120 {
            return side * 3 <= y - 135 ? 11 : x < 215 ? 9 : 10
        }
        if y >= 165 { return 8 }
        if y >= 150 - max(0, 70 - abs(x - 60)) / 2 - max(0, 90 - abs(x - 330)) / 3 { return 7 }
        if y >= 135 - max(0, 100 - abs(x - 150)) / 2 { return 6 }
        if (x - 262) * (x - 262) + (y - 92) * (y - 92) < 26 * 26 { return 5 }
        return UInt8(min(4, y / 28))
    }

    /// The bytes as a zlib stream that is not compressed (RFC 1950, RFC 1951): one stored block, which holds up to
    /// 65,535 bytes.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        let length = UInt16(data.count)
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        let lengths = [length, ~length].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        return [0x78, 0x01, 1] + lengths + data + bytes(b << 16 | a)
    }

    private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + data
        return bytes(UInt32(data.count)) + body + bytes(checksum(body))
    }

    /// CRC-32, as PNG uses it.
    private static func checksum(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
}

/// Puts the bot's picture into the store, once for each message that shows it.
struct DemoPictures: Sendable {
    let store: ChatStore
    let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// The picture on the disk, not yet an attachment. Throws `storageFull`, `storageFailed`.
    func upload() throws(ChatError) -> FileUpload {
        let (file, png) = (try store.stageFile(), DemoPicture.png)
        var failure: ChatError?
        png.withUnsafeBytes { bytes in
            do throws(ChatError) { try file.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        try file.synchronize()
        return FileUpload(
            file: file, name: DemoPicture.name, mimeType: DemoPicture.mimeType, size: Int64(png.count),
            digest: sha256(png))
    }
}

extension LiveStore {
    /// Like ``write(reading:_:)``. With a file, the same unit makes it an attachment of the desk, and gets its id. When
    /// the unit throws, the file is deleted.
    func write(
        with upload: FileUpload?,
        _ unit: @escaping @Sendable (WriteTransaction, inout LiveChatWork, String?) throws -> Void
    ) async throws(ChatError) {
        guard let upload else { return try await write { try unit($0, &$1, nil) } }
        let attachment = Attachment(
            id: store.environment.makeID(), name: upload.name, mimeType: upload.mimeType, size: upload.size)
        let live = try await store.storeFile(upload.file, as: attachment.id) { transaction in
            try transaction.insert(attachment, uploader: .desk, digest: upload.digest, within: .shared)
            var live = LiveChatWork()
            try unit(transaction, &live, attachment.id)
            return live
        }
        live.publish(to: store.feed, timer, positions, typing)
    }
}

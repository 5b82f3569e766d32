import CLZ4
import Formats

/// JSON as a row keeps it: packed with LZ4, which finds what Parley's JSON repeats in a dictionary.
///
/// The first byte tells the form, the length of the JSON follows as a number of seven bits a byte, and then LZ4's block.
/// JSON begins with a brace, so rows that earlier versions have written are read as they are.
enum PackedJSON {
    /// What the dictionary has.
    enum Form: UInt8 {
        /// The ``words`` alone.
        case words = 1
        /// The words, and after them other JSON that the reader has: the base.
        case based = 2
    }

    /// How the row's JSON was packed; nil for JSON that was not.
    static func form(of stored: some Collection<UInt8>) -> Form? { stored.first.flatMap(Form.init) }

    /// The JSON of a row.
    ///
    /// - Parameter base: called for JSON that was packed with a base.
    /// - Throws: `ModelError` when the bytes are damaged, and what `base` throws.
    static func unpacked(_ stored: [UInt8], base: () throws -> [UInt8] = { [] }) throws -> [UInt8] {
        guard let form = form(of: stored) else { return stored }
        let dictionary = form == .based ? Self.words + (try base()) : Self.words
        var (length, place) = (0, 1)
        repeat {
            guard place < min(stored.count, 4) else { throw ModelError(member: "data") }
            length |= Int(stored[place] & 0x7F) << (7 * (place - 1))
            place += 1
        } while stored[place - 1] & 0x80 != 0
        guard length <= limit else { throw ModelError(member: "data") }
        return try [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            let written = stored.withUnsafeBytes { source in
                dictionary.withUnsafeBytes { dictionary in
                    LZ4_decompress_safe_usingDict(
                        source.baseAddress?.advanced(by: place), bytes.baseAddress, Int32(source.count - place),
                        Int32(length), dictionary.baseAddress, Int32(dictionary.count))
                }
            }
            guard written == length else { throw ModelError(member: "data") }
            count = length
        }
    }

    /// Shorter JSON gains nothing.
    static let least = 16
    /// Longer JSON is stored as it is, and so is JSON on a longer base: LZ4 looks back 64 KiB.
    static let limit = 56 << 10

    /// What JSON of Parley's has in common. Stored rows need it as it is: other words are another ``Form``.
    static let words = Array(
        """
        {"threadId":"","parentId":"","messageId":"","replyInfo":{"count":1,"mostReplies":[],"lastRepliedAt":"","actor":{"id"\
        :"","name":"","kind":"bot"},"changed":["name","members","agent","customFields","closedAt","queuePosition","text","se\
        enAt","status","reactions","state","deskUnreadCount","lastMessage","contactId","waitingSince"],"message":{"id":"","t\
        hreadId":"","createdAt":"2026-12-01T12:04:25.634Z","updatedAt":"2026-12-01T12:04:25.658Z","direction":"toClient","au\
        thor":{"id":"","kind":"agent","name":""},"type":"file","customType":"","text":"","attachments":[{"id":"","name":"","\
        mimeType":"image/png","size":1}],"status":"sent","parentId":"","alsoInThread":true,"seenAt":""}},"thread":{"id":"","\
        name":"","state":"ready","createdAt":"","updatedAt":"","canAddMoreMessages":true,"deskUnreadCount":1,"lastMessage":{\
        "id":"","createdAt":"","direction":"toAgent","author":{"id":"","kind":"customer"},"type":"text","text":"","status":"\
        delivered"},"agent":{"id":"","name":""},"members":[{"id":"","firstName":"","lastName":"","email":""}],"customType":"\
        ","customFields":{},"contactId":"1","queuePosition":1,"waitingSince":"2026-"}}","attachments":[],"status":"delivered"}
        """.utf8)
}

/// Packs JSON for rows. For one thread at a time; it keeps what LZ4 needs for its work.
final class JSONPacker {
    private let state = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<LZ4_stream_t>.size, alignment: MemoryLayout<LZ4_stream_t>.alignment)
    private var dictionary = PackedJSON.words

    deinit { state.deallocate() }

    /// The JSON as a row keeps it.
    ///
    /// - Parameter base: JSON of which much is repeated, and which the reader has.
    func packed(_ json: [UInt8], base: [UInt8]? = nil) -> [UInt8] {
        let count = PackedJSON.words.count
        guard PackedJSON.least...PackedJSON.limit ~= json.count, count + (base?.count ?? 0) <= PackedJSON.limit else {
            return json
        }
        dictionary.removeSubrange(count...)
        if let base { dictionary += base }
        // Packed JSON has at least one byte less than the JSON: otherwise it stays as it is.
        let packed = [UInt8](unsafeUninitializedCapacity: json.count) { bytes, written in
            var place = 1
            bytes[0] = (base == nil ? PackedJSON.Form.words : .based).rawValue
            var rest = json.count
            while rest > 0x7F {
                bytes[place] = UInt8(truncatingIfNeeded: rest) | 0x80
                (rest, place) = (rest >> 7, place + 1)
            }
            bytes[place] = UInt8(rest)
            place += 1
            let size = json.withUnsafeBytes { source in
                dictionary.withUnsafeBytes { dictionary in
                    let stream = LZ4_initStream(state, MemoryLayout<LZ4_stream_t>.size)
                    LZ4_loadDict(stream, dictionary.baseAddress, Int32(dictionary.count))
                    return LZ4_compress_fast_continue(
                        stream, source.baseAddress, bytes.baseAddress?.advanced(by: place), Int32(source.count),
                        Int32(bytes.count - place - 1), 1)
                }
            }
            if size > 0 { written = place + Int(size) }
        }
        return packed.isEmpty ? json : packed
    }
}

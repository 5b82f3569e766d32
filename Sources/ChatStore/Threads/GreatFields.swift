import ChatModel
import Formats
import Glibc

/// Custom fields of a thread that are too great to be written anew with each change of the thread and each event of it.
///
/// They have a row of their own, in `fields`. The stored JSON of the thread, in its row and in the log, has the thread's
/// number in their place: `"customFields":42`. Canonical JSON never has a number there, so nothing else is taken for it.
/// Readers put the fields in again (``DatabaseSession/whole(_:)``), and never see the number.
///
/// An event of the log is read with the fields that the thread has now. They may be newer than the event; then an event
/// that comes later tells of them.
struct GreatFields {
    let thread: Int64
    let json: [UInt8]

    /// In bytes of names and values. Smaller fields cost less where they are than in a row of their own.
    private static let least = 1024

    static func areGreat(_ fields: [String: String]) -> Bool {
        !fields.isEmpty && fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } > least
    }

    init(thread: Int64, _ fields: [String: String]) {
        self.thread = thread
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("customFields", fields)
        writer.endObject()
        // Without the braces and the name around them.
        json = Array(writer.bytes.dropFirst(1 + Self.name.count).dropLast())
    }

    /// The JSON of the thread, or of an event that carries it, with the number in place of the fields.
    func replaced(in whole: [UInt8]) -> [UInt8] {
        guard let start = Self.place(in: whole), whole[start...].starts(with: json) else { return whole }
        return whole[..<start] + Array("\(thread)".utf8) + whole[(start + json.count)...]
    }

    /// Where stored JSON has a thread's number in place of fields, and the number; nil where it has fields.
    static func reference(in stored: [UInt8]) -> (range: Range<Int>, thread: Int64)? {
        guard let start = place(in: stored) else { return nil }
        let digits = stored[start...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let thread = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        return (start..<digits.endIndex, thread)
    }

    private static let name = Array("\"customFields\":".utf8)
    private static let capital = 7

    /// Where the value of the member begins. People's texts cannot contain the name: in them a quote is escaped.
    private static func place(in json: [UInt8]) -> Int? {
        json.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            // Looks for the name's one capital letter, which is rare.
            var place = capital
            while place < bytes.count {
                guard let letter = memchr(base + place, Int32(name[capital]), bytes.count - place) else { return nil }
                let start = UnsafeRawPointer(letter) - base - capital
                if start + name.count <= bytes.count, memcmp(base + start, name, name.count) == 0 {
                    return start + name.count
                }
                place = start + capital + 1
            }
            return nil
        }
    }
}

extension DatabaseSession {
    /// The JSON of a thread, or of an event that carries one, as it was before ``GreatFields`` were taken out.
    func whole(_ stored: [UInt8]) throws -> [UInt8] {
        guard let (range, thread) = GreatFields.reference(in: stored) else { return stored }
        // An event may be left in the log when its thread is gone.
        let fields = try first("SELECT json FROM fields WHERE thread = ?", [.integer(thread)]) { $0.blob(0) }
        return stored[..<range.lowerBound] + (fields ?? Array("{}".utf8)) + stored[range.upperBound...]
    }
}

extension WriteTransaction {
    /// Writes the thread's fields into their own row, if they are great and have changed. Nil when they are stored with
    /// the thread. Once they have a row they keep it, because the log refers to it.
    func storeGreatFields(of record: inout ThreadRecord) throws -> GreatFields? {
        let fields = record.thread.customFields
        guard record.storedFields != nil || GreatFields.areGreat(fields) else { return nil }
        let great = GreatFields(thread: record.number, fields)
        if record.storedFields != fields {
            try db.run(
                """
                INSERT INTO fields (thread, json) VALUES (?, ?)
                ON CONFLICT (thread) DO UPDATE SET json = excluded.json
                """, [.integer(record.number), .blob(great.json)])
            record.storedFields = fields
        }
        return great
    }
}

import ChatModel
import Formats

/// The digests by which keys, logins, invitations and pictures are found.
enum AccessDigest {
    /// SHA-256
    static let byteCount = 32
}

/// The forms of values that the tables of access have in common: lists of names are JSON arrays of strings, and what is
/// absent is null.
extension SQLValue {
    static func names(_ names: [String]) -> SQLValue {
        var json = JSONWriter()
        json.beginArray()
        for name in names { json.value(name) }
        json.endArray()
        return .blob(json.bytes)
    }

    static func optional(names: [String]?) -> SQLValue { names.map(SQLValue.names) ?? .null }
    static func optional(_ time: Timestamp?) -> SQLValue { optional(time?.milliseconds) }
    static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map(SQLValue.blob) ?? .null }
}

extension SQLRow {
    func time(_ column: Int32) -> Timestamp? { isNull(column) ? nil : Timestamp(milliseconds: integer(column)) }

    /// Nil for null. Throws ``ModelError`` for what is no array of strings.
    func names(_ column: Int32) throws -> [String]? {
        guard !isNull(column) else { return nil }
        guard let values = try JSONParser.parse(blob(column)).array else { throw ModelError(member: "names") }
        return try values.map { value in
            guard let name = value.string else { throw ModelError(member: "names") }
            return name
        }
    }
}

import Bounds
import ChatModel

/// How much the custom fields of one thread, or of one customer, may hold together.
///
/// The fields are part of the thread's own JSON. Each new message reads and writes that JSON, so large fields would
/// slow every message down.
public enum CustomFieldLimits {
    public static let maximumCount = 100
    /// Bytes of all names and values, in UTF-8.
    public static let maximumByteCount = ByteBound.fields.bytes
    /// Characters of a name.
    public static let maximumNameLength = 128
    /// Characters of a value that a client sets.
    public static let maximumValueLength = 4096

    /// Throws `invalidParameter` for fields that are more, or larger, than the limits. Fields that were stored before
    /// the limits existed may stay and may shrink.
    ///
    /// - Parameter known: the fields before the change.
    public static func check(_ fields: [String: String], besides known: [String: String] = [:]) throws(ChatError) {
        guard fields.count <= max(maximumCount, known.count) else {
            throw fault("There are at most \(maximumCount) custom fields; these would be \(fields.count).")
        }
        let byteCount = byteCount(fields)
        guard byteCount <= maximumByteCount || byteCount <= Self.byteCount(known) else {
            throw fault(
                "All custom fields together have at most \(maximumByteCount) bytes of names and values; these would have \(byteCount)."
            )
        }
    }

    /// Whether this field may be set without exceeding the limits. For fields that come from a platform: one that does
    /// not fit is left out, because an error would help nobody.
    public static func allow(_ value: String, as name: String, in fields: [String: String]) -> Bool {
        guard fields[name] != nil || fields.count < maximumCount else { return false }
        var changed = fields
        changed[name] = value
        return byteCount(changed) <= maximumByteCount || value.utf8.count <= (fields[name] ?? "").utf8.count
    }

    private static func byteCount(_ fields: [String: String]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    private static func fault(_ detail: String) -> ChatError {
        ChatError(.invalidParameter, detail, pointer: "/customFields")
    }
}

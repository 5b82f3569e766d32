import CPostgreSQL

/// libpq's functions. The library is loaded by the first call, so a gateway on SQLite does without it.
enum PostgresLibrary {
    /// Throws ``PostgresError`` when the library is not installed, with the sentence that helps.
    static func functions() throws(PostgresError) -> libpq {
        var reason: UnsafePointer<CChar>?
        guard let functions = libpq_load(&reason) else {
            let reason = reason.map { String(cString: $0) } ?? ""
            throw PostgresError(
                .connection, detail: "PostgreSQL's client library is missing (Debian's package libpq5): \(reason)")
        }
        return functions.pointee
    }
}

import CPostgreSQL

/// The codes of the server's warnings. libpq calls it inside calls on the connection, so one thread at a time does.
final class PostgresNotices {
    var functions: libpq?
    private var codes: [String] = []

    func take() -> [String] {
        defer { codes = [] }
        return codes
    }

    static func take(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context else { return }
        let notices = Unmanaged<PostgresNotices>.fromOpaque(context).takeUnretainedValue()
        // At most some: nobody may read them for a long time.
        guard let code = notices.functions?.resultErrorField(result, CInt(UInt8(ascii: "C"))), notices.codes.count < 32
        else { return }
        notices.codes.append(String(cString: code))
    }
}

import Foundation

/// What `--store` says: the database in the data folder, or a PostgreSQL database by its address.
enum StoreAddress: Equatable {
    case sqlite
    /// A URI as libpq takes it. From the environment it may hold a password.
    case postgres(String)

    /// Throws ``SettingsError`` for anything else, and for a password on the command line or in a file: there others can
    /// read it.
    init(_ settings: Settings) throws(SettingsError) {
        let (text, origin) = (settings.string(.store), settings[.store].origin)
        if text == "sqlite" {
            self = .sqlite
            return
        }
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw SettingsError(
                "store must be sqlite, or the address of a PostgreSQL database: postgres://HOST/DATABASE.")
        }
        guard origin == .environment || Self.withoutPassword(text) == text else {
            throw SettingsError(
                "The address of --store holds a password, which others could read. Write it into a file that PGPASSFILE names, or give the whole address in PARLEY_STORE."
            )
        }
        self = .postgres(text)
    }

    /// The address with the password left out, wherever a URI of libpq can have one: after the user's name, and as the
    /// parameter `password` or `sslpassword`.
    static func withoutPassword(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let parts = text[start...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var place = String(parts[0])
        let authority = place[..<(place.firstIndex(of: "/") ?? place.endIndex)]
        if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
            place.removeSubrange(colon..<at)
        }
        let shown = String(text[..<start]) + place
        guard parts.count > 1 else { return shown }
        let kept = parts[1].split(separator: "&", omittingEmptySubsequences: false).filter { parameter in
            let name = String(parameter.prefix { $0 != "=" }).removingPercentEncoding ?? ""
            return name != "password" && name != "sslpassword"
        }
        return kept.isEmpty ? shown : shown + "?" + kept.joined(separator: "&")
    }
}

import ChatModel
import ChatStore
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
                """
                The address of --store holds a password, which others could read: what stands between : and @. Write it \
                into a file that PGPASSFILE names, or give the whole address in PARLEY_STORE. An @ that ends no password \
                is written %40.
                """
            )
        }
        self = .postgres(text)
    }

    /// What an operator may read of a failure. The description of an engine's error may have values of rows.
    static func words(for error: any Error) -> String {
        if let error = error as? any EngineError { return error.cause }
        return (error as? ChatError)?.detail ?? "\(error)"
    }

    /// The address with the password left out, wherever a URI of libpq can have one: after the user's name, and as the
    /// parameter `password` or `sslpassword`.
    ///
    /// A password whose special characters are not percent-encoded is left out whole: all from the first `:` up to the
    /// last `@` is taken for it, although libpq may not see a password there. If that `@` may also belong to a parameter
    /// with a password, nothing after the `:` is shown.
    static func withoutPassword(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let open = withoutSecretParameters(text)
        guard let at = text.lastIndex(of: "@"), at > start, let colon = text[start..<at].firstIndex(of: ":")
        else { return open }
        let hasBoth = open != text && text[..<at].contains("?")
        if hasBoth { return String(text[..<colon]) }
        return withoutSecretParameters(String(text[..<colon] + text[at...]))
    }

    private static func withoutSecretParameters(_ text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return text }
        let kept = parts[1].split(separator: "&", omittingEmptySubsequences: false).filter { parameter in
            let name = String(parameter.prefix { $0 != "=" }).removingPercentEncoding ?? ""
            return name != "password" && name != "sslpassword"
        }
        return kept.isEmpty ? parts[0] : parts[0] + "?" + kept.joined(separator: "&")
    }
}

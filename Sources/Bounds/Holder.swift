/// Who takes places or memory, by what a request has shown. Every pool of places and every count of bytes goes by it.
public enum Holder: Sendable, Hashable {
    /// Unknown senders. Nothing tells them apart, so all of them together are one holder.
    case nobody
    /// One holder with a name of its own: a session's token, an account, a key, a login. The names of two kinds must
    /// differ.
    case named(String)
    /// Whoever has the gateway's own token, and the gateway's own work.
    case root
}

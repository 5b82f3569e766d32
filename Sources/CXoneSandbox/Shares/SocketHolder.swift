import Bounds

/// Whose a socket is, as far as its URL shows that.
///
/// A customer whom a token of the sandbox names is one holder. Everybody else is unknown: a `visitorId` is whatever its
/// client likes. So all unknown visitors have one share together, and within it no visitor gets more than a named holder.
struct SocketHolder: Sendable, Hashable {
    /// The entry point and the customer that a token names.
    var customer: String?
    var visitor: String?

    /// In whose share it stands.
    var holder: Holder { customer.map { .named("customer:\($0)") } ?? .nobody }

    /// The visitor's own part of what the unknown ones have; nil for another holder.
    var part: Holder? { customer == nil ? visitor.map { .named("visitor:\($0)") } : nil }

    /// By whom turns are taken.
    var turn: Holder { part ?? holder }
}

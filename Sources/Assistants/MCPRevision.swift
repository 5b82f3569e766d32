import Formats
import MicroHTTP

/// The revisions of the Model Context Protocol that are spoken, the newest first. Those of 2025 begin with
/// `initialize`; since 2026-07-28 every request says by itself what its client speaks.
enum MCPRevision: String, Sendable, CaseIterable {
    case july2026 = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case march2025 = "2025-03-26"

    /// Whether each request stands for itself.
    var isStateless: Bool { self == .july2026 }

    /// The revision that answers `initialize`: the client's own, or the newest that has `initialize`.
    static func handshake(wanted: String) -> MCPRevision {
        MCPRevision(rawValue: wanted).flatMap { $0.isStateless ? nil : $0 } ?? .november2025
    }

    /// The names of members that a request of 2026-07-28 has in `params._meta`, and that its answer has.
    enum Meta {
        static let version = "io.modelcontextprotocol/protocolVersion"
        static let capabilities = "io.modelcontextprotocol/clientCapabilities"
        static let serverInfo: StaticString = "io.modelcontextprotocol/serverInfo"
        static let subscription: StaticString = "io.modelcontextprotocol/subscriptionId"
    }

    private static let versionHeader = "MCP-Protocol-Version"

    /// The revision of a notification, which says it in the header alone. Throws `unsupportedVersion`.
    init(ofNotification headers: HTTPHeaders) throws(RPCError) {
        guard let name = headers[Self.versionHeader] else {
            self = .march2025
            return
        }
        self = try Self.named(name, for: nil)
    }

    /// The revision of a request, as its body and its headers say.
    ///
    /// Throws `invalidParams` when `_meta` lacks what 2026-07-28 wants there, `headerMismatch` when header and body
    /// differ, and `unsupportedVersion`, in this order.
    init(of message: RPCMessage, _ headers: HTTPHeaders) throws(RPCError) {
        let meta = message.params["_meta"]
        let header = headers[Self.versionHeader]
        let isStateless = meta?[Meta.version] != nil || header.flatMap(MCPRevision.init)?.isStateless == true
        guard isStateless else {
            // Without a header it is the revision that had none.
            self = message.method == "initialize" ? .november2025 : .march2025
            if let header, message.method != "initialize" { self = try Self.named(header, for: message.id) }
            return
        }
        for name in [Meta.version, Meta.capabilities] where meta?[name] == nil {
            throw RPCError(.invalidParams, "params._meta must have \(name).", id: message.id)
        }
        guard let version = meta?[Meta.version]?.string else {
            throw RPCError(.invalidParams, "\(Meta.version) must be a string.", id: message.id)
        }
        guard meta?[Meta.capabilities]?.members != nil else {
            throw RPCError(.invalidParams, "\(Meta.capabilities) must be an object.", id: message.id)
        }
        try Self.checkHeader(headers, Self.versionHeader, with: version, message.id)
        try Self.checkHeader(headers, "Mcp-Method", with: message.method, message.id)
        if let name = Self.name(of: message) { try Self.checkHeader(headers, "Mcp-Name", with: name, message.id) }
        self = try Self.named(version, for: message.id)
    }

    private static func named(_ name: String, for id: RPCMessage.ID?) throws(RPCError) -> MCPRevision {
        guard let revision = MCPRevision(rawValue: name) else {
            throw RPCError(.unsupportedVersion, "This version is not spoken here.", id: id, requestedVersion: name)
        }
        return revision
    }

    /// What the header `Mcp-Name` repeats; nil for methods that name nothing.
    private static func name(of message: RPCMessage) -> String? {
        switch message.method {
        case "tools/call", "prompts/get": message.params["name"]?.string
        case "resources/read": message.params["uri"]?.string
        default: nil
        }
    }

    /// Throws `headerMismatch` unless there is exactly one such header, and it says what the body says.
    private static func checkHeader(
        _ headers: HTTPHeaders, _ name: String, with value: String, _ id: RPCMessage.ID?
    ) throws(RPCError) {
        let all = headers.all(name)
        guard all.count == 1, decoded(all[0])?.hasSameBytes(as: value) == true else {
            throw RPCError(.headerMismatch, "The header \(name) must say what the body says, once.", id: id)
        }
    }

    /// A header's value, which comes as `=?base64?...?=` where it is not plain ASCII. Nil for broken base64.
    private static func decoded(_ value: String) -> String? {
        let (prefix, suffix) = ("=?base64?", "?=")
        guard value.hasPrefix(prefix), value.hasSuffix(suffix),
            value.utf8.count >= prefix.utf8.count + suffix.utf8.count
        else { return value }
        let digits = String(value.dropFirst(prefix.count).dropLast(suffix.count))
        return Base64URL.decode(digits).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

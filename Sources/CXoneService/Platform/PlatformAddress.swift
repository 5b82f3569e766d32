import Chat
import ChatModel
import Crypto
import Formats
import HTTPClientPort

/// Where a channel of the platform is: its hosts, brand and channel. It is stored as JSON in the store, so the
/// names of its properties must not change.
public struct PlatformAddress: Sendable, Hashable, Codable {
    /// The base of the HTTP endpoints: it ends in `/chat` in the platform's regions, and never in a slash.
    public var chat: String
    /// The base of the WebSocket's URL, `wss:` or `ws:`; the query is added to it.
    public var socket: String
    /// The base of the OAuth service's URL, with a slash at the end. Nil: there is none, and secured sessions are
    /// impossible.
    public var token: String?
    public var brandID: Int
    /// The platform's own id of the channel: letters, digits and `-._~` only, so that it needs no encoding in
    /// URLs.
    public var channelID: String
    /// What the address is called in a channel's key: a region, or a digest of own hosts.
    var environment: String

    /// The channel's id in Parley: it tells environment, brand and channel. A channel too long for it is told by its
    /// digest.
    public var key: String {
        let key = "\(environment).\(brandID).\(channelID)"
        return key.utf8.count <= 64 ? key : "\(environment).\(brandID).\(Self.digest(channelID, bytes: 16))"
    }

    private static func digest(_ text: String, bytes: Int) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(text.utf8)).prefix(bytes))
    }
}

extension PlatformAddress {
    /// The regions, with the last part of their hosts' names.
    private static let regions: [String: String] = [
        "AU1": "niceincontact.com", "CA1": "niceincontact.com", "EU1": "niceincontact.com", "JP1": "niceincontact.com",
        "NA1": "niceincontact.com", "UK1": "niceincontact.com",
        "AE1": "nicecxone.com", "JO1": "nicecxone.com", "KR1": "nicecxone.com", "ZA1": "nicecxone.com",
        "AU2": "nicecxone-sov1.au", "EU2": "nicecxone-sov1.eu", "UK2": "nicecxone-sov1.uk", "NA2": "nicecxone-gov.com",
    ]

    /// Checks an address that a client gave: either one of the platform's environments by name, in any case of
    /// letters, or URLs. Without a token URL it is derived from the chat URL. Throws `invalidParameter` and
    /// `missingParameter`, with a pointer to the member at fault.
    public init(_ draft: ChannelAddress) throws(ChatError) {
        guard draft.brandID > 0 else {
            throw ChatError(.invalidParameter, "A brand is a positive number.", pointer: "/brandId")
        }
        // It stands in URLs and in the channel's key.
        guard !draft.channelID.isEmpty, draft.channelID.hasSameBytes(as: draft.channelID.percentEncoded) else {
            throw ChatError(
                .invalidParameter, "A channel's id has letters, digits and -._~ only.", pointer: "/channelId")
        }
        brandID = draft.brandID
        channelID = draft.channelID
        if let name = draft.environment {
            let region = name.uppercased()
            guard let domain = Self.regions[region] else {
                let names = Self.regions.keys.sorted().joined(separator: ", ")
                throw ChatError(
                    .invalidParameter, "There is no environment of this name. The environments are: \(names).",
                    pointer: "/environment")
            }
            let name = region.lowercased()
            environment = region
            chat = "https://channels-de-\(name).\(domain)/chat"
            socket = "wss://chat-gateway-de-\(name).\(domain)"
            token = "https://digital-oauth-de-\(name).\(domain)/"
        } else {
            chat = try Self.url(draft.urls["chat"], "chat", ["http", "https"]) ?? ""
            socket = try Self.url(draft.urls["socket"], "socket", ["ws", "wss"]) ?? ""
            for (name, value) in [("chat", chat), ("socket", socket)] where value.isEmpty {
                throw ChatError(
                    .missingParameter, "Either environment or the platform's own URLs are needed.",
                    pointer: "/urls/\(name)")
            }
            token =
                try Self.url(draft.urls["token"], "token", ["http", "https"]).map { $0 + "/" }
                ?? Self.derivedToken(chat)
            environment = "urls" + Self.digest("\(chat) \(socket) \(token ?? "")", bytes: 4)
        }
    }

    /// The URL without slashes at its end; nil if none is given. At most 512 bytes, printable ASCII, without
    /// user, query and fragment.
    private static func url(_ text: String?, _ name: String, _ schemes: [String]) throws(ChatError) -> String? {
        guard var text else { return nil }
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"@#?\"<>\\".utf8.contains($0) }
        guard let scheme, schemes.contains(scheme), isPlain, text.utf8.count <= 512,
            text.utf8.count > scheme.utf8.count + 3
        else {
            let forms = schemes.map { $0 + ":" }.joined(separator: " or ")
            throw ChatError(
                .invalidParameter, "A URL that begins with \(forms) is expected, without user, query and fragment.",
                pointer: "/urls/\(name)")
        }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// The iOS SDK's rule for own hosts: `channels` becomes `digital-oauth`.
    private static func derivedToken(_ chat: String) -> String? {
        guard let end = chat.lastIndex(of: "/"), let range = chat.firstRange(of: "channels") else { return nil }
        let token = chat[..<end].replacingCharacters(in: range, with: "digital-oauth")
        return token.hasPrefix("https://digital-oauth") ? token + "/" : nil
    }

    // MARK: What is where

    /// The platform's own URLs, each with the name that it has in a request. The URL of a socket is given with `http:`
    /// or `https:` in place of `ws:` or `wss:`.
    var named: [(name: String, url: String)] {
        let web = "http" + socket.dropFirst(2)
        return [("chat", chat), ("socket", web)] + (token.map { [("token", $0)] } ?? [])
    }

    /// The origins of the platform's own URLs, as ``CallTarget/origin`` spells them.
    var origins: Set<String> { Set(named.compactMap { (try? CallTarget("GET", $0.url))?.origin }) }

    /// `{chat}/1.0/brand/{b}/channel/{c}`
    var channelURL: String { "\(chat)/1.0/brand/\(brandID)/channel/\(channelID)" }

    /// `https://{host}/web-analytics/1.0/tenants/{b}/visitors/{v}`: at the root of the chat's host.
    func visitorURL(_ visitor: String) -> String {
        let start = chat.firstRange(of: "://")?.upperBound ?? chat.startIndex
        let root = chat[..<(chat[start...].firstIndex(of: "/") ?? chat.endIndex)]
        return "\(root)/web-analytics/1.0/tenants/\(brandID)/visitors/\(visitor)"
    }

    /// `{token}oauth/token?channelId={c}&brandId={b}&visitorId={v}`; nil if the address names no token service.
    func tokenURL(_ visitor: String) -> String? {
        token.map { "\($0)oauth/token?channelId=\(channelID)&brandId=\(brandID)&visitorId=\(visitor)" }
    }
}

extension Substring {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + String(self[range.upperBound...])
    }
}

/// What is settled when the gateway starts.
public struct GatewayConfiguration: Sendable {
    /// Names that a Host header may have besides the loopback ones, with or without a port (`--allow-host`).
    public var allowedHosts: [String] = []
    /// The gateway listens beyond this machine (`--listen-public`): a Host may be any numeric address with its port.
    public var isPublic = false
    /// The folder `web/`; nil serves no pages.
    public var pagesFolder: String?
    /// The DocC catalogue with the guide's articles, whose page `Parley.md` lists them; nil serves no guide.
    public var guideFolder: String?
    /// The file `openapi/openapi.yaml`; nil serves no document.
    public var documentPath: String?
    /// Of Parley, as `/v1/info` and the metrics say it.
    public var version: String
    /// Bytes of a JSON body.
    public var maximumBody = 1 << 20
    /// Failed tries of one address within a minute before it gets 429.
    public var failuresPerMinute = 20
    /// Sessions that one stream may follow.
    public var maximumStreamSessions = 100

    public init(version: String) { self.version = version }
}

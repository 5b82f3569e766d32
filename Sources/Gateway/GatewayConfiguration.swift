/// The settings of the gateway that are fixed from its start to its end.
public struct GatewayConfiguration: Sendable {
    /// Names that a Host header may have besides the loopback names (`--allow-host`). Without a port, a name stands for
    /// all ports.
    public var allowedHosts: [String] = []
    /// Whether the gateway listens beyond this machine (`--listen-public`). If so, a Host header may be any numeric
    /// address with the gateway's port.
    public var isPublic = false
    /// The path of the folder `web/`; nil to serve no pages.
    public var pagesFolder: String?
    /// The DocC catalogue with the guide's articles, whose page `Parley.md` lists them; nil serves no guide.
    public var guideFolder: String?
    /// The path of the file `openapi/openapi.yaml`; nil to serve no API description.
    public var documentPath: String?
    /// The version of Parley, shown by `/v1/info` and the metrics.
    public var version: String
    /// The number of this gateway's turn at a database that several share, shown by the metrics.
    public var fence: Int64?
    /// The most bytes of a JSON body; a larger one gets 413. Files have limits of their own, by channel.
    public var maximumBody = 1 << 20
    /// Failed tokens and launch codes that one address may send within a minute before it gets 429.
    public var failuresPerMinute = 20
    /// Whether `X-Forwarded-Proto` and `X-Forwarded-Host` are believed (`--trust-proxy`).
    public var trustsProxy = false
    /// The users whose requests over the UNIX socket have the rights of the gateway's token when they carry none.
    public var trustedUsers: Set<UInt32> = []
    /// The most sessions that one combined stream (`/v1/events`) may follow.
    public var maximumStreamSessions = 100
    /// The most pages of events that wait at the same time. It is below the server's limit of requests, so that they
    /// leave room for others.
    public var maximumWaitingPages = 2048

    /// How much one session's token may write.
    public var writing = WritingRates()
    /// How often an assistant may call tools.
    public var tools = ToolRates()

    /// What `--demo` shows, for the pages to tell of; nil without it.
    public var demonstration: DemonstrationNote?

    public init(version: String) { self.version = version }
}

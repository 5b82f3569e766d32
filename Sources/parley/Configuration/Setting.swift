import Configuration

/// What can be set, and by which names.
enum Setting: String, CaseIterable {
    case listen, listenPublic = "listen.public", allowHost = "allow.host", trustProxy = "trust.proxy"
    case proxyHops = "proxy.hops"
    case allowOrigin = "allow.origin", customerHost = "customer.host"
    case identityHeader = "identity.header", identityProxy = "identity.proxy"
    case identitySecretFile = "identity.secret.file", identityCreate = "identity.create"
    case data, web, docs, openapi
    case demo, cxoneSandbox = "cxone.sandbox", sendbird, sendbirdSandbox = "sendbird.sandbox"
    case sendbirdStrict = "sendbird.strict", sendbirdChannel = "sendbird.channel", sendbirdToken = "sendbird.token"
    case logLevel = "log.level", logVerbosity = "log.verbosity"
    case bodyLimit = "body.limit", connectionLimit = "connection.limit", streamLimit = "stream.limit"
    case memoryLimit = "memory.limit"
    case streamHeartbeat = "stream.heartbeat", streamStall = "stream.stall"
    case retentionDays = "retention.days", retentionEvents = "retention.events", retentionBytes = "retention.bytes"
    case accountTexts = "account.texts", accountFiles = "account.files"
    case sessionDays = "session.days", auditDays = "audit.days", messageDays = "message.days"
    case syncPace = "sync.pace"
    case maintenance
    case pushContact = "push.contact", pushAllowHost = "push.allow.host"
    case apns, fcm
    case mcp, mcpReads = "mcp.reads", mcpWrites = "mcp.writes"
    case messageBurst = "message.burst", messagesPerHour = "messages.per.hour"
    case threadBurst = "thread.burst", threadsPerHour = "threads.per.hour"
    case uploadBurst = "upload.burst", uploadsPerHour = "uploads.per.hour"
    case changeBurst = "change.burst", changesPerHour = "changes.per.hour"
    case store, storeReaders = "store.readers", storeMemory = "store.memory", gatewayName = "gateway.name"
    case advertise
    case keyFile = "key.file", tokenFile = "token.file"

    /// The name's parts: `log.level` is `--log-level`, `PARLEY_LOG_LEVEL` and {"log": {"level": ...}}.
    var components: [String] { rawValue.split(separator: ".").map(String.init) }
    /// The key in the environment, where the library joins the parts by `_`.
    var key: AbsoluteConfigKey { AbsoluteConfigKey(components) }
    /// `listen` is a value and `listen.public` another, which one JSON object cannot hold: a file writes the flag's
    /// name.
    var fileKey: AbsoluteConfigKey { AbsoluteConfigKey([flag]) }
    /// `log-level`: the flag without its hyphens, and the key in a file.
    var flag: String { components.joined(separator: "-") }
    /// Whether the value opens something, so that it is not shown.
    var isSecret: Bool { self == .sendbirdToken }
    /// `PARLEY_LOG_LEVEL`, for messages.
    var variable: String { "PARLEY_" + components.joined(separator: "_").uppercased() }

    /// What a number may be.
    ///
    /// In the unit of the flag: bytes, counts, seconds, days or milliseconds. Limits of 0 have a meaning of their own:
    /// no streams, no pause, sessions that are never deleted, and no limit an hour.
    var range: ClosedRange<Int> {
        switch self {
        case .proxyHops: 0...16
        case .bodyLimit: 1024...(1 << 30)
        case .connectionLimit: 1...1_000_000
        case .streamLimit: 0...1_000_000
        case .memoryLimit: (16 << 20)...(1 << 50)
        case .streamHeartbeat, .streamStall: 1...3600
        case .retentionDays, .auditDays: 1...36_500
        case .sessionDays, .messageDays: 0...36_500
        case .retentionEvents: 1...1_000_000_000
        case .retentionBytes: (1 << 20)...(1 << 50)
        case .accountTexts, .accountFiles: 1024...(1 << 50)
        case .syncPace: 0...60_000
        case .storeReaders: 1...1000
        case .storeMemory: (1 << 20)...(1 << 40)
        case .mcpReads, .mcpWrites, .messageBurst, .threadBurst, .uploadBurst, .changeBurst: 1...1_000_000
        case .messagesPerHour, .threadsPerHour, .uploadsPerHour, .changesPerHour: 0...100_000_000
        default: Int.min...Int.max
        }
    }

    /// What each source must hold. In the environment a list is one text with commas between its entries.
    var type: ConfigType {
        switch self {
        case .listen, .allowHost, .allowOrigin, .pushAllowHost, .identityProxy: .stringArray
        case .listenPublic, .trustProxy, .demo, .cxoneSandbox, .sendbirdSandbox, .sendbirdStrict: .bool
        case .data, .web, .docs, .openapi, .logLevel, .logVerbosity, .pushContact, .apns, .fcm, .mcp, .sendbird, .store,
            .sendbirdChannel, .sendbirdToken,
            .gatewayName, .advertise, .customerHost, .keyFile, .tokenFile, .identityHeader, .identitySecretFile,
            .identityCreate,
            .maintenance:
            .string
        case .proxyHops, .bodyLimit, .connectionLimit, .streamLimit, .memoryLimit, .streamHeartbeat, .streamStall,
            .retentionDays, .retentionEvents, .retentionBytes, .accountTexts, .accountFiles, .sessionDays, .auditDays,
            .messageDays, .syncPace, .storeReaders, .storeMemory, .mcpReads, .mcpWrites, .messageBurst,
            .messagesPerHour, .threadBurst, .threadsPerHour, .uploadBurst, .uploadsPerHour, .changeBurst,
            .changesPerHour:
            .int
        }
    }
}

/// Where a value came from, strongest first.
enum Origin: String, CaseIterable {
    case flag, environment, file, `default`
}

import ArgumentParser
import Configuration
import Foundation

/// Flags that name the data folder.
///
/// Such flags stand in one group, and not in a group of a group: at each level of groups a debug build of ArgumentParser
/// looks at the flags four times over.
protocol FolderNaming: ParsableArguments {
    var data: String? { get }
    var config: String? { get }
}

extension FolderNaming {
    /// The data folder that a gateway with these flags uses.
    func folder() async throws -> String { try await settings([:]).string(.data) }

    /// The settings from these flags, further flags, the environment and the file of `--config`. Throws
    /// ``SettingsError``.
    func settings(_ others: [Setting: ConfigContent]) async throws -> Settings {
        var flags = others
        flags[.data] = data.map { .string($0) }
        return try await Settings(flags: flags, file: config, environment: ProcessInfo.processInfo.environment)
    }
}

extension ArgumentHelp {
    static let dataFolder = ArgumentHelp("The data folder.", valueName: "folder")
    static let configurationFile = ArgumentHelp("A configuration file (JSON).", valueName: "file")
}

/// The flags of commands that look for a running gateway: where its folder is.
struct FolderFlags: FolderNaming {
    @Option(help: .dataFolder) var data: String?
    @Option(help: .configurationFile) var config: String?
}

/// `parley serve`: runs the gateway until SIGTERM or SIGINT. A fault at the start is printed as one line, and the
/// exit status is 1; 75 (EX_TEMPFAIL of sysexits.h) when another try may succeed.
///
/// Its flags are whatever can be set; `config` has them, too.
/// A flag that is not given stays nil, empty or false, and the next source decides. So a flag without a value can only
/// switch something on. The defaults are in ``Settings``, the ranges of numbers in ``Setting``.
struct Serve: FolderNaming, AsyncParsableCommand {
    @Option(help: ArgumentHelp("Where to listen: ADDRESS:PORT or unix:PATH; may be repeated.", valueName: "address"))
    var listen: [String] = []
    @Flag(name: .customLong("listen-public"), help: "Allow addresses that others can reach.")
    var listenPublic = false
    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp("A further name for the Host header; may be repeated.", valueName: "name"))
    var allowHost: [String] = []
    @Flag(
        name: .customLong("trust-proxy"),
        help: "Believe the X-Forwarded-Proto and X-Forwarded-Host of a proxy in front.")
    var trustProxy = false
    @Option(
        name: .customLong("proxy-hops"),
        help: ArgumentHelp("How many proxies in front append to X-Forwarded-For.", valueName: "count"))
    var proxyHops: Int?
    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("An origin whose pages may use the sessions' API; may be repeated.", valueName: "origin"))
    var allowOrigin: [String] = []
    @Option(
        name: .customLong("customer-host"),
        help: ArgumentHelp("A host on which only customers' pages are there.", valueName: "name"))
    var customerHost: String?
    @Option(
        name: .customLong("identity-header"),
        help: ArgumentHelp("The header in which a proxy names who asks.", valueName: "name"))
    var identityHeader: String?
    @Option(
        name: .customLong("identity-proxy"),
        help: ArgumentHelp("The proxy's numeric address, or unix; may be repeated.", valueName: "address"))
    var identityProxy: [String] = []
    @Option(
        name: .customLong("identity-secret-file"),
        help: ArgumentHelp("A file with the secret that the proxy sends.", valueName: "file"))
    var identitySecretFile: String?
    @Option(
        name: .customLong("identity-create"),
        help: ArgumentHelp("What becomes of somebody whom nobody has added: off or agent.", valueName: "what"))
    var identityCreate: String?
    @Option(help: .dataFolder) var data: String?
    @Option(help: .configurationFile) var config: String?
    @Option(help: ArgumentHelp("The folder of the pages.", valueName: "folder"))
    var web: String?
    @Option(help: ArgumentHelp("The folder of the guide.", valueName: "folder"))
    var docs: String?
    @Option(help: ArgumentHelp("The OpenAPI document.", valueName: "file"))
    var openapi: String?
    @Flag(help: "Show channels with conversations and a bot.")
    var demo = false
    @Flag(
        name: .customLong("cxone-sandbox"),
        help: "Stand in for NICE CXone: serve its protocol in front of the embedded service.")
    var cxoneSandbox = false
    @Option(help: ArgumentHelp("A file with the applications of Sendbird to reach (JSON).", valueName: "file"))
    var sendbird: String?
    @Flag(
        name: .customLong("sendbird-sandbox"),
        help: "Stand in for Sendbird: serve a part of its Platform API in front of the first multi-thread channel.")
    var sendbirdSandbox = false
    @Flag(
        name: .customLong("sendbird-strict"),
        help: "Let Sendbird's sandbox refuse members of a body that no description knows.")
    var sendbirdStrict = false
    @Option(
        name: .customLong("sendbird-channel"),
        help: ArgumentHelp("The multi-thread channel that Sendbird's sandbox serves.", valueName: "id"))
    var sendbirdChannel: String?
    @Option(
        name: .customLong("sendbird-token"),
        help: ArgumentHelp("The token of Sendbird's sandbox; best in PARLEY_SENDBIRD_TOKEN.", valueName: "token"))
    var sendbirdToken: String?
    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel: String?
    @Option(name: .customLong("log-verbosity"), help: ArgumentHelp("simple, medium or full.", valueName: "verbosity"))
    var logVerbosity: String?
    @Option(
        name: .customLong("body-limit"), help: ArgumentHelp("The greatest request body, in bytes.", valueName: "bytes"))
    var bodyLimit: Int?
    @Option(name: .customLong("connection-limit"), help: ArgumentHelp("Connections at a time.", valueName: "count"))
    var connectionLimit: Int?
    @Option(name: .customLong("stream-limit"), help: ArgumentHelp("Event streams at a time.", valueName: "count"))
    var streamLimit: Int?
    @Option(
        name: .customLong("memory-limit"),
        help: ArgumentHelp("What all clients together may hold in memory, in bytes.", valueName: "bytes"))
    var memoryLimit: Int?
    @Option(
        name: .customLong("stream-heartbeat"),
        help: ArgumentHelp("How often a stream sends a heartbeat.", valueName: "seconds"))
    var streamHeartbeat: Int?
    @Option(
        name: .customLong("stream-stall"),
        help: ArgumentHelp("A stream that takes nothing for this time is closed.", valueName: "seconds"))
    var streamStall: Int?
    @Option(
        name: .customLong("retention-days"), help: ArgumentHelp("How long the event log is kept.", valueName: "days"))
    var retentionDays: Int?
    @Option(
        name: .customLong("retention-events"), help: ArgumentHelp("How many events the log keeps.", valueName: "count"))
    var retentionEvents: Int?
    @Option(
        name: .customLong("retention-bytes"),
        help: ArgumentHelp("How many bytes of events the log keeps.", valueName: "bytes"))
    var retentionBytes: Int?
    @Option(
        name: .customLong("account-texts"),
        help: ArgumentHelp("How many bytes of messages the tokens of one customer may keep.", valueName: "bytes"))
    var accountTexts: Int?
    @Option(
        name: .customLong("account-files"),
        help: ArgumentHelp("How many bytes of files the tokens of one customer may keep.", valueName: "bytes"))
    var accountFiles: Int?
    @Option(
        name: .customLong("session-days"),
        help: ArgumentHelp(
            "Sessions that nobody has used for this time are deleted; 0 keeps all.", valueName: "days"))
    var sessionDays: Int?
    @Option(
        name: .customLong("audit-days"),
        help: ArgumentHelp("What administrators did is kept for this time.", valueName: "days"))
    var auditDays: Int?
    @Option(
        name: .customLong("message-days"),
        help: ArgumentHelp(
            "Messages and their files are removed after this time; 0 keeps all.", valueName: "days"))
    var messageDays: Int?
    @Option(
        name: .customLong("sync-pace"),
        help: ArgumentHelp(
            "How long the background waits between two pages of a remote service's history.", valueName: "milliseconds")
    )
    var syncPace: Int?
    @Option(
        name: .customLong("push-contact"),
        help: ArgumentHelp(
            "A contact for push services, mailto: or https:. Apple's needs one.", valueName: "uri"))
    var pushContact: String?
    @Option(
        name: .customLong("push-allow-host"),
        help: ArgumentHelp(
            "The host of a push service with a private address or without https; may be repeated.",
            valueName: "host[:port]"))
    var pushAllowHost: [String] = []
    @Option(help: ArgumentHelp("The apps to whose devices the gateway pushes by APNs (JSON).", valueName: "file"))
    var apns: String?
    @Option(help: ArgumentHelp("The apps to whose devices the gateway pushes by FCM (JSON).", valueName: "file"))
    var fcm: String?
    @Option(
        help: ArgumentHelp(
            "What assistants may do by the Model Context Protocol: off, read or write.", valueName: "access"))
    var mcp: String?
    @Option(
        name: .customLong("message-burst"),
        help: ArgumentHelp("Messages that one session's token may write at once.", valueName: "count"))
    var messageBurst: Int?
    @Option(
        name: .customLong("messages-per-hour"),
        help: ArgumentHelp("Messages that one session's token may write in an hour; 0 is no limit.", valueName: "count")
    )
    var messagesPerHour: Int?
    @Option(
        name: .customLong("thread-burst"),
        help: ArgumentHelp("Threads that one session's token may begin at once.", valueName: "count"))
    var threadBurst: Int?
    @Option(
        name: .customLong("threads-per-hour"),
        help: ArgumentHelp("Threads that one session's token may begin in an hour; 0 is no limit.", valueName: "count"))
    var threadsPerHour: Int?
    @Option(
        name: .customLong("upload-burst"),
        help: ArgumentHelp("Files that one session's token may upload at once.", valueName: "count"))
    var uploadBurst: Int?
    @Option(
        name: .customLong("uploads-per-hour"),
        help: ArgumentHelp("Files that one session's token may upload in an hour; 0 is no limit.", valueName: "count"))
    var uploadsPerHour: Int?
    @Option(
        name: .customLong("change-burst"),
        help: ArgumentHelp("Other changes that one session's token may make at once.", valueName: "count"))
    var changeBurst: Int?
    @Option(
        name: .customLong("changes-per-hour"),
        help: ArgumentHelp(
            "Other changes that one session's token may make in an hour; 0 is no limit.", valueName: "count"))
    var changesPerHour: Int?
    @Option(
        name: .customLong("mcp-reads"),
        help: ArgumentHelp("Calls that only read that an assistant may make in a minute.", valueName: "count"))
    var mcpReads: Int?
    @Option(
        name: .customLong("mcp-writes"),
        help: ArgumentHelp("Other calls that an assistant may make in a minute.", valueName: "count"))
    var mcpWrites: Int?
    @Option(
        help: ArgumentHelp(
            "Where messages are kept: sqlite, in the data folder; or a PostgreSQL database, postgres://..",
            valueName: "store"))
    var store: String?
    @Option(
        name: .customLong("store-readers"),
        help: ArgumentHelp("Connections for reading from PostgreSQL.", valueName: "count"))
    var storeReaders: Int?
    @Option(
        name: .customLong("store-memory"),
        help: ArgumentHelp("What the writer keeps of busy threads and customers, in bytes.", valueName: "bytes"))
    var storeMemory: Int?
    @Option(
        name: .customLong("gateway-name"),
        help: ArgumentHelp(
            "This gateway's name among those of one PostgreSQL database; host and port without it.", valueName: "name"))
    var gatewayName: String?
    @Option(
        name: .customLong("advertise"),
        help: ArgumentHelp(
            "Pass requests on to the active gateway while another one is it, and let the others reach this one there; listen is its first address.",
            valueName: "url"))
    var advertise: String?
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with the key of session tokens, instead of one of the gateway's own: gateways of one database share it.",
            valueName: "file"))
    var keyFile: String?
    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp("A file with the gateway's token, instead of one of its own.", valueName: "file"))
    var tokenFile: String?

    @Option(
        name: .customLong("maintenance"),
        help: ArgumentHelp(
            "Let nobody change conversations, for planned work, and tell them this. SIGHUP reads it anew.",
            valueName: "note"))
    var maintenance: String?

    /// The settings, as flags, environment, file and defaults give them.
    ///
    /// Throws ``SettingsError``, whose text is for whoever started the command.
    func settings() async throws -> Settings {
        var flags: [Setting: ConfigContent] = [:]
        if !listen.isEmpty { flags[.listen] = .stringArray(listen) }
        if listenPublic { flags[.listenPublic] = .bool(true) }
        if trustProxy { flags[.trustProxy] = .bool(true) }
        if !allowHost.isEmpty { flags[.allowHost] = .stringArray(allowHost) }
        if !allowOrigin.isEmpty { flags[.allowOrigin] = .stringArray(allowOrigin) }
        if !identityProxy.isEmpty { flags[.identityProxy] = .stringArray(identityProxy) }
        if !pushAllowHost.isEmpty { flags[.pushAllowHost] = .stringArray(pushAllowHost) }
        if demo { flags[.demo] = .bool(true) }
        if cxoneSandbox { flags[.cxoneSandbox] = .bool(true) }
        if sendbirdSandbox { flags[.sendbirdSandbox] = .bool(true) }
        if sendbirdStrict { flags[.sendbirdStrict] = .bool(true) }
        for (setting, text) in [
            (.web, web), (.docs, docs), (.openapi, openapi), (.logLevel, logLevel), (.logVerbosity, logVerbosity),
            (.pushContact, pushContact), (.apns, apns), (.fcm, fcm), (.mcp, mcp), (.sendbird, sendbird),
            (.sendbirdChannel, sendbirdChannel), (.sendbirdToken, sendbirdToken),
            (.identityHeader, identityHeader), (.identitySecretFile, identitySecretFile),
            (.identityCreate, identityCreate), (.customerHost, customerHost),
            (.store, store), (.gatewayName, gatewayName), (.advertise, advertise), (.keyFile, keyFile),
            (.tokenFile, tokenFile),
            (.maintenance, maintenance),
        ] as [(Setting, String?)] {
            flags[setting] = text.map { .string($0) }
        }
        for (setting, number) in [
            (.proxyHops, proxyHops), (.bodyLimit, bodyLimit), (.connectionLimit, connectionLimit),
            (.streamLimit, streamLimit),
            (.memoryLimit, memoryLimit),
            (.streamHeartbeat, streamHeartbeat), (.streamStall, streamStall),
            (.retentionDays, retentionDays), (.retentionEvents, retentionEvents),
            (.retentionBytes, retentionBytes), (.accountTexts, accountTexts), (.accountFiles, accountFiles),
            (.sessionDays, sessionDays), (.auditDays, auditDays), (.messageDays, messageDays),
            (.syncPace, syncPace), (.storeReaders, storeReaders), (.storeMemory, storeMemory),
            (.mcpReads, mcpReads), (.mcpWrites, mcpWrites),
            (.messageBurst, messageBurst), (.messagesPerHour, messagesPerHour), (.threadBurst, threadBurst),
            (.threadsPerHour, threadsPerHour), (.uploadBurst, uploadBurst), (.uploadsPerHour, uploadsPerHour),
            (.changeBurst, changeBurst), (.changesPerHour, changesPerHour),
        ] as [(Setting, Int?)] {
            flags[setting] = number.map { .int($0) }
        }
        return try await settings(flags)
    }
}

import ChatStore
import Formats
import Gateway
import Logging
import Synchronization

/// Reads a process's settings anew, and knows what a running gateway follows of them. Any thread may use it.
final class SettingsReloads: Sendable {
    private let known: Mutex<Settings>
    private let log: LogOutput
    private let read: @Sendable () async throws -> Settings

    /// - Parameters:
    ///   - settings: those of the start.
    ///   - read: reads all sources again.
    init(_ settings: Settings, log: LogOutput, read: @escaping @Sendable () async throws -> Settings) {
        known = Mutex(settings)
        self.log = log
        self.read = read
    }

    /// The gateway's tokens of the last time; nil before ``begin(with:)``.
    private let tokens = Mutex<[[UInt8]]?>(nil)

    /// The process has begun with these tokens of the gateway.
    func begin(with tokens: [[UInt8]]) { self.tokens.withLock { $0 = tokens } }

    private struct Turn {
        var isTaken = false
        var isAskedAgain = false
    }
    private let turn = Mutex(Turn())

    /// Runs a reload in a task of its own, behind the one that runs. Further ones that are asked for meanwhile are one.
    func soon(_ reload: @escaping @Sendable () async -> Void) {
        let begins = turn.withLock { turn in
            if turn.isTaken { turn.isAskedAgain = true }
            defer { turn.isTaken = true }
            return !turn.isTaken
        }
        guard begins else { return }
        Task {
            repeat {
                await reload()
            } while turn.withLock { turn in
                turn.isTaken = turn.isAskedAgain
                turn.isAskedAgain = false
                return turn.isTaken
            }
        }
    }

    /// The settings of the last time that they could be used.
    var current: Settings { known.withLock { $0 } }

    /// Reads the settings and the gateway's tokens, applies what has changed, and logs the names: of what holds from
    /// now on, and of what takes effect at the next start. A value that cannot be used changes nothing at all, and the
    /// log says why.
    ///
    /// A setting that is the same as before is left alone. So a level of the log that `PUT /v1/log` has set stays.
    ///
    /// One task at a time calls it.
    func reload(
        in folder: DataFolder, shop: Set<String> = [],
        _ follow: (Settings, GatewayRules, _ tokens: [[UInt8]]) async throws -> Void
    ) async {
        let logger = log.logger("settings")
        do {
            let (old, new) = (current, try await read())
            let changed = Setting.allCases.filter { new[$0].content != old[$0].content }
            let rules = try GatewayRules(new, shop: shop)
            let (level, verbosity) = try LogOutput.values(new)
            let present = tokens.withLock { $0 }
            let tokens = try folder.tokens(new, after: present)
            try await follow(new, rules, tokens)
            begin(with: tokens)
            log.set(
                level: changed.contains(.logLevel) ? level : nil,
                verbosity: changed.contains(.logVerbosity) ? verbosity : nil)
            known.withLock { $0 = new }
            func names(_ isFollowed: Bool) -> String {
                changed.filter { $0.isFollowed == isFollowed }.map(\.flag).joined(separator: ", ")
            }
            let followed = [names(true), present == tokens ? "" : "the gateway's tokens"].filter { !$0.isEmpty }
            logger.notice(
                "the settings were read anew", metadata: ["changed": "\(followed.joined(separator: ", "))"])
            if !names(false).isEmpty {
                logger.warning("settings take effect at the next start", metadata: ["changed": "\(names(false))"])
            }
        } catch {
            logger.error("the settings were not read anew", metadata: ["error": "\(error)"])
        }
    }
}

extension Setting {
    /// Whether a running gateway follows the setting when the settings are read anew. Any other takes effect at the
    /// next start.
    var isFollowed: Bool {
        switch self {
        case .maintenance, .allowHost, .allowOrigin, .logLevel, .logVerbosity, .retentionDays, .retentionEvents,
            .retentionBytes,
            .accountTexts, .accountFiles, .sessionDays, .auditDays, .messageDays, .messageBurst, .messagesPerHour,
            .threadBurst,
            .threadsPerHour, .uploadBurst, .uploadsPerHour, .changeBurst, .changesPerHour:
            true
        default: false
        }
    }
}

extension DataFolder {
    /// The gateway's tokens, the present one first: two while one is exchanged for another.
    func tokens(_ settings: Settings) throws -> [[UInt8]] {
        try secrets("token", from: settings.string(.tokenFile))
    }

    /// The same for a gateway that runs. Throws ``DataFolderError`` for a file that is missing, or that has none of the
    /// tokens of before: all who use the gateway would be shut out, and probably nobody meant that.
    func tokens(_ settings: Settings, after present: [[UInt8]]?) throws -> [[UInt8]] {
        guard let present else { return try tokens(settings) }
        guard try Self.knownSecrets("token", in: path) != nil else {
            throw DataFolderError("\(path)/token is missing. Restore it, or start the gateway again for a new one.")
        }
        let tokens = try tokens(settings)
        guard tokens.contains(where: present.contains) else {
            throw DataFolderError(
                "\(path)/token has none of the tokens of now. Keep one of them, or start the gateway again.")
        }
        return tokens
    }
}

extension GatewayService {
    /// Reads the settings anew, and follows them as far as a running gateway can.
    func reload() async {
        await reloads.reload(in: folder, shop: Set(shop?.origins ?? [])) { settings, rules, tokens in
            // First, for this alone may fail.
            if let standby { try await standby.keep(tokens, in: store) }
            application.replaceGatewayTokens(tokens.map(Base64URL.encode))
            application.follow(rules)
            store.retention = Retention(settings)
            store.quotas = AccountQuotas(settings)
        }
    }
}

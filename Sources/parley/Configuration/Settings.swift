import Assistants
import Bounds
import ChatModel
import Configuration
import Formats
import Foundation
import Gateway
import SystemPackage

/// All settings, each with its origin: flags, then the environment, then the file, then defaults.
struct Settings {
    /// A setting's value and where it came from, as `parley config` prints it.
    struct Value {
        var content: ConfigContent
        var origin: Origin
    }

    /// Has an entry for each setting.
    private let values: [Setting: Value]

    /// Throws ``SettingsError`` for a file that cannot be read or holds unknown keys, and for values of the wrong kind.
    ///
    /// - Parameters:
    ///   - flags: what the command line sets; the strongest source.
    ///   - file: the path of `--config`; nil means the one in `PARLEY_CONFIG`, if any. A named file must exist.
    ///   - environment: the process's variables. An unknown variable that begins with `PARLEY_` is ignored.
    init(flags: [Setting: ConfigContent], file: String?, environment: [String: String]) async throws {
        var values: [Setting: Value] = [:]
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "parley")
        let filed = try await Self.file(file ?? environment["PARLEY_CONFIG"])
        for setting in Setting.allCases {
            if let flag = flags[setting] {
                values[setting] = Value(content: flag, origin: .flag)
            } else if let value = try Self.value(of: setting, in: variables, at: setting.key, name: setting.variable) {
                values[setting] = Value(content: value, origin: .environment)
            } else if let filed,
                let value = try Self.value(of: setting, in: filed, at: setting.fileKey, name: setting.flag)
            {
                values[setting] = Value(content: value, origin: .file)
            } else {
                values[setting] = Value(content: Self.standard(setting, environment), origin: .default)
            }
        }
        for (setting, value) in values {
            // Swift reads what is not UTF-8 as U+FFFD. As a path this would be another file.
            if case .string(let text) = value.content, text.unicodeScalars.contains("\u{FFFD}") {
                throw SettingsError("\(setting.flag) must be UTF-8, and \(text.shownSafely) was not.")
            }
            guard case .int(let number) = value.content, !setting.range.contains(number) else { continue }
            throw SettingsError(
                "\(setting.flag) must be from \(setting.range.lowerBound) to \(setting.range.upperBound), not \(number)."
            )
        }
        self.values = values
        try checkBodiesFit()
    }

    /// Throws ``SettingsError`` for a limit of bodies that a session's token could never use up, because its share of
    /// the memory is smaller.
    private func checkBodiesFit() throws(SettingsError) {
        let (body, memory) = (number(.bodyLimit), number(.memoryLimit))
        let share = SharedPlaces(limit: memory).share(of: .named(""))
        guard body > share else { return }
        throw SettingsError(
            """
            \(Setting.bodyLimit.flag) must be at most \(share), an eighth of \(Setting.memoryLimit.flag), not \(body): \
            one session's token may hold no more. For such bodies set \(Setting.memoryLimit.flag) to at least \(8 * body).
            """)
    }

    /// The value of a setting with its origin.
    subscript(setting: Setting) -> Value { values[setting] ?? Value(content: .string(""), origin: .default) }

    /// The text of a setting whose type is a text; "" for any other. The three functions below do the same for theirs.
    func string(_ setting: Setting) -> String {
        if case .string(let string) = self[setting].content { string } else { "" }
    }

    func strings(_ setting: Setting) -> [String] {
        if case .stringArray(let strings) = self[setting].content { strings } else { [] }
    }

    func flag(_ setting: Setting) -> Bool {
        if case .bool(let flag) = self[setting].content { flag } else { false }
    }

    func number(_ setting: Setting) -> Int {
        if case .int(let number) = self[setting].content { number } else { 0 }
    }

    /// Throws ``SettingsError`` if one of these settings was given, and the part that reads it was not built in.
    func refuse(_ settings: [Setting], part: String) throws(SettingsError) {
        guard let given = settings.first(where: { self[$0].origin != .default }) else { return }
        throw SettingsError(
            "This parley was built without \(part), so it cannot use --\(given.flag). Build it without --disable-default-traits."
        )
    }

    /// A setting's value in one source; nil if the source does not name it. Throws ``SettingsError`` with the name by
    /// which that source knows the setting.
    private static func value(
        of setting: Setting, in provider: some ConfigProvider, at key: AbsoluteConfigKey, name: String
    ) throws -> ConfigContent? {
        do {
            return try provider.value(forKey: key, type: setting.type).value?.content
        } catch {
            throw SettingsError("\(name) must be \(setting.type.words).")
        }
    }

    /// Reads the configuration file; nil without a path. Unknown keys are refused, so that a misspelt one is not
    /// overlooked.
    private static func file(_ path: String?) async throws -> FileProvider<JSONSnapshot>? {
        guard let path else { return nil }
        do {
            let members = try JSONParser.parse(Array(Data(contentsOf: URL(fileURLWithPath: path)))).members
            guard let members else { throw SettingsError("The configuration file \(path) must hold a JSON object.") }
            let known = Set(Setting.allCases.map(\.flag))
            if let unknown = members.first(where: { !known.contains($0.name) }) {
                throw SettingsError("The configuration file \(path) has an unknown key: \(unknown.name).")
            }
            return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        } catch let error as JSONSyntaxError {
            throw SettingsError("The configuration file \(path) is not JSON: \(error.reason) (byte \(error.offset)).")
        } catch let error as SettingsError {
            throw error
        } catch {
            throw SettingsError("The configuration file \(path) cannot be read.")
        }
    }

    /// The default of a setting. Pages, guide and document are searched beside the executable; "" means that none is
    /// served.
    private static func standard(_ setting: Setting, _ environment: [String: String]) -> ConfigContent {
        switch setting {
        case .listen: .stringArray(["127.0.0.1:8787"])
        case .allowHost, .allowOrigin, .pushAllowHost, .identityProxy: .stringArray([])
        case .listenPublic, .trustProxy, .demo, .cxoneSandbox, .sendbirdSandbox, .sendbirdStrict: .bool(false)
        case .data: .string(dataFolder(environment))
        case .web: .string(folder(of: "web/index.html"))
        case .docs: .string(folder(of: "Sources/parley/Parley.docc/Parley.md", installed: "docs/Parley.md"))
        case .openapi: .string(Resources.find("openapi/openapi.yaml") ?? "")
        case .logLevel: .string("info")
        case .logVerbosity: .string("simple")
        case .proxyHops: .int(0)
        case .bodyLimit: .int(1 << 20)
        case .connectionLimit: .int(16384)
        case .streamLimit: .int(12000)
        case .memoryLimit: .int(ByteBound.memory.bytes)
        case .streamHeartbeat: .int(15)
        case .streamStall: .int(60)
        case .retentionDays: .int(7)
        case .retentionEvents: .int(1_000_000)
        case .retentionBytes: .int(ByteBound.log.bytes)
        case .accountTexts: .int(ByteBound.accountTexts.bytes)
        case .accountFiles: .int(ByteBound.accountFiles.bytes)
        case .sessionDays: .int(0)
        case .auditDays: .int(365)
        case .messageDays: .int(0)
        case .identityHeader, .identitySecretFile: .string("")
        case .identityCreate: .string("off")
        case .syncPace: .int(100)
        case .pushContact, .apns, .fcm, .sendbird: .string("")
        case .mcp: .string("off")
        case .mcpReads: .int(ToolRates().readsPerMinute)
        case .mcpWrites: .int(ToolRates().writesPerMinute)
        case .messageBurst: .int(WritingRates().messages.burst)
        case .messagesPerHour: .int(WritingRates().messages.perHour)
        case .threadBurst: .int(WritingRates().threads.burst)
        case .threadsPerHour: .int(WritingRates().threads.perHour)
        case .uploadBurst: .int(WritingRates().uploads.burst)
        case .uploadsPerHour: .int(WritingRates().uploads.perHour)
        case .changeBurst: .int(WritingRates().changes.burst)
        case .changesPerHour: .int(WritingRates().changes.perHour)
        case .store: .string("sqlite")
        case .storeReaders: .int(8)
        case .storeMemory: .int(ByteBound.hotRows.bytes)
        case .gatewayName, .advertise, .customerHost, .keyFile, .tokenFile, .maintenance, .sendbirdChannel,
            .sendbirdToken:
            .string("")
        }
    }

    /// The folder in which a file of the repository or the installation is; empty if it cannot be found.
    private static func folder(of name: String, installed: String? = nil) -> String {
        Resources.find(name, installed: installed).map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) } ?? ""
    }

    /// Where XDG says that a user's data belongs.
    static func dataFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/parley" }
        return (environment["HOME"] ?? "/var/lib") + "/.local/share/parley"
    }
}

/// A setting that cannot be used. The text says which setting or file is wrong, and what it must be.
struct SettingsError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension ConfigType {
    fileprivate var words: String {
        switch self {
        case .int: "a whole number"
        case .bool: "true or false"
        case .stringArray: "a list of texts"
        default: "a text"
        }
    }
}

/// The files that the gateway serves, searched from the executable's folder upwards.
private enum Resources {
    /// The path of a file; nil if there is none. It may be in the repository, with the executable in
    /// `.build/debug`, or in an installation, which has `bin/parley` and `share/parley`.
    ///
    /// The nearest folder wins. Only Linux is supported: the executable's place is read from `/proc/self/exe`.
    ///
    /// - Parameter installed: its name below `share/parley`, if that is another.
    static func find(_ name: String, installed: String? = nil) -> String? {
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        while folder.path != "/" {
            for candidate in [
                folder.appendingPathComponent(name),
                folder.appendingPathComponent("share/parley/" + (installed ?? name)),
            ]
            where FileManager.default.isReadableFile(atPath: candidate.path) {
                return candidate.path
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}

extension IdentityProxy {
    /// The proxy that the settings name; nil when they name none. Throws ``SettingsError``.
    static func from(_ settings: Settings) throws(SettingsError) -> IdentityProxy? {
        let (header, proxies) = (settings.string(.identityHeader), settings.strings(.identityProxy))
        let file = settings.string(.identitySecretFile)
        guard !header.isEmpty || !proxies.isEmpty || !file.isEmpty else { return nil }
        guard !header.isEmpty, !proxies.isEmpty else {
            throw SettingsError("identity-header, identity-proxy and identity-secret-file go together.")
        }
        let create = settings.string(.identityCreate)
        guard ["off", "agent"].contains(create) else {
            throw SettingsError("identity-create must be one of off, agent.")
        }
        do {
            return try IdentityProxy(
                header: header, proxies: proxies, secret: try secret(file), users: [geteuid(), 0],
                isCreating: create == "agent")
        } catch let error as Refusal {
            throw SettingsError("The proxy that signs people in cannot be: \(error.detail)")
        } catch {
            throw SettingsError("The file \(file) of identity-secret-file cannot be read.")
        }
    }

    /// The text of the file, without the line's end; nil without a file.
    private static func secret(_ file: String) throws -> String? {
        if file.isEmpty { return nil }
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

import Foundation
import Gateway

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

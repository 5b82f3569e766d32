import Bounds
import ChatStore
import Foundation
import Gateway

extension GatewayRules {
    /// The rules of these settings. Throws ``SettingsError`` for an origin that is none, and for a note that is too
    /// long.
    ///
    /// - Parameter shop: the origins of the demonstration's shop.
    init(_ settings: Settings, shop: Set<String>) throws(SettingsError) {
        self.init()
        let customerHost = settings.string(.customerHost)
        allowedHosts = settings.strings(.allowHost) + (customerHost.isEmpty ? [] : [customerHost])
        for text in settings.strings(.allowOrigin) {
            guard let origin = GatewayConfiguration.origin(text) else {
                throw SettingsError("--allow-origin needs an origin such as http://localhost:3000, not \(text).")
            }
            allowedOrigins.insert(origin)
        }
        allowedOrigins.formUnion(shop)
        // Whoever can read the folder's token may do everything anyway: its owner and root. But behind a proxy it is
        // the proxy's user who asks, whoever the client is.
        let isBehindProxy =
            settings.flag(.trustProxy) || !allowedHosts.isEmpty || !settings.string(.identityHeader).isEmpty
        trustedUsers = isBehindProxy ? [] : [geteuid(), 0]
        writing = WritingRates(settings)
        auditDays = settings.number(.auditDays)
        sessionDays = settings.number(.sessionDays)
        messageDays = settings.number(.messageDays)
        maintenance = settings.string(.maintenance)
        guard maintenance.utf8.count <= Self.longestNote else {
            throw SettingsError(
                "maintenance must have at most \(Self.longestNote) bytes, not \(maintenance.utf8.count).")
        }
    }

    /// Of the note on maintenance, in bytes. It stands in every refused answer.
    private static let longestNote = 500
}

extension WritingRates {
    fileprivate init(_ settings: Settings) {
        self.init()
        messages = Rate(burst: settings.number(.messageBurst), perHour: settings.number(.messagesPerHour))
        threads = Rate(burst: settings.number(.threadBurst), perHour: settings.number(.threadsPerHour))
        uploads = Rate(burst: settings.number(.uploadBurst), perHour: settings.number(.uploadsPerHour))
        changes = Rate(burst: settings.number(.changeBurst), perHour: settings.number(.changesPerHour))
    }
}

extension Retention {
    /// How long these settings keep the log.
    init(_ settings: Settings) {
        self.init()
        maximumAgeInMilliseconds = Int64(settings.number(.retentionDays)) * 86_400_000
        maximumCount = Int64(settings.number(.retentionEvents))
        maximumBytes = Int64(settings.number(.retentionBytes))
    }
}

extension AccountQuotas {
    /// How much these settings let one account keep.
    init(_ settings: Settings) {
        self.init()
        texts = Int64(settings.number(.accountTexts))
        files = Int64(settings.number(.accountFiles))
    }
}

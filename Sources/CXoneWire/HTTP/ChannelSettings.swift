/// The part `settings` of a channel's configuration.
public struct ChannelSettings: Sendable, Hashable {
    /// A customer may have many threads.
    public var hasMultipleThreadsPerEndUser: Bool
    public var isProactiveChatEnabled: Bool
    /// `liveChatAllowTranscript`
    public var isTranscriptAllowed: Bool
    /// Of Android and web clients; iOS looks at the feature of that name.
    public var securedSessions: Bool?
    public var fileRestrictions: WireFileRestrictions?
    /// A feature that isn't named is on; values that are no booleans are passed over.
    public var features: [String: Bool]
    public var pushNotifications: WirePushNotifications?

    public init(
        hasMultipleThreadsPerEndUser: Bool, isProactiveChatEnabled: Bool = false, isTranscriptAllowed: Bool = false,
        securedSessions: Bool?, fileRestrictions: WireFileRestrictions?, features: [String: Bool] = [:],
        pushNotifications: WirePushNotifications? = nil
    ) {
        self.hasMultipleThreadsPerEndUser = hasMultipleThreadsPerEndUser
        self.isProactiveChatEnabled = isProactiveChatEnabled
        self.isTranscriptAllowed = isTranscriptAllowed
        self.securedSessions = securedSessions
        self.fileRestrictions = fileRestrictions
        self.features = features
        self.pushNotifications = pushNotifications
    }

    public func isOn(_ feature: String) -> Bool { features[feature] ?? true }
}

extension ChannelSettings: WireReadable, WireWritable {
    public init(_ value: WireValue) throws(WireError) {
        hasMultipleThreadsPerEndUser = try value.required("hasMultipleThreadsPerEndUser")
        isProactiveChatEnabled = try value.optional("isProactiveChatEnabled") ?? false
        isTranscriptAllowed = try value.optional("liveChatAllowTranscript") ?? false
        securedSessions = try value.optional("securedSessions")
        fileRestrictions = try value.optional("fileRestrictions")
        features = [:]
        for (name, value) in value["features"]?.members ?? [] {
            features[name] = try? Bool(value)
        }
        pushNotifications = try value.optional("pushNotifications")
    }

    /// `securedSessions` in both places where clients look for it.
    public func write(to writer: inout WireWriter) {
        var features = features
        if let securedSessions { features["securedSessions"] = features["securedSessions"] ?? securedSessions }
        writer.object { writer in
            writer.member("hasMultipleThreadsPerEndUser", hasMultipleThreadsPerEndUser)
            writer.member("isProactiveChatEnabled", isProactiveChatEnabled)
            writer.member("liveChatAllowTranscript", isTranscriptAllowed)
            writer.member("securedSessions", ifPresent: securedSessions)
            writer.member("fileRestrictions", ifPresent: fileRestrictions)
            writer.object("features") { writer in
                for (name, isOn) in features.sorted(by: { $0.key < $1.key }) {
                    writer.name(name)
                    isOn.write(to: &writer)
                }
            }
            writer.member("pushNotifications", ifPresent: pushNotifications)
        }
    }
}

import ChatModel
import ChatStore
import Formats

/// A device whose pushes come from the platform of its session, and not from Parley. The store keeps it as JSON.
public struct PlatformDevice: CanonicalJSON, Hashable {
    /// The push service of the app's system: `apns` or `fcm`.
    public var kind: TargetKind
    /// The app's address at its system's push service: a secret.
    public var token: String
    /// The system's name as the device tells it; nil where nothing is known but ``kind``.
    public var os: String?
    public var osVersion: String?

    public init(kind: TargetKind = .apns, token: String, os: String?, osVersion: String?) {
        self.kind = kind
        self.token = token
        self.os = os
        self.osVersion = osVersion
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", kind == .apns ? nil : kind.rawValue)
        json.member("platformToken", token)
        json.member("os", os)
        json.member("osVersion", osVersion)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        // Devices of before there was another kind have no such member.
        kind = json["kind"]?.string.flatMap(TargetKind.init) ?? .apns
        token = try json.requiredString("platformToken")
        os = json["os"]?.string
        osVersion = json["osVersion"]?.string
    }
}

/// What the gateway's push service must know of the platforms behind accounts. ``Sessions`` implements it: sessions
/// know their services.
public protocol DevicePlatforms: Sendable {
    /// Whether the account's platform pushes to apps itself.
    func pushesToApps(of account: Int64) async throws(ChatError) -> Bool
    /// Tells the account's platform which device it is to push to, if that is another one than it was told last.
    ///
    /// A platform that cannot be reached is told later: when the session connects, and with each message.
    func tellDevice(of account: Int64) async
}

extension Sessions: DevicePlatforms {
    public func pushesToApps(of account: Int64) async throws(ChatError) -> Bool {
        try await platform(of: account)?.service.pushesToApps ?? false
    }

    public func tellDevice(of account: Int64) async {
        guard let (service, record) = try? await platform(of: account), service.pushesToApps else { return }
        try? await service.tellDevice(of: record)
    }

    private func platform(
        of account: Int64
    ) async throws(ChatError) -> (service: any ChatService, record: AccountRecord)? {
        let record = try await store.read { try $0.account(account) }
        return services.first { !record.isErased && $0.id == record.key.service }.map { ($0, record) }
    }
}

extension ReadTransaction {
    /// The device to which the platform of an account is to push; nil where it is to push to none.
    public func deviceForPlatform(of account: Int64) throws -> PlatformDevice? {
        try platformDevice(of: account).map { try PlatformDevice(canonicalJSON: $0.settings) }
    }
}

import ChatModel
import Formats

/// Reads the file of `--apns`: the apps that the gateway may push to.
///
///     [{"topic": "com.example.app", "team": "DEF123GHIJ", "key id": "ABC123DEFG", "key": "AuthKey_ABC123DEFG.p8",
///       "environment": "production", "channels": ["main"], "url": "https://localhost:8443", "ca": "ca.pem"}]
///
/// `channels`, `url` and `ca` may be absent; `ca` is for a `url` alone, for the system knows who signs
/// Apple's certificates. Two apps with one topic must not have a channel in common: a device names its topic alone.
package enum APNsAppsFile {
    package static let maximumLength = 64 * 1024
    package static let maximumApps = 100

    /// Throws ``InvalidMembers`` with all that is wrong. The files of the keys are not looked at.
    package static func parse(_ bytes: [UInt8]) throws(InvalidMembers) -> [APNsApp] {
        func refusal(_ reason: String) -> InvalidMembers { InvalidMembers([.init(pointer: "", reason: reason)]) }
        guard bytes.count <= maximumLength else { throw refusal("The file has more than \(maximumLength) bytes.") }
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw refusal("The file is not JSON: at byte \(error.offset), \(error.reason).")
        }
        guard let items = json.array else { throw refusal("An array is expected, but this is \(json.kind).") }
        guard (1...maximumApps).contains(items.count) else { throw refusal("1 to \(maximumApps) apps are expected.") }
        var faults: [InvalidMembers.Fault] = []
        var apps: [APNsApp] = []
        for (index, item) in items.enumerated() {
            var reader = MemberReader(pointer: "/\(index)")
            if let app = app(item, &reader) {
                if apps.contains(where: { $0.topic == app.topic && $0.sharesChannel(with: app) }) {
                    reader.refuse("/topic", "An earlier app has the same topic, and a channel in common with this one.")
                }
                apps.append(app)
            }
            faults += reader.faults
        }
        guard faults.isEmpty else { throw InvalidMembers(faults) }
        return apps
    }

    private static let names: Set<String> = ["topic", "team", "key id", "key", "environment", "channels", "url", "ca"]

    private static func app(_ json: JSONValue, _ reader: inout MemberReader) -> APNsApp? {
        guard let members = json.members else {
            reader.refuse("", "An object is expected, but this is \(json.kind).")
            return nil
        }
        for member in members where !names.contains(member.name) {
            reader.refuse(MemberReader.pointer(to: member.name), "There is no such member.")
        }
        let topic = reader.read("/topic", json["topic"], Self.topic)
        let team = reader.read("/team", json["team"], Self.identifier)
        let keyID = reader.read("/key id", json["key id"], Self.identifier)
        let keyPath = reader.read("/key", json["key"]) { value throws(MemberReader.Refusal) in
            try path(value, of: "a .p8 file")
        }
        let environment = reader.read("/environment", json["environment"], Self.environment)
        let channels = reader.readOptional("/channels", json["channels"], Self.channels)
        let url = reader.readOptional("/url", json["url"], Self.url)
        let caPath = reader.readOptional("/ca", json["ca"]) { value throws(MemberReader.Refusal) in
            guard url != nil else { throw .init("ca is allowed only together with url, which is missing.") }
            return try path(value, of: "a PEM file")
        }
        guard reader.faults.isEmpty, let topic, let team, let keyID, let keyPath, let environment else { return nil }
        return APNsApp(
            topic: topic, team: team, keyID: keyID, keyPath: keyPath, environment: environment, channels: channels,
            url: url ?? environment.url, caPath: caPath)
    }

    private static func string(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        guard let text = value.string else { throw .init("A string is expected, but this is \(value.kind).") }
        return text
    }

    private static func topic(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try string(value)
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isAlphanumeric || "-._".utf8.contains($0) })
        else {
            throw .init("A bundle id is expected: 1 to 255 letters, digits, dots and hyphens.")
        }
        return text
    }

    private static func identifier(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try string(value)
        guard text.utf8.count == 10, text.utf8.allSatisfy({ $0.isAlphanumeric }) else {
            throw .init("An id of 10 letters and digits is expected.")
        }
        return text
    }

    private static func path(_ value: JSONValue, of file: String) throws(MemberReader.Refusal) -> String {
        let text = try string(value)
        guard (1...4095).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw .init("The path of \(file) is expected.")
        }
        return text
    }

    private static func environment(_ value: JSONValue) throws(MemberReader.Refusal) -> APNsApp.Environment {
        guard let environment = APNsApp.Environment(rawValue: try string(value)) else {
            throw .init("production or sandbox is expected.")
        }
        return environment
    }

    private static func channels(_ value: JSONValue) throws(MemberReader.Refusal) -> [String] {
        let ids = value.array?.compactMap(\.string) ?? []
        guard !ids.isEmpty, ids.count == value.array?.count,
            ids.allSatisfy({ (1...128).contains($0.utf8.count) })
        else {
            throw .init("An array of at least one channel's id is expected.")
        }
        return ids
    }

    private static func url(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try string(value)
        do throws(AddressRefusal) {
            let url = try TargetAddress(text, schemes: [.https], maximumLength: 512)
            guard url.pathAndQuery == "/" else { throw AddressRefusal("The URL must not have a path or a query.") }
            return url.origin
        } catch {
            throw .init(error.detail)
        }
    }
}

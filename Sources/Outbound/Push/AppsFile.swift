import ChatModel
import Formats
import HTTPClientPort

/// Reads a file of apps to which the gateway may push: an array with an object for each. What all kinds have is read
/// here; the rest is the kind's own.
///
/// Two apps of one name must not have a channel in common: a device tells the name alone.
package enum AppsFile {
    package static let maximumLength = 64 * 1024
    package static let maximumApps = 100

    /// Throws ``InvalidMembers`` with all that is wrong.
    ///
    /// - Parameters:
    ///   - members: the names that an app's object may have.
    ///   - read: reads an app, and notes what is wrong with it.
    static func parse<App: ConfiguredApp>(
        _ bytes: [UInt8], members: Set<String>, _ read: (JSONValue, inout MemberReader) -> App?
    ) throws(InvalidMembers) -> [App] {
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
        var apps: [App] = []
        for (index, item) in items.enumerated() {
            var reader = MemberReader(pointer: "/\(index)")
            if let app = object(item, members, &reader, read) {
                if apps.contains(where: { $0.name == app.name && $0.sharesChannel(with: app) }) {
                    let member = App.kind.nameMember
                    reader.refuse(
                        "/\(member)", "An earlier app has the same \(member), and a channel in common with this one.")
                }
                apps.append(app)
            }
            faults += reader.faults
        }
        guard faults.isEmpty else { throw InvalidMembers(faults) }
        return apps
    }

    private static func object<App>(
        _ json: JSONValue, _ names: Set<String>, _ reader: inout MemberReader,
        _ read: (JSONValue, inout MemberReader) -> App?
    ) -> App? {
        guard let members = json.members else {
            reader.refuse("", "An object is expected, but this is \(json.kind).")
            return nil
        }
        for member in members where !names.contains(member.name) {
            reader.refuse(MemberReader.pointer(to: member.name), "There is no such member.")
        }
        return read(json, &reader)
    }

    /// Whose devices are an app's, and where its pushes go: `channels`, `url` and `ca`, which may be absent. `ca` is
    /// for a `url` alone, for the system knows who signs the certificates of Apple and Google.
    struct Place {
        let channels: [String]?
        let url: String?
        let caPath: String?

        init(_ json: JSONValue, _ reader: inout MemberReader) {
            channels = reader.readOptional("/channels", json["channels"], AppsFile.channels)
            let url = reader.readOptional("/url", json["url"], AppsFile.url)
            caPath = reader.readOptional("/ca", json["ca"]) { value throws(MemberReader.Refusal) in
                guard url != nil else { throw .init("ca is allowed only together with url, which is missing.") }
                return try AppsFile.path(value, of: "a PEM file")
            }
            self.url = url
        }
    }

    static func string(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        guard let text = value.string else { throw .init("A string is expected, but this is \(value.kind).") }
        return text
    }

    static func path(_ value: JSONValue, of file: String) throws(MemberReader.Refusal) -> String {
        let text = try string(value)
        guard (1...4095).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw .init("The path of \(file) is expected.")
        }
        return text
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

    /// The origin of an https URL without a path.
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

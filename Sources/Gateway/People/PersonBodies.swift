import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// An e-mail address, as people write it: something, an at sign, and a host. Whether mail arrives there is not asked.
enum PersonEmail {
    static let rule = "an e-mail address was expected, of at most 254 bytes"

    static func isValid(_ text: String) -> Bool {
        // By scalars: an at sign with a mark behind it is another `Character`.
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        return text.utf8.count <= 254 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F && $0 != ","
            }
    }
}

extension ObjectReader {
    /// An e-mail address, in lower case.
    fileprivate mutating func email(_ text: String?, _ name: String) -> String? {
        guard let text else { return nil }
        if !PersonEmail.isValid(text) { reject(name, PersonEmail.rule) }
        return text.lowercased()
    }

    mutating func requiredEmail(_ name: String) -> String { email(requiredKey(name, length: 1...254), name) ?? "" }
    mutating func optionalEmail(_ name: String) -> String? { email(optionalKey(name, length: 1...254), name) }

    /// A member that null takes away: nil when it is missing, and `.some(nil)` for null.
    mutating func removable<T>(_ name: String, _ read: (inout ObjectReader) -> T?) -> T?? {
        if optional(name) == .null { return .some(nil) }
        return read(&self).map { .some($0) }
    }
}

/// `{"id"?,"name","publicName"?,"email","role","channels"?,"proxyName"?}`: a new person, who is invited.
struct NewPerson: RequestBody {
    static let nameLength = 1...128
    let id: String?
    let name: String
    let publicName: String?
    let email: String
    let role: PersonRole
    let channels: [String]?
    let proxyName: String?

    init(reading object: inout ObjectReader) {
        id = object.optionalID("id")
        name = object.requiredKey("name", length: Self.nameLength)
        publicName = object.optionalKey("publicName", length: Self.nameLength)
        email = object.requiredEmail("email")
        role = object.requiredChoice("role", of: PersonRole.allCases) ?? .agent
        channels = object.channelIDs("channels")
        proxyName = object.optionalKey("proxyName", length: 1...254)
        PersonPatch.check(role, channels, &object)
    }

    /// - Parameter makeID: makes the id where the body has none.
    func person(id makeID: () -> String, at now: Timestamp) -> Person {
        Person(
            id: id ?? makeID(), email: email, proxyName: proxyName, name: name, publicName: publicName, role: role,
            channels: channels, createdAt: now)
    }

    var audited: (inout JSONWriter) -> Void {
        { json in
            json.member("name", name)
            json.member("email", email)
            json.member("role", role.rawValue)
            if let channels { json.member("channels", texts: channels) }
        }
    }
}

/// `{"name"?,"publicName"?,"email"?,"role"?,"channels"?,"proxyName"?,"state"?}`. Null takes `publicName`, `channels` and
/// `proxyName` away.
struct PersonPatch: RequestBody {
    let name: String?
    let publicName: String??
    let email: String?
    let role: PersonRole?
    let channels: [String]??
    let proxyName: String??
    let state: PersonState?

    init(reading object: inout ObjectReader) {
        name = object.optionalKey("name", length: NewPerson.nameLength)
        publicName = object.removable("publicName") { $0.optionalKey("publicName", length: NewPerson.nameLength) }
        email = object.optionalEmail("email")
        role = object.optionalChoice("role", of: PersonRole.allCases)
        channels = object.removable("channels") { $0.channelIDs("channels") }
        proxyName = object.removable("proxyName") { $0.optionalKey("proxyName", length: 1...254) }
        state = object.optionalChoice("state", of: [.active, .disabled])
    }

    /// An administrator sees all channels: whoever may make keys for all of them cannot be limited to some.
    fileprivate static func check(_ role: PersonRole, _ channels: [String]?, _ object: inout ObjectReader) {
        if role == .administrator, channels != nil {
            object.reject("channels", "an administrator is not limited to channels")
        }
    }

    /// Changes what the body names. Throws `invalidParameter` for an administrator who would be limited to channels, and for
    /// somebody who never was here and is to be active.
    func apply(to person: inout Person) throws(ChatError) {
        if let name { person.name = name }
        if let publicName { person.publicName = publicName }
        if let email { person.email = email }
        if let role { person.role = role }
        if let channels {
            person.channels = channels
        } else if role == .administrator {
            person.channels = nil  // they see all
        }
        if let proxyName { person.proxyName = proxyName }
        if let state {
            // Who has neither a password nor was ever let in by a proxy is invited still.
            person.state = state == .active && person.password == nil && person.lastSeenAt == nil ? .invited : state
        }
        guard person.role != .administrator || person.channels == nil else {
            throw ChatError(.invalidParameter, "An administrator is not limited to channels.", pointer: "/channels")
        }
    }

    /// The names of what it changes, and the new role and state.
    var audited: (inout JSONWriter) -> Void {
        { json in
            json.member("name", name)
            json.member("email", email)
            json.member("role", role?.rawValue)
            json.member("state", state?.rawValue)
            if publicName != nil { json.member("publicName", true) }
            switch channels {
            case .some(let channels?): json.member("channels", texts: channels)
            case .some(nil):
                json.name("channels")
                json.raw("null")
            case nil: break
            }
            if proxyName != nil { json.member("proxyName", true) }
        }
    }
}

/// `{"name"?,"publicName"?,"settings"?}`: what people change of themselves. Null takes `publicName` away.
struct OwnPatch: RequestBody {
    let name: String?
    let publicName: String??

    init(reading object: inout ObjectReader) {
        name = object.optionalKey("name", length: NewPerson.nameLength)
        publicName = object.removable("publicName") { $0.optionalKey("publicName", length: NewPerson.nameLength) }
        // What is in it belongs to the pages.
        if let value = object.optional("settings"), value.members == nil {
            object.reject("settings", "an object was expected, not \(value.kind)")
        }
    }

    /// - Parameter settings: the member `settings` as it came.
    func apply(to person: inout Person, settings: [UInt8]?) {
        if let name { person.name = name }
        if let publicName { person.publicName = publicName }
        if let settings { person.settings = settings }
    }

    /// Customers and colleagues know people by these names. Throws `notYou` for those of somebody else.
    func checkNames(of id: String, among people: [Person]) throws(Problem) {
        for name in [name, publicName ?? nil].compactMap({ $0?.lowercased() }) {
            let other = people.first { person in
                !person.id.hasSameBytes(as: id)
                    && [person.name, person.publicName].contains { $0?.lowercased() == name }
            }
            guard other == nil else { throw Problem(.notYou, "Another person is called that.") }
        }
    }

    var audited: (inout JSONWriter) -> Void {
        { json in
            json.member("name", name)
            if let publicName { json.member("publicName", publicName ?? "") }
        }
    }
}

extension Person {
    /// Writes what administrators and the person see.
    ///
    /// - Parameter hasSettings: whether it is for the person.
    func encode(to json: inout JSONWriter, hasSettings: Bool = false) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("publicName", publicName)
        json.member("email", email)
        json.member("role", role.rawValue)
        if let channels { json.member("channels", texts: channels) }
        if let picture { json.member("picture", PictureRoutes.path(picture)) }
        json.member("state", state.rawValue)
        json.member("hasPassword", password != nil)
        json.member("proxyName", proxyName)
        json.member("createdAt", createdAt)
        if let lastSeenAt { json.member("lastSeenAt", lastSeenAt) }
        if hasSettings {
            json.name("settings")
            json.raw(settings)
        }
        json.endObject()
    }
}

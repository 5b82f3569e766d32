import Formats

/// The body of a request: read with the platform's checks, and written as its clients write it.
package protocol SendbirdRequestBody: Sendable {
    /// It must ask for every member that it knows, and cannot fail: the caller drops the value if there was an error.
    init(reading request: inout SendbirdRequestReader)

    func write(to json: inout JSONWriter)
}

extension SendbirdRequestBody {
    /// The text as a client sends it.
    package var encoded: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }
}

/// Reads the body of a request. Of several errors the one that the platform checks first is told: types, then what is
/// missing, then lengths, counts and values.
package struct SendbirdRequestReader {
    /// In the order in which they are checked.
    private enum Check: Int { case type, missing, length, count, value }

    private let value: SendbirdValue
    private var known: [String] = []
    private var found: (check: Check, error: SendbirdError)?

    /// - Parameter body: its JSON; a form's fields as an object of texts.
    package init(body: SendbirdValue) { value = body }

    /// Reads a whole body. Throws the platform's error.
    ///
    /// - Returns: the body, and the names of members that no description knows: at most 32, and the beginnings of long ones.
    package static func read<T: SendbirdRequestBody>(
        _ bytes: [UInt8], as type: T.Type = T.self, limit: Int = SendbirdBound.request
    ) throws(SendbirdError) -> (body: T, unknown: [String]) {
        guard !bytes.isEmpty else { throw SendbirdError(.bodyMissing, "The body is missing.") }
        let value: SendbirdValue
        do throws(SendbirdSyntaxError) {
            value = try SendbirdValue(json: bytes, limit: limit, limitsMarks: true)
        } catch {
            throw SendbirdError(.bodyNotJSON, "The body must be JSON.")
        }
        guard value.isObject else { throw SendbirdError(.bodyNotJSON, "The body must be a JSON object.") }
        var reader = SendbirdRequestReader(body: value)
        let body = T(reading: &reader)
        if let error = reader.error { throw error }
        return (body, reader.unknown)
    }

    package var error: SendbirdError? { found?.error }

    /// The names of the members that nobody has asked for.
    package var unknown: [String] {
        let names = (value.element.members ?? []).lazy.map(\.name)
        return names.filter { name in !known.contains { $0.hasSameBytes(as: name) } }.prefix(32).map {
            $0.cut(toBytes: 64)
        }
    }

    private mutating func report(_ check: Check, _ code: SendbirdErrorCode, _ message: String) {
        if let found, found.check.rawValue <= check.rawValue { return }
        found = (check, SendbirdError(code, message))
    }

    private mutating func find(_ name: StaticString) -> SendbirdValue? {
        known.append(name.description)
        return value[name]
    }

    /// Reports a value that is refused.
    package mutating func refuse(_ name: StaticString, _ code: SendbirdErrorCode, _ message: String) {
        report(.value, code, "\"\(name)\" \(message)")
    }

    /// Refuses members that ask for something which the sandbox does not do. One that asks for nothing is passed over.
    package mutating func refuseUnserved(_ names: StaticString...) {
        for name in names where find(name)?.asksForSomething == true {
            refuse(name, .notServed, "is not served by the sandbox.")
        }
    }

    /// Takes members that have no effect here.
    package mutating func ignore(_ names: StaticString...) { known += names.map(\.description) }

    /// Reports a member that is missing; null is missing, too.
    package mutating func need(_ name: StaticString) {
        if find(name) == nil { report(.missing, .missing, "\"\(name)\" is missing.") }
    }

    // MARK: Texts

    /// A text of at most so many characters.
    package mutating func text(_ name: StaticString, upTo length: Int) -> String? {
        find(name).flatMap { text($0, name, 0...length) }
    }

    package mutating func text(_ name: StaticString, length: ClosedRange<Int>) -> String? {
        find(name).flatMap { text($0, name, length) }
    }

    /// The same; "", and an error, where it is missing.
    package mutating func requiredText(_ name: StaticString, upTo length: Int) -> String {
        need(name)
        return text(name, upTo: length) ?? ""
    }

    private mutating func text(_ value: SendbirdValue, _ name: StaticString, _ length: ClosedRange<Int>) -> String? {
        guard let text = value.string else {
            report(.type, .notString, "\"\(name)\" must be a string.")
            return nil
        }
        guard text.utf8.count <= 4 * length.upperBound, length.contains(text.unicodeScalars.count) else {
            let least = length.lowerBound > 0 ? "\(length.lowerBound) to " : "at most "
            report(.length, .tooLong, "\"\(name)\" must have \(least)\(length.upperBound) characters.")
            return nil
        }
        return text
    }

    /// A user's id.
    package mutating func userID(_ name: StaticString) -> String? { find(name).flatMap { userID($0, name) } }

    package mutating func requiredUserID(_ name: StaticString) -> String {
        need(name)
        return userID(name) ?? ""
    }

    private mutating func userID(_ value: SendbirdValue, _ name: StaticString) -> String? {
        guard let id = value.string else {
            report(.type, .notString, "\"\(name)\" must be a string.")
            return nil
        }
        guard !id.isEmpty else {
            report(.missing, .missing, "\"\(name)\" is missing.")
            return nil
        }
        guard id.utf8.count <= 4 * SendbirdBound.userID, id.unicodeScalars.count <= SendbirdBound.userID else {
            report(.length, .userIDTooLong, "\"\(name)\" must have at most \(SendbirdBound.userID) characters.")
            return nil
        }
        return id
    }

    /// One of the texts.
    package mutating func choice(_ name: StaticString, of allowed: [String]) -> String? {
        guard let choice = text(name, upTo: SendbirdBound.data) else { return nil }
        guard allowed.contains(choice) else {
            refuse(name, .invalidValue, "must be one of \(allowed.joined(separator: ", ")).")
            return nil
        }
        return choice
    }

    // MARK: Lists and maps

    /// An array of texts, or one text with commas between them.
    private mutating func elements(_ name: StaticString) -> [SendbirdValue]? {
        guard let value = find(name) else { return nil }
        if let elements = value.element.elements { return elements.map { SendbirdValue($0) } }
        guard let text = value.string else {
            report(.type, .notList, "\"\(name)\" must be a list.")
            return nil
        }
        var json = JSONWriter()
        json.beginArray()
        for part in text.commaParts { json.value(part) }
        json.endArray()
        return (try? JSONText(json.bytes))?.root.elements?.map { SendbirdValue($0) }
    }

    private mutating func bounded(_ name: StaticString, _ limit: Int) -> [SendbirdValue]? {
        guard let elements = elements(name) else { return nil }
        guard elements.count <= limit else {
            report(.count, .tooManyItems, "\"\(name)\" must have at most \(limit) items.")
            return nil
        }
        return elements
    }

    package mutating func texts(_ name: StaticString, upTo length: Int, count: Int = SendbirdBound.users) -> [String]? {
        guard let elements = bounded(name, count) else { return nil }
        return elements.compactMap { text($0, name, 0...length) }
    }

    /// Ids of users.
    package mutating func userIDs(_ name: StaticString, count: Int = SendbirdBound.users) -> [String]? {
        guard let elements = bounded(name, count) else { return nil }
        return elements.compactMap { userID($0, name) }
    }

    /// Ids of whole users: the newest clients send these in place of ids.
    package mutating func userIDs(ofUsers name: StaticString, count: Int = SendbirdBound.users) -> [String]? {
        guard let elements = bounded(name, count) else { return nil }
        return elements.compactMap { element in
            guard let id = element["user_id"] else {
                report(.missing, .missing, "\"\(name)\" has an item without \"user_id\".")
                return nil
            }
            return userID(id, name)
        }
    }

    /// An object of texts, as metadata.
    package mutating func metadata(_ name: StaticString) -> [String: String]? {
        guard let value = find(name) else { return nil }
        guard let members = value.element.members else {
            report(.type, .notJSON, "\"\(name)\" must be a JSON object.")
            return nil
        }
        guard members.count <= SendbirdBound.metadataItems else {
            report(.count, .tooManyItems, "\"\(name)\" must have at most \(SendbirdBound.metadataItems) items.")
            return nil
        }
        var map: [String: String] = [:]
        for (key, value) in members {
            guard key.utf8.count <= 4 * SendbirdBound.metadataKey, key.unicodeScalars.count <= SendbirdBound.metadataKey
            else {
                report(.length, .tooLong, "A key of \"\(name)\" is too long.")
                continue
            }
            guard !key.utf8.contains(UInt8(ascii: ",")) else {
                report(.value, .characterNotAllowed, "A key of \"\(name)\" must not have a comma.")
                continue
            }
            map[key] = text(SendbirdValue(value), name, 0...SendbirdBound.metadataValue)
        }
        return map
    }

    /// An object of texts from a small set, by users' ids.
    package mutating func choices(_ name: StaticString, of allowed: [String]) -> [String: String]? {
        guard let value = find(name) else { return nil }
        guard let members = value.element.members else {
            report(.type, .notJSON, "\"\(name)\" must be a JSON object.")
            return nil
        }
        guard members.count <= SendbirdBound.users else {
            report(.count, .tooManyItems, "\"\(name)\" must have at most \(SendbirdBound.users) items.")
            return nil
        }
        var map: [String: String] = [:]
        for (id, value) in members {
            guard let choice = value.string, allowed.contains(choice), id.unicodeScalars.count <= SendbirdBound.userID
            else {
                refuse(name, .invalidValue, "must have one of \(allowed.joined(separator: ", ")) for each user.")
                continue
            }
            map[id] = choice
        }
        return map
    }

    /// A message's extra data. A form has it as text.
    package mutating func extras(_ name: StaticString) -> [SendbirdExtra]? {
        guard let value = find(name) else { return nil }
        var items = value.element.elements
        if items == nil, let text = value.string { items = (try? JSONText(Array(text.utf8)))?.root.elements }
        guard let items else {
            report(.type, .notList, "\"\(name)\" must be a list.")
            return nil
        }
        guard items.count <= SendbirdBound.metaArray else {
            report(.count, .tooManyItems, "\"\(name)\" must have at most \(SendbirdBound.metaArray) items.")
            return nil
        }
        return items.compactMap { extra(SendbirdValue($0), name) }
    }

    private mutating func extra(_ item: SendbirdValue, _ name: StaticString) -> SendbirdExtra? {
        guard let key = item["key"].flatMap({ text($0, name, 1...SendbirdBound.metadataKey) }),
            let values = item["value"]?.element.elements
        else {
            report(.missing, .missing, "\"\(name)\" has an item without \"key\" or \"value\".")
            return nil
        }
        guard values.count <= SendbirdBound.metaArray else {
            report(
                .count, .tooManyItems, "\"\(name)\" must have at most \(SendbirdBound.metaArray) values for each key.")
            return nil
        }
        let texts = values.compactMap { text(SendbirdValue($0), name, 0...SendbirdBound.metadataValue) }
        return SendbirdExtra(key: key, values: texts)
    }

    /// A file that has an address: `url`, `file_name`, `file_type`, `file_size`.
    package mutating func file() -> SendbirdFile? {
        let url = text("url", upTo: SendbirdBound.url)
        let name = text("file_name", upTo: SendbirdBound.metadataValue)
        let type = text("file_type", upTo: SendbirdBound.customType)
        let size = number("file_size", in: 0...Int64.max)
        return url.map { SendbirdFile(url: $0, name: name ?? "", type: type ?? "", size: size ?? 0) }
    }

    // MARK: Numbers and flags

    package mutating func number(_ name: StaticString, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = find(name) else { return nil }
        guard let number = value.number else {
            report(.type, .notNumber, "\"\(name)\" must be a number.")
            return nil
        }
        guard range.contains(number) else {
            if number < range.lowerBound, range.lowerBound == 0 {
                refuse(name, .negative, "must not be negative.")
            } else {
                refuse(name, .outOfRange, "must be from \(range.lowerBound) to \(range.upperBound).")
            }
            return nil
        }
        return number
    }

    package mutating func flag(_ name: StaticString) -> Bool? {
        guard let value = find(name) else { return nil }
        guard let flag = value.flag else {
            report(.type, .notBoolean, "\"\(name)\" must be a boolean.")
            return nil
        }
        return flag
    }
}

extension String {
    /// The texts between its commas, without empty ones. A comma is a scalar: one with a mark after it counts, too.
    package var commaParts: [String] { unicodeScalars.split(separator: ",").map { String(Substring($0)) } }
}

/// A value with one canonical spelling in JSON.
///
/// The bytes are made once, by ``encode(to:)``, and are what the store keeps, what
/// the event log carries and what every answer shows.
///
/// ```swift
/// struct Label: CanonicalJSON {
///     var text: String
///
///     func encode(to json: inout JSONWriter) {
///         json.beginObject()
///         json.name("text")
///         json.value(text)
///         json.endObject()
///     }
///
///     init(json: JSONValue) throws(ModelError) { text = try json.requiredString("text") }
/// }
/// ```
public protocol CanonicalJSON: Sendable {
    func encode(to json: inout JSONWriter)

    /// Reads what ``encode(to:)`` wrote. Throws ``ModelError`` for anything else.
    init(json: JSONValue) throws(ModelError)
}

extension CanonicalJSON {
    public var canonicalJSON: [UInt8] {
        var json = JSONWriter()
        encode(to: &json)
        return json.bytes
    }

    /// Reads canonical bytes, as the store keeps them.
    public init(canonicalJSON bytes: [UInt8]) throws {
        try self.init(json: JSONParser.parse(bytes))
    }
}

/// A stored value that is not what it should be: the member that is wrong.
public struct ModelError: Error, Sendable, Equatable {
    public var member: String

    public init(member: String) { self.member = member }
}

extension JSONValue {
    /// The member's text. Throws ``ModelError`` when it is missing or no string.
    public func requiredString(_ name: String) throws(ModelError) -> String {
        guard let string = self[name]?.string else { throw ModelError(member: name) }
        return string
    }

    public func requiredInteger(_ name: String) throws(ModelError) -> Int64 {
        guard let integer = self[name]?.integer else { throw ModelError(member: name) }
        return integer
    }

    public func requiredTimestamp(_ name: String) throws(ModelError) -> Timestamp {
        guard let time = self[name]?.string.flatMap(Timestamp.init(rfc3339:)) else { throw ModelError(member: name) }
        return time
    }

    public func requiredCase<T: RawRepresentable<String>>(_ name: String) throws(ModelError) -> T {
        guard let value = self[name]?.string.flatMap(T.init(rawValue:)) else { throw ModelError(member: name) }
        return value
    }

    /// The members of an object whose values are all strings.
    public func requiredStrings(_ name: String) throws(ModelError) -> [String: String] {
        guard let members = self[name]?.members else { throw ModelError(member: name) }
        var strings: [String: String] = [:]
        for member in members {
            guard let string = member.value.string else { throw ModelError(member: name) }
            strings[member.name] = string
        }
        return strings
    }

    /// The value of an optional member, read as a model.
    public func optional<T: CanonicalJSON>(_ name: String) throws(ModelError) -> T? {
        guard let value = self[name] else { return nil }
        return try T(json: value)
    }

    /// The items of an array member, read as models.
    public func requiredArray<T: CanonicalJSON>(_ name: String) throws(ModelError) -> [T] {
        guard let array = self[name]?.array else { throw ModelError(member: name) }
        var items: [T] = []
        items.reserveCapacity(array.count)
        for value in array { items.append(try T(json: value)) }
        return items
    }
}

extension JSONWriter {
    public mutating func member(_ name: StaticString, _ string: String) {
        self.name(name)
        value(string)
    }

    public mutating func member(_ name: StaticString, _ string: String?) {
        if let string { member(name, string) }
    }

    public mutating func member(_ name: StaticString, _ number: Int64) {
        self.name(name)
        value(number)
    }

    public mutating func member(_ name: StaticString, _ number: Int) { member(name, Int64(number)) }

    public mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    public mutating func member(_ name: StaticString, _ time: Timestamp) {
        self.name(name)
        value(time)
    }

    public mutating func value(_ time: Timestamp) {
        time.withQuotedRFC3339 { raw($0) }
    }

    public mutating func member(_ name: StaticString, _ model: some CanonicalJSON) {
        self.name(name)
        model.encode(to: &self)
    }

    public mutating func member(_ name: StaticString, _ models: [some CanonicalJSON]) {
        self.name(name)
        beginArray()
        for model in models { model.encode(to: &self) }
        endArray()
    }

    public mutating func member(_ name: StaticString, _ strings: [String: String]) {
        self.name(name)
        value(strings)
    }

    /// Names ascending, so that equal dictionaries have equal bytes.
    public mutating func value(_ strings: [String: String]) {
        beginObject()
        for (key, string) in strings.sorted(by: { $0.key < $1.key }) {
            name(key)
            value(string)
        }
        endObject()
    }
}

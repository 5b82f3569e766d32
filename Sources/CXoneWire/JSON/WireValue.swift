import Formats

/// One value of a frame that is being read. Made by this module alone.
///
/// The rules of leniency that hold for every frame stand here: a member that is null
/// counts as absent (but see ``isNull(_:)``), unknown members are not looked at, an empty array counts as an
/// empty object (the platform writes `parameters`, `variables` and `context` so), an
/// id may be a number, and a number may be written as text.
public struct WireValue: Sendable {
    fileprivate let element: JSONElement

    /// Throws ``WireError/Kind/tooLarge`` beyond `limit` bytes, ``WireError/Kind/notJSON`` when the text is none.
    init(json: [UInt8], limit: Int) throws(WireError) {
        guard json.count <= limit else {
            throw WireError(.tooLarge, "\(json.count) bytes, at most \(limit) are read")
        }
        element = try JSONText(wire: json).root
    }

    private init(_ element: JSONElement) { self.element = element }

    /// What an absent `data` stands for.
    static let emptyObject = WireValue(JSONText.emptyObject.root)

    /// An object, or the empty array that stands for an empty one.
    var isObject: Bool { element.kind == .object || isEmptyArray }

    var isEmptyArray: Bool { element.kind == .array && element.isEmpty }

    /// The member of that name; nil if it is absent or null, or if this is no object.
    subscript(name: StaticString) -> WireValue? {
        guard let member = element[name], member.kind != .null else { return nil }
        return WireValue(member)
    }

    /// Whether the member is present and null. For a few members, null and absence mean different things.
    func isNull(_ name: StaticString) -> Bool { element[name]?.kind == .null }

    /// The names and values of an object, in their order; none if this is no object.
    var members: [(name: String, value: WireValue)] {
        (element.members ?? []).map { (name: $0.name, value: WireValue($0.value)) }
    }

    /// The elements of an array; nil if this is none.
    var elements: [WireValue]? { element.elements?.map { WireValue($0) } }

    /// The string, or nil if this is none.
    var string: String? { element.string }

    /// A boolean, or nil if this is none.
    var bool: Bool? {
        switch element.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// A string, or the spelling of a number: what an id may be.
    var idText: String? { element.number ?? element.string }

    func expected(_ what: String) -> WireError { WireError(.wrongType, "expected \(what), found \(element.kind)") }
}

/// What can be read from a frame.
public protocol WireReadable: Sendable {
    init(_ value: WireValue) throws(WireError)
}

extension WireValue {
    /// The member, which must be there. `alias` is its name in the platform's other vocabulary.
    func required<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> T {
        guard let value: T = try optional(name, or: alias) else { throw missing(name) }
        return value
    }

    func optional<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> T? {
        guard let (value, name) = try find(name, or: alias) else { return nil }
        do throws(WireError) {
            return try T(value)
        } catch {
            throw error.within(name)
        }
    }

    /// The elements of the member; none if it is absent.
    func list<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> [T] {
        guard let (value, name) = try find(name, or: alias) else { return [] }
        guard let elements = value.elements else { throw value.expected("an array").within(name) }
        var list: [T] = []
        list.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do throws(WireError) {
                list.append(try T(element))
            } catch {
                throw error.within(position).within(name)
            }
        }
        return list
    }

    /// An id, kept as the text that it is.
    func id(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String {
        guard let id = try idIfPresent(name, or: alias) else { throw missing(name) }
        return id
    }

    func idIfPresent(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String? {
        guard let (value, name) = try find(name, or: alias) else { return nil }
        guard let id = value.idText else { throw value.expected("an id").within(name) }
        return id
    }

    /// The `id` inside of a member such as `"visitor": {"id"}`; nil for `{}` as well.
    func nestedID(_ name: StaticString, or alias: StaticString? = nil, _ id: StaticString = "id")
        throws(WireError) -> String? {
        guard let (value, name) = try find(name, or: alias) else { return nil }
        do throws(WireError) {
            return try value.idIfPresent(id)
        } catch {
            throw error.within(name)
        }
    }

    /// What a closure reads inside of a member; its errors tell the member.
    func inside<T>(
        _ name: StaticString, or alias: StaticString? = nil, _ read: (WireValue) throws(WireError) -> T
    ) throws(WireError) -> T {
        guard let (value, name) = try find(name, or: alias) else { throw missing(name) }
        do throws(WireError) {
            return try read(value)
        } catch {
            throw error.within(name)
        }
    }

    private func find(_ name: StaticString, or alias: StaticString?) throws(WireError) -> (WireValue, StaticString)? {
        guard isObject else { throw expected("an object") }
        if let value = self[name] { return (value, name) }
        if let alias, let value = self[alias] { return (value, alias) }
        return nil
    }

    func missing(_ name: StaticString) -> WireError { WireError(.missing, "it must be there", at: [name.description]) }
}

extension String: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let string = value.string else { throw value.expected("a string") }
        self = string
    }
}

extension Bool: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let flag = value.bool else { throw value.expected("a boolean") }
        self = flag
    }
}

extension Int: WireReadable {
    /// A whole number, also when it is written with a fraction of zero or as text.
    public init(_ value: WireValue) throws(WireError) {
        guard let spelling = value.idText else { throw value.expected("a whole number") }
        if let integer = Int(spelling) {
            self = integer
        } else if let number = Double(spelling), let integer = Int(exactly: number) {
            self = integer
        } else {
            throw WireError(.invalid, "expected a whole number of 64 bits")
        }
    }
}

extension Double: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let spelling = value.idText else { throw value.expected("a number") }
        guard let number = Double(spelling), number.isFinite else {
            throw WireError(.invalid, "expected a number of double precision")
        }
        self = number
    }
}

extension Array: WireReadable where Element: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let elements = value.elements else { throw value.expected("an array") }
        self = []
        for (position, element) in elements.enumerated() {
            do throws(WireError) {
                append(try Element(element))
            } catch {
                throw error.within(position)
            }
        }
    }
}

extension Timestamp: WireReadable {
    public init(_ value: WireValue) throws(WireError) {
        guard let text = value.string else { throw value.expected("a time") }
        guard let time = Timestamp(iso8601: text) else {
            throw WireError(.invalid, "expected a time as RFC 3339 writes it")
        }
        self = time
    }
}

/// A value that Parley hands on as it is, because its shape is the business of others: its JSON text.
public struct RawJSON: Sendable, Hashable, WireReadable, WireWritable {
    public let bytes: [UInt8]

    /// Throws when `json` is not one JSON value.
    public init(json: [UInt8]) throws(WireError) {
        _ = try JSONText(wire: json)
        bytes = json
    }

    public init(_ value: WireValue) { bytes = Array(value.element.bytes) }

    static let emptyObject = RawJSON(.emptyObject)

    public func write(to writer: inout WireWriter) { writer.raw(bytes) }
}

extension JSONText {
    fileprivate convenience init(wire json: [UInt8]) throws(WireError) {
        do throws(JSONSyntaxError) {
            try self.init(json)
        } catch {
            throw WireError(.notJSON, "\(error.reason), byte \(error.offset)")
        }
    }
}

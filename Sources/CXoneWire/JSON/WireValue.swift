import Formats

/// One JSON value of a frame that is being read. Only this module makes it.
///
/// These rules of leniency hold for every frame:
/// - A member that is null counts as absent (but see ``isNull(_:)``).
/// - Unknown members are ignored.
/// - An empty array counts as an empty object: the platform writes `parameters`, `variables` and `context` so.
/// - An id may be a number, and a number may be written as text.
/// - In a text of the platform an optional member that cannot be read counts as absent (``WireOmissions``).
public struct WireValue: Sendable {
    fileprivate let element: JSONElement
    /// Takes what is left out; nil if nothing may be left out.
    private let omissions: WireOmissions?

    /// Parses a text. Throws ``WireError/Kind/tooLarge`` beyond `limit` bytes, ``WireError/Kind/notJSON`` for
    /// anything that is not one JSON value.
    ///
    /// - Parameter omissions: gets what is left out; nil if nothing may be left out.
    init(json: [UInt8], limit: Int, omissions: WireOmissions? = nil) throws(WireError) {
        guard json.count <= limit else {
            throw WireError(.tooLarge, "\(json.count) bytes, at most \(limit) are read")
        }
        // Clients choose what they send; a platform's frame is worth more than what is odd in it.
        element = try JSONText(wire: json, limitsMarks: omissions == nil).root
        self.omissions = omissions
    }

    private init(_ element: JSONElement, _ omissions: WireOmissions?) {
        self.element = element
        self.omissions = omissions
    }

    /// Stands in for an absent `data`.
    static let emptyObject = WireValue(JSONText.emptyObject.root, nil)

    /// Leaves out what could not be read, where that is allowed; throws the error otherwise.
    fileprivate func leaveOut(_ error: WireError) throws(WireError) {
        guard let omissions else { throw error }
        omissions.add(error)
    }

    /// An object, or the empty array that stands for an empty one.
    var isObject: Bool { element.kind == .object || isEmptyArray }

    var isEmptyArray: Bool { element.kind == .array && element.isEmpty }

    /// The member of that name. Nil if it is absent or null, or if this is no object.
    subscript(name: StaticString) -> WireValue? {
        guard let member = element[name], member.kind != .null else { return nil }
        return WireValue(member, omissions)
    }

    /// Whether the member is present and null. For a few members, null and absence mean different things.
    func isNull(_ name: StaticString) -> Bool { element[name]?.kind == .null }

    /// The names and values of an object, in their order; empty if this is no object. Null values are included.
    var members: [(name: String, value: WireValue)] {
        (element.members ?? []).map { (name: $0.name, value: WireValue($0.value, omissions)) }
    }

    /// The elements of an array; nil if this is none.
    var elements: [WireValue]? { element.elements?.map { WireValue($0, omissions) } }

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

    /// A string as it is, or a number as it is spelled: an id may be either. Nil for any other value.
    var idText: String? { element.number ?? element.string }

    /// The error for a value of another kind; it tells the kind that was found and nothing of the value.
    func expected(_ what: String) -> WireError { WireError(.wrongType, "expected \(what), found \(element.kind)") }
}

/// What can be read from a value of a frame. An initializer throws ``WireError`` with a path that is relative to
/// the value.
public protocol WireReadable: Sendable {
    init(_ value: WireValue) throws(WireError)
}

extension WireValue {
    /// Reads a member that must be there; `alias` is its name in the other vocabulary of the platform. Throws
    /// ``WireError/Kind/missing``, and what reading the value throws, with the member's name in the path.
    func required<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> T {
        try inside(name, or: alias) { value throws(WireError) in try T(value) }
    }

    /// Reads a member; nil if it is absent or null. A value that cannot be read throws in a text of a client, and is left
    /// out of a text of the platform.
    func optional<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> T? {
        try insideIfPresent(name, or: alias) { value throws(WireError) in try T(value) }
    }

    /// Reads the elements of an array; an absent member counts as empty. One bad element makes the whole list throw, with
    /// its position in the path, also in a text of the platform: what lacks an element tells something else, as that a
    /// thread is gone.
    func list<T: WireReadable>(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> [T] {
        guard try find(name, or: alias) != nil else { return [] }
        return try required(name, or: alias)
    }

    /// Reads the elements of an array that stand for themselves. One that cannot be read is left out of a text of the
    /// platform, as an optional member is.
    func readableList<T: WireReadable>(_ name: StaticString) throws(WireError) -> [T] {
        let list = try insideIfPresent(name, or: nil) { value throws(WireError) -> [T] in
            guard let elements = value.elements else { throw value.expected("an array") }
            var list: [T] = []
            for (position, element) in elements.enumerated() {
                do throws(WireError) {
                    list.append(try T(element))
                } catch {
                    try leaveOut(error.within(position))
                }
            }
            return list
        }
        return list ?? []
    }

    /// Reads an id that must be there, as text. An id that is a number keeps its spelling.
    func id(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String {
        try inside(name, or: alias) { value throws(WireError) in try value.asID() }
    }

    /// Reads an id as text, as ``optional(_:or:)`` does.
    func idIfPresent(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String? {
        try insideIfPresent(name, or: alias) { value throws(WireError) in try value.asID() }
    }

    private func asID() throws(WireError) -> String {
        guard let id = idText else { throw expected("an id") }
        return id
    }

    /// Reads the `id` inside a member such as `"visitor": {"id"}`. Nil if the member is absent, and for `{}`.
    func nestedID(
        _ name: StaticString, or alias: StaticString? = nil, _ id: StaticString = "id"
    )
        throws(WireError) -> String?
    {
        try insideIfPresent(name, or: alias) { value throws(WireError) in try value.idIfPresent(id) } ?? nil
    }

    /// Reads inside a member, as ``optional(_:or:)`` does. Errors of `read` get the member's name in their path.
    func insideIfPresent<T>(
        _ name: StaticString, or alias: StaticString?, _ read: (WireValue) throws(WireError) -> T
    ) throws(WireError) -> T? {
        guard let (value, name) = try find(name, or: alias) else { return nil }
        do throws(WireError) {
            return try read(value)
        } catch {
            try leaveOut(error.within(name))
            return nil
        }
    }

    /// Reads inside a member that must be there. Errors of `read` get the member's name in their path.
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

    /// The error for a member that must be there and is not.
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

/// A JSON value that is passed on unchanged, because its shape matters only to others. It holds the text, as it
/// was received.
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
    fileprivate convenience init(wire json: [UInt8], limitsMarks: Bool = false) throws(WireError) {
        do throws(JSONSyntaxError) {
            try self.init(json, limitsMarks: limitsMarks)
        } catch {
            throw WireError(.notJSON, "\(error.reason), byte \(error.offset)")
        }
    }
}

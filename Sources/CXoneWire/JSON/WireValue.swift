/// One value of a frame that is being read. Made by this module alone.
///
/// The rules of leniency that hold for every frame stand here: a member that is null
/// counts as absent (but see ``isNull(_:)``), unknown members are not looked at, an empty array counts as an
/// empty object (the platform writes `parameters`, `variables` and `context` so), an
/// id may be a number, and a number may be written as text.
public struct WireValue: Sendable {
    let index: JSONIndex
    let node: Int

    init(json: [UInt8], limit: Int) throws(WireError) {
        index = try JSONIndex(json, limit: limit)
        node = 0
    }

    private init(index: JSONIndex, node: Int) {
        self.index = index
        self.node = node
    }

    /// What an absent `data` stands for.
    static let emptyObject = WireValue(index: .emptyObject, node: 0)

    var kind: JSONIndex.Kind { index.nodes[node].kind }

    /// An object, or the empty array that stands for an empty one.
    var isObject: Bool { kind == .object || isEmptyArray }

    var isEmptyArray: Bool { kind == .array && Int(index.nodes[node].next) == node + 1 }

    /// The member of that name; nil if it is absent or null, or if this is no object.
    subscript(name: StaticString) -> WireValue? {
        member(name).flatMap { $0.kind == .null ? nil : $0 }
    }

    /// Whether the member is present and null. For a few members, null and absence mean different things.
    func isNull(_ name: StaticString) -> Bool { member(name)?.kind == .null }

    /// The member of that name, null too.
    private func member(_ name: StaticString) -> WireValue? {
        guard kind == .object else { return nil }
        var child = node + 1
        while child < index.nodes[node].next {
            if index.isName(child, name) { return WireValue(index: index, node: child + 1) }
            child = Int(index.nodes[child + 1].next)
        }
        return nil
    }

    /// The names and values of an object, in their order.
    var members: [(name: String, value: WireValue)] {
        guard kind == .object else { return [] }
        var members: [(String, WireValue)] = []
        var child = node + 1
        while child < index.nodes[node].next {
            members.append((index.string(child), WireValue(index: index, node: child + 1)))
            child = Int(index.nodes[child + 1].next)
        }
        return members
    }

    /// The elements of an array; nil if this is none.
    var elements: [WireValue]? {
        guard kind == .array else { return nil }
        var elements: [WireValue] = []
        var child = node + 1
        while child < index.nodes[node].next {
            elements.append(WireValue(index: index, node: child))
            child = Int(index.nodes[child].next)
        }
        return elements
    }

    /// The string, or nil if this is none.
    var string: String? { kind == .string ? index.string(node) : nil }

    /// A string, or the spelling of a number: what an id may be.
    var idText: String? {
        kind == .number ? String(decoding: index.slice(node), as: UTF8.self) : string
    }

    func expected(_ what: String) -> WireError { WireError(.wrongType, "expected \(what), found \(kind)") }
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
        switch value.kind {
        case .true: self = true
        case .false: self = false
        default: throw value.expected("a boolean")
        }
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

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

import Formats

/// A value of the platform's API: read leniently, and written exactly, its members in the platform's order.
package protocol SendbirdShape: Sendable, Hashable {
    /// Nil for a value that lacks what it cannot be without, as a user without an id.
    init?(_ value: SendbirdValue)

    func write(to json: inout JSONWriter)
}

extension SendbirdShape {
    /// Reads an answer of the platform.
    package init(answer json: [UInt8], limit: Int = SendbirdBound.answer) throws(SendbirdSyntaxError) {
        guard let shape = Self(try SendbirdValue(json: json, limit: limit)) else { throw .incomplete }
        self = shape
    }

    /// The text as the platform sends it.
    package var encoded: [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        write(to: &json)
        return SendbirdText.escapingSlashes(json.bytes)
    }
}

package enum SendbirdText {
    /// Writes each slash of a JSON text as `\/`, as the platform does. A slash can only be in a string.
    ///
    /// - Parameter json: of a `JSONWriter`, which escapes no slash by itself.
    package static func escapingSlashes(_ json: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        guard json.contains(slash) else { return json }
        var text: [UInt8] = []
        text.reserveCapacity(json.count + json.count / 16)
        for byte in json {
            if byte == slash { text.append(UInt8(ascii: "\\")) }
            text.append(byte)
        }
        return text
    }
}

extension JSONWriter {
    /// Writes an object whose members the closure writes.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    package mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    package mutating func member(_ name: StaticString, _ shape: some SendbirdShape) {
        self.name(name)
        shape.write(to: &self)
    }

    /// Writes null where there is none.
    package mutating func member(_ name: StaticString, orNull shape: (some SendbirdShape)?) {
        self.name(name)
        if let shape { shape.write(to: &self) } else { raw("null") }
    }

    /// Writes `{}` where there is none.
    package mutating func member(_ name: StaticString, orEmpty shape: (some SendbirdShape)?) {
        self.name(name)
        if let shape { shape.write(to: &self) } else { raw("{}") }
    }

    package mutating func member(_ name: StaticString, _ shapes: [some SendbirdShape]) {
        self.name(name)
        beginArray()
        for shape in shapes { shape.write(to: &self) }
        endArray()
    }

    /// Shapes by somebody's id, sorted by the ids.
    package mutating func member(_ name: StaticString, _ shapes: [String: some SendbirdShape]) {
        self.name(name)
        object { json in
            for (id, shape) in shapes.sorted(by: { $0.key < $1.key }) {
                json.name(id)
                shape.write(to: &json)
            }
        }
    }

    package mutating func member(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        beginArray()
        for text in texts { value(text) }
        endArray()
    }

    package mutating func member(_ name: StaticString, _ time: UnixSeconds) { member(name, time.value) }

    package mutating func member(_ name: StaticString, _ time: UnixMilliseconds) { member(name, time.value) }

    /// Times by somebody's id, sorted by the ids.
    package mutating func member(_ name: StaticString, _ times: [String: UnixMilliseconds]) {
        member(name) { json in
            for (id, time) in times.sorted(by: { $0.key < $1.key }) {
                json.name(id)
                json.value(time.value)
            }
        }
    }

    // MARK: What is left out where there is none

    package mutating func member(_ name: StaticString, ifPresent flag: Bool?) { if let flag { member(name, flag) } }
    package mutating func member(_ name: StaticString, ifPresent number: Int64?) {
        if let number { member(name, number) }
    }
    package mutating func member(_ name: StaticString, ifPresent number: Int?) {
        if let number { member(name, number) }
    }
    package mutating func member(_ name: StaticString, ifPresent time: UnixSeconds?) {
        if let time { member(name, time) }
    }
    package mutating func member(_ name: StaticString, ifPresent time: UnixMilliseconds?) {
        if let time { member(name, time) }
    }
    package mutating func member(_ name: StaticString, ifPresent texts: [String]?) {
        if let texts { member(name, texts) }
    }
    package mutating func member(_ name: StaticString, ifPresent map: [String: String]?) {
        if let map { member(name, map) }
    }
    package mutating func member(_ name: StaticString, ifPresent times: [String: UnixMilliseconds]?) {
        if let times { member(name, times) }
    }
    package mutating func member(_ name: StaticString, ifPresent shapes: [some SendbirdShape]?) {
        if let shapes { member(name, shapes) }
    }
    package mutating func member(_ name: StaticString, ifPresent shape: (some SendbirdShape)?) {
        if let shape { member(name, shape) }
    }
}

import Formats

/// One JSON value of the platform, or of a program that calls it, while it is read.
///
/// The rules of leniency are the same everywhere: unknown members are ignored, null counts as absent, a member of another
/// type counts as absent. Answers differ by plan and feature, so that only few members must be there.
package struct SendbirdValue: Sendable {
    let element: JSONElement

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are read.
    ///   - limitsMarks: as in `JSONText`: for texts of programs.
    package init(json: [UInt8], limit: Int, limitsMarks: Bool = false) throws(SendbirdSyntaxError) {
        guard json.count <= limit else { throw .tooLarge(json.count, limit: limit) }
        do throws(JSONSyntaxError) {
            element = try (limitsMarks ? JSONText(json, limitsMarks: true) : JSONText(lenient: json)).root
        } catch {
            throw .notJSON("\(error.reason), byte \(error.offset)")
        }
    }

    init(_ element: JSONElement) { self.element = element }

    package var isObject: Bool { element.kind == .object }

    /// The member of that name; nil if it is absent or null, or if this is no object.
    package subscript(name: StaticString) -> SendbirdValue? {
        guard let member = element[name], member.kind != .null else { return nil }
        return SendbirdValue(member)
    }

    // MARK: What the value is

    package var string: String? { element.string }

    /// A whole number of 64 bits, exact to the last digit. It may be spelled as text, or with a fraction of zero.
    package var number: Int64? {
        if let text = element.string { return Int64(text) }
        guard let spelling = element.number else { return nil }
        return Int64(spelling) ?? Double(spelling).flatMap { Int64(exactly: $0) }
    }

    /// A boolean, in any of the spellings that clients use: `true`, `1`, `"True"`.
    package var flag: Bool? {
        switch element.kind {
        case .true: true
        case .false: false
        case .number, .string:
            switch (element.number ?? element.string)?.lowercased() {
            case "true", "1": true
            case "false", "0": false
            default: nil
            }
        default: nil
        }
    }

    /// Whether it is more than a spelling of no.
    var asksForSomething: Bool {
        switch element.kind {
        case .number, .string, .true, .false: flag != false && number != -1 && string?.isEmpty != true
        default: element.elements?.isEmpty != true && !element.isEmpty
        }
    }

    // MARK: Members

    /// A text, cut off after its limit.
    package func text(_ name: StaticString) -> String? { self[name]?.string?.cut(toBytes: SendbirdBound.text) }

    /// A text that names something: not empty, and not too long to be a name.
    package func id(_ name: StaticString) -> String? { self[name]?.id }

    package var id: String? {
        guard let id = string, !id.isEmpty, id.utf8.count <= SendbirdBound.id else { return nil }
        return id
    }

    package func number(_ name: StaticString) -> Int64? { self[name]?.number }

    /// A number that counts something: no less than none, and no more than sums of such can have.
    package func count(_ name: StaticString) -> Int? { number(name).map { Int(max(0, min($0, 1 << 40))) } }

    package func flag(_ name: StaticString) -> Bool? { self[name]?.flag }

    package func seconds(_ name: StaticString) -> UnixSeconds? { number(name).map(UnixSeconds.init(reading:)) }

    package func milliseconds(_ name: StaticString) -> UnixMilliseconds? {
        number(name).map(UnixMilliseconds.init(reading:))
    }

    /// The elements of an array that can be read; nil if there is none.
    package func list<T>(_ name: StaticString, _ read: (SendbirdValue) -> T?) -> [T]? {
        self[name]?.element.elements?.prefix(SendbirdBound.items).compactMap { read(SendbirdValue($0)) }
    }

    package func list<T: SendbirdShape>(_ name: StaticString) -> [T]? { list(name) { T($0) } }

    package func texts(_ name: StaticString) -> [String]? { list(name) { $0.string?.cut(toBytes: SendbirdBound.text) } }

    /// The members of an object that can be read, by their names; nil if there is none. The first of equal names counts.
    package func map<T>(_ name: StaticString, _ read: (SendbirdValue) -> T?) -> [String: T]? { self[name]?.map(read) }

    package func map<T>(_ read: (SendbirdValue) -> T?) -> [String: T]? {
        guard let members = element.members else { return nil }
        var map: [String: T] = [:]
        for (name, value) in members.prefix(SendbirdBound.items) where name.utf8.count <= SendbirdBound.id {
            if map[name] == nil, let value = read(SendbirdValue(value)) { map[name] = value }
        }
        return map
    }

    package func texts(inMap name: StaticString) -> [String: String]? {
        map(name) { $0.string?.cut(toBytes: SendbirdBound.text) }
    }

    /// A shape; nil if there is none, and for `{}`, which the platform writes for none.
    package func shape<T: SendbirdShape>(_ name: StaticString) -> T? {
        guard let value = self[name], !value.element.isEmpty else { return nil }
        return T(value)
    }
}

/// Why a text could not be read. Nothing of the text is in it, so it may be logged.
package enum SendbirdSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    case tooLarge(Int, limit: Int)
    case notJSON(String)
    /// Something is missing without which the answer tells nothing, as a user's id.
    case incomplete

    package var description: String {
        switch self {
        case .tooLarge(let count, let limit): "\(count) bytes, at most \(limit) are read"
        case .notJSON(let reason): "no JSON: \(reason)"
        case .incomplete: "what must be there is missing"
        }
    }
}

extension String {
    /// As much of the text as fits, without half a character at the end.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // A place inside of a scalar stands for the scalar's beginning.
        return String(unicodeScalars[..<utf8.index(startIndex, offsetBy: limit)])
    }
}

/// One reader of bytes from outside, and the rules that hold for whatever it is given.
struct Target: Sendable {
    let name: String
    /// Throws ``BrokenRule``, or traps, when a rule does not hold.
    let check: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.check = check
    }

    static let all: [Target] = [
        valueTargets, headerTargets, cursorTargets, wireTargets,
        [Target.models, .search, .forms, .webSocket, .heads, .rest, .sandbox, .platform],
    ].flatMap { $0 }
}

/// A rule that does not hold for an input.
struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

/// Throws ``BrokenRule`` unless the condition holds.
func expect(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    if !condition { throw BrokenRule(description: rule()) }
}

extension [UInt8] {
    /// As text, with what is no UTF-8 repaired: headers and targets come to readers so.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The first byte chooses one of `choices` (`a` the first), the others are the input.
    func choose<T>(_ choices: [T]) -> (choice: T, rest: [UInt8])? {
        guard let first else { return nil }
        return (choices[Int(first &- UInt8(ascii: "a")) % choices.count], Array(dropFirst()))
    }
}

import Formats
import Foundation
import Testing

@testable import CXoneWire

/// One JSON text of the protocol, what it means, and how it is written.
struct Example<Value: WireDocument & Equatable>: Sendable, CustomTestStringConvertible {
    var name: String
    /// As somebody sends it.
    var json: String
    var value: Value
    /// As we send it, where that differs.
    var sent: String
    /// What is written says a little less, or more, than what was read: seconds, a time made up.
    var isLossy = false

    init(_ name: String, _ json: String, _ value: Value, sent: String? = nil) {
        self.name = name
        self.json = json
        self.value = value
        self.sent = sent ?? json
    }

    var testDescription: String { name }

    func expectBothDirections() throws {
        #expect(try Value(json: Array(json.utf8), limit: WireLimit.frame) == value, "\(name): read")
        let written = value.encoded()
        #expect(try canonical(written) == canonical(Array(sent.utf8)), "\(name): written")
        if !isLossy {
            #expect(try Value(json: written, limit: WireLimit.frame) == value, "\(name): written and read")
        }
    }
}

/// The same text for JSON that means the same, made by another parser than ours.
func canonical(_ json: [UInt8]) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
    let bytes = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: bytes, as: UTF8.self)
}

/// 2026-04-09T06:07:08Z and some seconds.
func time(_ seconds: Int64 = 0, milliseconds: Int64 = 0) -> Timestamp {
    Timestamp(milliseconds: (1_775_714_828 + seconds) * 1000 + milliseconds)
}

import ChatModel
import ChatStore
import Formats
import Foundation
import Gateway
import HTTPRouting
import MicroHTTP

/// What headers and queries hold.
let headerTargets = [
    Target("entity-tags") { bytes in
        let text = bytes.text
        if let tag = EntityTag(opaque: Substring(text)) {
            try expect(tag.text == "W/\"\(text)\"", "\(text) is taken for the tag \(tag.text), which is another")
        }
        let condition = TagCondition(text)
        let tag = EntityTag(version: 7, target: "/v1/sessions?limit=3")
        try expect(TagCondition("\(tag.text), \"x\"").contains(tag), "a list lacks its own tag")
        if condition.contains(tag) {
            try expect(text == "*" || text.contains(tag.text.dropFirst(2)), "a foreign list has the tag")
        }
    },
    Target("ranges") { bytes in
        let text = bytes.text
        for size: Int64 in [0, 1, 10, 40 << 20, .max] {
            guard case .part(let range) = ByteRange(text, size: size) else { continue }
            try expect(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty, "\(range) of \(size) bytes")
        }
    },
    Target("file-names") { bytes in
        let text = bytes.text
        if let name = try? FileNameHeader.read(text) { try FileName.expectGood(name) }
        try FileName.expectGood(FileName.clean(text))
    },
    Target("media-types") { bytes in
        guard let type = MediaType(bytes.text) else { return }
        try expect(type.text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "the type cannot be sent")
        try expect(type.text.utf8.count <= 255, "the type has \(type.text.utf8.count) bytes")
        try expect(MediaType(type.text) == type, "\(type.text) is read as \(MediaType(type.text)?.text ?? "nothing")")
    },
    Target("wishes") { bytes in
        let text = bytes.text
        let offers = ["text/event-stream", "application/json", "application/jsonl"]
        if let chosen = AcceptHeader([text]).preferred(among: offers) {
            try expect(offers.contains(chosen), "\(chosen) was not offered")
            try expect(AcceptHeader([text]).preferred(among: [chosen]) == chosen, "alone it is not taken")
        }
        if let wait = PreferHeader([text]).wait { try expect(text.contains("\(wait)"), "nobody wishes for \(wait)") }
    },
    Target("digests") { bytes in
        guard let digest = try? DigestField(.representation, bytes.text) else { return }
        try expect(digest.sha256.map { $0.count == 32 } ?? true, "a SHA-256 of another length")
        try expect(digest.sha512.map { $0.count == 64 } ?? true, "a SHA-512 of another length")
        guard let sha256 = digest.sha256 else { return }
        try expect(
            try DigestField(.representation, DigestField.text(sha256: sha256)).sha256 == sha256,
            "what was written is read as another digest")
    },
    Target("keys") { bytes in
        guard let key = try? IdempotencyKey(bytes.text) else { return }
        try expect((1...255).contains(key.value.utf8.count), "a key of \(key.value.utf8.count) bytes")
        try expect(key.value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a key that is not printable")
        let escaped = key.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        try expect(try IdempotencyKey("\"\(escaped)\"") == key, "the quoted key is another one")
    },
    Target("queries") { bytes in
        // A head of more does not come through the gate. What is no UTF-8 is longer as text.
        let text = bytes.text
        guard text.utf8.count < 60_000 else { return }
        let pairs = HTTPRequest(method: "GET", target: "/?" + text).query
        let written = pairs.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        if written.utf8.count < 60_000 {
            let again = HTTPRequest(method: "GET", target: "/?" + written).query
            try expect(again.elementsEqual(pairs, by: ==), "the query is read as another one")
        }
        let query = try QueryReader(pairs, known: .any)
        if let page = try? query.page() { try expect((1...200).contains(page.limit), "a page of \(page.limit)") }
        let next = query.replacing(cursor: "m1o5.6&=")
        guard next.utf8.count < 60_000 else { return }
        let neighbour = HTTPRequest(method: "GET", target: "/?" + next).query
        try expect(neighbour.last?.value == "m1o5.6&=", "the next page has no cursor")
        try expect(
            neighbour.dropLast().elementsEqual(pairs.filter { $0.name != "cursor" }, by: ==),
            "the next page asks for something else")
    },
    Target("event-types") { bytes in
        guard let filter = try? EventFilter([bytes.text]) else { return }
        let names = Set(bytes.text.split(separator: ",").map(String.init))
        for type in EventType.allCases {
            try expect(
                filter.contains(type) == names.contains(type.rawValue),
                "\(type.rawValue) is in the filter and not in the list")
        }
    },
]

extension FileName {
    fileprivate static func expectGood(_ name: String) throws {
        try expect((1...maximumLength).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
        try expect(!name.contains { $0 == "/" || $0 == "\\" }, "a name that is a path")
        try expect(clean(name) == name, "\(name) is cleaned to \(clean(name))")
        let header = FileNameHeader.disposition(name, isShown: false)
        try expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a header that cannot be sent: \(header)")
        try expect(try FileNameHeader.read(header) == name, "the name goes out as \(header)")
    }
}

import Formats

/// Makes a JSON text short enough to be kept, so that it is JSON still.
///
/// What is in an object or a list shares its room: what is small stays as it is, and what is greater than its share is
/// shortened. What comes last is left out where even that has no room. An outermost object that was cut says so with its
/// last member, `isCut`.
enum AuditDetail {
    /// What each value may have where so many share the room that it would be less. The last ones go then.
    private static let leastShare = 64
    private static let mark = Array(#""isCut":true"#.utf8)

    /// Throws for what is no JSON. `limit` is in bytes.
    static func cut(_ json: [UInt8], to limit: Int) throws(JSONSyntaxError) -> [UInt8] {
        let root = try JSONText(json).root
        guard json.count > limit else { return json }
        let cut = shortened(root, to: limit, mark: root.kind == .object ? mark : [])
        return cut ?? Array("{}".utf8)
    }

    /// A shorter value of at most so many bytes; nil if there is none.
    private static func shortened(_ value: JSONElement, to room: Int, mark: [UInt8] = []) -> [UInt8]? {
        if let text = value.string { return shortened(text, to: room) }
        if let elements = value.elements {
            return joined(elements.map { ([], $0) }, "[", "]", to: room, mark: [])
        }
        if let members = value.members {
            let named = members.map { name, value in
                var json = JSONWriter()
                json.name(name)
                return (json.bytes, value)
            }
            return joined(named, "{", "}", to: room, mark: mark)
        }
        return nil
    }

    private static func shortened(_ text: String, to room: Int) -> [UInt8]? {
        // Without the quotes and the ellipsis; and a character may have several bytes.
        var length = room - 5
        while length > 0 {
            var json = JSONWriter()
            json.value(text.cut(toScalars: length).text + "…")
            if json.bytes.count <= room { return json.bytes }
            length /= 2
        }
        return nil
    }

    /// - Parameter items: each with what stands before its value.
    private static func joined(
        _ items: [(name: [UInt8], value: JSONElement)], _ first: Unicode.Scalar, _ last: Unicode.Scalar, to room: Int,
        mark: [UInt8]
    ) -> [UInt8]? {
        var rest = room - 2 - mark.count
        guard rest >= 0 else { return nil }
        var kept: [[UInt8]] = []
        for (index, item) in items.enumerated() {
            // With the comma before the next one.
            let share = min(rest, max(rest / (items.count - index), leastShare)) - item.name.count - 1
            let bytes = item.value.bytes
            guard let value = bytes.count <= share ? Array(bytes) : shortened(item.value, to: share) else { continue }
            kept.append(item.name + value)
            rest -= item.name.count + value.count + 1
        }
        if !mark.isEmpty { kept.append(mark) }
        return [UInt8(ascii: first)] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: last)]
    }
}

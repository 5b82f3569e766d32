import Formats
import Foundation
import Pages

/// The schemas of openapi/openapi.yaml, and values that are compared with them.
///
/// A comparison is stricter than JSON Schema: a member that the schema does not name is a fault, even where the schema
/// lets clients expect further members.
struct DocumentSchemas {
    let document: JSONValue
    /// Schemas that say only a part of what stands there.
    private static let open: Set<String> = ["CollectionItem"]

    /// The members that values had, by the schemas of the document that name them.
    private(set) var seen: [String: Set<String>] = [:]

    init() throws {
        let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../openapi/openapi.yaml")
        document = try JSONParser.parse(OpenAPIDocument.json(yaml: Array(Data(contentsOf: place))))
    }

    var names: [String] { document["components"]?["schemas"]?.members?.map(\.name) ?? [] }

    func schema(_ name: String) -> JSONValue? { document["components"]?["schemas"]?[name] }

    /// The properties of the schemas that values were compared with, and which no value had: `Thread.name`.
    var unseen: Set<String> {
        var found: Set<String> = []
        for (name, members) in seen where !Self.open.contains(name) {
            for property in schema(name)?["properties"]?.members ?? [] where !members.contains(property.name) {
                found.insert("\(name).\(property.name)")
            }
        }
        return found
    }

    /// What is wrong with a value, in sentences; empty if nothing is.
    mutating func faults(_ value: JSONValue, _ name: String) -> [String] {
        guard let schema = schema(name) else { return ["there is no schema \(name)"] }
        return check(value, schema, name, at: name)
    }

    private mutating func check(
        _ value: JSONValue, _ schema: JSONValue, _ name: String?, also others: Set<String> = [], at place: String
    ) -> [String] {
        if let reference = schema["$ref"]?.string {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let target = self.schema(name) else { return ["\(place): there is no schema \(name)"] }
            return check(value, target, name, also: others, at: place)
        }
        var faults: [String] = []
        let parts = schema["allOf"]?.array ?? []
        // Each part names some of the members.
        let named = parts.count > 1 ? parts.reduce(into: Set<String>()) { $0.formUnion(members(of: $1)) } : []
        for part in parts { faults += check(value, part, nil, also: named, at: place) }
        for keyword in schema.members ?? [] {
            faults += check(value, keyword, at: place).map { "\(place): \($0)" }
        }
        if let items = schema["items"] {
            for (index, item) in (value.array ?? []).enumerated() {
                faults += check(item, items, nil, at: "\(place)[\(index)]")
            }
        }
        guard let members = value.members else { return faults }
        if let name { seen[name, default: []].formUnion(members.map(\.name)) }
        for member in members {
            if let property = schema["properties"]?[member.name] {
                faults += check(member.value, property, nil, at: "\(place).\(member.name)")
            } else if let other = schema["additionalProperties"], other.members != nil {
                faults += check(member.value, other, nil, at: "\(place).\(member.name)")
            } else if schema["properties"] != nil, !others.contains(member.name),
                !(name.map(Self.open.contains) ?? false)
            {
                faults.append("\(place): the schema has no \(member.name)")
            }
        }
        return faults
    }

    /// The members that a schema names, its parts' included.
    private func members(of schema: JSONValue) -> Set<String> {
        if let reference = schema["$ref"]?.string {
            return self.schema(String(reference.split(separator: "/").last ?? "")).map(members) ?? []
        }
        let own = Set(schema["properties"]?.members?.map(\.name) ?? [])
        return (schema["allOf"]?.array ?? []).reduce(into: own) { $0.formUnion(members(of: $1)) }
    }

    /// One keyword of a schema, without those that lead to other schemas.
    private func check(_ value: JSONValue, _ keyword: JSONMember, at place: String) -> [String] {
        let isRight: Bool
        switch keyword.name {
        case "type": isRight = Self.kind(value, is: keyword.value.string)
        case "enum": isRight = keyword.value.array?.contains(value) ?? false
        case "required":
            isRight = (keyword.value.array ?? []).allSatisfy { $0.string.map { value[$0] != nil } ?? false }
        case "minimum": isRight = value.integer ?? .min >= keyword.value.integer ?? .max
        case "maximum": isRight = value.integer ?? .max <= keyword.value.integer ?? .min
        case "minLength": isRight = Int64(value.string?.unicodeScalars.count ?? 0) >= keyword.value.integer ?? .max
        case "maxLength": isRight = Int64(value.string?.unicodeScalars.count ?? .max) <= keyword.value.integer ?? .min
        case "minItems": isRight = Int64(value.array?.count ?? 0) >= keyword.value.integer ?? .max
        case "maxItems": isRight = Int64(value.array?.count ?? .max) <= keyword.value.integer ?? .min
        case "maxProperties": isRight = Int64(value.members?.count ?? .max) <= keyword.value.integer ?? .min
        case "pattern", "x-pattern":
            isRight = value.string?.range(of: keyword.value.string ?? "", options: .regularExpression) != nil
        case "format":
            isRight = keyword.value.string == "int64" || value.string.flatMap(Timestamp.init(rfc3339:)) != nil
        case "description", "example", "properties", "additionalProperties", "items", "allOf", "propertyNames",
            "x-extensible",
            "x-enum-varnames":
            isRight = true
        default: return ["this test does not know the keyword \(keyword.name)"]
        }
        return isRight ? [] : ["\(value) is not as \(keyword.name) wants it"]
    }

    private static func kind(_ value: JSONValue, is kind: String?) -> Bool {
        switch (value, kind) {
        case (.object, "object"), (.array, "array"), (.string, "string"): true
        case (.bool, "boolean"), (.integer, "integer"): true
        default: false
        }
    }
}

import ChatModel
import Formats
import Foundation
import Testing

/// The types of the room ChatModel/Events and the schemas of the document say the same, both ways.
@Suite struct EventDocumentTests {
    /// `ThreadCreatedEvent` has the schema `EventThreadCreated`.
    private static func schema(of type: any EventPayload.Type) -> String {
        "Event" + String(describing: type).dropLast("Event".count)
    }

    /// The rest of the table below is of no use for a type that is not in it.
    @Test func everyTypeHasExamples() throws {
        let types = EventExamples.all.map { String(describing: $0.type) }
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources")
        var declared: [String] = []
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let found = text.matches(of: /(?:struct|class|enum) (\w+): (?:EventPayload|FeedEvent)\b/)
            declared += found.map { String($0.1) }
        }
        // No stream shows what other programs are told.
        #expect(declared.sorted() == (types + ["CallbackEvent"]).sorted())
        let fed = Set(EventType.allCases.map { String(describing: $0.payload) })
        #expect(fed.count == EventType.allCases.count && fed.isSubset(of: types))
        for type in EventType.allCases { #expect(type.payload.type == type) }
    }

    @Test func everySchemaHasATypeAndEveryTypeASchema() throws {
        let schemas = try DocumentSchemas()
        let described = Set(schemas.names.filter { $0.hasPrefix("Event") }).subtracting([
            "EventName", "EventAudience", "EventPage",
        ])
        #expect(described == Set(EventExamples.all.map { Self.schema(of: $0.type) }))
        let named = Set(schemas.schema("EventName")?["enum"]?.array?.compactMap(\.string) ?? [])
        #expect(named == Set(EventExamples.all.map { $0.type.name }))
    }

    /// The tables `x-events` name for each event of a stream the schema of its data.
    @Test func everyStreamNamesItsEventsAsTheyAreWritten() throws {
        let names = Dictionary(uniqueKeysWithValues: EventExamples.all.map { (Self.schema(of: $0.type), $0.type.name) })
        var told: Set<String> = []
        for path in try #require(DocumentSchemas().document["paths"]?.members) {
            for event in path.value["get"]?["x-events"]?.members ?? [] {
                let schema = try #require(event.value["$ref"]?.string?.split(separator: "/").last.map(String.init))
                // What is no event of the chat is a value of another operation.
                guard schema.hasPrefix("Event") else { continue }
                #expect(names[schema] == event.name, "\(path.name)")
                told.insert(schema)
            }
        }
        #expect(told == Set(names.keys))
    }

    /// What is written is in the schema, what the schema requires is written always, and nothing else is, and every
    /// property of the schema is written some time.
    @Test func everyEventHasTheMembersOfItsSchema() throws {
        var schemas = try DocumentSchemas()
        for examples in EventExamples.all {
            let name = Self.schema(of: examples.type)
            let values = try (examples.full + [examples.bare]).map { try JSONParser.parse($0) }
            for value in values { #expect(schemas.faults(value, name) == []) }
            let members = values.map { Set($0.members?.map(\.name) ?? []) }
            let always = members.reduce(members[0]) { $0.intersection($1) }
            #expect(always == Set(schemas.schema(name)?["required"]?.array?.compactMap(\.string) ?? []), "\(name)")
        }
        let audience = EventAudience(
            sessions: ["s1"], isDesks: true, loggedAt: Timestamp(milliseconds: 0))
        #expect(schemas.faults(try JSONParser.parse(audience.canonicalJSON), "EventAudience") == [])
        #expect(schemas.unseen == [])
    }

    @Test func everyEventReadsAsItWasWritten() {
        for examples in EventExamples.all { #expect(examples.readsBack, "\(examples.type)") }
    }
}

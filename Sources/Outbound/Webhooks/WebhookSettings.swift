import ChatModel
import Formats

/// What the owner of a webhook has chosen. Its canonical JSON is kept with the target.
///
/// The URL and the headers may hold passwords: ``headers`` are never answered, neither is logged.
package struct WebhookSettings: CanonicalJSON, Hashable {
    package var url: String
    package var description: String?
    /// Nil lets all types pass; so do directions and channels.
    package var types: [EventType]?
    package var directions: [MessageDirection]?
    package var channels: [String]?
    /// By name, ascending.
    package var headers: [WebhookHeader]
    /// How many threads have an attempt in flight at once; with 1 all events are sent in their order.
    package var concurrency: Int
    /// How long an answer may take.
    package var timeoutSeconds: Int

    package static let defaultConcurrency = 8
    package static let defaultTimeoutSeconds = 15

    package init(
        url: String, description: String? = nil, types: [EventType]? = nil, directions: [MessageDirection]? = nil,
        channels: [String]? = nil, headers: [WebhookHeader] = [], concurrency: Int = Self.defaultConcurrency,
        timeoutSeconds: Int = Self.defaultTimeoutSeconds
    ) {
        self.url = url
        self.description = description
        self.types = types
        self.directions = directions
        self.channels = channels
        self.headers = headers.sorted { $0.name < $1.name }
        self.concurrency = concurrency
        self.timeoutSeconds = timeoutSeconds
    }

    package var filter: WebhookFilter { WebhookFilter(types: types, directions: directions, channels: channels) }

    package func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("url", url)
        json.member("description", description)
        Self.encode(types?.map(\.rawValue), as: "types", to: &json)
        Self.encode(directions?.map(\.rawValue), as: "directions", to: &json)
        Self.encode(channels, as: "channels", to: &json)
        json.name("headers")
        json.beginObject()
        for header in headers {
            json.name(header.name)
            json.value(header.value)
        }
        json.endObject()
        json.member("concurrency", concurrency)
        json.member("timeoutSeconds", timeoutSeconds)
        json.endObject()
    }

    /// Writes an array of strings; nothing for nil.
    package static func encode(_ strings: [String]?, as name: StaticString, to json: inout JSONWriter) {
        guard let strings else { return }
        json.name(name)
        json.beginArray()
        for string in strings { json.value(string) }
        json.endArray()
    }

    /// Reads what ``encode(to:)`` wrote, by the rules of a request.
    package init(json: JSONValue) throws(ModelError) {
        do throws(InvalidMembers) {
            try self.init(reading: json)
        } catch {
            throw ModelError(member: error.faults.first?.pointer.split(separator: "/").first.map(String.init) ?? "")
        }
    }
}

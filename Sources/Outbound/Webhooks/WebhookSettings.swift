import ChatModel
import Formats
import HTTPClientPort

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

/// Reads the members of a request's body into ``WebhookSettings``, and collects all faults, so that a client sees
/// them at once.
private struct WebhookSettingsReader {
    private let body: JSONValue
    private(set) var settings: WebhookSettings
    private var reader = MemberReader(pointer: "")

    var faults: [InvalidMembers.Fault] { reader.faults }

    static let maximumURLLength = TargetAddress.maximumLength
    /// In Unicode code points, as JSON Schema counts.
    static let maximumDescriptionLength = 500
    static let maximumTypes = 50
    static let maximumChannels = 100
    static let maximumHeaders = 20

    /// - Parameter settings: what the members change; nil for a new webhook, which needs a `url`.
    init(_ body: JSONValue, changing settings: WebhookSettings?) {
        self.body = body
        self.settings = settings ?? WebhookSettings(url: "")
        guard body.members != nil else {
            reject("", "an object was expected, not \(body.kind)")
            return
        }
        readURL(isRequired: settings == nil)
        readDescription()
        read("types", \.types, count: 1...Self.maximumTypes, expecting: "a type of events that the log keeps") { name in
            WebhookFilter.durableTypes.first { $0.rawValue.hasSameBytes(as: name) }
        }
        read("directions", \.directions, count: 1...MessageDirection.allCases.count, expecting: "a direction") { name in
            MessageDirection.allCases.first { $0.rawValue.hasSameBytes(as: name) }
        }
        read("channels", \.channels, count: 1...Self.maximumChannels, expecting: "a channel's id") { id in
            (1...128).contains(id.utf8.count) && id.utf8.allSatisfy(\.isPrintable) ? id : nil
        }
        readHeaders()
        read("concurrency", \.concurrency, in: 1...64, default: WebhookSettings.defaultConcurrency)
        read("timeoutSeconds", \.timeoutSeconds, in: 1...60, default: WebhookSettings.defaultTimeoutSeconds)
    }

    private mutating func readURL(isRequired: Bool) {
        guard let value = body["url"] else {
            if isRequired { reject("/url", "the operation needs this member", .missing) }
            return
        }
        guard let url = value.string else {
            reject("/url", "a string was expected, not \(value.kind)")
            return
        }
        do throws(AddressRefusal) {
            _ = try TargetAddress(url, maximumLength: Self.maximumURLLength)
            settings.url = url
        } catch {
            reject("/url", error.detail, .targetNotAllowed)
        }
    }

    private mutating func readDescription() {
        guard let value = body["description"] else { return }
        if value == .null {
            settings.description = nil
        } else if let text = value.string, text.utf8.count <= 4 * Self.maximumDescriptionLength,
            text.unicodeScalars.count <= Self.maximumDescriptionLength
        {
            // Counted as JSON Schema does, in code points.
            settings.description = text
        } else {
            reject("/description", "a string of at most \(Self.maximumDescriptionLength) characters was expected")
        }
    }

    /// Reads an array of strings, each by `item`; repeated items are dropped, and null takes the member back to its
    /// default.
    private mutating func read<T: Equatable>(
        _ name: String, _ path: WritableKeyPath<WebhookSettings, [T]?>, count: ClosedRange<Int>, expecting: String,
        item: (String) -> T?
    ) {
        guard let value = body[name] else { return }
        if value == .null {
            settings[keyPath: path] = nil
            return
        }
        guard let values = value.array else {
            reject("/\(name)", "an array was expected, not \(value.kind)")
            return
        }
        guard count.contains(values.count) else {
            reject("/\(name)", "\(count.lowerBound) to \(count.upperBound) items were expected")
            return
        }
        var items: [T] = []
        for (index, value) in values.enumerated() {
            if let item = value.string.flatMap(item) {
                if !items.contains(item) { items.append(item) }
            } else {
                reject("/\(name)/\(index)", "\(expecting) was expected")
            }
        }
        settings[keyPath: path] = items
    }

    /// Merges the headers into those that exist; null removes one. The API never shows their values, so a client must
    /// be able to change one without the others.
    private mutating func readHeaders() {
        guard let value = body["headers"] else { return }
        if value == .null {
            settings.headers = []
            return
        }
        guard let members = value.members else {
            reject("/headers", "an object was expected, not \(value.kind)")
            return
        }
        var headers = Dictionary(settings.headers.map { ($0.name.lowercased(), $0) }) { $1 }
        var seen: Set<String> = []
        for member in members {
            let name = member.name.lowercased()
            let pointer = "/headers" + MemberReader.pointer(to: member.name)
            guard seen.insert(name).inserted else {
                reject(pointer, "the header was named before; large and small letters are the same")
                continue
            }
            if member.value == .null {
                headers[name] = nil
                continue
            }
            guard let text = member.value.string else {
                reject(pointer, "a string was expected, not \(member.value.kind)")
                continue
            }
            do throws(WebhookHeader.InvalidHeader) {
                headers[name] = try WebhookHeader(checking: member.name, text)
            } catch {
                reject(pointer, error.detail)
            }
        }
        guard headers.count <= Self.maximumHeaders else {
            reject("/headers", "at most \(Self.maximumHeaders) headers were expected")
            return
        }
        settings.headers = headers.values.sorted { $0.name < $1.name }
    }

    /// Reads an integer in a range; null takes it back to the default. `5.0` is accepted: JSON does not tell it from
    /// 5.
    private mutating func read(
        _ name: String, _ path: WritableKeyPath<WebhookSettings, Int>, in range: ClosedRange<Int>, default: Int
    ) {
        guard let value = body[name] else { return }
        let number: Int? =
            switch value {
            case .null: `default`
            case .integer(let integer): Int(exactly: integer)
            case .number(let number): Int(exactly: number)
            default: nil
            }
        guard let number, range.contains(number) else {
            reject("/\(name)", "an integer from \(range.lowerBound) to \(range.upperBound) was expected")
            return
        }
        settings[keyPath: path] = number
    }

    private mutating func reject(_ pointer: String, _ reason: String, _ kind: InvalidMembers.Fault.Kind = .invalid) {
        reader.refuse(pointer, reason, kind)
    }
}

extension WebhookSettings {
    /// Reads the settings of a new webhook, or changes existing ones by a JSON merge patch (RFC 7396): null takes a
    /// member back to its default. Throws with all faults.
    ///
    /// The URL's host is not resolved here: ``AddressRules`` judges its addresses at each connection.
    package init(reading body: JSONValue, changing settings: WebhookSettings? = nil) throws(InvalidMembers) {
        let reader = WebhookSettingsReader(body, changing: settings)
        guard reader.faults.isEmpty else { throw InvalidMembers(reader.faults) }
        self = reader.settings
    }
}

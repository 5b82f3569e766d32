import Formats

/// What one custom field may hold (the SDK's `CustomFieldType`).
public struct CustomFieldDefinition: CanonicalJSON, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Any text (the SDK's `CustomFieldTextField`).
        case text
        /// A text that is an e-mail address (`isEmail` there).
        case email
        /// One of the options (`CustomFieldSelector`).
        case list
        /// One of the options that have none below them (`CustomFieldHierarchical`).
        case tree
    }

    /// One value that a list or a tree offers.
    public struct Option: CanonicalJSON, Hashable {
        public var id: String
        public var label: String
        /// In a tree: the option above.
        public var parentID: String?

        public init(id: String, label: String, parentID: String? = nil) {
            self.id = id
            self.label = label
            self.parentID = parentID
        }

        public func encode(to json: inout JSONWriter) {
            json.beginObject()
            json.member("id", id)
            json.member("label", label)
            json.member("parentId", parentID)
            json.endObject()
        }

        public init(json: JSONValue) throws(ModelError) {
            id = try json.requiredString("id")
            label = try json.requiredString("label")
            parentID = json["parentId"]?.string
        }
    }

    /// The field's name among `customFields`.
    public var ident: String
    /// For people.
    public var label: String
    public var kind: Kind
    /// Whether a survey must have an answer.
    public var isRequired: Bool
    /// Of a list or a tree; parents may come after their children.
    public var options: [Option]

    public init(ident: String, label: String, kind: Kind, isRequired: Bool = false, options: [Option] = []) {
        self.ident = ident
        self.label = label
        self.kind = kind
        self.isRequired = isRequired
        self.options = options
    }

    /// The value that a text stands for: an option's id, also for who gives its label. Nil for what the field does not
    /// take.
    public func value(of text: String) -> String? {
        switch kind {
        case .text: return text
        case .email: return EmailAddress.isValid(text) ? text : nil
        case .list: return (options.first { $0.id == text } ?? options.first { $0.label == text })?.id
        case .tree:
            let parents = Set(options.compactMap(\.parentID))
            let leaves = options.filter { !parents.contains($0.id) }
            return (leaves.first { $0.id == text } ?? leaves.first { $0.label == text })?.id
        }
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("ident", ident)
        json.member("label", label)
        json.member("type", kind.rawValue)
        if isRequired { json.member("isRequired", true) }
        if !options.isEmpty { json.member("options", options) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        ident = try json.requiredString("ident")
        label = try json.requiredString("label")
        kind = try json.requiredCase("type")
        isRequired = json["isRequired"]?.bool ?? false
        options = json["options"] == nil ? [] : try json.requiredArray("options")
    }
}

/// What a channel asks before a thread begins (the SDK's `PreChatSurvey`; CXone `preContactForm`).
public struct PreChatSurvey: CanonicalJSON, Hashable {
    public var name: String
    /// At least one.
    public var fields: [CustomFieldDefinition]

    public init(name: String, fields: [CustomFieldDefinition]) {
        self.name = name
        self.fields = fields
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", name)
        json.member("fields", fields)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        name = try json.requiredString("name")
        fields = try json.requiredArray("fields")
    }
}

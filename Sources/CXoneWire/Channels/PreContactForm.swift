/// The survey that a customer fills in ahead of a thread: `preContactForm`.
public struct PreContactForm: Sendable, Hashable {
    public var id: String?
    public var name: String
    /// The channels of the form. Android shows the form only on these.
    public var channelIDs: [String]
    /// Fields of types that aren't known are left out.
    public var fields: [SurveyField]

    public init(id: String?, name: String, channelIDs: [String], fields: [SurveyField]) {
        self.id = id
        self.name = name
        self.channelIDs = channelIDs
        self.fields = fields
    }
}

/// A question of a survey: a custom field and what it takes.
///
/// On the wire its parts are in `definition`, and `isRequired` stands beside it.
public struct SurveyField: Sendable, Hashable {
    /// The `type` of the field: what the customer may enter.
    public enum Kind: Sendable, Hashable {
        /// Any text.
        case text
        /// An e-mail address.
        case email
        /// The value is one of the options' names.
        case list([SurveyOption])
        /// The value is the name of a leaf.
        case tree([SurveyOption])
    }

    /// The key of the custom field that gets the answer.
    public var ident: String
    /// The question as customers see it; the `ident` if the member is absent.
    public var label: String
    /// Whether a thread cannot be made without an answer.
    public var isRequired: Bool
    public var kind: Kind

    public init(ident: String, label: String, isRequired: Bool, kind: Kind) {
        self.ident = ident
        self.label = label
        self.isRequired = isRequired
        self.kind = kind
    }
}

/// A choice of a list or a tree field.
public struct SurveyOption: Sendable, Hashable, WireReadable, WireWritable {
    /// The value that is sent.
    public var name: String
    /// `value`: what is shown.
    public var label: String
    /// In a tree, the name of the option above; that one may come later.
    public var parentID: String?

    public init(name: String, label: String, parentID: String? = nil) {
        self.name = name
        self.label = label
        self.parentID = parentID
    }

    /// Reads an element of `values`. An option without `value` shows its `name`.
    public init(_ value: WireValue) throws(WireError) {
        name = try value.id("name")
        label = try value.idIfPresent("value") ?? name
        parentID = try value.idIfPresent("parentId")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("value", label)
            writer.member("parentId", ifPresent: parentID)
        }
    }
}

extension PreContactForm: WireReadable, WireWritable {
    /// Reads `preContactForm`. A field of an unknown type is left out as on Android; the iOS SDK would refuse the whole
    /// configuration, and with it the channel. Channels without an id are left out too.
    public init(_ value: WireValue) throws(WireError) {
        id = try value.idIfPresent("id")
        name = try value.optional("name") ?? ""
        channelIDs = (value["channels"]?.elements ?? []).compactMap { $0["id"]?.idText }
        let fields: [SurveyFieldIfKnown] = try value.readableList("customFields")
        self.fields = fields.compactMap(\.field)
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: id)
            writer.member("name", name)
            writer.name("channels")
            writer.array { writer in
                for id in channelIDs { writer.object { $0.member("id", id) } }
            }
            writer.member("customFields", fields)
        }
    }
}

/// An element of `customFields`; its field is nil if the type is unknown.
private struct SurveyFieldIfKnown: WireReadable {
    var field: SurveyField?

    init(_ value: WireValue) throws(WireError) {
        field = try value.inside("definition") { definition throws(WireError) -> SurveyField? in
            let kind: SurveyField.Kind
            let type: String = try definition.required("type")
            switch type {
            case "text": kind = .text
            case "email": kind = .email
            case "list": kind = .list(try definition.readableList("values"))
            case "tree": kind = .tree(try definition.readableList("values"))
            default: return nil
            }
            let ident = try definition.id("ident")
            var isRequired: Bool? = try value.optional("isRequired")
            if isRequired == nil { isRequired = try definition.optional("required") }
            return SurveyField(
                ident: ident, label: try definition.optional("label") ?? ident,
                isRequired: isRequired ?? false, kind: kind)
        }
    }
}

/// Whether an answer is required is written twice: as `isRequired`, and as `required` in `definition`.
extension SurveyField: WireWritable {
    public func write(to writer: inout WireWriter) {
        let (type, options): (String, [SurveyOption]) =
            switch kind {
            case .text: ("text", [])
            case .email: ("email", [])
            case .list(let options): ("list", options)
            case .tree(let options): ("tree", options)
            }
        writer.object { writer in
            writer.member("isRequired", isRequired)
            writer.object("definition") { writer in
                writer.member("ident", ident)
                writer.member("label", label)
                writer.member("type", type)
                writer.member("required", isRequired)
                writer.member("values", options)
            }
        }
    }
}

/// The menu that web clients always show: the body of `GET .../persistent-menu-items`.
public struct PersistentMenu: Sendable, Hashable {
    /// An entry of the menu. Its postback is sent when it is chosen.
    public struct Item: Sendable, Hashable, WireReadable, WireWritable {
        public var id: String
        public var label: String
        /// Sent with the message when the customer chooses the entry.
        public var postback: String?

        public init(id: String, label: String, postback: String?) {
            self.id = id
            self.label = label
            self.postback = postback
        }

        public init(_ value: WireValue) throws(WireError) {
            id = try value.id("id")
            label = try value.required("label")
            postback = try value.optional("postback")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("id", id)
                writer.member("label", label)
                writer.member("postback", ifPresent: postback)
            }
        }
    }

    /// The body is this array alone, without an object around it.
    public var items: [Item]

    public init(items: [Item]) { self.items = items }
}

extension PersistentMenu: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        items = try [Item](try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions()))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { items.write(to: &$0) } }
}

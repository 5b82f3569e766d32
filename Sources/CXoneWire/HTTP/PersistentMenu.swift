/// The menu that web clients always show: the body of `GET .../persistent-menu-items`.
public struct PersistentMenu: Sendable, Hashable {
    public struct Item: Sendable, Hashable, WireReadable, WireWritable {
        public var id: String
        public var label: String
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

    public var items: [Item]

    public init(items: [Item]) { self.items = items }
}

extension PersistentMenu: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        items = try [Item](try WireValue(json: json, limit: limit))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { items.write(to: &$0) } }
}

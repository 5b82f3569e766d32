/// Where a push comes from: `brand` and `channel`, which the iOS SDK needs with most of them.
public struct PushOrigin: Sendable, Hashable {
    public var brandID: Int?
    public var channelID: String?

    public init(brandID: Int?, channelID: String?) {
        self.brandID = brandID
        self.channelID = channelID
    }

    /// Nothing is needed of them: an id that can't be read is none.
    init(_ data: WireValue) {
        brandID = data["brand"].flatMap { brand in try? brand.optional("id") }
        channelID = data["channel"]?["id"]?.idText
    }

    func write(to writer: inout WireWriter) {
        if let brandID { writer.object("brand") { $0.member("id", brandID) } }
        if let channelID { writer.nested("channel", id: channelID) }
    }
}

extension WireValue {
    /// The contact of a push, by any of its names.
    func contactOfPush() throws(WireError) -> WireContact? {
        if let contact: WireContact = try optional("case", or: "consumerContact") { return contact }
        return try optional("contact")
    }

    func requiredContactOfPush() throws(WireError) -> WireContact {
        guard let contact = try contactOfPush() else { throw missing("case") }
        return contact
    }
}

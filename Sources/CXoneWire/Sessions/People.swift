/// The person who uses the app: `customerIdentity`, `consumerIdentity`, `authorEndUserIdentity`.
public struct WireCustomer: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`.
    public var id: String
    /// Never empty: Android sends empty names for unknown ones.
    public var firstName: String?
    public var lastName: String?
    /// Sent by web clients.
    public var image: String?

    public init(id: String, firstName: String? = nil, lastName: String? = nil, image: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.image = image
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform")
        firstName = try value.nonEmpty("firstName")
        lastName = try value.nonEmpty("lastName")
        image = try value.nonEmpty("image")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("idOnExternalPlatform", id)
            writer.member("firstName", ifPresent: firstName)
            writer.member("lastName", ifPresent: lastName)
            writer.member("image", ifPresent: image)
        }
    }
}

extension WireValue {
    /// A string; nil if it is absent, null or empty. The wire often has "" for an unknown value.
    func nonEmpty(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String? {
        let text: String? = try optional(name, or: alias)
        return text?.isEmpty == true ? nil : text
    }
}

/// An employee, a bot or a survey that answers: `authorUser`, `inboxAssignee`, `ownerAssignee`, `user`.
public struct WireAgent: Sendable, Hashable, WireReadable, WireWritable {
    /// On the wire a number; an id that is none (which no SDK reads) is written as text.
    public var id: String
    public var firstName: String
    /// `surname`.
    public var lastName: String
    /// Nil for none, which is written as "".
    public var nickname: String?
    /// `isBotUser`.
    public var isBot: Bool
    /// `isSurveyUser`: the author is a survey.
    public var isSurvey: Bool
    /// `publicImageUrl`.
    public var imageURL: String?

    public init(
        id: String, firstName: String, lastName: String, nickname: String? = nil, isBot: Bool = false,
        isSurvey: Bool = false, imageURL: String? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.nickname = nickname
        self.isBot = isBot
        self.isSurvey = isSurvey
        self.imageURL = imageURL
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        firstName = try value.optional("firstName") ?? ""
        lastName = try value.optional("surname", or: "lastName") ?? ""
        nickname = try value.nonEmpty("nickname")
        isBot = try value.optional("isBotUser") ?? false
        isSurvey = try value.optional("isSurveyUser") ?? false
        imageURL = try value.nonEmpty("publicImageUrl", or: "imageUrl")
    }

    /// All members, because the iOS SDK needs them.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            if let number = Int(id), String(number) == id {
                writer.member("id", number)
            } else {
                writer.member("id", id)
            }
            writer.member("firstName", firstName)
            writer.member("surname", lastName)
            writer.member("nickname", nickname ?? "")
            writer.member("isBotUser", isBot)
            writer.member("isSurveyUser", isSurvey)
            writer.member("publicImageUrl", imageURL ?? "")
        }
    }
}

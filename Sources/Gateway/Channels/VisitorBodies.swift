import Chat
import ChatModel
import Formats
import HTTPRouting

/// `{"public"?,"origins"?,"identity"?,"anonymous"?,"proof"?,"consent"?,"visitorDays"?,"identityDays"?,"retentionDays"?,
/// "selfErase"?,"limits"?}`: how customers begin by themselves. What is left out has its usual value.
struct VisitorSettingsBody: RequestBody {
    let settings: VisitorSettings

    init(reading object: inout ObjectReader) {
        var settings = VisitorSettings()
        settings.isPublic = object.optionalBool("public") ?? false
        settings.origins = Self.origins(&object)
        settings.identity = object.optionalChoice("identity", of: VisitorSettings.Identity.allCases) ?? .off
        settings.anonymous = object.optionalChoice("anonymous", of: VisitorSettings.Anonymous.allCases) ?? .allowed
        settings.proof = object.optionalChoice("proof", of: VisitorSettings.Proof.allCases) ?? .off
        settings.consent = object.object(object.optional("consent"), "consent", as: AgreementBody.self)?.agreement
        settings.visitorDays = object.optionalInteger("visitorDays", in: 1...365) ?? settings.visitorDays
        settings.identityDays = object.optionalInteger("identityDays", in: 1...30) ?? settings.identityDays
        settings.retentionDays = object.optionalInteger("retentionDays", in: 0...3650) ?? 0
        settings.selfErase = object.optionalBool("selfErase") ?? false
        settings.limits =
            object.object(object.optional("limits"), "limits", as: VisitorLimitsBody.self)?.limits ?? VisitorLimits()
        if settings.anonymous == .vouched, settings.identity == .off {
            object.reject("anonymous", "customers can be vouched for only where identity is optional or required")
        }
        self.settings = settings
    }

    private static func origins(_ object: inout ObjectReader) -> [String] {
        guard let value = object.optional("origins") else { return [] }
        let texts = value.array?.compactMap(\.string) ?? []
        guard texts.count == value.array?.count, texts.count <= VisitorSettings.maximumOrigins else {
            object.reject("origins", "at most \(VisitorSettings.maximumOrigins) origins were expected, in an array")
            return []
        }
        return texts.enumerated().compactMap { index, text in
            if let origin = WebOrigin(text, takesWildcard: true) { return origin.text }
            object.reject(
                "origins",
                "item \(index): an origin was expected, such as https://shop.example, http://localhost:3000 or https://*.shop.example"
            )
            return nil
        }
    }
}

/// How much the channel's visitors may do: a number for each name of ``VisitorLimits``. What is left out is as usual.
struct VisitorLimitsBody: RequestBody {
    let limits: VisitorLimits

    init(reading object: inout ObjectReader) {
        var limits = VisitorLimits()
        for name in VisitorLimits.Name.allCases {
            if let number = object.optionalInteger(name.rawValue, in: 1...name.greatest) { limits[name] = number }
        }
        self.limits = limits
    }
}

/// `{"version","required"?,"url"?}`: what customers agree to.
struct AgreementBody: RequestBody {
    let agreement: VisitorSettings.Agreement

    init(reading object: inout ObjectReader) {
        agreement = VisitorSettings.Agreement(
            version: object.requiredString("version", length: 1...64),
            isRequired: object.optionalBool("required") ?? true,
            url: object.optionalString("url", length: 8...CustomerDraft.maximumImageLength))
        if let url = agreement.url, !CustomerDraft.isImage(url) {
            object.reject("url", "a URL that begins with https:// or http:// was expected")
        }
    }
}

/// `{"colour"?,"position"?,"name"?,"greeting"?,"showBubble"?,"logo"?}`: how the chat looks on a shop's pages. The logo
/// is the one that the channel has: so whoever has read the appearance may send it back.
struct AppearanceBody: RequestBody {
    let appearance: Appearance

    init(reading object: inout ObjectReader) {
        var appearance = Appearance()
        appearance.colour = object.optionalString("colour", length: 7...7)?.lowercased()
        if let colour = appearance.colour, !Appearance.isColour(colour) {
            object.reject("colour", "a colour was expected, such as #0b57d0")
        }
        appearance.position = object.optionalChoice("position", of: Appearance.Position.allCases)
        appearance.name = object.optionalString("name", length: 1...64)
        appearance.greeting = object.optionalString("greeting", length: 1...1000)
        appearance.showsBubble = object.optionalBool("showBubble")
        appearance.logo = object.optionalString("logo", length: 1...128)
        self.appearance = appearance
    }
}

/// The languages of a channel's pages for customers.
enum LanguageBody {
    private static let maximumCount = 20

    static func optional(_ name: String, _ object: inout ObjectReader) -> [String]? {
        guard let value = object.optional(name) else { return nil }
        let tags = value.array?.compactMap(\.string) ?? []
        guard tags.count == value.array?.count, tags.count <= maximumCount, Set(tags).count == tags.count,
            tags.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 35 })
        else {
            object.reject(name, "at most \(maximumCount) different tags of languages were expected, in an array")
            return nil
        }
        return tags
    }
}

/// `{language: {key: text}}`: what a channel's pages for customers say otherwise.
enum ChannelTextsBody {
    private static let maximumLanguages = 20

    static func optional(_ name: String, _ object: inout ObjectReader) -> [String: [String: String]]? {
        guard let value = object.optional(name) else { return nil }
        guard let members = value.members, members.count <= maximumLanguages else {
            object.reject(name, "an object with at most \(maximumLanguages) languages was expected")
            return nil
        }
        var texts: [String: [String: String]] = [:]
        for language in members {
            guard let entries = language.value.members, entries.allSatisfy({ $0.value.string != nil }) else {
                object.reject(name, "\(language.name.prefix(35)): an object with texts was expected")
                continue
            }
            texts[language.name] = Dictionary(entries.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        }
        return texts
    }
}

extension Call {
    /// Throws a problem with all texts of the settings that no page could show: of a language that there is not, of an unknown
    /// key, and with a place that the text of this key does not have.
    func checkTexts(of settings: ChannelSettings) throws(Problem) {
        // A gateway without pages has no table, and shows no text.
        guard let table = core.configuration.customerTexts, !table.languages.isEmpty else { return }
        var items: [Problem.Item] = []
        for (index, language) in (settings.languages ?? []).enumerated() where !table.languages.contains(language) {
            items.append(
                Problem.Item(
                    .invalidValue, pointer: "/languages/\(index)",
                    "one of these was expected: \(table.languages.joined(separator: ", "))"))
        }
        for (language, entries) in settings.texts ?? [:] {
            for (key, text) in entries.sorted(by: { $0.key < $1.key }) {
                guard let fault = table.fault(of: text, key: key, language: language) else { continue }
                let pointer = ObjectReader.pointer(to: key, in: ObjectReader.pointer(to: language, in: "/texts"))
                items.append(Problem.Item(.invalidValue, pointer: pointer, fault))
            }
        }
        if !items.isEmpty { throw Problem(items: items) }
    }
}

/// What a channel's configuration says of the platform's own web widget: its colours, place, popups and words.
///
/// The mobile SDKs read nothing of it. Code that is written for the web SDK takes every member for given.
public struct WidgetInfo: Sendable, Hashable {
    /// `colors.themeColor`, as CSS writes it.
    public var themeColor: String
    /// `widget.appearance`: `bar` or `button`.
    public var appearance: String
    /// `widget.position`: `right` or `left`.
    public var position: String
    /// The widget's words by their names. Whoever finds a name absent shows its own word.
    public var translations: [String: String]

    public init(
        themeColor: String = "#336699", appearance: String = "bar", position: String = "right",
        translations: [String: String] = [:]
    ) {
        self.themeColor = themeColor
        self.appearance = appearance
        self.position = position
        self.translations = translations
    }

    /// The members beside the channel's own. There are no popups and no scripts.
    func write(to writer: inout WireWriter) {
        writer.object("colors") { $0.member("themeColor", themeColor) }
        writer.object("widget") { writer in
            writer.member("appearance", appearance)
            writer.member("position", position)
        }
        writer.emptyArray("popups")
        writer.object("translations") { writer in
            for (name, word) in translations.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                writer.string(word)
            }
        }
        for name in ["customCss", "customJs", "customJsFiles"] {
            writer.name(name)
            writer.string("")
        }
    }

    /// The members of `settings` that only the widget needs: nothing is offered while a live chat is offline, and there
    /// are no group chats.
    func writeSettings(to writer: inout WireWriter) {
        writer.member("liveChatShowOfflineForm", false)
        writer.object("liveChatOfflineForm") { writer in
            writer.member("isEnabled", false)
            writer.member("isCustom", false)
            writer.member("html", "")
        }
        writer.member("liveChatHiddenOnOffline", false)
        writer.member("isGroupChatAllowed", false)
    }
}

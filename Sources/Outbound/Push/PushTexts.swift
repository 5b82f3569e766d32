/// What a channel lets its pushes say.
package struct PushTexts: Sendable, Hashable {
    /// Nil: what suits the device: ``PushContent/full`` by Web Push, which is encrypted, ``PushContent/none`` by APNs, which
    /// Apple can read.
    package var content: PushContent?
    /// In the author's place, where the content leaves the author out; nil: a fixed text.
    package var title: String?
    /// In the place of the message's words, where the content leaves them out; nil: a fixed text.
    package var body: String?
    /// For apps; nil: a push names its thread by ids alone.
    package var deepLink: DeepLinkTemplate?

    package init(content: PushContent? = nil, title: String? = nil, body: String? = nil, deepLink: DeepLinkTemplate? = nil) {
        self.content = content
        self.title = title
        self.body = body
        self.deepLink = deepLink
    }

    func alert(for message: PushMessage, otherwise content: PushContent) -> PushAlert {
        PushAlert(message, content: self.content ?? content, title: title, body: body)
    }
}

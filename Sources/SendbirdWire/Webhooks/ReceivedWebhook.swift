import Formats

/// What is read of a webhook: where something has changed. A webhook may be forged, doubled, late and out of order, so
/// what it tells beside that is not believed; the channel is asked for.
package struct ReceivedWebhook: Sendable, Hashable {
    package var applicationID: String
    package var category: SendbirdCategory
    package var channelURL: String
    /// The channel's type, if it is told.
    package var customType: String?
    /// The message, if one is named.
    package var messageID: Int64?

    package init(applicationID: String, category: SendbirdCategory, channelURL: String, messageID: Int64? = nil) {
        (self.applicationID, self.category) = (applicationID, category)
        (self.channelURL, self.messageID) = (channelURL, messageID)
    }

    /// Throws for what is no webhook of a channel.
    package init(body: [UInt8]) throws(SendbirdSyntaxError) {
        let value = try SendbirdValue(json: body, limit: SendbirdBound.webhook)
        guard let application = value.id("app_id"), let category = value.id("category"),
            let url = value["channel"]?.id("channel_url")
        else { throw .incomplete }
        let id = value["payload"]?.number("message_id") ?? value["message"]?.number("message_id")
        self.init(
            applicationID: application, category: SendbirdCategory(rawValue: category), channelURL: url,
            messageID: id.flatMap { $0 > 0 ? $0 : nil })
        customType = value["channel"]?.text("custom_type")
    }
}

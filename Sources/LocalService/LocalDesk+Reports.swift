import Chat
import ChatModel
import ChatStore
import Formats

/// Reports on the desk's work, counted from contacts in one query.
extension LocalDesk {
    public func report(_ query: ReportQuery) async throws(ChatError) -> DeskReport {
        guard let zone = store.environment.timeZone(query.timeZone) else {
            throw ChatError(
                .invalidParameter, "This machine knows no time zone of this name.", pointer: "?timeZone")
        }
        let length = query.until.milliseconds - query.since.milliseconds
        guard length > 0, length <= ReportQuery.longest else {
            throw ChatError(.invalidParameter, "A time of at most 366 days was expected.", pointer: "?until")
        }
        let contacts = try await store.read {
            try $0.contacts(
                from: query.since, until: query.until, within: query.channels, limit: ReportQuery.mostContacts)
        }
        guard let contacts else {
            throw ChatError(
                .invalidParameter,
                "More than \(ReportQuery.mostContacts) conversations are in this time: ask for less.", pointer: "?until"
            )
        }
        return DeskReport(contacts, query, in: zone)
    }
}

import Logging
import TestSupport

/// Keeps what was logged, one line each.
struct JournalLog: LogHandler {
    let journal: Journal<String>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    init(journal: Journal<String>) { self.journal = journal }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).filter { $0.key != "socket" }.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value)"
        }
        journal.add(([event.message.description] + details).joined(separator: " "))
    }
}

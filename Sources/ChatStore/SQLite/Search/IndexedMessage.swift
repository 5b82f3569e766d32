import Formats

/// What the search index takes of a message's row.
struct IndexedMessage {
    let number: Int64
    let thread: Int64
    let id: String
    let createdAt: Int64
    /// Its words as the index has them; nil if it has no text.
    let text: String?
    /// The account that owns the thread.
    let owner: Int64

    /// Columns of `message`. The last but one is 1 where the message must not get into the index: messages that are still
    /// to be erased are hidden already, and the event of their reset may be past. The last is null for messages of a
    /// removed thread, which must not get there either.
    static let columns = """
        number, thread, id, createdAt, json, CASE WHEN EXISTS (
            SELECT 1 FROM erasure WHERE erasure.thread = message.thread AND message.createdAt <= erasure.line)
            THEN 1 ELSE 0 END,
        (SELECT owner FROM thread WHERE thread.number = message.thread)
        """

    /// Nil for a message that must not get into the index.
    init?(row: SQLRow) throws {
        guard !row.flag(5), !row.isNull(6) else { return nil }
        owner = row.integer(6)
        number = row.integer(0)
        thread = row.integer(1)
        id = row.text(2)
        createdAt = row.integer(3)
        // To make the rest of the message would cost as much as its words cost the index.
        text = try JSONText(row.blob(4)).root["text"]?.string.map(SearchText.folded)
    }
}

extension Schema {
    /// Files by their ids; the bytes stand beside the database (``FileStore``). An uploader of 0 is the desk.
    ///
    /// A row without a message is an upload that was not sent yet. One whose message is gone is nobody's, and is swept.
    static let attachments = """
        CREATE TABLE attachment (
            id TEXT PRIMARY KEY, uploader INTEGER NOT NULL, thread INTEGER, message INTEGER, createdAt INTEGER NOT NULL,
            digest BLOB NOT NULL, json BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX attachment_message ON attachment (message) WHERE message IS NOT NULL;
        CREATE INDEX attachment_unsent ON attachment (createdAt) WHERE message IS NULL;
        """

    /// What one uploader has not sent yet.
    static let unsentUploads = """
        CREATE INDEX attachment_uploader ON attachment (uploader) WHERE message IS NULL;
        """
}

extension Schema {
    /// What lists of messages are filtered by. The conversation's own list and the replies that stand beside it have an
    /// index each, so that neither reads past the other's rows.
    static let replies = """
        ALTER TABLE message ADD COLUMN parent TEXT;
        ALTER TABLE message ADD COLUMN isInThread INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE message ADD COLUMN type TEXT NOT NULL DEFAULT 'text';
        ALTER TABLE message ADD COLUMN customType TEXT;
        ALTER TABLE message ADD COLUMN sender TEXT NOT NULL DEFAULT '';
        UPDATE message SET
            type = json_extract(CAST(json AS TEXT), '$.type'), sender = json_extract(CAST(json AS TEXT), '$.author.id'),
            customType = json_extract(CAST(json AS TEXT), '$.customType');

        DROP INDEX message_order;
        CREATE INDEX message_order ON message (thread, createdAt, number) WHERE isInThread = 1;
        CREATE INDEX message_aside ON message (thread, createdAt, number) WHERE isInThread = 0;
        CREATE INDEX message_replies ON message (thread, parent, createdAt, number) WHERE parent IS NOT NULL;
        """
}

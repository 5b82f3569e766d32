extension Schema {
    /// Indexes for lists that were filtered row by row.
    ///
    /// - `thread.channel`: its owner's, so that the desk's list of a channel is a range of an index.
    /// - `waiting.told`: the position that a waiting thread shows; 0 is told anew.
    /// - `thread_id` has the owner, `thread_channel` the channel: one id may name the threads of many customers.
    static let reading = """
        ALTER TABLE thread ADD COLUMN channel TEXT NOT NULL DEFAULT '';
        UPDATE thread SET channel = (SELECT channel FROM account WHERE account.number = thread.owner);
        CREATE INDEX thread_desk_channel ON thread (channel, isClosed, activity, number) WHERE isKnownToDesk = 1;

        ALTER TABLE waiting ADD COLUMN told INTEGER NOT NULL DEFAULT 0;

        DROP INDEX thread_id;
        CREATE INDEX thread_id ON thread (id, owner);
        CREATE INDEX thread_channel ON thread (id, channel);
        """

    /// `watermark.fromAt`, `fromTo`: how far the reader had read before. A watermark covers only what is newer. -1 in rows from
    /// before these columns.
    static let watermarks = """
        ALTER TABLE watermark ADD COLUMN fromAt INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE watermark ADD COLUMN fromTo INTEGER NOT NULL DEFAULT -1;
        """
}

extension Schema {
    /// What the embedded service needs for contacts and live chats.
    ///
    /// - `contact`: the routed work items; a number is never used again.
    /// - `waiting`: live chats that no agent has taken, in the order of their queue.
    /// - `inactivity`: when something is to happen to a live chat whose customer is silent.
    static let contacts = """
        CREATE TABLE contact (
            number INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, openedAt INTEGER NOT NULL, closedAt INTEGER
        );
        CREATE INDEX contact_thread ON contact (thread);

        CREATE TABLE waiting (thread INTEGER PRIMARY KEY, service TEXT NOT NULL, channel TEXT NOT NULL, since INTEGER NOT NULL);
        CREATE UNIQUE INDEX waiting_order ON waiting (service, channel, since, thread);

        CREATE TABLE inactivity (thread INTEGER PRIMARY KEY, dueAt INTEGER NOT NULL);
        CREATE INDEX inactivity_due ON inactivity (dueAt);
        """
}

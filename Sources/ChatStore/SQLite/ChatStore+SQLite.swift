import ChatModel

extension ChatStore {
    /// Opens `parley.sqlite` in a folder that exists, or makes it, and brings an older one to today's tables.
    ///
    /// Throws ``StoreError``: for a database that is newer or damaged, and for a folder that was in use and whose
    /// database is missing or belongs to another folder.
    public static func open(
        folder: String, options: StoreOptions = StoreOptions(), environment: ModelEnvironment
    ) throws -> ChatStore {
        let backend = try SQLiteBackend.open(folder: folder, options: options, environment: environment)
        return ChatStore(backend: backend, folder: folder, options: options, environment: environment)
    }

    /// A connection that only reads the database of a folder, which nobody has to have opened. For tools.
    ///
    /// Throws ``StoreError`` when there is none, and for one of another version: its tables are others.
    package static func reader(folder: String) throws -> any StoreReader {
        try SQLiteReader.open(path: folder + "/parley.sqlite")
    }

    /// The store's database. For tests, which look at it and set it.
    var sqlite: SQLiteBackend {
        guard let backend = backend as? SQLiteBackend else { preconditionFailure("The store is not in SQLite.") }
        return backend
    }

    /// Runs a closure on the writer's connection, between groups. For tests.
    func onWriter<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        guard backend is SQLiteBackend else { throw ChatError(.storageFailed, "The store is not in SQLite.") }
        return try sqlite.writer.pausing { db in
            // It may change rows that the writer has kept.
            sqlite.hot.removeAll()
            return try body(db)
        }
    }

    /// Commits without fsync from now on. For tests on simulated time, which do not test power failures.
    package func skipDiskSync() throws {
        guard backend is SQLiteBackend else { return }
        try onWriter { try $0.run("PRAGMA synchronous = OFF") }
    }
}

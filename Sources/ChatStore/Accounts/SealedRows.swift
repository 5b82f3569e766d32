/// Secrets that all gateways of a database need. Only a database that several gateways may use has a table for them, and
/// the store knows nothing of their content: whoever saves them has encrypted them.
extension ReadTransaction {
    /// What was saved under a name; nil if there is nothing.
    public func sealed(_ name: String) throws -> [UInt8]? {
        try db.first("SELECT bytes FROM sealed WHERE name = ?", [.text(name)]) { $0.blob(0) }
    }
}

extension WriteTransaction {
    /// Saves encrypted bytes under a name. They replace what was saved under this name before.
    public func saveSealed(_ bytes: [UInt8], name: String) throws {
        try db.run(
            "INSERT INTO sealed (name, bytes) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
            [.text(name), .blob(bytes)])
    }

    /// Gives a row another name, which must be free. Does nothing if there is no such row.
    public func renameSealed(_ name: String, to other: String) throws {
        try db.run("UPDATE sealed SET name = ? WHERE name = ?", [.text(other), .text(name)])
    }

    /// Deletes what was saved under a name.
    public func removeSealed(_ name: String) throws {
        try db.run("DELETE FROM sealed WHERE name = ?", [.text(name)])
    }
}

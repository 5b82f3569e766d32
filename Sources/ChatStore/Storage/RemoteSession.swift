/// A connection to an engine that lives in a target of its own. One thread at a time uses it.
///
/// Statements are written in the dialect of ``CommonSQL``. Errors are ``EngineError``s.
package protocol RemoteSession: AnyObject {
    /// Runs a statement for its effect. It may be held back until something is read: then a later call throws its
    /// failure.
    func run(_ sql: String, _ values: [SQLValue]) throws

    /// Runs a statement, and returns how many rows it has changed. What was held back is run first.
    func change(_ sql: String, _ values: [SQLValue]) throws -> Int

    /// Adds a row. Returns false, and adds none, if there is a row with its key. See ``Session/add(_:_:)``.
    func add(_ addition: RowAddition, _ values: [SQLValue]) throws -> Bool

    /// Adds a row to the end of a table. See ``Session/append(_:to:)``.
    func append(_ values: [SQLValue], to table: RowTable) throws

    /// Calls `body` with each row until it returns false. What was held back is run first.
    func query(_ sql: String, _ values: [SQLValue], _ body: (any RemoteRow) throws -> Bool) throws

    /// Sends a query with the next statements, whose rows a ``query(_:_:_:)`` with the same text and values is going to
    /// want in this transaction. In a transaction that only reads.
    func expect(_ sql: String, _ values: [SQLValue]) throws

    /// How many statements with an effect were run on the connection since it was opened.
    var totalChangesCount: Int { get }
}

/// The current row of a query on a ``RemoteSession``; valid until the next row. See ``SQLRow``.
package protocol RemoteRow: AnyObject {
    func integer(_ column: Int32) -> Int64
    func isNull(_ column: Int32) -> Bool
    func text(_ column: Int32) -> String
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T
}

/// Brings a database of an older version to today's tables, in steps that are numbered from 1.
///
/// The steps that were carried out stand in the table `grdb_migrations`. Earlier versions used the library GRDB, and the
/// table keeps the name and the form that it gave it, so that databases of all versions are alike.
struct Migrator: Sendable {
    typealias Step = @Sendable (SQLiteConnection) throws -> Void

    private let steps: [Step]
    /// The numbers of all steps, as the database has them.
    let names: [String]

    init(_ steps: [Step]) {
        self.steps = steps
        names = (0..<steps.count).map { "\($0 + 1)" }
    }

    /// Whether a newer version has carried out steps that this one does not know.
    func isSuperseded(in db: SQLiteConnection) throws -> Bool { try !carriedOut(in: db).isSubset(of: names) }

    /// Whether all steps were carried out.
    func isComplete(in db: SQLiteConnection) throws -> Bool { try carriedOut(in: db).isSuperset(of: names) }

    /// Carries out the steps that were not yet, each in a transaction of its own.
    func run(on db: SQLiteConnection) throws {
        try Self.makeTable(in: db)
        let known = try carriedOut(in: db)
        for (name, step) in zip(names, steps) where !known.contains(name) {
            try db.transaction {
                try step(db)
                try Self.record(name, in: db)
            }
        }
    }

    /// Notes all steps for a database that was made with today's tables.
    func noteAll(in db: SQLiteConnection) throws {
        try Self.makeTable(in: db)
        for name in names { try Self.record(name, in: db) }
    }

    private func carriedOut(in db: SQLiteConnection) throws -> Set<String> {
        guard try db.hasTable("grdb_migrations") else { return [] }
        return Set(try db.all("SELECT identifier FROM grdb_migrations") { $0.text(0) })
    }

    private static func makeTable(in db: SQLiteConnection) throws {
        try db.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    }

    private static func record(_ name: String, in db: SQLiteConnection) throws {
        try db.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(name)])
    }
}

/// Why a database is not used. The description tells the operator what to do.
enum PostgresRefusal: Error, CustomStringConvertible {
    case newerVersion
    case otherKey
    case otherToken
    /// What is wrong with the address of the database.
    case address(String)
    case server(String)
    /// What the database is or has, and what to do about it.
    case store(String)

    var description: String {
        switch self {
        case .newerVersion:
            "The PostgreSQL database was written by a newer version of Parley. Run that version, or another database."
        case .otherKey:
            """
            The gateways of this database have another key. Name theirs with --key-file, or copy the file `key` of their \
            data folder into the one of this gateway.
            """
        case .otherToken:
            """
            The gateways of this database have another token. Name theirs with --token-file, or copy the file `token` of \
            their data folder into the one of this gateway. To give all of them a new token, stop them, and then \
            DELETE FROM meta WHERE name = 'token'.
            """
        case .address(let predicate): "The address of the PostgreSQL database \(predicate)"
        case .store(let predicate): "The PostgreSQL database \(predicate)"
        case .server(let sentence): "The PostgreSQL server cannot be used: \(sentence)"
        }
    }

    /// What the operator can do about a statement that was refused while the tables were made or looked at; nil when that
    /// is not known. Codes are those of PostgreSQL's appendix A.
    init?(_ error: PostgresError) {
        switch error.state {
        // insufficient_privilege
        case "42501":
            self = .server(
                """
                The role may not make or use the tables. Let it own the database: ALTER DATABASE .. OWNER TO the role.
                """)
        // duplicate_table, and others for which an index or a type stands in the way
        case "42P07", "42710":
            self = .store("has a table of another program that is named like one of Parley's. Name another database.")
        // undefined_table, undefined_column, datatype_mismatch, undefined_function
        case "42P01", "42703", "42804", "42883":
            self = .store("has other tables or columns than Parley's. Restore it from a backup, or name another one.")
        default: return nil
        }
    }
}

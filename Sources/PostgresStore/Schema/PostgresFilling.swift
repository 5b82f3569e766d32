import ChatStore

/// Fills columns that an expansion has added and that repeat what older rows have.
///
/// It is done when the first gateway of the new version begins to write: one of an earlier version may have written since
/// the tables were expanded, and is refused from then on.
enum PostgresFilling {
    /// The steps in the order of their versions, each with the version that has added the columns.
    private static let steps: [(version: Int64, statements: [String])] = [
        (
            5,
            [
                """
                UPDATE account SET email = lower(\(text("email"))), nameKey = nullif(trim(lower(
                    coalesce(\(text("firstName")), '') || ' ' || coalesce(\(text("lastName")), ''))), '')
                """,
                """
                UPDATE thread SET deskAgent = coalesce(\(text("agent,id")), ''), deskWait =
                    CAST(round(extract(epoch FROM CAST(\(text("waitingSince")) AS timestamptz)) * 1000) AS bigint)
                WHERE isClosed = 0 AND isKnownToDesk = 1
                """,
                "UPDATE contact SET channel = coalesce((SELECT channel FROM thread WHERE number = contact.thread), '')",
            ]
        )
    ]

    /// Fills what gateways whose version is `oldest` or older may have left out. The caller commits.
    static func run(_ session: PostgresSession, since oldest: Int64) throws {
        for step in steps where oldest < step.version {
            for statement in step.statements { try session.hold(statement) }
        }
    }

    /// A text in the rows' JSON. PostgreSQL's own type cannot hold U+0000, so its escape becomes that of U+FFFD; an escaped
    /// backslash before `u0000` is no such escape.
    private static func text(_ path: String) -> String {
        let hidden = "replace(convert_from(json, 'UTF8'), '\\\\', chr(1))"
        return "(CAST(replace(replace(\(hidden), '\\u0000', '\\ufffd'), chr(1), '\\\\') AS json) #>> '{\(path)}')"
    }
}

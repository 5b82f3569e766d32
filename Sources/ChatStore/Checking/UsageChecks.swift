extension StoreCheck {
    /// What counts for the quotas of accounts, against the rows that count.
    static let usage = [
        StoreCheck(name: "usage") { look in
            for (column, rows, payer) in [("texts", "message", "payer"), ("files", "attachment", "uploader")] {
                try look.find(
                    "CAST(account AS text)",
                    in: """
                        (SELECT account, sum(bytes) AS rest FROM (
                            SELECT account, \(column) AS bytes FROM usage
                            UNION ALL SELECT \(payer), -bytes FROM \(rows) WHERE bytes > 0
                        ) parts GROUP BY account) sums
                        """,
                    // Of an erased account nobody asks any more.
                    where: "rest <> 0 AND account IN (SELECT number FROM account)"
                ) { "account \($0): the bytes of its \(column) are another number than those of its \(rows) rows" }
            }
        }
    ]
}

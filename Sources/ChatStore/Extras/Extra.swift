import ChatModel
import Formats

/// A row beside which another platform keeps what this model does not know: JSON under a key.
///
/// The sandboxes use it. What is there is seen through their own API only, and goes with its row.
package enum ExtraRow: Sendable, Hashable {
    case account(Int64)
    case thread(Int64)
    case message(Int64)

    fileprivate var values: [SQLValue] { [.text(kind.rawValue), .integer(number)] }

    private var kind: Kind {
        switch self {
        case .account: .account
        case .thread: .thread
        case .message: .message
        }
    }

    private var number: Int64 {
        switch self {
        case .account(let number), .thread(let number), .message(let number): number
        }
    }

    /// The table of the row, which has the same name.
    enum Kind: String, CaseIterable { case account, thread, message }

    /// The most bytes of JSON under one key.
    package static let maximumByteCount = 256 << 10
}

extension ReadTransaction {
    /// The JSON that is kept beside the row under the key; nil if there is none.
    package func extra(_ key: String, of row: ExtraRow) throws -> [UInt8]? {
        try db.first("SELECT json FROM extra WHERE kind = ? AND row = ? AND key = ?", row.values + [.text(key)]) {
            $0.blob(0)
        }
    }
}

extension WriteTransaction {
    /// Stores JSON for the row under the key, and replaces what was stored there. Nil removes it.
    package func setExtra(_ key: String, of row: ExtraRow, to json: [UInt8]?) throws {
        guard let json else {
            return try db.run("DELETE FROM extra WHERE kind = ? AND row = ? AND key = ?", row.values + [.text(key)])
        }
        guard json.count <= ExtraRow.maximumByteCount else {
            throw ChatError(.invalidParameter, "That is more than can be kept beside one row.")
        }
        try db.run(
            """
            INSERT INTO extra (kind, row, key, json) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, row, key) DO UPDATE SET json = excluded.json
            """, row.values + [.text(key), .blob(json)])
    }

    /// Removes all that is kept beside the row, which is about to go.
    func removeExtras(of row: ExtraRow) throws {
        try db.run("DELETE FROM extra WHERE kind = ? AND row = ?", row.values)
    }
}

extension StoreCheck {
    /// What is kept beside rows is JSON of a bounded size, and its row is there.
    static let extras = [
        StoreCheck(name: "extras") { look in
            for kind in ExtraRow.Kind.allCases {
                try look.find(
                    "CAST(row AS text)", in: "extra",
                    where: """
                        kind = '\(kind.rawValue)'
                        AND NOT EXISTS (SELECT 1 FROM \(kind.rawValue) kept WHERE kept.number = extra.row)
                        """
                ) { "\(kind.rawValue) \($0) is missing, and has an extra" }
                try look.decodeExtras(ofKind: kind.rawValue)
            }
            let kinds = ExtraRow.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            try look.find(
                "CAST(row AS text)", in: "extra",
                where: "kind NOT IN (\(kinds)) OR length(json) > \(ExtraRow.maximumByteCount)"
            ) { "row \($0) has an extra of an unknown kind, or too much of it" }
        }
    ]
}

extension Inspection {
    fileprivate func decodeExtras(ofKind kind: String) throws {
        // Each may be great.
        let portion = 32
        var last = (row: Int64.min, key: "")
        while true {
            let found = try db.all(
                """
                SELECT row, key, json FROM extra WHERE kind = ? AND (row, key) > (?, ?)
                ORDER BY row, key LIMIT \(portion)
                """, [.text(kind), .integer(last.row), .text(last.key)]
            ) { (row: $0.integer(0), key: $0.text(1), json: $0.blob(2)) }
            countRows(found.count)
            for extra in found { _ = decoded("\(kind) \(extra.row), extra") { try JSONText(extra.json) } }
            guard found.count == portion, let end = found.last else { return }
            last = (end.row, end.key)
        }
    }
}

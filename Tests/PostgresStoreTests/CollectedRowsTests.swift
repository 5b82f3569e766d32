import ChatStore
import Testing

@testable import PostgresStore

/// Rows that are sent together: none is lost or sent twice, and each is sent in time.
@Suite struct CollectedRowsTests {
    private static let letters = RowTable("letters", ["number", "letter"], doublings: 2)
    private static let words = RowTable("words", ["number"], doublings: 1)

    private func sent(_ statement: CollectedRows.Statement?) -> String {
        statement.map { "\($0.sql.prefix { $0 != "(" })\($0.values.count)" } ?? "-"
    }

    @Test func theLargestStatementIsSentWhenItIsFull() {
        var rows = CollectedRows()
        let statements = (0..<9).map { rows.add([.integer($0), .text("a")], to: Self.letters) }
        #expect(statements.map { $0?.values.count } == [nil, nil, nil, 8, nil, nil, nil, 8, nil])
        #expect(
            statements[3]?.sql == "INSERT INTO letters (number, letter) VALUES (?, ?), (?, ?), (?, ?), (?, ?)")
        #expect(statements[7]?.values.first == .integer(4))
        #expect(!rows.isEmpty)
        let rest = rows.takeAll()
        #expect(rest.map(sent) == ["INSERT INTO letters 2"])
        let nothing = rows.takeAll()
        #expect(rows.isEmpty && nothing.isEmpty)
    }

    @Test func theRestIsSentInItsOrder() {
        var rows = CollectedRows()
        for number in 0..<3 { _ = rows.add([.integer(Int64(number)), .null], to: Self.letters) }
        _ = rows.add([.integer(7)], to: Self.words)
        let statements = rows.takeAll()
        #expect(statements.map(sent) == ["INSERT INTO letters 4", "INSERT INTO letters 2", "INSERT INTO words 1"])
        #expect(statements.flatMap(\.values) == [0, 1, 2].flatMap { [SQLValue.integer($0), .null] } + [.integer(7)])
    }

    @Test func statementsThatMayConcernThemWait() {
        var rows = CollectedRows()
        let statements = [
            "UPDATE words SET number = 1", "DELETE FROM letters", "COMMIT", "SAVEPOINT unit", "ROLLBACK TO unit",
            "SELECT 1",
        ]
        func waiting() -> [Bool] { statements.map { rows.goBefore($0) } }
        #expect(waiting() == [false, false, false, false, false, false], "there are no rows")
        _ = rows.add([.integer(1), .null], to: Self.letters)
        #expect(waiting() == [false, true, true, true, true, true])
        _ = rows.add([.integer(1)], to: Self.words)
        #expect(waiting() == [true, true, true, true, true, true])
        rows.forget()
        #expect(waiting() == [false, false, false, false, false, false])
    }
}

import Formats
import Testing

/// Tables for other programs.
@Suite struct CSVTableTests {
    private func row(_ cells: String...) -> String {
        var table = CSVTable()
        table.row(cells)
        return String(decoding: table.bytes, as: UTF8.self)
    }

    @Test func cellsAreQuotedWhereTheyMust() {
        #expect(row("a", "", "b c") == "a,,b c\r\n")
        #expect(row("a,b", "say \"no\"", "two\nlines") == "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\r\n")
    }

    @Test(arguments: ["=1+1", "+49", "-1", "@me", "\tx"]) func noCellIsAFormula(_ text: String) {
        #expect(row(text) == "'\(text)\r\n")
    }

    @Test func aCarriageReturnInFrontIsBoth() { #expect(row("\rx") == "\"'\rx\"\r\n") }

    @Test func whatIsTakenIsNotThereAgain() {
        var table = CSVTable()
        table.row(["a"])
        #expect(table.takeRows() == Array("a\r\n".utf8))
        table.row(["b"])
        #expect(table.takeRows() == Array("b\r\n".utf8) && table.bytes.isEmpty)
    }
}

import Bounds
import Foundation
import Testing

/// The articles tell each bound of bytes that the code has.
struct LimitsArticleTests {
    private static let catalogue = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/parley/Parley.docc")

    /// The rows of all tables, by their cells.
    private func rows(of article: String) throws -> [[String]] {
        try String(contentsOf: Self.catalogue.appending(path: article), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("|") }
            .map { line in line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// As the articles write it, such as `256 KiB`.
    private func words(_ bytes: Int) -> String {
        for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] where bytes.isMultiple(of: unit) {
            return "\(bytes / unit) \(name)"
        }
        return "\(bytes) bytes"
    }

    @Test(arguments: ByteBound.allCases) func eachBoundHasARow(bound: ByteBound) throws {
        let rows = try rows(of: "Limits.md") + rows(of: "ServerLimits.md")
        let found = rows.filter { $0.count == 3 && Self.begins($0[0], with: bound.rawValue) }
        #expect(found.count == 1, "\(bound.rawValue): \(found.count) rows")
        let amount = words(bound.bytes)
        #expect(found.first.map { Self.has($0[1], amount) } == true, "\(bound.rawValue): \(amount)")
        #expect(found.first.map { !$0[2].isEmpty } == true)
    }

    /// A row may go on with more words behind the name.
    private static func begins(_ cell: String, with name: String) -> Bool {
        cell == name || cell.hasPrefix(name + ",") || cell.hasPrefix(name + ":") || cell.hasPrefix(name + ";")
    }

    private static func has(_ cell: String, _ amount: String) -> Bool {
        cell.ranges(of: amount).contains { range in
            range.lowerBound == cell.startIndex || !cell[cell.index(before: range.lowerBound)].isNumber
        }
    }
}

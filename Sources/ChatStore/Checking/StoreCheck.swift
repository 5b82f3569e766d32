import ChatModel

/// One rule that the rows of every store keep, on either engine. It reads, and changes nothing.
package struct StoreCheck: Sendable {
    /// A short name, which each line about a broken rule begins with.
    package let name: String
    let run: @Sendable (Inspection) throws -> Void

    /// All rules, in the order in which they are looked at.
    package static let all =
        engine + positions + accounts + threads + members + messages + replies + log + deliveries + attachments
        + usage
}

/// What a broken rule was seen at: a table and its keys, never a text that somebody wrote.
package struct StoreFault: Sendable, Equatable, CustomStringConvertible {
    /// The name of the ``StoreCheck``.
    package let check: String
    package let detail: String

    package var description: String { "\(check): \(detail)" }
}

/// What became of one check.
package struct CheckedPart: Sendable, Equatable {
    package let check: String
    /// How many rows were looked at one by one.
    package let rows: Int
    package let faults: Int
}

extension StoreReader {
    /// Looks whether the rows keep all rules, on one snapshot. Calls `report` for each fault, and returns how many there
    /// were.
    ///
    /// - Parameter end: told each check after it has run.
    @discardableResult
    package func inspect(
        checks: [StoreCheck] = StoreCheck.all, end: (CheckedPart) -> Void = { _ in }, report: (StoreFault) -> Void
    ) throws -> Int {
        var faults = 0
        try read { faults = try $0.inspect(checks: checks, end: end, report: report) }
        return faults
    }
}

extension ReadTransaction {
    /// The same on the snapshot of this transaction.
    package func inspect(
        checks: [StoreCheck] = StoreCheck.all, end: (CheckedPart) -> Void = { _ in }, report: (StoreFault) -> Void
    ) throws -> Int {
        var total = 0
        let (head, floor) = (try headOffset(), try meta("floor"))
        for check in checks {
            var faults = 0
            let rows = try withoutActuallyEscaping({ (detail: String) in
                faults += 1
                report(StoreFault(check: check.name, detail: detail))
            }) { report in
                let inspection = Inspection(rows: self, head: head, floor: floor, report: report)
                try check.run(inspection)
                return inspection.count
            }
            end(CheckedPart(check: check.name, rows: rows, faults: faults))
            total += faults
        }
        return total
    }
}

extension ChatStore {
    /// What is wrong with this store's rows. For tests.
    package func faults() throws -> [StoreFault] {
        let reader = try backend.makeReader()
        defer { reader.close() }
        var faults: [StoreFault] = []
        try reader.inspect { faults.append($0) }
        return faults
    }
}

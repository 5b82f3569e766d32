import Foundation
import TestSupport

@testable import ChatStore

/// Holds the store's writer, so that the units submitted meanwhile wait together.
struct WriterGate {
    private let store: ChatStore
    private let gate = DispatchSemaphore(value: 0)
    private let holding: Task<Void, any Error>

    init(_ store: ChatStore) async {
        self.store = store
        let (gate, isHeld) = (gate, Flag())
        holding = Task {
            try await store.write { _ in
                isHeld.raise()
                gate.wait()
                // Open from now on: a unit may run twice.
                gate.signal()
            }
        }
        _ = await eventually { isHeld.isRaised }
    }

    func open() { gate.signal() }

    /// Opens the gate, and returns when the unit that held it is committed.
    func end() async throws {
        open()
        try await holding.value
    }

    /// Starts the units in this order, and opens the gate when all of them wait. Returns what came of each.
    func run<T: Sendable>(
        _ units: [@Sendable (WriteTransaction) throws -> T], isRepeatable: Bool = false
    ) async throws -> [Result<T, any Error>] {
        var tasks: [Task<T, any Error>] = []
        for (index, unit) in units.enumerated() {
            let store = store
            tasks.append(Task { try await store.write(isRepeatable: isRepeatable, unit) })
            _ = await eventually { store.writer.waitingUnitCount == index + 1 }
        }
        try await end()
        var results: [Result<T, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }
}

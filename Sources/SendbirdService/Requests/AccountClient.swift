import SendbirdWire

/// Makes the calls of one account, which has its share of the application's budget.
struct AccountClient: Sendable {
    let client: SendbirdClient
    let account: Int64
    /// Whether the calls count as the account's. Those of polls are the application's: a customer who makes many calls must
    /// not delay what others wait for.
    var isCharged = true
    /// Called when the platform refuses a call because the account's user is deactivated.
    var onDeactivation: @Sendable () -> Void = {}

    /// ``SendbirdClient/ask(_:_:as:of:waits:mayBegin:)``
    func ask<Answer: SendbirdShape>(
        _ call: SendbirdCall, _ urgency: RequestGate.Urgency, as type: Answer.Type = Answer.self, waits: Bool = true,
        mayBegin: () -> Bool = { true }
    ) async throws(SendbirdFailure) -> Answer {
        do throws(SendbirdFailure) {
            return try await client.ask(
                call, urgency, as: type, of: isCharged ? account : nil, waits: waits, mayBegin: mayBegin)
        } catch {
            throw noted(error)
        }
    }

    /// ``SendbirdClient/tell(_:of:waits:)``
    func tell(_ call: SendbirdCall, waits: Bool = true) async throws(SendbirdFailure) {
        do throws(SendbirdFailure) {
            try await client.tell(call, of: account, waits: waits)
        } catch {
            throw noted(error)
        }
    }

    private func noted(_ failure: SendbirdFailure) -> SendbirdFailure {
        if failure.code == .userDeactivated { onDeactivation() }
        return failure
    }
}

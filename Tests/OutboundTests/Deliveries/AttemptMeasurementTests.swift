import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

@testable import Outbound

@Suite struct AttemptMeasurementTests {
    /// A webhook whose URL has a secret in it, and what is counted and told of it.
    private func attempts(_ reports: [AttemptReport]) async throws -> (DeliveryMeasurements, [String]) {
        let lines = Mutex<[String]>([])
        let measurements = DeliveryMeasurements()
        try await withStore { store in
            let settings = WebhookSettings(url: "https://hooks.example/in/secret-4711?key=4712").canonicalJSON
            let target = try await store.write {
                try $0.insert(TargetDraft(id: "w1", kind: .webhook, audience: .desk, settings: settings)).target
            }
            let webhooks = WebhookSender(
                port: RefusingPort(), folderKey: [], environment: store.environment, epoch: store.feed.epoch)
            for report in reports {
                let policy = WebhookPolicy { target in
                    var route = webhooks.route(to: target)
                    route.attempt = { _ in report }
                    return route
                }
                let deliveries = Deliveries(
                    store: store, clock: ManualClock(), policies: [policy], measurements: measurements
                ) { _, line in
                    lines.withLock { $0.append(line) }
                }
                _ = await deliveries.test(target, .test(id: "test-1"))
            }
        }
        return (measurements, lines.withLock { $0 })
    }

    @Test func attemptsAreCountedByWhatCameOfThem() async throws {
        let (measurements, _) = try await attempts([
            AttemptReport(.delivered, status: 200), AttemptReport(.delivered, status: 204),
            AttemptReport(.eventFailed, status: 422),
            AttemptReport(.eventRefused, status: 500), AttemptReport(.targetFailed, error: "timeout"),
            AttemptReport(.targetGone(delivered: true), status: 200),
            AttemptReport(.targetGone(delivered: false), status: 410),
        ])
        let webhooks = try #require(measurements.kinds[.webhook])
        #expect(webhooks.outcomes == [.delivered: 3, .refused: 2, .failed: 2])
        #expect(webhooks.durations.total == 7)
    }

    @Test func aFailureIsToldWithTheHostAlone() async throws {
        let (_, lines) = try await attempts([
            AttemptReport(.delivered, status: 200),
            AttemptReport(.targetFailed, status: 503, head: Array("secret".utf8)),
            AttemptReport(.targetFailed, error: "timeout"),
        ])
        #expect(lines == ["webhook w1 at hooks.example: answered 503", "webhook w1 at hooks.example: timeout"])
    }
}

private struct RefusingPort: HTTPPort {
    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer { throw HTTPCallError.timeout }
}

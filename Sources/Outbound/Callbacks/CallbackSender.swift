import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Calls programs that were made for another platform, as that platform would: the stand-in has written each body, and
/// says by which headers the program knows who calls.
package struct CallbackSender: Sendable {
    let port: any HTTPPort
    let headers: @Sendable (_ body: [UInt8]) -> [HTTPCall.Header]

    /// Bytes of an answer that are read.
    private static let answerLimit = 64 << 10
    private static let timeout = Duration.seconds(5)

    /// - Parameters:
    ///   - port: judges the addresses.
    ///   - headers: of a request with this body.
    package init(
        port: any HTTPPort, headers: @escaping @Sendable (_ body: [UInt8]) -> [HTTPCall.Header]
    ) {
        (self.port, self.headers) = (port, headers)
    }

    func route(to target: TargetRecord) -> DeliveryRoute {
        let url = (try? JSONParser.parse(target.settings))?["url"]?.string ?? ""
        let address = try? CallTarget("POST", url)
        let host = (try? TargetAddress(url).host) ?? "an unknown host"
        return DeliveryRoute(
            kind: target.kind, title: { "\(target.kind.rawValue) \(target.id) at \(host)" }, concurrency: 8,
            wants: { $0.type == .callback }, attempt: { await attempt($0, at: address) })
    }

    private func attempt(_ content: DeliveryContent, at address: CallTarget?) async -> AttemptReport {
        // The platform does not tell of what it has lost, and tries nothing out.
        guard case .event(let found) = content else { return AttemptReport(.delivered) }
        guard let address, let event = try? CallbackEvent(canonicalJSON: found.event.data) else {
            return AttemptReport(.eventRefused, error: "invalidSettings")
        }
        do {
            let answer = try await port.sendReadingStart(
                HTTPCall(to: address, headers: headers(event.body), body: event.body, timeout: Self.timeout),
                limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            // How long the program asks to wait is not heeded.
            return AttemptReport(
                answer.status == 200 ? .delivered : .eventFailed, status: answer.status,
                head: answer.body.isEmpty ? nil : answer.body)
        } catch {
            return AttemptReport(.eventFailed, error: AttemptError.word(for: error))
        }
    }
}

/// Each call is tried three times, those of a thread in their order. A program that takes none is called all the same when
/// something else happens.
package struct CallbackPolicy: DeliveryPolicy {
    package let kind = TargetKind.callback
    private let retries = RetrySchedule.callback
    private let route: @Sendable (TargetRecord) -> DeliveryRoute

    init(route: @escaping @Sendable (TargetRecord) -> DeliveryRoute) { self.route = route }

    package init(_ sender: CallbackSender) { self.init(route: sender.route(to:)) }

    package func route(to target: TargetRecord) -> DeliveryRoute { route(target) }

    package func end(
        of delivery: DeliveryRecord, after report: AttemptReport, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End {
        switch report.outcome {
        case .delivered: return .delivered
        case .eventRefused: return .dead(reason: "aborted")
        default:
            let wait = retries.wait(afterFailures: delivery.refusalCount + 1, at: now.time, random: now.random)
            return wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "refused")
        }
    }

    package func health(
        _ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment
    ) -> TargetHealth { TargetHealth(state: .active) }
}

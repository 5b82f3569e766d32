import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Calls programs that were made for another platform, as that platform would: the stand-in has written each body, and
/// says how each goes out.
package struct CallbackSender: Sendable {
    /// How the program has answered: a status and the beginning of its body, or a word that says why it did not.
    package typealias Answer = (status: Int?, text: [UInt8], error: String?)
    /// Sends something once.
    package typealias Send =
        @Sendable (_ headers: [(name: String, value: String)], _ body: [UInt8]) async -> Answer
    /// Sends a call, as often as it wants. Nil for a call that is not sent, and is taken for delivered.
    package typealias Course =
        @Sendable (_ call: CallbackEvent, _ url: String, _ send: Send) async -> Answer?

    private let port: any HTTPPort
    private let course: Course

    /// Bytes of an answer that are read.
    private static let answerLimit = 64 << 10
    private static let timeout = Duration.seconds(5)

    /// - Parameter port: judges the addresses.
    package init(port: any HTTPPort, course: @escaping Course) { (self.port, self.course) = (port, course) }

    func route(to target: TargetRecord) -> DeliveryRoute {
        let url = (try? JSONParser.parse(target.settings))?["url"]?.string ?? ""
        let address = try? CallTarget("POST", url)
        let host = (try? TargetAddress(url).host) ?? "an unknown host"
        return DeliveryRoute(
            kind: target.kind, title: { "\(target.kind.rawValue) \(target.id) at \(host)" }, concurrency: 8,
            wants: { $0.type == .callback }, attempt: { await attempt($0, at: address, url) })
    }

    private func attempt(
        _ content: DeliveryContent, at address: CallTarget?, _ url: String
    ) async -> AttemptReport {
        // The platform does not tell of what it has lost, and tries nothing out.
        guard case .event(let found) = content else { return AttemptReport(.delivered) }
        guard let address, let event = try? CallbackEvent(canonicalJSON: found.event.data) else {
            return AttemptReport(.eventRefused, error: "invalidSettings")
        }
        let answer = await course(event, url) { [port] headers, body in
            let headers = headers.map { HTTPCall.Header($0.name, $0.value) }
            do {
                let answer = try await port.sendReadingStart(
                    HTTPCall(to: address, headers: headers, body: body, timeout: Self.timeout),
                    limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
                return (answer.status, answer.body, nil)
            } catch {
                return (nil, [], AttemptError.word(for: error))
            }
        }
        guard let answer else { return AttemptReport(.delivered) }
        // How long the program asks to wait is not heeded.
        return AttemptReport(
            answer.status == 200 ? .delivered : .eventFailed, status: answer.status, error: answer.error,
            head: answer.text.isEmpty ? nil : answer.text)
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

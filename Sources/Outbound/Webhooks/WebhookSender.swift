import ChatModel
import ChatStore
import HTTPClientPort

/// Sends deliveries to webhooks, as Standard Webhooks has it.
package struct WebhookSender: Sendable {
    private let port: any HTTPPort
    private let folderKey: [UInt8]
    private let environment: ModelEnvironment
    private let epoch: String

    /// - Parameters:
    ///   - port: judges the addresses that webhooks may go to.
    ///   - folderKey: the key of the data folder, from which the webhooks' secrets are derived.
    ///   - epoch: of the log.
    package init(port: any HTTPPort, folderKey: [UInt8], environment: ModelEnvironment, epoch: String) {
        self.port = port
        self.folderKey = folderKey
        self.environment = environment
        self.epoch = epoch
    }

    func route(to target: TargetRecord) -> DeliveryRoute {
        let route = WebhookRoute(target, port: port, folderKey: folderKey, environment: environment, epoch: epoch)
        return DeliveryRoute(
            kind: target.kind, title: route.title, concurrency: route.concurrency, wants: route.wants,
            attempt: route.attempt)
    }
}

import Bounds
import ChatStore

/// Brings pushes to devices, to each by its kind.
package struct PushSender: Sendable {
    private let browsers: WebPushSender
    let apps: AppPushSender
    private let simulated: SimulatedPushSender

    package init(browsers: WebPushSender, apps: AppPushSender, simulated: SimulatedPushSender) {
        self.browsers = browsers
        self.apps = apps
        self.simulated = simulated
    }

    /// One attempt, which ends within a time limit of its own.
    func send(_ push: Push, to device: TargetRecord, _ settings: DeviceSettings) async -> AttemptReport {
        switch settings {
        case .browser(let settings): await browsers.send(push, to: settings, of: device.holder)
        case .app(let settings) where settings.app == nil && !apps.hasApp(settings, channel: push.message.channelID):
            await simulated.send(push, to: device, settings)
        case .app(let settings): await apps.send(push, to: device, settings)
        }
    }
}

extension TargetRecord {
    /// Who chose the target's address.
    fileprivate var holder: Holder {
        switch audience {
        case .account(let account): .named("account:\(account)")
        default: .root
        }
    }
}

import Bounds
import ChatStore

/// Brings pushes to devices, to each by its kind.
package struct PushSender: Sendable {
    private let browsers: WebPushSender
    private let apps: AppPushSender
    private let simulated: SimulatedPushSender

    package init(browsers: WebPushSender, apps: AppPushSender, simulated: SimulatedPushSender) {
        self.browsers = browsers
        self.apps = apps
        self.simulated = simulated
    }

    /// How long pushes wait because the device's app is held, and which app it is; nil: they may go out.
    ///
    /// After the wait nil is returned once, for a try: whoever asks has to send.
    func hold(_ settings: DeviceSettings, channel: String) -> (wait: Duration, app: String)? {
        if case .app(let settings) = settings { apps.hold(settings, channel: channel) } else { nil }
    }

    /// One attempt, which ends within a time limit of its own.
    func send(_ push: Push, to device: TargetRecord, _ settings: DeviceSettings) async -> PushReport {
        switch settings {
        case .browser(let settings): await browsers.send(push, to: settings, of: device.holder)
        case .app(let settings) where settings.app == nil && !apps.hasApp(settings, channel: push.message.channelID):
            await simulated.send(push, to: device, settings)
        case .app(let settings): await apps.send(push, to: device, settings)
        }
    }

    /// Whether a device that was refused is to be tried again: its app is configured in another way now.
    func isReopened(_ settings: DeviceSettings, channel: String) -> Bool {
        if case .app(let settings) = settings { apps.isReopened(settings, channel: channel) } else { false }
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

import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// The run of the app (`destination`) and the open page of each account. Kept in memory only, until the account's
/// last session ends. May be used from any task.
final class VisitorPages: Sendable {
    private struct Open {
        var page: VisitorActivity.Page
        var since: Timestamp
    }

    private struct State {
        var destinations: [Int64: String] = [:]
        var open: [Int64: Open] = [:]
    }
    private let state = Mutex(State())
    private let makeID: @Sendable () -> String

    init(makeID: @escaping @Sendable () -> String) { self.makeID = makeID }

    /// Gives the account a new run id. Called by each `prepare`.
    func beginRun(of account: Int64) {
        let id = makeID()
        state.withLock { $0.destinations[account] = id }
    }

    /// The id of the account's run. One is made if `prepare` was not called, as after a restart.
    func destination(of account: Int64) -> String {
        let fresh = makeID()
        return state.withLock { state in
            let id = state.destinations[account] ?? fresh
            state.destinations[account] = id
            return id
        }
    }

    /// Notes the page that is open now. Returns the page that was open before, with its whole seconds; nil if
    /// there was none, or if it is the same page.
    func view(
        _ page: VisitorActivity.Page, by account: Int64, at time: Timestamp
    ) -> (VisitorActivity.Page, seconds: Int)? {
        state.withLock { state in
            let before = state.open[account]
            if before?.page == page { return nil }
            state.open[account] = Open(page: page, since: time)
            return before.map { ($0.page, Self.seconds($0.since, time)) }
        }
    }

    /// Returns for how many whole seconds the page was open; nil if it is another one that is.
    func leave(_ page: VisitorActivity.Page, by account: Int64, at time: Timestamp) -> Int? {
        state.withLock { state in
            guard let open = state.open[account], open.page == page else { return nil }
            state.open[account] = nil
            return Self.seconds(open.since, time)
        }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { state.withLock { ($0.destinations[account], $0.open[account]) = (nil, nil) } }

    /// How many accounts have something here.
    var count: Int { state.withLock { max($0.destinations.count, $0.open.count) } }

    private static func seconds(_ start: Timestamp, _ end: Timestamp) -> Int {
        Int(max(0, end.milliseconds - start.milliseconds) / 1000)
    }
}

/// The web analytics, as the mobile SDKs tell them: over HTTP, with a connection or without one.
extension CXoneService {
    /// How long a visit lasts after its last page view, in milliseconds. A later page view begins another visit.
    static let visitLifetime: Int64 = 30 * 60_000

    /// Sends an activity to the platform's web analytics. A page view that begins a visit is preceded by the
    /// visit's own event; one that follows another page, by the time spent there. Throws `missingVisitId` before
    /// the first page view, `serverError`, `eventTimeout`.
    public func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError) {
        let time = store.environment.now()
        let (known, isNewVisit) = try await visit(account, viewing: activity, at: time)
        guard let visit = known.visit else {
            throw ChatError(.missingVisitId, "A visit begins with the first page view.")
        }
        for action in (isNewVisit ? [.visitorVisit] : []) + actions(activity, of: account.number, at: time) {
            let event = AnalyticsEvent(
                id: store.environment.makeID(), visitID: visit.id, destinationID: pages.destination(of: account.number),
                createdAt: time, action: action)
            try await http.reportAnalytics(event, known.visitorID, try await address(of: account.key.channel))
        }
    }

    /// The account's state, its visit begun or prolonged by a page view.
    private func visit(
        _ account: AccountRecord, viewing activity: VisitorActivity, at time: Timestamp
    ) async throws(ChatError) -> (AccountState, isNew: Bool) {
        guard case .pageViewed = activity else { return (try await vault.state(of: account), false) }
        let fresh = store.environment.makeID()
        let state = try await vault.update(account) { state in
            let isOver = state.visit.map { time.milliseconds >= $0.expiresAt } ?? true
            let id = isOver ? fresh : state.visit?.id ?? fresh
            state.visit = AccountState.Visit(id: id, expiresAt: time.milliseconds + Self.visitLifetime)
        }
        return (state, state.visit?.id == fresh)
    }

    private func actions(_ activity: VisitorActivity, of account: Int64, at time: Timestamp) -> [VisitorAction] {
        switch activity {
        case .pageViewed(let page):
            let view = VisitorAction.pageView(title: page.title, url: page.url)
            guard let (former, seconds) = pages.view(page, by: account, at: time) else { return [view] }
            return [.timeSpentOnPage(title: former.title, url: former.url, seconds: seconds), view]
        case .pageLeft(let page):
            guard let seconds = pages.leave(page, by: account, at: time) else { return [] }
            return [.timeSpentOnPage(title: page.title, url: page.url, seconds: seconds)]
        case .chatWindowOpened: return [.chatWindowOpened]
        case .conversion(let type, let value):
            return [.conversion(type: type, value: value, time: time)]
        case .proactiveAction(let outcome, let id, let name, let type):
            let wire: ProactiveActionOutcome =
                switch outcome {
                case .displayed: .displayed
                case .clicked: .clicked
                case .success: .success
                case .failed: .failed
                }
            return [.proactiveAction(wire, id: id, name: name, type: type)]
        }
    }
}

/// The device of an app, as the mobile SDKs tell the platform of it: by its token in the visitor, and in the
/// fingerprint of each message. The platform pushes to it while the customer is not connected.
extension CXoneService {
    /// True: the platform sends push notifications itself, once it knows a device's token.
    public var pushesToApps: Bool { true }

    /// The most attempts when the device changes during a call. After that the next call, or the next message,
    /// tells it.
    private static let tries = 3

    /// Tells the platform the account's device, or that there is none, unless it knows. Ends without an error
    /// when the platform refuses. Throws `serverError`, `eventTimeout`, `storageFailed`.
    public func tellDevice(of account: AccountRecord) async throws(ChatError) {
        noteDevice(of: account, isTold: false)
        for _ in 0..<Self.tries {
            let known = try await vault.state(of: account)
            let device = try await device(of: account)
            guard device != known.device else { return noteDevice(of: account, isTold: true) }
            // A concurrent call may have told an older device: the state is compared again.
            guard try await putVisitor(account, known, device: device) else { return }
        }
    }

    /// Tells who visits, and from which device (`PUT .../visitors/{v}`). Returns whether the platform has taken it.
    @discardableResult
    func putVisitor(
        _ account: AccountRecord, _ known: AccountState, device: AccountState.Device?
    ) async throws(ChatError) -> Bool {
        let visitor = WireVisitor(
            customer: WireCustomer(id: known.customerID), fingerprint: DeviceFingerprint(device, told: known.device))
        if device != nil { try await noteTelling(account, known) }
        let isTaken = try await http.put(visitor, known.visitorID, try await address(of: account.key.channel))
        if isTaken { try await vault.update(account) { $0.device = device } }
        return isTaken
    }

    /// The fingerprint of a message: the app's device, or Parley's own host if there is none.
    func fingerprint(
        of account: AccountRecord, device: AccountState.Device?
    ) async throws(ChatError) -> DeviceFingerprint {
        let known = try await vault.state(of: account)
        if device != nil { try await noteTelling(account, known) }
        return DeviceFingerprint(device, told: known.device)
    }

    /// Notes, before a device is told the first time, that the platform may know of one even if its answer is
    /// lost. When the device is removed later, the platform is told so. The note is a device with an empty token,
    /// which equals no real one.
    private func noteTelling(_ account: AccountRecord, _ known: AccountState) async throws(ChatError) {
        guard known.device == nil else { return }
        _ = try await vault.update(account) { state in
            if state.device == nil { state.device = AccountState.Device(token: "") }
        }
    }

    /// The app's device to which the platform is to push; nil: to none.
    func device(of account: AccountRecord) async throws(ChatError) -> AccountState.Device? {
        let number = account.number
        return try await store.read { try $0.deviceForPlatform(of: number) }.map(AccountState.Device.init)
    }
}

extension AccountState.Device {
    /// The platform knows the push service of a token by the system's name alone.
    init(_ device: PlatformDevice) {
        self.init(
            token: device.token, os: device.os ?? (device.kind == .fcm ? "Android" : nil), osVersion: device.osVersion)
    }
}

extension DeviceFingerprint {
    /// What Parley tells of the device that it runs on.
    static let parley = DeviceFingerprint(language: "en", applicationType: "native", os: "Linux", deviceType: "desktop")

    /// - Parameters:
    ///   - device: the app's; nil: there is none.
    ///   - told: what the platform knows of; where there is none any more it is told so.
    init(_ device: AccountState.Device?, told: AccountState.Device?) {
        guard let device else {
            self = .parley
            if told != nil { deviceToken = .removed }
            return
        }
        // The platform seems to choose the push service by `os`. Without one it is `iOS`.
        self.init(
            language: "en", applicationType: "native", os: device.os ?? "iOS", osVersion: device.osVersion,
            deviceType: "mobile", deviceToken: .token(device.token))
    }
}

import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// The account of one connection: its rows in the store, its identity towards the platform, and the link. All parts of a
/// ``CXoneConnection`` share it.
final class ConnectedAccount: Sendable {
    let service: CXoneService
    /// The account when the connection was opened. Its names and fields may be out of date: see ``current``.
    let record: AccountRecord
    let channel: Channel
    let configuration: WireChannelConfiguration
    let address: PlatformAddress
    let visitorID: String
    /// The identity in the envelope of each frame. A login may replace the id.
    private let identity: Mutex<WireCustomer>
    /// Nil only while the connection is being opened. A lost link stays here; its requests throw `notConnected`.
    private let opened = Mutex<PlatformLink?>(nil)

    init(
        service: CXoneService, record: AccountRecord, channel: Channel, configuration: WireChannelConfiguration,
        address: PlatformAddress, known: AccountState
    ) {
        self.service = service
        self.record = record
        self.channel = channel
        self.configuration = configuration
        self.address = address
        visitorID = known.visitorID
        identity = Mutex(WireCustomer(record.customer, id: known.customerID))
    }

    var number: Int64 { record.number }
    var store: ChatStore { service.store }
    var mode: ChatMode { channel.mode }
    var customerID: String { identity.withLock { $0.id } }

    /// Later frames name the customer so.
    ///
    /// - Parameter id: nil: the id stays.
    func rename(to customer: Customer, id: String? = nil) {
        identity.withLock { $0 = WireCustomer(customer, id: id ?? $0.id) }
    }

    // MARK: The link

    func open(_ link: PlatformLink) { opened.withLock { $0 = link } }

    /// The open link. Throws `notConnected` before
    /// ``CXoneConnection/open(service:account:channel:configuration:address:onLoss:)`` has made one.
    var link: PlatformLink {
        get throws(ChatError) {
            guard let link = opened.withLock({ $0 }) else {
                throw ChatError(.notConnected, "The connection is not open yet.")
            }
            return link
        }
    }

    /// Builds the frame of an event with the identity as it is at that moment. It must not keep the connection
    /// alive: the link holds it.
    var envelope: @Sendable (String, ClientEvent) -> ClientRequest {
        { [address, pages = service.pages, number, visitorID, weak self] id, event in
            let customer = self?.identity.withLock { $0 } ?? WireCustomer(id: "")
            // Only triggers name the run of the app.
            var destination: String?
            if case .executeTrigger = event { destination = pages.destination(of: number) }
            return ClientRequest(
                eventID: id, brandID: address.brandID, channelID: address.channelID, customer: customer,
                visitorID: visitorID, destinationID: destination, event: event)
        }
    }

    // MARK: Rows

    /// Who reads messages: decides their authors, and which of them are hidden. Read it once for each page or
    /// push.
    var reader: MessageReader {
        get async { MessageReader(account: await current, customerID: customerID, mode: mode) }
    }

    /// The account as it is in the store now. If it cannot be read, the one from when the connection was opened.
    var current: AccountRecord {
        get async { (try? await store.read { [number] in try $0.account(number) }) ?? record }
    }

    /// Tells the account's sessions about an error that answers none of their requests (the SDK's `onError`). It
    /// is told live only, and not logged as an event.
    func publish(_ error: ChatError) {
        store.feed.publish(ErrorEvent(error), to: [.account(number)])
    }

    /// The thread's JSON as the outcome of a request, stored with the receipt in one transaction. Throws
    /// `unknownThread`.
    func answer(_ thread: String, _ receipt: Receipt?) async throws(ChatError) -> Outcome {
        return try await store.write { [number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Runs `work` in a write transaction on one of the account's threads. Returns nil if the account has no such
    /// thread.
    ///
    /// - Parameters:
    ///   - makes: makes the thread, in the state `received`, if there is none.
    ///   - isRepeatable: `work` touches nothing but its transaction: see ``ChatStore/write(inBackground:isRepeatable:reading:_:)``.
    func change<T: Sendable>(
        _ thread: String, makes: Bool = false, isRepeatable: Bool = false,
        _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T? {
        return try await store.write(isRepeatable: isRepeatable) { [self] transaction in
            var found = try transaction.thread(thread, of: number)
            if found == nil, makes { found = try open(thread, at: nil, in: transaction) }
            guard var record = found else { return nil }
            return try work(transaction, &record)
        }
    }

    /// Returns the thread, and makes it if it is new here.
    ///
    /// - Parameter time: when the platform says it was made; nil: now.
    func open(_ id: String, at time: Timestamp?, in transaction: WriteTransaction) throws -> ThreadRecord {
        if let known = try transaction.thread(id, of: number) { return known }
        var thread = ChatThread(id: id, createdAt: time ?? transaction.now, members: [])
        thread.state = .received
        return try transaction.merge(RemoteThread(thread), of: number)
    }

    /// The name to show: the customer's own one while the platform may not have it yet (``OwnNames``).
    ///
    /// - Parameter name: as the platform tells it; empty for none.
    func ownName(_ name: String?, of thread: String) -> String? {
        service.ownNames.name(
            of: thread, account: number, there: name.flatMap { $0.isEmpty ? nil : $0.cutToName })
    }

    /// Runs `write` with an id, under which its unit may offer times of fields (``FieldTimes``). They count as long as
    /// it runs, and stay if it returns.
    func offeringTimes<T: Sendable>(
        _ write: @Sendable (OfferID) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let (offer, times) = (OfferID(), service.fieldTimes)
        do throws(ChatError) {
            let result = try await write(offer)
            times.commit(offer, account: number)
            return result
        } catch {
            times.drop(offer, account: number)
            throw error
        }
    }

    /// Runs `work`, which the customer has asked for, in a write transaction on one of the account's threads. Throws
    /// `unknownThread`.
    func unit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        let result = try await change(thread) { [number] transaction, record in
            transaction.actor = Author(try transaction.account(number).customer)
            return try work(transaction, &record)
        }
        guard let result else { throw .unknownThread(thread) }
        return result
    }

    /// Merges custom fields of the customer, whose record is saved only if one changed.
    func mergeCustomerFields(
        _ fields: [CustomField], noting times: inout FieldTimes.Times, in transaction: WriteTransaction
    ) throws {
        guard !fields.isEmpty else { return }
        var customer = try transaction.account(number)
        let before = customer.customFields
        customer.customFields = service.fieldTimes.merge(
            fields, into: before, of: FieldTimes.Owner(account: number), noting: &times)
        if customer.customFields != before { try transaction.save(customer) }
    }

    /// The store's clock, which tests replace. Tokens and history compare with it.
    var now: Timestamp { store.environment.now() }

    /// For an answer of another type than the request has. It is the platform's fault, hence `serverError`.
    static let unexpected = ChatError(.serverError, "The platform's answer is of another type than the request needs.")
}

import ChatModel
import ChatStore

/// What the desk knows of customers, and of the answers that agents keep for them.
///
/// Operations on a customer throw `noSuchCustomer`, and `ambiguousCustomer` where customers of several channels have
/// the id.
public protocol DeskCustomers: Sendable {
    /// Customers whose id, e-mail address or name begins with a text; without one, all of them.
    func customers(
        startingWith text: String?, on channels: DeskChannels, page: PageRequest
    ) async throws(ChatError)
        -> FoundCustomers
    /// The customer with their visit, latest threads and ratings.
    func customer(_ customer: DeskCustomer) async throws(ChatError) -> [UInt8]
    /// Changes names, e-mail address and custom fields, and returns the customer. Desks that are open are told, and so
    /// are the readers of the customer's open threads.
    ///
    /// Throws `nameVouched` for the address of a customer for whom a shop's server has vouched, unless the patch may
    /// change it, and `invalidParameter`.
    func update(_ customer: DeskCustomer, _ patch: CustomerPatch, as agent: Agent?) async throws(ChatError) -> [UInt8]

    /// Notes of agents about the customer, newest first. No customer's operation shows one.
    func notes(about customer: DeskCustomer, page: PageRequest) async throws(ChatError) -> PageBytes
    /// Throws `unknownNote`.
    func note(_ note: String, about customer: DeskCustomer) async throws(ChatError) -> Versioned
    /// Throws `tooManyNotes`.
    func addNote(
        _ text: String, by agent: Agent, about customer: DeskCustomer, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Removes a note with its text. Throws `unknownNote`.
    func removeNote(_ note: String, about customer: DeskCustomer, as agent: Agent?) async throws(ChatError)

    /// The answers that agents keep for all of them, by name.
    func cannedAnswers() async throws(ChatError) -> [CannedAnswer]
    /// Throws `unknownAnswer`.
    func cannedAnswer(_ id: String) async throws(ChatError) -> CannedAnswer
    /// Keeps an answer under its name; the answer that had the name is changed. Throws `tooManyAnswers`, `answerExists`
    /// for the shortcut of another answer, and `unknownChannel`.
    func keepAnswer(_ draft: CannedAnswerDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Throws `unknownAnswer`.
    func removeAnswer(_ id: String) async throws(ChatError)
}

/// Of which channels customers are wanted.
public struct DeskChannels: Sendable, Hashable {
    /// The only one; nil for all.
    public var channel: String?
    /// The only ones that whoever asks may see; nil for all.
    public var visible: Set<String>?

    public init(channel: String? = nil, within visible: Set<String>? = nil) {
        self.channel = channel
        self.visible = visible
    }
}

/// A customer, as the desk names them.
public struct DeskCustomer: Sendable, Hashable {
    public var id: String
    public var channels: DeskChannels

    public init(id: String, channel: String? = nil, within visible: Set<String>? = nil) {
        self.id = id
        channels = DeskChannels(channel: channel, within: visible)
    }
}

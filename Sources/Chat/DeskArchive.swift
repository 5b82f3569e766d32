import ChatModel
import ChatStore
import Formats

/// Conversations of the desk for another place, and those from one.
public protocol DeskArchive: Sendable {
    /// See ``ReadTransaction/exportedPage(within:_:)``.
    func exportedThreads(within channels: Set<String>?, page: PageRequest) async throws(ChatError) -> PageBytes

    /// Adds a conversation that was written elsewhere, in one transaction. The same one again changes nothing. Nobody is
    /// told of it: no push, no webhook, no answer, no queue.
    ///
    /// Throws `unknownChannel`, `invalidParameter` with the member that is wrong, `unsupportedChannelConfig` for one that its
    /// channel cannot hold, and what ``WriteTransaction/importThread(_:on:of:addsTags:)`` throws.
    ///
    /// The outcome is `created`, or `ok` where nothing has changed.
    func importThread(
        _ thread: ImportedThread, on channel: String, addsTags: Bool, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
}

/// What a conversation from elsewhere must be like.
public enum ImportRules {
    public static let maximumMessages = 10_000, maximumContacts = 1000
    /// The most characters that a postback may have.
    public static let maximumPostback = 4096
    /// Of figures, and of the bytes of a file. A report adds the figures of 200,000 contacts, which must not overflow.
    public static let greatestCount = 1 << 42

    /// Puts messages, notes and contacts into the order of time, and completes the contacts. Throws `invalidParameter`.
    ///
    /// - Parameter now: no time may be later.
    public static func prepared(_ thread: ImportedThread, now: Timestamp) throws(ChatError) -> ImportedThread {
        var thread = thread
        try checkIDs(thread)
        try checkTimes(thread, now: now)
        thread.messages = sorted(thread.messages, by: \.createdAt)
        thread.notes = sorted(thread.notes, by: \.createdAt)
        thread.contacts = sorted(thread.contacts, by: \.openedAt)
        if thread.contacts.isEmpty { thread.contacts = [contact(of: thread)] }
        try checkContacts(thread)
        let last = thread.contacts.count - 1
        if thread.contacts[last].closedAt == nil { thread.rating = nil }
        if let rating = thread.rating, thread.contacts[last].score == nil { thread.contacts[last].score = rating.score }
        return thread
    }

    private static func sorted<T>(_ items: [T], by time: KeyPath<T, Timestamp>) -> [T] {
        items.enumerated().sorted {
            ($0.element[keyPath: time], $0.offset) < ($1.element[keyPath: time], $1.offset)
        }.map(\.element)
    }

    /// The one contact of a conversation that says nothing of contacts.
    private static func contact(of thread: ImportedThread) -> ImportedContact {
        let (first, last) = (thread.messages.first?.createdAt, thread.messages.last?.createdAt)
        return ImportedContact(
            openedAt: first ?? thread.createdAt, closedAt: thread.isClosed ? last ?? thread.createdAt : nil)
    }

    private static func invalid(_ pointer: String, _ detail: String) -> ChatError {
        ChatError(.invalidParameter, detail, pointer: pointer)
    }

    private static func checkIDs(_ thread: ImportedThread) throws(ChatError) {
        var members = Set<ExactText>()
        for (index, customer) in thread.members.enumerated() where !members.insert(ExactText(customer.id)).inserted {
            throw invalid("/members/\(index - 1)/id", "The customer is in the conversation twice.")
        }
        var parents: [ExactText: Message] = [:]
        for (index, message) in thread.messages.enumerated()
        where parents.updateValue(message, forKey: ExactText(message.id)) != nil {
            throw invalid("/messages/\(index)/id", "The id \(message.id) is in the conversation twice.")
        }
        for (index, message) in thread.messages.enumerated() {
            guard let id = message.parentID else { continue }
            guard let parent = parents[ExactText(id)], parent.parentID == nil, parent.type != .admin else {
                throw invalid(
                    "/messages/\(index)/parentId", "A message of the conversation was expected that is no reply.")
            }
        }
        var notes = Set<ExactText>()
        for (index, note) in thread.notes.enumerated() where !notes.insert(ExactText(note.id)).inserted {
            throw invalid("/notes/\(index)/id", "The id \(note.id) is in the notes twice.")
        }
    }

    private static func checkTimes(_ thread: ImportedThread, now: Timestamp) throws(ChatError) {
        func check(_ time: Timestamp?, _ pointer: String) throws(ChatError) {
            if let time, time > now { throw invalid(pointer, "The time is later than now.") }
        }
        try check(thread.createdAt, "/createdAt")
        try check(thread.rating?.at, "/rating/at")
        for (index, message) in thread.messages.enumerated() {
            try check(message.createdAt, "/messages/\(index)/createdAt")
            try check(message.updatedAt, "/messages/\(index)/updatedAt")
            try check(message.editedAt, "/messages/\(index)/editedAt")
            try check(message.seenAt, "/messages/\(index)/seenAt")
        }
        for (index, note) in thread.notes.enumerated() { try check(note.createdAt, "/notes/\(index)/createdAt") }
        for (index, contact) in thread.contacts.enumerated() {
            try check(contact.openedAt, "/contacts/\(index)/openedAt")
            try check(contact.closedAt, "/contacts/\(index)/closedAt")
            try check(contact.firstAnswerAt, "/contacts/\(index)/firstAnswerAt")
            if let end = contact.closedAt, end < contact.openedAt {
                throw invalid("/contacts/\(index)/closedAt", "A time not before openedAt was expected.")
            }
            if (contact.firstAnswerAt == nil) != (contact.firstAgent == nil) {
                throw invalid("/contacts/\(index)/firstAnswerBy", "firstAnswerAt and firstAnswerBy belong together.")
            }
        }
    }

    private static func checkContacts(_ thread: ImportedThread) throws(ChatError) {
        for (index, contact) in thread.contacts.enumerated() where contact.closedAt == nil {
            if index < thread.contacts.count - 1 {
                throw invalid("/contacts/\(index)/closedAt", "Only the last contact may be open.")
            }
            if thread.isClosed {
                throw invalid("/contacts/\(index)/closedAt", "The contacts of a closed conversation have an end.")
            }
        }
    }
}

import Bounds
import ChatModel

/// Threads, accounts and channels as they are in the database, kept from one group of units to the next, so that a send
/// to a busy thread reads none of their rows.
///
/// Only the writer changes these rows. Saving a thread keeps what was saved; every other write of such a row forgets
/// it, and so does a unit that is undone. Debug builds compare what is found here with the rows.
///
/// At most ``capacity`` bytes are kept beside the channels, counted as about twice the stored ones. What was not used for
/// the longest time makes room.
package final class HotRows: @unchecked Sendable {  // confined to the writer's thread
    /// What else is known of a thread's rows, for as long as the thread itself is kept.
    struct Facts: Equatable {
        /// See ``ReadTransaction/newestAside(in:)``.
        var newestAside: MessagePosition?
        /// Whether a message of the thread was removed.
        var hasTombstones: Bool
    }

    /// What else is known of a remote service's thread.
    struct RemoteFacts: Equatable {
        var chunks: [Chunk]
        /// Whether a message of the thread has another id at the service.
        var hasAliases: Bool
        /// How many unsent messages the thread has.
        var unsentCount: Int64
    }

    private struct Name: Hashable {
        var account: Int64
        var id: String
    }

    private struct ChannelName: Hashable {
        var service: String
        var id: String
    }

    private struct Entry {
        var record: ThreadRecord
        var facts: Facts?
        /// Nil for a thread of the embedded service.
        var remoteFacts: RemoteFacts?
        var byteCount: Int

        /// The record as it is kept: for a reader without a history reset.
        mutating func set(_ record: ThreadRecord) {
            self.record = record
            self.record.historyBoundary = record.thread.historyResetAt?.milliseconds ?? -1
            byteCount = Self.byteCount(of: record)
        }

        static func byteCount(of record: ThreadRecord) -> Int {
            1024 + 2 * record.storedSize + 256 * record.members.count + record.owner.byteCount
        }
    }

    private struct GroupNotes {
        /// Nil for a thread that was not kept.
        var threads: [Int64: Entry?] = [:]
        /// Accounts that were kept or forgotten since.
        var accounts: Set<Int64> = []
    }

    /// In bytes.
    static let capacity = ByteBound.hotRows.bytes - channelCapacity
    /// In bytes, of the same bound.
    private static let channelCapacity = ByteBound.hotRows.bytes / 16

    /// Accounts share its capacity, so this does not drop entries by itself.
    private var threads = RecentlyUsed<Int64, Entry>(limit: .max)
    /// The threads by member and id.
    private var numbers: [Name: Int64] = [:]
    private var accounts: [Int64: AccountRecord] = [:]
    /// By account. An entry has two numbers, so their bytes are not counted.
    private var usages = RecentlyUsed<Int64, AccountUsage>(limit: 4096)
    /// The bytes of an account's unsent messages.
    private var unsent = RecentlyUsed<Int64, Int64>(limit: 4096)
    /// By their bytes, which are not part of ``byteCount``.
    private var channels = RecentlyUsed<ChannelName, Channel>(limit: channelCapacity)
    private(set) var byteCount = 0
    /// What was kept before the group changed it; nil when nobody comes back to it.
    private var before: GroupNotes?
    /// The threads of which something was kept since the unit began.
    private var touched: [Int64] = []
    /// The accounts whose usage or unsent bytes have changed since then.
    private var counted: [Int64] = []

    package init() {}

    // MARK: Threads

    /// The account's thread of this id, as a reader without a history reset sees it.
    func thread(_ id: String, of account: Int64) -> ThreadRecord? {
        numbers[Name(account: account, id: id)].flatMap { thread($0) }
    }

    func thread(_ number: Int64) -> ThreadRecord? { threads.read(number) { $0.record } }

    /// Keeps a thread as it is stored. What was known of its other rows stays.
    func cache(_ record: ThreadRecord) {
        let number = record.number
        rememberBefore(thread: number)
        guard Entry.byteCount(of: record) <= Self.capacity / 16 else { return forget(thread: number) }
        // Changed where it is: a record has many parts, and each copy counts all of them.
        let difference = threads.change(number) { entry -> Int? in
            guard entry.record.members.elementsEqual(record.members, by: { $0.account == $1.account }) else {
                return nil
            }
            let before = entry.byteCount
            entry.set(record)
            return entry.byteCount - before
        }
        if case .some(.some(let difference)) = difference {
            byteCount += difference
        } else {
            var entry = Entry(
                record: record, facts: facts(of: number), remoteFacts: remoteFacts(of: number), byteCount: 0)
            entry.set(record)
            forget(thread: number)
            insert(entry)
        }
        touched.append(number)
        while byteCount > Self.capacity, let other = threads.leastRecent, other != number { forget(thread: other) }
        if byteCount > Self.capacity { forgetAccounts() }
    }

    /// Keeps the version of a thread's list of messages as it is stored now. The rest of the thread stays as it was.
    func cache(messagesVersion: Int64, of number: Int64) {
        rememberBefore(thread: number)
        threads.change(number) { $0.record.messagesVersion = messagesVersion }
        touched.append(number)
    }

    private func insert(_ entry: Entry) {
        let record = entry.record
        for member in record.members { numbers[Name(account: member.account, id: record.thread.id)] = record.number }
        threads[record.number] = entry
        byteCount += entry.byteCount
    }

    /// Forgets a thread, because a row of it changes.
    func forget(thread number: Int64) {
        rememberBefore(thread: number)
        guard let entry = threads.remove(number) else { return }
        byteCount -= entry.byteCount
        for member in entry.record.members {
            numbers[Name(account: member.account, id: entry.record.thread.id)] = nil
        }
    }

    func facts(of number: Int64) -> Facts? { threads.read(number) { $0.facts } ?? nil }

    /// Keeps facts of a thread that is kept itself.
    func cache(_ facts: Facts, of number: Int64) {
        rememberBefore(thread: number)
        threads.change(number) { $0.facts = facts }
        touched.append(number)
    }

    /// Forgets the facts, because a message beside the conversation comes or goes, or a message is removed.
    func forgetFacts(of number: Int64) {
        rememberBefore(thread: number)
        threads.change(number) { $0.facts = nil }
    }

    func remoteFacts(of number: Int64) -> RemoteFacts? { threads.read(number) { $0.remoteFacts } ?? nil }

    /// Keeps facts of a thread that is kept itself. A thread with many chunks is being filled in the background: its
    /// facts are not kept, so that their size does not count.
    func cache(_ facts: RemoteFacts, of number: Int64) {
        rememberBefore(thread: number)
        threads.change(number) { $0.remoteFacts = facts.chunks.count <= 8 ? facts : nil }
        touched.append(number)
    }

    /// Forgets the remote facts of all threads that the account shows.
    func forgetRemoteFacts(of account: Int64) {
        for number in Array(threads.keys) where shows(account, number) {
            rememberBefore(thread: number)
            threads.change(number) { $0.remoteFacts = nil }
        }
    }

    // MARK: Accounts

    func account(_ number: Int64) -> AccountRecord? { accounts[number] }

    func cache(_ account: AccountRecord) {
        guard accounts[account.number] == nil, account.byteCount <= Self.capacity / 16 else { return }
        before?.accounts.insert(account.number)
        accounts[account.number] = account
        byteCount += account.byteCount
        if byteCount > Self.capacity { removeAll() }
    }

    /// Forgets an account whose row changes, and the threads that show it.
    func forget(account number: Int64) {
        before?.accounts.insert(number)
        forget(usageOf: number)
        if let known = accounts.removeValue(forKey: number) { byteCount -= known.byteCount }
        for thread in Array(threads.keys)
        where shows(number, thread) || threads.peek(thread)?.record.owner.number == number {
            forget(thread: thread)
        }
    }

    private func shows(_ account: Int64, _ thread: Int64) -> Bool {
        threads.peek(thread)?.record.members.contains { $0.account == account } ?? false
    }

    private func forgetAccounts() {
        byteCount -= accounts.values.reduce(0) { $0 + $1.byteCount }
        accounts = [:]
    }

    // MARK: Channels

    func channel(_ id: String, of service: String) -> Channel? { channels[ChannelName(service: service, id: id)] }

    /// Keeps what was read.
    func cache(_ channel: Channel, of service: String, byteCount: Int) {
        let weight = 512 + 2 * byteCount
        guard weight <= Self.channelCapacity / 4 else { return }
        _ = channels.set(channel, for: ChannelName(service: service, id: channel.id), weight: weight)
    }

    /// Forgets a channel whose row changes.
    func forget(channel id: String, of service: String) { channels.remove(ChannelName(service: service, id: id)) }

    // MARK: Usage

    func usage(of account: Int64) -> AccountUsage? { usages[account] }

    /// Keeps what was read.
    func cache(_ usage: AccountUsage, of account: Int64) { usages[account] = usage }

    /// Keeps what was written.
    func change(_ usage: AccountUsage, of account: Int64) {
        usages[account] = usage
        counted.append(account)
    }

    func unsentBytes(of account: Int64) -> Int64? { unsent[account] }

    /// Keeps what was read.
    func cache(unsentBytes: Int64, of account: Int64) { unsent[account] = unsentBytes }

    /// Adds what was written, or takes off what was deleted. Nil forgets how much there is.
    func change(unsentBytes: Int64?, of account: Int64) {
        counted.append(account)
        unsent[account] = unsentBytes.flatMap { more in unsent.peek(account).map { $0 + more } }
    }

    private func forget(usageOf account: Int64) {
        usages.remove(account)
        unsent.remove(account)
    }

    // MARK: Groups

    /// Begins to note what a group of units changes, for an engine that may run the group twice.
    package func beginGroup() { before = GroupNotes() }

    /// The group stays.
    package func endGroup() { before = nil }

    /// Keeps what was kept when the group began, because the group is undone. Forgets all when nobody has noted it.
    package func undoGroup() {
        guard let notes = before else { return removeAll() }
        before = nil
        usages.removeAll()
        unsent.removeAll()
        channels.removeAll()
        for (number, entry) in notes.threads {
            forget(thread: number)
            if let entry { insert(entry) }
        }
        for number in notes.accounts {
            if let known = accounts.removeValue(forKey: number) { byteCount -= known.byteCount }
        }
        (touched, counted) = ([], [])
    }

    private func rememberBefore(thread number: Int64) {
        guard before?.threads.keys.contains(number) == false else { return }
        before?.threads[number] = .some(threads.peek(number))
    }

    // MARK: Units

    func begin() {
        touched.removeAll(keepingCapacity: true)
        counted.removeAll(keepingCapacity: true)
    }

    /// Forgets all that the unit may have kept of its own changes.
    package func undo() {
        for number in touched { forget(thread: number) }
        for account in counted { forget(usageOf: account) }
        (touched, counted) = ([], [])
        forgetAccounts()
        channels.removeAll()
    }

    package func removeAll() {
        threads.removeAll()
        usages.removeAll()
        unsent.removeAll()
        channels.removeAll()
        (numbers, accounts, touched, counted, byteCount) = ([:], [:], [], [], 0)
    }
}

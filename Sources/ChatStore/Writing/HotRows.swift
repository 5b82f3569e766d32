import Bounds
import ChatModel

/// Threads, accounts and channels as they are in the database, kept from one group of units to the next, so that a send
/// to a busy thread reads none of their rows.
///
/// Only the writer changes these rows. Saving a thread keeps what was saved; every other write of such a row forgets
/// it, and so does a unit that is undone. Debug builds compare what is found here with the rows.
///
/// At most ``capacity`` bytes are kept, counted as about twice the stored ones: three quarters are the threads', three
/// sixteenths the accounts', and the rest is the channels'. What was not used for the longest time makes room.
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
        /// Accounts that were kept, counted for or forgotten since.
        var accounts: Set<Int64> = []
    }

    /// In bytes.
    let capacity: Int
    #if DEBUG
        /// Whether what is found here is compared with the rows. It costs queries, so a test that counts them ends it.
        var isChecked = true
    #endif

    /// In bytes, of the threads.
    private var threadCapacity: Int { capacity / 16 * 12 }
    /// Their bytes are counted in ``threadBytes``, so this does not drop entries by itself.
    private var threads = RecentlyUsed<Int64, Entry>(limit: .max)
    private var threadBytes = 0
    /// The threads by member and id.
    private var numbers: [Name: Int64] = [:]
    /// The threads that show an account, as a member or as the owner.
    private var showing: [Int64: Set<Int64>] = [:]
    private var accounts: HotAccounts
    private var channels: RecentlyUsed<ChannelName, Channel>
    /// What was kept before the group changed it; nil when nobody comes back to it.
    private var before: GroupNotes?
    /// The threads of which something was kept since the unit began.
    private var touched: [Int64] = []
    /// The accounts of which something was kept since then.
    private var touchedAccounts: [Int64] = []
    /// The channels that were kept since then.
    private var touchedChannels: [ChannelName] = []

    package init(capacity: Int = ByteBound.hotRows.bytes) {
        self.capacity = capacity
        accounts = HotAccounts(capacity: capacity / 16 * 3)
        channels = RecentlyUsed(limit: capacity / 16)
    }

    var byteCount: Int { threadBytes + accounts.byteCount + channels.weight }

    /// Whether a row is not kept that ``ReadAhead`` brings.
    func lacks(_ rows: WantedRows) -> Bool {
        switch rows {
        case .channel(let id, of: let service): channel(id, of: service) == nil
        case .thread(let id, of: let account): isThreadLacking(id, of: account)
        }
    }

    private func isThreadLacking(_ id: String, of account: Int64) -> Bool {
        guard let number = numbers[Name(account: account, id: id)], accounts.usage(of: account) != nil,
            let shown = threads.read(number, { $0.facts == nil ? nil : $0.record.members.map(\.account) }) ?? nil
        else { return true }
        return shown.contains { accounts.record(of: $0) == nil }
    }

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
        guard Entry.byteCount(of: record) <= capacity / 16 else { return forget(thread: number) }
        // Changed where it is: a record has many parts, and each copy counts all of them.
        let difference = threads.change(number) { entry -> Int? in
            guard entry.record.owner.number == record.owner.number,
                entry.record.members.elementsEqual(record.members, by: { $0.account == $1.account })
            else { return nil }
            let before = entry.byteCount
            entry.set(record)
            return entry.byteCount - before
        }
        if case .some(.some(let difference)) = difference {
            threadBytes += difference
        } else {
            var entry = Entry(
                record: record, facts: facts(of: number), remoteFacts: remoteFacts(of: number), byteCount: 0)
            entry.set(record)
            forget(thread: number)
            insert(entry)
        }
        touched.append(number)
        while threadBytes > threadCapacity, let other = threads.leastRecent, other != number { forget(thread: other) }
    }

    /// Keeps the version of a thread's list of messages as it is stored now. The rest of the thread stays as it was.
    func cache(messagesVersion: Int64, of number: Int64) {
        rememberBefore(thread: number)
        threads.change(number) { $0.record.messagesVersion = messagesVersion }
        touched.append(number)
    }

    private func insert(_ entry: Entry) {
        let record = entry.record
        for member in record.members {
            numbers[Name(account: member.account, id: record.thread.id)] = record.number
            showing[member.account, default: []].insert(record.number)
        }
        showing[record.owner.number, default: []].insert(record.number)
        threads[record.number] = entry
        threadBytes += entry.byteCount
    }

    /// Forgets a thread, because a row of it changes.
    func forget(thread number: Int64) {
        rememberBefore(thread: number)
        guard let entry = threads.remove(number) else { return }
        threadBytes -= entry.byteCount
        for member in entry.record.members {
            numbers[Name(account: member.account, id: entry.record.thread.id)] = nil
            hide(number, of: member.account)
        }
        hide(number, of: entry.record.owner.number)
    }

    private func hide(_ thread: Int64, of account: Int64) {
        showing[account]?.remove(thread)
        if showing[account]?.isEmpty == true { showing[account] = nil }
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
        for number in showing[account] ?? [] {
            rememberBefore(thread: number)
            threads.change(number) { $0.remoteFacts = nil }
        }
    }

    // MARK: Accounts

    func account(_ number: Int64) -> AccountRecord? { accounts.record(of: number) }

    /// Keeps what was read.
    func cache(_ account: AccountRecord) {
        guard accounts.record(of: account.number) == nil else { return }
        touch(account: account.number)
        accounts.set(account)
    }

    /// Forgets an account whose row changes, and the threads that show it.
    func forget(account number: Int64) {
        touch(account: number)
        accounts.remove(number)
        for thread in showing[number] ?? [] { forget(thread: thread) }
    }

    private func touch(account number: Int64) {
        before?.accounts.insert(number)
        touchedAccounts.append(number)
    }

    // MARK: Channels

    func channel(_ id: String, of service: String) -> Channel? { channels[ChannelName(service: service, id: id)] }

    /// Keeps what was read.
    func cache(_ channel: Channel, of service: String, byteCount: Int) {
        let (name, weight) = (ChannelName(service: service, id: channel.id), 512 + 2 * byteCount)
        guard weight <= channels.limit / 4 else { return }
        touchedChannels.append(name)
        channels.set(channel, for: name, weight: weight)
    }

    /// Forgets a channel whose row changes.
    func forget(channel id: String, of service: String) { channels.remove(ChannelName(service: service, id: id)) }

    // MARK: Usage

    func usage(of account: Int64) -> AccountUsage? { accounts.usage(of: account) }

    /// Keeps what was read or written.
    func cache(_ usage: AccountUsage, of account: Int64) {
        touch(account: account)
        accounts.set(usage, of: account)
    }

    func unsentBytes(of account: Int64) -> Int64? { accounts.unsentBytes(of: account) }

    /// Keeps what was read.
    func cache(unsentBytes: Int64, of account: Int64) {
        touch(account: account)
        accounts.set(unsentBytes: unsentBytes, of: account)
    }

    /// Adds what was written, or takes off what was deleted. Nil forgets how much there is.
    func change(unsentBytes: Int64?, of account: Int64) {
        touch(account: account)
        let known = accounts.unsentBytes(of: account)
        accounts.set(unsentBytes: unsentBytes.flatMap { more in known.map { $0 + more } }, of: account)
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
        channels.removeAll()
        for (number, entry) in notes.threads {
            forget(thread: number)
            if let entry { insert(entry) }
        }
        for number in notes.accounts { accounts.remove(number) }
        begin()
    }

    private func rememberBefore(thread number: Int64) {
        guard before?.threads.keys.contains(number) == false else { return }
        before?.threads[number] = .some(threads.peek(number))
    }

    // MARK: Units

    func begin() {
        touched.removeAll(keepingCapacity: true)
        touchedAccounts.removeAll(keepingCapacity: true)
        touchedChannels.removeAll(keepingCapacity: true)
    }

    /// Forgets all that the unit may have kept of its own changes.
    package func undo() {
        for number in touched { forget(thread: number) }
        for number in touchedAccounts { accounts.remove(number) }
        for name in touchedChannels { channels.remove(name) }
        begin()
    }

    package func removeAll() {
        begin()
        threads.removeAll()
        (numbers, showing, threadBytes) = ([:], [:], 0)
        accounts.removeAll()
        channels.removeAll()
    }
}

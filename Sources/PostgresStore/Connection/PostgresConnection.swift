import ChatStore
import CPostgreSQL
import Dispatch
import Glibc

/// A connection to PostgreSQL in libpq's pipeline mode: statements are collected, sent together, and waited for when
/// something is read.
///
/// One thread at a time uses it; calls block. A statement is prepared by name when the connection first sees it; when
/// there are many, all are forgotten before the next transaction.
/// Parameters and results are binary. After a failure of the kind `connection`, only ``close()`` is left to do.
final class PostgresConnection {
    private let pq: libpq
    private var connection: OpaquePointer?
    /// What the server is to answer, in the order of sending.
    private var awaited: [Awaited] = []
    /// What the statements that are collected now belong to: a failure of one has it.
    var label: Int?
    /// Rows that were kept for ``takeKept(_:)``.
    private var kept: [Int: PostgresRow] = [:]
    private var parameters = PostgresParameters()
    private var prepared: [String: [Prepared]] = [:]
    private var nextName = 1
    /// How many statements are kept prepared between two transactions. The gateway has some hundreds of them, and more
    /// where a list of parameters has another length.
    static let mostPrepared = 1000
    private var preparedCount = 0
    private let notices = PostgresNotices()
    /// How long an answer may take before the connection is given up.
    private let patience: Duration
    /// Whether the server is told when the reading of this thread is to end. Not for what follows the end.
    private var mayEnd = false
    /// How often a thread that waits looks whether its reading is to end.
    private static let look = Duration.milliseconds(50)
    /// How long the server may take to take the wish that a statement ends.
    private static let cancelPatience = DispatchTimeInterval.seconds(2)

    private struct Prepared {
        let name: String
        let types: [UInt32]
    }

    private struct Awaited {
        let sql: String
        /// The name under which the statement is prepared by this entry; nil when it is run.
        var preparing: String?
        /// Under which number the rows are kept; nil if they are not.
        var keptAs: Int?
        var label: Int?
        /// Nothing but the end of what was sent together.
        var isEnd = false
    }

    /// Connects, and waits for it.
    ///
    /// - Parameters:
    ///   - address: a connection URI or string, as libpq takes it.
    ///   - settings: parameters of libpq that stand above those of the address.
    ///   - patience: how long an answer may take.
    init(_ address: String, settings: [String: String] = [:], patience: Duration = .seconds(20)) throws(PostgresError) {
        pq = try PostgresLibrary.functions()
        self.patience = patience
        let names = ["dbname"] + settings.keys
        let values = [address] + names.dropFirst().map { settings[$0] ?? "" }
        connection = Self.withCStrings(names) { names in
            // 1: the first parameter is an address whose own parameters count.
            Self.withCStrings(values) { [pq] in pq.connectdbParams(names, $0, 1) }
        }
        guard pq.status(connection) == Int32(LIBPQ_CONNECTION_OK) else {
            let reason = pq.errorMessage(connection).map { String(cString: $0) } ?? ""
            pq.finish(connection)
            connection = nil
            // libpq ends and indents the lines of one attempt for each address.
            let words = reason.split { $0.isWhitespace }.joined(separator: " ")
            var error = PostgresError(.connection, detail: words)
            error.isAway = true
            throw error
        }
        _ = pq.setNoticeReceiver(
            connection, { PostgresNotices.receive($0, $1) }, Unmanaged.passUnretained(notices).toOpaque())
        notices.functions = pq
        guard pq.setnonblocking(connection, 1) == 0, pq.enterPipelineMode(connection) == 1 else { throw lost() }
    }

    deinit { close() }

    func close() {
        pq.finish(connection)
        connection = nil
    }

    var isOpen: Bool { connection != nil }

    /// Whether anything was collected or sent that the server has not answered.
    var awaitsAnswers: Bool { !awaited.isEmpty }

    /// The server's version, as 150018 for 15.18.
    var serverVersion: Int { Int(pq.serverVersion(connection)) }

    /// The process of the server that serves this connection.
    var processID: Int32 { pq.backendPID(connection) }

    /// Whether the server has a transaction open on this connection, failed or not.
    var isInsideTransaction: Bool {
        switch pq.transactionStatus(connection) {
        case Int32(LIBPQ_TRANSACTION_IDLE), Int32(LIBPQ_TRANSACTION_UNKNOWN): false
        default: true
        }
    }

    /// The codes of warnings since the last call, oldest first.
    func takeNotices() -> [String] { notices.takeCodes() }

    /// Collects a statement. It is sent with the next ``flush()`` or ``query(_:_:_:)``.
    ///
    /// - Parameter number: its rows are kept under this number when they come; see ``takeKept(_:)``.
    func hold(_ sql: String, _ values: [SQLValue] = [], keptAs number: Int? = nil) throws(PostgresError) {
        parameters.set(values)
        if hasManyPrepared, awaited.isEmpty, !isInsideTransaction { try forgetPrepared() }
        let name = try prepare(sql, parameters.types)
        let isSent = parameters.withPointers { count, pointers, lengths, formats in
            pq.sendQueryPrepared(connection, name, count, pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        awaited.append(Awaited(sql: sql, keptAs: number, label: label))
    }

    /// The rows that were kept under this number; nil if they have not come, or were taken.
    func takeKept(_ number: Int) -> PostgresRow? { kept.removeValue(forKey: number) }

    /// Forgets all rows that were kept and not taken.
    func forgetKept() { if !kept.isEmpty { kept.removeAll() } }

    /// Sends what was collected, as far as the network takes it, and leaves the answers to whoever waits next. A failure
    /// is found then.
    ///
    /// It ends in a synchronization point. Without one, the server would not count the time until the next statement as
    /// idle, and ``PostgresUse/idleLimit`` would not hold.
    func sendAhead() throws(PostgresError) {
        guard pq.pipelineSync(connection) == 1, pq.flush(connection) >= 0 else { throw lost() }
        awaited.append(Awaited(sql: "", isEnd: true))
    }

    /// Whether so many statements are prepared that they are forgotten as soon as nothing is awaited.
    var hasManyPrepared: Bool { preparedCount >= Self.mostPrepared }

    /// Sends what was collected, waits for all answers, and throws the first failure. Returns how many rows the last
    /// statement has changed.
    @discardableResult
    func flush() throws(PostgresError) -> Int {
        guard let result = try exchange() else { return 0 }
        defer { pq.clear(result) }
        return pq.cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// Sends what was collected and this statement, and calls `body` with its rows until it returns false. `body` may use
    /// the connection: all rows are here by then.
    func query(_ sql: String, _ values: [SQLValue] = [], _ body: (PostgresRow) throws -> Bool) throws {
        guard let rows = try rows(sql, values) else { return }
        try rows.forEach(body)
    }

    /// Sends what was collected and this statement, and returns its rows; nil for a statement that returns none.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(PostgresError) -> PostgresRow? {
        try hold(sql, values)
        return try exchange().map { PostgresRow(functions: pq, result: $0) }
    }

    /// Sends what was collected and this statement, and returns the number in the first column of its first row; nil if
    /// there is no row.
    func first(_ sql: String, _ values: [SQLValue] = []) throws(PostgresError) -> Int64? {
        guard let rows = try rows(sql, values), rows.count > 0 else { return nil }
        return rows.integer(0)
    }

    /// Waits until a notification has come, the time is over, or another descriptor can be read. Returns the payloads of
    /// all that have come.
    func notifications(within time: Duration, orUntil descriptor: Int32 = -1) throws(PostgresError) -> [String] {
        let deadline = ContinuousClock.now + time
        while true {
            guard pq.consumeInput(connection) == 1 else { throw lost() }
            var payloads: [String] = []
            while let notification = pq.notifies(connection) {
                payloads.append(String(cString: notification.pointee.extra))
                pq.freemem(notification)
            }
            if !payloads.isEmpty || ContinuousClock.now >= deadline { return payloads }
            var other = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = try wait(for: Int16(POLLIN), until: deadline, and: &other)
            if other.revents != 0 { return [] }
        }
    }

    /// The name under which a statement is prepared for parameters of these types; prepares it if it is not.
    private func prepare(_ sql: String, _ types: [UInt32]) throws(PostgresError) -> String {
        if let known = prepared[sql]?.first(where: { Self.fit(types, $0.types) }) { return known.name }
        let name = "s\(nextName)"
        nextName += 1
        guard
            pq.sendPrepare(connection, name, PostgresPlaceholders.numbered(sql), CInt(types.count), types) == 1
        else { throw lost() }
        awaited.append(Awaited(sql: sql, preparing: name, label: label))
        prepared[sql, default: []].append(Prepared(name: name, types: types))
        preparedCount += 1
        return name
    }

    /// Collects a statement that frees all prepared ones. They cost memory on both sides.
    private func forgetPrepared() throws(PostgresError) {
        let sql = "DEALLOCATE ALL"
        // The statement without a name is not among those that it frees.
        guard pq.sendPrepare(connection, "", sql, 0, nil) == 1,
            pq.sendQueryPrepared(connection, "", 0, nil, nil, nil, 1) == 1
        else { throw lost() }
        awaited += [Awaited(sql: sql), Awaited(sql: sql)]
        prepared = [:]
        preparedCount = 0
    }

    /// Whether values of some types can be given to a statement that was prepared for others. A null fits all.
    private static func fit(_ types: [UInt32], _ known: [UInt32]) -> Bool {
        types.count == known.count && zip(types, known).allSatisfy { $0 == 0 || $0 == $1 }
    }

    /// Sends, and reads the answers up to the synchronization point. Returns the last one's result, which the caller
    /// clears; nil if there was nothing to send.
    private func exchange() throws(PostgresError) -> OpaquePointer? {
        guard !awaited.isEmpty else { return nil }
        guard pq.pipelineSync(connection) == 1 else { throw lost() }
        awaited.append(Awaited(sql: "", isEnd: true))
        let entries = awaited
        awaited = []
        let deadline = ContinuousClock.now + patience
        mayEnd = ReadStop.isWatchedHere && !ReadStop.isAskedHere
        var failure: PostgresError?
        var last: OpaquePointer?
        var isComplete = false
        defer { if !isComplete { pq.clear(last) } }
        for (index, entry) in entries.enumerated() {
            if entry.isEnd {
                try readEnd(until: deadline)
                continue
            }
            while let result = try next(until: deadline) {
                switch pq.resultStatus(result) {
                case Int32(LIBPQ_COMMAND_OK), Int32(LIBPQ_TUPLES_OK), Int32(LIBPQ_EMPTY_QUERY):
                    // A statement that is prepared first has two entries, and the last is the one that runs it.
                    if let number = entry.keptAs {
                        kept[number] = PostgresRow(functions: pq, result: result)
                    } else if index == entries.count - 2, last == nil {
                        last = result
                    } else {
                        pq.clear(result)
                    }
                default:
                    defer { pq.clear(result) }
                    if let name = entry.preparing {
                        prepared[entry.sql]?.removeAll { $0.name == name }
                        preparedCount -= 1
                    }
                    if failure == nil { failure = error(of: result, entry) }
                }
            }
        }
        if let failure { throw failure }
        isComplete = true
        return last
    }

    /// Reads the answer to a synchronization point.
    private func readEnd(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        guard let sync = try next(until: deadline) else { throw lost() }
        defer { pq.clear(sync) }
        guard pq.resultStatus(sync) == Int32(LIBPQ_PIPELINE_SYNC) else { throw lost() }
    }

    private func error(of result: OpaquePointer, _ entry: Awaited) -> PostgresError {
        // 'C': PG_DIAG_SQLSTATE.
        guard let state = pq.resultErrorField(result, CInt(UInt8(ascii: "C"))) else {
            return PostgresError(.connection, detail: "The connection to PostgreSQL was lost.")
        }
        return PostgresError(state: String(cString: state), statement: entry.sql, label: entry.label)
    }

    /// The next result; nil at the end of one statement's. Writes while it waits: otherwise both sides could block on full
    /// buffers.
    private func next(until deadline: ContinuousClock.Instant) throws(PostgresError) -> OpaquePointer? {
        while true {
            let rest = pq.flush(connection)
            guard rest >= 0 else { throw lost() }
            if pq.isBusy(connection) == 0 { return pq.getResult(connection) }
            let events = Int16(POLLIN) | (rest == 1 ? Int16(POLLOUT) : 0)
            if mayEnd, ReadStop.isAskedHere { try cancel() }
            guard try wait(for: events, until: mayEnd ? min(deadline, .now + Self.look) : deadline) else {
                close()
                throw PostgresError(.connection, detail: "PostgreSQL did not answer within \(patience).")
            }
            guard pq.consumeInput(connection) == 1 else { throw lost() }
        }
    }

    /// Asks the server, on a connection of its own, to end the statement that it runs here; the answer says so then. If that
    /// fails, the statement ends by its time limit.
    ///
    /// libpq waits for the server without a limit here, so another thread asks. A server that does not answer costs the
    /// connection.
    private func cancel() throws(PostgresError) {
        mayEnd = false
        guard let request = pq.getCancel(connection) else { return }
        let (call, isDone) = (CancelCall(pq: pq, request: request), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            call.perform()
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + Self.cancelPatience) == .success else { throw lost() }
    }

    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws(PostgresError) -> Bool {
        // poll(2) ignores a negative descriptor.
        var none = pollfd(fd: -1, events: 0, revents: 0)
        return try wait(for: events, until: deadline, and: &none)
    }

    /// Waits for the socket or another descriptor. Returns false when the time is over.
    private func wait(
        for events: Int16, until deadline: ContinuousClock.Instant, and other: inout pollfd
    ) throws(PostgresError) -> Bool {
        let left = deadline - .now
        guard left > .zero else { return false }
        var entries = (pollfd(fd: pq.socket(connection), events: events, revents: 0), other)
        guard entries.0.fd >= 0 else { throw lost() }
        let milliseconds = min(left / .milliseconds(1), 60_000)
        let count = withUnsafeMutableBytes(of: &entries) {
            poll($0.bindMemory(to: pollfd.self).baseAddress, 2, Int32(milliseconds.rounded(.up)))
        }
        guard count >= 0 || errno == EINTR else { throw lost() }
        other = entries.1
        return true
    }

    /// Closes the connection, which has failed.
    private func lost() -> PostgresError {
        let isOpen = connection != nil
        close()
        return PostgresError(
            .connection, detail: isOpen ? "The connection to PostgreSQL was lost." : "The connection is closed.")
    }

    /// Calls `body` with C's array of texts, which ends with null.
    private static func withCStrings<T>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
    ) -> T {
        let copies = texts.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}

/// The wish that a statement ends.
///
/// `@unchecked Sendable`: libpq lets any thread perform it, and only one does.
private struct CancelCall: @unchecked Sendable {
    let pq: libpq
    let request: OpaquePointer

    /// Asks the server, and forgets the wish.
    func perform() {
        defer { pq.freeCancel(request) }
        var reason = [CChar](repeating: 0, count: 256)
        _ = pq.cancel(request, &reason, CInt(reason.count))
    }
}

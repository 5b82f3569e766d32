import ChatModel
import Formats

/// A page of customers, each as JSON.
public struct FoundCustomers: Sendable {
    public var items: [[UInt8]] = []
    /// The cursor of the next page; nil at the end.
    public var next: String?
    /// The position in the log from which to follow.
    public var offset: Int64 = 0
}

extension ReadTransaction {
    /// A page of a service's customers on some channels whose id, e-mail address or name begins with a text: first
    /// those found by the id, then those by the address, then those by the name. Nobody comes twice. Without a text it
    /// is all of them, by their ids.
    ///
    /// Upper and lower case are the same in addresses and names, and not in ids. It looks at some 1,000 rows at most,
    /// so a page may have few customers, and another one may follow. Throws `invalidParameter` for a cursor of another
    /// list.
    public func customerPage(
        of service: String, on channels: [String], startingWith text: String?, _ request: PageRequest
    ) throws -> FoundCustomers {
        let start = try request.cursor.map { (cursor) throws(ChatError) -> CustomerPlace in
            guard let place = CustomerPlace(cursor) else { throw PageRequest.badCursor }
            return place
        }
        var page = FoundCustomers(offset: try headOffset())
        let search = CustomerPrefix(text)
        // The last customer of the page, and the last row that was looked at.
        var (last, seen, rows): (CustomerPlace?, CustomerPlace?, Int) = (nil, nil, 0)
        for way in CustomerPlace.Way.allCases where text != nil || way == .id {
            // A text of spaces begins no address and no name.
            guard let prefix = search.prefix(by: way) else { continue }
            if let start, way.rawValue < start.way.rawValue { continue }
            for channel in channels.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                var place = start.flatMap { $0.way == way && $0.channel.hasSameBytes(as: channel) ? $0 : nil }
                if let start, start.way == way, channel.utf8.lexicographicallyPrecedes(start.channel.utf8) { continue }
                while true {
                    guard rows < Self.longestSearch else {
                        page.next = seen?.text
                        return page
                    }
                    // Those that were found before are passed over.
                    let wanted = max(request.limit + 1 - page.items.count, way == .id ? 1 : 50)
                    let found = try customers(of: service, on: channel, by: way, prefix, after: place, limit: wanted)
                    (rows, seen) = (rows + found.count, found.last?.place ?? seen)
                    for customer in found where !search.finds(customer, before: way) {
                        guard page.items.count < request.limit else {
                            page.next = last?.text
                            return page
                        }
                        page.items.append(customer.json)
                        last = customer.place
                    }
                    guard found.count == wanted, let end = found.last?.place else { break }
                    place = end
                }
            }
        }
        return page
    }

    /// After how many rows a page ends.
    private static var longestSearch: Int { 1000 }

    /// Customers behind a place whose key begins with a text, by that key.
    private func customers(
        of service: String, on channel: String, by way: CustomerPlace.Way, _ prefix: String,
        after place: CustomerPlace?,
        limit: Int
    ) throws -> [FoundCustomer] {
        let column = way.column
        // What is greater than all that begins with the text: no character is greater than this one.
        let end = prefix + "\u{10FFFF}"
        return try db.all(
            """
            SELECT \(AccountRecord.columns), account.email, account.nameKey,
                (SELECT max(session.lastUsedAt) FROM session WHERE session.account = account.number)
            FROM account WHERE service = ? AND channel = ? AND \(column) >= ? AND \(column) < ?
                AND (\(column), number) > (?, ?) ORDER BY \(column), number LIMIT ?
            """,
            [
                .text(service), .text(channel), .text(prefix), .text(end), .text(place?.key ?? ""),
                .integer(place?.number ?? -1), .integer(Int64(limit)),
            ]
        ) { try FoundCustomer(row: $0, by: way) }
    }
}

/// What a search looks for.
private struct CustomerPrefix {
    let text: String
    /// In the form of the keys; nil if nothing of the text is left.
    let key: String?

    init(_ text: String?) {
        self.text = text ?? ""
        key = text.flatMap(Customer.key)
    }

    func prefix(by way: CustomerPlace.Way) -> String? { way == .id ? text : key }

    /// Whether the customer is found in an earlier way, too.
    func finds(_ customer: FoundCustomer, before way: CustomerPlace.Way) -> Bool {
        if way == .id { return false }
        if customer.id.utf8.starts(with: text.utf8) { return true }
        guard way == .name, let key, let email = customer.email else { return false }
        return email.utf8.starts(with: key.utf8)
    }
}

/// A row that a search has found.
private struct FoundCustomer {
    let id: String
    let email: String?
    let place: CustomerPlace
    let json: [UInt8]

    init(row: SQLRow, by way: CustomerPlace.Way) throws {
        let account = try AccountRecord(row: row)
        id = account.key.customer
        email = row.isNull(7) ? nil : row.text(7)
        let key = way == .id ? id : row.text(way == .email ? 7 : 8)
        place = CustomerPlace(way: way, channel: account.key.channel, key: key, number: account.number)
        json = account.json(lastSeenAt: row.isNull(9) ? nil : Timestamp(milliseconds: row.integer(9))) { _ in }
    }
}

/// A place in a list of customers: behind one of them.
private struct CustomerPlace {
    /// How a customer was found, in the order of the list.
    enum Way: Int, CaseIterable {
        case id, email, name

        var column: String {
            switch self {
            case .id: "customer"
            case .email: "email"
            case .name: "nameKey"
            }
        }
    }

    var way: Way
    var channel: String
    var key: String
    var number: Int64

    init(way: Way, channel: String, key: String, number: Int64) {
        (self.way, self.channel, self.key, self.number) = (way, channel, key, number)
    }

    init?(_ text: String) {
        guard text.utf8.count <= 1024, text.first == "c", let bytes = Base64URL.decode(String(text.dropFirst())),
            let parts = String(validating: bytes, as: UTF8.self)?
                .split(separator: "\0", maxSplits: 3, omittingEmptySubsequences: false), parts.count == 4,
            let way = Int(digits: parts[0]).flatMap(Way.init), let number = Int64(digits: parts[1]),
            !parts[3].utf8.contains(0)
        else { return nil }
        self.init(way: way, channel: String(parts[2]), key: String(parts[3]), number: number)
    }

    var text: String {
        "c" + Base64URL.encode(Array(["\(way.rawValue)", "\(number)", channel, key].joined(separator: "\0").utf8))
    }
}

import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct PersonTests {
    private let start = TestEnvironment.start

    @Test func peopleAreReadAsTheyWereWritten() async throws {
        try await withStore { store in
            var ada = samplePerson("ada", role: .supervisor, createdAt: start)
            ada.proxyName = "Ada.L"
            ada.publicName = "Ada from the shop"
            ada.channels = ["help"]
            ada.password = "$y$jAT$salt$hash"
            ada.lastSeenAt = start
            ada.settings = Array(#"{"sound":false}"#.utf8)
            let (first, second) = (ada, samplePerson("bo", state: .invited, createdAt: start))
            try await store.write { transaction in
                try transaction.insert(first)
                try transaction.insert(second)
            }
            #expect(try await store.read { try $0.people() } == [first, second])
            #expect(try await store.read { try $0.person("ada") } == first)
            #expect(await refusal { try await store.read { try $0.person("x") } } == .unknownPerson)
        }
    }

    @Test func aPersonIsFoundByWhatAProxyAndAFormTell() async throws {
        try await withStore { store in
            try await store.write { transaction in
                var ada = samplePerson("ada", createdAt: transaction.now)
                (ada.email, ada.proxyName) = ("Ada@Shop.example", "ADA")
                try transaction.insert(ada)
            }
            let rows: [(String, byEmail: String?, byProxy: String?)] = [
                ("ada@shop.example", "ada", "ada"), ("ADA@SHOP.EXAMPLE", "ada", "ada"), ("Ada", nil, "ada"),
                ("bo", nil, nil), ("", nil, nil),
            ]
            for (text, byEmail, byProxy) in rows {
                #expect(try await store.read { try $0.person(email: text)?.id } == byEmail)
                #expect(try await store.read { try $0.person(proxyName: text)?.id } == byProxy)
            }
        }
    }

    /// Else a proxy could tell of two people by one name.
    @Test(
        arguments: [
            (email: "ADA@shop.example", proxyName: nil, pointer: "/email"),
            (email: "ada.l", proxyName: nil, pointer: "/email"),
            (email: "x@shop.example", proxyName: "Ada.L", pointer: "/proxyName"),
            (email: "x@shop.example", proxyName: "ada@shop.example", pointer: "/proxyName"),
        ] as [(email: String, proxyName: String?, pointer: String)])
    func twoPeopleHaveNoNameInCommon(email: String, proxyName: String?, pointer: String) async throws {
        try await withStore { store in
            try await store.write { transaction in
                var ada = samplePerson("ada", createdAt: transaction.now)
                ada.proxyName = "ada.l"
                try transaction.insert(ada)
                try transaction.insert(samplePerson("bo", createdAt: transaction.now))
            }
            for id in ["new", "bo"] {
                let error = await #expect(throws: ChatError.self) {
                    try await store.write { transaction in
                        var person = samplePerson(id, createdAt: transaction.now)
                        (person.email, person.proxyName) = (email, proxyName)
                        if id == "bo" { try transaction.replace(person) } else { try transaction.insert(person) }
                    }
                }
                #expect(error?.code == .personExists && error?.pointer == pointer)
            }
            #expect(try await store.read { try $0.people().count } == 2)
            let faults = try store.faults()
            #expect(faults == [])
        }
    }

    @Test func anIdIsNotUsedTwice() async throws {
        try await withStore { store in
            try await store.write { try $0.insert(samplePerson("ada", createdAt: $0.now)) }
            let code = await refusal {
                try await store.write { transaction in
                    var other = samplePerson("ada", createdAt: transaction.now)
                    other.email = "other@shop.example"
                    try transaction.insert(other)
                }
            }
            #expect(code == .personExists)
        }
    }

    /// Somebody may keep their own names.
    @Test func aPersonIsReplaced() async throws {
        try await withStore { store in
            let changed = try await store.write { transaction in
                var ada = samplePerson("ada", createdAt: transaction.now)
                ada.proxyName = ada.email
                try transaction.insert(ada)
                try transaction.setPicture(samplePicture("face"), ofPerson: "ada")
                ada = try transaction.person("ada")
                ada.name = "Ada L"
                ada.role = .supervisor
                ada.state = .disabled
                ada.channels = []
                try transaction.replace(ada)
                return ada
            }
            #expect(try await store.read { try $0.person("ada") } == changed)
            #expect(changed.picture == sampleDigest("face"))
            let start = start
            #expect(
                await refusal { try await store.write { try $0.replace(samplePerson("x", createdAt: start)) } }
                    == .unknownPerson)
        }
    }

    @Test func thereAreNoMoreThanAThousand() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for number in 0..<Person.maximumCount {
                    try transaction.insert(samplePerson("p\(number)", createdAt: transaction.now))
                }
            }
            let code = await refusal { try await store.write { try $0.insert(samplePerson("x", createdAt: $0.now)) } }
            #expect(code == .tooManyPeople)
            try await store.write { transaction in
                try transaction.removePerson("p7")
                try transaction.insert(samplePerson("x", createdAt: transaction.now))
            }
            #expect(try await store.read { try $0.people().count } == Person.maximumCount)
        }
    }

    @Test func settingsAreJSONAndNotTooLong() async throws {
        try await withStore { store in
            try await store.write { try $0.insert(samplePerson("ada", createdAt: $0.now)) }
            func set(_ settings: String) async -> ChatError.Code? {
                await refusal {
                    try await store.write { transaction in
                        var ada = try transaction.person("ada")
                        ada.settings = Array(settings.utf8)
                        try transaction.replace(ada)
                    }
                }
            }
            let most = "\"" + String(repeating: "x", count: Person.settingsByteCount - 2) + "\""
            #expect(await set(most) == nil)
            #expect(await set(most + " ") == .invalidParameter)
            #expect(await set("{") == .invalidParameter)
            #expect(try await store.read { try $0.person("ada").settings } == Array(most.utf8))
        }
    }

    @Test func whoWasHereIsNotedForManyAtOnce() async throws {
        try await withStore { store in
            let start = start
            try await store.write { transaction in
                for id in ["a", "b", "c"] { try transaction.insert(samplePerson(id, createdAt: start)) }
                try transaction.noteSeen(people: ["a": start, "b": start.advanced(bySeconds: 9), "gone": start])
                try transaction.noteSeen(people: ["a": start.advanced(bySeconds: 5), "b": start])
            }
            let times = try await store.read { try $0.people().map(\.lastSeenAt) }
            #expect(times == [start.advanced(bySeconds: 5), start.advanced(bySeconds: 9), nil])
        }
    }

    @Test func whoIsRemovedLeavesNothing() async throws {
        try await withStore { store in
            let removed = try await store.write { transaction in
                for id in ["ada", "bo"] {
                    try transaction.insert(samplePerson(id, createdAt: transaction.now))
                    for number in 1...2 {
                        try transaction.insert(sampleLogin("\(id)\(number)", of: id, createdAt: transaction.now))
                    }
                    try transaction.insert(sampleInvitation("code of \(id)", of: id, createdAt: transaction.now))
                    try transaction.setPicture(samplePicture("face of \(id)"), ofPerson: id)
                }
                return try transaction.removePerson("ada")
            }
            #expect(removed == ["ada1", "ada2"])
            #expect(await refusal { try await store.write { try $0.removePerson("ada") } } == .unknownPerson)
            for (table, count) in ["person": 1, "login": 2, "invitation": 1, "picture": 1] as [String: Int64] {
                #expect(try await store.count(of: table) == count, "\(table)")
            }
            #expect(try await store.read { try $0.picture(sampleDigest("face of bo")) } == samplePicture("face of bo"))
            let faults = try store.faults()
            #expect(faults == [])
        }
    }
}

/// Somebody must be left who may administer the gateway.
@Suite struct LastAdministratorTests {
    private enum Change: CaseIterable { case disable, lower, remove }

    private static func apply(
        _ change: Change, to id: String, asRoot: Bool = false, _ transaction: WriteTransaction
    ) throws {
        switch change {
        case .remove: try transaction.removePerson(id, leavingNoAdministrator: asRoot)
        case .disable, .lower:
            var person = try transaction.person(id)
            if change == .disable { person.state = .disabled } else { person.role = .supervisor }
            try transaction.replace(person, leavingNoAdministrator: asRoot)
        }
    }

    /// Two administrators, and others who do not count.
    private static func fill(_ store: ChatStore) async throws {
        try await store.write { transaction in
            for id in ["a1", "a2"] {
                try transaction.insert(samplePerson(id, role: .administrator, createdAt: transaction.now))
            }
            for (id, state) in [("d", PersonState.disabled), ("i", .invited)] {
                try transaction.insert(samplePerson(id, role: .administrator, state: state, createdAt: transaction.now))
            }
            try transaction.insert(samplePerson("s", role: .supervisor, createdAt: transaction.now))
        }
    }

    private static func administrators(_ store: ChatStore) async throws -> [String] {
        try await store.read { try $0.people().filter(\.isActiveAdministrator).map(\.id) }
    }

    @Test(arguments: Change.allCases, Change.allCases)
    private func theLastOneStays(first: Change, second: Change) async throws {
        try await withStore { store in
            try await Self.fill(store)
            try await store.write { try Self.apply(first, to: "a1", $0) }
            #expect(
                await refusal { try await store.write { try Self.apply(second, to: "a2", $0) } } == .lastAdministrator)
            #expect(try await Self.administrators(store) == ["a2"])
            // Others are not held back, and the last one may change otherwise.
            try await store.write { transaction in
                for id in ["d", "i", "s"] { try Self.apply(second, to: id, transaction) }
                var last = try transaction.person("a2")
                last.name = "Last"
                try transaction.replace(last)
            }
            try await store.write { try Self.apply(second, to: "a2", asRoot: true, $0) }
            #expect(try await Self.administrators(store).isEmpty)
        }
    }

    /// Each one sees two administrators when it is asked for.
    @Test(arguments: Change.allCases) private func ofTwoWritersAtATimeOneIsRefused(change: Change) async throws {
        try await withStore { store in
            for _ in 0..<20 {
                try await store.write { transaction in
                    for person in try transaction.people() {
                        try transaction.removePerson(person.id, leavingNoAdministrator: true)
                    }
                }
                try await Self.fill(store)
                let codes = await withTaskGroup(of: ChatError.Code?.self) { group in
                    for id in ["a1", "a2"] {
                        group.addTask { await refusal { try await store.write { try Self.apply(change, to: id, $0) } } }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes.compactMap(\.self) == [.lastAdministrator])
                #expect(try await Self.administrators(store).count == 1)
            }
        }
    }
}

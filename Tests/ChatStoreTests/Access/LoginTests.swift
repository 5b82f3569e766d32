import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct LoginTests {
    private let start = TestEnvironment.start

    private func people(_ store: ChatStore) async throws {
        let start = start
        try await store.write { transaction in
            for id in ["ada", "bo"] { try transaction.insert(samplePerson(id, createdAt: start)) }
        }
    }

    @Test func loginsAreReadAsTheyWereWritten() async throws {
        try await withStore { store in
            try await people(store)
            var full = sampleLogin("l1", of: "ada", createdAt: start)
            full.lastUsedAt = start.advanced(bySeconds: 7)
            full.confirmedAt = start.advanced(bySeconds: 8)
            let (first, second) = (full, sampleLogin("l2", of: Login.operatorID, createdAt: start))
            try await store.write { transaction in
                let removed = try transaction.insert(first) + transaction.insert(second)
                #expect(removed.isEmpty)
            }
            #expect(try await store.read { try $0.logins() } == [second, first])
            #expect(try await store.read { try $0.logins(of: "ada") } == [first])
            #expect(try await store.read { try $0.logins(of: Login.operatorID) } == [second])
            #expect(try await store.read { try $0.login("l1") } == first)
            #expect(await refusal { try await store.read { try $0.login("x") } } == .unknownLogin)
        }
    }

    @Test func aLoginHasAPersonAndAnIdOfItsOwn() async throws {
        try await withStore { store in
            try await people(store)
            let start = start
            func insert(_ id: String, _ person: String) async -> ChatError.Code? {
                await refusal { try await store.write { try $0.insert(sampleLogin(id, of: person, createdAt: start)) } }
            }
            #expect(await insert("l1", "x") == .unknownPerson)
            #expect(await insert("l1", "ada") == nil)
            #expect(await insert("l1", "bo") == .storageFailed)
            #expect(try await store.read { try $0.logins().map(\.person) } == ["ada"])
        }
    }

    @Test(arguments: ["ada", Login.operatorID]) func theOldestOneMakesRoom(person: String) async throws {
        try await withStore { store in
            try await people(store)
            let start = start
            let removed = try await store.write { transaction in
                try transaction.insert(sampleLogin("other", of: "bo", createdAt: start.advanced(bySeconds: -9)))
                var removed: [[String]] = []
                for number in 0..<Login.maximumCount + 2 {
                    // The third one is older than all others.
                    let age = number == 2 ? -1 : number
                    removed.append(
                        try transaction.insert(
                            sampleLogin("l\(number)", of: person, createdAt: start.advanced(bySeconds: age))))
                }
                return removed
            }
            #expect(removed.suffix(3) == [[], ["l2"], ["l0"]] && removed.dropLast(2).allSatisfy(\.isEmpty))
            #expect(try await store.read { try $0.logins(of: person).count } == Login.maximumCount)
            #expect(try await store.read { try $0.login("other").person } == "bo")
        }
    }

    @Test func aLoginIsExtendedConfirmedAndUsed() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await people(store)
            let start = start
            try await store.write { transaction in
                for id in ["l1", "l2", "l3"] {
                    try transaction.insert(sampleLogin(id, of: "ada", createdAt: start))
                }
            }
            environment.advance(milliseconds: 5000)
            try await store.write { transaction in
                try transaction.extendLogin("l1", until: start.advanced(bySeconds: 9000))
                try transaction.confirmLogin("l2")
                try transaction.noteUse(ofLogins: ["l1": start.advanced(bySeconds: 4), "l2": start, "gone": start])
                try transaction.noteUse(ofLogins: ["l1": start.advanced(bySeconds: 3)])
            }
            var expected = ["l1", "l2", "l3"].map { sampleLogin($0, of: "ada", createdAt: start) }
            expected[0].expiresAt = start.advanced(bySeconds: 9000)
            expected[0].lastUsedAt = start.advanced(bySeconds: 4)
            expected[1].confirmedAt = start.advanced(bySeconds: 5)
            #expect(try await store.read { try $0.logins() } == expected)
            #expect(await refusal { try await store.write { try $0.extendLogin("x", until: start) } } == .unknownLogin)
            #expect(await refusal { try await store.write { try $0.confirmLogin("x") } } == .unknownLogin)
        }
    }

    @Test func loginsEndOneByOneOrAllButOne() async throws {
        try await withStore { store in
            try await people(store)
            let start = start
            try await store.write { transaction in
                for id in ["l1", "l2", "l3", "l4"] {
                    try transaction.insert(sampleLogin(id, of: "ada", createdAt: start))
                }
                try transaction.insert(sampleLogin("l5", of: "bo", createdAt: start))
                try transaction.removeLogin("l2")
                #expect(try transaction.removeLogins(of: "ada", except: "l3") == ["l1", "l4"])
            }
            #expect(try await store.read { try $0.logins().map(\.id) } == ["l3", "l5"])
            #expect(await refusal { try await store.write { try $0.removeLogin("l2") } } == .unknownLogin)
            #expect(try await store.write { try $0.removeLogins(of: "ada") } == ["l3"])
            #expect(try await store.write { try $0.removeLogins(of: "ada") }.isEmpty)
            #expect(try await store.read { try $0.logins().map(\.id) } == ["l5"])
        }
    }

    @Test func whatHasEndedGoesInSteps() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await people(store)
            let start = start
            try await store.write { transaction in
                for number in 0..<5 {
                    var login = sampleLogin("l\(number)", of: "ada", createdAt: start)
                    login.expiresAt = start.advanced(bySeconds: 10 - number)
                    try transaction.insert(login)
                }
            }
            #expect(try await store.write { try $0.removeExpiredLogins() }.isEmpty)
            // To the millisecond.
            environment.advance(milliseconds: 9000)
            #expect(try await store.write { try $0.removeExpiredLogins(atMost: 3) } == ["l4", "l3", "l2"])
            #expect(try await store.write { try $0.removeExpiredLogins(atMost: 3) } == ["l1"])
            #expect(try await store.read { try $0.logins().map(\.id) } == ["l0"])
        }
    }
}

@Suite struct InvitationTests {
    @Test func anInvitationIsUsedOnce() async throws {
        try await withStore { store in
            let invitation = try await store.write { transaction in
                try transaction.insert(samplePerson("ada", state: .invited, createdAt: transaction.now))
                let invitation = sampleInvitation("code", of: "ada", createdAt: transaction.now)
                try transaction.insert(invitation)
                return invitation
            }
            #expect(try await store.read { try $0.invitation(sampleDigest("code")) } == invitation)
            #expect(try await store.read { try $0.invitation(sampleDigest("other")) } == nil)
            let person = try await store.write { try $0.redeemInvitation(sampleDigest("code")) }
            #expect(person.id == "ada" && person.state == .invited)
            #expect(
                await refusal { try await store.write { try $0.redeemInvitation(sampleDigest("code")) } }
                    == .invitationGone)
        }
    }

    /// Of two who hold the same code, one chooses the password.
    @Test func ofTwoAtATimeOneUsesIt() async throws {
        try await withStore { store in
            for _ in 0..<20 {
                try await store.write { transaction in
                    if try transaction.people().isEmpty {
                        try transaction.insert(samplePerson("ada", createdAt: transaction.now))
                    }
                    try transaction.insert(sampleInvitation("code", of: "ada", createdAt: transaction.now))
                }
                let codes = await withTaskGroup(of: ChatError.Code?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            await refusal { try await store.write { try $0.redeemInvitation(sampleDigest("code")) } }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes.compactMap(\.self) == [.invitationGone])
            }
        }
    }

    @Test func aNewOneEndsTheEarlierOneOfThePerson() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for id in ["ada", "bo"] { try transaction.insert(samplePerson(id, createdAt: transaction.now)) }
                for (code, id) in [("1", "ada"), ("2", "bo"), ("3", "ada")] {
                    try transaction.insert(sampleInvitation(code, of: id, createdAt: transaction.now))
                }
            }
            let found = try await store.read { transaction in
                try ["1", "2", "3"].map { try transaction.invitation(sampleDigest($0))?.person }
            }
            #expect(found == [nil, "bo", "ada"])
            let code = await refusal {
                try await store.write { try $0.insert(sampleInvitation("4", of: "x", createdAt: $0.now)) }
            }
            #expect(code == .unknownPerson)
            try await store.write { try $0.removeInvitation(of: "bo") }
            #expect(try await store.count(of: "invitation") == 1)
        }
    }

    @Test func whatHasExpiredIsGoneBeforeItIsRemoved() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await store.write { transaction in
                for id in ["ada", "bo"] { try transaction.insert(samplePerson(id, createdAt: transaction.now)) }
                try transaction.insert(sampleInvitation("1", of: "ada", createdAt: transaction.now))
                try transaction.insert(
                    sampleInvitation("2", of: "bo", createdAt: transaction.now.advanced(bySeconds: 1)))
            }
            environment.advance(milliseconds: 3_600_000)
            #expect(
                await refusal { try await store.write { try $0.redeemInvitation(sampleDigest("1")) } }
                    == .invitationGone)
            #expect(try await store.count(of: "invitation") == 2)
            try await store.write { try $0.removeExpiredInvitations() }
            #expect(try await store.count(of: "invitation") == 1)
            #expect(try await store.write { try $0.redeemInvitation(sampleDigest("2")).id } == "bo")
        }
    }
}

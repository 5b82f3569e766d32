import ChatModel
import ChatStore
import Dispatch
import TestSupport
import Testing

@testable import Chat

/// Background synchronization (collections 3.4), its changelogs and its absences.
@Suite struct SynchronizationTests {
    @Test func whoConnectsAndAtOncePausesIsPaused() async throws {
        try await RemoteScene.run(messages: 3) { scene in
            let account = try await scene.store.read { try $0.account(scene.client.account) }
            let connection = try await scene.service.connect(account, channel: scene.client.channel, onLoss: {})
            let synchronizer = scene.account.synchronizer
            for id in 1...200 {
                let source = RemoteAccount.Source(id: id, session: "s", platform: try #require(connection.bound))
                let following = Task { await synchronizer.follow(resumes: false) { source } }
                #expect(await eventually { await synchronizer.source?.id == id })
                await synchronizer.follow(resumes: false) { nil }
                await following.value
            }
            // All calls have returned: nobody is left who could begin.
            #expect(await !synchronizer.isWorking)
            await connection.close()
        }
    }

    /// What a change has seen when it came must not undo a later one that overtook it.
    @Test(arguments: [false, true])
    func ofTwoChangesTheLaterOneCountsWhicheverIsToldLast(isLossToldLast: Bool) async throws {
        try await RemoteScene.run { scene in
            let record = try await scene.store.read { try $0.account(scene.client.account) }
            let connection = try await scene.service.connect(record, channel: scene.client.channel, onLoss: {})
            let platform = try #require(connection.bound)
            let account = scene.account
            account.attach(platform, session: "first")
            #expect(await eventually { await account.synchronizer.source?.session == "first" })
            await scene.idle()
            let (isBusy, release) = (Flag(), DispatchSemaphore(value: 0))
            let busy = Task(executorPreference: OwnThread()) {
                await account.synchronizer.stayBusy(isBusy, until: release)
            }
            #expect(await eventually { isBusy.isRaised })
            // Those who wait for an actor are taken by their priority.
            let loss: TaskPriority = isLossToldLast ? .background : .high
            let gain: TaskPriority = isLossToldLast ? .high : .background
            await Task(priority: loss) { account.detach(session: "first") }.value
            await turn(of: loss) {}
            await Task(priority: gain) { account.attach(platform, session: "second") }.value
            await turn(of: gain) {}
            release.signal()
            await busy.value
            for priority in [loss, gain] { await turn(of: priority) { _ = await account.synchronizer.source } }
            #expect(await account.synchronizer.source?.session == "second")
            account.detach(session: "second")
            await connection.close()
        }
    }

    /// Returns when one more task of this priority has done the same as others before: tasks of one priority have their
    /// turns in order, and so they come to an actor.
    private func turn(of priority: TaskPriority, _ work: @escaping @Sendable () async -> Void) async {
        let isDone = Flag()
        // Its value is not awaited: that would give it the priority of this task.
        Task(priority: priority) {
            await work()
            isDone.raise()
        }
        #expect(await eventually { isDone.isRaised })
    }

    /// Nothing is unsent, and the list has not changed.
    @Test func aConnectionThatFindsNothingNewWritesNothingOfTheAccount() async throws {
        try await RemoteScene.run { scene in
            scene.platform.removeThread("t")
            try await scene.synchronize()
            try await scene.client.disconnect()
            try await scene.synchronize()
            let before = scene.store.statistics.units
            try await scene.client.disconnect()
            try await scene.synchronize()
            // Only that the session is to be connected, and is not.
            #expect(scene.store.statistics.units - before <= 2)
        }
    }

    /// What an attempt reads before its session is ready may open a chunk.
    @Test func chunksThatAnAttemptHasOpenedAreClosedBeforeTheNext() async throws {
        try await RemoteScene.run { scene in
            let account = try await scene.store.write {
                try $0.openAccount(AccountKey(service: "simulated", channel: "main", customer: "new"))
            }
            let cache = scene.sessions.remote.account(account.number)
            func isOpen() async throws -> Bool {
                try await scene.store.read { try $0.hasOpenChunks(of: account.number) }
            }
            cache.beginsEmpty()
            try await cache.willConnect()
            let thread = ChatThread(id: "n", createdAt: scene.environment.environment.now(), members: [])
            try await scene.store.write { _ = try $0.merge(RemoteThread(thread), of: account.number, isNew: true) }
            #expect(try await isOpen())
            try await cache.willConnect()
            #expect(try await !isOpen())
        }
    }

    /// Another session of the account ends, or is paused, while this one connects.
    @Test func chunksThatAreClosedWhileASessionConnectsAreClosedAgainAfterIt() async throws {
        try await RemoteScene.run { scene in
            let account = try await scene.store.write {
                try $0.openAccount(AccountKey(service: "simulated", channel: "main", customer: "new"))
            }
            let connection = try await scene.service.connect(account, channel: scene.client.channel, onLoss: {})
            let cache = scene.sessions.remote.account(account.number)
            func open(_ thread: String) async throws {
                let thread = ChatThread(id: thread, createdAt: scene.environment.environment.now(), members: [])
                try await scene.store.write { _ = try $0.merge(RemoteThread(thread), of: account.number, isNew: true) }
            }
            @Sendable func isOpen() async throws -> Bool {
                try await scene.store.read { try $0.hasOpenChunks(of: account.number) }
            }
            try await cache.willConnect()
            try await open("before")
            cache.setPaused(false, session: "other")
            #expect(try await eventually { try await !isOpen() })
            // Who has closed them is told so before the next one is told of its commit.
            try await scene.store.write { _ in }
            cache.attach(try #require(connection.bound), session: "s")
            try await open("after")
            cache.detach(session: "s")
            try await cache.willConnect()
            #expect(try await !isOpen())
        }
    }

    /// The platform answered the last connection, and its answer waits for the writer.
    @Test func whatTheLastConnectionStillWritesOpensNoChunkAfterTheyAreClosed() async throws {
        var options = StoreOptions()
        options.readers = 1
        try await RemoteScene.run(options: options) { scene in
            let account = try await scene.store.write {
                try $0.openAccount(AccountKey(service: "simulated", channel: "main", customer: "new"))
            }
            let connection = try await scene.service.connect(account, channel: scene.client.channel, onLoss: {})
            let platform = try #require(connection.bound)
            let cache = scene.sessions.remote.account(account.number)
            let (isBusy, release) = (Flag(), DispatchSemaphore(value: 0))
            let store = scene.store
            let busy = Task {
                try await store.write { _ in
                    isBusy.raise()
                    release.wait()
                }
            }
            #expect(await eventually { isBusy.isRaised })
            let synchronizer = cache.synchronizer
            let round = await synchronizer.round
            let thread = ChatThread(id: "n", createdAt: scene.environment.environment.now(), members: [])
            let answered = Task {
                try await synchronizer.commit(.init(platform: platform, round: round, isBackground: true)) {
                    _ = try $0.merge(RemoteThread(thread), of: account.number, isNew: true)
                }
            }
            #expect(await eventually { await synchronizer.commits == 1 })
            let closing = Task.immediate { try await cache.willConnect() }
            // It waits for the synchronizer. If it did not, it would have read by now that no chunk is open: this comes
            // after it to the actor, and to the only reader.
            _ = await synchronizer.commits
            try await store.read { _ in }
            release.signal()
            try await busy.value
            try await answered.value
            try await closing.value
            #expect(try await !store.read { try $0.hasOpenChunks(of: account.number) })
        }
    }

    /// The pause comes while the new connection still waits for the outbox.
    @Test func afterThePauseNothingReachesThePlatform() async throws {
        var options = StoreOptions()
        options.readers = 1
        try await RemoteScene.run(messages: 3, options: options) { scene in
            let number = scene.client.account
            let account = try await scene.store.read { try $0.account(number) }
            let connection = try await scene.service.connect(account, channel: scene.client.channel, onLoss: {})
            let platform = try #require(connection.bound)
            let (source, later) = (
                RemoteAccount.Source(id: 1, session: "s", platform: platform),
                RemoteAccount.Source(id: 2, session: "s", platform: platform)
            )
            let (synchronizer, outbox) = (scene.account.synchronizer, scene.account.outbox)
            let (isBusy, release) = (Flag(), DispatchSemaphore(value: 0))
            let busy = Task(executorPreference: OwnThread()) { await outbox.stayBusy(isBusy, until: release) }
            #expect(await eventually { isBusy.isRaised })
            let following = Task { await synchronizer.follow(resumes: false) { source } }
            #expect(await eventually { await synchronizer.source?.id == 1 })
            let pausing = Task { await synchronizer.follow(resumes: false) { nil } }
            #expect(await eventually { await synchronizer.source == nil })
            release.signal()
            for task in [busy, following, pausing] { await task.value }
            // The pass of a later connection goes the same way, through the actors and the only reader: behind one that
            // was begun all the same.
            await synchronizer.follow(resumes: false) { later }
            await synchronizer.idle()
            #expect(scene.service.calls.entries == ["connect", "threads", "messages", "messages.answer"])
            await synchronizer.follow(resumes: false) { nil }
            await connection.close()
        }
    }

    @Test func theBackgroundFillsTheCacheFromTheNewestMessageToTheFirst() async throws {
        try await RemoteScene.run(messages: 450) { scene in
            try await scene.synchronize()
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(try scene.chunks().map(\.isOldest) == [true])
            // Pages of the past are no news.
            #expect(try scene.news().isEmpty)
        }
    }

    @Test func pagesArePaced() async throws {
        try await RemoteScene.run(messages: 450, pace: .seconds(1)) { scene in
            try await scene.client.connect()
            for page in 1...5 {
                #expect(await eventually { scene.clock.sleeperCount == 1 })
                #expect(scene.service.count("messages") == page)
                scene.clock.advance(by: .seconds(1))
            }
            await scene.idle()
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test func onResumeChangesComeFirstThenTheNewestThenThePast() async throws {
        try await RemoteScene.run(messages: 120) { scene in
            try await scene.synchronize()
            let before = scene.service.calls.entries.count
            try await scene.reconnect { scene.platform.write("missed", in: "t") }
            await scene.idle()
            let calls = scene.service.calls.entries.dropFirst(before).filter {
                !$0.hasSuffix("answer") && $0 != "connect" && $0 != "close"
            }
            #expect(calls == ["threadChanges", "messageChanges", "messages"])
        }
    }

    @Test(arguments: ["by itself", "at the next resume"])
    func itStopsWhenARequestFailsAndGoesOn(when: String) async throws {
        try await RemoteScene.run(messages: 450) { scene in
            scene.service.script("messages", .go, .go, .fail(.serverError))
            try await scene.synchronize()
            #expect(try scene.texts().count < 450)
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
            #expect(await !scene.account.synchronizer.isWorking)
            if when == "by itself" {
                scene.clock.advance(by: .seconds(30))
            } else {
                scene.client.setSynchronization(isPaused: false)
            }
            #expect(await eventually { (try? scene.texts().count) == 450 })
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    /// What one thread lacks keeps nobody else from theirs, and the outbox follows.
    @Test func aThreadThatCannotBeReadKeepsNoOtherFromTheirs() async throws {
        try await RemoteScene.run(messages: 3) { scene in
            scene.environment.advance(milliseconds: 10)
            scene.platform.makeThread("newer")
            scene.environment.advance(milliseconds: 10)
            scene.platform.write("hello", in: "newer")
            // The thread that was active last comes first.
            scene.service.script("messages", .fail(.serverError))
            try await scene.synchronize()
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
            scene.clock.advance(by: .seconds(30))
            #expect(await eventually { scene.service.count("messages") >= 3 && scene.clock.sleeperCount == 0 })
        }
    }

    /// Nor do many. In the repeated pass they come last, and what was read is not read again.
    @Test func threadsThatCannotBeReadComeLast() async throws {
        try await RemoteScene.run(messages: 3) { scene in
            for name in ["bad1", "bad2", "bad3"] {
                scene.environment.advance(milliseconds: 10)
                scene.platform.makeThread(name)
                scene.platform.write("hello", in: name)
            }
            let fails = Step.fail(.serverError)
            scene.service.script("messages", fails, fails, fails, .go, fails, fails, fails)
            try await scene.synchronize()
            #expect(try scene.texts().isEmpty)
            scene.clock.advance(by: .seconds(30))
            #expect(await eventually { scene.service.count("messages") == 7 && scene.clock.nextWaking == .seconds(60) })
            #expect(try scene.texts() == scene.remoteTexts())
            scene.clock.advance(by: .seconds(60))
            #expect(await eventually { scene.service.count("messages") == 10 && scene.clock.sleeperCount == 0 })
        }
    }

    @Test func afterARestartItGoesOnWhereItWas() async throws {
        try await RemoteScene.run(messages: 450) { scene in
            scene.service.script("messages", .go, .go, .fail(.serverError))
            try await scene.synchronize()
            let known = try scene.texts().count
            let again = try await scene.restarted()
            try await again.synchronizeAfterRestart()
            #expect(try again.texts() == scene.remoteTexts())
            // The newest page, and what was missing of the past.
            #expect(again.service.count("messages") == 1 + (450 - known + 99) / 100)
        }
    }

    @Test func deletedWhileOfflineIsRemovedOnResumeAndNoLaterPageBringsItBack() async throws {
        try await RemoteScene.run(messages: 250) { scene in
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            let ids = scene.platform.room("t")!.messages.map(\.message.id)
            let page = scene.platform.page(of: "t", .newest(limit: 250))
            _ = try scene.news()
            // One that the cache has, and one that it has not read yet.
            try await scene.reconnect {
                scene.platform.remove(ids[249], in: "t")
                scene.platform.remove(ids[0], in: "t")
            }
            await scene.idle()
            #expect(try scene.news() == ["removed"])
            #expect(try scene.texts() == scene.remoteTexts())
            // An answer from before the deletion comes late, by every source.
            let account = scene.client.account
            for source in [MessageSource.history, .missed, .live, .change] {
                try await scene.store.write { transaction in
                    var thread = try #require(try transaction.thread("t", of: account))
                    try transaction.merge(page.messages, by: source, into: &thread)
                }
            }
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test func allPagesOfAChangelogAreApplied() async throws {
        try await RemoteScene.run(messages: 100) { scene in
            try await scene.synchronize()
            let ids = scene.platform.room("t")!.messages.map(\.message.id)
            try await scene.reconnect {
                for id in ids.prefix(35) { scene.platform.edit(id, in: "t", to: "edited \(id)") }
            }
            await scene.idle()
            #expect(scene.service.count("messageChanges") == 2)
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(try scene.news().count == 35)
        }
    }

    @Test func whatWasMissedIsToldInOrderAndJoinsWhatWasKnown() async throws {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            try await scene.reconnect {
                for index in 0..<250 {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
            }
            await scene.idle()
            #expect(try scene.news() == (0..<250).map { "created missed \($0)" })
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(scene.notices.entries.isEmpty)
        }
    }

    @Test(arguments: [300, 301]) func moreThanThreeHundredMissedMessagesAreAHugeGap(count: Int) async throws {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            let account = scene.client.account
            let known = try #require(try scene.rows().last).createdAt.milliseconds
            try await scene.reconnect {
                for index in 0..<count {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
            }
            await scene.idle()
            #expect(
                scene.notices.entries == (count > 300 ? [.hugeGap(account: account, thread: "t", after: known)] : []))
            #expect(try scene.news().count == (count > 300 ? 0 : count))
            // The background closes the gap all the same.
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(try scene.chunks().count == 1)
        }
    }

    @Test func aSecondSessionOfTheAccountSynchronizesNothingTwice() async throws {
        try await RemoteScene.run(messages: 450) { scene in
            try await scene.synchronize()
            let pages = scene.service.count("messages")
            let second = try await scene.sessions.create(
                service: "simulated", channel: "main", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
            // The synchronizer was told of the connection, and is told once more.
            let account = scene.account
            await account.synchronizer.follow(resumes: false) { account.source }
            await scene.idle()
            #expect(scene.service.count("messages") == pages)
            // Both are told by the platform; it is written once.
            scene.platform.write("hello", in: "t")
            await scene.service.settle()
            #expect(try scene.news() == ["created hello"])
            try await second.disconnect()
        }
    }

    @Test func threadsAreListedAndTheirChangesFollowed() async throws {
        try await RemoteScene.run { scene in
            for index in 0..<50 { scene.platform.makeThread("t\(index)") }
            try await scene.synchronize()
            let account = scene.client.account
            #expect(try await scene.store.read { try $0.threadCount(of: account) } == 51)
            try await scene.reconnect {
                scene.platform.removeThread("t7")
                scene.platform.makeThread("new")
                scene.platform.fill("t8", count: 3)
            }
            await scene.idle()
            #expect(try await scene.store.read { try $0.threadCount(of: account) } == 51)
            #expect(try await scene.store.read { try $0.thread("t7", of: account) == nil })
            #expect(try scene.texts("t8") == scene.remoteTexts("t8"))
        }
    }

    @Test(arguments: [SimulatedPlatform.PositionKind.tokens, .threads])
    func aPositionThatThePlatformForgotClearsTheCache(kind: SimulatedPlatform.PositionKind) async throws {
        try await RemoteScene.run(messages: 150) { scene in
            scene.platform.makeThread("gone")
            try await scene.synchronize()
            let messages = try #require(scene.platform.room("t")?.messages.map(\.message))
            // From here on its changes are asked for by a token.
            try await scene.reconnect { scene.platform.edit(messages[140].id, in: "t", to: "first") }
            await scene.idle()
            try await scene.reconnect {
                scene.platform.edit(messages[3].id, in: "t", to: "edited")
                scene.platform.remove(messages[4].id, in: "t")
                scene.platform.removeThread("gone")
                scene.platform.knownPositions = Set([.times, .tokens, .threads]).subtracting([kind])
            }
            await scene.idle()
            #expect(scene.notices.entries.contains(.cleared(account: scene.client.account)))
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(try await scene.store.read { try $0.thread("gone", of: scene.client.account) } == nil)
        }
    }
}

extension Outbox {
    /// Does nothing else until the semaphore is signalled, for a minute at most. Call it on an ``OwnThread``.
    fileprivate func stayBusy(_ isBusy: Flag, until release: DispatchSemaphore) {
        isBusy.raise()
        _ = release.wait(timeout: .now() + 60)
    }
}

extension Synchronizer {
    /// Holds the actor's turn, as ``Outbox/stayBusy(_:until:)`` does.
    fileprivate func stayBusy(_ isBusy: Flag, until release: DispatchSemaphore) {
        isBusy.raise()
        _ = release.wait(timeout: .now() + 60)
    }
}

extension ServiceConnection {
    /// Its platform, over a connection that is never lost.
    fileprivate var bound: BoundPlatform? {
        platform.map { BoundPlatform(platform: $0, pending: PendingRequests(), round: 0) }
    }
}

import Chat
import ChatModel
import TestSupport
import Testing

@Suite struct ThreadRulesTests {
    private func channel(_ mode: ChatMode) -> Channel {
        Channel(id: "c", name: "C", mode: mode, capabilities: [.threads])
    }

    private func thread(_ state: ThreadState) -> ChatThread {
        var thread = ChatThread(id: "t", createdAt: TestEnvironment.start, members: [])
        thread.state = state
        return thread
    }

    @Test(arguments: ThreadState.allCases) func whatAThreadsStateAllows(state: ThreadState) async {
        let (thread, isClosed) = (thread(state), state == .closed)
        #expect(await refusal { try ThreadRules.checkSend(thread) } == (isClosed ? .illegalThreadState : nil))
        #expect(await refusal { try ThreadRules.checkOpen(thread) } == (isClosed ? .illegalThreadState : nil))
        #expect(
            await refusal { try ThreadRules.checkRename(thread, to: "n", on: channel(.multithread)) }
                == (isClosed ? .illegalThreadState : nil))
        #expect(
            await refusal { try ThreadRules.checkArchive(thread, on: channel(.multithread)) }
                == (isClosed ? .illegalChatState : nil))
        #expect(ThreadRules.canBeRead(thread) == (state != .pending))
    }

    @Test(arguments: ChatMode.allCases) func whatAChannelsModeAllows(mode: ChatMode) async {
        let isMulti = mode == .multithread
        for state in ThreadState.allCases where state != .closed || !isMulti {
            #expect(
                await refusal { try ThreadRules.checkRename(thread(state), to: "n", on: channel(mode)) }
                    == (isMulti ? nil : .unsupportedChannelConfig))
            #expect(
                await refusal { try ThreadRules.checkArchive(thread(state), on: channel(mode)) }
                    == (isMulti ? nil : .unsupportedChannelConfig))
        }
        #expect(
            await refusal { try ThreadRules.checkEnd(on: channel(mode)) }
                == (mode == .liveChat ? nil : .illegalChatState))
    }

    @Test func aSingleThreadChannelHoldsOneThreadWithoutAName() async {
        let (single, multi) = (channel(.singlethread), channel(.multithread))
        #expect(await refusal { try ThreadRules.checkCreate(ThreadDraft(), on: single, hasOpenThread: false) } == nil)
        #expect(
            await refusal { try ThreadRules.checkCreate(ThreadDraft(), on: single, hasOpenThread: true) }
                == .unsupportedChannelConfig)
        #expect(
            await refusal { try ThreadRules.checkCreate(ThreadDraft(name: "n"), on: single, hasOpenThread: false) }
                == .unsupportedChannelConfig)
        #expect(
            await refusal { try ThreadRules.checkCreate(ThreadDraft(name: "n"), on: multi, hasOpenThread: true) } == nil
        )
    }

    @Test func aMissingCapabilityIsNamed() {
        #expect(throws: Never.self) { try ThreadRules.check(.threads, on: channel(.multithread)) }
        let error = #expect(throws: ChatError.self) { try ThreadRules.check(.transcript, on: channel(.multithread)) }
        #expect(error?.code == .unsupportedCapability)
        #expect(error?.detail.contains("transcript") == true)
    }

    @Test func aDraftNeedsTextThatIsNotTooLong() async {
        #expect(await refusal { try MessageDraft(text: nil).check() } == .invalidParameter)
        #expect(await refusal { try MessageDraft(text: "").check() } == .invalidParameter)
        #expect(await refusal { try MessageDraft(text: String(repeating: "x", count: 65_536)).check() } == nil)
        // Bytes, not characters.
        #expect(await refusal { try MessageDraft(text: String(repeating: "é", count: 32_769)).check() } == .textTooLong)
    }
}

import TestSupport
import Testing

@testable import ChatStore

@Suite struct TimedSignalTests {
    @Test func oneThatWasGivenBeforeCountsOnce() {
        let signal = TimedSignal()
        signal.raise()
        signal.raise()
        #expect(signal.wait(atMost: .seconds(60)))
        #expect(!signal.wait(atMost: .milliseconds(1)))
    }

    @Test func whoWaitsIsWoken() async {
        let (signal, isWaiting) = (TimedSignal(), Flag())
        let waiting = Task.detached {
            isWaiting.raise()
            return signal.wait(atMost: .seconds(60))
        }
        #expect(await eventually { isWaiting.isRaised })
        signal.raise()
        #expect(await waiting.value)
    }
}

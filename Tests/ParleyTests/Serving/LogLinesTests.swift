import Dispatch
import Synchronization
import Testing

@testable import parley

@Suite struct LogLinesTests {
    @Test func aStuckReaderNeitherBlocksNorFillsTheMemory() {
        let written = Mutex<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        let lines = LogLines { line in
            if written.withLock({ $0.isEmpty }) { gate.wait() }
            written.withLock { $0.append(line) }
        }
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<5000 { lines.write(line) }
        gate.signal()
        lines.flush(timeout: .seconds(10))
        let all = written.withLock { $0 }
        #expect(all.count < 2200, "at most a megabyte waits beside the lines that are being written")
        #expect(all.filter { $0.contains("dropped") }.count >= 1)
        let dropped = all.compactMap { $0.split(separator: "count=").last?.dropLast() }.compactMap { Int($0) }.reduce(
            0, +)
        #expect(dropped + all.filter { $0.hasPrefix("x") }.count == 5000)
        lines.write("after\n")
        lines.flush()
        #expect(written.withLock { $0.last } == "after\n")
    }

    /// A value never makes a line of its own, nor leads the terminal of whoever reads the log.
    @Test(arguments: [
        ("a\r\nlevel=error", #""a\u{d}\nlevel=error""#), ("\u{1B}[2J", #""\u{1b}[2J""#), ("\u{9B}2J", #""\u{9b}2J""#),
        ("x\u{2028}y\u{202E}", #""x\u{2028}y\u{202e}""#), ("\"\\", #""\"\\""#), ("plain", "plain"), ("é", #""é""#),
    ])
    func valuesAreEscaped(value: String, written: String) { #expect(LogOutput.quoted(value) == written) }
}

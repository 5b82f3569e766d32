import ArgumentParser
import Foundation
import Scenarios
import Testing

@testable import parley

/// What commands say, without a gateway.
@Suite struct CommandTests {
    @Test(arguments: [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("http://localhost", "http://localhost:8787"),
        ("http://[::1]:80/", "http://[::1]:80"), ("http://[::1]", "http://[::1]:8787"),
        ("unix:/run/parley.sock", "unix:/run/parley.sock"),
    ])
    func readsAddresses(text: String, address: String) { #expect(GatewayAddress(text)?.description == address) }

    @Test(arguments: [
        "", "unix:", "https://a", "http://", "http://a:0", "http://a:65536", "http://a:b", "http://a/b", "http://u@a",
        "localhost:8787", "http://a b", "http://[::1",
    ])
    func refusesAddresses(text: String) { #expect(GatewayAddress(text) == nil) }

    /// A customer must not move the cursor, set the window's title, or turn the direction of what follows.
    @Test func textsOfOthersAreShownSafely() {
        let hostile = "a\u{1B}]0;title\u{7}b\u{9B}2Jc\u{202E}d\re\nf\tg\u{2066}h\u{7F}\u{85}\u{200F}\u{2028}"
        let shown = hostile.shownSafely
        #expect(
            shown == #"a\u{1b}]0;title\u{7}b\u{9b}2Jc\u{202e}d\u{d}e\u{a}f\u{9}g\u{2066}h\u{7f}\u{85}\u{200f}\u{2028}"#)
        let usual = "Grüße, 你好, שלום, 👩‍👩‍👧 – fine\\"
        #expect(usual.shownSafely == usual)
        // In a table no text makes a column or a line of its own.
        let lines = Table(titles: ["A", "B"], rows: [["x\ty", "z\nw"]]).lines(width: nil)
        #expect(lines == [#"x\u{9}y"# + "\t" + #"z\u{a}w"#])
    }

    /// A shell obeys what it is offered, and customers choose the ids of threads.
    @Test func onlyPlainIDsAreOffered() {
        let ids = ["$(touch x)", "`x`", "a b", "-rf", "a:b", "", "~root", "a\nb", "é", "a*", "T-1.b_c", "0191-ab"]
        #expect(IDCompletion.offered(ids) == ["T-1.b_c", "0191-ab"])
    }

    @Test func whatComesInPiecesIsShownSafely() {
        let text = Array("a\u{9B}b\r\n\tc😀\u{202E}\r".utf8)
        for size in 1...text.count {
            var (shown, rest): ([UInt8], [UInt8]) = ([], [])
            for start in stride(from: 0, to: text.count, by: size) {
                let bytes = rest + text[start..<min(start + size, text.count)]
                let end = bytes.count - ForeignText.unfinished(bytes)
                shown += ForeignText.shown(bytes[..<end], isJSON: false)
                rest = Array(bytes[end...])
            }
            shown += ForeignText.shown(rest[...], isJSON: false)
            #expect(String(decoding: shown, as: UTF8.self) == #"a\u{9b}b"# + "\n\tc😀" + #"\u{202e}\u{d}"#)
        }
        #expect(ForeignText.shown([0xFF, 0x9B, 0x41], isJSON: false) == Array("\u{FFFD}\u{FFFD}A".utf8))
    }

    @Test(arguments: [
        ("one\r\n", "one"), ("one\n", "one"), ("one\n\n", "one\n"), ("one\r\n\r\n", "one\r\n"), ("one\r", "one\r"),
        ("one", "one"), ("\n", ""), ("", ""),
    ])
    func oneLineEndGoes(text: String, left: String) {
        #expect(Array(InputFile.withoutEnd(Array(text.utf8)[...])) == Array(left.utf8))
    }

    @Test func sharedOptionsStandInOneLine() {
        let text = """
            OVERVIEW: Chat.

            USAGE: parley chat [--new] [--gateway <address>] [--output <form>]

            GLOBAL OPTIONS:
              --gateway <address>     Where the gateway is: http://HOST:PORT or unix:PATH.
                                      Without it, the data folder says.
              -o, --output <form>     table

            OPTIONS:
              --new                   Begin a new thread.

            """
        let folded = """
            OVERVIEW: Chat.

            USAGE: parley chat [--new] [<global options>]

            OPTIONS:
              --new                   Begin a new thread.

            GLOBAL OPTIONS: --gateway <address>, -o/--output <form>

            """
        #expect(HelpText.folded(text) == folded && HelpText.folded(folded) == folded && HelpText.folded("") == "")
    }

    @Test(arguments: [("--chanel", "--channel", 1), ("", "ab", 2), ("abc", "abc", 0), ("a-b", "b-a", 2)])
    func wordsAreFarApart(one: String, other: String, steps: Int) {
        #expect(HelpText.distance(one, other) == steps && HelpText.distance(other, one) == steps)
    }

    @Test func aTableIsAlignedAndCutAtATerminal() {
        let table = Table(titles: ["ID", "TEXT"], rows: [["1", "short"], ["234", "a longer text"], ["5", "你好你好"]])
        #expect(table.lines(width: 12) == ["ID   TEXT", "1    short", "234  a long…", "5    你好你…"])
        #expect(table.lines(width: nil) == ["1\tshort", "234\ta longer text", "5\t你好你好"])
    }

    @Test(arguments: [
        (["--data", "/d", "status"], "Options stand after the command: parley status --data /d"),
        (["-o", "json", "sessions", "list"], "Options stand after the command: parley sessions -o json list"),
        (["nothing", "--data", "/d"], "There is no command nothing. `parley --help` lists them all."),
        (["status", "--data", "/d"], nil), (["help", "nothing"], nil), (["--listen", ":1"], nil), ([], nil),
    ])
    func whatIsNoCommandIsExplained(arguments: [String], words: String?) {
        #expect(Parley.misplaced(arguments) == words)
    }

    /// Commands are read by a short way. What it leads to, and what is said of faults, must be the same.
    @Test(arguments: [
        [], ["serve"], ["--data", "/d"], ["serve", "--data", "/d", "--demo"], ["--data", "status"], ["--help"],
        ["serve", "--help"], ["--version"], ["serve", "--version"], ["--wrong"], ["serve", "--wrong"],
        ["serve", "more"], ["serve", "status"], ["--data", "/d", "status"], ["--data"], ["status"], ["nothing"],
        ["help", "serve"], ["token"],
        ["desk"], ["desk", "--help"], ["desk", "help"], ["desk", "help", "threads"], ["help", "desk", "threads"],
        ["desk", "threads"], ["desk", "threads", "-o", "json"], ["desk", "threads", "--help"], ["desk", "nothing"],
        ["desk", "threads", "--wrong"], ["desk", "read"], ["desk", "read", "t1"], ["sessions", "list", "--version"],
    ])
    func aCommandIsReadByAShortWay(arguments: [String]) async {
        func outcome(_ read: () async throws -> any ParsableCommand) async -> String {
            do {
                var command = try await read()
                // It ends with the text that it shows.
                if "\(type(of: command))" == "HelpCommand" { try command.run() }
                let flags = command as? Serve
                return "\(type(of: command)) \(flags.map { "\($0)" } ?? "")"
            } catch {
                return "\(Parley.exitCode(for: error)) \(Parley.fullMessage(for: error))"
            }
        }
        let (short, long) = (
            await outcome { try await Parley.command(arguments) },
            await outcome { try await Parley.asyncParseAsRoot(arguments) }
        )
        #expect(short == long)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("3", .seconds(3)), ("10m", .seconds(600)),
        ("1h", .seconds(3600)), ("1d", .seconds(86_400)),
    ])
    func readsTimes(text: String, duration: Duration) {
        #expect(DurationText(text)?.duration == duration)
        for wrong in ["", "s", "-1s", "1.5s", "1w", "99999999999d"] { #expect(DurationText(wrong) == nil) }
    }

    @Test(
        arguments: [
            (400, .refused), (401, .noPermission), (403, .noPermission), (404, .refused), (409, .refused),
            (429, .temporary),
            (500, .refused), (502, .refused), (503, .temporary), (504, .temporary),
        ] as [(Int, CommandFailure.Status)])
    func aProblemHasItsExitStatus(answer: Int, status: CommandFailure.Status) {
        let body = Array(#"{"code":"someCode","detail":"Some detail.","retryAfter":7}"#.utf8)
        let failure = CommandFailure(status: answer, body: body)
        #expect(failure.status == status)
        #expect(failure.message == "Some detail. (someCode) Try again in 7 s.")
        #expect(failure.json == body)
        #expect(CommandFailure(status: answer, body: Array("<html>".utf8)).status == status)
    }
}

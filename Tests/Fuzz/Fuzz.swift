import Foundation

/// Gives bytes to everything that reads bytes from outside, and checks what comes of them.
///
///     fuzz                          replays the whole corpus
///     fuzz TARGET                   replays the corpus of one target
///     fuzz list                     names the targets
///     fuzz unpack TARGET FOLDER     writes each input of the corpus into a file of its own, as libFuzzer wants them
///     fuzz pack TARGET FOLDER       makes the corpus out of such files
///     fuzz dictionary TARGET        prints the words of the corpus
///     fuzz run TARGET OPTION...     runs libFuzzer; only in a build with libFuzzer (Tests/Fuzz/run makes one)
@main struct Fuzz {
    static func main() {
        do {
            try obey()
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func obey() throws {
        // libFuzzer starts further processes of its own with its own options.
        if let name = ProcessInfo.processInfo.environment[targetVariable] { return run(try target(name), options: 1) }
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("list", 1): for target in Target.all { print(target.name) }
        case ("unpack", 3): try Corpus(of: try target(words[1])).unpack(into: words[2])
        case ("pack", 3): try Corpus(files: words[2]).save(for: try target(words[1]))
        case ("dictionary", 2): print(try Corpus(of: try target(words[1])).dictionary(), terminator: "")
        case ("run", 2...): run(try target(words[1]), options: 3)
        case (nil, 0): try replay(Target.all)
        case (_, 1): try replay([try target(words[0])])
        default:
            throw Refusal(
                "usage: fuzz [TARGET] | list | unpack TARGET FOLDER | pack TARGET FOLDER | dictionary TARGET | run TARGET OPTION..."
            )
        }
    }

    private static func target(_ name: String) throws -> Target {
        guard let target = Target.all.first(where: { $0.name == name }) else {
            throw Refusal("there is no target \(name)")
        }
        return target
    }

    /// A trap ends the process: the last line then names the target, and the backtrace the place.
    private static func replay(_ targets: [Target]) throws {
        var failures = 0
        for target in targets {
            let corpus = try Corpus(of: target)
            print("\(target.name): \(corpus.inputs.count) inputs")
            fflush(nil)
            for input in corpus.inputs {
                do {
                    try target.check(input)
                } catch {
                    failures += 1
                    print("\(target.name): \(error)\n    \(Corpus.line(input))")
                }
            }
        }
        if failures > 0 { throw Refusal("\(failures) inputs broke a rule") }
    }

    /// Names the target to the processes that libFuzzer starts.
    static let targetVariable = "PARLEY_FUZZ_TARGET"

    /// - Parameter options: where libFuzzer's options begin in the command line.
    private static func run(_ target: Target, options: Int) {
        #if FUZZER
            LibFuzzer.run(target, options: options)
        #else
            print("This is no build with libFuzzer: use Tests/Fuzz/run.")
            exit(2)
        #endif
    }
}

/// What the command line asks for and cannot be done.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

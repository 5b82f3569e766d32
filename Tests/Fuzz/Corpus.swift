import Foundation

/// The inputs of one target: a text file with one input a line.
///
/// Bytes that are not printable ASCII, and the backslash, are written as `\xHH`; line feeds as `\n`.
struct Corpus {
    var inputs: [[UInt8]]

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
        .path

    private static func path(_ target: Target) -> String { "\(folder)/\(target.name).txt" }

    /// Empty when there is no such file yet.
    init(of target: Target) throws {
        let path = Self.path(target)
        guard FileManager.default.fileExists(atPath: path) else {
            inputs = []
            return
        }
        let text = try Data(contentsOf: URL(fileURLWithPath: path))
        inputs = try text.split(separator: UInt8(ascii: "\n")).map { try Self.input(Array($0)) }
    }

    /// Reads libFuzzer's folder, the shortest input first.
    init(files folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let found = try names.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
        // An empty input cannot be a line, and is tried by libFuzzer first of all.
        inputs = found.filter { !$0.isEmpty }.sorted { left, right in
            (left.count, left.lexicographicallyPrecedes(right) ? 0 : 1) < (
                right.count, right.lexicographicallyPrecedes(left) ? 0 : 1
            )
        }
    }

    func save(for target: Target) throws {
        let text = inputs.map { Self.line($0) + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: Self.path(target)))
    }

    func unpack(into folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, input) in inputs.enumerated() {
            try Data(input).write(to: URL(fileURLWithPath: "\(folder)/input-\(number)"))
        }
    }

    /// The words in quotes, names of members above all, as a dictionary of libFuzzer.
    func dictionary() -> String {
        var words: Set<String> = []
        for input in inputs {
            for word in input.split(separator: UInt8(ascii: "\""))
            where (2...40).contains(word.count) && word.allSatisfy(Self.isWord) {
                words.insert(Array(word).text)
            }
        }
        let numbers = [
            "null", "true", "false", "-1", "0.5", "1e9", "9223372036854775807", "9223372036854775808", "{}", "[]",
        ]
        return (words.sorted().map { "\"\\\"\($0)\\\"\"" } + numbers.map { "\"\($0)\"" }).joined(separator: "\n") + "\n"
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func line(_ input: [UInt8]) -> String {
        var line = ""
        for byte in input {
            switch byte {
            case UInt8(ascii: "\n"): line += "\\n"
            case UInt8(ascii: "\\"): line += "\\x5c"
            case 0x20...0x7E: line.unicodeScalars.append(Unicode.Scalar(byte))
            default: line += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return line
    }

    private static func input(_ line: [UInt8]) throws -> [UInt8] {
        var input: [UInt8] = []
        var rest = line[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                input.append(byte)
                continue
            }
            if rest.popFirst() == UInt8(ascii: "n") {
                input.append(UInt8(ascii: "\n"))
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                throw Refusal(
                    "a corpus has an escape that is none: \(String(decoding: line.prefix(80), as: UTF8.self))")
            }
            input.append(value)
            rest = rest.dropFirst(2)
        }
        return input
    }
}

import Foundation

/// What the linker needs to know of a part of the C library: its names, each with the version it had when ``floor`` was
/// new. A program that is linked with this runs with that C library and with all newer ones.
///
/// Newer ones keep what they had. So this system's C library knows the older versions too, and no older system is
/// needed to make this. A name that is newer than the floor is missing here: a program that uses it cannot be linked.
struct GlibcInterface {
    /// The version that Debian 11 has.
    static let floor = [2, 31]

    private let symbols: [Symbol]

    /// - Parameter library: the path of a shared library of this system's C library.
    init(of library: String) throws {
        symbols = try Symbol.all(in: library)
    }

    /// Makes a shared library that has the names, and nothing behind them.
    ///
    /// - Parameter library: its name as programs ask for it.
    func make(_ library: String, at path: String, clang: String) throws {
        var code = ".text\n"
        for symbol in symbols where !symbol.isData {
            code += ".globl \(symbol.name)\n.type \(symbol.name), @function\n\(symbol.name): .byte 0\n"
        }
        code += ".data\n"
        // Several names of the same data stay together: if the linker gives the program a copy of it, all are the copy's.
        let data = Dictionary(grouping: symbols.filter(\.isData), by: \.address)
        for (_, names) in data.sorted(by: { $0.key < $1.key }) {
            for symbol in names {
                code += ".globl \(symbol.name)\n.type \(symbol.name), @object\n"
                code += ".size \(symbol.name), \(symbol.size)\n\(symbol.name):\n"
            }
            code += ".zero \(max(1, names.map(\.size).max() ?? 1))\n.balign 32\n"
        }
        var versions = ""
        for (version, names) in Dictionary(grouping: symbols, by: \.version).sorted(by: { $0.key.precedes($1.key) }) {
            versions += "GLIBC_\(version.text) { \(names.map { "\"\($0.name)\"; " }.joined())};\n"
        }
        try code.write(toFile: path + ".s", atomically: false, encoding: .utf8)
        try versions.write(toFile: path + ".versions", atomically: false, encoding: .utf8)
        try Tool.output(
            clang, "-shared", "-nostdlib", "-fuse-ld=lld", "-Wl,--soname=\(library)",
            "-Wl,--version-script=\(path).versions", path + ".s", "-o", path)
    }

    /// The version of the C library that a program needs, such as `2.29`.
    static func version(neededBy program: String) throws -> String {
        let needed = try Tool.output("readelf", "--version-info", "--wide", program)
        return needed.matches(of: /Name: GLIBC_([0-9.]+)/).map { [Int](version: $0.1) }.max { $0.precedes($1) }?.text
            ?? ""
    }
}

/// A name that a part of the C library has.
private struct Symbol {
    var name: String
    var version: [Int]
    /// Where it is in the library, in hexadecimal.
    var address: String
    var size: Int
    var isData: Bool

    /// Each name once, with its newest version that is not above the floor, sorted.
    static func all(in library: String) throws -> [Symbol] {
        let line =
            /(?m)^ *\d+: ([0-9a-f]+) +(\w+) (FUNC|IFUNC|OBJECT) +(?:GLOBAL|WEAK) +DEFAULT +\d+ (\w+)@@?GLIBC_([\d.]+)/
        var newest: [String: Symbol] = [:]
        for match in try Tool.output("readelf", "--dyn-syms", "--wide", library).matches(of: line) {
            let size = match.2.hasPrefix("0x") ? Int(match.2.dropFirst(2), radix: 16) : Int(match.2)
            let symbol = Symbol(
                name: String(match.4), version: [Int](version: match.5), address: String(match.1), size: size ?? 0,
                isData: match.3 == "OBJECT")
            if GlibcInterface.floor.precedes(symbol.version) { continue }
            if let known = newest[symbol.name], !known.version.precedes(symbol.version) { continue }
            newest[symbol.name] = symbol
        }
        return newest.values.sorted { $0.name < $1.name }
    }
}

extension [Int] {
    fileprivate init(version: Substring) { self = version.split(separator: ".").compactMap { Int($0) } }
    fileprivate func precedes(_ other: [Int]) -> Bool { lexicographicallyPrecedes(other) }
    fileprivate var text: String { map(String.init).joined(separator: ".") }
}

import Glibc

/// A module of JavaScript as ``PageBundles`` takes it: what it imports, what it exports, and the rest.
///
/// It understands the forms that the pages use, at the beginning of a line: `import { a, b as c } from './d.js';`, with
/// several lines too, `import './d.js';`, `export { a } from './d.js';`, `export { a };`, and `export` before a class,
/// a function or a `const`; `export default` before a value, as in the tables of `texts/`. Comments that have their lines
/// for themselves are left out. Such a line inside of a comment or a template would be taken for one of them, so the pages
/// have none.
struct ModuleSource {
    /// A name that another module exports, and its name here.
    struct Name: Equatable {
        var exported: String
        var local: String
    }

    struct Import: Equatable {
        /// The other file, by its path in `web/`.
        var path: String
        var names: [Name]
    }

    /// The name, within a module, of what it exports as `default`.
    static let usual = "$default"

    private(set) var imports: [Import] = []
    private(set) var exports: [Name] = []
    /// What it exports of others, without having it itself.
    private(set) var passed: [Import] = []
    /// The scripts of workers that it starts.
    private(set) var workers: [String] = []
    /// The module without its imports, its comments and the word `export`, with as many lines as before.
    private(set) var code = ""

    /// Nil for a module that has a form it does not understand: it must be served as it is.
    ///
    /// - Parameter path: the file's path in `web/`.
    init?(_ text: String, path: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
            Substring.init)[...]
        while let line = lines.popFirst() {
            if line.hasPrefix("import ") || line.hasPrefix("export {") {
                var statement = String(line)
                while !statement.hasSuffix(";"), let next = lines.popFirst() { statement += "\n" + next }
                guard readStatement(statement, path: path) else { return nil }
                code += statement.filter { $0 == "\n" } + "\n"
            } else if line.hasPrefix("export default ") {
                exports.append(Name(exported: "default", local: Self.usual))
                code += "const \(Self.usual) = \(line.dropFirst("export default ".count))\n"
            } else if line.hasPrefix("export ") {
                let rest = line.dropFirst("export ".count)
                guard let name = Self.declaredName(in: rest) else { return nil }
                exports.append(Name(exported: name, local: name))
                code += rest + "\n"
            } else if let goesOn = Self.comment(in: line) {
                code += "\n"
                var isOpen = goesOn && !line.has("*/")
                while isOpen, let next = lines.popFirst() {
                    code += "\n"
                    guard next.has("*/") else { continue }
                    guard next.hasSuffix("*/") else { return nil }
                    isOpen = false
                }
            } else {
                guard !line.has("import") || noteAddresses(in: line, path: path) else { return nil }
                code += line
                code += "\n"
            }
        }
    }

    /// Whether a line is a comment and nothing else: true if that ends with `*/`, here or in a later line, false if it ends
    /// with the line; nil if the line is code, or has some behind the comment.
    private static func comment(in line: Substring) -> Bool? {
        let start = line.utf8.drop { $0 == UInt8(ascii: " ") }
        if start.starts(with: "//".utf8) { return false }
        guard start.starts(with: "/*".utf8) else { return nil }
        let hasEnd = Substring(start).has("*/")
        return hasEnd && !line.hasSuffix("*/") ? nil : true
    }

    /// Notes the workers that a line with the word `import` starts. False if the line imports something itself.
    private mutating func noteAddresses(in line: Substring, path: String) -> Bool {
        let start = line.drop { $0 == " " }
        // Comments name types so.
        if start.hasPrefix("*") || start.hasPrefix("/*") || start.hasPrefix("//") { return true }
        if line.has("import(") { return false }
        for piece in line.split(separator: "new URL('").dropFirst() where Substring(piece).has("', import.meta.url") {
            guard let worker = Self.resolve(String(piece.prefix { $0 != "'" }), from: path) else { return false }
            workers.append(worker)
        }
        return true
    }

    /// Takes a statement that imports, or that exports names. False for a form that is not understood.
    private mutating func readStatement(_ statement: String, path: String) -> Bool {
        var rest = Substring(statement).dropFirst("import ".count)
        let isExport = statement.hasPrefix("export")
        var names: [Name] = []
        if rest.hasPrefix("{") {
            guard let end = rest.firstIndex(of: "}"), let found = Self.names(in: rest[..<end].dropFirst()) else {
                return false
            }
            names = found
            rest = rest[end...].dropFirst()
            if isExport, rest == ";" {
                exports += names.map { Name(exported: $0.local, local: $0.exported) }
                return true
            }
            guard rest.hasPrefix(" from ") else { return false }
            rest = rest.dropFirst(" from ".count)
        }
        guard rest.hasPrefix("'"), rest.hasSuffix("';"),
            let target = Self.resolve(String(rest.dropFirst().dropLast(2)), from: path)
        else { return false }
        if isExport {
            passed.append(Import(path: target, names: names))
        } else {
            imports.append(Import(path: target, names: names))
        }
        return true
    }

    /// `a, b as c`
    private static func names(in list: Substring) -> [Name]? {
        var names: [Name] = []
        for part in list.split(separator: ",") {
            let words = part.split { $0 == " " || $0 == "\n" }.map(String.init)
            switch words.count {
            case 0: continue
            case 1: names.append(Name(exported: words[0], local: words[0]))
            case 3 where words[1] == "as": names.append(Name(exported: words[0], local: words[2]))
            default: return nil
            }
        }
        return names
    }

    /// The name of `class A ...`, `function b(...)` with `async` and `*`, or `const c = ...`.
    private static func declaredName(in declaration: Substring) -> String? {
        for word in ["class ", "function ", "function* ", "async function ", "async function* ", "const "]
        where declaration.hasPrefix(word) {
            let name = declaration.dropFirst(word.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }

    /// The path in `web/` of a relative address; nil for others.
    private static func resolve(_ address: String, from path: String) -> String? {
        guard address.hasPrefix("./") || address.hasPrefix("../") else { return nil }
        var segments = path.split(separator: "/").dropLast().map(String.init)
        for segment in address.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..":
                if segments.popLast() == nil { return nil }
            default: segments.append(String(segment))
            }
        }
        return segments.joined(separator: "/")
    }
}

extension Substring {
    /// Whether these bytes are in it.
    fileprivate func has(_ word: StaticString) -> Bool {
        let (start, size) = (word.utf8Start, word.utf8CodeUnitCount)
        return utf8.withContiguousStorageIfAvailable { line in
            guard let base = line.baseAddress else { return false }
            var place = UnsafeRawPointer(base)
            let end = place + line.count
            while let found = memchr(place, Int32(start[0]), end - place).map({ UnsafeRawPointer($0) }) {
                if end - found < size { return false }
                if memcmp(found, start, size) == 0 { return true }
                place = found + 1
            }
            return false
        } ?? false
    }
}

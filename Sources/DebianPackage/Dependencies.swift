import Foundation

/// The packages of Debian that a program needs.
enum Dependencies {
    /// What `Depends:` says, as `dpkg-shlibdeps` finds it.
    static func of(_ binary: String, in work: URL) throws -> String {
        // The program reads the name of a package from a source package.
        let source = work.appendingPathComponent("source")
        let folder = source.appendingPathComponent("debian")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "Source: parley\n\nPackage: parley\nArchitecture: any\n".write(
            to: folder.appendingPathComponent("control"), atomically: true, encoding: .utf8)
        let found = try Tool.output("dpkg-shlibdeps", "--ignore-missing-info", "-O", "-e\(binary)", in: source)
        guard let line = found.split(separator: "\n").first(where: { $0.hasPrefix("shlibs:Depends=") }) else {
            throw Failure("dpkg-shlibdeps found no library.")
        }
        return String(line.dropFirst("shlibs:Depends=".count))
    }

    /// Whether the program needs the Swift runtime, which no package of Debian brings.
    static func needSwift(_ binary: String) throws -> Bool {
        try Tool.output("readelf", "--dynamic", "--wide", binary).contains("[libswiftCore.so]")
    }

    /// The version of the Debian package that a file belongs to, with the source package that it was made of.
    static func origin(of file: String) throws -> (package: String, source: String, version: String) {
        guard let owner = try Tool.output("dpkg-query", "--search", file).split(separator: ":").first else {
            throw Failure("\(file) belongs to no package.")
        }
        let name = owner.trimmingCharacters(in: .whitespaces)
        let told = try Tool.output(
            "dpkg-query", "--show", "--showformat=${source:Package} ${source:Version}\\n", name)
        let words = told.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        guard words.count == 2 else { throw Failure("dpkg-query tells no version of \(name): \(told)") }
        return (name, words[0], words[1])
    }
}

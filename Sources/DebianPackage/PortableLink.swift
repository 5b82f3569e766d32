import Foundation

/// A second link of the program's objects, for other systems than this one: the libraries of `linked.json` become part of
/// the program, and it asks for no newer C library than ``GlibcInterface/floor``.
struct PortableLink {
    /// A library that becomes part of the program, as `linked.json` names it.
    struct Library: Decodable {
        var name: String
        var file: String
        var licence: String
        var copyright: String
    }

    let libraries: [Library]
    /// Where the files of the link lie.
    private let folder: URL
    /// The folder of `linked.json` and `older_glibc.c`.
    private let sources: URL
    private let clang: String

    /// Makes the folder anew.
    init(_ folder: URL, sources: URL) throws {
        (self.folder, self.sources) = (folder, sources)
        libraries = try JSONDecoder().decode(
            [Library].self, from: Data(contentsOf: sources.appendingPathComponent("linked.json")))
        clang = try Tool.clang()
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Links what SwiftPM has linked to `binary`, and returns the new program.
    func link(_ binary: URL) throws -> URL {
        let objects = binary.deletingLastPathComponent().appendingPathComponent("parley.product/Objects.LinkFileList")
        guard FileManager.default.fileExists(atPath: objects.path) else {
            throw Failure("SwiftPM has left no list of the program's objects: \(objects.path) is missing.")
        }
        // A folder without shared libraries, which the linker would prefer.
        for library in libraries { try makeLink(library.file, to: place(of: library)) }
        try GlibcInterface(of: found("libc.so.6")).make("libc.so.6", at: path("c.interface"), clang: clang)
        try GlibcInterface(of: found("libm.so.6")).make("libm.so.6", at: path("m.interface"), clang: clang)
        // In quotes: the folder of the sources may have blanks in its name.
        let own = "\"\(path("c.interface"))\" \"\(try found("libc_nonshared.a"))\""
        try "INPUT(\(own) AS_NEEDED(\"\(loader(of: binary))\"))\n"
            .write(toFile: path("libc.so"), atomically: false, encoding: .utf8)
        try makeLink("libm.so", to: path("m.interface"))
        try compile(sources.appendingPathComponent("older_glibc.c").path, to: "older_glibc.o")
        try withoutTLS().write(toFile: path("no_tls.c"), atomically: false, encoding: .utf8)
        try compile(path("no_tls.c"), to: "no_tls.o")
        // Swift hides all names that come from an archive. The allocator's must be seen: else the C library would give out
        // memory of its own, for example in `strdup`, which the program frees by jemalloc.
        try Tool.output("ld", "-r", "--whole-archive", path("libjemalloc.a"), "-o", path("jemalloc.o"))
        let options =
            try [
                // Before 2.34 they were no part of libc.so.6.
                "--no-as-needed", "-l:libpthread.so.0", "-l:libdl.so.2",
                // `libgcc_s` is not linked in. Its undefined names are found when the program starts.
                "--allow-shlib-undefined",
                // All names are looked up at the start, so that a missing one is seen at once.
                "-z", "now",
                "--wrap=__libc_start_main", "--defsym", "main=parley_main", "--gc-sections", "--no-export-dynamic",
            ] + UnicodeData.options(in: folder, clang: clang)
        let names = libraries.map { "-l\($0.file.dropFirst("lib".count).dropLast(".a".count))" }
        try Tool.output(
            "swiftc", "-emit-executable", "-module-name", "parley", "-o", path("parley"), "-static-stdlib",
            "-use-ld=lld", "-L", folder.path, "@\(objects.path)", path("older_glibc.o"), path("no_tls.o"),
            path("jemalloc.o"),
            more: names + ["-lm"] + options.flatMap { ["-Xlinker", $0] })
        return folder.appendingPathComponent("parley")
    }

    /// The path of a library's file, as the compiler finds it.
    func place(of library: Library) throws -> String { try found(library.file) }

    private func found(_ file: String) throws -> String {
        let place = try Tool.output(clang, "-print-file-name=\(file)").trimmed
        guard place.hasPrefix("/") else { throw Failure("\(file) is not installed.") }
        return URL(fileURLWithPath: place).resolvingSymlinksInPath().path
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func makeLink(_ name: String, to place: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: place)
    }

    private func compile(_ source: String, to name: String) throws {
        try Tool.output(clang, "-O2", "-fPIE", "-Wall", "-Werror", "-c", source, "-o", path(name))
    }

    /// The program that loads others, such as `/lib64/ld-linux-x86-64.so.2`. It has a few names of the C library.
    private func loader(of binary: URL) throws -> String {
        let headers = try Tool.output("readelf", "--program-headers", "--wide", binary.path)
        guard let name = headers.firstMatch(of: /program interpreter: (.+)\]/) else {
            throw Failure("\(binary.path) names no program interpreter.")
        }
        return String(name.1)
    }

    /// Debian's libmicrohttpd can speak TLS, by GnuTLS, which is large and differs between systems. The gateway never
    /// asks for it. So GnuTLS is left out: to begin it and to end it succeeds, and all else ends the program.
    private func withoutTLS() throws -> String {
        let symbols = try Tool.output("nm", "--undefined-only", path("libmicrohttpd.a"))
        let names = Set(symbols.matches(of: /U (gnutls_\w+)/).map { String($0.1) }).sorted()
        return "#include <stdlib.h>\n"
            + names.map { name in
                name.hasPrefix("gnutls_global_")
                    ? "int \(name)(void) { return 0; }\n" : "void \(name)(void) { abort(); }\n"
            }.joined()
    }
}

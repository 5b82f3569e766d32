import Foundation

/// A part of ICU's data, by which Foundation knows the world's languages: the root of all locales, and English.
///
/// All of the data is a third of the program. Parley uses none of it: it reads time zones from the system, and has its
/// own texts.
///
/// The data is one block. It begins with a header and the number of items. A table follows: for each item, where its
/// name begins and where its content begins, counted from the end of the header. Then come all names, and all contents
/// in the same order.
enum UnicodeData {
    /// Makes an object file with the data. Returns the linker's options that make the program use it. The library's own
    /// data is then used by nobody, and the linker leaves it out.
    static func options(in folder: URL, clang: String) throws -> [String] {
        let library = URL(fileURLWithPath: clang).deletingLastPathComponent()
            .appendingPathComponent("../lib/swift_static/linux/lib_FoundationICU.a").standardized.path
        let member = "icu_packaged_data.cpp.o"
        try Tool.output("ar", "x", library, member, in: folder)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        // By this symbol ICU finds its data. The number is ICU's version.
        guard let name = try Tool.output("nm", path(member)).firstMatch(of: /\bicudt\d+_dat\b/) else {
            throw Failure("\(library) has no data of ICU in \(member).")
        }
        try Tool.output(
            "objcopy", "--output-target=binary", "--only-section=.rodata", path(member), path("unicode.all"))
        let all = try Data(contentsOf: URL(fileURLWithPath: path("unicode.all")))
        try cut([UInt8](all)).write(to: URL(fileURLWithPath: path("unicode.dat")))
        let assembly = """
            .section .rodata
            .balign 16
            .globl __wrap_\(name.output)
            __wrap_\(name.output):
            .incbin "\(path("unicode.dat"))"
            .section .note.GNU-stack,"",@progbits

            """
        try assembly.write(toFile: path("unicode.s"), atomically: false, encoding: .utf8)
        try Tool.output(clang, "-c", path("unicode.s"), "-o", path("unicode.o"))
        return [path("unicode.o"), "--wrap=\(name.output)"]
    }

    /// Whether an item is kept, by its name without the version: `root.res`, `coll/root.res`, `zoneinfo64.res`.
    static func isKept(_ name: Substring) -> Bool {
        let parts = name.split(separator: "/")
        guard let file = parts.last else { return false }
        // Tables of other encodings than Unicode, and dictionaries of where words end.
        if file.hasSuffix(".cnv") || file.hasSuffix(".dict") { return false }
        // A locale is named by two or three letters, perhaps with more: `de.res`, `zh_Hant_TW.res`.
        let isLocale = file.wholeMatch(of: /[a-z]{2,3}(_\w+)?\.res/) != nil
        if isLocale { return file == "en.res" || file == "en_US.res" }
        return parts.first != "translit"
    }

    private static func cut(_ all: [UInt8]) throws -> Data {
        func number(_ at: Int) throws -> Int {
            guard at >= 0, at + 4 <= all.count else { throw Failure("ICU's data are not as they were.") }
            return (0..<4).reduce(0) { $0 | Int(all[at + $1]) << (8 * $1) }
        }
        let header = try number(0) & 0xFFFF
        let count = try number(header)
        let names = try (0..<count).map { index in
            let start = header + (try number(header + 4 + 8 * index))
            guard start < all.count, let end = all[start...].firstIndex(of: 0) else {
                throw Failure("ICU's data are not as they were.")
            }
            return String(decoding: all[start..<end], as: UTF8.self)
        }
        let starts = try (0..<count).map { header + (try number(header + 8 + 8 * $0)) } + [all.count]
        let kept = (0..<count).filter { index in
            guard let slash = names[index].firstIndex(of: "/") else { return false }
            return isKept(names[index][names[index].index(after: slash)...])
        }
        guard !kept.isEmpty, zip(starts, starts.dropFirst()).allSatisfy(<=) else {
            throw Failure("ICU's data are not as they were.")
        }
        var (table, texts, contents) = (Data(), Data(), Data())
        func append(_ number: Int, to data: inout Data) {
            for shift in [0, 8, 16, 24] { data.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        let nameBytes = kept.reduce(0) { $0 + names[$1].utf8.count + 1 }
        // Contents begin at a multiple of 16 from the start of the block, as the header does.
        func padded(_ size: Int) -> Int { (header + size + 15) / 16 * 16 - header }
        let begin = padded(4 + 8 * kept.count + nameBytes)
        append(kept.count, to: &table)
        for index in kept {
            append(4 + 8 * kept.count + texts.count, to: &table)
            append(begin + contents.count, to: &table)
            texts.append(contentsOf: names[index].utf8)
            texts.append(0)
            contents.append(contentsOf: all[starts[index]..<starts[index + 1]])
            contents.append(contentsOf: [UInt8](repeating: 0, count: (16 - contents.count % 16) % 16))
        }
        let filling = Data(repeating: 0, count: begin - table.count - texts.count)
        return Data(all[..<header]) + table + texts + filling + contents
    }
}

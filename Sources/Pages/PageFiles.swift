import Formats
import Glibc
import HTTPRouting
import Synchronization

/// The files of `web/`. A request only ever picks one of these, so no path leads out of the folder.
///
/// All files together have one version, a hash of their contents. Pages name what they load with it
/// (`/web/<version>/...`), so that a browser keeps all of that for good, and asks for the page alone when it comes
/// back. Under a version the modules and styles of a page are joined (``PageBundles``). A file that is edited shows with
/// the next request for a page, or for the file itself.
final class PageFiles: Sendable {
    private struct Entry {
        var stamp: FileReader.Stamp
        var file: StaticFile
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Made when the first page is asked for: a gateway that shows none begins without this work. Nil after a change.
        var joined: Joined?
    }

    /// What is made of all files together.
    fileprivate struct Joined {
        let version: String
        /// The pages with the version in their links.
        var pages: [String: StaticFile] = [:]
        /// What stands under the version in place of the files, and beside them.
        var bundled: [String: StaticFile] = [:]
    }

    private let folder: String?
    private let state = Mutex(State())

    /// Throws when a file cannot be read.
    ///
    /// - Parameter folder: nil for a gateway without pages.
    init(folder: String?) throws(FileReader.Failure) {
        self.folder = folder
        try state.withLock { state throws(FileReader.Failure) in try refresh(&state) }
    }

    /// A page as it is now. Nil if there is none of this name.
    func page(_ name: String) -> StaticFile? {
        state.withLock { state in
            // While somebody replaces the files, one may be missing: the page stays what it was.
            try? refresh(&state)
            return Self.joined(&state).pages[name] ?? state.entries[name]?.file
        }
    }

    /// A file as it is now. Nil if there is none of this name.
    func file(_ name: String) -> StaticFile? {
        if name.hasSuffix(".html") { return page(name) }
        return state.withLock { state in
            guard let folder, let entry = state.entries[name] else { return nil }
            if FileReader.stamp("\(folder)/\(name)") != entry.stamp { try? refresh(&state) }
            return state.entries[name]?.file
        }
    }

    /// What stands under the version in place of a file, or the file itself. Nil if there is none of this name.
    func bundledFile(_ name: String) -> StaticFile? {
        let file = file(name)
        return state.withLock { Self.joined(&$0).bundled[name] } ?? file
    }

    /// The content of the scripts in a folder, by their names without the ending.
    func contents(of folder: String) -> [String: [UInt8]] {
        let (start, end) = ("\(folder)/", ".js")
        return state.withLock { state in
            var contents: [String: [UInt8]] = [:]
            for (name, entry) in state.entries where name.hasPrefix(start) && name.hasSuffix(end) {
                contents[String(name.dropFirst(start.count).dropLast(end.count))] = entry.file.bytes
            }
            return contents
        }
    }

    /// A file under a version, and for how long it is the same there. A version that is not today's one gets today's
    /// file: the page that asks for it is from before.
    func file(_ name: String, version: String) -> (file: StaticFile, validity: StaticFile.Validity)? {
        let known = state.withLock { state in
            let joined = Self.joined(&state)
            return joined.version == version ? joined.bundled[name] ?? state.entries[name]?.file : nil
        }
        if let known { return (known, .immutable) }
        return (file(name) ?? state.withLock { Self.joined(&$0).bundled[name] }).map { ($0, .checked) }
    }

    /// Reads what has changed on the disk. On the loop's thread: without a change it asks for the state of about a
    /// hundred files, and reads none.
    private func refresh(_ state: inout State) throws(FileReader.Failure) {
        guard let folder else { return }
        let stamps = try FileReader.stamps(folder)
        if stamps == state.entries.mapValues(\.stamp) { return }
        var entries: [String: Entry] = [:]
        for (name, stamp) in stamps {
            if let known = state.entries[name], known.stamp == stamp {
                entries[name] = known
            } else {
                let bytes = try FileReader.read("\(folder)/\(name)")
                entries[name] = Entry(stamp: stamp, file: StaticFile(bytes: bytes, name: name))
            }
        }
        state.entries = entries
        state.joined = nil
    }

    private static func joined(_ state: inout State) -> Joined {
        if let joined = state.joined { return joined }
        let joined = Joined(state.entries.mapValues(\.file))
        state.joined = joined
        return joined
    }
}

extension PageFiles.Joined {
    fileprivate init(_ files: [String: StaticFile]) {
        let names = files.keys.filter { $0.hasSuffix(".html") && !$0.contains("/") }
        let bundles = PageBundles(pages: names) { name in
            files[name].map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        for (name, text) in bundles.files { bundled[name] = StaticFile(bytes: Array(text.utf8), name: name) }
        let contents = (files.mapValues(\.tag).map { $0 } + bundled.mapValues(\.tag).map { $0 })
            .map { "\($0.key) \($0.value)\n" }.sorted().joined()
        version = Hexadecimal.encode(SHA256.hash(Array(contents.utf8)).prefix(8))
        for (name, file) in files where name.hasSuffix(".html") {
            let html = (bundles.pages[name] ?? String(decoding: file.bytes, as: UTF8.self))
                .replacing(PageBundles.placeholder, with: "/web/\(version)/")
            pages[name] = StaticFile(bytes: Array(html.utf8), name: name)
        }
    }
}

/// Reads the files and folders that are served.
enum FileReader {
    /// What could not be read, and why.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path): \(reason)" }
    }

    /// Throws when a file is missing or must not be read.
    static func check(_ path: String) throws(Failure) {
        guard access(path, R_OK) == 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(max(size, 4096), 1 << 20))
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// What tells two states of a file apart without reading it.
    struct Stamp: Equatable, Sendable {
        let inode: UInt64
        let size: Int64
        /// Seconds and nanoseconds.
        let changedAt: [Int]

        fileprivate init(_ status: stat) {
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            changedAt = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    /// Nil if there is no such file.
    static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(status)
    }

    /// The files below a folder, by their path within it. Names that begin with a dot are left out, links are not
    /// followed.
    static func list(_ folder: String) throws(Failure) -> [String] { try stamps(folder).map(\.key) }

    /// The same files with their states.
    fileprivate static func stamps(_ folder: String) throws(Failure) -> [String: Stamp] {
        guard let directory = opendir(folder) else {
            throw Failure(path: folder, reason: String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var stamps: [String: Stamp] = [:]
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: stamps[name] = Stamp(status)
            case S_IFDIR:
                for (below, stamp) in try Self.stamps("\(folder)/\(name)") { stamps["\(name)/\(below)"] = stamp }
            default: continue
            }
        }
        return stamps
    }
}

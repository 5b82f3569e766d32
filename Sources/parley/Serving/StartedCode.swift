import Glibc

/// The memory of code that only the start needs.
///
/// Around each page of a program that is touched, the kernel maps fifteen more. So the start alone, which touches a bit
/// of everything once, makes most of the program and of its libraries resident.
enum StartedCode {
    /// Unmaps the pages of all code. Code that runs on is mapped again from the system's cache, without the disk.
    static func giveBack() {
        guard let file = fopen("/proc/self/maps", "re") else { return }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let line {
            guard let range = codeRange(String(cString: line)) else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The addresses of a line of `/proc/self/maps`; nil if it is no file that is mapped to be executed. Nothing is
    /// ever written to such pages, so none of their contents can be lost.
    static func codeRange(_ line: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}

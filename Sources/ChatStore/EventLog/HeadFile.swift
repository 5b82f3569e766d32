import ChatModel
import Synchronization

/// How far the event log goes, in the file `head` of a data folder, so that a restored database is seen: it does not go as
/// far, or it is a copy.
///
/// The file is written when a store is opened and closed, and once a minute. So it may lag behind, and is never ahead.
package final class HeadFile: Sendable {
    /// What a file says.
    package struct Content: Equatable, Sendable {
        /// Of the database, see ``ChatStore/instance``. Empty for a file that cannot be read, and for one that
        /// ``HeadFile/spoil()`` has written.
        package var instance = ""
        package var offset: Int64 = 0
        /// When the database's own file was made, in nanoseconds since 1970: a copy has another time. 0 if that is not
        /// known, or there is no such file.
        package var birth: Int64 = 0

        fileprivate var text: String { "\(instance) \(offset) \(birth)\n" }

        fileprivate init(_ bytes: [UInt8]) {
            let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first?.split(separator: " ") ?? []
            guard words.count == 3, let offset = Int64(words[1]), offset >= 0, let birth = Int64(words[2]) else {
                return
            }
            (instance, self.offset, self.birth) = (String(words[0]), offset, birth)
        }

        init(instance: String, offset: Int64, birth: Int64) {
            (self.instance, self.offset, self.birth) = (instance, offset, birth)
        }
    }

    private let path: String
    private let last = Mutex<Content?>(nil)

    package init(folder: String) { path = folder + "/head" }

    /// What the file says; nil if there is none.
    package func read() -> Content? {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path, limit: 256).map(Content.init)
        } catch {
            return Content([])
        }
    }

    /// Writes how far the log goes, unless the file says so already. A failure, such as a full disk, is no loss: the next
    /// call tries again. It waits for the disk.
    package func note(instance: String, offset: Int64, birth: Int64 = 0) {
        let content = Content(instance: instance, offset: offset, birth: birth)
        last.withLock { last in
            guard last != content, (try? WholeFile.write(Array(content.text.utf8), to: path)) != nil else { return }
            last = content
        }
    }

    /// Makes the next start of a gateway take the database for a restored one. Throws ``WholeFile/Failure``.
    package func spoil() throws(WholeFile.Failure) { try WholeFile.write(Array("restored\n".utf8), to: path) }

    /// Deletes the file: the next start knows nothing of earlier ones. Throws ``WholeFile/Failure``.
    func remove() throws(WholeFile.Failure) { try WholeFile.remove(path) }
}

#if Sendbird
    import Foundation
    import SendbirdService

    /// Reads the file of `--sendbird`. It is read once, at the start: a changed token needs a restart.
    enum SendbirdFile {
        /// Nil without a file. Throws ``SettingsError``, which names the file and the place, and holds nothing of a token.
        static func read(_ path: String) throws(SettingsError) -> SendbirdConfiguration? {
            if path.isEmpty { return nil }
            func fault(_ reason: String) -> SettingsError { SettingsError("--sendbird \(path): \(reason)") }
            let data: Data?
            var status = stat()
            do {
                let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                guard fstat(handle.fileDescriptor, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
                data = try handle.read(upToCount: SendbirdConfiguration.maximumLength + 1)
            } catch {
                throw fault("The file cannot be read.")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw fault(
                    "The file can be read or changed by others than its owner. Make its mode 0600: chmod 600.")
            }
            do throws(SendbirdConfiguration.Malformed) {
                return try SendbirdConfiguration(json: Array(data ?? Data()))
            } catch {
                throw fault("\(error)")
            }
        }
    }
#endif

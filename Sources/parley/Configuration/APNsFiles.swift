#if Outbound
    import Foundation
    import HTTPClientPort
    import Outbound

    /// Reads the file of `--apns` and the keys and certificates that it names. They are read once, at the start: a
    /// changed key needs a restart.
    enum APNsFiles {
        /// The most bytes that a key's file may have.
        private static let maximumKeyLength = 16 << 10

        /// The apps of a file, each with its key. Throws ``SettingsError``, which names the file, the entry and the
        /// member, and contains nothing of a key.
        ///
        /// - Parameter file: its path; paths in it are relative to its folder. An empty path means that there are no
        ///   apps.
        static func read(_ file: String) throws(SettingsError) -> [APNsAccess] {
            if file.isEmpty { return [] }
            let bytes = try contents(of: file, limit: APNsAppsFile.maximumLength) {
                SettingsError("--apns \(file): \($0)")
            }
            let apps: [APNsApp]
            do throws(InvalidMembers) {
                apps = try APNsAppsFile.parse(bytes)
            } catch {
                throw SettingsError("--apns \(file): \(error)")
            }
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            func place(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }
            var accesses: [APNsAccess] = []
            for (index, app) in apps.enumerated() {
                func fault(_ member: String, _ path: String, _ reason: String) -> SettingsError {
                    SettingsError("--apns \(file): /\(index)/\(member): \(path): \(reason)")
                }
                let keyPath = place(app.keyPath)
                let key = try key(keyPath) { fault("key", keyPath, $0) }
                var trustRoots: TrustRoots?
                if let path = app.caPath.map(place) {
                    do throws(TrustRoots.Unreadable) {
                        trustRoots = try TrustRoots(file: path)
                    } catch {
                        throw fault("ca", path, "The file cannot be read, or holds no certificate in PEM.")
                    }
                }
                accesses.append(APNsAccess(app: app, key: key, trustRoots: trustRoots))
            }
            return accesses
        }

        /// The private key of a PEM file. Refuses a file that others than its owner can read or write.
        private static func key(_ path: String, _ fault: (String) -> SettingsError) throws(SettingsError) -> APNsKey {
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
                throw fault("The key can be read or changed by others than its owner. Make its mode 0600: chmod 600.")
            }
            let pem = String(decoding: try contents(of: path, limit: maximumKeyLength, fault), as: UTF8.self)
            do throws(APNsKey.Malformed) {
                return try APNsKey(pem: pem)
            } catch {
                throw fault("\(error)")
            }
        }

        /// The file's bytes, at most one more than the limit, so that the caller sees that a file is too long.
        private static func contents(
            of path: String, limit: Int, _ fault: (String) -> SettingsError
        ) throws(SettingsError) -> [UInt8] {
            let handle: FileHandle, data: Data?
            do {
                handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                data = try handle.read(upToCount: limit + 1)
            } catch {
                throw fault("The file cannot be read.")
            }
            return Array(data ?? Data())
        }
    }
#endif

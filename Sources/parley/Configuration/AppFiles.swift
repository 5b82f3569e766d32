#if Outbound
    import Foundation
    import HTTPClientPort
    import Outbound

    /// Reads the files of the apps to which the gateway pushes (`--apns`, `--fcm`), and the keys and certificates that
    /// they name. They are read once, at the start: a changed key needs a restart.
    ///
    /// Each function throws ``SettingsError``, which names the file, the entry and the member, and contains nothing of
    /// a key. Paths in a file are relative to its folder. An empty path instead of a file means that there are no apps.
    enum AppFiles {
        /// The most bytes that a key's file may have.
        private static let maximumKeyLength = 16 << 10

        /// The apps of a file of `--apns`, each with its signing key.
        static func apns(_ file: String) throws(SettingsError) -> [APNsAccess] {
            try read(file, APNsAppsFile.parse) { app, entry throws(SettingsError) in
                let key = try entry.secret("key", app.keyPath) { bytes throws(APNsKey.Malformed) in
                    try APNsKey(pem: String(decoding: bytes, as: UTF8.self))
                }
                return APNsAccess(app: app, key: key, trustRoots: try entry.trustRoots(app.caPath))
            }
        }

        /// The apps of a file of `--fcm`, each with its service account.
        static func fcm(_ file: String) throws(SettingsError) -> [FCMAccess] {
            try read(file, FCMAppsFile.parse) { app, entry throws(SettingsError) in
                let account = try entry.secret("account", app.accountPath, FCMAccount.init)
                return FCMAccess(app: app, account: account, trustRoots: try entry.trustRoots(app.caPath))
            }
        }

        private static func read<App: ConfiguredApp, Access>(
            _ file: String, _ parse: ([UInt8]) throws(InvalidMembers) -> [App],
            _ open: (App, Entry) throws(SettingsError) -> Access
        ) throws(SettingsError) -> [Access] {
            if file.isEmpty { return [] }
            let name = "\(App.kind.option) \(file)"
            let bytes = try contents(of: file, limit: AppsFile.maximumLength) { SettingsError("\(name): \($0)") }
            let apps: [App]
            do throws(InvalidMembers) {
                apps = try parse(bytes)
            } catch {
                throw SettingsError("\(name): \(error)")
            }
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            var accesses: [Access] = []
            for (index, app) in apps.enumerated() {
                accesses.append(try open(app, Entry(name: "\(name): /\(index)", folder: folder)))
            }
            return accesses
        }

        /// One app of a file: it reads what the app's members name.
        private struct Entry {
            /// The file and the entry, for errors.
            let name: String
            let folder: String

            private func place(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }

            private func fault(_ member: String, _ path: String, _ reason: String) -> SettingsError {
                SettingsError("\(name)/\(member): \(path): \(reason)")
            }

            /// A secret in a file. Refuses a file that others than its owner can read or write.
            func secret<Secret, Malformed: Error>(
                _ member: String, _ path: String, _ parse: ([UInt8]) throws(Malformed) -> Secret
            ) throws(SettingsError) -> Secret {
                let path = place(path)
                var status = stat()
                if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
                    throw fault(
                        member, path,
                        "The key can be read or changed by others than its owner. Make its mode 0600: chmod 600.")
                }
                let bytes = try contents(of: path, limit: maximumKeyLength) { fault(member, path, $0) }
                do throws(Malformed) {
                    return try parse(bytes)
                } catch {
                    throw fault(member, path, "\(error)")
                }
            }

            /// The certificates of a PEM file; nil without one.
            func trustRoots(_ path: String?) throws(SettingsError) -> TrustRoots? {
                guard let path = path.map(place) else { return nil }
                do throws(TrustRoots.Unreadable) {
                    return try TrustRoots(file: path)
                } catch {
                    throw fault("ca", path, "The file cannot be read, or holds no certificate in PEM.")
                }
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

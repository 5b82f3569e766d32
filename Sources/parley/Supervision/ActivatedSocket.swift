import MicroHTTP

/// A socket on which the service manager has listened before the gateway was there (sd_listen_fds(3)). It goes on
/// listening when the gateway has ended, so that no client is refused while the gateway is started anew.
struct ActivatedSocket: Sendable {
    var descriptor: Int32
    /// What the manager calls it: by default the name of the socket's unit.
    var name: String
    /// Where it listens.
    var address: BoundAddress

    /// The manager's sockets have these descriptors, from the first one on.
    private static let first: Int32 = 3

    /// The sockets that the manager's variables tell of. Throws ``SettingsError`` if one of them is no stream socket
    /// that listens.
    ///
    /// - Parameters:
    ///   - count: how many, in decimal.
    ///   - names: separated by colons; missing ones are empty.
    static func all(count: String, names: String?) throws(SettingsError) -> [ActivatedSocket] {
        guard let number = Int32(count), (0...1024).contains(number) else {
            throw SettingsError("LISTEN_FDS must be a number of sockets, not \(count.shownSafely).")
        }
        let names = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        var sockets: [ActivatedSocket] = []
        for index in 0..<Int(number) {
            let (descriptor, name) = (first + Int32(index), index < names.count ? names[index] : "")
            guard let address = Listener(listening: descriptor) else {
                throw SettingsError(
                    "The descriptor \(descriptor) (\(name.shownSafely)) that the service manager gives is no stream "
                        + "socket that listens: in a socket unit, use ListenStream= and Accept=no.")
            }
            sockets.append(ActivatedSocket(descriptor: descriptor, name: name, address: address))
        }
        return sockets
    }
}

import MicroHTTP
import Testing

@testable import parley

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8787", Listener.tcp(host: "127.0.0.1", port: 8787), true),
        (":0", .tcp(host: "127.0.0.1", port: 0), true),
        ("localhost:1", .tcp(host: "127.0.0.1", port: 1), true), ("[::1]:9", .tcp(host: "::1", port: 9), true),
        ("0.0.0.0:80", .tcp(host: "0.0.0.0", port: 80), false), ("[::]:80", .tcp(host: "::", port: 80), false),
        ("unix:/run/parley.sock", .unix(path: "/run/parley.sock"), true),
    ])
    func reads(text: String, listener: Listener, isLocal: Bool) throws {
        let address = try ListenAddress(text)
        #expect(address.listener == listener)
        #expect(address.isLocal == isLocal)
    }

    @Test(arguments: ["", "8787", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "unix:"])
    func refuses(text: String) {
        #expect(throws: SettingsError.self) { try ListenAddress(text) }
    }
}

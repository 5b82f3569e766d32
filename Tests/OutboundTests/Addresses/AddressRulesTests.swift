import HTTPClientPort
import Synchronization
import Testing

@testable import Outbound

@Suite struct AddressRulesTests {
    private static let open = NetworkAddress(93, 184, 216, 34)
    private static let loopback = NetworkAddress(127, 0, 0, 1)

    private func rules(allowing hosts: String...) throws -> AddressRules {
        AddressRules(allowedHosts: try hosts.map { try #require(AllowedHost($0)) })
    }

    @Test func theOperatorsWebhooksMayGoToPrivateNetworks() throws {
        let target = try TargetAddress("http://bot.internal:8080/")
        for text in [
            "127.0.0.1", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "fd12::1", "100.64.0.1",
            "::ffff:10.0.0.1",
        ] {
            let address = try #require(NetworkAddress(text))
            #expect(try AddressRules().permitted([address], of: target, by: .operator) == [address])
        }
    }

    @Test(arguments: [
        "0.0.0.0", "::", "169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "fe80::1", "fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1", "ff02::1",
        "255.255.255.255",
    ])
    func someAddressesAreRefusedForEverybody(text: String) throws {
        let target = try TargetAddress("https://bot.example/secret-path")
        let rules = try rules(allowing: "bot.example")
        let address = try #require(NetworkAddress(text))
        for registrar in AddressRules.Registrar.allCases {
            let refusal = #expect(throws: AddressRefusal.self) {
                try rules.permitted([address], of: target, by: registrar)
            }
            #expect(refusal?.detail.hasPrefix("The address of the host bot.example is ") == true)
            #expect(refusal?.detail.contains("secret") == false)
        }
    }

    @Test func aSessionsTargetIsPublicAndHTTPS() throws {
        let rules = AddressRules()
        let target = try TargetAddress("https://push.example/x")
        #expect(try rules.permitted([Self.open], of: target, by: .session) == [Self.open])
        #expect(throws: AddressRefusal.self) {
            try rules.permitted([Self.open], of: TargetAddress("http://push.example/x"), by: .session)
        }
        for text in ["127.0.0.1", "::1", "10.0.0.1", "fc00::1", "64:ff9b::7f00:1", "198.18.0.1", "240.0.0.1"] {
            let address = try #require(NetworkAddress(text))
            let refusal = #expect(throws: AddressRefusal.self) {
                try rules.permitted([address], of: target, by: .session)
            }
            #expect(refusal?.detail.contains("--push-allow-host") == true)
        }
    }

    /// Who opens a session holds the gateway's token. The platform may be a sandbox, also the gateway's own.
    @Test func anOpenersPlatformMayBeAnywhereButWhereNobodyMayGo() throws {
        var rules = AddressRules()
        rules.ownListeners = OwnListeners([(Self.loopback, 8787)])
        for url in ["http://localhost:8787/chat", "http://platform.internal/chat", "https://platform.example"] {
            let target = try TargetAddress(url)
            for address in [Self.open, Self.loopback, NetworkAddress(10, 0, 0, 1)] {
                #expect(try rules.permitted([address], of: target, by: .opener) == [address])
            }
        }
        for url in ["http://169.254.169.254/chat", "http://[fe80::1]/", "http://0xa9fea9fe/", "http://0.0.0.0:8787/"] {
            #expect(throws: AddressRefusal.self) { try rules.check(TargetAddress(url), by: .opener) }
        }
    }

    @Test func whatAPlatformNamesIsPublicAndHTTPS() throws {
        // What sessions may push to says nothing about platforms.
        let rules = try rules(allowing: "files.example", "127.0.0.1")
        let target = try TargetAddress("https://files.example/1")
        #expect(try rules.permitted([Self.open], of: target, by: .platform) == [Self.open])
        #expect(throws: AddressRefusal.self) {
            try rules.permitted([Self.open], of: TargetAddress("http://files.example/1"), by: .platform)
        }
        for text in ["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "100.64.0.1", "fd12::1"] {
            let address = try #require(NetworkAddress(text))
            #expect(throws: AddressRefusal.self) { try rules.permitted([address], of: target, by: .platform) }
        }
        #expect(throws: AddressRefusal.self) { try rules.check(TargetAddress("https://127.0.0.1/"), by: .platform) }
    }

    /// Public addresses are no exception: what listens there may be for neighbours alone. They are asked for each time.
    @Test func strangersMayNotNameThisMachine() throws {
        let addresses = Mutex<[NetworkAddress]>([])
        var rules = try rules(allowing: "here.example")
        rules.machine = { addresses.withLock { $0 } }
        let target = try TargetAddress("https://push.example/x")
        let forms = try [Self.open, #require(NetworkAddress("64:ff9b::93.184.216.34"))]
        for address in forms { #expect(try rules.permitted([address], of: target, by: .session) == [address]) }
        addresses.withLock { $0 = [NetworkAddress(10, 0, 0, 1), Self.open] }
        for address in forms {
            for registrar in [AddressRules.Registrar.session, .platform] {
                let refusal = #expect(throws: AddressRefusal.self) {
                    try rules.permitted([address], of: target, by: registrar)
                }
                #expect(refusal?.detail.contains("this machine's own") == true)
            }
            for registrar in [AddressRules.Registrar.operator, .opener] {
                #expect(try rules.permitted([address], of: target, by: registrar) == [address])
            }
            #expect(try rules.permitted([address], of: TargetAddress("http://here.example"), by: .session) == [address])
        }
        #expect(throws: AddressRefusal.self) { try rules.check(TargetAddress("https://93.184.216.34/"), by: .session) }
    }

    @Test func oneAddressThatIsRefusedRefusesTheHost() throws {
        let target = try TargetAddress("https://push.example/x")
        for addresses in [[Self.open, Self.loopback], [Self.loopback, Self.open]] {
            #expect(throws: AddressRefusal.self) { try AddressRules().permitted(addresses, of: target, by: .session) }
        }
        #expect(throws: AddressRefusal.self) {
            try AddressRules().permitted([Self.open, NetworkAddress(169, 254, 0, 1)], of: target, by: .operator)
        }
    }

    @Test func allAddressesOfAHostMayBeConnectedToInTheirOrder() throws {
        let addresses = [Self.open, try #require(NetworkAddress("2606:4700::1111"))]
        #expect(
            try AddressRules().permitted(
                addresses, of: TargetAddress("https://a.example"),
                by: .session) == addresses)
    }

    @Test func aHostWithoutAnAddressIsRefused() throws {
        #expect(throws: AddressRefusal("The host a.example has no address.")) {
            try AddressRules().permitted([], of: TargetAddress("https://a.example"), by: .operator)
        }
    }

    @Test(arguments: [
        "2130706433", "0x7f.1", "0177.1", "127.0.0.1", "[::1]", "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
    ])
    func aHostThatIsAnAddressIsJudgedAsIt(host: String) throws {
        let target = try TargetAddress("https://\(host)/")
        #expect(throws: AddressRefusal.self) { try AddressRules().check(target, by: .session) }
        // Whatever a resolver says.
        #expect(throws: AddressRefusal.self) { try AddressRules().permitted([Self.open], of: target, by: .session) }
        try AddressRules().check(target, by: .operator)
    }

    @Test(arguments: ["2852039166", "0xa9fea9fe", "169.254.43518", "[::ffff:169.254.169.254]", "0", "[::]"])
    func aHostThatIsARefusedAddressIsRefusedAtRegistration(host: String) throws {
        let target = try TargetAddress("http://\(host)/latest/meta-data")
        #expect(throws: AddressRefusal.self) { try AddressRules().check(target, by: .operator) }
    }

    @Test(arguments: [
        ("push.internal", "http://push.internal/x", true), ("push.internal", "https://PUSH.internal.:9000/x", true),
        ("Push.Internal:9000", "http://push.internal:9000/x", true),
        ("push.internal:9000", "http://push.internal:9001/x", false),
        ("push.internal:443", "https://push.internal/x", true), ("push.internal:443", "http://push.internal/x", false),
        ("push.internal", "https://a.push.internal/x", false), ("push.internal", "https://internal/x", false),
        ("127.0.0.1", "http://127.0.0.1:99/", true), ("127.0.0.1:99", "http://0x7f.1:99/", true),
        ("[::1]:99", "http://[0:0:0:0:0:0:0:1]:99/", true), ("::1", "http://[::1]/", true),
        ("[::1]", "http://[::2]/", false),
    ])
    func anAllowedHostOpensASessionsTarget(entry: String, url: String, isAllowed: Bool) throws {
        let rules = try rules(allowing: "other.example", entry)
        let target = try TargetAddress(url)
        let address = target.literal ?? Self.loopback
        if isAllowed {
            #expect(try rules.permitted([address], of: target, by: .session) == [address])
        } else {
            #expect(throws: AddressRefusal.self) { try rules.permitted([address], of: target, by: .session) }
        }
    }

    @Test(arguments: ["", "http://a", "a:0", "a:", "a b", "a/b", "[::1", "::1:99999", "*.a", "a:1:2"])
    func anythingElseIsNoEntry(text: String) {
        #expect(AllowedHost(text) == nil)
    }

    @Test func theGatewaysOwnListenersAreRefused() throws {
        var rules = try rules(allowing: "localhost")
        rules.ownListeners = OwnListeners([(Self.loopback, 8787), (try #require(NetworkAddress("::1")), 8788)])
        for (address, port) in [
            ("127.0.0.1", 8787), ("::ffff:127.0.0.1", 8787), ("64:ff9b::127.0.0.1", 8787),
            (
                "::1",
                8788
            ),
        ] {
            let target = try TargetAddress("http://localhost:\(port)/v1")
            for registrar in [AddressRules.Registrar.operator, .session] {
                let refusal = #expect(throws: AddressRefusal.self) {
                    try rules.permitted([#require(NetworkAddress(address))], of: target, by: registrar)
                }
                #expect(refusal?.detail.contains("the gateway itself") == true)
            }
        }
        for (address, port) in [("127.0.0.1", 8788), ("127.0.0.2", 8787), ("::1", 8787)] {
            let address = try #require(NetworkAddress(address))
            let target = try TargetAddress("http://localhost:\(port)")
            #expect(try rules.permitted([address], of: target, by: .operator) == [address])
        }
        #expect(throws: AddressRefusal.self) { try rules.check(TargetAddress("http://0x7f.1:8787/"), by: .operator) }
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func aListenerOnAllAddressesIsRefusedAtEachOfThem(wildcard: String) throws {
        let machine = [NetworkAddress(192, 168, 1, 7)]
        var rules = AddressRules()
        rules.ownListeners = OwnListeners([(try #require(NetworkAddress(wildcard)), 8787)])
        rules.machine = { machine }
        let target = try TargetAddress("http://host.internal:8787/")
        for text in ["127.0.0.1", "127.9.9.9", "::1", "192.168.1.7", "::ffff:192.168.1.7"] {
            #expect(throws: AddressRefusal.self) {
                try rules.permitted([#require(NetworkAddress(text))], of: target, by: .operator)
            }
        }
        let other = NetworkAddress(192, 168, 1, 8)
        #expect(try rules.permitted([other], of: target, by: .operator) == [other])
        #expect(try rules.permitted(machine, of: TargetAddress("http://host.internal:8788/"), by: .operator) == machine)
    }

    @Test(arguments: ["http://metadata.google.internal/", "https://METADATA.google.internal./computeMetadata"])
    func aMetadataServiceIsRefusedByItsName(url: String) throws {
        let target = try TargetAddress(url)
        for registrar in AddressRules.Registrar.allCases {
            let refusal = #expect(throws: AddressRefusal.self) {
                try AddressRules(allowedHosts: [#require(AllowedHost("metadata.google.internal"))]).check(
                    target, by: registrar)
            }
            #expect(refusal?.detail.contains("metadata service") == true)
        }
    }
}

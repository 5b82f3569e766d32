import HTTPClientPort
import Testing

@testable import Outbound

@Suite struct AddressScopeTests {
    /// A range by its first and last address, and the neighbours on both sides with what they are.
    struct Row: Sendable, CustomTestStringConvertible {
        var first: String, last: String
        var scope: AddressScope
        var before: (String, AddressScope)?
        var after: (String, AddressScope)?

        var testDescription: String { "\(first) to \(last)" }

        init(
            _ first: String, _ last: String, _ scope: AddressScope, before: (String, AddressScope)?,
            after: (String, AddressScope)?
        ) {
            (self.first, self.last, self.scope, self.before, self.after) = (first, last, scope, before, after)
        }
    }

    static let rows: [Row] = [
        Row("0.0.0.0", "0.255.255.255", .refused("unspecified"), before: nil, after: ("1.0.0.0", .public)),
        Row(
            "10.0.0.0", "10.255.255.255", .private("private"),
            before: ("9.255.255.255", .public), after: ("11.0.0.0", .public)),
        Row(
            "100.64.0.0", "100.127.255.255", .private("a carrier's own"),
            before: ("100.63.255.255", .public), after: ("100.128.0.0", .public)),
        Row(
            "127.0.0.0", "127.255.255.255", .private("loopback"),
            before: ("126.255.255.255", .public), after: ("128.0.0.0", .public)),
        Row(
            "169.254.0.0", "169.254.255.255", .refused("link-local"),
            before: ("169.253.255.255", .public), after: ("169.255.0.0", .public)),
        Row(
            "172.16.0.0", "172.31.255.255", .private("private"),
            before: ("172.15.255.255", .public), after: ("172.32.0.0", .public)),
        Row(
            "192.0.0.0", "192.0.0.255", .private("reserved"),
            before: ("191.255.255.255", .public), after: ("192.0.1.0", .public)),
        Row(
            "192.0.2.0", "192.0.2.255", .private("reserved"),
            before: ("192.0.1.255", .public), after: ("192.0.3.0", .public)),
        Row(
            "192.88.99.0", "192.88.99.255", .private("reserved"),
            before: ("192.88.98.255", .public), after: ("192.88.100.0", .public)),
        Row(
            "192.168.0.0", "192.168.255.255", .private("private"),
            before: ("192.167.255.255", .public), after: ("192.169.0.0", .public)),
        Row(
            "198.18.0.0", "198.19.255.255", .private("reserved"),
            before: ("198.17.255.255", .public), after: ("198.20.0.0", .public)),
        Row(
            "198.51.100.0", "198.51.100.255", .private("reserved"),
            before: ("198.51.99.255", .public), after: ("198.51.101.0", .public)),
        Row(
            "203.0.113.0", "203.0.113.255", .private("reserved"),
            before: ("203.0.112.255", .public), after: ("203.0.114.0", .public)),
        Row(
            "224.0.0.0", "239.255.255.255", .refused("multicast"),
            before: ("223.255.255.255", .public), after: ("240.0.0.0", .private("reserved"))),
        Row(
            "240.0.0.0", "255.255.255.254", .private("reserved"),
            before: ("239.255.255.255", .refused("multicast")), after: ("255.255.255.255", .refused("broadcast"))),
        Row(
            "255.255.255.255", "255.255.255.255", .refused("broadcast"),
            before: ("255.255.255.254", .private("reserved")), after: nil),
        Row("::", "::", .refused("unspecified"), before: nil, after: ("::1", .private("loopback"))),
        Row(
            "::1", "::1", .private("loopback"),
            before: ("::", .refused("unspecified")), after: ("::2", .refused("unspecified"))),
        Row(
            "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .private("private"),
            before: ("64:ff9b:0:ffff:ffff:ffff:ffff:ffff", .public), after: ("64:ff9b:2::", .public)),
        Row(
            "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private("private"),
            before: ("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("fe00::", .public)),
        Row(
            "fd00:ec2::254", "fd00:ec2::254", .refused("a metadata service's"),
            before: ("fd00:ec2::253", .private("private")), after: ("fd00:ec2::255", .private("private"))),
        Row(
            "fd20:ce::254", "fd20:ce::254", .refused("a metadata service's"),
            before: ("fd20:ce::253", .private("private")), after: ("fd20:ce::255", .private("private"))),
        Row(
            "fd00:42::42", "fd00:42::42", .refused("a metadata service's"),
            before: ("fd00:42::41", .private("private")), after: ("fd00:42::43", .private("private"))),
        Row(
            "100.100.100.200", "100.100.100.200", .refused("a metadata service's"),
            before: ("100.100.100.199", .private("a carrier's own")),
            after: ("100.100.100.201", .private("a carrier's own"))),
        Row(
            "168.63.129.16", "168.63.129.16", .refused("a metadata service's"),
            before: ("168.63.129.15", .public), after: ("168.63.129.17", .public)),
        Row(
            "192.0.0.192", "192.0.0.192", .refused("a metadata service's"),
            before: ("192.0.0.191", .private("reserved")), after: ("192.0.0.193", .private("reserved"))),
        Row(
            "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .refused("link-local"),
            before: ("fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("fec0::", .private("private"))),
        Row(
            "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private("private"),
            before: ("febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .refused("link-local")),
            after: ("ff00::", .refused("multicast"))),
        Row(
            "100::", "100::ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("100:0:0:1::", .public)),
        Row(
            "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("2001:1:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("2001:2:1::", .public)),
        Row(
            "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("2001:f:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("2001:20::", .public)),
        Row(
            "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("2001:db9::", .public)),
        Row(
            "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("3fff:1000::", .public)),
        Row(
            "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private("reserved"),
            before: ("5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .public), after: ("5f01::", .public)),
        Row(
            "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .refused("multicast"),
            before: ("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .private("private")), after: nil),
    ]

    @Test(arguments: rows) func aRangeEndsWhereItEnds(row: Row) throws {
        for address in [row.first, row.last] {
            #expect(AddressScope(of: try #require(NetworkAddress(address))) == row.scope, "\(address)")
        }
        for (address, scope) in [row.before, row.after].compactMap({ $0 }) {
            #expect(AddressScope(of: try #require(NetworkAddress(address))) == scope, "\(address)")
        }
    }

    @Test(arguments: rows.filter { !$0.first.contains(":") })
    func anIPv6AddressThatHoldsIPv4IsJudgedAsIt(row: Row) throws {
        let ends = [(row.first, row.scope), (row.last, row.scope)] + [row.before, row.after].compactMap { $0 }
        for (text, scope) in ends where text != "0.0.0.0" {
            let bytes = try #require(NetworkAddress(text)).bytes
            for (form, address) in try Self.forms(of: bytes) {
                #expect(AddressScope(of: address) == scope, "\(form) of \(text): \(address.text)")
                let read = try #require(NetworkAddress(address.text))
                #expect(read == address)
            }
        }
    }

    private static func forms(of v4: [UInt8]) throws -> [(String, NetworkAddress)] {
        let pair = v4.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let hexadecimal = "\(pair[0])\(pair[1]):\(pair[2])\(pair[3])"
        let dotted = v4.map(String.init).joined(separator: ".")
        let inverted = v4.map { ~$0 }.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let client = "\(inverted[0])\(inverted[1]):\(inverted[2])\(inverted[3])"
        return try [
            ("mapped", "::ffff:\(dotted)"), ("mapped, as a pair", "::ffff:\(hexadecimal)"),
            ("mapped, in full", "0000:0000:0000:0000:0000:FFFF:\(hexadecimal)"), ("compatible", "::\(dotted)"),
            ("translated", "::ffff:0:\(dotted)"), ("NAT64", "64:ff9b::\(dotted)"),
            ("NAT64, as a pair", "64:ff9b::\(hexadecimal)"),
            ("6to4", "2002:\(hexadecimal)::1"), ("Teredo's client", "2001:0:808:808:0:0:\(client)"),
            ("Teredo's server", "2001:0:\(hexadecimal):0:0:f7f7:f7f7"),
        ].map { form, text in (form, try #require(NetworkAddress(text), "\(text)")) }
    }

    @Test(arguments: ["2001:4860:4860::8888", "2606:4700::1111", "2001:1::1", "2003::1", "8.8.8.8", "64:ff9b::8.8.8.8"])
    func otherAddressesArePublic(text: String) throws {
        #expect(AddressScope(of: try #require(NetworkAddress(text))) == .public)
    }
}

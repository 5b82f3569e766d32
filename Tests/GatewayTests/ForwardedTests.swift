import HTTPRouting
import MicroHTTP
import Testing

@testable import Gateway

/// Whom the proxies in front name as the client.
@Suite struct ForwardedTests {
    @Test(
        arguments: [
            (["192.0.2.7"], 1, "192.0.2.7"),
            (["6.6.6.6, 192.0.2.7"], 1, "192.0.2.7"),
            (["6.6.6.6, 192.0.2.7,10.0.0.1"], 2, "192.0.2.7"),
            (["6.6.6.6", "192.0.2.7", "10.0.0.1"], 2, "192.0.2.7"),
            (["192.0.2.7:4711"], 1, "192.0.2.7"),
            (["[2001:db8::1]:4711"], 1, "2001:db8::1"),
            (["2001:db8::1"], 1, "2001:db8::1"),
            (["::ffff:192.0.2.7"], 1, "192.0.2.7"),
            (["192.0.2.7"], 0, nil),
            (["192.0.2.7"], 2, nil),
            ([], 1, nil),
            (["192.0.2.7,"], 1, nil),
            (["192.0.2.7, unknown"], 1, nil),
            (["192.0.2.7, _hidden"], 1, nil),
            (["1.2.3"], 1, nil),
            ([""], 1, nil),
        ] as [([String], Int, String?)])
    func theClientStandsAtTheProxysPlace(values: [String], hops: Int, host: String?) {
        let headers = HTTPHeaders([("Host", "a")] + values.map { ("X-Forwarded-For", $0) })
        #expect(ForwardedClient.find(in: headers, hops: hops)?.host == host)
    }
}

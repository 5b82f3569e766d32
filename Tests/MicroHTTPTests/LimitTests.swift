import Testing

@testable import MicroHTTP

@Suite struct LimitTests {
    @Test(arguments: [(1_000_000, 16384, 12000), (16384, 16128, 12000), (1024, 768, 576), (256, 128, 96), (20, 10, 6)])
    func somePlacesStayForOthers(descriptors: Int, connections: Int, streams: Int) {
        let limits = Loop.limits(ServerConfiguration(listeners: []), descriptors: descriptors)
        #expect(limits == (connections, streams))
    }
}

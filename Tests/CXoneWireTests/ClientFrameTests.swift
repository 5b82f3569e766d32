import Testing

@testable import CXoneWire

@Suite struct ClientFrameTests {
    @Test(arguments: ClientExamples.ios) func readsAndWritesWhatIOSSends(example: Example<ClientFrame>) throws {
        try example.expectBothDirections()
    }

    @Test(arguments: ClientExamples.others) func readsWhatOtherFamiliesSend(example: Example<ClientFrame>) throws {
        try example.expectBothDirections()
    }
}

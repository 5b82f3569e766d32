import MicroHTTP
import Synchronization
import Testing

@testable import parley

/// Bodies that are passed on while they come.
@Suite(.timeLimit(.minutes(5))) struct ForwardedUploadTests {
    private func give(_ upload: ForwardedUpload, _ bytes: [UInt8]) -> BodyDemand {
        bytes.withUnsafeBytes { upload.receive($0) }
    }

    @Test func theBytesComeInTheirOrderAndThenTheEnd() async throws {
        let upload = ForwardedUpload(BodyFlow {})
        async let first = upload.next()
        #expect(give(upload, [1, 2]) == .more)
        #expect(try await first == [1, 2])
        #expect(give(upload, [3]) == .more)
        upload.complete()
        #expect(try await upload.next() == [3])
        #expect(try await upload.next() == nil)
    }

    @Test func theClientWaitsForWhoeverReads() async throws {
        let resumed = Mutex(0)
        let upload = ForwardedUpload(BodyFlow { resumed.withLock { $0 += 1 } })
        let piece = [UInt8](repeating: 7, count: 200 << 10)
        #expect(give(upload, piece) == .more)
        #expect(give(upload, piece) == .pause)
        #expect(try await upload.next()?.count == 2 * piece.count)
        #expect(resumed.withLock { $0 } == 1)
    }

    @Test func aBodyThatBreaksOffEndsTheCall() async throws {
        let upload = ForwardedUpload(BodyFlow {})
        _ = give(upload, [1])
        upload.abandoned()
        await #expect(throws: ForwardedUpload.Abandoned.self) { try await upload.next() }
    }

    @Test func whatComesAfterTheAnswerIsDropped() async throws {
        let resumed = Mutex(0)
        let upload = ForwardedUpload(BodyFlow { resumed.withLock { $0 += 1 } })
        let piece = [UInt8](repeating: 7, count: 300 << 10)
        #expect(give(upload, piece) == .pause)
        upload.drop()
        #expect(resumed.withLock { $0 } == 1)
        for _ in 0..<3 { #expect(give(upload, piece) == .more) }
        await #expect(throws: ForwardedUpload.Abandoned.self) { try await upload.next() }
    }
}

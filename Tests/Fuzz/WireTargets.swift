import CXoneWire

/// The platform's frames, in both directions, and the bodies of its HTTP.
let wireTargets = [
    Target("client-frames") { bytes in try fixpoint(ClientFrame.self, bytes) },
    Target("server-frames") { bytes in try fixpoint(ServerFrame.self, bytes) },
    Target("http-bodies") { bytes in
        guard let (read, rest) = bytes.choose(bodies) else { return }
        try read(rest)
    },
    Target("socket-queries") { bytes in
        guard let query = try? SocketQuery(query: bytes.text) else { return }
        try expect(try SocketQuery(query: query.query) == query, "\(query.query) is read as another query")
    },
]

private let bodies: [@Sendable ([UInt8]) throws -> Void] = [
    { try fixpoint(WireChannelConfiguration.self, $0) }, { try fixpoint(WireAvailability.self, $0) },
    { try fixpoint(PersistentMenu.self, $0) }, { try fixpoint(AttachmentUpload.self, $0) },
    { try fixpoint(AttachmentUploadAnswer.self, $0) }, { try fixpoint(WireVisitor.self, $0) },
    { try fixpoint(AnalyticsEvent.self, $0) }, { try fixpoint(TokenRequest.self, $0) },
    { try fixpoint(TokenAnswer.self, $0) }, { try fixpoint(ServiceFailure.self, $0) },
    { try fixpoint(StreamedDelta.self, $0) }, { try fixpoint(RemoteLogEntry.self, $0) },
]

/// What was understood can be said again, and then stays as it is.
private func fixpoint<T: WireDocument>(_ type: T.Type, _ bytes: [UInt8]) throws {
    guard let document = try? T(json: bytes, limit: WireLimit.frame) else { return }
    let written = document.encoded()
    // Of what is handed on as it came, a member may stand there twice.
    try expect((try? RawJSON(json: written)) != nil, "\(type) is written as what is no JSON: \(written.text)")
    let again: T
    do throws(WireError) {
        again = try T(json: written, limit: .max)
    } catch {
        throw BrokenRule(description: "\(type) does not read what it has written (\(error)): \(written.text)")
    }
    try expect(
        again.encoded() == written,
        "\(type) is written otherwise when read again: \(written.text) and \(again.encoded().text)")
}

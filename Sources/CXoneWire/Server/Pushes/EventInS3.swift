/// An event that is too large for a frame: it is fetched from `url`, without authentication, and read as a ``ServerFrame``.
public struct EventInS3: Sendable, Hashable, WireReadable, WireWritable {
    /// Signed.
    public var url: String
    /// The type of the event that waits there. Its `eventId` is the request's, unlike that of this frame.
    public var originEventType: String?
    public var originEventObject: String?

    public init(url: String, originEventType: String?, originEventObject: String? = nil) {
        self.url = url
        self.originEventType = originEventType
        self.originEventObject = originEventObject
    }

    public init(_ data: WireValue) throws(WireError) {
        url = try data.inside("s3Object") { value throws(WireError) in try value.required("url") }
        originEventType = data["originEvent"]?["eventType"]?.string
        originEventObject = data["originEvent"]?["eventObject"]?.string
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.object("s3Object") { $0.member("url", url) }
            writer.object("originEvent") { writer in
                writer.member("eventObject", ifPresent: originEventObject)
                writer.member("eventType", ifPresent: originEventType)
            }
        }
    }
}

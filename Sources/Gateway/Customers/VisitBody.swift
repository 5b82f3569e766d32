import Formats
import HTTPRouting

/// `{"page"?,"title"?,"referrer"?,"language"?,"timeZone"?,"screen"?}`: where a visitor comes from. Nobody checks it, so it is
/// cut and not refused.
struct VisitBody: RequestBody {
    private static let maximumLength = 512
    private static let names = ["page", "title", "referrer", "language", "timeZone", "screen"]
    let json: [UInt8]

    init(reading object: inout ObjectReader) {
        var json = JSONWriter()
        json.beginObject()
        for name in Self.names {
            guard var text = object.optional(name)?.string else { continue }
            if name == "page" || name == "referrer" {
                guard text.hasPrefix("https://") || text.hasPrefix("http://") else { continue }
                // Queries and fragments often have what is nobody's business.
                text = String(String.UnicodeScalarView(text.unicodeScalars.prefix { $0 != "?" && $0 != "#" }))
            }
            json.name(name)
            json.value(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumLength))))
        }
        json.endObject()
        self.json = json.bytes
    }

    /// The same with the browser and the system of the visitor, as far as the header tells; nil if there is nothing.
    static func adding(device: String, to visit: [UInt8]?) -> [UInt8]? {
        if device.isEmpty { return visit }
        var json = JSONWriter()
        json.beginObject()
        json.member("device", device)
        json.endObject()
        guard let visit, visit.count > 2 else { return json.bytes }
        return visit.dropLast() + [UInt8(ascii: ",")] + json.bytes.dropFirst()
    }
}

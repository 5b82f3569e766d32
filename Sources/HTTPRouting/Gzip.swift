import CZlib

/// The content coding gzip (RFC 9110, 8.4.1.3).
package enum Gzip {
    /// The coding's name in headers.
    package static let name = "gzip"

    /// Whether a client takes gzip, as it says in `Accept-Encoding` (RFC 9110, 12.5.3). Without the field it gets none:
    /// a plain client often cannot read it.
    ///
    /// - Parameter fields: the values of all fields of this name. Parts that are not well-formed are passed over.
    package static func isTaken(by fields: [String]) -> Bool {
        var isAnyTaken = false
        for part in fields.flatMap({ $0.split(separator: ",") }) {
            var scanner = ParameterScanner(String(part.drop { $0 == " " || $0 == "\t" }))
            guard let coding = scanner.token()?.lowercased(), let parameters = scanner.parameters() else { continue }
            let weight = parameters.first { $0.name == "q" }.map { Double($0.value) ?? 0 } ?? 1
            switch coding {
            // What names the coding itself decides; `*` is for those that are not named.
            case name, "x-gzip": return weight > 0
            case "*": isAnyTaken = weight > 0
            default: continue
            }
        }
        return isAnyTaken
    }

    /// The bytes as one gzip member, the same for the same bytes; nil when that is not shorter.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the format of gzip.
        let made = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard made == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        guard let size = UInt32(exactly: bytes.count), size > 0 else { return nil }
        // Room for what is shorter than the bytes, and for nothing else.
        var output = [UInt8](repeating: 0, count: bytes.count - 1)
        let state = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { room in
                // zlib does not write to its input; its header says so only if it is asked to.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = size
                stream.next_out = room.baseAddress
                stream.avail_out = size - 1
                return deflate(&stream, Z_FINISH)
            }
        }
        guard state == Z_STREAM_END else { return nil }
        // A copy that is no longer than it must be, because it is kept.
        return Array(output.dropLast(Int(stream.avail_out)))
    }
}

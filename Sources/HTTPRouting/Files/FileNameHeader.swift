import Formats
import MicroHTTP

/// Reads and writes the file name in `Content-Disposition` (RFC 6266). ``FileName`` says what a name may contain.
package enum FileNameHeader {
    /// The name that the header gives, cleaned by ``FileName``; `filename*` (RFC 8187) wins over `filename`.
    ///
    /// Without a header or without either parameter it is the name that ``FileName`` makes of an empty text. Throws
    /// `invalidHeader` for a header that is not well-formed.
    package static func read(_ header: String?) throws(Problem) -> String {
        guard let header else { return FileName.clean("") }
        var scanner = ParameterScanner(header)
        guard scanner.token() != nil, let parameters = scanner.parameters() else {
            throw Problem(
                .invalidHeader, "Content-Disposition must be like attachment; filename=\"name.ext\" (RFC 6266).")
        }
        if let extended = parameters.first(where: { $0.name == "filename*" })?.value {
            return FileName.clean(try decode(extended))
        }
        return FileName.clean(parameters.first { $0.name == "filename" }?.value ?? "")
    }

    /// Decodes `UTF-8'language'percent-encoded`, the extended value of RFC 8187; UTF-8 is the only accepted charset.
    private static func decode(_ value: String) throws(Problem) -> String {
        let malformed = Problem(.invalidHeader, "filename* is like UTF-8''na%C3%AFve.txt (RFC 8187).")
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { throw malformed }
        var bytes: [UInt8] = []
        var rest = parts[2].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2,
                rest.first != UInt8(ascii: "+")
            else { throw malformed }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw malformed }
        return name
    }

    /// The value of `Content-Disposition` for a stored name: `filename` in ASCII for old clients, and `filename*` with
    /// the whole name where the two differ.
    ///
    /// The name is cleaned again here, because names that were stored by an older version may contain characters that a
    /// header must not have.
    /// - Parameter isShown: `inline` if true, otherwise `attachment`.
    package static func disposition(_ name: String, isShown: Bool) -> String {
        let name = FileName.clean(name)
        let ascii = name.escapingScalars {
            (" "..."~").contains($0) && !"\"\\%".unicodeScalars.contains($0) ? nil : "_"
        }
        let kind = isShown ? "inline" : "attachment"
        return "\(kind); filename=\"\(ascii)\"" + (ascii == name ? "" : "; filename*=UTF-8''\(name.percentEncoded)")
    }
}

import Formats
import MicroHTTP

/// A file's name in headers; see ``FileName`` for what a name may be.
package enum FileNameHeader {
    /// What a `Content-Disposition` calls the file (RFC 6266, 8187). Throws `invalidHeader`.
    package static func read(_ header: String?) throws(Problem) -> String {
        guard let header else { return FileName.clean("") }
        var scanner = ParameterScanner(header)
        guard scanner.token() != nil, let parameters = scanner.parameters() else {
            throw Problem(.invalidHeader, "Content-Disposition is like attachment; filename=\"name.ext\" (RFC 6266).")
        }
        if let extended = parameters.first(where: { $0.name == "filename*" })?.value { return FileName.clean(try decode(extended)) }
        return FileName.clean(parameters.first { $0.name == "filename" }?.value ?? "")
    }

    /// `UTF-8'language'percent-encoded`
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
                  rest.first != UInt8(ascii: "+") else { throw malformed }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw malformed }
        return name
    }

    /// As a `Content-Disposition` says it: in ASCII for old readers, and whole. Names that were stored before the rule are
    /// cleaned here, so that whatever they are the header is sent and says what it should.
    package static func disposition(_ name: String, isShown: Bool) -> String {
        let name = FileName.clean(name)
        let ascii = String(name.map { $0.isASCII && $0 != "\"" && $0 != "\\" && $0 != "%" ? $0 : "_" })
        let kind = isShown ? "inline" : "attachment"
        return "\(kind); filename=\"\(ascii)\"" + (ascii == name ? "" : "; filename*=UTF-8''\(name.percentEncoded)")
    }
}

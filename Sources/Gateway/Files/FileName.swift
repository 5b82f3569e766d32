import MicroHTTP

/// A file's name: a label that people see, never a path.
enum FileName {
    static let fallback = "file"
    /// Bytes of UTF-8.
    static let maximumLength = 255

    /// What a `Content-Disposition` calls the file (RFC 6266, 8187). Throws `invalidHeader`.
    static func read(_ header: String?) throws(Problem) -> String {
        guard let header else { return fallback }
        var scanner = ParameterScanner(header)
        guard scanner.token() != nil, let parameters = scanner.parameters() else {
            throw Problem(.invalidHeader, "Content-Disposition is like attachment; filename=\"name.ext\" (RFC 6266).")
        }
        if let extended = parameters.first(where: { $0.name == "filename*" })?.value { return clean(try decode(extended)) }
        return clean(parameters.first { $0.name == "filename" }?.value ?? fallback)
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

    /// The last part of what may be a path, without what no name should have: controls, marks that turn the direction of writing.
    static func clean(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars {
            switch scalar.value {
            case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: continue
            default: break
            }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .unassigned: continue
            default: scalars.append(scalar)
            }
        }
        let trimmed = String(scalars).trimmingSpace
        guard !trimmed.isEmpty, !trimmed.allSatisfy({ $0 == "." }) else { return fallback }
        return shortened(trimmed)
    }

    /// Cut in the middle, so that a short extension stays.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        var start = name.dropLast(ending.count)
        while start.utf8.count + ending.utf8.count > maximumLength { start.removeLast() }
        return String(start + ending)
    }

    /// As a `Content-Disposition` says it: in ASCII for old readers, and whole. Names that a platform or another program
    /// has stored are cleaned here, so that whatever they are the header is sent and says what it should.
    static func disposition(_ name: String, isShown: Bool) -> String {
        let name = clean(name)
        let ascii = String(name.map { $0.isASCII && $0 != "\"" && $0 != "\\" && $0 != "%" ? $0 : "_" })
        let kind = isShown ? "inline" : "attachment"
        return "\(kind); filename=\"\(ascii)\"" + (ascii == name ? "" : "; filename*=UTF-8''\(Identifier.percentEncoded(name))")
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

import Formats
import Foundation

/// Files that a command reads to send them.
enum InputFile {
    /// All bytes of a file, or with `-` of standard input. Throws ``CommandFailure``.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let bytes = (try? handle?.readToEnd() ?? (handle == nil ? nil : Data())) else {
            throw .usage("\(path) cannot be read.")
        }
        return Array(bytes)
    }

    /// The bytes without the one line end at their end, if there is one: LF or CR LF.
    static func withoutEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Uploads a file, and returns the attachment's id. Throws ``CommandFailure``.
    ///
    /// - Parameter segments: of the path for uploads.
    static func upload(
        _ path: String, _ client: GatewayClient, to segments: [String]
    ) throws(CommandFailure) -> String {
        let name = path == "-" ? "file" : URL(fileURLWithPath: path).lastPathComponent
        let headers = [
            ("Content-Type", type(of: name)),
            ("Content-Disposition", "attachment; filename*=UTF-8''\(name.percentEncoded)"),
        ]
        let answer = try GatewayClient.json(
            client.call("POST", GatewayClient.path(segments), headers: headers, body: try read(path)))
        guard let id = answer.root["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no attachment.")
        }
        return id
    }

    /// The media type that belongs to the end of a name.
    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last?.lowercased() {
        case "txt", "log", "md": "text/plain"
        case "json": "application/json"
        case "pdf": "application/pdf"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "mp3": "audio/mpeg"
        case "mp4": "video/mp4"
        case "zip": "application/zip"
        default: "application/octet-stream"
        }
    }
}

/// Lines of standard input, read as they come. A line ends with LF or CR LF.
struct LineInput {
    private var bytes: [UInt8] = []
    private var lines: ArraySlice<String> = []
    private var isEnded = false

    /// Reads what is there, once, and returns the complete lines; nil at the end of the input. What stands behind the
    /// last line end is the last line.
    mutating func read() -> [String]? { fill() ? left() : nil }

    /// The lines that were read and not taken.
    mutating func left() -> [String] {
        defer { lines = [] }
        return Array(lines)
    }

    /// The next line, which is waited for; nil at the end of the input.
    mutating func next() -> String? {
        while true {
            if let line = lines.popFirst() { return line }
            if !fill() { return nil }
        }
    }

    /// Reads what is there, once. False at the end of the input.
    mutating func fill() -> Bool {
        if isEnded { return false }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        bytes += piece[..<count]
        if count == 0 {
            isEnded = true
            if bytes.isEmpty { return false }
            bytes.append(UInt8(ascii: "\n"))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return true }
        lines += bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        bytes.removeSubrange(...end)
        return true
    }
}

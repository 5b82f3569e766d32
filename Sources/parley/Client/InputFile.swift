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

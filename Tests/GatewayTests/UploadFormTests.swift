import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Testing

@testable import Gateway

/// What became of a body: the file, or the problem's status and code.
private struct Outcome: Equatable, CustomStringConvertible {
    var name: String?
    var mimeType: String?
    var file: [UInt8]?
    var status: Int?
    var code: String?
    var detail: String?

    var description: String {
        code.map { "\(status ?? 0) \($0): \(detail ?? "")" } ?? "\(name ?? "") \(mimeType ?? "") \(file?.count ?? 0)"
    }

    static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.mimeType == right.mimeType && left.file == right.file
            && left.status == right.status && left.code == right.code
    }

    init(_ pieces: [[UInt8]], _ headers: [(String, String)], _ restrictions: FileRestrictions = .embedded) {
        do {
            let request = HTTPRequest(method: "POST", target: "/", headers: headers)
            var body = try UploadBody(request, for: restrictions)
            var file: [UInt8] = []
            for piece in pieces { piece.withUnsafeBytes { body.read($0, into: &file) } }
            let head = try body.finish()
            (name, mimeType, self.file) = (head.name, head.mimeType, file)
        } catch let problem as Problem {
            (status, code, detail) = (problem.status, problem.kind.code, problem.detail)
        } catch {
            code = "\(error)"
        }
    }

    /// Of a form.
    init(_ body: String, _ restrictions: FileRestrictions = .embedded, _ headers: (String, String)...) {
        self.init([Array(body.utf8)], [("Content-Type", "multipart/form-data; boundary=XX")] + headers, restrictions)
    }
}

@Suite struct UploadFormTests {
    private static let head = HTTPRequest(
        method: "POST", target: "/", headers: [("Content-Type", "multipart/form-data; boundary=XX")])

    private static func form(_ headers: String, _ content: String = "hello", name: String = "file") -> String {
        let own = "Content-Disposition: form-data; name=\(name)\r\n"
        let disposition = headers.contains("Content-Disposition") ? "" : own
        return "--XX\r\n\(disposition)\(headers)\r\n\(content)\r\n--XX--\r\n"
    }

    /// Types and names, hostile ones among them, of which the form must make what the file alone makes.
    @Test(
        arguments: [
            ("image/png", "filename=\"plan.png\""), ("Text/HTML;Charset=utf-8", "filename=a.html"),
            ("text/plain", "filename=\"../../etc/passwd\""), ("text/plain", "filename=\"C:\\\\temp\\\\a.txt\""),
            ("text/plain", "filename=\"..\""), ("text/plain", "filename=\"\""),
            ("text/plain", "filename=\"a\\\"b.txt\""), ("text/plain", "filename=\"naïve \u{202E}gpj.exe\""),
            ("text/plain", "filename*=UTF-8''na%C3%AFve%20plan.txt"),
            ("text/plain", "filename=\"old.txt\"; filename*=utf-8'de'neu.txt"),
            ("text/plain", "filename*=UTF-8''a%0D%0AX-Evil%3A%201.txt"), ("text/plain", "filename*=UTF-8''a%00b.txt"),
            ("text/plain", "filename=\"\(String(repeating: "x", count: 400)).txt\""),
            ("text/plain", "filename*=a"), ("text/plain", "filename*=latin1''a"),
            ("text/plain", "filename*=UTF-8''%zz"), ("text/plain", "filename*=UTF-8''%C3"), ("text/plain", "x=y"),
            ("text", "filename=a"), ("text/", "filename=a"), ("text/plain; x", "filename=a"), ("", "filename=a"),
            ("application/x-www-form-urlencoded", "filename=a"), ("multipart/mixed; boundary=YY", "filename=a"),
            ("a/b; x=\"\(String(repeating: "x", count: 300))\"", "filename=a"),
        ])
    func aFormIsJudgedAsTheFileAlone(_ type: String, _ name: String) {
        let raw = Outcome(
            [Array("hello".utf8)], [("Content-Type", type), ("Content-Disposition", "attachment; \(name)")])
        let headers = "Content-Disposition: form-data; name=\"file\"; \(name)\r\nContent-Type: \(type)\r\n"
        let body = Array(Self.form(headers).utf8)
        for cut in 0...body.count {
            let boundary = [("Content-Type", "multipart/form-data; boundary=XX")]
            #expect(Outcome([Array(body[..<cut]), Array(body[cut...])], boundary) == raw)
        }
    }

    @Test func restrictionsHoldForAForm() {
        let strict = FileRestrictions(isAttachmentsEnabled: true, maximumSize: 5, allowedTypes: ["image/*"])
        let png = "Content-Type: image/png\r\n"
        #expect(Outcome(Self.form(png), strict).file == Array("hello".utf8))
        let large = Outcome(Self.form(png, "hello!"), strict)
        #expect((large.status, large.code) == (413, "invalidFileSize"))
        let other = Outcome(Self.form("Content-Type: text/plain\r\n"), strict)
        #expect((other.status, other.code) == (422, "invalidFileType"))
        let off = FileRestrictions(isAttachmentsEnabled: false, maximumSize: 5, allowedTypes: ["image/*"])
        #expect(throws: Problem.self) {
            // Before any of the body comes.
            try UploadBody(Self.head, for: off)
        }
    }

    @Test func aFormHasRoomForTheFileAndItsHeaders() throws {
        let body = try UploadBody(Self.head, for: .embedded)
        #expect(body.limit(1000) == 1000 + UploadForm.allowance)
        #expect(body.limit(.max) == .max)
    }

    @Test func aFileWithoutNameAndTypeHasTheUsualOnes() {
        let plain = Outcome(Self.form(""))
        #expect((plain.name, plain.mimeType) == ("file", "application/octet-stream"))
    }

    @Test func theRequestsOwnNameWins() {
        let body = Self.form("Content-Disposition: form-data; name=file; filename=blob\r\n")
        #expect(Outcome(body).name == "blob")
        #expect(Outcome(body, .embedded, ("Content-Disposition", "attachment; filename=\"a.txt\"")).name == "a.txt")
        #expect(Outcome(body, .embedded, ("Content-Disposition", "nonsense nonsense")).code == "invalidHeader")
    }

    @Test(
        arguments: [
            ("--XX--", 400, "invalidForm", "no field file"), (form("") + "more", 0, nil, nil),
            (form("", name: "photo"), 422, "unknownMember", "one field: file"),
            (form("", name: "\"\""), 422, "unknownMember", "one field: file"),
            (
                "--XX\r\nContent-Disposition: form-data; name=file\r\n\r\na\r\n" + form(""), 400, "invalidForm",
                "two files"
            ),
            (
                "--XX\r\nContent-Disposition: form-data; name=file\r\n\r\na\r\n" + form("", name: "x"), 422,
                "unknownMember", "one field: file"
            ),
            (form("").replacing("--XX--", with: ""), 400, "invalidForm", "ends early"),
            ("hello", 400, "invalidForm", "No line"),
            ("--XX\r\nX: \(String(repeating: "x", count: 9000))\r\n", 400, "invalidForm", "more than 8192"),
        ] as [(String, Int, String?, String?)])
    func aFormWithAnythingElseIsRefused(_ body: String, _ status: Int, _ code: String?, _ detail: String?) {
        let outcome = Outcome(body)
        #expect(outcome.code == code && outcome.status ?? 0 == status, "\(outcome)")
        if let detail { #expect(outcome.detail?.contains(detail) == true, "\(outcome)") }
    }

    @Test(arguments: ["multipart/form-data", "multipart/form-data; boundary=\"\"", "Multipart/Form-Data; x=y"])
    func aFormNeedsABoundary(_ type: String) {
        let outcome = Outcome([Array(Self.form("").utf8)], [("Content-Type", type)])
        #expect((outcome.status, outcome.code) == (400, "invalidForm"))
        #expect(outcome.detail?.contains("boundary") == true)
    }

    @Test(arguments: ["multipart/mixed; boundary=XX", "application/x-www-form-urlencoded"])
    func anotherFormIsNotTakenForAFile(_ type: String) {
        let outcome = Outcome([Array(Self.form("").utf8)], [("Content-Type", type)])
        #expect((outcome.status, outcome.code) == (415, "unsupportedMediaType"))
        #expect(outcome.detail?.contains("curl -F file=@photo.png") == true)
    }

    /// After a fault nothing of the body is kept, however much comes.
    @Test func nothingIsKeptAfterAFault() throws {
        var body = try UploadBody(Self.head, for: .embedded)
        var file: [UInt8] = []
        let bytes = Array((Self.form("", name: "photo") + Self.form("")).utf8)
        for byte in bytes { [byte].withUnsafeBytes { body.read($0, into: &file) } }
        #expect(file.isEmpty)
    }
}

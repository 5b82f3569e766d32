import Formats

/// A file of a message.
package struct SendbirdFile: SendbirdShape {
    package var url: String
    package var name: String
    /// Its media type.
    package var type: String
    package var size: Int64
    package var data: String

    /// Of one message.
    package static let most = 30

    package init(url: String, name: String, type: String, size: Int64, data: String = "") {
        (self.url, self.name, self.type, self.size, self.data) = (url, name, type, size, data)
    }

    /// Reads both spellings: that of one file, and that of several. Nil without a URL.
    package init?(_ value: SendbirdValue) {
        guard let url = value.text("url"), !url.isEmpty else { return nil }
        self.init(
            url: url, name: value.text("name") ?? value.text("file_name") ?? "",
            type: value.text("type") ?? value.text("file_type") ?? "",
            size: max(0, value.number("size") ?? value.number("file_size") ?? 0), data: value.text("data") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("url", url)
            json.member("name", name)
            json.member("type", type)
            json.member("size", size)
            json.member("data", data)
        }
    }

    /// The file as one of several is written.
    struct InList: SendbirdShape {
        private let file: SendbirdFile

        init(_ file: SendbirdFile) { self.file = file }

        init?(_ value: SendbirdValue) {
            guard let file = SendbirdFile(value) else { return nil }
            self.init(file)
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("url", file.url)
                json.member("file_name", file.name)
                json.member("file_type", file.type)
                json.member("file_size", file.size)
                json.member("thumbnails", [] as [String])
                json.member("require_auth", false)
            }
        }
    }
}

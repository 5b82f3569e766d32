import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The pictures of people and of channels: customers see them, so everybody may read one whose address they know.
struct PictureRoutes: RouteGroup {
    static func path(_ digest: [UInt8]) -> String { Picture.path(digest) }

    var routes: [Route] {
        [
            Route(
                .get, "/pictures/{digest}", "getPicture", access: .open,
                handler: .aside { call in
                    guard let digest = Picture.digest(ofPath: call.request.path),
                        let picture = try await call.core.store.read({ try $0.picture(digest) })
                    else { throw Problem(.notFound, "There is no such picture.") }
                    return HTTPResponse(
                        status: 200,
                        headers: [
                            ("Content-Type", picture.type), ("Cache-Control", "public, max-age=31536000, immutable"),
                            ("Content-Security-Policy", "default-src 'none'; sandbox"),
                        ], body: .bytes(picture.bytes))
                }
            ).forCustomers()
        ] + routes(of: "/v1/people/{person}/picture", "Person", access: .administer) { $0.parameters["person"] }
            + routes(of: "/v1/me/picture", "Own", access: .person) { try $0.me.id }
    }

    /// - Parameter id: the person whose picture it is.
    private func routes(
        of path: String, _ name: String, access: Access, _ id: @escaping @Sendable (Call) throws -> String
    ) -> [Route] {
        [
            Route(
                .put, path, "set\(name)Picture", access: access,
                body: .foreign(limit: Picture.maximumByteCount),
                handler: .aside { call in
                    let (picture, id) = (try call.picture, try id(call))
                    try await call.core.people.change(
                        id, call.audit("person.changed", id) { $0.member("picture", true) }
                    ) {
                        try $1.setPicture(picture, ofPerson: $0.id)
                    }
                    return call.json { json in
                        json.beginObject()
                        json.member("picture", Self.path(picture.digest))
                        json.endObject()
                    }
                }),
            Route(
                .delete, path, "delete\(name)Picture", access: access,
                handler: .aside { call in
                    let id = try id(call)
                    try await call.core.people.change(
                        id, call.audit("person.changed", id) { $0.member("picture", false) }
                    ) {
                        try $1.setPicture(nil, ofPerson: $0.id)
                    }
                    return call.noContent()
                }),
        ]
    }
}

extension Call {
    /// The picture that is the request's body. Throws `unsupportedMediaType` for what is none.
    var picture: Picture {
        get throws(Problem) {
            let bytes = request.body
            guard let type = PictureType.of(bytes) else {
                throw Problem(.unsupportedMediaType, "A picture is a PNG, a JPEG, a WebP or a GIF.")
            }
            return Picture(digest: SHA256.hash(bytes), type: type, bytes: bytes)
        }
    }
}

/// Which pictures are taken, by their first bytes: what a client calls them does not count. SVG is none of them, because it
/// may hold scripts.
enum PictureType {
    static func of(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return "image/gif" }
        return nil
    }
}

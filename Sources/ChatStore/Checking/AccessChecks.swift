import ChatModel
import Formats

extension StoreCheck {
    /// Who is let in, and what they did.
    static let access = [
        StoreCheck(name: "keys") { look in
            try look.eachText(
                AccessKey.columns, of: "accessKey", { row in (row.text(0), Result { try AccessKey(row: row) }) }
            ) { id, found in
                guard let key = look.decoded("key \(id)", found.get) else { return }
                look.checkDigest("key \(id)", "digest", key.digest)
                look.checkDigest("key \(id)", "previousDigest", key.previousDigest)
            }
        },
        StoreCheck(name: "people") { look in
            try look.eachText(
                Person.columnsWithPicture, of: "person",
                { row in (row.text(0), row.text(1), Result { try Person(row: row) }) }
            ) { id, email, found in
                guard let person = look.decoded("person \(id)", found.get) else { return }
                _ = look.decoded("person \(id), settings") { try JSONText(person.settings) }
                look.compareText("person \(id)", "email", email, person.email)
            }
            try look.find(
                "id", in: "person",
                where: """
                    EXISTS (SELECT 1 FROM person other WHERE other.id <> person.id
                        AND (other.proxyName = person.email OR other.proxyName = person.proxyName))
                    """
            ) { "person \($0): a proxy tells of another person by the same name" }
            try look.find(
                "id", in: "person",
                where: """
                    picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM picture WHERE picture.digest = person.picture)
                    """
            ) { "person \($0): the picture is missing" }
            try look.find(
                "CAST(length(bytes) AS text)", in: "picture",
                where: """
                    length(digest) <> \(AccessDigest.byteCount) OR length(bytes) > \(Picture.maximumByteCount)
                    """
            ) { "a picture of \($0) bytes has no digest, or is too large" }
            try look.checkLogos()
        },
        StoreCheck(name: "logins") { look in
            try look.eachText(Login.columns, of: "login", Login.init) { login in
                look.checkDigest("login \(login.id)", "cookieDigest", login.cookieDigest)
                look.checkDigest("login \(login.id)", "pageDigest", login.pageDigest)
            }
            try look.find(
                "id", in: "login",
                where: "person <> '' AND NOT EXISTS (SELECT 1 FROM person WHERE person.id = login.person)"
            ) { "login \($0): its person is missing" }
            try look.find(
                "person", in: "invitation",
                where: """
                    length(digest) <> \(AccessDigest.byteCount)
                    OR NOT EXISTS (SELECT 1 FROM person WHERE person.id = invitation.person)
                    """
            ) { "person \($0) is missing, and has an invitation; or its digest is none" }
        },
        StoreCheck(name: "audit") { look in
            try look.each("number, detail", of: "audit", { (number: $0.integer(0), detail: $0.blob(1)) }) { row in
                _ = look.decoded("entry \(row.number)") { try JSONText(row.detail) }
            }
        },
    ]
}

extension Inspection {
    /// Reports what cannot be a SHA-256.
    fileprivate func checkDigest(_ name: String, _ column: String, _ digest: [UInt8]?) {
        if let digest, digest.count != AccessDigest.byteCount {
            report("\(name): \(column) has \(digest.count) bytes, and should have \(AccessDigest.byteCount)")
        }
    }
}

extension Inspection {
    /// A picture is a person's or a channel's, and none that a channel names is missing.
    fileprivate func checkLogos() throws {
        let channels = try db.all("/* check */ SELECT json FROM channel", []) { $0.blob(0) }
        let logos = Set(
            channels.compactMap { json in
                (try? Channel(canonicalJSON: json))?.appearance?.logo.flatMap(Picture.digest(ofPath:))
            })
        for digest in logos where try !exists("SELECT 1 FROM picture WHERE digest = ?", [.blob(digest)]) {
            report("a channel: the logo is missing")
        }
        let others = try db.all(
            """
            /* check */ SELECT digest, CAST(length(bytes) AS text) FROM picture
            WHERE NOT EXISTS (SELECT 1 FROM person WHERE person.picture = picture.digest)
            """, []
        ) { (digest: $0.blob(0), size: $0.text(1)) }
        for picture in others where !logos.contains(picture.digest) {
            report("a picture of \(picture.size) bytes has neither a person nor a channel")
        }
    }
}

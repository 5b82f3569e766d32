import ChatModel
import ChatStore
import Formats

/// What has the form of a SHA-256, and is another one for each text.
func sampleDigest(_ text: String) -> [UInt8] { Array((Array(text.utf8) + [UInt8](repeating: 0, count: 32)).prefix(32)) }

func sampleKey(_ id: String, createdAt: Timestamp) -> AccessKey {
    AccessKey(
        id: id, name: "Prometheus", digest: sampleDigest(id), scopes: ["metrics.read"], createdAt: createdAt,
        createdBy: "gateway")
}

func samplePerson(
    _ id: String, role: PersonRole = .agent, state: PersonState = .active, createdAt: Timestamp
) -> Person {
    Person(
        id: id, email: "\(id)@shop.example", name: id.uppercased(), role: role, state: state, createdAt: createdAt)
}

/// Ends an hour after it was made.
func sampleLogin(_ id: String, of person: String, createdAt: Timestamp) -> Login {
    Login(
        id: id, person: person, cookieDigest: sampleDigest("cookie " + id), pageDigest: sampleDigest("page " + id),
        how: "password", label: "Firefox", createdAt: createdAt, expiresAt: createdAt.advanced(bySeconds: 3600))
}

/// Expires an hour after it was made.
func sampleInvitation(_ code: String, of person: String, createdAt: Timestamp) -> Invitation {
    Invitation(
        digest: sampleDigest(code), person: person, createdAt: createdAt,
        expiresAt: createdAt.advanced(bySeconds: 3600), createdBy: "gateway")
}

func samplePicture(_ text: String, byteCount: Int = 10) -> Picture {
    Picture(digest: sampleDigest(text), type: "image/png", bytes: [UInt8](repeating: 7, count: byteCount))
}

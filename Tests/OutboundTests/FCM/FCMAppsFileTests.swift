import ChatModel
import Testing

@testable import Outbound

@Suite struct FCMAppsFileTests {
    private func apps(_ json: String) throws -> [FCMApp] { try FCMAppsFile.parse(Array(json.utf8)) }

    @Test func readsAnApp() throws {
        let app = try #require(try apps(#"[{"project":"example-shop","account":"a.json"}]"#).first)
        #expect(app == FCMApp(project: "example-shop", accountPath: "a.json"))
        #expect(app.url == "https://fcm.googleapis.com" && !app.isDataOnly && app.serves(channel: "any"))
        let other = try #require(
            try apps(
                #"[{"project":"p-1","account":"a","data only":true,"channels":["main"],"url":"https://localhost:1/","ca":"c"}]"#
            ).first)
        #expect(other.isDataOnly && other.url == "https://localhost:1" && other.caPath == "c")
        #expect(other.serves(channel: "main") && !other.serves(channel: "shop"))
    }

    @Test(arguments: [
        (#"[{"account":"a"}]"#, "/0/project"), (#"[{"project":"a/b","account":"a"}]"#, "/0/project"),
        (#"[{"project":"..","account":"a"}]"#, "/0/project"), (#"[{"project":"p"}]"#, "/0/account"),
        (#"[{"project":"p","account":""}]"#, "/0/account"),
        (#"[{"project":"p","account":"a","data only":1}]"#, "/0/data only"),
        (#"[{"project":"p","account":"a","url":"http://localhost"}]"#, "/0/url"),
        (#"[{"project":"p","account":"a","url":"https://localhost/x"}]"#, "/0/url"),
        (#"[{"project":"p","account":"a","ca":"c"}]"#, "/0/ca"),
        (#"[{"project":"p","account":"a","key":1}]"#, "/0/key"),
        (#"[{"project":"p","account":"a"},{"project":"p","account":"b","channels":["x"]}]"#, "/1/project"),
        ("[]", ""), ("{}", ""), ("[", ""),
    ])
    func aFaultIsNamed(json: String, pointer: String) throws {
        let error = try #require(throws: InvalidMembers.self) { try apps(json) }
        #expect(error.faults.map(\.pointer) == [pointer])
    }

    @Test func oneProjectMayStandTwiceWithOtherChannels() throws {
        let json = #"[{"project":"p","account":"a","channels":["x"]},{"project":"p","account":"a","channels":["y"]}]"#
        #expect(try apps(json).count == 2)
    }
}

@Suite struct FCMAccountTests {
    @Test func readsTheFileOfGoogle() throws {
        let account = try FCMAccount(FCMAccount.exampleFile())
        #expect(account.email == "push@example-shop.iam.gserviceaccount.com" && account.keyID == "9f8e7d6c")
        #expect(account.tokenURL.url == FCMAccount.exampleTokenURL)
        #expect("\(account)" == "FCMAccount")
    }

    @Test(arguments: [
        ("type", "authorized_user"), ("private_key", "SECRET"), ("token_uri", "http://localhost/"),
        ("client_email", "a b"), ("private_key_id", "a\r\nb"),
    ])
    func aFaultIsNamedWithoutItsValue(member: String, value: String) throws {
        let file = try FCMAccount.exampleFile { $0[member] = value }
        let error = try #require(throws: InvalidMembers.self) { try FCMAccount(file) }
        #expect(error.faults.map(\.pointer) == ["/\(member)"])
        #expect(!error.description.contains(value))
    }

    @Test func aMemberThatIsMissingIsNamed() throws {
        for member in ["type", "client_email", "private_key", "token_uri"] {
            let file = try FCMAccount.exampleFile { $0[member] = nil }
            let error = try #require(throws: InvalidMembers.self) { try FCMAccount(file) }
            #expect(error.faults.map(\.pointer) == ["/\(member)"])
        }
    }

    @Test func aFileThatIsNoObjectOrTooLongIsRefused() {
        #expect(throws: InvalidMembers.self) { try FCMAccount(Array("[]".utf8)) }
        #expect(throws: InvalidMembers.self) {
            try FCMAccount(FCMAccount.exampleFile { $0["x"] = String(repeating: "x", count: FCMAccount.maximumLength) })
        }
    }
}

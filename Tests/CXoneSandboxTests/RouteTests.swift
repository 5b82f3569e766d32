import Chat
import ChatModel
import CXoneWire
import Formats
import Glibc
import HTTPRouting
import MicroHTTP
import Testing
import WireSupport

@testable import CXoneSandbox

/// The sandbox's routes, in an application that is not the gateway.
@Suite struct RouteTests {
    private func answer(
        _ method: String, _ target: String, _ body: String = "", in scene: Scene
    ) async throws -> (status: Int, json: JSONValue) {
        var request = HTTPRequest(method: method, target: target, headers: [("Host", "localhost:8787")])
        request.body = Array(body.utf8)
        let response = try await SandboxApplication(scene.sandbox).answer(to: request)
        guard case .bytes(let bytes) = response.body else { return (response.status, .null) }
        return (response.status, try JSONParser.parse(bytes))
    }

    @Test func aFaultIsListedAsItWasAskedFor() async throws {
        try await Scene.run { scene in
            let asked = "{\"kind\":\"refuse\",\"customer\":\"ada\",\"count\":2,\"errorCode\":\"SendingMessageFailed\"}"
            let made = try await answer("POST", "/v1/sandbox/faults", asked, in: scene)
            #expect(made.status == 201 && made.json["customer"]?.string == "ada" && made.json["count"]?.integer == 2)
            #expect(scene.sandbox.faults.pending.map(\.kind) == [.refuse])
            let listed = try await answer("GET", "/v1/sandbox/faults", in: scene).json["items"]?.array
            #expect(listed == [made.json])
            #expect(try await answer("DELETE", "/v1/sandbox/faults", in: scene).status == 204)
            #expect(scene.sandbox.faults.pending.isEmpty)
        }
    }

    @Test func anUnknownMemberOfAFaultIsAProblem() async throws {
        try await Scene.run { scene in
            let error = await #expect(throws: Problem.self) {
                _ = try await answer("POST", "/v1/sandbox/faults", "{\"kind\":\"refuse\",\"x\":1}", in: scene)
            }
            #expect(error?.items.map(\.pointer) == ["/x"])
        }
    }

    @Test func thePlatformsPathsAnswerAsThePlatform() async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi"), brand = scene.sandbox.brandID
            let channel = "/chat/1.0/brand/\(brand)/channel/\(face.id)"
            #expect(try await answer("GET", "\(channel)/availability", in: scene).status == 200)
            let other = try await answer("GET", "/chat/1.0/brand/\(brand + 1)/channel/\(face.id)", in: scene)
            #expect(other.status == 404 && other.json["error"]?["errorCode"]?.string == "InconsistentData")
            await #expect(throws: ChatError.self) {
                _ = try await answer("GET", "/chat/1.0/brand/\(brand)/attachments/none", in: scene)
            }
        }
    }

    /// Code for the web SDK takes all of it for given.
    @Test func aChannelsInfoHasWhatPagesRead() async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi"), brand = scene.sandbox.brandID
            let info = try await answer("GET", "/chat/1.0/brand/\(brand)/channel/\(face.id)", in: scene).json
            for name in ["translations", "colors", "widget"] { #expect(info[name]?.members != nil, "\(name)") }
            #expect(info["popups"]?.array?.isEmpty == true)
            #expect(info["settings"]?["liveChatShowOfflineForm"]?.bool == false)
        }
    }

    @Test func theMenuIsWhatTheDeskHasMadeOfIt() async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi"), brand = scene.sandbox.brandID
            let path = "/chat/1.0/brand/\(brand)/channel/\(face.id)/persistent-menu-items"
            #expect(try await answer("GET", path, in: scene).json.array?.isEmpty == true)
            var settings = ChannelSettings()
            settings.menu = [MenuItem(id: "1", label: "Orders", postback: "/orders"), MenuItem(id: "2", label: "Help")]
            _ = try await scene.desk.update(channel: "multi", settings)
            let menu = try await answer("GET", path, in: scene).json.array ?? []
            #expect(menu.map { $0["label"]?.string } == ["Orders", "Help"])
            #expect(menu.map { $0["postback"]?.string } == ["/orders", nil])
            #expect(try await scene.service.menu(of: "multi") == settings.menu)
        }
    }

    @Test func anIdentityTokenStandsForACookie() async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi", .secured)
            let path =
                "/oauth/token?brandId=\(scene.sandbox.brandID)&channelId=\(face.id)&visitorId=v&storageFallback=1"
            func visit(_ body: String, _ query: String = "") async throws -> (customer: String?, token: String?) {
                let json = try await answer("POST", path + query, body, in: scene).json
                return (json["customerIdentity"]?["idOnExternalPlatform"]?.string, json["identityToken"]?.string)
            }
            let first = try await visit("{}")
            let token = try #require(first.token)
            scene.environment.advance(milliseconds: 7 * 24 * 3_600_000)
            #expect(try await visit("{\"identityToken\":\"\(token)\"}").customer == first.customer)
            #expect(try await visit("{}", "&identityToken=\(token)").customer == first.customer)
            #expect(try await visit("{}").customer != first.customer)
            #expect(try await visit("{\"identityToken\":\"\(token)x\"}").customer != first.customer)
        }
    }

    /// A copy for each message would let one link fill the disk.
    @Test func oneUploadIsInOneMessageOnly() async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi")
            let channel = "/chat/1.0/brand/\(scene.sandbox.brandID)/channel/\(face.id)"
            let url = try #require(
                try await answer(
                    "POST", "\(channel)/attachment",
                    "{\"content\":\"iVBORw==\",\"fileName\":\"a.png\",\"mimeType\":\"image/png\"}", in: scene
                ).json["fileUrl"]?.string)
            let ada = try await scene.client("ada"), bob = try await scene.client("bob")
            for (client, id, isTaken) in [(ada, "m1", true), (ada, "m1", true), (ada, "m2", false), (bob, "m1", false)]
            {
                let answer = try await client.ask(
                    .sendMessage(
                        SendMessage(
                            thread: ThreadReference(id: "t1"), content: .text(""), id: id,
                            attachments: [
                                WireAttachment(url: url, friendlyName: "a", mimeType: "image/png", fileName: "a.png")
                            ])))
                #expect(answer.isAcknowledged == isTaken && (answer.errorCode != nil) != isTaken, "\(id)")
            }
            guard case .answer(.threadRecovered(let thread), _) = try await ada.ask(.recoverThread(.init(id: "t1")))
            else { throw Missing() }
            #expect(thread.messages.map(\.id) == ["m1"])
            let files = thread.messages.flatMap(\.attachments)
            #expect(files.map(\.url) == [url] && files.allSatisfy { $0.fileName == "a.png" })
            for file in files { #expect(file.permanentURL == file.url && file.previewURL == file.url) }
            for file in files {
                let id = try #require(FileLink.attachment(file.url, brand: scene.sandbox.brandID))
                let open = try await scene.sandbox.attachment(id)
                defer { close(open.descriptor) }
                var bytes = [UInt8](repeating: 0, count: 8)
                #expect(read(open.descriptor, &bytes, 8) == 4 && bytes.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
            }
        }
    }

    private struct Missing: Error {}

    @Test func theGroupSaysHowClientsArePointedHere() async throws {
        try await Scene.run { scene in
            let request = HTTPRequest(method: "GET", target: "/v1/info", headers: [("Host", "chat.example:1")])
            var json = JSONWriter()
            json.beginObject()
            await SandboxRoutes<SandboxApplication>(scene.sandbox).describe(to: request, of: .nobody, in: &json)
            json.endObject()
            let sandbox = try JSONParser.parse(json.bytes)["sandbox"]
            #expect(sandbox?["socket"]?.string == "ws://chat.example:1/socket")
            #expect(sandbox?["brandId"]?.integer == Int64(scene.sandbox.brandID))
            #expect(sandbox?["channels"]?.array?.isEmpty == false)
        }
    }
}

import ChatModel
import Formats
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
            #expect(scene.sandbox.pendingFaults.map(\.kind) == [.refuse])
            let listed = try await answer("GET", "/v1/sandbox/faults", in: scene).json["items"]?.array
            #expect(listed == [made.json])
            #expect(try await answer("DELETE", "/v1/sandbox/faults", in: scene).status == 204)
            #expect(scene.sandbox.pendingFaults.isEmpty)
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

    @Test func theGroupSaysHowClientsArePointedHere() async throws {
        try await Scene.run { scene in
            let request = HTTPRequest(method: "GET", target: "/v1/info", headers: [("Host", "chat.example:1")])
            var json = JSONWriter()
            json.beginObject()
            SandboxRoutes<SandboxApplication>(scene.sandbox).describe(to: request, in: &json)
            json.endObject()
            let sandbox = try JSONParser.parse(json.bytes)["sandbox"]
            #expect(sandbox?["socket"]?.string == "ws://chat.example:1/socket")
            #expect(sandbox?["brandId"]?.integer == Int64(scene.sandbox.brandID))
            #expect(sandbox?["channels"]?.array?.isEmpty == false)
        }
    }
}

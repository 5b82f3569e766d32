import Chat
import CXoneSandbox
import Gateway
import HTTPRouting
import MicroHTTP

/// The sandbox as the gateway sees it: neither knows the other.
struct SandboxFace: SandboxPlatform {
    let sandbox: Sandbox

    func answer(_ operation: SandboxOperation, _ request: HTTPRequest, _ parameters: PathParameters) async -> HTTPResponse {
        let (brand, channel) = (parameters["brand"], parameters["channel"])
        return switch operation {
        case .configuration: await sandbox.configuration(of: channel, brand: brand, to: request)
        case .availability: await sandbox.availability(of: channel, brand: brand)
        case .menu: await sandbox.menu(of: channel, brand: brand)
        case .upload: await sandbox.upload(to: channel, brand: brand, request)
        case .visitor: await sandbox.visitor(parameters["visitor"], brand: brand, request.body)
        case .visitorEvents: await sandbox.visitorEvent(request.body, brand: brand)
        case .token: await sandbox.token(request)
        case .largeEvent: await sandbox.largeEvent(parameters["event"], brand: brand)
        }
    }

    func attachment(_ id: String) async throws -> OpenAttachment { try await sandbox.attachment(id) }
    func open(_ request: HTTPRequest) -> HTTPResponse { sandbox.open(request) }
    func isSocket(_ request: HTTPRequest) -> Bool { Sandbox.isSocket(request) }

    var brandID: Int { sandbox.brandID }
    func channels() throws -> [(id: String, channel: String, authorization: String)] {
        try sandbox.channels().map { ($0.id, $0.channel, $0.authorization.rawValue) }
    }

    func faults() -> [SandboxFault] {
        sandbox.pendingFaults.compactMap { fault in
            SandboxFault.Kind(rawValue: fault.kind.rawValue).map { kind in
                SandboxFault(
                    id: fault.id, kind: kind, customer: fault.customer, event: fault.event, count: fault.count,
                    milliseconds: fault.milliseconds, errorCode: fault.errorCode)
            }
        }
    }

    func add(_ fault: SandboxFault) -> Bool {
        guard let kind = Fault.Kind(rawValue: fault.kind.rawValue) else { return false }
        return sandbox.add(Fault(
            id: fault.id, kind: kind, customer: fault.customer, event: fault.event, count: fault.count,
            milliseconds: fault.milliseconds, errorCode: fault.errorCode))
    }

    func removeFaults() { sandbox.removeFaults() }
    func makeID() -> String { sandbox.makeID() }
}

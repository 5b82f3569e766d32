import HTTPClientPort

extension AddressRules {
    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: Registrar) -> ConnectionJudge {
        { target in
            let host = target.host.contains(":") ? "[\(target.host)]" : target.host
            let address = try TargetAddress("\(target.scheme)://\(host):\(target.port)/")
            let resolved = target.addresses.compactMap { IPAddress(networkBytes: $0.bytes) }
            let permitted = Set(try permitted(resolved, of: address, by: registrar).map(\.bytes))
            return target.addresses.filter { permitted.contains($0.bytes) }
        }
    }
}

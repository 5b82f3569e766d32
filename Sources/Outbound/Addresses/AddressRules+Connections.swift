import HTTPClientPort

extension AddressRules {
    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: Registrar) -> ConnectionJudge {
        { target in
            let host = target.host.contains(":") ? "[\(target.host)]" : target.host
            let address = try TargetAddress("\(target.scheme)://\(host):\(target.port)/")
            return try permitted(target.addresses, of: address, by: registrar)
        }
    }
}

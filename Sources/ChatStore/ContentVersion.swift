import ChatModel

/// Versions of what has no number that grows: a hash of what is there. What has changed and changed back has its first
/// version again, which does no harm to one who saw that.
public enum ContentVersion {
    public static func of(_ customer: Customer) -> Int64 {
        version { $0.add(String(decoding: customer.canonicalJSON, as: UTF8.self)) }
    }

    public static func of(_ fields: [String: String]) -> Int64 {
        version { hash in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                hash.add(name)
                hash.add(value)
            }
        }
    }

    /// Not negative, as entity tags want it.
    private static func version(_ add: (inout StableHash) -> Void) -> Int64 {
        var hash = StableHash()
        add(&hash)
        return Int64(hash.value >> 1)
    }
}

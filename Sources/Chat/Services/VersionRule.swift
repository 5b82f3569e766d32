import ChatModel
import ChatStore

/// What `If-Match` asks for (RFC 9110, section 13.1.1), inside the unit that writes.
public enum VersionRule {
    /// Throws `preconditionFailed` unless the resource still has the version that the caller saw.
    ///
    /// - Parameter expected: nil when the request has no condition.
    public static func check(_ expected: Int64?, _ actual: Int64) throws(ChatError) {
        guard expected == nil || expected == actual else {
            throw ChatError(.preconditionFailed, "The resource has changed since it was read.")
        }
    }
}

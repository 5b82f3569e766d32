/// Why nothing is sent to an address. The sentence names the host at most: no path, no query.
package struct AddressRefusal: Error, Sendable, Equatable {
    package let detail: String

    package init(_ detail: String) { self.detail = detail }
}

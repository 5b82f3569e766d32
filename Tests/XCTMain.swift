import Testing
import XCTest

/// Where the process of the unit tests begins. Without this file SwiftPM writes one, and needs the compiler's index for it.
@main struct TestProcess {
    static func main() async {
        // SwiftPM asks for XCTest's tests, too: there are none.
        guard CommandLine.arguments.contains("swift-testing") else { XCTMain([]) as Never }
        await Testing.__swiftPMEntryPoint() as Never
    }
}

import Foundation
import Testing

/// How the allocator is set. A build for a sanitizer has another one.
@Suite struct AllocatorTests {
    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    /// Looked up by name, since nothing of ours calls it.
    private static let control = dlsym(nil, "mallctl").map { unsafeBitCast($0, to: Control.self) }

    private func setting<T: BitwiseCopyable>(_ name: String, _ initial: T) -> T? {
        var (value, size) = (initial, MemoryLayout<T>.size)
        return Self.control?(name, &value, &size, nil, 0) == 0 ? value : nil
    }

    @Test(.enabled(if: control != nil)) func threadsShareOneArena() {
        #expect(setting("opt.narenas", CUnsignedInt(0)) == 1)
    }

    @Test(.enabled(if: control != nil)) func aThreadGivesBackWhatIsNotUsed() {
        #expect(setting("background_thread", false) == true)
    }
}

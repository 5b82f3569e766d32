import Foundation

/// Standard input, output and error of the process, which whoever starts it may have closed.
enum StandardStreams {
    /// Opens `/dev/null` in place of each that is closed. To be called before anything else is opened: the next file or
    /// socket would get its number, and what is meant for standard error would be written there.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one, because those below are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes to standard error. What cannot be written, because nobody reads it or the disk is full, is lost.
    static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

import CZlib

/// CRC-32 (ISO 3309) of bytes: finds mistyped characters. It proves nothing about who has written them.
package enum CRC32 {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
    }
}

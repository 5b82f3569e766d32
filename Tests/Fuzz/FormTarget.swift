import HTTPRouting

extension Target {
    /// A form with files, whose boundary is `x`. The first byte says where it is cut in two.
    static let forms = Target("forms") { bytes in
        guard let cut = bytes.first else { return }
        let form = Array(bytes.dropFirst())
        let whole = try read([form])
        let (cuts, singles) = (
            try read([Array(form.prefix(Int(cut))), Array(form.dropFirst(Int(cut)))]), try read(form.map { [$0] })
        )
        try expect(whole == cuts && whole == singles, "it makes a difference where the form is cut")
        if whole.fault == nil {
            try expect(String(decoding: form, as: UTF8.self).contains("--x--"), "a form without an end is complete")
        }
    }

    fileprivate struct ReadForm: Equatable {
        var names: [String] = []
        var contents: [[UInt8]] = []
        var fault: String?
    }

    private static func read(_ pieces: [[UInt8]]) throws -> ReadForm {
        var form = ReadForm()
        do throws(Problem) {
            var reader = try MultipartReader(boundary: "x")
            for piece in pieces { form.take(try piece.read(with: &reader)) }
            try reader.finish()
        } catch {
            form.fault = error.detail ?? ""
            // How much of a part was found before its fault depends on the pieces.
            form.contents = []
            form.names = []
        }
        let count = form.contents.reduce(0) { $0 + $1.count }
        try expect(count < max(1, pieces.reduce(0) { $0 + $1.count }), "the contents are greater than the form")
        return form
    }
}

extension Target.ReadForm {
    fileprivate mutating func take(_ found: [(name: String?, content: [UInt8])]) {
        for (name, content) in found {
            if let name {
                names.append(name)
                contents.append([])
            }
            if !content.isEmpty { contents[contents.count - 1] += content }
        }
    }
}

extension [UInt8] {
    /// The parts that begin in this piece, and their content in it. The first has no name: it began before.
    fileprivate func read(with reader: inout MultipartReader) throws(Problem) -> [(name: String?, content: [UInt8])] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: self)
        var rest = UnsafeRawBufferPointer(bytes)[...]
        var found: [(name: String?, content: [UInt8])] = [(nil, [])]
        while let part = try reader.next(in: &rest, content: &found[found.count - 1].content) {
            found.append((part.name, []))
        }
        return found
    }
}

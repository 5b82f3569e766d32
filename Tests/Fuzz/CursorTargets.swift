import ChatModel
import ChatStore

/// Places in the log and in lists.
let cursorTargets = [
    Target("log-cursors") { bytes in
        guard let cursor = Cursor(bytes.text) else { return }
        try expect(cursor.description.utf8.count <= 64 && cursor.offset >= 0, "\(cursor) is out of bounds")
        try expect(Cursor(cursor.description) == cursor, "\(cursor) is read as another place")
    },
    Target("page-cursors") { bytes in
        let lists: [PageCursor.List] = [
            .threads(account: 1), .deskThreads, .messages(thread: 1, .alsoInThread), .messages(thread: 1, .all),
            .messages(thread: 1, .none),
        ]
        let text = bytes.text
        var readers = 0
        for list in lists {
            guard let cursor = PageCursor(text, of: list) else { continue }
            readers += 1
            try expect(
                cursor.text(of: list) == text, "\(text) is taken for \(cursor.text(of: list)), which was given out")
        }
        try expect(readers <= 1, "\(text) is a place in several lists")
    },
]

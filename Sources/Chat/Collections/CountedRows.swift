import ChatModel

/// The rows of a view, which know how many bytes they have together.
struct CountedRows<Row: CollectionRow> {
    private var rows: [Row] = []
    /// About how many bytes of memory the rows take.
    private(set) var byteCount = 0

    init() {}
}

/// A row of a view: an item at a place.
protocol CollectionRow {
    var item: CollectionItem { get }
}

extension CollectionItem {
    /// About how many bytes of memory it takes.
    var byteCount: Int { json.count + 64 }
}

extension CountedRows: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(index: Int) -> Row {
        get { rows[index] }
        set {
            byteCount += newValue.item.byteCount - rows[index].item.byteCount
            rows[index] = newValue
        }
    }

    mutating func replaceSubrange(_ range: Range<Int>, with added: some Collection<Row>) {
        byteCount -= rows[range].reduce(0) { $0 + $1.item.byteCount }
        byteCount += added.reduce(0) { $0 + $1.item.byteCount }
        rows.replaceSubrange(range, with: added)
    }
}

/// First in, first out, with a bound. Adding and taking cost the same however many wait.
struct BoundedQueue<Element> {
    private let capacity: Int
    /// Those that were taken are nil, until they are dropped together.
    private var elements: [Element?] = []
    private var first = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { elements.count - first }

    /// Returns false, and adds nothing, when the queue is full.
    mutating func append(_ element: Element) -> Bool {
        guard count < capacity else { return false }
        elements.append(element)
        return true
    }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        // Each element is moved at most once for each one that was taken before it.
        if 2 * first >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}

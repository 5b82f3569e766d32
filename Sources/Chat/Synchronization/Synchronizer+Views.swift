import ChatModel
import ChatStore

/// Reads what a view waits for.
extension Synchronizer {
    /// Reads the page that a view needs, before the background's work. Views that need the same page share one request.
    /// Returns when the page is stored, when the request has failed, or after 10 s.
    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {
        guard let source else { return }
        let demand = Demand(thread: thread, direction: direction)
        let page = requests[demand] ?? Answer()
        if requests.updateValue(page, forKey: demand) == nil {
            let request = SyncRequest(platform: source.platform, round: round, isBackground: false)
            Task {
                try? await self.page(thread, direction, beyond: edge, request)
                if request.round == self.round { self.answer(demand) }
            }
        }
        _ = await page.value(within: Self.patience, on: clock)
    }

    private func page(
        _ thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition, _ request: SyncRequest
    ) async throws {
        let (found, chunks) = try await store.read { (try $0.thread(number: thread), try $0.chunks(of: thread)) }
        guard let record = found else { return }
        guard let chunk = chunks.chunk(around: edge) else {
            return chunks.isEmpty && edge.createdAt == .max
                ? try await catchUp(record, request) : try await pageAround(edge, record, request)
        }
        switch direction {
        case .previous:
            if !chunk.isOldest { try await pageBefore(chunk, record, request) }
        case .next:
            if chunk == chunks.last {
                try await catchUp(record, request)
            } else {
                try await pageAfter(chunk, record, request)
            }
        }
    }

    private func answer(_ demand: Demand) { requests.removeValue(forKey: demand)?.give(()) }

    /// The connection is gone. Those who wait for a page are released, because none will come.
    func release() {
        for demand in Array(requests.keys) { answer(demand) }
    }
}

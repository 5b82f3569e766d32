import ArgumentParser
import Formats

/// `parley status`: how the running gateway is, and who reads from it.
struct ShowStatus: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how the running gateway is.",
        discussion: "Its version and address, the event log, the streams with their lag, and the webhooks.")

    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let found = try client.finder.find()
        let info = try client.get("/v1/info")
        let (_, ready) = try client.open("GET", "/readyz")
        let streams = try Pages(client, "/v1/streams", isPaged: false)
        let webhooks = try webhooks(client)
        guard output.format == .table else {
            var json = JSONWriter()
            json.beginObject()
            json.member("gateway", found.address.description)
            json.member("ready", ready.status == 200)
            for (name, bytes) in [
                ("info", info.root.bytes), ("streams", streams.bytes[...]), ("webhooks", webhooks?.bytes[...]),
            ] {
                guard let bytes else { continue }
                json.name(name)
                json.raw(bytes)
            }
            json.endObject()
            let answer = try GatewayClient.json(json.bytes)
            return output.list(
                [answer.root], bytes: Array(answer.root.bytes), titles: [], id: { $0["info"]?["instance"]?.string },
                row: { _ in [] })
        }
        let root = info.root
        let epoch = root["epoch"]?.string ?? ""
        var rows = [
            ["gateway", "\(found.address)"], ["version", root["version"]?.string ?? ""],
            ["ready", ready.status == 200 ? "yes" : "no"], ["started", root["startedAt"]?.string ?? ""],
            ["services", (root["services"]?.elements ?? []).compactMap(\.string).joined(separator: ", ")],
            ["log head", "\(epoch)-\(root["head"]?.number ?? "")"],
            ["log floor", "\(epoch)-\(root["floor"]?.number ?? "")"],
            ["streams", "\(streams.items.count)"],
        ]
        for stream in streams.items {
            rows.append([
                "stream",
                "\(stream["kind"]?.string ?? "") of \(stream["peer"]?.string ?? "") at \(stream["cursor"]?.string ?? "")"
                    + ", lag \(stream["lag"]?.number ?? "")",
            ])
        }
        rows.append(["webhooks", webhooks.map { "\($0.items.count)" } ?? "not built"])
        for webhook in webhooks?.items ?? []
        where webhook["state"]?.string != "active" || webhook["failingSince"] != nil {
            let since = webhook["failingSince"]?.string.map { ", fails since \($0)" } ?? ""
            rows.append([
                "webhook",
                "\(webhook["id"]?.string ?? "") is \(webhook["state"]?.string ?? "")\(since), "
                    + "lag \(webhook["lag"]?.number ?? "")",
            ])
        }
        for line in Table(titles: [], rows: rows).lines(width: output.width) { output.line(line) }
    }

    /// The webhooks; nil for a gateway that was built without them.
    private func webhooks(_ client: GatewayClient) throws(CommandFailure) -> Pages? {
        do throws(CommandFailure) {
            return try Pages(client, "/v1/webhooks")
        } catch {
            guard error.code == "missingPart" else { throw error }
            return nil
        }
    }
}

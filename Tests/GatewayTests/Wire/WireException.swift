import ChatModel

/// What a scenario of the embedded service comes to on a platform behind CXone's protocol, if not to the same.
enum WireException: Sendable {
    /// The platform cannot do it, and the refusal names what.
    case refused(Capability)
    /// It passes with another answer.
    case changed(String, @Sendable (inout Scenario) -> Void)
    /// It passes; the near side is not told what the far side has then, or later.
    case untold(String)
    /// It does not run: why.
    case excluded(String)
}

extension Scenario {
    /// The tables that say something of a service. The others (`gate`, `deskCollections`, `settings`, `others`) are
    /// about the gateway's own door and about the desk's own routes: between these and their gateway there is no wire.
    static let throughTheWire =
        collections + sessions + threads + messages + replies + members + files + searches + synchronization + desk
        + live + streams

    /// What the wire makes of this scenario; nil: nothing.
    var wireException: WireException? {
        Self.wireExceptions.first { $0.0(self) }?.1
    }

    private func asks(_ method: String, _ part: String, _ bodyPart: String? = nil) -> Bool {
        self.method == method && path.contains(part) && bodyPart.map { body?.contains($0) == true } != false
    }

    /// Whether a session asks, first or last.
    private func uses(_ part: String) -> Bool {
        (before.map(\.path) + [path]).contains { $0.contains("/v1/sessions/") && $0.contains(part) }
    }

    private static let wireExceptions: [(@Sendable (Scenario) -> Bool, WireException)] = [
        // What the platform lacks.
        ({ $0.uses("/resetHistory") }, .refused(.historyReset)),
        (
            { scenario in
                let names = scenario.path.contains("/v1/sessions") && scenario.body?.contains("\"parentId\"") == true
                return names || scenario.uses("/replies") || scenario.uses("replies=")
            }, .refused(.replies)
        ),
        ({ $0.asks("PATCH", "/v1/sessions/$S/threads/t1/messages/") }, .refused(.editMessages)),
        ({ $0.asks("DELETE", "/v1/sessions/$S/threads/t1/messages/") }, .refused(.deleteMessages)),
        ({ $0.uses("/join") || $0.uses("/leave") || $0.uses("/hide") || $0.uses("/unhide") }, .refused(.members)),
        // What it has beside.
        (
            { $0.asks("POST", "/transcript") },
            .changed("the platform mails transcripts") {
                ($0.status, $0.code, $0.contains) = (204, nil, [])
            }
        ),
        (
            { ($0.asks("POST", "/analytics") || $0.asks("POST", "/triggers/")) && $0.status == 409 },
            .changed("the platform takes them") {
                ($0.status, $0.code, $0.contains) = (204, nil, [])
            }
        ),
        (
            { $0.asks("POST", "/v1/sessions/$S/sync", "paused") },
            .changed("a remote account is synchronized") {
                ($0.lacks, $0.contains) = ([], ["\"sync\":"])
            }
        ),
        (
            { $0.asks("POST", "/messages", "alone") },
            .changed("what could not be sent is kept") {
                ($0.status, $0.code, $0.contains) = (201, nil, ["\"status\":\"failed\""])
            }
        ),
        ({ $0.asks("POST", "/v1/sessions", "nope") }, .excluded("channels of the platform have addresses, not names")),
        // What comes later than the answer, or from another time.
        (
            { $0.asks("POST", "$L/threads", "l1") && $0.status == 201 },
            .changed("contact and place in the queue are told by events") {
                $0.contains.removeAll { $0.contains("queuePosition") || $0.contains("contactId") }
            }
        ),
        (
            { $0.asks("PUT", "$L/threads/l1/customFields") },
            .excluded("a session goes by the channel's settings of when it connected")
        ),
        (
            { $0.asks("POST", "/v1/sessions", "\"live\"") && !$0.before.isEmpty && $0.status == 201 },
            .changed("availability holds for a minute") {
                $0.contains.removeAll { $0.contains("offline") || $0.contains("isOnline") }
            }
        ),
        ({ $0.path.hasSuffix("clearCache") }, .untold("the list of threads names no contacts")),
        // What the platform has no word for, or tells when the threads are listed anew.
        (
            { $0.asks("POST", "/v1/desk/threads/t1/messages", "\"admin\"") },
            .untold("notices come as texts of the system")
        ),
        (
            { $0.path.hasPrefix("/v1/desk") && ($0.path + $0.before.map(\.path).joined()).contains("/resetHistory") },
            .untold("no word for it")
        ),
        (
            { $0.asks("GET", "/events") && $0.before.contains { $0.path == "/v1/desk/threads/t1/resetHistory" } },
            .excluded("no word for it")
        ),
        ({ $0.method == "DELETE" && $0.path.hasPrefix("/v1/desk/threads/t1/m") }, .untold("no word for it")),
        ({ $0.asks("PATCH", "/v1/desk/threads/t1/messages/") }, .untold("no word for it")),
        ({ $0.asks("PATCH", "/v1/desk/threads/t1") }, .untold("names come with the list")),
        (
            { $0.path == "/v1/desk/threads" && $0.method == "POST" },
            .untold("a thread is on the platform from its first message on")
        ),
        (
            { $0.asks("POST", "/v1/desk/threads/t1/close") },
            .untold("closed threads of a messaging channel come with the list")
        ),
        // Each gateway counts its own events, and they are more: a message is pending before it is sent.
        (
            {
                $0.path.contains("after=$EPOCH") || $0.path.contains("since=")
                    || $0.headers.contains { $0.0 == "Last-Event-ID" }
            },
            .changed("cursors are the gateway's own") { ($0.events, $0.contains, $0.lacks) = ([], [], []) }
        ),
    ]
}

extension Scenario {
    private static let device = "/v1/sessions/$S/device"
    private static let browsers = "/v1/desk/devices"
    private static let keys = """
        {"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",\
        "auth":"BTBZMqHH6r4Tts7J_aSIgg"}
        """

    private static func browser(_ endpoint: String = "https://push.example.net/p/1") -> String {
        "{\"kind\":\"webPush\",\"subscription\":{\"endpoint\":\"\(endpoint)\",\"keys\":\(keys)},\"page\":\"http://localhost:8787/desk\"}"
    }

    /// What is told where nobody is; the devices of sessions and of the desk.
    static let devices: [Scenario] = [
        Scenario(
            "GET", "/v1/push", 200, as: .session, contains: ["\"applicationServerKey\":\"BEkFoUI0K7bIhHwPSvHdy6e7"]),
        Scenario("GET", "/v1/push", 401, as: .nobody, code: "unauthorized"),
        Scenario("GET", device, 404, as: .session, code: "unknownDevice"),
        Scenario(
            "PUT", device, 201, as: .session, body: browser(),
            contains: [
                "\"kind\":\"webPush\",\"pushedBy\":\"gateway\",\"state\":\"active\"",
                "\"endpointHost\":\"push.example.net\"",
            ], lacks: ["/p/1", "auth"]),
        Scenario("GET", device, 200, contains: ["\"state\":\"active\""], after: ("PUT \(device)", browser())),
        Scenario("PUT", device, 200, as: .session, body: browser(), after: ("PUT \(device)", browser())),
        Scenario(
            "PUT", device, 201, as: .session, headers: [("If-None-Match", "*")], body: browser(),
            expects: [("Location", device)]),
        Scenario(
            "PUT", device, 412, as: .session, headers: [("If-None-Match", "*")], body: browser(),
            code: "preconditionFailed", after: ("PUT \(device)", browser())),
        Scenario("DELETE", device, 204, as: .session, after: ("PUT \(device)", browser())),
        Scenario("DELETE", device, 204),
        Scenario(
            "PUT", device, 422, body: browser("https://10.0.0.1/x"), code: "targetNotAllowed",
            contains: ["\"#/subscription/endpoint\""]),
        Scenario(
            "PUT", device, 422, body: browser("nowhere"), code: "invalidSubscription",
            contains: ["\"#/subscription/endpoint\""]),
        Scenario("PUT", device, 422, body: "{\"kind\":\"smoke\"}", code: "invalidValue", contains: ["\"#/kind\""]),
        Scenario("PUT", device, 409, body: browser("https://web.push.apple.com/x"), code: "pushNotConfigured"),
        Scenario(
            "POST", "\(device)/test", 200,
            contains: ["\"type\":\"push.test\",\"state\":\"delivered\"", "\"status\":201"],
            after: ("PUT \(device)", browser())),
        Scenario("POST", "\(device)/test", 404, code: "unknownDevice"),
        Scenario("GET", "\(device)/deliveries", 200, contains: ["{\"items\":[]}"], after: ("PUT \(device)", browser())),
        Scenario(
            "GET", "\(device)/deliveries?state=late", 400, code: "invalidParameter", after: ("PUT \(device)", browser())
        ),

        Scenario("GET", browsers, 200, contains: ["{\"items\":[],\"cursor\":\"$EPOCH-$HEAD\"}"]),
        Scenario("GET", browsers, 403, as: .session, code: "forbidden"),
        Scenario("POST", browsers, 403, as: .session, body: browser(), code: "forbidden"),
        Scenario(
            "POST", browsers, 201, body: browser(),
            contains: ["\"state\":\"active\"", "\"endpointHost\":\"push.example.net\""],
            lacks: ["/p/1", "auth"], expects: [("Location", "\(browsers)/id-")]),
        Scenario(
            "POST", browsers, 200, body: browser(), contains: ["\"state\":\"active\""], after: (browsers, browser())),
        Scenario(
            "GET", browsers, 200, contains: ["\"endpointHost\":\"a.example\"", "\"endpointHost\":\"b.example\""],
            afterAll: [(browsers, browser("https://a.example/1")), (browsers, browser("https://b.example/1"))]),
        Scenario("POST", browsers, 409, body: "{\"kind\":\"apns\",\"token\":\"ab\"}", code: "pushNotConfigured"),
        Scenario("POST", browsers, 422, body: browser("http://push.example.net/"), code: "targetNotAllowed"),
        Scenario("GET", "\(browsers)/none", 404, code: "unknownDevice"),
        Scenario("DELETE", "\(browsers)/none", 404, code: "unknownDevice"),
        Scenario("POST", "\(browsers)/none/test", 404, code: "unknownDevice"),
        Scenario("GET", "\(browsers)/none/deliveries", 404, code: "unknownDevice"),
        // A session's device is none of the desk's, and the other way round.
        Scenario("GET", browsers, 200, contains: ["{\"items\":[],"], after: ("PUT \(device)", browser())),
        Scenario("GET", device, 404, code: "unknownDevice", after: (browsers, browser())),
        Scenario(
            "GET", "/metrics", 200,
            contains: [
                "parley_delivery_targets{kind=\"webPush\",state=\"active\"} 2\n",
                "parley_delivery_targets{kind=\"webhook\",state=\"active\"} 0\n",
                "parley_deliveries_pending{kind=\"webPush\"} 0\n",
                "parley_delivery_attempts_total{kind=\"webPush\",outcome=\"delivered\"} 1\n",
                "parley_delivery_attempt_duration_seconds_count{kind=\"webPush\"} 1\n",
            ], afterAll: [("PUT \(device)", browser()), (browsers, browser()), ("\(device)/test", nil)]),
    ]

    private static let hook = "/v1/webhooks/crm"
    private static let made: (path: String, body: String?) = (
        "/v1/webhooks", "{\"id\":\"crm\",\"url\":\"http://127.0.0.1:9/\"}"
    )

    /// Webhooks, without a receiver.
    static let webhooks: [Scenario] = [
        Scenario("GET", "/v1/webhooks", 200, contains: ["{\"items\":[],\"cursor\":\"$EPOCH-$HEAD\"}"]),
        Scenario("GET", "/v1/webhooks", 403, as: .session, code: "forbidden"),
        Scenario(
            "POST", made.path, 201, body: made.1, contains: ["\"secret\":\"whsec_", "\"state\":\"active\""],
            expects: [("Location", hook)]),
        Scenario("POST", made.path, 200, body: made.1, contains: ["\"id\":\"crm\""], after: made),
        Scenario(
            "POST", made.path, 409, body: "{\"id\":\"crm\",\"url\":\"http://127.0.0.1:10/\"}", code: "webhookExists",
            after: made),
        Scenario("POST", made.path, 422, body: "{\"url\":\"http://169.254.169.254/\"}", code: "targetNotAllowed"),
        Scenario("POST", made.path, 422, body: "{\"url\":1}", code: "invalidValue", contains: ["\"#/url\""]),
        Scenario("GET", hook, 200, contains: ["\"url\":\"http://127.0.0.1:9/\""], lacks: ["whsec_"], after: made),
        Scenario("GET", hook, 404, code: "unknownWebhook"),
        Scenario("PATCH", hook, 200, body: "{\"concurrency\":1}", contains: ["\"concurrency\":1"], after: made),
        Scenario("PATCH", hook, 422, body: "{\"concurrency\":0}", contains: ["\"#/concurrency\""], after: made),
        Scenario("POST", "\(hook)/pause", 200, contains: ["\"state\":\"paused\""], after: made),
        Scenario(
            "POST", "\(hook)/resume", 200, contains: ["\"state\":\"active\""], afterAll: [made, ("\(hook)/pause", nil)]),
        Scenario("POST", "\(hook)/rotate", 200, contains: ["\"secret\":\"whsec_"], after: made),
        Scenario(
            "POST", "\(hook)/test", 200, contains: ["\"type\":\"webhook.test\",\"state\":\"delivered\""], after: made),
        Scenario("POST", "\(hook)/replay", 409, body: "{\"after\":\"zz-1\"}", code: "cursorExpired", after: made),
        Scenario("GET", "\(hook)/deliveries", 200, contains: ["\"items\":["], after: made),
        Scenario("GET", "\(hook)/deliveries/77", 404, code: "unknownDelivery", after: made),
        Scenario("POST", "\(hook)/deliveries/77/redeliver", 404, code: "unknownDelivery", after: made),
        Scenario("DELETE", hook, 204, after: made),
        Scenario("DELETE", hook, 404, code: "unknownWebhook"),
    ]

    private static let channel = "/v1/desk/channels/multi"

    /// What pushes say: a channel's settings.
    static let pushSettings: [Scenario] = [
        Scenario(
            "PATCH", channel, 200,
            body:
                "{\"push\":{\"title\":\"Acme\",\"body\":\"News\",\"deeplink\":\"acme://{channelId}/{threadId}\",\"content\":\"sender\"}}",
            contains: [
                "\"push\":{\"title\":\"Acme\",\"body\":\"News\",\"deeplink\":\"acme://{channelId}/{threadId}\",\"content\":\"sender\"}"
            ]),
        Scenario(
            "GET", "/v1/services/local/channels/multi", 200, contains: ["\"push\":{\"content\":\"none\"}"],
            after: ("PATCH \(channel)", "{\"push\":{\"content\":\"none\"}}")),
        Scenario(
            "PATCH", channel, 200, body: "{\"push\":null}", lacks: ["push"],
            after: ("PATCH \(channel)", "{\"push\":{\"content\":\"none\"}}")),
        Scenario(
            "PATCH", channel, 422, body: "{\"push\":{\"content\":\"all\"}}", code: "invalidValue",
            contains: ["\"#/push/content\""]),
        Scenario(
            "PATCH", channel, 422, body: "{\"push\":{\"deeplink\":\"no scheme\"}}", code: "invalidValue",
            contains: ["\"#/push/deeplink\""]),
        Scenario(
            "PATCH", channel, 422, body: "{\"push\":{\"deeplink\":\"a:{x}\"}}", code: "invalidValue",
            contains: ["\"#/push/deeplink\""]),
        Scenario(
            "PATCH", channel, 422, body: "{\"push\":{\"title\":\"\"}}", code: "invalidValue",
            contains: ["\"#/push/title\""]),
        Scenario("PATCH", channel, 422, body: "{\"push\":{\"sound\":\"x\"}}", contains: ["\"#/push/sound\""]),
        Scenario(
            "POST", "/v1/desk/channels", 201,
            body: "{\"id\":\"apps\",\"mode\":\"multithread\",\"push\":{\"body\":\"News\"}}",
            contains: ["\"push\":{\"body\":\"News\"}"]),
    ]
}

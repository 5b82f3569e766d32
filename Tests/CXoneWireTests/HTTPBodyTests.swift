import Testing

@testable import CXoneWire

@Suite struct HTTPBodyTests {
    @Test(arguments: [
        Example(
            "configuration",
            #"""
            {"name":"Shoes","channelIdOnExternalPlatform":"c","isLiveChat":true,"isAuthorizationEnabled":false,
             "isSecuredCookieEnabled":false,"availability":{"status":"online"},
             "settings":{"hasMultipleThreadsPerEndUser":true,"isProactiveChatEnabled":true,"liveChatAllowTranscript":true,
              "enableChatTypingPreview":true,"securedSessions":false,"fileRestrictions":{"allowedFileSize":"12","isAttachmentsEnabled":true,
               "allowedFileTypes":[{"mimeType":"video/*","description":"films"},{"mimeType":"audio","description":"broken"}]},
              "features":{"securedSessions":false,"isRecoverLivechatDoesNotFailEnabled":true}},
             "preContactForm":{"id":"f-1","name":"First","channels":[{"id":"chat_c"}],"customFields":[
              {"isRequired":true,"definition":{"ident":"mail","label":"Mail","type":"email","required":true,"values":[]}},
              {"isRequired":false,"definition":{"ident":"note","label":"Note","type":"text","required":false,"values":[]}},
              {"isRequired":false,"definition":{"ident":"size","label":"Size","type":"list","required":false,
               "values":[{"name":"s42","value":"42"}]}},
              {"isRequired":false,"definition":{"ident":"kind","label":"Kind","type":"tree","required":false,
               "values":[{"name":"k2","value":"Boot","parentId":"k1"},{"name":"k1","value":"Shoe"}]}}]},
             "caseCustomFields":[],"endUserCustomFields":[]}
            """#,
            WireChannelConfiguration(
                name: "Shoes", idOnExternalPlatform: "c", isLiveChat: true,
                availability: WireAvailability(isOnline: true),
                settings: ChannelSettings(
                    hasMultipleThreadsPerEndUser: true, isProactiveChatEnabled: true, isTranscriptAllowed: true,
                    isTypingPreviewed: true,
                    securedSessions: false,
                    fileRestrictions: WireFileRestrictions(
                        allowedFileSize: 12,
                        allowedFileTypes: [
                            WireFileRestrictions.FileType(mimeType: "video/*", description: "films"),
                            WireFileRestrictions.FileType(mimeType: "audio", description: "broken"),
                        ], isAttachmentsEnabled: true),
                    features: ["securedSessions": false, "isRecoverLivechatDoesNotFailEnabled": true]),
                survey: PreContactForm(
                    id: "f-1", name: "First", channelIDs: ["chat_c"],
                    fields: [
                        SurveyField(ident: "mail", label: "Mail", isRequired: true, kind: .email),
                        SurveyField(ident: "note", label: "Note", isRequired: false, kind: .text),
                        SurveyField(
                            ident: "size", label: "Size", isRequired: false,
                            kind: .list([SurveyOption(name: "s42", label: "42")])),
                        SurveyField(
                            ident: "kind", label: "Kind", isRequired: false,
                            kind: .tree([
                                SurveyOption(name: "k2", label: "Boot", parentID: "k1"),
                                SurveyOption(name: "k1", label: "Shoe"),
                            ])),
                    ]))),
        Example(
            "sparse configuration",
            #"""
            {"isLiveChat":false,"settings":{"hasMultipleThreadsPerEndUser":false,
             "fileRestrictions":{"allowedFileSize":7},"features":{"x":"yes","y":false}},
             "preContactForm":{"customFields":[{"definition":{"ident":"d","type":"date"}},
              {"definition":{"ident":"n","type":"text","required":true}}]}}
            """#,
            WireChannelConfiguration(
                name: nil, isLiveChat: false,
                settings: ChannelSettings(
                    hasMultipleThreadsPerEndUser: false, securedSessions: nil,
                    fileRestrictions: WireFileRestrictions(
                        allowedFileSize: 7, allowedFileTypes: [], isAttachmentsEnabled: true),
                    features: ["y": false]),
                survey: PreContactForm(
                    id: nil, name: "", channelIDs: [],
                    fields: [SurveyField(ident: "n", label: "n", isRequired: true, kind: .text)])),
            sent: #"""
                {"isLiveChat":false,"isAuthorizationEnabled":false,"isSecuredCookieEnabled":false,
                 "settings":{"hasMultipleThreadsPerEndUser":false,"isProactiveChatEnabled":false,"liveChatAllowTranscript":false,
                  "enableChatTypingPreview":false,"fileRestrictions":{"allowedFileSize":"7","allowedFileTypes":[],"isAttachmentsEnabled":true},
                  "features":{"y":false}},
                 "preContactForm":{"name":"","channels":[],"customFields":[{"isRequired":true,
                  "definition":{"ident":"n","label":"n","type":"text","required":true,"values":[]}}]},
                 "caseCustomFields":[],"endUserCustomFields":[]}
                """#),
    ])
    func configuration(example: Example<WireChannelConfiguration>) throws { try example.expectBothDirections() }

    /// The iOS SDK takes only booleans among the features, so nothing of the widget may stand there.
    @Test func theWidgetsMembersStandBesideTheChannelsOwn() throws {
        let configuration = WireChannelConfiguration(
            name: nil, isLiveChat: false,
            settings: ChannelSettings(hasMultipleThreadsPerEndUser: false, securedSessions: nil, fileRestrictions: nil),
            widget: WidgetInfo(translations: ["endChat": "End chat"]))
        let value = try WireValue(json: configuration.encoded(), limit: WireLimit.frame)
        #expect(value["colors"]?["themeColor"]?.string == "#336699")
        #expect(value["widget"]?["position"]?.string == "right")
        #expect(value["popups"]?.elements?.isEmpty == true)
        #expect(value["translations"]?["endChat"]?.string == "End chat")
        #expect(value["settings"]?["liveChatShowOfflineForm"]?.bool == false)
        #expect(value["settings"]?["features"]?.members.isEmpty == true)
        var read = configuration
        read.widget = nil
        #expect(try WireChannelConfiguration(json: configuration.encoded()) == read)
    }

    @Test func rulesOfTheConfiguration() throws {
        var configuration = WireChannelConfiguration(
            name: nil, isLiveChat: false,
            settings: ChannelSettings(hasMultipleThreadsPerEndUser: false, securedSessions: nil, fileRestrictions: nil))
        #expect(configuration.usesSecuredSessions)
        #expect(configuration.settings.isOn("anything"))
        #expect(configuration.authentication == .anonymous)
        configuration.settings.securedSessions = false
        #expect(!configuration.usesSecuredSessions)
        configuration.settings.features["securedSessions"] = true
        #expect(configuration.usesSecuredSessions)
        configuration.isAuthorizationEnabled = true
        #expect(configuration.authentication == .thirdPartyOAuth)
        configuration.isSecuredCookieEnabled = true
        #expect(configuration.authentication == .securedCookie)
    }

    @Test(arguments: [
        Example("online", #"{"status":"online"}"#, WireAvailability(isOnline: true)),
        Example("offline", #"{"status":"offline"}"#, WireAvailability(isOnline: false)),
        Example("away", #"{"status":"away"}"#, WireAvailability(isOnline: false), sent: #"{"status":"offline"}"#),
    ])
    func availability(example: Example<WireAvailability>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "upload", #"{"content":"aGkA/w==","fileName":"hi.bin","mimeType":"application/x-hi"}"#,
            AttachmentUpload(content: [104, 105, 0, 255], fileName: "hi.bin", mimeType: "application/x-hi")),
        Example(
            "in lines, with escapes", #"{"content":"aGkA\r\n\/w==\n","fileName":"hi","mimeType":"a/b"}"#,
            AttachmentUpload(content: [104, 105, 0, 255], fileName: "hi", mimeType: "a/b"),
            sent: #"{"content":"aGkA/w==","fileName":"hi","mimeType":"a/b"}"#),
        Example(
            "empty", #"{"content":"","fileName":"hi","mimeType":"a/b"}"#,
            AttachmentUpload(content: [], fileName: "hi", mimeType: "a/b")),
    ])
    func upload(example: Example<AttachmentUpload>) throws { try example.expectBothDirections() }

    @Test(arguments: ["aGk", "aG k=", "=", "aGkA/w==x", "☺"]) func refusesWhatIsNoBase64(content: String) {
        #expect {
            try AttachmentUpload(json: Array(#"{"content":"\#(content)","fileName":"f","mimeType":"m"}"#.utf8))
        } throws: {
            ($0 as? WireError)?.pointer == "/content"
        }
    }

    @Test(arguments: [
        Example(
            "stored", #"{"fileUrl":"https://x.example/1"}"#, AttachmentUploadAnswer.stored(url: "https://x.example/1")),
        Example(
            "refused",
            #"""
            {"allowedFileSize":"3","allowedFileTypes":[{"mimeType":"image/png","description":"PNG"}],
             "isAttachmentsEnabled":false}
            """#,
            .refused(
                WireFileRestrictions(
                    allowedFileSize: 3,
                    allowedFileTypes: [WireFileRestrictions.FileType(mimeType: "image/png", description: "PNG")],
                    isAttachmentsEnabled: false))),
    ])
    func uploadAnswer(example: Example<AttachmentUploadAnswer>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "service failure", #"{"error":{"errorCode":"SdkVersionNotSupported","errorMessage":"Too old"}}"#,
            ServiceFailure(code: .sdkVersionNotSupported, message: "Too old")),
        Example(
            "flat failure", #"{"errorCode":"ip_blocked"}"#, ServiceFailure(code: .ipBlocked, message: ""),
            sent: #"{"error":{"errorCode":"ip_blocked","errorMessage":""}}"#),
    ])
    func failure(example: Example<ServiceFailure>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "visitor",
            #"""
            {"customerIdentity":{"idOnExternalPlatform":"ida"},
             "browserFingerprint":{"country":"DK","applicationType":"native","deviceToken":"ff00"}}
            """#,
            WireVisitor(
                customer: WireCustomer(id: "ida"),
                fingerprint: DeviceFingerprint(country: "DK", applicationType: "native", deviceToken: .token("ff00")))),
        Example(
            "visitor without a device",
            #"{"customerIdentity":{"idOnExternalPlatform":"ida"},"browserFingerprint":{"os":"iOS","deviceToken":null}}"#,
            WireVisitor(
                customer: WireCustomer(id: "ida"), fingerprint: DeviceFingerprint(os: "iOS", deviceToken: .removed))),
        Example(
            "visitor with all",
            #"""
            {"customerIdentity":{"idOnExternalPlatform":"ida"},"ip":"192.0.2.1","location":"Odense",
             "journey":{"referrer":{"url":"https://x.example"},"utm":{"source":"ad"}},
             "customVariables":[{"identifier":"cart","value":"3"}]}
            """#,
            WireVisitor(
                customer: WireCustomer(id: "ida"), fingerprint: nil, ip: "192.0.2.1", location: "Odense",
                journey: try? RawJSON(
                    json: Array(#"{"referrer":{"url":"https://x.example"},"utm":{"source":"ad"}}"#.utf8)),
                customVariables: [WireVisitor.CustomVariable(identifier: "cart", value: "3")])),
    ])
    func visitor(example: Example<WireVisitor>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        analytics("VisitorVisit", "{}", .visitorVisit),
        analytics("PageView", #"{"title":"Boots","url":"/boots"}"#, .pageView(title: "Boots", url: "/boots")),
        analytics(
            "TimeSpentOnPage", #"{"title":"Boots","url":"/boots","timeSpentOnPage":31}"#,
            .timeSpentOnPage(title: "Boots", url: "/boots", seconds: 31)),
        analytics("ChatWindowOpened", "{}", .chatWindowOpened),
        analytics(
            "Conversion",
            #"{"conversionType":"sale","conversionValue":99.5,"conversionTimeWithMilliseconds":"2026-04-09T06:07:08.250Z"}"#,
            .conversion(type: "sale", value: 99.5, time: time(milliseconds: 250))),
        analytics(
            "ProactiveActionClicked", #"{"actionId":"ac-1","actionName":"Hello","actionType":"WelcomeMessage"}"#,
            .proactiveAction(.clicked, id: "ac-1", name: "Hello", type: "WelcomeMessage")),
        analytics(
            "Custom", #"{"any":[1,null]}"#,
            .other(type: "Custom", data: (try? RawJSON(json: Array(#"{"any":[1,null]}"#.utf8))) ?? .emptyObject)),
    ])
    func analyticsEvents(example: Example<AnalyticsEvent>) throws { try example.expectBothDirections() }

    static func analytics(_ type: String, _ data: String, _ action: VisitorAction) -> Example<AnalyticsEvent> {
        Example(
            type,
            #"""
            {"id":"v-1","type":"\#(type)","visitId":"vi-1","destination":{"id":"d-1"},
             "createdAtWithMilliseconds":"2026-04-09T06:07:08.512Z","data":\#(data)}
            """#,
            AnalyticsEvent(
                id: "v-1", visitID: "vi-1", destinationID: "d-1", createdAt: time(milliseconds: 512), action: action))
    }

    @Test(arguments: [
        Example(
            "anonymous", #"{"type":"anonymous","customerIdentity":{"idOnExternalPlatform":"ida"}}"#,
            TokenRequest.anonymous(WireCustomer(id: "ida"))),
        Example(
            "anonymous of Android",
            #"{"type":"Anonymous","customerIdentity":{"idOnExternalPlatform":"ida","firstName":""}}"#,
            .anonymous(WireCustomer(id: "ida")),
            sent: #"{"type":"anonymous","customerIdentity":{"idOnExternalPlatform":"ida"}}"#),
        Example(
            "anonymous of web", #"{"customerIdentity":{"idOnExternalPlatform":"ida"}}"#,
            .anonymous(WireCustomer(id: "ida")),
            sent: #"{"type":"anonymous","customerIdentity":{"idOnExternalPlatform":"ida"}}"#),
        Example("anonymous without id", #"{"type":"Anonymous"}"#, .anonymous(nil), sent: #"{"type":"anonymous"}"#),
        Example("cookie", "{}", .securedCookie()),
        Example("no cookie", #"{"identityToken":"i-1"}"#, .securedCookie(identityToken: "i-1")),
        Example(
            "code",
            #"{"thirdParty":{"grant_type":"authorization_code","authorization_code":"code-1","code_verifier":"verifier-1"}}"#,
            .authorizationCode("code-1", codeVerifier: "verifier-1")),
        Example(
            "code of web", #"{"thirdParty":{"grant_type":"authorization_code","authorization_code":"code-1"}}"#,
            .authorizationCode("code-1", codeVerifier: nil)),
        Example(
            "refresh", #"{"thirdParty":{"grant_type":"refresh_token","refresh_token":"rt-9"}}"#,
            .refresh(refreshToken: "rt-9")),
    ])
    func tokenRequest(example: Example<TokenRequest>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "token",
            #"""
            {"accessToken":"tt-1","expiresIn":900,"customerIdentity":{"idOnExternalPlatform":"ida","firstName":"Ida"},
             "thirdParty":{"access_token":"at","refresh_token":"rt","expires_in":60},
             "access_token":"at","refresh_token":"rt","expires_in":60,
             "identityToken":"it","contact":{"customFields":[]}}
            """#,
            TokenAnswer(
                transactionToken: AccessToken(token: "tt-1", expiresIn: 900),
                customer: WireCustomer(id: "ida", firstName: "Ida"),
                thirdParty: ThirdPartyToken(accessToken: "at", refreshToken: "rt", expiresIn: 60), identityToken: "it",
                contactFields: [])),
        Example(
            "token alone", #"{"accessToken":"tt-1","expiresIn":"900"}"#,
            TokenAnswer(transactionToken: AccessToken(token: "tt-1", expiresIn: 900)),
            sent: #"{"accessToken":"tt-1","expiresIn":900}"#),
        Example(
            "flat refresh", #"{"access_token":"at","refresh_token":"rt","expires_in":60}"#,
            TokenAnswer(
                transactionToken: nil, thirdParty: ThirdPartyToken(accessToken: "at", refreshToken: "rt", expiresIn: 60)
            ),
            sent: #"""
                {"access_token":"at","refresh_token":"rt","expires_in":60,
                 "thirdParty":{"access_token":"at","refresh_token":"rt","expires_in":60}}
                """#),
    ])
    func tokenAnswer(example: Example<TokenAnswer>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "menu", #"[{"id":"i-1","label":"Help","postback":"/help"},{"id":"i-2","label":"Bye"}]"#,
            PersistentMenu(items: [
                PersistentMenu.Item(id: "i-1", label: "Help", postback: "/help"),
                PersistentMenu.Item(id: "i-2", label: "Bye", postback: nil),
            ]))
    ])
    func persistentMenu(example: Example<PersistentMenu>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "delta", #"{"delta":{"content":"Once ","finish_reason":null}}"#, StreamedDelta(content: "Once ")),
        Example(
            "end", #"{"delta":{"finish_reason":"stop"}}"#, StreamedDelta(content: nil, finishReason: "stop")),
    ])
    func streamedDelta(example: Example<StreamedDelta>) throws { try example.expectBothDirections() }

    @Test(arguments: [
        Example(
            "log", #"{"level":"2","message":"m","appVersion":"1","detail":{"file":"F","line":1}}"#,
            RemoteLogEntry(
                level: "2", message: "m", appVersion: "1",
                detail: try? RawJSON(json: Array(#"{"file":"F","line":1}"#.utf8))))
    ])
    func remoteLog(example: Example<RemoteLogEntry>) throws { try example.expectBothDirections() }

    @Test func socketQueryInAnyOrder() throws {
        let query = SocketQuery(
            brandID: 77, channelID: "chat_c", visitorID: "vr-1", sdkPlatform: "ios", sdkVersion: "9.8.7",
            transactionToken: "a+b/c= &å")
        #expect(
            query.query == "brandId=77&channelId=chat_c&visitorId=vr-1&sdkPlatform=ios&sdkVersion=9.8.7"
                + "&transactionToken=a%2Bb%2Fc%3D%20%26%C3%A5")
        #expect(try SocketQuery(query: query.query) == query)
        let parameters = query.query.split(separator: "&").reversed().joined(separator: "&")
        #expect(try SocketQuery(query: "v=0&&x&" + parameters + "&brandId=78") == query)
    }

    @Test(arguments: [
        ("", "/brandId"), ("brandId=x&channelId=c", "/brandId"), ("brandId=1", "/channelId"), ("brandId=%zz", ""),
        ("brandId=1&channelId=%ff", ""), ("brandId=99999999999999999999&channelId=c", "/brandId"),
    ])
    func refusesSocketQueries(query: String, pointer: String) {
        #expect { try SocketQuery(query: query) } throws: { ($0 as? WireError)?.pointer == pointer }
    }
}

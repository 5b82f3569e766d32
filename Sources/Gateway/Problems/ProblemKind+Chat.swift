import ChatModel
import HTTPRouting

extension ProblemKind {
    /// The kind of a chat's error. Codes that HTTP has too, such as `preconditionFailed`, give HTTP's kind.
    package init(_ code: ChatError.Code) {
        let row = Self.row(code)
        self.init(code.rawValue, row.0, row.1, row.2, row.3)
    }

    /// Status, title, meaning and remedy.
    private typealias Row = (Int, String, String, String)

    private var row: Row { (status, title, meaning, remedy) }

    // A switch, so that a new code cannot be forgotten.
    /// Status and texts of a code. The texts are shown to people and may change; the status may not.
    private static func row(_ code: ChatError.Code) -> Row {
        switch code {
        // The codes that HTTP has as well are the same kinds.
        case .invalidParameter: ProblemKind(HTTPProblem.invalidParameter).row
        case .preconditionFailed: ProblemKind(HTTPProblem.preconditionFailed).row
        case .idempotencyKeyReused: ProblemKind(HTTPProblem.idempotencyKeyReused).row
        case .idempotencyKeyInFlight: ProblemKind(HTTPProblem.idempotencyKeyInFlight).row
        case .unknownTag:
            (
                404, "There is no such tag", "The desk has no tag of this id.",
                "List the tags: GET /v1/desk/tags."
            )
        case .tagExists:
            (
                409, "There is such a tag already",
                "Two tags of the desk never have the same name, without regard to upper and lower case.",
                "Use the tag that has the name, or choose another name."
            )
        case .tooManyTags:
            (409, "The desk has too many tags", "A desk has at most 500 tags.", "Remove one of them first.")
        case .answeredMeanwhile:
            (
                409, "Somebody else has answered meanwhile",
                "Another agent has sent a message or written a note since the one that ifLatest names.",
                "Read what was said. To send all the same, send the message again without ifLatest."
            )
        case .unknownLink:
            (
                404, "There is no such link", "The session has no link of this id.",
                "List the session's links: GET /v1/sessions/{session}/links."
            )
        case .tooManyLinks:
            (
                409, "The session has too many links", "A session has at most 20 links that can still be used.",
                "Remove one of them first."
            )
        case .linkGone:
            (
                410, "The link does not work any more",
                "It was used as often as it may be, has expired, or was removed.",
                "Make another link for the customer."
            )
        case .unknownSecret:
            (
                404, "There is no such secret", "The channel has no secret of this id.",
                "List the channel's secrets: GET /v1/desk/channels/{channel}/identitySecrets."
            )
        case .tooManySecrets:
            (
                409, "The channel has too many secrets",
                "A channel has at most two secrets: one in use, and the next one.",
                "Remove the older one first."
            )
        case .otherIdentity:
            (
                409, "The JWT is another customer's",
                "The session belongs to one customer, and the JWT names another one.",
                "End the session, and begin another one with the JWT: POST /v1/visitors."
            )
        case .notConnected:
            (
                409, "The session is not connected",
                "The operation needs a session that is ready, and this one is not.",
                "Connect it with POST /v1/sessions/{session}/connect and try again."
            )
        case .illegalChatState:
            (
                409, "Not possible in the current state of the chat",
                "The chat or the thread is in a state in which this cannot be done, for instance closed.",
                "Look at the state of the session and of the thread; a closed thread takes no more messages."
            )
        case .illegalThreadState:
            (
                409, "Not possible in the current state of the thread",
                "The thread is in a state in which this cannot be done, for instance closed.",
                "Look at the thread's state and create another thread if it is closed."
            )
        case .unsupportedChannelConfig:
            (
                409, "Not possible on this channel",
                "The channel's mode does not allow it: several threads, names and archives need a multi-thread channel.",
                "Use a channel of another mode; GET /v1/services lists them."
            )
        case .unsupportedCapability:
            (
                409, "The service cannot do this",
                "The service behind the channel does not have the capability that the detail names.",
                "Look at the channel's capabilities before offering the operation."
            )
        case .missingPreChatCustomFields:
            (
                422, "Answers of the pre-chat survey are missing",
                "The channel asks questions before a thread begins, and required answers are missing.",
                "Send the answers as customFields."
            )
        case .recoveringThreadFailed:
            (
                502, "The thread could not be recovered",
                "The platform did not give back the thread of the last visit.",
                "Nothing is broken: create a new thread."
            )
        case .missingParameter:
            (
                422, "A value is missing", "A parameter that the operation needs is missing.",
                "Add what the detail names."
            )
        case .invalidData:
            (
                422, "The data is not valid", "The data cannot be used for this operation.",
                "Correct what the detail names."
            )
        case .invalidFileSize:
            (
                422, "The file is too large",
                "The file is larger than the channel allows. During an upload the status is 413.",
                "Look at the channel's fileRestrictions."
            )
        case .emptyFile:
            (
                422, "The file is empty", "The file has no bytes, and no channel takes such a file.",
                "Send a file that has something in it."
            )
        case .invalidFileType:
            (
                422, "The file's type is not allowed", "The channel does not take files of this type.",
                "Look at the channel's fileRestrictions."
            )
        case .eventTimeout:
            (
                504, "The platform did not answer in time", "The chat platform did not confirm the operation in time.",
                "Try again with the same id: it is safe."
            )
        case .customerAssociationFailure:
            (
                502, "The platform refused the customer", "The chat platform did not accept who the customer is.",
                "Check the customer and the platform's settings."
            )
        case .channelConfigFailure:
            (
                502, "The channel's configuration could not be read",
                "The chat platform did not give the channel's configuration.",
                "Check the brand and the channel, and try again."
            )
        case .attachmentError:
            (
                409, "The attachment cannot be sent", "The channel takes no attachments.",
                "Look at the channel's fileRestrictions."
            )
        case .serverError:
            (502, "The platform failed", "The chat platform answered with an error.", "Try again later.")
        case .sdkVersionNotSupported:
            (
                502, "The platform wants a newer client",
                "The chat platform does not support this version of the gateway any more.",
                "Update the gateway."
            )
        case .transactionTokenExpired:
            (
                409, "The login has expired", "The channel's customers must log in, and this login has expired.",
                "Log in again, and make a session with the new authorization."
            )
        case .transactionTokenRequestFailed:
            (
                502, "The platform gave no token", "The platform's token service refused, or there is none.",
                "Check the authorization and the channel's settings; if the session has URLs of its own, also urls.token."
            )
        case .missingAccessToken:
            (
                502, "The platform gave no access token",
                "The channel's customers must log in, and the platform answered without an access token.",
                "Log in again, and make a session with the new authorization."
            )
        case .tokenRefreshFailed:
            (
                502, "The token could not be renewed", "The platform did not renew the session's token.",
                "Connect the session again. If the channel's customers must log in, log in again."
            )
        case .sendTranscriptFailed:
            (
                502, "The transcript was not sent", "The platform could not send the transcript.",
                "Check the address, and try again later."
            )
        case .missingVisitId:
            (
                422, "No visit has begun",
                "A visitor's actions belong to a visit, and a visit begins with the first page view.",
                "Send a page view first."
            )
        case .textTooLong:
            (
                422, "The text is too long", "A message's text has at most 65,536 bytes of UTF-8.",
                "Send it in several messages."
            )
        case .messageIdConflict:
            (
                409, "Another message has this id", "The thread has a message of this id with other content.",
                "Choose a fresh id. Sending the same content with the same id is safe."
            )
        case .threadIdConflict:
            (
                409, "Another thread has this id", "The account has a thread of this id with other content.",
                "Choose a fresh id."
            )
        case .channelExists:
            (409, "The channel exists", "There is a channel of this id.", "Choose another id.")
        case .notAuthor:
            (
                403, "Only the author may do this", "Only the author of a message may change or remove it.",
                "Let the author do it."
            )
        case .ambiguousThread:
            (
                409, "Several threads have this id", "Two customers use the same thread id.",
                "Add ?channel= and ?customer= to say which thread you mean."
            )
        case .notJoined:
            (
                409, "The invitation has not been accepted",
                "The account was invited to the thread. It may read, and may take part after it has joined.",
                "Join with POST /v1/sessions/{session}/threads/{thread}/join."
            )
        case .unknownParent:
            (
                422, "There is no message to reply to",
                "The thread has no message of the id that parentId names; it may have been removed.",
                "List the messages."
            )
        case .replyDepthExceeded:
            (
                409, "A reply cannot be replied to",
                "Reply threads are one level deep: the message that parentId names is a reply itself.",
                "Reply to its parent."
            )
        case .replyNotAllowed:
            (
                409, "This message cannot be replied to", "Messages of the system (type admin) take no replies.",
                "Send an ordinary message."
            )
        case .parentHasReplies:
            (409, "The message has replies", "A message with replies cannot be removed.", "Remove its replies first.")
        case .assignedToAnother:
            (
                409, "The thread is another agent's",
                "The request was only to be done while the thread was nobody's or the agent's own (`ifAgent`), and it is not.",
                "Take another thread, or leave `ifAgent` away to take this one over."
            )
        case .nameVouched:
            (
                403, "The name is vouched for",
                "Whoever opened the session gave the customer's name, so the session's own token cannot change it.",
                "Change it with the gateway's token."
            )
        case .messageNotFailed:
            (
                409, "The message has not failed",
                "Only a message that could not be sent can be sent again or removed. This one was sent, or is being sent.",
                "Look at the message's status."
            )
        case .unknownSession:
            (
                404, "There is no such session", "The session was deleted or never existed.",
                "Create one with POST /v1/sessions."
            )
        case .unknownThread:
            (404, "There is no such thread", "The account has no thread of this id.", "List the threads.")
        case .unknownMessage:
            (
                404, "There is no such message", "The thread has no message of this id; it may have been removed.",
                "List the messages."
            )
        case .unknownCustomer:
            (
                404, "There is no such member", "The thread has no member of this id.",
                "GET the thread and look at its members."
            )
        case .noSuchCustomer:
            (
                404, "There is no such customer",
                "Nobody of this id has come to the channel, or the customer was erased.",
                "Search for the customer: GET /v1/desk/customers?q=."
            )
        case .ambiguousCustomer:
            (
                409, "Several customers have this id", "Customers of several channels have this id.",
                "Add ?channel= to say which one you mean."
            )
        case .tooManyNotes:
            (
                409, "Too many notes", "The customer has the greatest allowed number of notes.",
                "Remove those that are not needed."
            )
        case .answerExists:
            (
                409, "The shortcut is taken", "Another answer has this shortcut.",
                "Choose another shortcut, or take it from the other answer first."
            )
        case .unknownChannel:
            (
                404, "There is no such channel", "The service has no channel of this id.",
                "GET /v1/services lists the channels."
            )
        case .unknownService:
            (404, "There is no such service", "The gateway has no service of this id.", "GET /v1/services lists them.")
        case .tooManyThreads:
            (
                409, "Too many conversations are open",
                "A customer who has come by themselves has a limited number of open conversations on a channel.",
                "Go on in one of them, or end one."
            )
        case .unknownAttachment:
            (
                404, "There is no such attachment",
                "The attachment was never uploaded here, was removed with its message, or was not sent within 24 hours.",
                "Upload the file again."
            )
        case .attachmentInUse:
            (
                409, "The attachment is in use",
                "Another message carries the attachment. A file belongs to one message only.",
                "Upload the file again for another message."
            )
        case .tooManyUploads:
            (
                409, "Too many files are waiting to be sent",
                "The number and the bytes of uploaded files that no message carries are limited.",
                "Send messages that carry them. Files that are not sent within 24 hours are removed."
            )
        case .quotaExceeded:
            (
                409, "The customer's room is used up",
                "The gateway keeps so many bytes of messages, and so many of files, that one customer's own apps have written, and not more.",
                "Remove messages or files that are not needed. Who runs the gateway may allow more: --account-texts and --account-files."
            )
        case .tooManyFetches:
            (
                429, "Too many files are being fetched",
                "Files of a platform are fetched when they are first asked for. An account has its share of the places for that.",
                "Ask again in a moment."
            )
        case .tooManyUnsent:
            (
                409, "Too many messages are waiting to be sent",
                "The thread has the greatest allowed number of messages that its platform has not taken yet, or those of the customer the greatest allowed size.",
                "Wait until they are sent, or remove some. GET .../messages lists them as pending and failed."
            )
        case .unknownCollection:
            (
                404, "There is no such collection",
                "Neither the session nor the desk has a collection of this id; it may have been removed.",
                "List the collections, or make one. A collection that nobody has used for some minutes may have been removed to make room for another."
            )
        case .fetchInProgress:
            (
                409, "A fetch is running",
                "A fetch of this collection in this direction has not ended. The other direction is independent.",
                "Wait for its answer."
            )
        case .tooManyCollections:
            (
                409, "Too many collections",
                "A session holds a limited number of collections, as does the desk, and all of them are in use.",
                "Remove those that are not needed: GET .../collections lists them."
            )
        case .tooManyScreens:
            (
                409, "Too many screens",
                "A session has a limited number of screens with holders, and all of them are in use.",
                "GET .../viewing lists them. End those that are not needed with DELETE .../viewing?holder=."
            )
        case .unknownDevice:
            (
                404, "There is no device",
                "The session has no registered device, or the desk has none of this id; it may have been removed.",
                "Register one with PUT .../device; for the desk with POST /v1/desk/devices."
            )
        case .tooManyDevices:
            (
                409, "Too many devices", "The desk has the greatest allowed number of devices.",
                "Delete those that are not needed."
            )
        case .invalidSubscription:
            (
                422, "The subscription is not valid",
                "The subscription's endpoint or keys, or the app's token, are not valid.",
                "Send what `JSON.stringify(subscription)` gives in the browser, or the token in hexadecimal digits."
            )
        case .targetNotAllowed:
            (
                422, "The gateway may not send to this URL",
                "The URL's scheme, a user name in it, or the address of its host is not allowed; the detail says which.",
                "Use another URL. Put a user name and password into a header of the webhook."
            )
        case .pushNotConfigured:
            (
                409, "Pushes are not configured",
                "The gateway lacks what pushes to this device need: an app's keys, or a contact for Apple's service.",
                "Ask the person who runs the gateway to configure it."
            )
        case .unknownNote:
            (
                404, "There is no such note", "The thread has no note of this id; it may have been removed.",
                "List the thread's notes."
            )
        case .unknownAnswer:
            (
                404, "There is no such answer", "The desk keeps no answer of this id; it may have been removed.",
                "List the saved replies."
            )
        case .tooManyAnswers:
            (
                409, "Too many answers", "The desk keeps the greatest allowed number of answers.",
                "Remove those that are not needed, or keep this one under the name of another."
            )
        case .unknownWebhook:
            (
                404, "There is no such webhook", "The gateway has no webhook of this id; it may have been deleted.",
                "List the webhooks."
            )
        case .unknownDelivery:
            (
                404, "There is no such delivery",
                "The webhook has no delivery of this id; deliveries that are done are kept for some days only.",
                "List the webhook's deliveries."
            )
        case .webhookExists:
            (
                409, "The webhook exists", "A webhook of this id exists, and it has other settings.",
                "Choose another id, or change the one that exists."
            )
        case .tooManyWebhooks:
            (
                409, "Too many webhooks", "The gateway has the greatest allowed number of webhooks.",
                "Delete those that are not needed."
            )
        case .deliveryExpired:
            (
                409, "The delivery's event is gone",
                "The log does not have the event any more: it is too old, or its message was removed.",
                "Read the state anew by the lists of threads and messages."
            )
        case .cursorExpired:
            (
                409, "The log does not have this position",
                "The cursor is too old, ahead of the log, or of another log.",
                "Begin at a cursor that a stream or a list has given out recently."
            )
        case .unknownKey:
            (
                404, "There is no such key", "The gateway has no key of this id; it may have been removed.",
                "List the keys."
            )
        case .tooManyKeys:
            (
                409, "Too many keys", "The gateway has the greatest allowed number of keys.",
                "Remove those that are not needed."
            )
        case .unknownPerson:
            (
                404, "There is no such person", "The gateway knows no person of this id; they may have been removed.",
                "List the people."
            )
        case .personExists:
            (
                409, "The person exists",
                "Another person has this id, this e-mail address, or this name at the proxy; the detail says which.",
                "Choose another, or change the person who exists."
            )
        case .tooManyPeople:
            (
                409, "Too many people", "The gateway has the greatest allowed number of people.",
                "Remove those who do not work here any more."
            )
        case .lastAdministrator:
            (
                409, "The last administrator", "Nobody would be left who may administer the gateway.",
                "Make another person an active administrator first."
            )
        case .unknownLogin:
            (
                404, "There is no such login", "There is no login of this id; it may have ended.",
                "List the logins."
            )
        case .invitationGone:
            (
                410, "The invitation is gone", "The invitation was used, has expired, or was never made.",
                "Ask an administrator for another one."
            )
        case .storageFailed:
            (
                500, "The database failed", "The data could not be stored. Nothing has changed.",
                "Look at the gateway's log."
            )
        case .storageUnavailable:
            (
                503, "The database is away",
                "The database cannot be reached, has too much to do, or is served by another gateway now. Nothing has changed.",
                "Try again as Retry-After says."
            )
        case .storageFull:
            (
                507, "The disk is full", "There was no room to store the data. Nothing has changed.",
                "Free some space on the gateway's disk, and try again."
            )
        case .searchUnavailable:
            (
                503, "The search is not available at the moment",
                "The search index was damaged, and is being rebuilt from the messages. Nothing else is affected.",
                "Try again as Retry-After says."
            )
        case .shuttingDown:
            (
                503, "The gateway is stopping", "The gateway takes no new work because it is stopping.",
                "Try again when it is back."
            )
        }
    }
}

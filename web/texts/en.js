export default {
  "lang": "en",
  "dir": "ltr",
  "name": "English",
  "widget": {
    "launcher": {
      "open": "Open chat",
      "close": "Close chat",
      "openUnread": {
        "one": "Open chat, {count} unread message",
        "other": "Open chat, {count} unread messages"
      },
      "label": "Chat",
      "cannotLoad": "The chat cannot be loaded here.",
      "openPage": "Open it in a new tab"
    },
    "head": {
      "title": "{name}",
      "back": "Back",
      "close": "Close",
      "menu": "More",
      "online": "We are here",
      "answersIn": "We usually answer in {duration}",
      "hours": "We are here again {day} at {time}",
      "hoursToday": "We are here again at {time}",
      "away": "Nobody is here now. Leave a message.",
      "sound": "Sound",
      "soundOff": "Sound off"
    },
    "start": {
      "greeting": "Hello! How can we help?",
      "begin": "Write a message",
      "earlier": "Earlier conversations",
      "new": "New conversation",
      "none": "No conversations yet"
    },
    "consent": {
      "text": "Before you write: {link} says how we use your data.",
      "link": "our privacy notice",
      "agree": "I agree",
      "decline": "No, thank you",
      "declined": "The chat stays closed. You can agree later."
    },
    "survey": {
      "intro": "A few questions first",
      "required": "Please answer.",
      "email": "E-mail address",
      "emailWrong": "This is no e-mail address.",
      "firstName": "First name",
      "lastName": "Last name",
      "start": "Start",
      "optional": "optional"
    },
    "list": {
      "unread": {
        "one": "{count} unread message",
        "other": "{count} unread messages"
      },
      "you": "You",
      "said": "{name}: {text}",
      "noMessages": "No messages yet",
      "ended": "Ended"
    },
    "messages": {
      "label": "Messages",
      "older": "Load older messages",
      "newer": "Load newer messages",
      "news": {
        "one": "{count} new message",
        "other": "{count} new messages"
      },
      "today": "Today",
      "yesterday": "Yesterday",
      "day": "{date}",
      "arrived": "{name} says: {text}",
      "typing": {
        "one": "{names} is typing",
        "other": "{names} are typing"
      },
      "joined": "{name} is now with you",
      "left": "{name} has left",
      "removed": "The message was removed",
      "edited": "edited",
      "unknown": "This kind of message cannot be shown here.",
      "bot": "Automatic answer",
      "link": "Opens in a new tab"
    },
    "marks": {
      "sending": "Sending",
      "sent": "Sent",
      "delivered": "Delivered",
      "seen": "Seen",
      "failed": "Not sent",
      "retry": "Try again",
      "discard": "Discard"
    },
    "composer": {
      "label": "Message",
      "placeholder": "Write a message",
      "send": "Send",
      "attach": "Attach a file",
      "tooLong": "Too long: at most {limit}.",
      "ended": "This conversation has ended.",
      "reopenHint": "Write to continue it.",
      "waitingLimit": "You have written a lot. Please wait {seconds} s."
    },
    "files": {
      "drop": "Drop files here",
      "uploading": "Uploading {name}",
      "cancel": "Do not send {name}",
      "tooLarge": "{name} is too large: at most {size}.",
      "wrongType": "{name} cannot be sent here. Possible: {kinds}.",
      "empty": "{name} is empty.",
      "download": "Download {name}, {size}",
      "picture": "Picture {name}",
      "failed": "The file could not be sent."
    },
    "queue": {
      "place": "You are number {count}.",
      "next": "You are next.",
      "estimate": {
        "one": "About {count} minute",
        "other": "About {count} minutes"
      },
      "end": "End chat",
      "endTitle": "End this chat?",
      "endHint": "You can begin another one.",
      "ended": "The chat has ended.",
      "again": "Start a new chat"
    },
    "inactivity": {
      "question": "Are you still there?",
      "yes": "Yes",
      "no": "No, end the chat"
    },
    "rating": {
      "title": "How was it?",
      "score": "{count} of 5",
      "low": "bad",
      "high": "very good",
      "comment": "What could be better? (optional)",
      "send": "Send",
      "thanks": "Thank you!",
      "skip": "Not now",
      "change": "Change your rating"
    },
    "identity": {
      "expired": "Please sign in on this page again to go on.",
      "invalid": "The sign-in of this page did not work here.",
      "changed": "You are signed in as somebody else now."
    },
    "problems": {
      "offline": "No connection. Trying again…",
      "back": "Connected again",
      "blocked": "Your browser does not let this chat keep anything. It ends when you leave the page.",
      "tooMany": "Too many chats were begun. Please try again in {minutes} min.",
      "proof": "One moment, checking…",
      "gone": "This conversation is gone.",
      "wrong": "Something went wrong.",
      "reload": "Reload"
    },
    "linkPage": {
      "title": "Your conversation with {name}",
      "open": "Open the conversation",
      "gone": "This link does not work any more. Ask for a new one.",
      "private": "Do not do this on a computer of others."
    },
    "menu": {
      "transcript": "Save the conversation",
      "mail": "Send it by e-mail",
      "mailed": "It is on its way to {email}.",
      "erase": "Delete my data",
      "eraseTitle": "Delete everything?",
      "eraseHint": "All conversations here are deleted for ever.",
      "erased": "Everything was deleted.",
      "signOut": "Forget me on this device",
      "privacy": "Privacy"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "The chat cannot be reached at the moment.",
    "timeout": "The chat cannot be reached at the moment.",
    "notConnected": "The chat is not connected at the moment. Please try again.",
    "serverError": "The chat has a technical problem. Please try again later.",
    "internalError": "The chat has a technical problem. Please try again later.",
    "storageFailed": "The chat has a technical problem. Please try again later.",
    "storageUnavailable": "The chat has a technical problem. Please try again later.",
    "storageFull": "The chat has a technical problem. Please try again later.",
    "eventTimeout": "The chat has a technical problem. Please try again later.",
    "shuttingDown": "The chat has a technical problem. Please try again later.",
    "standby": "The chat has a technical problem. Please try again later.",
    "tooManyRequests": "Very many people are using the chat. Please try again in a moment.",
    "tooManyStreams": "Very many people are using the chat. Please try again in a moment.",
    "tooManyFetches": "Very many people are using the chat. Please try again in a moment.",
    "shareExceeded": "Very many people are using the chat. Please try again in a moment.",
    "tooManyFailures": "Too many attempts failed. Please wait a moment, and try again.",
    "tooManyWrites": "You have written a lot in a short time. Please wait a moment.",
    "tooManyMessages": "You have written a lot in a short time. Please wait a moment.",
    "tooManyUnsent": "Too much is still being sent. Please wait a moment.",
    "tooManyUploads": "Too much is still being sent. Please wait a moment.",
    "tooManyVisitors": "Too many chats were begun. Please try again later.",
    "quotaExceeded": "There is no more room for your messages and files.",
    "textTooLong": "This message is too long.",
    "bodyTooLarge": "This is too large to be sent.",
    "emptyFile": "This file is empty.",
    "invalidFileSize": "This file is too large.",
    "invalidFileType": "Files of this kind cannot be sent here.",
    "attachmentError": "The file could not be sent.",
    "unknownAttachment": "This file is no longer there.",
    "missingPreChatCustomFields": "Please answer the questions that are marked as needed.",
    "invalidValue": "Something that you entered is not valid.",
    "invalidData": "Something that you entered is not valid.",
    "illegalThreadState": "This is not possible any more in this conversation.",
    "illegalChatState": "This is not possible any more in this conversation.",
    "unsupportedChannelConfig": "This is not possible in this chat.",
    "unsupportedCapability": "This is not possible in this chat.",
    "unknownThread": "This conversation does not exist any more.",
    "unknownMessage": "This message does not exist any more.",
    "unknownParent": "The message that you reply to does not exist any more.",
    "replyNotAllowed": "You cannot reply to this message.",
    "replyDepthExceeded": "You cannot reply to this message.",
    "parentHasReplies": "A message with replies cannot be deleted.",
    "notAuthor": "You can change only your own messages.",
    "notJoined": "Join the conversation to write here.",
    "nameVouched": "Your name cannot be changed here.",
    "preconditionFailed": "Somebody else has changed this meanwhile. Please try again.",
    "searchUnavailable": "The search is not available at the moment.",
    "sendTranscriptFailed": "The conversation could not be sent by e-mail.",
    "forbidden": "You are not allowed to do this.",
    "notAllowed": "You are not allowed to do this.",
    "unauthorized": "Your chat has expired. Please begin a new one.",
    "unknownSession": "Your chat has expired. Please begin a new one.",
    "unknownChannel": "This chat is not available.",
    "channelNotPublic": "This chat is not available.",
    "originNotAllowed": "This chat may not be used on this page.",
    "identityRequired": "Please sign in on this page first.",
    "identityExpired": "Your sign-in has expired. Please sign in again.",
    "transactionTokenExpired": "Your sign-in has expired. Please sign in again.",
    "invalidIdentity": "Your sign-in could not be verified.",
    "customerAssociationFailure": "Your sign-in could not be verified.",
    "otherIdentity": "You are signed in as somebody else now.",
    "consentRequired": "Please agree to the privacy notice first.",
    "proofRequired": "The check of your browser failed. Please try again.",
    "linkGone": "This link does not work any more. Ask for a new one."
  }
};

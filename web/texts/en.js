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
  "problems": {}
};

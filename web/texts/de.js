export default {
  "lang": "de",
  "dir": "ltr",
  "name": "Deutsch",
  "widget": {
    "launcher": {
      "open": "Chat öffnen",
      "close": "Chat schließen",
      "openUnread": {
        "one": "Chat öffnen, {count} ungelesene Nachricht",
        "other": "Chat öffnen, {count} ungelesene Nachrichten"
      },
      "label": "Chat",
      "cannotLoad": "Der Chat kann hier nicht geladen werden.",
      "openPage": "In neuem Tab öffnen"
    },
    "head": {
      "title": "{name}",
      "back": "Zurück",
      "close": "Schließen",
      "menu": "Mehr",
      "online": "Wir sind für Sie da",
      "answersIn": "Wir antworten meist innerhalb von {duration}",
      "hours": "Wir sind {day} um {time} wieder für Sie da",
      "hoursToday": "Wir sind um {time} wieder für Sie da",
      "away": "Gerade ist niemand da. Hinterlassen Sie uns eine Nachricht.",
      "sound": "Ton",
      "soundOff": "Ton aus"
    },
    "start": {
      "greeting": "Guten Tag! Wie können wir helfen?",
      "begin": "Nachricht schreiben",
      "earlier": "Frühere Unterhaltungen",
      "new": "Neue Unterhaltung",
      "none": "Noch keine Unterhaltungen"
    },
    "consent": {
      "text": "Bevor Sie schreiben: {link} erklärt, wie wir Ihre Daten verwenden.",
      "link": "unsere Datenschutzerklärung",
      "agree": "Einverstanden",
      "decline": "Nein, danke",
      "declined": "Der Chat bleibt geschlossen. Sie können später zustimmen."
    },
    "survey": {
      "intro": "Zuerst ein paar Fragen",
      "required": "Bitte beantworten Sie diese Frage.",
      "email": "E-Mail-Adresse",
      "emailWrong": "Das ist keine gültige E-Mail-Adresse.",
      "firstName": "Vorname",
      "lastName": "Nachname",
      "start": "Starten",
      "optional": "freiwillig"
    },
    "list": {
      "unread": {
        "one": "{count} ungelesene Nachricht",
        "other": "{count} ungelesene Nachrichten"
      },
      "you": "Sie",
      "said": "{name}: {text}",
      "noMessages": "Noch keine Nachrichten",
      "ended": "Beendet"
    },
    "messages": {
      "label": "Nachrichten",
      "older": "Ältere Nachrichten laden",
      "newer": "Neuere Nachrichten laden",
      "news": {
        "one": "{count} neue Nachricht",
        "other": "{count} neue Nachrichten"
      },
      "today": "Heute",
      "yesterday": "Gestern",
      "day": "{date}",
      "arrived": "{name} schreibt: {text}",
      "typing": {
        "one": "{names} schreibt",
        "other": "{names} schreiben"
      },
      "joined": "{name} ist jetzt für Sie da",
      "left": "{name} hat die Unterhaltung verlassen",
      "removed": "Die Nachricht wurde entfernt",
      "edited": "bearbeitet",
      "unknown": "Diese Art von Nachricht kann hier nicht angezeigt werden.",
      "bot": "Automatische Antwort",
      "link": "Öffnet sich in einem neuen Tab"
    },
    "marks": {
      "sending": "Wird gesendet",
      "sent": "Gesendet",
      "delivered": "Zugestellt",
      "seen": "Gelesen",
      "failed": "Nicht gesendet",
      "retry": "Erneut versuchen",
      "discard": "Verwerfen"
    },
    "composer": {
      "label": "Nachricht",
      "placeholder": "Nachricht schreiben",
      "send": "Senden",
      "attach": "Datei anhängen",
      "tooLong": "Zu lang: höchstens {limit}.",
      "ended": "Diese Unterhaltung ist beendet.",
      "reopenHint": "Schreiben Sie, um sie fortzusetzen.",
      "waitingLimit": "Sie haben sehr viel geschrieben. Bitte warten Sie {seconds} s."
    },
    "files": {
      "drop": "Dateien hier ablegen",
      "uploading": "{name} wird hochgeladen",
      "cancel": "{name} nicht senden",
      "tooLarge": "{name} ist zu groß: höchstens {size}.",
      "wrongType": "{name} kann hier nicht gesendet werden. Möglich sind: {kinds}.",
      "empty": "{name} ist leer.",
      "download": "{name} herunterladen, {size}",
      "picture": "Bild {name}",
      "failed": "Die Datei konnte nicht gesendet werden."
    },
    "queue": {
      "place": "Sie sind Nummer {count} in der Warteschlange.",
      "next": "Sie sind als Nächstes dran.",
      "estimate": {
        "one": "Noch etwa {count} Minute",
        "other": "Noch etwa {count} Minuten"
      },
      "end": "Chat beenden",
      "endTitle": "Diesen Chat beenden?",
      "endHint": "Sie können jederzeit einen neuen beginnen.",
      "ended": "Der Chat ist beendet.",
      "again": "Neuen Chat starten"
    },
    "inactivity": {
      "question": "Sind Sie noch da?",
      "yes": "Ja",
      "no": "Nein, Chat beenden"
    },
    "rating": {
      "title": "Wie war es?",
      "score": "{count} von 5",
      "low": "schlecht",
      "high": "sehr gut",
      "comment": "Was könnten wir besser machen? (freiwillig)",
      "send": "Senden",
      "thanks": "Vielen Dank!",
      "skip": "Jetzt nicht",
      "change": "Bewertung ändern"
    },
    "identity": {
      "expired": "Bitte melden Sie sich auf dieser Seite erneut an, um fortzufahren.",
      "invalid": "Die Anmeldung dieser Seite hat hier nicht funktioniert.",
      "changed": "Sie sind jetzt mit einem anderen Konto angemeldet."
    },
    "problems": {
      "offline": "Keine Verbindung. Neuer Versuch läuft…",
      "back": "Wieder verbunden",
      "blocked": "Ihr Browser lässt diesen Chat nichts speichern. Er endet, wenn Sie die Seite verlassen.",
      "tooMany": "Es wurden zu viele Chats begonnen. Bitte versuchen Sie es in {minutes} Min. erneut.",
      "proof": "Einen Moment, wir prüfen etwas…",
      "gone": "Diese Unterhaltung gibt es nicht mehr.",
      "wrong": "Etwas ist schiefgegangen.",
      "reload": "Neu laden"
    },
    "linkPage": {
      "title": "Ihre Unterhaltung mit {name}",
      "open": "Unterhaltung öffnen",
      "gone": "Dieser Link funktioniert nicht mehr. Bitte fordern Sie einen neuen an.",
      "private": "Öffnen Sie die Unterhaltung nicht auf einem fremden Computer."
    },
    "menu": {
      "transcript": "Unterhaltung speichern",
      "mail": "Per E-Mail senden",
      "mailed": "Die Unterhaltung ist unterwegs an {email}.",
      "erase": "Meine Daten löschen",
      "eraseTitle": "Alles löschen?",
      "eraseHint": "Alle Unterhaltungen hier werden endgültig gelöscht.",
      "erased": "Alles wurde gelöscht.",
      "signOut": "Auf diesem Gerät vergessen",
      "privacy": "Datenschutz"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "Der Chat ist zurzeit nicht erreichbar.",
    "timeout": "Der Chat ist zurzeit nicht erreichbar.",
    "notConnected": "Der Chat ist zurzeit nicht verbunden. Bitte versuchen Sie es erneut.",
    "serverError": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "internalError": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "storageFailed": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "storageUnavailable": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "storageFull": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "eventTimeout": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "shuttingDown": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "standby": "Der Chat hat ein technisches Problem. Bitte versuchen Sie es später erneut.",
    "tooManyRequests": "Der Chat wird gerade sehr viel genutzt. Bitte versuchen Sie es gleich noch einmal.",
    "tooManyStreams": "Der Chat wird gerade sehr viel genutzt. Bitte versuchen Sie es gleich noch einmal.",
    "tooManyFetches": "Der Chat wird gerade sehr viel genutzt. Bitte versuchen Sie es gleich noch einmal.",
    "shareExceeded": "Der Chat wird gerade sehr viel genutzt. Bitte versuchen Sie es gleich noch einmal.",
    "tooManyFailures": "Zu viele Versuche sind fehlgeschlagen. Bitte warten Sie einen Moment und versuchen Sie es erneut.",
    "tooManyWrites": "Sie haben in kurzer Zeit sehr viel geschrieben. Bitte warten Sie einen Moment.",
    "tooManyMessages": "Sie haben in kurzer Zeit sehr viel geschrieben. Bitte warten Sie einen Moment.",
    "tooManyUnsent": "Es wird noch zu viel gesendet. Bitte warten Sie einen Moment.",
    "tooManyUploads": "Es wird noch zu viel gesendet. Bitte warten Sie einen Moment.",
    "tooManyVisitors": "Es wurden zu viele Chats begonnen. Bitte versuchen Sie es später erneut.",
    "quotaExceeded": "Für Ihre Nachrichten und Dateien ist kein Platz mehr.",
    "textTooLong": "Diese Nachricht ist zu lang.",
    "bodyTooLarge": "Das ist zu groß, um es zu senden.",
    "emptyFile": "Diese Datei ist leer.",
    "invalidFileSize": "Diese Datei ist zu groß.",
    "invalidFileType": "Dateien dieser Art können hier nicht gesendet werden.",
    "attachmentError": "Die Datei konnte nicht gesendet werden.",
    "unknownAttachment": "Diese Datei ist nicht mehr vorhanden.",
    "missingPreChatCustomFields": "Bitte beantworten Sie alle Pflichtfragen.",
    "invalidValue": "Eine Ihrer Angaben ist ungültig.",
    "invalidData": "Eine Ihrer Angaben ist ungültig.",
    "illegalThreadState": "Das ist in dieser Unterhaltung nicht mehr möglich.",
    "illegalChatState": "Das ist in dieser Unterhaltung nicht mehr möglich.",
    "unsupportedChannelConfig": "Das ist in diesem Chat nicht möglich.",
    "unsupportedCapability": "Das ist in diesem Chat nicht möglich.",
    "unknownThread": "Diese Unterhaltung gibt es nicht mehr.",
    "unknownMessage": "Diese Nachricht gibt es nicht mehr.",
    "unknownParent": "Die Nachricht, auf die Sie antworten, gibt es nicht mehr.",
    "replyNotAllowed": "Auf diese Nachricht können Sie nicht antworten.",
    "replyDepthExceeded": "Auf diese Nachricht können Sie nicht antworten.",
    "parentHasReplies": "Eine Nachricht mit Antworten kann nicht gelöscht werden.",
    "notAuthor": "Sie können nur Ihre eigenen Nachrichten ändern.",
    "notJoined": "Treten Sie der Unterhaltung bei, um hier zu schreiben.",
    "nameVouched": "Ihr Name kann hier nicht geändert werden.",
    "preconditionFailed": "Jemand anderes hat dies inzwischen geändert. Bitte versuchen Sie es erneut.",
    "searchUnavailable": "Die Suche ist zurzeit nicht verfügbar.",
    "sendTranscriptFailed": "Die Unterhaltung konnte nicht per E-Mail gesendet werden.",
    "forbidden": "Das dürfen Sie nicht.",
    "notAllowed": "Das dürfen Sie nicht.",
    "unauthorized": "Ihr Chat ist abgelaufen. Bitte beginnen Sie einen neuen.",
    "unknownSession": "Ihr Chat ist abgelaufen. Bitte beginnen Sie einen neuen.",
    "unknownChannel": "Dieser Chat ist nicht verfügbar.",
    "channelNotPublic": "Dieser Chat ist nicht verfügbar.",
    "originNotAllowed": "Dieser Chat darf auf dieser Seite nicht verwendet werden.",
    "identityRequired": "Bitte melden Sie sich zuerst auf dieser Seite an.",
    "identityExpired": "Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.",
    "transactionTokenExpired": "Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.",
    "invalidIdentity": "Ihre Anmeldung konnte nicht bestätigt werden.",
    "customerAssociationFailure": "Ihre Anmeldung konnte nicht bestätigt werden.",
    "otherIdentity": "Sie sind jetzt mit einem anderen Konto angemeldet.",
    "consentRequired": "Bitte stimmen Sie zuerst der Datenschutzerklärung zu.",
    "proofRequired": "Die Prüfung Ihres Browsers ist fehlgeschlagen. Bitte versuchen Sie es erneut.",
    "linkGone": "Dieser Link funktioniert nicht mehr. Bitte fordern Sie einen neuen an."
  }
};

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
  "problems": {}
};

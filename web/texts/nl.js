export default {
  "lang": "nl",
  "dir": "ltr",
  "name": "Nederlands",
  "widget": {
    "launcher": {
      "open": "Chat openen",
      "close": "Chat sluiten",
      "openUnread": {
        "one": "Chat openen, {count} ongelezen bericht",
        "other": "Chat openen, {count} ongelezen berichten"
      },
      "label": "Chat",
      "cannotLoad": "De chat kan hier niet worden geladen.",
      "openPage": "In een nieuw tabblad openen"
    },
    "head": {
      "title": "{name}",
      "back": "Terug",
      "close": "Sluiten",
      "menu": "Meer",
      "online": "We zijn er",
      "answersIn": "We antwoorden meestal binnen {duration}",
      "hours": "We zijn er {day} om {time} weer",
      "hoursToday": "We zijn er om {time} weer",
      "away": "Er is nu niemand. Laat een bericht achter.",
      "sound": "Geluid",
      "soundOff": "Geluid uit"
    },
    "start": {
      "greeting": "Hallo! Hoe kunnen we u helpen?",
      "begin": "Een bericht schrijven",
      "earlier": "Eerdere gesprekken",
      "new": "Nieuw gesprek",
      "none": "Nog geen gesprekken"
    },
    "consent": {
      "text": "Voordat u schrijft: {link} legt uit hoe we uw gegevens gebruiken.",
      "link": "onze privacyverklaring",
      "agree": "Akkoord",
      "decline": "Nee, bedankt",
      "declined": "De chat blijft gesloten. U kunt later akkoord gaan."
    },
    "survey": {
      "intro": "Eerst een paar vragen",
      "required": "Beantwoord deze vraag.",
      "email": "E-mailadres",
      "emailWrong": "Dit is geen geldig e-mailadres.",
      "firstName": "Voornaam",
      "lastName": "Achternaam",
      "start": "Beginnen",
      "optional": "optioneel"
    },
    "list": {
      "unread": {
        "one": "{count} ongelezen bericht",
        "other": "{count} ongelezen berichten"
      },
      "you": "U",
      "said": "{name}: {text}",
      "noMessages": "Nog geen berichten",
      "ended": "Beëindigd"
    },
    "messages": {
      "label": "Berichten",
      "older": "Oudere berichten laden",
      "newer": "Nieuwere berichten laden",
      "news": {
        "one": "{count} nieuw bericht",
        "other": "{count} nieuwe berichten"
      },
      "today": "Vandaag",
      "yesterday": "Gisteren",
      "day": "{date}",
      "arrived": "{name} zegt: {text}",
      "typing": {
        "one": "{names} is aan het typen",
        "other": "{names} zijn aan het typen"
      },
      "joined": "{name} helpt u nu",
      "left": "{name} heeft het gesprek verlaten",
      "removed": "Het bericht is verwijderd",
      "edited": "bewerkt",
      "unknown": "Dit soort bericht kan hier niet worden getoond.",
      "bot": "Automatisch antwoord",
      "link": "Opent in een nieuw tabblad"
    },
    "marks": {
      "sending": "Wordt verzonden",
      "sent": "Verzonden",
      "delivered": "Afgeleverd",
      "seen": "Gelezen",
      "failed": "Niet verzonden",
      "retry": "Opnieuw proberen",
      "discard": "Verwijderen"
    },
    "composer": {
      "label": "Bericht",
      "placeholder": "Schrijf een bericht",
      "send": "Verzenden",
      "attach": "Een bestand bijvoegen",
      "tooLong": "Te lang: maximaal {limit}.",
      "ended": "Dit gesprek is beëindigd.",
      "reopenHint": "Schrijf om het voort te zetten.",
      "waitingLimit": "U hebt veel geschreven. Wacht {seconds} s."
    },
    "files": {
      "drop": "Zet bestanden hier neer",
      "uploading": "{name} wordt geüpload",
      "cancel": "{name} niet verzenden",
      "tooLarge": "{name} is te groot: maximaal {size}.",
      "wrongType": "{name} kan hier niet worden verzonden. Mogelijk zijn: {kinds}.",
      "empty": "{name} is leeg.",
      "download": "{name} downloaden, {size}",
      "picture": "Afbeelding {name}",
      "failed": "Het bestand kon niet worden verzonden."
    },
    "queue": {
      "place": "U bent nummer {count} in de wachtrij.",
      "next": "U bent als volgende aan de beurt.",
      "estimate": {
        "one": "Ongeveer {count} minuut",
        "other": "Ongeveer {count} minuten"
      },
      "end": "Chat beëindigen",
      "endTitle": "Deze chat beëindigen?",
      "endHint": "U kunt een nieuwe beginnen.",
      "ended": "De chat is beëindigd.",
      "again": "Een nieuwe chat beginnen"
    },
    "inactivity": {
      "question": "Bent u er nog?",
      "yes": "Ja",
      "no": "Nee, chat beëindigen"
    },
    "rating": {
      "title": "Hoe was het?",
      "score": "{count} van 5",
      "low": "slecht",
      "high": "heel goed",
      "comment": "Wat kan er beter? (optioneel)",
      "send": "Verzenden",
      "thanks": "Hartelijk dank!",
      "skip": "Niet nu",
      "change": "Uw beoordeling wijzigen"
    },
    "identity": {
      "expired": "Log opnieuw in op deze pagina om verder te gaan.",
      "invalid": "De aanmelding van deze pagina werkte hier niet.",
      "changed": "U bent nu met een ander account aangemeld."
    },
    "problems": {
      "offline": "Geen verbinding. Nieuwe poging…",
      "back": "Weer verbonden",
      "blocked": "Uw browser laat deze chat niets bewaren. De chat eindigt wanneer u de pagina verlaat.",
      "tooMany": "Er zijn te veel chats begonnen. Probeer het over {minutes} min. opnieuw.",
      "proof": "Een ogenblik, we controleren iets…",
      "gone": "Dit gesprek bestaat niet meer.",
      "wrong": "Er is iets misgegaan.",
      "reload": "Opnieuw laden"
    },
    "linkPage": {
      "title": "Uw gesprek met {name}",
      "open": "Het gesprek openen",
      "gone": "Deze link werkt niet meer. Vraag een nieuwe aan.",
      "private": "Doe dit niet op de computer van iemand anders."
    },
    "menu": {
      "transcript": "Het gesprek opslaan",
      "mail": "Per e-mail verzenden",
      "mailed": "Het is onderweg naar {email}.",
      "erase": "Mijn gegevens verwijderen",
      "eraseTitle": "Alles verwijderen?",
      "eraseHint": "Alle gesprekken hier worden voorgoed verwijderd.",
      "erased": "Alles is verwijderd.",
      "signOut": "Mij op dit apparaat vergeten",
      "privacy": "Privacy"
    }
  },
  "pages": {},
  "problems": {}
};

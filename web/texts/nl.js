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
  "problems": {
    "unreachable": "De chat is op dit moment niet bereikbaar.",
    "timeout": "De chat is op dit moment niet bereikbaar.",
    "notConnected": "De chat is op dit moment niet verbonden. Probeer het opnieuw.",
    "serverError": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "internalError": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "storageFailed": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "storageUnavailable": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "storageFull": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "eventTimeout": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "shuttingDown": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "standby": "De chat heeft een technisch probleem. Probeer het later opnieuw.",
    "tooManyRequests": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyStreams": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyFetches": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "shareExceeded": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyFailures": "Er zijn te veel pogingen mislukt. Wacht even en probeer het opnieuw.",
    "tooManyWrites": "U hebt in korte tijd veel geschreven. Wacht even.",
    "tooManyMessages": "U hebt in korte tijd veel geschreven. Wacht even.",
    "tooManyUnsent": "Er wordt nog te veel verzonden. Wacht even.",
    "tooManyUploads": "Er wordt nog te veel verzonden. Wacht even.",
    "tooManyVisitors": "Er zijn te veel chats begonnen. Probeer het later opnieuw.",
    "quotaExceeded": "Er is geen ruimte meer voor uw berichten en bestanden.",
    "textTooLong": "Dit bericht is te lang.",
    "bodyTooLarge": "Dit is te groot om te verzenden.",
    "emptyFile": "Dit bestand is leeg.",
    "invalidFileSize": "Dit bestand is te groot.",
    "invalidFileType": "Bestanden van dit type kunnen hier niet worden verzonden.",
    "attachmentError": "Het bestand kon niet worden verzonden.",
    "unknownAttachment": "Dit bestand is er niet meer.",
    "missingPreChatCustomFields": "Beantwoord de verplichte vragen.",
    "invalidValue": "Iets wat u hebt ingevuld, is niet geldig.",
    "invalidData": "Iets wat u hebt ingevuld, is niet geldig.",
    "illegalThreadState": "Dit is niet meer mogelijk in dit gesprek.",
    "illegalChatState": "Dit is niet meer mogelijk in dit gesprek.",
    "unsupportedChannelConfig": "Dit is niet mogelijk in deze chat.",
    "unsupportedCapability": "Dit is niet mogelijk in deze chat.",
    "unknownThread": "Dit gesprek bestaat niet meer.",
    "unknownMessage": "Dit bericht bestaat niet meer.",
    "unknownParent": "Het bericht waarop u reageert, bestaat niet meer.",
    "replyNotAllowed": "U kunt niet op dit bericht reageren.",
    "replyDepthExceeded": "U kunt niet op dit bericht reageren.",
    "parentHasReplies": "Een bericht met reacties kan niet worden verwijderd.",
    "notAuthor": "U kunt alleen uw eigen berichten wijzigen.",
    "notJoined": "Neem deel aan het gesprek om hier te schrijven.",
    "nameVouched": "Uw naam kan hier niet worden gewijzigd.",
    "preconditionFailed": "Iemand anders heeft dit intussen gewijzigd. Probeer het opnieuw.",
    "searchUnavailable": "Zoeken is op dit moment niet beschikbaar.",
    "sendTranscriptFailed": "Het gesprek kon niet per e-mail worden verzonden.",
    "forbidden": "U mag dit niet doen.",
    "notAllowed": "U mag dit niet doen.",
    "unauthorized": "Uw chat is verlopen. Begin een nieuwe.",
    "unknownSession": "Uw chat is verlopen. Begin een nieuwe.",
    "unknownChannel": "Deze chat is niet beschikbaar.",
    "channelNotPublic": "Deze chat is niet beschikbaar.",
    "originNotAllowed": "Deze chat mag niet op deze pagina worden gebruikt.",
    "identityRequired": "Meld u eerst aan op deze pagina.",
    "identityExpired": "Uw aanmelding is verlopen. Meld u opnieuw aan.",
    "transactionTokenExpired": "Uw aanmelding is verlopen. Meld u opnieuw aan.",
    "invalidIdentity": "Uw aanmelding kon niet worden gecontroleerd.",
    "customerAssociationFailure": "Uw aanmelding kon niet worden gecontroleerd.",
    "otherIdentity": "U bent nu met een ander account aangemeld.",
    "consentRequired": "Ga eerst akkoord met de privacyverklaring.",
    "proofRequired": "De controle van uw browser is mislukt. Probeer het opnieuw.",
    "linkGone": "Deze link werkt niet meer. Vraag een nieuwe aan."
  }
};

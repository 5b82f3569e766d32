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
      "closed": "Er is nu niemand. Probeer het later opnieuw.",
      "sound": "Geluid",
      "soundOff": "Geluid uit"
    },
    "start": {
      "greeting": "Hallo! Hoe kunnen we u helpen?",
      "begin": "Een bericht schrijven",
      "earlier": "Eerdere gesprekken",
      "new": "Nieuw gesprek",
      "none": "Nog geen gesprekken",
      "untitled": "Gesprek"
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
      "start": "Meld u aan op deze pagina om ons te schrijven.",
      "expired": "Log opnieuw in op deze pagina om verder te gaan.",
      "invalid": "De aanmelding van deze pagina werkte hier niet.",
      "changed": "U bent nu met een ander account aangemeld."
    },
    "problems": {
      "offline": "Geen verbinding. Nieuwe poging…",
      "back": "Weer verbonden",
      "blocked": "Uw browser laat deze chat niets bewaren. De chat eindigt wanneer u de pagina verlaat.",
      "onlyTab": "Uw browser bewaart deze chat alleen voor dit tabblad. De chat eindigt wanneer u het tabblad sluit.",
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
      "cancel": "Annuleren",
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
  "pages": {
    "common": {
      "add": "Toevoegen",
      "back": "Terug naar de lijst",
      "cancel": "Annuleren",
      "close": "Sluiten",
      "continue": "Doorgaan",
      "conversation": "Gesprek",
      "conversations": "Gesprekken",
      "details": "Details",
      "done": "Klaar",
      "failed": "Deze actie is mislukt.",
      "loading": "Laden…",
      "name": "Naam",
      "newConversation": "Nieuw gesprek",
      "remove": "Verwijderen",
      "required": "* verplicht",
      "save": "Opslaan",
      "send": "Verzenden",
      "showMore": "Meer tonen",
      "wrong": "Er is iets misgegaan.",
      "you": "U"
    },
    "people": {
      "addYourName": "Uw naam toevoegen",
      "agent": "Medewerker",
      "andMore": {
        "one": "{name} en nog {count} persoon",
        "other": "{name} en nog {count} personen"
      },
      "count": {
        "one": "{count} persoon",
        "other": "{count} personen"
      },
      "customer": "Klant",
      "unnamed": "Klant {id}",
      "yourName": "Uw naam"
    },
    "times": {
      "today": "Vandaag",
      "yesterday": "Gisteren"
    },
    "signIn": {
      "choose": "Kies een wachtwoord. Een zin die alleen u zou schrijven, is een goede keuze.",
      "count": "{count} van {minimum} tekens",
      "email": "E-mailadres",
      "enough": {
        "one": "{count} teken",
        "other": "{count} tekens"
      },
      "enter": "Aanmelden",
      "gone": "Deze link is al gebruikt of verlopen. Voer voor een nieuwe ‘parley open’ uit in een terminal.",
      "invitationGone": "Deze uitnodiging is al gebruikt of verlopen. Vraag een beheerder om een nieuwe.",
      "noStorage": "Deze browser staat niet toe dat pagina’s iets bewaren en kan daarom niet aangemeld blijven.",
      "orOpen": "Wie de gateway beheert, opent een link vanuit een terminal:",
      "password": "Wachtwoord",
      "single": "Doorgaan met eenmalige aanmelding",
      "unreachable": "De gateway is niet bereikbaar. Laad deze pagina opnieuw.",
      "wait": "Te veel verkeerde wachtwoorden. Probeer het over {duration} opnieuw.",
      "weak": {
        "common": "Veel mensen kiezen dit wachtwoord. Kies een zin die niemand anders zou schrijven.",
        "long": "Dit wachtwoord is te lang.",
        "personal": "Dit wachtwoord is vooral uw eigen naam of adres.",
        "repeated": "Dit wachtwoord herhaalt weinig tekens.",
        "short": "Dit wachtwoord is te kort."
      },
      "wrong": "Het e-mailadres of het wachtwoord is onjuist.",
      "wrongPassword": "Het wachtwoord is onjuist."
    },
    "page": {
      "away": "De gateway is niet bereikbaar",
      "awayHint": "Draait Parley? Deze pagina gaat vanzelf verder zodra de gateway antwoordt.",
      "locked": "Deze browser is niet aangemeld",
      "lockedCommand": "parley open",
      "lockedHint": "Parley draait op deze computer. Alleen een link van de gateway meldt een browser aan. Open er een vanuit een terminal:",
      "lockedNote": "De getoonde link werkt één keer, binnen tien minuten. Daarna gaat deze pagina vanzelf verder. Vindt de shell ‘parley’ niet? De gateway heeft bij de start de hele opdracht getoond.",
      "noAnswer": "Gateway niet bereikbaar. Nieuwe poging…",
      "noLiveUpdates": "Geen live-updates: {why}",
      "notify": "Meldingen",
      "notifyForbidden": "De browser staat geen meldingen van deze pagina toe. U kunt dat in de instellingen wijzigen.",
      "off": "Uit",
      "on": "Aan",
      "reconnecting": "Verbinding verbroken. Opnieuw verbinden…",
      "signOut": "Afmelden",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Livechat",
      "multithread": "Meerdere gesprekken",
      "singlethread": "Eén gesprek"
    },
    "picker": {
      "choose": "Kies een kanaal om te beginnen.",
      "continue": "Doorgaan",
      "heading": "Hoe kunnen we u helpen?",
      "none": "Er is nog geen kanaal. Het team kan er een toevoegen."
    },
    "demo": {
      "answer": "{link} in een ander venster. Wijs het gesprek aan uzelf toe en antwoord; ‘Assign to nobody’ geeft het terug aan de bot. Grace wacht daar in de wachtrij van de livechat.",
      "ask": "Schrijf ‘I would like to talk to a person’: de bot draagt de chat over en zwijgt.",
      "bot": "Een bot antwoordt",
      "curl": "Hetzelfde met curl",
      "desk": "Open de desk",
      "heading": "Op deze gateway draait een demonstratie",
      "token": "Het token staat in de gegevensmap, waarvan de gateway de naam heeft getoond.",
      "write": "Kies ‘Demo shop’: u bent Ada, en haar gesprekken staan er al. Schrijf ‘Where is my order?’ en druk op een knop van het antwoord."
    },
    "list": {
      "filters": "Welke gesprekken",
      "invited": "Uitgenodigd",
      "noMessages": "Nog geen berichten",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} ongelezen",
        "other": "{count} ongelezen"
      },
      "waiting": "Wacht · {position}",
      "which": "Getoonde gesprekken"
    },
    "search": {
      "conversations": "Gevonden gesprekken",
      "end": "Zoeken beëindigen",
      "failed": "Het zoeken is mislukt.",
      "found": "Gevonden berichten",
      "label": "Zoeken in berichten en titels",
      "nothing": "Niets gevonden."
    },
    "conversation": {
      "gone": "U neemt niet meer deel aan dit gesprek.",
      "messageGone": "Het bericht is verwijderd.",
      "parentGone": "Het bericht is verwijderd, met de reacties erop.",
      "typing": {
        "one": "{names} is aan het typen",
        "other": "{names} zijn aan het typen"
      }
    },
    "messages": {
      "empty": "Nog geen berichten. Zeg hallo!",
      "label": "Berichten",
      "newer": "Nieuwere berichten laden",
      "news": {
        "one": "{count} nieuw bericht",
        "other": "{count} nieuwe berichten"
      },
      "older": "Oudere berichten laden"
    },
    "replies": {
      "back": "Terug naar het gesprek",
      "close": "De reacties sluiten",
      "count": {
        "one": "{count} reactie",
        "other": "{count} reacties"
      },
      "countMore": {
        "one": "meer dan {count} reactie",
        "other": "meer dan {count} reacties"
      },
      "empty": "Nog geen reacties.",
      "first": "Op het bericht reageren",
      "further": "Nog een reactie schrijven",
      "join": "Neem deel aan het gesprek om te reageren.",
      "label": "Reacties",
      "newer": "Nieuwere reacties laden",
      "news": {
        "one": "{count} nieuwe reactie",
        "other": "{count} nieuwe reacties"
      },
      "older": "Oudere reacties laden",
      "parent": "Het bericht",
      "showParent": "Het bericht in ‘{name}’ tonen",
      "title": "Reacties"
    },
    "message": {
      "attachment": "Bijlage",
      "delete": "Verwijderen",
      "deleteHint": "Het verdwijnt aan beide kanten.",
      "deleteTitle": "Dit bericht verwijderen?",
      "edit": "Bewerken",
      "edited": "bewerkt",
      "notShown": "Dit soort bericht kan hier niet worden getoond.",
      "quoted": "{who}: {what}",
      "removed": "Het bericht is verwijderd",
      "reply": "Op het bericht reageren",
      "resend": "Opnieuw verzenden",
      "unsent": "Niet verzonden."
    },
    "marks": {
      "delivered": "Afgeleverd",
      "failed": "Niet verzonden",
      "pending": "Wordt verzonden",
      "seen": "Gelezen",
      "sent": "Verzonden"
    },
    "composer": {
      "attach": "Bestanden bijvoegen",
      "edit": "Bericht bewerken",
      "label": "Bericht",
      "placeholder": "Schrijf een bericht",
      "tooLong": "Dit bericht is te lang: 64 KiB is toegestaan."
    },
    "files": {
      "cancel": "{name} niet verzenden",
      "empty": "‘{name}’ is leeg.",
      "kinds": {
        "image/*": "afbeeldingen",
        "audio/*": "geluid",
        "video/*": "video’s",
        "text/*": "teksten",
        "text/plain": "platte tekst",
        "application/pdf": "pdf-bestanden"
      },
      "remove": "{name} verwijderen",
      "tooLarge": "‘{name}’ is te groot: {size}. Maximaal {most} kan worden verzonden.",
      "tray": "Te verzenden bestanden",
      "uploading": "{name} wordt geüpload",
      "wrongType": "‘{name}’ kan hier niet worden verzonden. Mogelijk zijn: {kinds}."
    },
    "invitation": {
      "decline": "Weigeren",
      "join": "Deelnemen",
      "label": "Uitnodiging",
      "text": "U bent uitgenodigd voor dit gesprek. Neem deel om hier te schrijven."
    },
    "live": {
      "estimate": {
        "one": "Nog ongeveer een minuut.",
        "other": "Nog ongeveer {count} minuten."
      },
      "next": "U bent als volgende aan de beurt.",
      "place": "U bent nummer {position} in de wachtrij.",
      "restart": "Een nieuwe chat beginnen"
    },
    "survey": {
      "answer": "Beantwoord deze vraag.",
      "start": "Beginnen",
      "wrong": "Dit antwoord is niet geldig."
    },
    "details": {
      "members": "Deelnemers",
      "removeMember": "{name} verwijderen",
      "youInvited": "U, uitgenodigd"
    },
    "chat": {
      "archive": "Archiveren",
      "archived": "Dit gesprek is gearchiveerd.",
      "archiveHint": "U kunt het nog lezen onder ‘Archief’, maar er niet meer in schrijven.",
      "archiveTitle": "Dit gesprek archiveren?",
      "askName": "We willen graag uw naam weten.",
      "begin": "Schrijf ons: de antwoorden verschijnen hier.",
      "choose": "Kies een gesprek of begin een nieuw.",
      "clear": "Geschiedenis wissen",
      "clearHint": "Alle berichten tot nu toe verdwijnen voorgoed uit uw weergave. Anderen houden ze.",
      "clearSubmit": "Wissen",
      "clearTitle": "De geschiedenis wissen?",
      "email": "E-mailadres",
      "end": "Deze chat beëindigen",
      "ended": "Deze chat is beëindigd.",
      "endHint": "U kunt altijd een nieuwe beginnen.",
      "endSubmit": "Beëindigen",
      "endTitle": "Deze chat beëindigen?",
      "firstName": "Voornaam",
      "hidden": "Verborgen tot het volgende bericht.",
      "hide": "In de lijst verbergen",
      "lastName": "Achternaam",
      "leave": "Het gesprek verlaten",
      "leaveHint": "Het verdwijnt uit uw lijst, en u krijgt er geen berichten meer van.",
      "leaveMessage": "Er is nu niemand. Laat een bericht achter.",
      "leaveSubmit": "Verlaten",
      "leaveTitle": "Dit gesprek verlaten?",
      "listArchived": "Archief",
      "listHidden": "Verborgen",
      "listOpen": "Lopend",
      "mail": "Het gesprek e-mailen",
      "mailed": "Het is onderweg naar {email}.",
      "noArchived": "Er is niets gearchiveerd.",
      "nobody": "Er is op dit moment niemand.",
      "noHidden": "Er is niets verborgen.",
      "noOpen": "Nog geen gesprekken.",
      "noOpenMore": "Er is geen gesprek open. Eerdere staan onder ‘Archief’.",
      "opensAt": "We zijn er om {time} weer",
      "opensOn": "We zijn er {day} om {time} weer",
      "rename": "Naam wijzigen",
      "renameTitle": "Naam van het gesprek wijzigen",
      "signOut": "Afmelden",
      "signOutHint": "Deze browser vergeet de gesprekken op dit kanaal.",
      "signOutTitle": "Afmelden?",
      "start": "Een gesprek beginnen",
      "stillNobody": "Er is nog steeds niemand.",
      "switchChannel": "Van kanaal wisselen",
      "tryAgain": "Opnieuw proberen",
      "unhide": "In de lijst tonen",
      "unknownChannel": "Er is geen kanaal ‘{id}’."
    },
    "notes": {
      "add": "Een notitie voor het team schrijven",
      "by": "Notitie van {name}",
      "hint": "Alleen het team ziet ze, nooit de klant.",
      "removeHint": "Ze verdwijnt voor het hele team.",
      "removeTitle": "Deze notitie verwijderen?",
      "text": "Notitie"
    }
  },
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
    "maintenance": "Er is onderhoud aan de chat. Probeer het later opnieuw.",
    "tooManyRequests": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyStreams": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyFetches": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "shareExceeded": "Veel mensen gebruiken de chat. Probeer het zo nog eens.",
    "tooManyFailures": "Er zijn te veel pogingen mislukt. Wacht even en probeer het opnieuw.",
    "tooManyWrites": "U hebt in korte tijd veel geschreven. Wacht even.",
    "tooManyMessages": "U hebt in korte tijd veel geschreven. Wacht even.",
    "tooManyUnsent": "Er wordt nog te veel verzonden. Wacht even.",
    "tooManyUploads": "Er wordt nog te veel verzonden. Wacht even.",
    "tooManyThreads": "Er zijn te veel gesprekken open. Ga verder in een daarvan.",
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
    "invalidParameter": "Iets wat u hebt ingevuld, is niet geldig.",
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

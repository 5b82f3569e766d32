export default {
  "lang": "it",
  "dir": "ltr",
  "name": "Italiano",
  "widget": {
    "launcher": {
      "open": "Apri la chat",
      "close": "Chiudi la chat",
      "openUnread": {
        "one": "Apri la chat, {count} messaggio non letto",
        "many": "Apri la chat, {count} di messaggi non letti",
        "other": "Apri la chat, {count} messaggi non letti"
      },
      "label": "Chat",
      "cannotLoad": "Impossibile caricare la chat qui.",
      "openPage": "Apri in una nuova scheda"
    },
    "head": {
      "title": "{name}",
      "back": "Indietro",
      "close": "Chiudi",
      "menu": "Altro",
      "online": "Siamo disponibili",
      "answersIn": "Di solito rispondiamo entro {duration}",
      "hours": "Torniamo disponibili {day} alle {time}",
      "hoursToday": "Torniamo disponibili alle {time}",
      "away": "Al momento non c’è nessuno. Lascia un messaggio.",
      "sound": "Audio",
      "soundOff": "Audio disattivato"
    },
    "start": {
      "greeting": "Ciao! Come possiamo aiutarti?",
      "begin": "Scrivi un messaggio",
      "earlier": "Conversazioni precedenti",
      "new": "Nuova conversazione",
      "none": "Ancora nessuna conversazione"
    },
    "consent": {
      "text": "Prima di scrivere: {link} spiega come usiamo i tuoi dati.",
      "link": "la nostra informativa sulla privacy",
      "agree": "Accetto",
      "decline": "No, grazie",
      "declined": "La chat resta chiusa. Puoi accettare più tardi."
    },
    "survey": {
      "intro": "Prima alcune domande",
      "required": "Rispondi a questa domanda.",
      "email": "Indirizzo e-mail",
      "emailWrong": "Questo indirizzo e-mail non è valido.",
      "firstName": "Nome",
      "lastName": "Cognome",
      "start": "Inizia",
      "optional": "facoltativo"
    },
    "list": {
      "unread": {
        "one": "{count} messaggio non letto",
        "many": "{count} di messaggi non letti",
        "other": "{count} messaggi non letti"
      },
      "you": "Tu",
      "said": "{name}: {text}",
      "noMessages": "Ancora nessun messaggio",
      "ended": "Terminata"
    },
    "messages": {
      "label": "Messaggi",
      "older": "Carica i messaggi precedenti",
      "newer": "Carica i messaggi successivi",
      "news": {
        "one": "{count} nuovo messaggio",
        "many": "{count} di nuovi messaggi",
        "other": "{count} nuovi messaggi"
      },
      "today": "Oggi",
      "yesterday": "Ieri",
      "day": "{date}",
      "arrived": "{name} dice: {text}",
      "typing": {
        "one": "{names} sta scrivendo",
        "many": "{names} stanno scrivendo",
        "other": "{names} stanno scrivendo"
      },
      "joined": "{name} è ora con te",
      "left": "{name} ha lasciato la conversazione",
      "removed": "Il messaggio è stato rimosso",
      "edited": "modificato",
      "unknown": "Questo tipo di messaggio non può essere mostrato qui.",
      "bot": "Risposta automatica",
      "link": "Si apre in una nuova scheda"
    },
    "marks": {
      "sending": "Invio in corso",
      "sent": "Inviato",
      "delivered": "Consegnato",
      "seen": "Visto",
      "failed": "Non inviato",
      "retry": "Riprova",
      "discard": "Scarta"
    },
    "composer": {
      "label": "Messaggio",
      "placeholder": "Scrivi un messaggio",
      "send": "Invia",
      "attach": "Allega un file",
      "tooLong": "Troppo lungo: al massimo {limit}.",
      "ended": "Questa conversazione è terminata.",
      "reopenHint": "Scrivi per riprenderla.",
      "waitingLimit": "Hai scritto molto. Attendi {seconds} s."
    },
    "files": {
      "drop": "Trascina qui i file",
      "uploading": "Caricamento di {name}",
      "cancel": "Non inviare {name}",
      "tooLarge": "{name} è troppo grande: al massimo {size}.",
      "wrongType": "{name} non può essere inviato qui. Sono ammessi: {kinds}.",
      "empty": "{name} è vuoto.",
      "download": "Scarica {name}, {size}",
      "picture": "Immagine {name}",
      "failed": "Impossibile inviare il file."
    },
    "queue": {
      "place": "Sei al numero {count} della coda.",
      "next": "Il prossimo turno è il tuo.",
      "estimate": {
        "one": "Circa {count} minuto",
        "many": "Circa {count} di minuti",
        "other": "Circa {count} minuti"
      },
      "end": "Termina la chat",
      "endTitle": "Terminare questa chat?",
      "endHint": "Puoi iniziarne un’altra.",
      "ended": "La chat è terminata.",
      "again": "Inizia una nuova chat"
    },
    "inactivity": {
      "question": "Ci sei ancora?",
      "yes": "Sì",
      "no": "No, termina la chat"
    },
    "rating": {
      "title": "Com’è andata?",
      "score": "{count} su 5",
      "low": "male",
      "high": "molto bene",
      "comment": "Che cosa potremmo migliorare? (facoltativo)",
      "send": "Invia",
      "thanks": "Grazie!",
      "skip": "Non ora",
      "change": "Modifica la valutazione"
    },
    "identity": {
      "expired": "Accedi di nuovo su questa pagina per continuare.",
      "invalid": "L’accesso di questa pagina non ha funzionato qui.",
      "changed": "Ora hai effettuato l’accesso con un altro account."
    },
    "problems": {
      "offline": "Nessuna connessione. Nuovo tentativo…",
      "back": "Di nuovo in linea",
      "blocked": "Il browser non consente a questa chat di salvare dati. La chat termina quando lasci la pagina.",
      "tooMany": "Sono state iniziate troppe chat. Riprova tra {minutes} min.",
      "proof": "Un momento, verifica in corso…",
      "gone": "Questa conversazione non esiste più.",
      "wrong": "Qualcosa è andato storto.",
      "reload": "Ricarica"
    },
    "linkPage": {
      "title": "La tua conversazione con {name}",
      "open": "Apri la conversazione",
      "gone": "Questo link non funziona più. Chiedine uno nuovo.",
      "private": "Non farlo sul computer di altri."
    },
    "menu": {
      "transcript": "Salva la conversazione",
      "mail": "Invia per e-mail",
      "mailed": "È in arrivo all’indirizzo {email}.",
      "erase": "Elimina i miei dati",
      "eraseTitle": "Eliminare tutto?",
      "eraseHint": "Tutte le conversazioni qui saranno eliminate per sempre.",
      "erased": "Tutto è stato eliminato.",
      "signOut": "Dimenticami su questo dispositivo",
      "privacy": "Privacy"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "Al momento la chat non è raggiungibile.",
    "timeout": "Al momento la chat non è raggiungibile.",
    "notConnected": "Al momento la chat non è connessa. Riprova.",
    "serverError": "La chat ha un problema tecnico. Riprova più tardi.",
    "internalError": "La chat ha un problema tecnico. Riprova più tardi.",
    "storageFailed": "La chat ha un problema tecnico. Riprova più tardi.",
    "storageUnavailable": "La chat ha un problema tecnico. Riprova più tardi.",
    "storageFull": "La chat ha un problema tecnico. Riprova più tardi.",
    "eventTimeout": "La chat ha un problema tecnico. Riprova più tardi.",
    "shuttingDown": "La chat ha un problema tecnico. Riprova più tardi.",
    "standby": "La chat ha un problema tecnico. Riprova più tardi.",
    "tooManyRequests": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyStreams": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyFetches": "Molte persone stanno usando la chat. Riprova tra poco.",
    "shareExceeded": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyFailures": "Troppi tentativi non riusciti. Attendi un momento e riprova.",
    "tooManyWrites": "Hai scritto molto in poco tempo. Attendi un momento.",
    "tooManyMessages": "Hai scritto molto in poco tempo. Attendi un momento.",
    "tooManyUnsent": "Troppi invii sono ancora in corso. Attendi un momento.",
    "tooManyUploads": "Troppi invii sono ancora in corso. Attendi un momento.",
    "tooManyVisitors": "Sono state iniziate troppe chat. Riprova più tardi.",
    "quotaExceeded": "Non c’è più spazio per i tuoi messaggi e file.",
    "textTooLong": "Questo messaggio è troppo lungo.",
    "bodyTooLarge": "È troppo grande per essere inviato.",
    "emptyFile": "Questo file è vuoto.",
    "invalidFileSize": "Questo file è troppo grande.",
    "invalidFileType": "I file di questo tipo non possono essere inviati qui.",
    "attachmentError": "Impossibile inviare il file.",
    "unknownAttachment": "Questo file non è più disponibile.",
    "missingPreChatCustomFields": "Rispondi alle domande obbligatorie.",
    "invalidValue": "Uno dei dati inseriti non è valido.",
    "invalidData": "Uno dei dati inseriti non è valido.",
    "illegalThreadState": "Non è più possibile in questa conversazione.",
    "illegalChatState": "Non è più possibile in questa conversazione.",
    "unsupportedChannelConfig": "Non è possibile in questa chat.",
    "unsupportedCapability": "Non è possibile in questa chat.",
    "unknownThread": "Questa conversazione non esiste più.",
    "unknownMessage": "Questo messaggio non esiste più.",
    "unknownParent": "Il messaggio a cui rispondi non esiste più.",
    "replyNotAllowed": "Non puoi rispondere a questo messaggio.",
    "replyDepthExceeded": "Non puoi rispondere a questo messaggio.",
    "parentHasReplies": "Un messaggio con risposte non può essere eliminato.",
    "notAuthor": "Puoi modificare solo i tuoi messaggi.",
    "notJoined": "Partecipa alla conversazione per scrivere qui.",
    "nameVouched": "Il tuo nome non può essere modificato qui.",
    "preconditionFailed": "Nel frattempo qualcun altro ha fatto una modifica. Riprova.",
    "searchUnavailable": "Al momento la ricerca non è disponibile.",
    "sendTranscriptFailed": "Impossibile inviare la conversazione per e-mail.",
    "forbidden": "Non hai il permesso di farlo.",
    "notAllowed": "Non hai il permesso di farlo.",
    "unauthorized": "La tua chat è scaduta. Iniziane una nuova.",
    "unknownSession": "La tua chat è scaduta. Iniziane una nuova.",
    "unknownChannel": "Questa chat non è disponibile.",
    "channelNotPublic": "Questa chat non è disponibile.",
    "originNotAllowed": "Questa chat non può essere usata in questa pagina.",
    "identityRequired": "Prima accedi su questa pagina.",
    "identityExpired": "Il tuo accesso è scaduto. Accedi di nuovo.",
    "transactionTokenExpired": "Il tuo accesso è scaduto. Accedi di nuovo.",
    "invalidIdentity": "Impossibile verificare il tuo accesso.",
    "customerAssociationFailure": "Impossibile verificare il tuo accesso.",
    "otherIdentity": "Ora hai effettuato l’accesso con un altro account.",
    "consentRequired": "Prima accetta l’informativa sulla privacy.",
    "proofRequired": "La verifica del browser non è riuscita. Riprova.",
    "linkGone": "Questo link non funziona più. Chiedine uno nuovo."
  }
};

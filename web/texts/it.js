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
      "closed": "Al momento non c’è nessuno. Riprova più tardi.",
      "sound": "Audio",
      "soundOff": "Audio disattivato"
    },
    "start": {
      "greeting": "Ciao! Come possiamo aiutarti?",
      "begin": "Scrivi un messaggio",
      "earlier": "Conversazioni precedenti",
      "new": "Nuova conversazione",
      "none": "Ancora nessuna conversazione",
      "untitled": "Conversazione"
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
      "start": "Accedi su questa pagina per scriverci.",
      "expired": "Accedi di nuovo su questa pagina per continuare.",
      "invalid": "L’accesso di questa pagina non ha funzionato qui.",
      "changed": "Ora hai effettuato l’accesso con un altro account."
    },
    "problems": {
      "offline": "Nessuna connessione. Nuovo tentativo…",
      "back": "Di nuovo in linea",
      "blocked": "Il browser non consente a questa chat di salvare dati. La chat termina quando lasci la pagina.",
      "onlyTab": "Il browser conserva questa chat solo per questa scheda. La chat termina quando chiudi la scheda.",
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
      "cancel": "Annulla",
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
  "pages": {
    "common": {
      "add": "Aggiungi",
      "back": "Torna all’elenco",
      "cancel": "Annulla",
      "close": "Chiudi",
      "continue": "Continua",
      "conversation": "Conversazione",
      "conversations": "Conversazioni",
      "details": "Dettagli",
      "done": "Fatto",
      "failed": "Questa azione non è riuscita.",
      "loading": "Caricamento…",
      "name": "Nome",
      "newConversation": "Nuova conversazione",
      "remove": "Rimuovi",
      "required": "* obbligatorio",
      "save": "Salva",
      "send": "Invia",
      "showMore": "Mostra altro",
      "wrong": "Qualcosa è andato storto.",
      "you": "Tu"
    },
    "people": {
      "addYourName": "Aggiungi il tuo nome",
      "agent": "Operatore",
      "andMore": {
        "one": "{name} e {count} altra persona",
        "many": "{name} e {count} di altre persone",
        "other": "{name} e altre {count} persone"
      },
      "count": {
        "one": "{count} persona",
        "many": "{count} di persone",
        "other": "{count} persone"
      },
      "customer": "Cliente",
      "unnamed": "Cliente {id}",
      "yourName": "Il tuo nome"
    },
    "times": {
      "today": "Oggi",
      "yesterday": "Ieri"
    },
    "signIn": {
      "choose": "Scegli una password. Va bene una frase che scriveresti solo tu.",
      "count": "{count} di {minimum} caratteri",
      "email": "Indirizzo e-mail",
      "enough": {
        "one": "{count} carattere",
        "many": "{count} di caratteri",
        "other": "{count} caratteri"
      },
      "enter": "Accedi",
      "gone": "Questo link è già stato usato o è scaduto. Per averne uno nuovo, esegui «parley open» in un terminale.",
      "invitationGone": "Questo invito è già stato usato o è scaduto. Chiedine un altro a un amministratore.",
      "noStorage": "Questo browser non consente alle pagine di salvare dati, quindi non può restare connesso.",
      "orOpen": "Chi gestisce il gateway apre un link da un terminale:",
      "password": "Password",
      "single": "Continua con l’accesso unico",
      "unreachable": "Il gateway non è raggiungibile. Ricarica questa pagina.",
      "wait": "Troppe password errate. Riprova tra {duration}.",
      "weak": {
        "common": "Molte persone scelgono questa password. Scegli una frase che nessun altro scriverebbe.",
        "long": "Questa password è troppo lunga.",
        "personal": "Questa password è quasi solo il tuo nome o indirizzo.",
        "repeated": "Questa password ripete pochi caratteri.",
        "short": "Questa password è troppo corta."
      },
      "wrong": "L’indirizzo e-mail o la password non è corretta.",
      "wrongPassword": "La password non è corretta."
    },
    "page": {
      "away": "Il gateway non è raggiungibile",
      "awayHint": "Parley è in funzione? Questa pagina riprende da sola appena il gateway risponde.",
      "locked": "Questo browser non ha effettuato l’accesso",
      "lockedCommand": "parley open",
      "lockedHint": "Parley è in funzione su questo computer. Solo un link del gateway fa accedere un browser. Aprine uno da un terminale:",
      "lockedNote": "Il link mostrato funziona una volta, entro dieci minuti. Poi questa pagina riprende da sola. Se il terminale non trova «parley»: il gateway ha mostrato il comando completo all’avvio.",
      "noAnswer": "Gateway non raggiungibile. Nuovo tentativo…",
      "noLiveUpdates": "Nessun aggiornamento in tempo reale: {why}",
      "notify": "Avvisami",
      "notifyForbidden": "Il browser non consente le notifiche di questa pagina. Puoi cambiarlo nelle sue impostazioni.",
      "off": "Non attivo",
      "on": "Attivo",
      "reconnecting": "Connessione persa. Riconnessione…",
      "signOut": "Esci",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Chat dal vivo",
      "multithread": "Più conversazioni",
      "singlethread": "Una conversazione"
    },
    "picker": {
      "choose": "Scegli un canale per iniziare.",
      "continue": "Continua",
      "heading": "Come possiamo aiutarti?",
      "none": "Non c’è ancora nessun canale. Il team può aggiungerne uno."
    },
    "demo": {
      "answer": "{link} in un’altra finestra. Assegnati la conversazione e rispondi; «Assign to nobody» la restituisce al bot. Grace aspetta lì nella coda della chat dal vivo.",
      "ask": "Scrivi «I would like to talk to a person»: il bot trasferisce la chat e tace.",
      "bot": "Risponde un bot",
      "curl": "Lo stesso con curl",
      "desk": "Apri il desk",
      "heading": "Questo gateway mostra una dimostrazione",
      "token": "Il token è nella cartella dei dati, il cui nome è stato mostrato dal gateway.",
      "write": "Scegli «Demo shop»: sei Ada, e le sue conversazioni sono lì. Scrivi «Where is my order?» e premi un pulsante della risposta."
    },
    "list": {
      "filters": "Quali conversazioni",
      "invited": "Invito",
      "noMessages": "Ancora nessun messaggio",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} non letto",
        "many": "{count} di non letti",
        "other": "{count} non letti"
      },
      "waiting": "In attesa · {position}",
      "which": "Conversazioni mostrate"
    },
    "search": {
      "conversations": "Conversazioni trovate",
      "end": "Termina la ricerca",
      "failed": "La ricerca non è riuscita.",
      "found": "Messaggi trovati",
      "label": "Cerca nei messaggi e nei titoli",
      "nothing": "Nessun risultato."
    },
    "conversation": {
      "gone": "Non fai più parte di questa conversazione.",
      "messageGone": "Il messaggio è stato rimosso.",
      "parentGone": "Il messaggio è stato rimosso, insieme alle sue risposte.",
      "typing": {
        "one": "{names} sta scrivendo",
        "many": "{names} stanno scrivendo",
        "other": "{names} stanno scrivendo"
      }
    },
    "messages": {
      "empty": "Ancora nessun messaggio. Saluta!",
      "label": "Messaggi",
      "newer": "Carica i messaggi successivi",
      "news": {
        "one": "{count} nuovo messaggio",
        "many": "{count} di nuovi messaggi",
        "other": "{count} nuovi messaggi"
      },
      "older": "Carica i messaggi precedenti"
    },
    "replies": {
      "back": "Torna alla conversazione",
      "close": "Chiudi le risposte",
      "count": {
        "one": "{count} risposta",
        "many": "{count} di risposte",
        "other": "{count} risposte"
      },
      "countMore": {
        "one": "più di {count} risposta",
        "many": "più di {count} di risposte",
        "other": "più di {count} risposte"
      },
      "empty": "Ancora nessuna risposta.",
      "first": "Rispondi al messaggio",
      "further": "Scrivi un’altra risposta",
      "join": "Partecipa alla conversazione per rispondere.",
      "label": "Risposte",
      "newer": "Carica le risposte successive",
      "news": {
        "one": "{count} nuova risposta",
        "many": "{count} di nuove risposte",
        "other": "{count} nuove risposte"
      },
      "older": "Carica le risposte precedenti",
      "parent": "Il messaggio",
      "showParent": "Mostra il messaggio in «{name}»",
      "title": "Risposte"
    },
    "message": {
      "attachment": "Allegato",
      "delete": "Elimina",
      "deleteHint": "Scompare da entrambe le parti.",
      "deleteTitle": "Eliminare questo messaggio?",
      "edit": "Modifica",
      "edited": "modificato",
      "notShown": "Questo tipo di messaggio non può essere mostrato qui.",
      "quoted": "{who}: {what}",
      "removed": "Il messaggio è stato rimosso",
      "reply": "Rispondi al messaggio",
      "resend": "Invia di nuovo",
      "unsent": "Non inviato."
    },
    "marks": {
      "delivered": "Consegnato",
      "failed": "Non inviato",
      "pending": "Invio in corso",
      "seen": "Visto",
      "sent": "Inviato"
    },
    "composer": {
      "attach": "Allega file",
      "edit": "Modifica il messaggio",
      "label": "Messaggio",
      "placeholder": "Scrivi un messaggio",
      "tooLong": "Questo messaggio è troppo lungo: sono consentiti 64 KiB."
    },
    "files": {
      "cancel": "Non inviare {name}",
      "empty": "«{name}» è vuoto.",
      "kinds": {
        "image/*": "immagini",
        "audio/*": "audio",
        "video/*": "video",
        "text/*": "testi",
        "text/plain": "testi semplici",
        "application/pdf": "file PDF"
      },
      "remove": "Rimuovi {name}",
      "tooLarge": "«{name}» è troppo grande: {size}. Il massimo è {most}.",
      "tray": "File da inviare",
      "uploading": "Caricamento di {name}",
      "wrongType": "«{name}» non può essere inviato qui. Sono ammessi: {kinds}."
    },
    "invitation": {
      "decline": "Rifiuta",
      "join": "Partecipa",
      "label": "Invito",
      "text": "Hai ricevuto un invito a questa conversazione. Partecipa per scrivere qui."
    },
    "live": {
      "estimate": {
        "one": "Manca circa un minuto.",
        "many": "Mancano circa {count} di minuti.",
        "other": "Mancano circa {count} minuti."
      },
      "next": "Il prossimo turno è il tuo.",
      "place": "Sei al numero {position} della coda.",
      "restart": "Inizia una nuova chat"
    },
    "survey": {
      "answer": "Rispondi a questa domanda.",
      "start": "Inizia",
      "wrong": "Questa risposta non è valida."
    },
    "details": {
      "members": "Partecipanti",
      "removeMember": "Rimuovi {name}",
      "youInvited": "Tu, su invito"
    },
    "chat": {
      "archive": "Archivia",
      "archived": "Questa conversazione è archiviata.",
      "archiveHint": "Potrai ancora leggerla in «Archivio», ma non potrai più scriverci.",
      "archiveTitle": "Archiviare questa conversazione?",
      "askName": "Vorremmo sapere il tuo nome.",
      "begin": "Scrivici: le risposte appaiono qui.",
      "choose": "Scegli una conversazione o iniziane una nuova.",
      "clear": "Cancella la cronologia",
      "clearHint": "Tutti i messaggi finora scompaiono per sempre dalla tua vista. Gli altri li conservano.",
      "clearSubmit": "Cancella",
      "clearTitle": "Cancellare la cronologia?",
      "email": "Indirizzo e-mail",
      "end": "Termina questa chat",
      "ended": "Questa chat è terminata.",
      "endHint": "Puoi iniziarne un’altra in qualsiasi momento.",
      "endSubmit": "Termina",
      "endTitle": "Terminare questa chat?",
      "firstName": "Nome",
      "hidden": "Nascosta fino al prossimo messaggio.",
      "hide": "Nascondi dall’elenco",
      "lastName": "Cognome",
      "leave": "Lascia la conversazione",
      "leaveHint": "Scompare dal tuo elenco e non ne ricevi più messaggi.",
      "leaveMessage": "Al momento non c’è nessuno. Lascia un messaggio.",
      "leaveSubmit": "Lascia",
      "leaveTitle": "Lasciare questa conversazione?",
      "listArchived": "Archivio",
      "listHidden": "Nascoste",
      "listOpen": "Attuali",
      "mail": "Invia la conversazione per e-mail",
      "mailed": "È in arrivo all’indirizzo {email}.",
      "noArchived": "Nessuna conversazione archiviata.",
      "nobody": "Al momento non c’è nessuno.",
      "noHidden": "Nessuna conversazione nascosta.",
      "noOpen": "Ancora nessuna conversazione.",
      "noOpenMore": "Nessuna conversazione è aperta. Quelle precedenti sono in «Archivio».",
      "opensAt": "Torniamo disponibili alle {time}",
      "opensOn": "Torniamo disponibili {day} alle {time}",
      "rename": "Rinomina",
      "renameTitle": "Rinomina la conversazione",
      "signOut": "Esci",
      "signOutHint": "Questo browser dimentica le conversazioni di questo canale.",
      "signOutTitle": "Uscire?",
      "start": "Inizia una conversazione",
      "stillNobody": "Non c’è ancora nessuno.",
      "switchChannel": "Cambia canale",
      "tryAgain": "Riprova",
      "unhide": "Mostra nell’elenco",
      "unknownChannel": "Non esiste il canale «{id}»."
    },
    "notes": {
      "add": "Scrivi una nota per il team",
      "by": "Nota di {name}",
      "hint": "La vede solo il team, mai il cliente.",
      "removeHint": "Scompare per tutto il team.",
      "removeTitle": "Eliminare questa nota?",
      "text": "Nota"
    }
  },
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
    "maintenance": "La chat è in manutenzione. Riprova più tardi.",
    "tooManyRequests": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyStreams": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyFetches": "Molte persone stanno usando la chat. Riprova tra poco.",
    "shareExceeded": "Molte persone stanno usando la chat. Riprova tra poco.",
    "tooManyFailures": "Troppi tentativi non riusciti. Attendi un momento e riprova.",
    "tooManyWrites": "Hai scritto molto in poco tempo. Attendi un momento.",
    "tooManyMessages": "Hai scritto molto in poco tempo. Attendi un momento.",
    "tooManyUnsent": "Troppi invii sono ancora in corso. Attendi un momento.",
    "tooManyUploads": "Troppi invii sono ancora in corso. Attendi un momento.",
    "tooManyThreads": "Ci sono troppe conversazioni aperte. Continui in una di esse.",
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
    "invalidParameter": "Uno dei dati inseriti non è valido.",
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

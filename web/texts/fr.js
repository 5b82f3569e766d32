export default {
  "lang": "fr",
  "dir": "ltr",
  "name": "Français",
  "widget": {
    "launcher": {
      "open": "Ouvrir le chat",
      "close": "Fermer le chat",
      "openUnread": {
        "one": "Ouvrir le chat, {count} message non lu",
        "many": "Ouvrir le chat, {count} de messages non lus",
        "other": "Ouvrir le chat, {count} messages non lus"
      },
      "label": "Chat",
      "cannotLoad": "Le chat ne peut pas être chargé ici.",
      "openPage": "L’ouvrir dans un nouvel onglet"
    },
    "head": {
      "title": "{name}",
      "back": "Retour",
      "close": "Fermer",
      "menu": "Plus",
      "online": "Nous sommes là",
      "answersIn": "Nous répondons généralement sous {duration}",
      "hours": "Nous serons de retour {day} à {time}",
      "hoursToday": "Nous serons de retour à {time}",
      "away": "Personne n’est disponible pour le moment. Laissez-nous un message.",
      "closed": "Personne n’est disponible pour le moment. Veuillez réessayer plus tard.",
      "sound": "Son",
      "soundOff": "Son désactivé"
    },
    "start": {
      "greeting": "Bonjour ! Comment pouvons-nous vous aider ?",
      "begin": "Écrire un message",
      "earlier": "Conversations précédentes",
      "new": "Nouvelle conversation",
      "none": "Aucune conversation pour l’instant",
      "untitled": "Conversation"
    },
    "consent": {
      "text": "Avant d’écrire : {link} explique comment nous utilisons vos données.",
      "link": "notre politique de confidentialité",
      "agree": "J’accepte",
      "decline": "Non, merci",
      "declined": "Le chat reste fermé. Vous pourrez accepter plus tard."
    },
    "survey": {
      "intro": "D’abord quelques questions",
      "required": "Veuillez répondre.",
      "email": "Adresse e-mail",
      "emailWrong": "Cette adresse e-mail n’est pas valide.",
      "firstName": "Prénom",
      "lastName": "Nom",
      "start": "Commencer",
      "optional": "facultatif"
    },
    "list": {
      "unread": {
        "one": "{count} message non lu",
        "many": "{count} de messages non lus",
        "other": "{count} messages non lus"
      },
      "you": "Vous",
      "said": "{name} : {text}",
      "noMessages": "Aucun message pour l’instant",
      "ended": "Terminée"
    },
    "messages": {
      "label": "Messages",
      "older": "Charger les messages précédents",
      "newer": "Charger les messages suivants",
      "news": {
        "one": "{count} nouveau message",
        "many": "{count} de nouveaux messages",
        "other": "{count} nouveaux messages"
      },
      "today": "Aujourd’hui",
      "yesterday": "Hier",
      "day": "{date}",
      "arrived": "{name} dit : {text}",
      "typing": {
        "one": "{names} est en train d’écrire",
        "many": "{names} sont en train d’écrire",
        "other": "{names} sont en train d’écrire"
      },
      "joined": "{name} est maintenant avec vous",
      "left": "{name} a quitté la conversation",
      "removed": "Le message a été supprimé",
      "edited": "modifié",
      "unknown": "Ce type de message ne peut pas être affiché ici.",
      "bot": "Réponse automatique",
      "link": "S’ouvre dans un nouvel onglet"
    },
    "marks": {
      "sending": "Envoi en cours",
      "sent": "Envoyé",
      "delivered": "Distribué",
      "seen": "Vu",
      "failed": "Non envoyé",
      "retry": "Réessayer",
      "discard": "Abandonner"
    },
    "composer": {
      "label": "Message",
      "placeholder": "Écrire un message",
      "send": "Envoyer",
      "attach": "Joindre un fichier",
      "tooLong": "Trop long : {limit} au maximum.",
      "ended": "Cette conversation est terminée.",
      "reopenHint": "Écrivez pour la reprendre.",
      "waitingLimit": "Vous avez beaucoup écrit. Veuillez patienter {seconds} s."
    },
    "files": {
      "drop": "Déposez les fichiers ici",
      "uploading": "Envoi de {name}",
      "cancel": "Ne pas envoyer {name}",
      "tooLarge": "{name} est trop volumineux : {size} au maximum.",
      "wrongType": "{name} ne peut pas être envoyé ici. Formats possibles : {kinds}.",
      "empty": "{name} est vide.",
      "download": "Télécharger {name}, {size}",
      "picture": "Image {name}",
      "failed": "Le fichier n’a pas pu être envoyé."
    },
    "queue": {
      "place": "Vous êtes en position {count} dans la file d’attente.",
      "next": "C’est bientôt votre tour.",
      "estimate": {
        "one": "Environ {count} minute",
        "many": "Environ {count} de minutes",
        "other": "Environ {count} minutes"
      },
      "end": "Terminer le chat",
      "endTitle": "Terminer ce chat ?",
      "endHint": "Vous pourrez en commencer un autre.",
      "ended": "Le chat est terminé.",
      "again": "Commencer un nouveau chat"
    },
    "inactivity": {
      "question": "Êtes-vous toujours là ?",
      "yes": "Oui",
      "no": "Non, terminer le chat"
    },
    "rating": {
      "title": "Comment cela s’est-il passé ?",
      "score": "{count} sur 5",
      "low": "mauvais",
      "high": "très bien",
      "comment": "Que pourrions-nous améliorer ? (facultatif)",
      "send": "Envoyer",
      "thanks": "Merci !",
      "skip": "Pas maintenant",
      "change": "Modifier votre note"
    },
    "identity": {
      "start": "Veuillez vous connecter sur cette page pour nous écrire.",
      "expired": "Veuillez vous reconnecter sur cette page pour continuer.",
      "invalid": "La connexion de cette page n’a pas fonctionné ici.",
      "changed": "Vous êtes maintenant connecté avec un autre compte."
    },
    "problems": {
      "offline": "Pas de connexion. Nouvelle tentative…",
      "back": "Connexion rétablie",
      "blocked": "Votre navigateur ne permet pas à ce chat d’enregistrer quoi que ce soit. Il prendra fin lorsque vous quitterez la page.",
      "onlyTab": "Votre navigateur ne conserve ce chat que pour cet onglet. Il prendra fin lorsque vous fermerez l’onglet.",
      "tooMany": "Trop de chats ont été commencés. Veuillez réessayer dans {minutes} min.",
      "proof": "Un instant, vérification en cours…",
      "gone": "Cette conversation n’existe plus.",
      "wrong": "Une erreur s’est produite.",
      "reload": "Actualiser"
    },
    "linkPage": {
      "title": "Votre conversation avec {name}",
      "open": "Ouvrir la conversation",
      "gone": "Ce lien ne fonctionne plus. Demandez-en un nouveau.",
      "private": "Ne le faites pas sur un ordinateur qui n’est pas le vôtre."
    },
    "menu": {
      "cancel": "Annuler",
      "transcript": "Enregistrer la conversation",
      "mail": "L’envoyer par e-mail",
      "mailed": "Elle est en route vers {email}.",
      "erase": "Supprimer mes données",
      "eraseTitle": "Tout supprimer ?",
      "eraseHint": "Toutes les conversations ici seront supprimées définitivement.",
      "erased": "Tout a été supprimé.",
      "signOut": "M’oublier sur cet appareil",
      "privacy": "Confidentialité"
    }
  },
  "pages": {
    "common": {
      "add": "Ajouter",
      "back": "Retour à la liste",
      "cancel": "Annuler",
      "close": "Fermer",
      "continue": "Continuer",
      "conversation": "Conversation",
      "conversations": "Conversations",
      "details": "Détails",
      "done": "Terminé",
      "failed": "Cette action a échoué.",
      "loading": "Chargement…",
      "name": "Nom",
      "newConversation": "Nouvelle conversation",
      "remove": "Retirer",
      "required": "* obligatoire",
      "save": "Enregistrer",
      "send": "Envoyer",
      "showMore": "Afficher plus",
      "wrong": "Une erreur s’est produite.",
      "you": "Vous"
    },
    "people": {
      "addYourName": "Indiquer votre nom",
      "agent": "Conseiller",
      "andMore": {
        "one": "{name} et {count} autre",
        "many": "{name} et {count} d’autres",
        "other": "{name} et {count} autres"
      },
      "count": {
        "one": "{count} personne",
        "many": "{count} de personnes",
        "other": "{count} personnes"
      },
      "customer": "Client",
      "unnamed": "Client {id}",
      "yourName": "Votre nom"
    },
    "times": {
      "today": "Aujourd’hui",
      "yesterday": "Hier"
    },
    "signIn": {
      "choose": "Choisissez un mot de passe. Une phrase que vous seul écririez convient bien.",
      "count": "{count} caractères sur {minimum}",
      "email": "Adresse e-mail",
      "enough": {
        "one": "{count} caractère",
        "many": "{count} de caractères",
        "other": "{count} caractères"
      },
      "enter": "Se connecter",
      "gone": "Ce lien a été utilisé ou a expiré. Pour en obtenir un nouveau, lancez « parley open » dans un terminal.",
      "invitationGone": "Cette invitation a été utilisée ou a expiré. Demandez-en une autre à un administrateur.",
      "noStorage": "Ce navigateur interdit aux pages d’enregistrer des données ; il ne peut donc pas rester connecté.",
      "orOpen": "L’exploitant de la passerelle ouvre un lien depuis un terminal :",
      "password": "Mot de passe",
      "single": "Continuer avec l’authentification unique",
      "unreachable": "La passerelle est injoignable. Rechargez cette page.",
      "wait": "Trop de mots de passe erronés. Réessayez dans {duration}.",
      "weak": {
        "common": "Beaucoup de gens choisissent ce mot de passe. Choisissez une phrase que personne d’autre n’écrirait.",
        "long": "Ce mot de passe est trop long.",
        "personal": "Ce mot de passe est surtout votre nom ou votre adresse.",
        "repeated": "Ce mot de passe répète peu de caractères.",
        "short": "Ce mot de passe est trop court."
      },
      "wrong": "L’adresse e-mail ou le mot de passe est incorrect.",
      "wrongPassword": "Le mot de passe est incorrect."
    },
    "page": {
      "away": "La passerelle est injoignable",
      "awayHint": "Parley est-il en marche ? Cette page reprend d’elle-même dès que la passerelle répond.",
      "locked": "Ce navigateur n’est pas connecté",
      "lockedCommand": "parley open",
      "lockedHint": "Parley fonctionne sur cet ordinateur. Seul un lien de la passerelle connecte un navigateur. Ouvrez-en un depuis un terminal :",
      "lockedNote": "Le lien affiché fonctionne une fois, dans les dix minutes. Ensuite, cette page reprend d’elle-même. Si le terminal ne trouve pas « parley » : la passerelle a affiché la commande complète à son démarrage.",
      "noAnswer": "Passerelle injoignable. Nouvelle tentative…",
      "noLiveUpdates": "Pas de mise à jour en direct : {why}",
      "notify": "Me prévenir",
      "notifyForbidden": "Le navigateur n’autorise pas les notifications de cette page. Vous pouvez le modifier dans ses réglages.",
      "off": "Désactivé",
      "on": "Activé",
      "reconnecting": "Connexion perdue. Reconnexion…",
      "signOut": "Se déconnecter",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Chat en direct",
      "multithread": "Plusieurs conversations",
      "singlethread": "Une conversation"
    },
    "picker": {
      "choose": "Choisissez un canal pour commencer.",
      "continue": "Continuer",
      "heading": "Comment pouvons-nous vous aider ?",
      "none": "Il n’y a pas encore de canal. Le bureau peut en ajouter un."
    },
    "demo": {
      "answer": "{link} dans une autre fenêtre. Attribuez-vous la conversation et répondez ; « Assign to nobody » la rend au robot. Grace y attend dans la file du chat en direct.",
      "ask": "Écrivez « I would like to talk to a person » : le robot transfère le chat et se tait.",
      "bot": "Un robot répond",
      "curl": "La même chose avec curl",
      "desk": "Ouvrez le bureau",
      "heading": "Cette passerelle présente une démonstration",
      "token": "Le jeton se trouve dans le dossier de données, dont la passerelle a affiché le nom.",
      "write": "Choisissez « Demo shop » : vous êtes Ada, et ses conversations sont là. Écrivez « Where is my order? » et appuyez sur un bouton de la réponse."
    },
    "list": {
      "filters": "Quelles conversations",
      "invited": "Invitation",
      "noMessages": "Aucun message pour l’instant",
      "said": "{who} : {what}",
      "unread": {
        "one": "{count} non lu",
        "many": "{count} de non lus",
        "other": "{count} non lus"
      },
      "waiting": "En attente · {position}",
      "which": "Conversations affichées"
    },
    "search": {
      "conversations": "Conversations trouvées",
      "end": "Quitter la recherche",
      "failed": "La recherche a échoué.",
      "found": "Messages trouvés",
      "label": "Rechercher dans les messages et les titres",
      "nothing": "Aucun résultat."
    },
    "conversation": {
      "gone": "Vous ne faites plus partie de cette conversation.",
      "messageGone": "Le message a été supprimé.",
      "parentGone": "Le message a été supprimé, ainsi que ses réponses.",
      "typing": {
        "one": "{names} est en train d’écrire",
        "many": "{names} sont en train d’écrire",
        "other": "{names} sont en train d’écrire"
      }
    },
    "messages": {
      "empty": "Aucun message pour l’instant. Dites bonjour !",
      "label": "Messages",
      "newer": "Charger les messages suivants",
      "news": {
        "one": "{count} nouveau message",
        "many": "{count} de nouveaux messages",
        "other": "{count} nouveaux messages"
      },
      "older": "Charger les messages précédents"
    },
    "replies": {
      "back": "Retour à la conversation",
      "close": "Fermer le fil",
      "count": {
        "one": "{count} réponse",
        "many": "{count} de réponses",
        "other": "{count} réponses"
      },
      "countMore": {
        "one": "plus de {count} réponse",
        "many": "plus de {count} de réponses",
        "other": "plus de {count} réponses"
      },
      "empty": "Aucune réponse pour l’instant.",
      "first": "Répondre dans un fil",
      "further": "Répondre dans le fil",
      "join": "Rejoignez la conversation pour répondre.",
      "label": "Réponses",
      "newer": "Charger les réponses suivantes",
      "news": {
        "one": "{count} nouvelle réponse",
        "many": "{count} de nouvelles réponses",
        "other": "{count} nouvelles réponses"
      },
      "older": "Charger les réponses précédentes",
      "parent": "Le message",
      "showParent": "Afficher le message dans « {name} »",
      "title": "Fil"
    },
    "message": {
      "attachment": "Pièce jointe",
      "delete": "Supprimer",
      "deleteHint": "Il disparaît pour les deux côtés.",
      "deleteTitle": "Supprimer ce message ?",
      "edit": "Modifier",
      "edited": "modifié",
      "notShown": "Ce type de message ne peut pas être affiché ici.",
      "quoted": "{who} : {what}",
      "removed": "Le message a été supprimé",
      "reply": "Répondre dans un fil",
      "resend": "Renvoyer",
      "unsent": "Non envoyé."
    },
    "marks": {
      "delivered": "Distribué",
      "failed": "Non envoyé",
      "pending": "Envoi en cours",
      "seen": "Vu",
      "sent": "Envoyé"
    },
    "composer": {
      "attach": "Joindre des fichiers",
      "edit": "Modifier le message",
      "label": "Message",
      "placeholder": "Écrire un message",
      "tooLong": "Ce message est trop long : 64 Kio sont autorisés."
    },
    "files": {
      "cancel": "Ne pas envoyer {name}",
      "empty": "« {name} » est vide.",
      "kinds": {
        "image/*": "images",
        "audio/*": "sons",
        "video/*": "vidéos",
        "text/*": "textes",
        "text/plain": "textes bruts",
        "application/pdf": "fichiers PDF"
      },
      "remove": "Retirer {name}",
      "tooLarge": "« {name} » est trop volumineux : {size}. La limite est de {most}.",
      "tray": "Fichiers à envoyer",
      "uploading": "Envoi de {name}",
      "wrongType": "« {name} » ne peut pas être envoyé ici. Formats possibles : {kinds}."
    },
    "invitation": {
      "decline": "Refuser",
      "join": "Rejoindre",
      "label": "Invitation",
      "text": "Vous êtes invité à cette conversation. Rejoignez-la pour y écrire."
    },
    "live": {
      "estimate": {
        "one": "Environ une minute d’attente.",
        "many": "Environ {count} de minutes d’attente.",
        "other": "Environ {count} minutes d’attente."
      },
      "next": "C’est bientôt votre tour.",
      "place": "Vous êtes en position {position} dans la file d’attente.",
      "restart": "Commencer un nouveau chat"
    },
    "survey": {
      "answer": "Veuillez répondre.",
      "start": "Commencer",
      "wrong": "Cette réponse ne convient pas."
    },
    "details": {
      "members": "Participants",
      "removeMember": "Retirer {name}",
      "youInvited": "Vous, sur invitation"
    },
    "chat": {
      "archive": "Archiver",
      "archived": "Cette conversation est archivée.",
      "archiveHint": "Vous pourrez encore la lire sous « Archives », mais vous ne pourrez plus y écrire.",
      "archiveTitle": "Archiver cette conversation ?",
      "askName": "Nous aimerions connaître votre nom.",
      "begin": "Écrivez-nous : les réponses apparaîtront ici.",
      "choose": "Choisissez une conversation ou commencez-en une nouvelle.",
      "clear": "Effacer l’historique",
      "clearHint": "Tous les messages jusqu’à maintenant disparaissent définitivement de votre vue. Les autres les gardent.",
      "clearSubmit": "Effacer",
      "clearTitle": "Effacer l’historique ?",
      "email": "Adresse e-mail",
      "end": "Terminer ce chat",
      "ended": "Ce chat est terminé.",
      "endHint": "Vous pourrez en commencer un autre à tout moment.",
      "endSubmit": "Terminer",
      "endTitle": "Terminer ce chat ?",
      "firstName": "Prénom",
      "hidden": "Masquée jusqu’au prochain message.",
      "hide": "Masquer de la liste",
      "lastName": "Nom",
      "leave": "Quitter la conversation",
      "leaveHint": "Elle disparaît de votre liste, et vous n’en recevez plus de messages.",
      "leaveMessage": "Personne n’est disponible pour le moment. Laissez-nous un message.",
      "leaveSubmit": "Quitter",
      "leaveTitle": "Quitter cette conversation ?",
      "listArchived": "Archives",
      "listHidden": "Masquées",
      "listOpen": "En cours",
      "mail": "Envoyer la conversation par e-mail",
      "mailed": "Elle est en route vers {email}.",
      "noArchived": "Rien n’a été archivé.",
      "nobody": "Personne n’est disponible pour le moment.",
      "noHidden": "Rien n’est masqué.",
      "noOpen": "Aucune conversation pour l’instant.",
      "noOpenMore": "Aucune conversation n’est ouverte. Les précédentes sont sous « Archives ».",
      "opensAt": "Nous serons de retour à {time}",
      "opensOn": "Nous serons de retour {day} à {time}",
      "rename": "Renommer",
      "renameTitle": "Renommer la conversation",
      "signOut": "Se déconnecter",
      "signOutHint": "Ce navigateur oublie les conversations de ce canal.",
      "signOutTitle": "Se déconnecter ?",
      "start": "Commencer une conversation",
      "stillNobody": "Il n’y a toujours personne.",
      "switchChannel": "Changer de canal",
      "tryAgain": "Réessayer",
      "unhide": "Afficher dans la liste",
      "unknownChannel": "Il n’y a pas de canal « {id} »."
    },
    "notes": {
      "add": "Écrire une note pour l’équipe",
      "by": "Note de {name}",
      "hint": "Seule l’équipe la voit, jamais le client.",
      "removeHint": "Elle disparaît pour toute l’équipe.",
      "removeTitle": "Supprimer cette note ?",
      "text": "Note"
    }
  },
  "problems": {
    "unreachable": "Le chat est actuellement injoignable.",
    "timeout": "Le chat est actuellement injoignable.",
    "notConnected": "Le chat n’est pas connecté pour le moment. Veuillez réessayer.",
    "serverError": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "internalError": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "storageFailed": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "storageUnavailable": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "storageFull": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "eventTimeout": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "shuttingDown": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "standby": "Le chat rencontre un problème technique. Veuillez réessayer plus tard.",
    "maintenance": "Le chat est en cours de maintenance. Veuillez réessayer plus tard.",
    "tooManyRequests": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyStreams": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyFetches": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "shareExceeded": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyFailures": "Trop de tentatives ont échoué. Veuillez patienter un instant, puis réessayer.",
    "tooManyWrites": "Vous avez beaucoup écrit en peu de temps. Veuillez patienter un instant.",
    "tooManyMessages": "Vous avez beaucoup écrit en peu de temps. Veuillez patienter un instant.",
    "tooManyUnsent": "Trop d’envois sont encore en cours. Veuillez patienter un instant.",
    "tooManyUploads": "Trop d’envois sont encore en cours. Veuillez patienter un instant.",
    "tooManyThreads": "Trop de conversations sont ouvertes. Veuillez poursuivre dans l’une d’elles.",
    "tooManyVisitors": "Trop de chats ont été commencés. Veuillez réessayer plus tard.",
    "quotaExceeded": "Il n’y a plus de place pour vos messages et vos fichiers.",
    "textTooLong": "Ce message est trop long.",
    "bodyTooLarge": "C’est trop volumineux pour être envoyé.",
    "emptyFile": "Ce fichier est vide.",
    "invalidFileSize": "Ce fichier est trop volumineux.",
    "invalidFileType": "Les fichiers de ce type ne peuvent pas être envoyés ici.",
    "attachmentError": "Le fichier n’a pas pu être envoyé.",
    "unknownAttachment": "Ce fichier n’existe plus.",
    "missingPreChatCustomFields": "Veuillez répondre aux questions obligatoires.",
    "invalidValue": "L’une de vos réponses n’est pas valide.",
    "invalidParameter": "L’une de vos réponses n’est pas valide.",
    "invalidData": "L’une de vos réponses n’est pas valide.",
    "illegalThreadState": "Ce n’est plus possible dans cette conversation.",
    "illegalChatState": "Ce n’est plus possible dans cette conversation.",
    "unsupportedChannelConfig": "Ce n’est pas possible dans ce chat.",
    "unsupportedCapability": "Ce n’est pas possible dans ce chat.",
    "unknownThread": "Cette conversation n’existe plus.",
    "unknownMessage": "Ce message n’existe plus.",
    "unknownParent": "Le message auquel vous répondez n’existe plus.",
    "replyNotAllowed": "Vous ne pouvez pas répondre à ce message.",
    "replyDepthExceeded": "Vous ne pouvez pas répondre à ce message.",
    "parentHasReplies": "Un message qui a des réponses ne peut pas être supprimé.",
    "notAuthor": "Vous ne pouvez modifier que vos propres messages.",
    "notJoined": "Rejoignez la conversation pour écrire ici.",
    "nameVouched": "Votre nom ne peut pas être modifié ici.",
    "preconditionFailed": "Quelqu’un d’autre a effectué une modification entre-temps. Veuillez réessayer.",
    "searchUnavailable": "La recherche n’est pas disponible pour le moment.",
    "sendTranscriptFailed": "La conversation n’a pas pu être envoyée par e-mail.",
    "forbidden": "Vous n’êtes pas autorisé à faire cela.",
    "notAllowed": "Vous n’êtes pas autorisé à faire cela.",
    "unauthorized": "Votre chat a expiré. Veuillez en commencer un nouveau.",
    "unknownSession": "Votre chat a expiré. Veuillez en commencer un nouveau.",
    "unknownChannel": "Ce chat n’est pas disponible.",
    "channelNotPublic": "Ce chat n’est pas disponible.",
    "originNotAllowed": "Ce chat ne peut pas être utilisé sur cette page.",
    "identityRequired": "Veuillez d’abord vous connecter sur cette page.",
    "identityExpired": "Votre connexion a expiré. Veuillez vous reconnecter.",
    "transactionTokenExpired": "Votre connexion a expiré. Veuillez vous reconnecter.",
    "invalidIdentity": "Votre connexion n’a pas pu être vérifiée.",
    "customerAssociationFailure": "Votre connexion n’a pas pu être vérifiée.",
    "otherIdentity": "Vous êtes maintenant connecté avec un autre compte.",
    "consentRequired": "Veuillez d’abord accepter la politique de confidentialité.",
    "proofRequired": "La vérification de votre navigateur a échoué. Veuillez réessayer.",
    "linkGone": "Ce lien ne fonctionne plus. Demandez-en un nouveau."
  }
};

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
      "sound": "Son",
      "soundOff": "Son désactivé"
    },
    "start": {
      "greeting": "Bonjour ! Comment pouvons-nous vous aider ?",
      "begin": "Écrire un message",
      "earlier": "Conversations précédentes",
      "new": "Nouvelle conversation",
      "none": "Aucune conversation pour l’instant"
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
      "expired": "Veuillez vous reconnecter sur cette page pour continuer.",
      "invalid": "La connexion de cette page n’a pas fonctionné ici.",
      "changed": "Vous êtes maintenant connecté avec un autre compte."
    },
    "problems": {
      "offline": "Pas de connexion. Nouvelle tentative…",
      "back": "Connexion rétablie",
      "blocked": "Votre navigateur ne permet pas à ce chat d’enregistrer quoi que ce soit. Il prendra fin lorsque vous quitterez la page.",
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
  "pages": {},
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
    "tooManyRequests": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyStreams": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyFetches": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "shareExceeded": "Le chat est très sollicité. Veuillez réessayer dans un instant.",
    "tooManyFailures": "Trop de tentatives ont échoué. Veuillez patienter un instant, puis réessayer.",
    "tooManyWrites": "Vous avez beaucoup écrit en peu de temps. Veuillez patienter un instant.",
    "tooManyMessages": "Vous avez beaucoup écrit en peu de temps. Veuillez patienter un instant.",
    "tooManyUnsent": "Trop d’envois sont encore en cours. Veuillez patienter un instant.",
    "tooManyUploads": "Trop d’envois sont encore en cours. Veuillez patienter un instant.",
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

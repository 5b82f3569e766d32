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
  "problems": {}
};

export default {
  "lang": "es",
  "dir": "ltr",
  "name": "Español",
  "widget": {
    "launcher": {
      "open": "Abrir el chat",
      "close": "Cerrar el chat",
      "openUnread": {
        "one": "Abrir el chat, {count} mensaje sin leer",
        "many": "Abrir el chat, {count} de mensajes sin leer",
        "other": "Abrir el chat, {count} mensajes sin leer"
      },
      "label": "Chat",
      "cannotLoad": "No se puede cargar el chat aquí.",
      "openPage": "Abrirlo en una pestaña nueva"
    },
    "head": {
      "title": "{name}",
      "back": "Volver",
      "close": "Cerrar",
      "menu": "Más",
      "online": "Estamos disponibles",
      "answersIn": "Solemos responder en {duration}",
      "hours": "Volveremos a estar disponibles {day} a las {time}",
      "hoursToday": "Volveremos a estar disponibles a las {time}",
      "away": "Ahora no hay nadie disponible. Déjenos un mensaje.",
      "sound": "Sonido",
      "soundOff": "Sonido desactivado"
    },
    "start": {
      "greeting": "¡Hola! ¿En qué podemos ayudarle?",
      "begin": "Escribir un mensaje",
      "earlier": "Conversaciones anteriores",
      "new": "Nueva conversación",
      "none": "Aún no hay conversaciones"
    },
    "consent": {
      "text": "Antes de escribir: {link} explica cómo usamos sus datos.",
      "link": "nuestro aviso de privacidad",
      "agree": "Acepto",
      "decline": "No, gracias",
      "declined": "El chat permanecerá cerrado. Puede aceptar más tarde."
    },
    "survey": {
      "intro": "Primero, unas preguntas",
      "required": "Responda a esta pregunta.",
      "email": "Correo electrónico",
      "emailWrong": "Esta dirección de correo no es válida.",
      "firstName": "Nombre",
      "lastName": "Apellidos",
      "start": "Empezar",
      "optional": "opcional"
    },
    "list": {
      "unread": {
        "one": "{count} mensaje sin leer",
        "many": "{count} de mensajes sin leer",
        "other": "{count} mensajes sin leer"
      },
      "you": "Usted",
      "said": "{name}: {text}",
      "noMessages": "Aún no hay mensajes",
      "ended": "Terminada"
    },
    "messages": {
      "label": "Mensajes",
      "older": "Cargar mensajes anteriores",
      "newer": "Cargar mensajes posteriores",
      "news": {
        "one": "{count} mensaje nuevo",
        "many": "{count} de mensajes nuevos",
        "other": "{count} mensajes nuevos"
      },
      "today": "Hoy",
      "yesterday": "Ayer",
      "day": "{date}",
      "arrived": "{name} dice: {text}",
      "typing": {
        "one": "{names} está escribiendo",
        "many": "{names} están escribiendo",
        "other": "{names} están escribiendo"
      },
      "joined": "{name} le atiende ahora",
      "left": "{name} ha salido de la conversación",
      "removed": "El mensaje se eliminó",
      "edited": "editado",
      "unknown": "Este tipo de mensaje no se puede mostrar aquí.",
      "bot": "Respuesta automática",
      "link": "Se abre en una pestaña nueva"
    },
    "marks": {
      "sending": "Enviando",
      "sent": "Enviado",
      "delivered": "Entregado",
      "seen": "Visto",
      "failed": "No enviado",
      "retry": "Reintentar",
      "discard": "Descartar"
    },
    "composer": {
      "label": "Mensaje",
      "placeholder": "Escriba un mensaje",
      "send": "Enviar",
      "attach": "Adjuntar un archivo",
      "tooLong": "Demasiado largo: como máximo {limit}.",
      "ended": "Esta conversación ha terminado.",
      "reopenHint": "Escriba para continuarla.",
      "waitingLimit": "Ha escrito mucho. Espere {seconds} s."
    },
    "files": {
      "drop": "Suelte los archivos aquí",
      "uploading": "Subiendo {name}",
      "cancel": "No enviar {name}",
      "tooLarge": "{name} es demasiado grande: como máximo {size}.",
      "wrongType": "{name} no se puede enviar aquí. Se admiten: {kinds}.",
      "empty": "{name} está vacío.",
      "download": "Descargar {name}, {size}",
      "picture": "Imagen {name}",
      "failed": "No se pudo enviar el archivo."
    },
    "queue": {
      "place": "Su puesto en la cola es el {count}.",
      "next": "El siguiente turno es el suyo.",
      "estimate": {
        "one": "Aproximadamente {count} minuto",
        "many": "Aproximadamente {count} de minutos",
        "other": "Aproximadamente {count} minutos"
      },
      "end": "Terminar el chat",
      "endTitle": "¿Terminar este chat?",
      "endHint": "Puede empezar otro.",
      "ended": "El chat ha terminado.",
      "again": "Empezar un nuevo chat"
    },
    "inactivity": {
      "question": "¿Sigue ahí?",
      "yes": "Sí",
      "no": "No, terminar el chat"
    },
    "rating": {
      "title": "¿Qué tal ha ido?",
      "score": "{count} de 5",
      "low": "mal",
      "high": "muy bien",
      "comment": "¿Qué podríamos mejorar? (opcional)",
      "send": "Enviar",
      "thanks": "¡Gracias!",
      "skip": "Ahora no",
      "change": "Cambiar su valoración"
    },
    "identity": {
      "expired": "Inicie sesión de nuevo en esta página para continuar.",
      "invalid": "El inicio de sesión de esta página no ha funcionado aquí.",
      "changed": "Ahora ha iniciado sesión con otra cuenta."
    },
    "problems": {
      "offline": "Sin conexión. Reintentando…",
      "back": "Conexión recuperada",
      "blocked": "Su navegador no permite que este chat guarde nada. Terminará cuando salga de la página.",
      "tooMany": "Se han iniciado demasiados chats. Inténtelo de nuevo dentro de {minutes} min.",
      "proof": "Un momento, comprobando…",
      "gone": "Esta conversación ya no existe.",
      "wrong": "Algo ha salido mal.",
      "reload": "Volver a cargar"
    },
    "linkPage": {
      "title": "Su conversación con {name}",
      "open": "Abrir la conversación",
      "gone": "Este enlace ya no funciona. Solicite uno nuevo.",
      "private": "No lo haga en un ordenador ajeno."
    },
    "menu": {
      "transcript": "Guardar la conversación",
      "mail": "Enviarla por correo",
      "mailed": "Está en camino a {email}.",
      "erase": "Borrar mis datos",
      "eraseTitle": "¿Borrar todo?",
      "eraseHint": "Todas las conversaciones se borrarán para siempre.",
      "erased": "Se ha borrado todo.",
      "signOut": "Olvidarme en este dispositivo",
      "privacy": "Privacidad"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "No se puede acceder al chat en este momento.",
    "timeout": "No se puede acceder al chat en este momento.",
    "notConnected": "El chat no está conectado en este momento. Inténtelo de nuevo.",
    "serverError": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "internalError": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "storageFailed": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "storageUnavailable": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "storageFull": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "eventTimeout": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "shuttingDown": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "standby": "El chat tiene un problema técnico. Inténtelo de nuevo más tarde.",
    "tooManyRequests": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyStreams": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyFetches": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "shareExceeded": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyFailures": "Han fallado demasiados intentos. Espere un momento e inténtelo de nuevo.",
    "tooManyWrites": "Ha escrito mucho en poco tiempo. Espere un momento.",
    "tooManyMessages": "Ha escrito mucho en poco tiempo. Espere un momento.",
    "tooManyUnsent": "Aún quedan demasiados envíos en curso. Espere un momento.",
    "tooManyUploads": "Aún quedan demasiados envíos en curso. Espere un momento.",
    "tooManyVisitors": "Se han iniciado demasiados chats. Inténtelo de nuevo más tarde.",
    "quotaExceeded": "No queda espacio para sus mensajes y archivos.",
    "textTooLong": "Este mensaje es demasiado largo.",
    "bodyTooLarge": "Es demasiado grande para enviarlo.",
    "emptyFile": "Este archivo está vacío.",
    "invalidFileSize": "Este archivo es demasiado grande.",
    "invalidFileType": "Aquí no se pueden enviar archivos de este tipo.",
    "attachmentError": "No se pudo enviar el archivo.",
    "unknownAttachment": "Este archivo ya no está disponible.",
    "missingPreChatCustomFields": "Responda a las preguntas obligatorias.",
    "invalidValue": "Alguno de los datos introducidos no es válido.",
    "invalidData": "Alguno de los datos introducidos no es válido.",
    "illegalThreadState": "Esto ya no es posible en esta conversación.",
    "illegalChatState": "Esto ya no es posible en esta conversación.",
    "unsupportedChannelConfig": "Esto no es posible en este chat.",
    "unsupportedCapability": "Esto no es posible en este chat.",
    "unknownThread": "Esta conversación ya no existe.",
    "unknownMessage": "Este mensaje ya no existe.",
    "unknownParent": "El mensaje al que responde ya no existe.",
    "replyNotAllowed": "No puede responder a este mensaje.",
    "replyDepthExceeded": "No puede responder a este mensaje.",
    "parentHasReplies": "Un mensaje con respuestas no se puede eliminar.",
    "notAuthor": "Solo puede modificar sus propios mensajes.",
    "notJoined": "Únase a la conversación para escribir aquí.",
    "nameVouched": "Su nombre no se puede cambiar aquí.",
    "preconditionFailed": "Otra persona lo ha modificado mientras tanto. Inténtelo de nuevo.",
    "searchUnavailable": "La búsqueda no está disponible en este momento.",
    "sendTranscriptFailed": "No se pudo enviar la conversación por correo.",
    "forbidden": "No tiene permiso para hacer esto.",
    "notAllowed": "No tiene permiso para hacer esto.",
    "unauthorized": "Su chat ha caducado. Empiece uno nuevo.",
    "unknownSession": "Su chat ha caducado. Empiece uno nuevo.",
    "unknownChannel": "Este chat no está disponible.",
    "channelNotPublic": "Este chat no está disponible.",
    "originNotAllowed": "Este chat no se puede usar en esta página.",
    "identityRequired": "Primero inicie sesión en esta página.",
    "identityExpired": "Su sesión ha caducado. Inicie sesión de nuevo.",
    "transactionTokenExpired": "Su sesión ha caducado. Inicie sesión de nuevo.",
    "invalidIdentity": "No se pudo verificar su inicio de sesión.",
    "customerAssociationFailure": "No se pudo verificar su inicio de sesión.",
    "otherIdentity": "Ahora ha iniciado sesión con otra cuenta.",
    "consentRequired": "Primero acepte el aviso de privacidad.",
    "proofRequired": "La comprobación de su navegador ha fallado. Inténtelo de nuevo.",
    "linkGone": "Este enlace ya no funciona. Solicite uno nuevo."
  }
};

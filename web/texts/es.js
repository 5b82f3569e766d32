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
      "hours": "Volvemos a estar disponibles: {day}, {time}",
      "hoursToday": "Volvemos a estar disponibles a las {time}",
      "away": "Ahora no hay nadie disponible. Déjenos un mensaje.",
      "closed": "Ahora no hay nadie disponible. Inténtelo de nuevo más tarde.",
      "sound": "Sonido",
      "soundOff": "Sonido desactivado"
    },
    "start": {
      "greeting": "¡Hola! ¿En qué podemos ayudarle?",
      "begin": "Escribir un mensaje",
      "earlier": "Conversaciones anteriores",
      "new": "Nueva conversación",
      "none": "Aún no hay conversaciones",
      "untitled": "Conversación"
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
      "start": "Inicie sesión en esta página para escribirnos.",
      "expired": "Inicie sesión de nuevo en esta página para continuar.",
      "invalid": "El inicio de sesión de esta página no ha funcionado aquí.",
      "changed": "Ahora ha iniciado sesión con otra cuenta."
    },
    "problems": {
      "offline": "Sin conexión. Reintentando…",
      "back": "Conexión recuperada",
      "blocked": "Su navegador no permite que este chat guarde nada. Terminará cuando salga de la página.",
      "onlyTab": "Su navegador guarda este chat solo para esta pestaña. Terminará cuando la cierre.",
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
      "cancel": "Cancelar",
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
  "pages": {
    "common": {
      "add": "Añadir",
      "back": "Volver a la lista",
      "cancel": "Cancelar",
      "close": "Cerrar",
      "continue": "Continuar",
      "conversation": "Conversación",
      "conversations": "Conversaciones",
      "details": "Detalles",
      "done": "Listo",
      "failed": "Esta acción ha fallado.",
      "loading": "Cargando…",
      "name": "Nombre",
      "newConversation": "Nueva conversación",
      "remove": "Quitar",
      "required": "* obligatorio",
      "save": "Guardar",
      "send": "Enviar",
      "showMore": "Mostrar más",
      "wrong": "Algo ha salido mal.",
      "you": "Usted"
    },
    "people": {
      "addYourName": "Indique su nombre",
      "agent": "Agente",
      "andMore": {
        "one": "{name} y {count} más",
        "many": "{name} y {count} más",
        "other": "{name} y {count} más"
      },
      "count": {
        "one": "{count} persona",
        "many": "{count} de personas",
        "other": "{count} personas"
      },
      "customer": "Cliente",
      "unnamed": "Cliente {id}",
      "yourName": "Su nombre"
    },
    "times": {
      "today": "Hoy",
      "yesterday": "Ayer"
    },
    "signIn": {
      "choose": "Elija una contraseña. Lo mejor es una frase que solo usted escribiría.",
      "count": "{count} de {minimum} caracteres",
      "email": "Correo electrónico",
      "enough": {
        "one": "{count} carácter",
        "many": "{count} de caracteres",
        "other": "{count} caracteres"
      },
      "enter": "Iniciar sesión",
      "gone": "Este enlace ya se usó o ha caducado. Para obtener uno nuevo, ejecute «parley open» en un terminal.",
      "invitationGone": "Esta invitación ya se usó o ha caducado. Pida otra a un administrador.",
      "noStorage": "Este navegador no permite que las páginas guarden datos, así que no puede mantener la sesión iniciada.",
      "orOpen": "Quien administra la pasarela abre un enlace desde un terminal:",
      "password": "Contraseña",
      "single": "Continuar con inicio de sesión único",
      "unreachable": "No se puede acceder a la pasarela. Vuelva a cargar esta página.",
      "wait": "Demasiadas contraseñas incorrectas. Inténtelo de nuevo dentro de {duration}.",
      "weak": {
        "common": "Mucha gente elige esta contraseña. Elija una frase que nadie más escribiría.",
        "long": "Esta contraseña es demasiado larga.",
        "personal": "Esta contraseña es casi solo su nombre o su dirección.",
        "repeated": "Esta contraseña repite pocos caracteres.",
        "short": "Esta contraseña es demasiado corta."
      },
      "wrong": "El correo electrónico o la contraseña no son correctos.",
      "wrongPassword": "La contraseña no es correcta."
    },
    "page": {
      "away": "No se puede acceder a la pasarela",
      "awayHint": "¿Está Parley en marcha? Esta página continúa por sí sola en cuanto la pasarela responda.",
      "locked": "Este navegador no ha iniciado sesión",
      "lockedCommand": "parley open",
      "lockedHint": "Parley se ejecuta en este ordenador. Solo un enlace de la pasarela inicia la sesión de un navegador. Abra uno desde un terminal:",
      "lockedNote": "El enlace mostrado funciona una vez, durante diez minutos. Después, esta página continúa por sí sola. Si el terminal no encuentra «parley»: la pasarela mostró la orden completa al arrancar.",
      "noAnswer": "No se puede acceder a la pasarela. Reintentando…",
      "noLiveUpdates": "Sin actualizaciones en directo: {why}",
      "notify": "Avisarme",
      "notifyForbidden": "El navegador no permite notificaciones de esta página. Puede cambiarlo en sus ajustes.",
      "off": "Desactivado",
      "on": "Activado",
      "reconnecting": "Conexión perdida. Reconectando…",
      "signOut": "Cerrar sesión",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Chat en directo",
      "multithread": "Varias conversaciones",
      "singlethread": "Una conversación"
    },
    "picker": {
      "choose": "Elija un canal para empezar.",
      "continue": "Continuar",
      "heading": "¿En qué podemos ayudarle?",
      "none": "Aún no hay ningún canal. El equipo puede añadir uno."
    },
    "demo": {
      "answer": "{link} en otra ventana. Asígnese la conversación y responda; «Assign to nobody» la devuelve al bot. Grace espera allí en la cola del chat en directo.",
      "ask": "Escriba «I would like to talk to a person»: el bot transfiere el chat y calla.",
      "bot": "Responde un bot",
      "curl": "Lo mismo con curl",
      "desk": "Abra el escritorio",
      "heading": "Esta pasarela ofrece una demostración",
      "token": "El token está en la carpeta de datos, cuyo nombre mostró la pasarela.",
      "write": "Elija «Demo shop»: usted es Ada, y sus conversaciones ya están ahí. Escriba «Where is my order?» y pulse un botón de la respuesta."
    },
    "list": {
      "filters": "Qué conversaciones",
      "invited": "Invitación",
      "noMessages": "Aún no hay mensajes",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} sin leer",
        "many": "{count} sin leer",
        "other": "{count} sin leer"
      },
      "waiting": "En espera · {position}",
      "which": "Conversaciones mostradas"
    },
    "search": {
      "conversations": "Conversaciones encontradas",
      "end": "Terminar la búsqueda",
      "failed": "La búsqueda ha fallado.",
      "found": "Mensajes encontrados",
      "label": "Buscar en mensajes y títulos",
      "nothing": "No se encontró nada."
    },
    "conversation": {
      "gone": "Ya no está en esta conversación.",
      "messageGone": "El mensaje se eliminó.",
      "parentGone": "El mensaje se eliminó, y sus respuestas también.",
      "typing": {
        "one": "{names} está escribiendo",
        "many": "{names} están escribiendo",
        "other": "{names} están escribiendo"
      }
    },
    "messages": {
      "empty": "Aún no hay mensajes. ¡Salude!",
      "label": "Mensajes",
      "newer": "Cargar mensajes posteriores",
      "news": {
        "one": "{count} mensaje nuevo",
        "many": "{count} de mensajes nuevos",
        "other": "{count} mensajes nuevos"
      },
      "older": "Cargar mensajes anteriores"
    },
    "replies": {
      "back": "Volver a la conversación",
      "close": "Cerrar el hilo",
      "count": {
        "one": "{count} respuesta",
        "many": "{count} de respuestas",
        "other": "{count} respuestas"
      },
      "countMore": {
        "one": "más de {count} respuesta",
        "many": "más de {count} de respuestas",
        "other": "más de {count} respuestas"
      },
      "empty": "Aún no hay respuestas.",
      "first": "Responder en un hilo",
      "further": "Responder en el hilo",
      "join": "Únase a la conversación para responder.",
      "label": "Respuestas",
      "newer": "Cargar respuestas posteriores",
      "news": {
        "one": "{count} respuesta nueva",
        "many": "{count} de respuestas nuevas",
        "other": "{count} respuestas nuevas"
      },
      "older": "Cargar respuestas anteriores",
      "parent": "El mensaje",
      "showParent": "Mostrar el mensaje en «{name}»",
      "title": "Hilo"
    },
    "message": {
      "attachment": "Archivo adjunto",
      "delete": "Eliminar",
      "deleteHint": "Desaparece para ambas partes.",
      "deleteTitle": "¿Eliminar este mensaje?",
      "edit": "Editar",
      "edited": "editado",
      "notShown": "Este tipo de mensaje no se puede mostrar aquí.",
      "quoted": "{who}: {what}",
      "removed": "El mensaje se eliminó",
      "reply": "Responder en un hilo",
      "resend": "Reenviar",
      "unsent": "No enviado."
    },
    "marks": {
      "delivered": "Entregado",
      "failed": "No enviado",
      "pending": "Enviando",
      "seen": "Visto",
      "sent": "Enviado"
    },
    "composer": {
      "attach": "Adjuntar archivos",
      "edit": "Editar el mensaje",
      "label": "Mensaje",
      "placeholder": "Escriba un mensaje",
      "tooLong": "Este mensaje es demasiado largo: se permiten 64 KiB."
    },
    "files": {
      "cancel": "No enviar {name}",
      "empty": "«{name}» está vacío.",
      "kinds": {
        "image/*": "imágenes",
        "audio/*": "audio",
        "video/*": "vídeos",
        "text/*": "textos",
        "text/plain": "textos sin formato",
        "application/pdf": "archivos PDF"
      },
      "remove": "Quitar {name}",
      "tooLarge": "«{name}» es demasiado grande: {size}. El máximo es de {most}.",
      "tray": "Archivos por enviar",
      "uploading": "Subiendo {name}",
      "wrongType": "«{name}» no se puede enviar aquí. Se admiten: {kinds}."
    },
    "invitation": {
      "decline": "Rechazar",
      "join": "Unirse",
      "label": "Invitación",
      "text": "Le han invitado a esta conversación. Únase para escribir aquí."
    },
    "live": {
      "estimate": {
        "one": "Falta aproximadamente un minuto.",
        "many": "Faltan aproximadamente {count} de minutos.",
        "other": "Faltan aproximadamente {count} minutos."
      },
      "next": "El siguiente turno es el suyo.",
      "place": "Su puesto en la cola es el {position}.",
      "restart": "Empezar un nuevo chat"
    },
    "survey": {
      "answer": "Responda a esta pregunta.",
      "start": "Empezar",
      "wrong": "Esta respuesta no es válida."
    },
    "details": {
      "members": "Participantes",
      "removeMember": "Quitar a {name}",
      "youInvited": "Usted, con invitación"
    },
    "chat": {
      "archive": "Archivar",
      "archived": "Esta conversación está archivada.",
      "archiveHint": "Podrá seguir leyéndola en «Archivo», pero ya no podrá escribir en ella.",
      "archiveTitle": "¿Archivar esta conversación?",
      "askName": "Nos gustaría saber su nombre.",
      "begin": "Escríbanos: las respuestas aparecerán aquí.",
      "choose": "Elija una conversación o empiece una nueva.",
      "clear": "Borrar el historial",
      "clearHint": "Todos los mensajes hasta ahora desaparecen para siempre de su vista. Los demás los conservan.",
      "clearSubmit": "Borrar",
      "clearTitle": "¿Borrar el historial?",
      "email": "Correo electrónico",
      "end": "Terminar este chat",
      "ended": "Este chat ha terminado.",
      "endHint": "Puede empezar otro en cualquier momento.",
      "endSubmit": "Terminar",
      "endTitle": "¿Terminar este chat?",
      "firstName": "Nombre",
      "hidden": "Oculta hasta el próximo mensaje.",
      "hide": "Ocultar en la lista",
      "lastName": "Apellidos",
      "leave": "Salir de la conversación",
      "leaveHint": "Desaparece de su lista y no recibirá más mensajes de ella.",
      "leaveMessage": "Ahora no hay nadie disponible. Déjenos un mensaje.",
      "leaveSubmit": "Salir",
      "leaveTitle": "¿Salir de esta conversación?",
      "listArchived": "Archivo",
      "listHidden": "Ocultas",
      "listOpen": "Actuales",
      "mail": "Enviar la conversación por correo",
      "mailed": "Está en camino a {email}.",
      "noArchived": "No hay nada archivado.",
      "nobody": "Ahora no hay nadie disponible.",
      "noHidden": "No hay nada oculto.",
      "noOpen": "Aún no hay conversaciones.",
      "noOpenMore": "No hay ninguna conversación abierta. Las anteriores están en «Archivo».",
      "opensAt": "Volvemos a estar disponibles a las {time}",
      "opensOn": "Volvemos a estar disponibles: {day}, {time}",
      "rename": "Cambiar el nombre",
      "renameTitle": "Cambiar el nombre de la conversación",
      "signOut": "Cerrar sesión",
      "signOutHint": "Este navegador olvida las conversaciones de este canal.",
      "signOutTitle": "¿Cerrar sesión?",
      "start": "Empezar una conversación",
      "stillNobody": "Sigue sin haber nadie disponible.",
      "switchChannel": "Cambiar de canal",
      "tryAgain": "Reintentar",
      "unhide": "Mostrar en la lista",
      "unknownChannel": "No existe el canal «{id}»."
    },
    "notes": {
      "add": "Escribir una nota para el equipo",
      "by": "Nota de {name}",
      "hint": "Solo la ve el equipo, nunca el cliente.",
      "removeHint": "Desaparece para todo el equipo.",
      "removeTitle": "¿Eliminar esta nota?",
      "text": "Nota"
    }
  },
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
    "maintenance": "El chat está en mantenimiento. Inténtelo de nuevo más tarde.",
    "tooManyRequests": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyStreams": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyFetches": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "shareExceeded": "Hay muchas personas usando el chat. Inténtelo de nuevo en un momento.",
    "tooManyFailures": "Han fallado demasiados intentos. Espere un momento e inténtelo de nuevo.",
    "tooManyWrites": "Ha escrito mucho en poco tiempo. Espere un momento.",
    "tooManyMessages": "Ha escrito mucho en poco tiempo. Espere un momento.",
    "tooManyUnsent": "Aún quedan demasiados envíos en curso. Espere un momento.",
    "tooManyUploads": "Aún quedan demasiados envíos en curso. Espere un momento.",
    "tooManyThreads": "Hay demasiadas conversaciones abiertas. Continúe en una de ellas.",
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
    "invalidParameter": "Alguno de los datos introducidos no es válido.",
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

export default {
  "lang": "pt-BR",
  "dir": "ltr",
  "name": "Português (Brasil)",
  "widget": {
    "launcher": {
      "open": "Abrir o chat",
      "close": "Fechar o chat",
      "openUnread": {
        "one": "Abrir o chat, {count} mensagem não lida",
        "many": "Abrir o chat, {count} de mensagens não lidas",
        "other": "Abrir o chat, {count} mensagens não lidas"
      },
      "label": "Chat",
      "cannotLoad": "Não foi possível carregar o chat aqui.",
      "openPage": "Abrir em uma nova aba"
    },
    "head": {
      "title": "{name}",
      "back": "Voltar",
      "close": "Fechar",
      "menu": "Mais",
      "online": "Estamos disponíveis",
      "answersIn": "Costumamos responder em {duration}",
      "hours": "Voltaremos {day} às {time}",
      "hoursToday": "Voltaremos às {time}",
      "away": "Ninguém está disponível agora. Deixe uma mensagem.",
      "sound": "Som",
      "soundOff": "Som desativado"
    },
    "start": {
      "greeting": "Olá! Como podemos ajudar?",
      "begin": "Escrever uma mensagem",
      "earlier": "Conversas anteriores",
      "new": "Nova conversa",
      "none": "Nenhuma conversa ainda"
    },
    "consent": {
      "text": "Antes de escrever: {link} explica como usamos seus dados.",
      "link": "nosso aviso de privacidade",
      "agree": "Concordo",
      "decline": "Não, obrigado",
      "declined": "O chat continua fechado. Você pode concordar mais tarde."
    },
    "survey": {
      "intro": "Antes, algumas perguntas",
      "required": "Responda, por favor.",
      "email": "Endereço de e-mail",
      "emailWrong": "Este endereço de e-mail não é válido.",
      "firstName": "Nome",
      "lastName": "Sobrenome",
      "start": "Começar",
      "optional": "opcional"
    },
    "list": {
      "unread": {
        "one": "{count} mensagem não lida",
        "many": "{count} de mensagens não lidas",
        "other": "{count} mensagens não lidas"
      },
      "you": "Você",
      "said": "{name}: {text}",
      "noMessages": "Nenhuma mensagem ainda",
      "ended": "Encerrada"
    },
    "messages": {
      "label": "Mensagens",
      "older": "Carregar mensagens anteriores",
      "newer": "Carregar mensagens mais recentes",
      "news": {
        "one": "{count} nova mensagem",
        "many": "{count} de novas mensagens",
        "other": "{count} novas mensagens"
      },
      "today": "Hoje",
      "yesterday": "Ontem",
      "day": "{date}",
      "arrived": "{name} diz: {text}",
      "typing": {
        "one": "{names} está digitando",
        "many": "{names} estão digitando",
        "other": "{names} estão digitando"
      },
      "joined": "{name} está com você agora",
      "left": "{name} saiu da conversa",
      "removed": "A mensagem foi removida",
      "edited": "editada",
      "unknown": "Este tipo de mensagem não pode ser exibido aqui.",
      "bot": "Resposta automática",
      "link": "Abre em uma nova aba"
    },
    "marks": {
      "sending": "Enviando",
      "sent": "Enviada",
      "delivered": "Entregue",
      "seen": "Vista",
      "failed": "Não enviada",
      "retry": "Tentar de novo",
      "discard": "Descartar"
    },
    "composer": {
      "label": "Mensagem",
      "placeholder": "Escreva uma mensagem",
      "send": "Enviar",
      "attach": "Anexar um arquivo",
      "tooLong": "Muito longo: no máximo {limit}.",
      "ended": "Esta conversa foi encerrada.",
      "reopenHint": "Escreva para continuar.",
      "waitingLimit": "Você escreveu bastante. Aguarde {seconds} s."
    },
    "files": {
      "drop": "Solte os arquivos aqui",
      "uploading": "Enviando {name}",
      "cancel": "Não enviar {name}",
      "tooLarge": "{name} é grande demais: no máximo {size}.",
      "wrongType": "{name} não pode ser enviado aqui. Permitidos: {kinds}.",
      "empty": "{name} está vazio.",
      "download": "Baixar {name}, {size}",
      "picture": "Imagem {name}",
      "failed": "Não foi possível enviar o arquivo."
    },
    "queue": {
      "place": "Você é o número {count} da fila.",
      "next": "Você é o próximo.",
      "estimate": {
        "one": "Cerca de {count} minuto",
        "many": "Cerca de {count} de minutos",
        "other": "Cerca de {count} minutos"
      },
      "end": "Encerrar o chat",
      "endTitle": "Encerrar este chat?",
      "endHint": "Você pode começar outro.",
      "ended": "O chat foi encerrado.",
      "again": "Iniciar um novo chat"
    },
    "inactivity": {
      "question": "Você ainda está aí?",
      "yes": "Sim",
      "no": "Não, encerrar o chat"
    },
    "rating": {
      "title": "Como foi o atendimento?",
      "score": "{count} de 5",
      "low": "ruim",
      "high": "muito bom",
      "comment": "O que poderia melhorar? (opcional)",
      "send": "Enviar",
      "thanks": "Obrigado!",
      "skip": "Agora não",
      "change": "Alterar sua avaliação"
    },
    "identity": {
      "expired": "Entre novamente nesta página para continuar.",
      "invalid": "O login desta página não funcionou aqui.",
      "changed": "Agora você entrou com outra conta."
    },
    "problems": {
      "offline": "Sem conexão. Tentando de novo…",
      "back": "Conectado novamente",
      "blocked": "Seu navegador não permite que este chat guarde nada. Ele termina quando você sair da página.",
      "tooMany": "Foram iniciados chats demais. Tente novamente em {minutes} min.",
      "proof": "Um momento, verificando…",
      "gone": "Esta conversa não existe mais.",
      "wrong": "Algo deu errado.",
      "reload": "Recarregar"
    },
    "linkPage": {
      "title": "Sua conversa com {name}",
      "open": "Abrir a conversa",
      "gone": "Este link não funciona mais. Peça um novo.",
      "private": "Não faça isso em um computador de outra pessoa."
    },
    "menu": {
      "transcript": "Salvar a conversa",
      "mail": "Enviar por e-mail",
      "mailed": "Ela está a caminho de {email}.",
      "erase": "Excluir meus dados",
      "eraseTitle": "Excluir tudo?",
      "eraseHint": "Todas as conversas daqui serão excluídas para sempre.",
      "erased": "Tudo foi excluído.",
      "signOut": "Esquecer-me neste dispositivo",
      "privacy": "Privacidade"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "Não é possível acessar o chat no momento.",
    "timeout": "Não é possível acessar o chat no momento.",
    "notConnected": "O chat não está conectado no momento. Tente novamente.",
    "serverError": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "internalError": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "storageFailed": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "storageUnavailable": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "storageFull": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "eventTimeout": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "shuttingDown": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "standby": "O chat está com um problema técnico. Tente novamente mais tarde.",
    "tooManyRequests": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyStreams": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyFetches": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "shareExceeded": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyFailures": "Muitas tentativas falharam. Aguarde um momento e tente novamente.",
    "tooManyWrites": "Você escreveu muito em pouco tempo. Aguarde um momento.",
    "tooManyMessages": "Você escreveu muito em pouco tempo. Aguarde um momento.",
    "tooManyUnsent": "Ainda há muitos envios em andamento. Aguarde um momento.",
    "tooManyUploads": "Ainda há muitos envios em andamento. Aguarde um momento.",
    "tooManyVisitors": "Foram iniciados chats demais. Tente novamente mais tarde.",
    "quotaExceeded": "Não há mais espaço para suas mensagens e seus arquivos.",
    "textTooLong": "Esta mensagem é longa demais.",
    "bodyTooLarge": "É grande demais para ser enviado.",
    "emptyFile": "Este arquivo está vazio.",
    "invalidFileSize": "Este arquivo é grande demais.",
    "invalidFileType": "Arquivos deste tipo não podem ser enviados aqui.",
    "attachmentError": "Não foi possível enviar o arquivo.",
    "unknownAttachment": "Este arquivo não está mais disponível.",
    "missingPreChatCustomFields": "Responda às perguntas obrigatórias.",
    "invalidValue": "Algum dos dados informados não é válido.",
    "invalidData": "Algum dos dados informados não é válido.",
    "illegalThreadState": "Isso não é mais possível nesta conversa.",
    "illegalChatState": "Isso não é mais possível nesta conversa.",
    "unsupportedChannelConfig": "Isso não é possível neste chat.",
    "unsupportedCapability": "Isso não é possível neste chat.",
    "unknownThread": "Esta conversa não existe mais.",
    "unknownMessage": "Esta mensagem não existe mais.",
    "unknownParent": "A mensagem que você está respondendo não existe mais.",
    "replyNotAllowed": "Você não pode responder a esta mensagem.",
    "replyDepthExceeded": "Você não pode responder a esta mensagem.",
    "parentHasReplies": "Uma mensagem com respostas não pode ser excluída.",
    "notAuthor": "Você só pode alterar suas próprias mensagens.",
    "notJoined": "Participe da conversa para escrever aqui.",
    "nameVouched": "Seu nome não pode ser alterado aqui.",
    "preconditionFailed": "Outra pessoa alterou isto nesse meio-tempo. Tente novamente.",
    "searchUnavailable": "A busca não está disponível no momento.",
    "sendTranscriptFailed": "Não foi possível enviar a conversa por e-mail.",
    "forbidden": "Você não tem permissão para fazer isso.",
    "notAllowed": "Você não tem permissão para fazer isso.",
    "unauthorized": "Seu chat expirou. Inicie um novo.",
    "unknownSession": "Seu chat expirou. Inicie um novo.",
    "unknownChannel": "Este chat não está disponível.",
    "channelNotPublic": "Este chat não está disponível.",
    "originNotAllowed": "Este chat não pode ser usado nesta página.",
    "identityRequired": "Primeiro, entre na sua conta nesta página.",
    "identityExpired": "Seu login expirou. Entre novamente.",
    "transactionTokenExpired": "Seu login expirou. Entre novamente.",
    "invalidIdentity": "Não foi possível verificar seu login.",
    "customerAssociationFailure": "Não foi possível verificar seu login.",
    "otherIdentity": "Agora você entrou com outra conta.",
    "consentRequired": "Primeiro, concorde com o aviso de privacidade.",
    "proofRequired": "A verificação do seu navegador falhou. Tente novamente.",
    "linkGone": "Este link não funciona mais. Peça um novo."
  }
};

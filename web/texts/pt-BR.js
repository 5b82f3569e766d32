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
      "closed": "Ninguém está disponível agora. Tente novamente mais tarde.",
      "sound": "Som",
      "soundOff": "Som desativado"
    },
    "start": {
      "greeting": "Olá! Como podemos ajudar?",
      "begin": "Escrever uma mensagem",
      "earlier": "Conversas anteriores",
      "new": "Nova conversa",
      "none": "Nenhuma conversa ainda",
      "untitled": "Conversa"
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
      "start": "Entre na sua conta nesta página para escrever para nós.",
      "expired": "Entre novamente nesta página para continuar.",
      "invalid": "O login desta página não funcionou aqui.",
      "changed": "Agora você entrou com outra conta."
    },
    "problems": {
      "offline": "Sem conexão. Tentando de novo…",
      "back": "Conectado novamente",
      "blocked": "Seu navegador não permite que este chat guarde nada. Ele termina quando você sair da página.",
      "onlyTab": "Seu navegador guarda este chat apenas para esta aba. Ele termina quando você fechar a aba.",
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
      "cancel": "Cancelar",
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
  "pages": {
    "common": {
      "add": "Adicionar",
      "back": "Voltar à lista",
      "cancel": "Cancelar",
      "close": "Fechar",
      "continue": "Continuar",
      "conversation": "Conversa",
      "conversations": "Conversas",
      "details": "Detalhes",
      "done": "Concluído",
      "failed": "Esta ação falhou.",
      "loading": "Carregando…",
      "name": "Nome",
      "newConversation": "Nova conversa",
      "remove": "Remover",
      "required": "* obrigatório",
      "save": "Salvar",
      "send": "Enviar",
      "showMore": "Mostrar mais",
      "wrong": "Algo deu errado.",
      "you": "Você"
    },
    "people": {
      "addYourName": "Informe seu nome",
      "agent": "Atendente",
      "andMore": {
        "one": "{name} e mais {count}",
        "many": "{name} e mais {count}",
        "other": "{name} e mais {count}"
      },
      "count": {
        "one": "{count} pessoa",
        "many": "{count} de pessoas",
        "other": "{count} pessoas"
      },
      "customer": "Cliente",
      "unnamed": "Cliente {id}",
      "yourName": "Seu nome"
    },
    "times": {
      "today": "Hoje",
      "yesterday": "Ontem"
    },
    "signIn": {
      "choose": "Escolha uma senha. Uma frase que só você escreveria é uma boa senha.",
      "count": "{count} de {minimum} caracteres",
      "email": "Endereço de e-mail",
      "enough": {
        "one": "{count} caractere",
        "many": "{count} de caracteres",
        "other": "{count} caracteres"
      },
      "enter": "Entrar",
      "gone": "Este link já foi usado ou expirou. Para obter um novo, execute “parley open” em um terminal.",
      "invitationGone": "Este convite já foi usado ou expirou. Peça outro a um administrador.",
      "noStorage": "Este navegador não permite que as páginas guardem dados; por isso, não pode continuar conectado.",
      "orOpen": "Quem administra o gateway abre um link em um terminal:",
      "password": "Senha",
      "single": "Continuar com login único",
      "unreachable": "Não é possível acessar o gateway. Recarregue esta página.",
      "wait": "Muitas senhas incorretas. Tente novamente em {duration}.",
      "weak": {
        "common": "Muita gente escolhe esta senha. Escolha uma frase que ninguém mais escreveria.",
        "long": "Esta senha é longa demais.",
        "personal": "Esta senha é quase só o seu nome ou endereço.",
        "repeated": "Esta senha repete poucos caracteres.",
        "short": "Esta senha é curta demais."
      },
      "wrong": "O endereço de e-mail ou a senha está incorreta.",
      "wrongPassword": "A senha está incorreta."
    },
    "page": {
      "away": "Não é possível acessar o gateway",
      "awayHint": "O Parley está em execução? Esta página continua sozinha assim que o gateway responder.",
      "locked": "Este navegador não está conectado",
      "lockedCommand": "parley open",
      "lockedHint": "O Parley roda neste computador. Só um link do gateway conecta um navegador. Abra um em um terminal:",
      "lockedNote": "O link exibido funciona uma vez, por dez minutos. Depois disso, esta página continua sozinha. Se o terminal não encontrar “parley”: o gateway exibiu o comando completo ao iniciar.",
      "noAnswer": "Gateway inacessível. Tentando de novo…",
      "noLiveUpdates": "Sem atualizações ao vivo: {why}",
      "notify": "Avisar-me",
      "notifyForbidden": "O navegador não permite notificações desta página. Você pode mudar isso nas configurações dele.",
      "off": "Desativado",
      "on": "Ativado",
      "reconnecting": "Conexão perdida. Reconectando…",
      "signOut": "Sair",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Chat ao vivo",
      "multithread": "Várias conversas",
      "singlethread": "Uma conversa"
    },
    "picker": {
      "choose": "Escolha um canal para começar.",
      "continue": "Continuar",
      "heading": "Como podemos ajudar?",
      "none": "Ainda não há nenhum canal. A equipe pode adicionar um."
    },
    "demo": {
      "answer": "{link} em outra janela. Atribua a conversa a você e responda; “Assign to nobody” a devolve ao robô. Grace espera lá na fila do chat ao vivo.",
      "ask": "Escreva “I would like to talk to a person”: o robô transfere o chat e fica em silêncio.",
      "bot": "Um robô responde",
      "curl": "O mesmo com curl",
      "desk": "Abra a mesa de atendimento",
      "heading": "Este gateway apresenta uma demonstração",
      "token": "O token está na pasta de dados, cujo nome o gateway exibiu.",
      "write": "Escolha “Demo shop”: você é a Ada, e as conversas dela estão lá. Escreva “Where is my order?” e pressione um botão da resposta."
    },
    "list": {
      "filters": "Quais conversas",
      "invited": "Convite",
      "noMessages": "Nenhuma mensagem ainda",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} não lida",
        "many": "{count} não lidas",
        "other": "{count} não lidas"
      },
      "waiting": "Na fila · {position}",
      "which": "Conversas exibidas"
    },
    "search": {
      "conversations": "Conversas encontradas",
      "end": "Encerrar a busca",
      "failed": "A busca falhou.",
      "found": "Mensagens encontradas",
      "label": "Buscar em mensagens e títulos",
      "nothing": "Nada foi encontrado."
    },
    "conversation": {
      "gone": "Você não está mais nesta conversa.",
      "messageGone": "A mensagem foi removida.",
      "parentGone": "A mensagem foi removida, e as respostas dela também.",
      "typing": {
        "one": "{names} está digitando",
        "many": "{names} estão digitando",
        "other": "{names} estão digitando"
      }
    },
    "messages": {
      "empty": "Nenhuma mensagem ainda. Diga olá!",
      "label": "Mensagens",
      "newer": "Carregar mensagens mais recentes",
      "news": {
        "one": "{count} nova mensagem",
        "many": "{count} de novas mensagens",
        "other": "{count} novas mensagens"
      },
      "older": "Carregar mensagens anteriores"
    },
    "replies": {
      "back": "Voltar à conversa",
      "close": "Fechar as respostas",
      "count": {
        "one": "{count} resposta",
        "many": "{count} de respostas",
        "other": "{count} respostas"
      },
      "countMore": {
        "one": "mais de {count} resposta",
        "many": "mais de {count} de respostas",
        "other": "mais de {count} respostas"
      },
      "empty": "Nenhuma resposta ainda.",
      "first": "Responder à mensagem",
      "further": "Escrever outra resposta",
      "join": "Participe da conversa para responder.",
      "label": "Respostas",
      "newer": "Carregar respostas mais recentes",
      "news": {
        "one": "{count} nova resposta",
        "many": "{count} de novas respostas",
        "other": "{count} novas respostas"
      },
      "older": "Carregar respostas anteriores",
      "parent": "A mensagem",
      "showParent": "Mostrar a mensagem em “{name}”",
      "title": "Respostas"
    },
    "message": {
      "attachment": "Anexo",
      "delete": "Excluir",
      "deleteHint": "Ela desaparece para os dois lados.",
      "deleteTitle": "Excluir esta mensagem?",
      "edit": "Editar",
      "edited": "editada",
      "notShown": "Este tipo de mensagem não pode ser exibido aqui.",
      "quoted": "{who}: {what}",
      "removed": "A mensagem foi removida",
      "reply": "Responder à mensagem",
      "resend": "Reenviar",
      "unsent": "Não enviada."
    },
    "marks": {
      "delivered": "Entregue",
      "failed": "Não enviada",
      "pending": "Enviando",
      "seen": "Vista",
      "sent": "Enviada"
    },
    "composer": {
      "attach": "Anexar arquivos",
      "edit": "Editar a mensagem",
      "label": "Mensagem",
      "placeholder": "Escreva uma mensagem",
      "tooLong": "Esta mensagem é longa demais: são permitidos 64 KiB."
    },
    "files": {
      "cancel": "Não enviar {name}",
      "empty": "“{name}” está vazio.",
      "kinds": {
        "image/*": "imagens",
        "audio/*": "áudios",
        "video/*": "vídeos",
        "text/*": "textos",
        "text/plain": "textos simples",
        "application/pdf": "arquivos PDF"
      },
      "remove": "Remover {name}",
      "tooLarge": "“{name}” é grande demais: {size}. O máximo é {most}.",
      "tray": "Arquivos para enviar",
      "uploading": "Enviando {name}",
      "wrongType": "“{name}” não pode ser enviado aqui. Permitidos: {kinds}."
    },
    "invitation": {
      "decline": "Recusar",
      "join": "Participar",
      "label": "Convite",
      "text": "Você foi convidado para esta conversa. Participe para escrever aqui."
    },
    "live": {
      "estimate": {
        "one": "Falta cerca de um minuto.",
        "many": "Faltam cerca de {count} de minutos.",
        "other": "Faltam cerca de {count} minutos."
      },
      "next": "Você é o próximo.",
      "place": "Você é o número {position} da fila.",
      "restart": "Iniciar um novo chat"
    },
    "survey": {
      "answer": "Responda, por favor.",
      "start": "Começar",
      "wrong": "Esta resposta não é válida."
    },
    "details": {
      "members": "Participantes",
      "removeMember": "Remover {name}",
      "youInvited": "Você, por convite"
    },
    "chat": {
      "archive": "Arquivar",
      "archived": "Esta conversa está arquivada.",
      "archiveHint": "Você ainda poderá lê-la em “Arquivo”, mas não poderá mais escrever nela.",
      "archiveTitle": "Arquivar esta conversa?",
      "askName": "Gostaríamos de saber seu nome.",
      "begin": "Escreva para nós: as respostas aparecem aqui.",
      "choose": "Escolha uma conversa ou comece uma nova.",
      "clear": "Limpar o histórico",
      "clearHint": "Todas as mensagens até agora desaparecem para sempre da sua visão. Os outros as mantêm.",
      "clearSubmit": "Limpar",
      "clearTitle": "Limpar o histórico?",
      "email": "Endereço de e-mail",
      "end": "Encerrar este chat",
      "ended": "Este chat foi encerrado.",
      "endHint": "Você pode começar outro a qualquer momento.",
      "endSubmit": "Encerrar",
      "endTitle": "Encerrar este chat?",
      "firstName": "Nome",
      "hidden": "Oculta até a próxima mensagem.",
      "hide": "Ocultar da lista",
      "lastName": "Sobrenome",
      "leave": "Sair da conversa",
      "leaveHint": "Ela desaparece da sua lista, e você não recebe mais mensagens dela.",
      "leaveMessage": "Ninguém está disponível agora. Deixe uma mensagem.",
      "leaveSubmit": "Sair",
      "leaveTitle": "Sair desta conversa?",
      "listArchived": "Arquivo",
      "listHidden": "Ocultas",
      "listOpen": "Atuais",
      "mail": "Enviar a conversa por e-mail",
      "mailed": "Ela está a caminho de {email}.",
      "noArchived": "Nada foi arquivado.",
      "nobody": "Ninguém está disponível no momento.",
      "noHidden": "Nada está oculto.",
      "noOpen": "Nenhuma conversa ainda.",
      "noOpenMore": "Nenhuma conversa está aberta. As anteriores estão em “Arquivo”.",
      "opensAt": "Voltaremos às {time}",
      "opensOn": "Voltaremos {day} às {time}",
      "rename": "Renomear",
      "renameTitle": "Renomear a conversa",
      "signOut": "Sair",
      "signOutHint": "Este navegador esquece as conversas deste canal.",
      "signOutTitle": "Sair?",
      "start": "Iniciar uma conversa",
      "stillNobody": "Ainda não há ninguém disponível.",
      "switchChannel": "Trocar de canal",
      "tryAgain": "Tentar de novo",
      "unhide": "Mostrar na lista",
      "unknownChannel": "Não existe o canal “{id}”."
    },
    "notes": {
      "add": "Escrever uma nota para a equipe",
      "by": "Nota de {name}",
      "hint": "Só a equipe a vê, nunca o cliente.",
      "removeHint": "Ela desaparece para toda a equipe.",
      "removeTitle": "Excluir esta nota?",
      "text": "Nota"
    }
  },
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
    "maintenance": "O chat está em manutenção. Tente novamente mais tarde.",
    "tooManyRequests": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyStreams": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyFetches": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "shareExceeded": "Há muitas pessoas usando o chat. Tente novamente em instantes.",
    "tooManyFailures": "Muitas tentativas falharam. Aguarde um momento e tente novamente.",
    "tooManyWrites": "Você escreveu muito em pouco tempo. Aguarde um momento.",
    "tooManyMessages": "Você escreveu muito em pouco tempo. Aguarde um momento.",
    "tooManyUnsent": "Ainda há muitos envios em andamento. Aguarde um momento.",
    "tooManyUploads": "Ainda há muitos envios em andamento. Aguarde um momento.",
    "tooManyThreads": "Há conversas abertas demais. Continue em uma delas.",
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
    "invalidParameter": "Algum dos dados informados não é válido.",
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

export default {
  "lang": "ko",
  "dir": "ltr",
  "name": "한국어",
  "widget": {
    "launcher": {
      "open": "채팅 열기",
      "close": "채팅 닫기",
      "openUnread": {
        "other": "채팅 열기, 읽지 않은 메시지 {count}개"
      },
      "label": "채팅",
      "cannotLoad": "여기에서는 채팅을 불러올 수 없습니다.",
      "openPage": "새 탭에서 열기"
    },
    "head": {
      "title": "{name}",
      "back": "뒤로",
      "close": "닫기",
      "menu": "더보기",
      "online": "상담 가능합니다",
      "answersIn": "보통 {duration} 이내에 답변합니다",
      "hours": "{day} {time}에 상담을 다시 시작합니다",
      "hoursToday": "{time}에 상담을 다시 시작합니다",
      "away": "지금은 상담원이 없습니다. 메시지를 남겨 주세요.",
      "sound": "소리",
      "soundOff": "소리 끔"
    },
    "start": {
      "greeting": "안녕하세요! 무엇을 도와드릴까요?",
      "begin": "메시지 쓰기",
      "earlier": "이전 대화",
      "new": "새 대화",
      "none": "아직 대화가 없습니다"
    },
    "consent": {
      "text": "시작하기 전에 {link}에서 개인정보 이용 방법을 확인해 주세요.",
      "link": "개인정보 처리방침",
      "agree": "동의합니다",
      "decline": "아니요, 괜찮습니다",
      "declined": "채팅이 닫힌 상태로 유지됩니다. 나중에 동의하실 수 있습니다."
    },
    "survey": {
      "intro": "먼저 몇 가지 질문에 답해 주세요",
      "required": "답변해 주세요.",
      "email": "이메일 주소",
      "emailWrong": "올바른 이메일 주소가 아닙니다.",
      "firstName": "이름",
      "lastName": "성",
      "start": "시작",
      "optional": "선택 사항"
    },
    "list": {
      "unread": {
        "other": "읽지 않은 메시지 {count}개"
      },
      "you": "나",
      "said": "{name}: {text}",
      "noMessages": "아직 메시지가 없습니다",
      "ended": "종료됨"
    },
    "messages": {
      "label": "메시지",
      "older": "이전 메시지 불러오기",
      "newer": "이후 메시지 불러오기",
      "news": {
        "other": "새 메시지 {count}개"
      },
      "today": "오늘",
      "yesterday": "어제",
      "day": "{date}",
      "arrived": "{name}: {text}",
      "typing": {
        "other": "{names} 님이 입력 중입니다"
      },
      "joined": "{name} 님이 상담을 시작합니다",
      "left": "{name} 님이 나갔습니다",
      "removed": "메시지가 삭제되었습니다",
      "edited": "수정됨",
      "unknown": "이 종류의 메시지는 여기에 표시할 수 없습니다.",
      "bot": "자동 응답",
      "link": "새 탭에서 열립니다"
    },
    "marks": {
      "sending": "보내는 중",
      "sent": "보냄",
      "delivered": "전달됨",
      "seen": "읽음",
      "failed": "전송 실패",
      "retry": "다시 시도",
      "discard": "버리기"
    },
    "composer": {
      "label": "메시지",
      "placeholder": "메시지를 입력하세요",
      "send": "보내기",
      "attach": "파일 첨부",
      "tooLong": "너무 깁니다. 최대 {limit}까지 가능합니다.",
      "ended": "이 대화는 종료되었습니다.",
      "reopenHint": "메시지를 보내면 대화가 이어집니다.",
      "waitingLimit": "메시지를 너무 많이 보냈습니다. {seconds}초 기다려 주세요."
    },
    "files": {
      "drop": "여기에 파일을 놓으세요",
      "uploading": "{name} 업로드 중",
      "cancel": "{name} 보내지 않기",
      "tooLarge": "{name} 파일이 너무 큽니다. 최대 {size}까지 가능합니다.",
      "wrongType": "{name} 파일은 여기에서 보낼 수 없습니다. 가능한 종류: {kinds}",
      "empty": "{name} 파일이 비어 있습니다.",
      "download": "{name} 다운로드, {size}",
      "picture": "사진 {name}",
      "failed": "파일을 보내지 못했습니다."
    },
    "queue": {
      "place": "대기 순번은 {count}번입니다.",
      "next": "다음 차례입니다.",
      "estimate": {
        "other": "약 {count}분"
      },
      "end": "채팅 종료",
      "endTitle": "이 채팅을 종료할까요?",
      "endHint": "새 채팅을 시작할 수 있습니다.",
      "ended": "채팅이 종료되었습니다.",
      "again": "새 채팅 시작"
    },
    "inactivity": {
      "question": "아직 계신가요?",
      "yes": "네",
      "no": "아니요, 채팅을 종료합니다"
    },
    "rating": {
      "title": "상담은 어떠셨나요?",
      "score": "5점 중 {count}점",
      "low": "나쁨",
      "high": "매우 좋음",
      "comment": "어떤 점을 개선하면 좋을까요? (선택 사항)",
      "send": "보내기",
      "thanks": "감사합니다!",
      "skip": "나중에",
      "change": "평가 변경"
    },
    "identity": {
      "expired": "계속하려면 이 페이지에서 다시 로그인해 주세요.",
      "invalid": "이 페이지의 로그인 정보를 확인할 수 없습니다.",
      "changed": "이제 다른 계정으로 로그인되어 있습니다."
    },
    "problems": {
      "offline": "연결이 끊어졌습니다. 다시 시도하는 중…",
      "back": "다시 연결되었습니다",
      "blocked": "브라우저에서 이 채팅의 저장을 허용하지 않습니다. 페이지를 떠나면 채팅이 종료됩니다.",
      "tooMany": "채팅을 너무 많이 시작했습니다. {minutes}분 후에 다시 시도해 주세요.",
      "proof": "확인 중입니다. 잠시만 기다려 주세요…",
      "gone": "이 대화는 더 이상 없습니다.",
      "wrong": "문제가 발생했습니다.",
      "reload": "새로고침"
    },
    "linkPage": {
      "title": "{name}과(와)의 대화",
      "open": "대화 열기",
      "gone": "이 링크는 더 이상 사용할 수 없습니다. 새 링크를 요청해 주세요.",
      "private": "다른 사람의 컴퓨터에서는 열지 마세요."
    },
    "menu": {
      "transcript": "대화 저장",
      "mail": "이메일로 보내기",
      "mailed": "{email} 주소로 보내는 중입니다.",
      "erase": "내 데이터 삭제",
      "eraseTitle": "모두 삭제할까요?",
      "eraseHint": "이곳의 모든 대화가 영구히 삭제됩니다.",
      "erased": "모두 삭제되었습니다.",
      "signOut": "이 기기에서 내 정보 지우기",
      "privacy": "개인정보"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "지금은 채팅에 연결할 수 없습니다.",
    "timeout": "지금은 채팅에 연결할 수 없습니다.",
    "notConnected": "지금은 채팅이 연결되어 있지 않습니다. 다시 시도해 주세요.",
    "serverError": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "internalError": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "storageFailed": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "storageUnavailable": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "storageFull": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "eventTimeout": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "shuttingDown": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "standby": "채팅에 기술적인 문제가 있습니다. 나중에 다시 시도해 주세요.",
    "tooManyRequests": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyStreams": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyFetches": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "shareExceeded": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyFailures": "실패한 시도가 너무 많습니다. 잠시 기다린 후 다시 시도해 주세요.",
    "tooManyWrites": "짧은 시간에 메시지를 너무 많이 보냈습니다. 잠시 기다려 주세요.",
    "tooManyMessages": "짧은 시간에 메시지를 너무 많이 보냈습니다. 잠시 기다려 주세요.",
    "tooManyUnsent": "아직 보내는 중인 항목이 너무 많습니다. 잠시 기다려 주세요.",
    "tooManyUploads": "아직 보내는 중인 항목이 너무 많습니다. 잠시 기다려 주세요.",
    "tooManyVisitors": "채팅을 너무 많이 시작했습니다. 나중에 다시 시도해 주세요.",
    "quotaExceeded": "메시지와 파일을 저장할 공간이 없습니다.",
    "textTooLong": "메시지가 너무 깁니다.",
    "bodyTooLarge": "너무 커서 보낼 수 없습니다.",
    "emptyFile": "파일이 비어 있습니다.",
    "invalidFileSize": "파일이 너무 큽니다.",
    "invalidFileType": "이 종류의 파일은 여기에서 보낼 수 없습니다.",
    "attachmentError": "파일을 보내지 못했습니다.",
    "unknownAttachment": "이 파일은 더 이상 없습니다.",
    "missingPreChatCustomFields": "필수 질문에 답변해 주세요.",
    "invalidValue": "입력한 내용 중 올바르지 않은 것이 있습니다.",
    "invalidData": "입력한 내용 중 올바르지 않은 것이 있습니다.",
    "illegalThreadState": "이 대화에서는 더 이상 할 수 없습니다.",
    "illegalChatState": "이 대화에서는 더 이상 할 수 없습니다.",
    "unsupportedChannelConfig": "이 채팅에서는 할 수 없습니다.",
    "unsupportedCapability": "이 채팅에서는 할 수 없습니다.",
    "unknownThread": "이 대화는 더 이상 없습니다.",
    "unknownMessage": "이 메시지는 더 이상 없습니다.",
    "unknownParent": "답글을 달려는 메시지가 더 이상 없습니다.",
    "replyNotAllowed": "이 메시지에는 답글을 달 수 없습니다.",
    "replyDepthExceeded": "이 메시지에는 답글을 달 수 없습니다.",
    "parentHasReplies": "답글이 있는 메시지는 삭제할 수 없습니다.",
    "notAuthor": "자신의 메시지만 변경할 수 있습니다.",
    "notJoined": "여기에 쓰려면 대화에 참여해 주세요.",
    "nameVouched": "이름은 여기에서 변경할 수 없습니다.",
    "preconditionFailed": "그사이 다른 사람이 변경했습니다. 다시 시도해 주세요.",
    "searchUnavailable": "지금은 검색을 사용할 수 없습니다.",
    "sendTranscriptFailed": "대화를 이메일로 보내지 못했습니다.",
    "forbidden": "이 작업을 할 수 있는 권한이 없습니다.",
    "notAllowed": "이 작업을 할 수 있는 권한이 없습니다.",
    "unauthorized": "채팅이 만료되었습니다. 새 채팅을 시작해 주세요.",
    "unknownSession": "채팅이 만료되었습니다. 새 채팅을 시작해 주세요.",
    "unknownChannel": "이 채팅은 이용할 수 없습니다.",
    "channelNotPublic": "이 채팅은 이용할 수 없습니다.",
    "originNotAllowed": "이 페이지에서는 이 채팅을 사용할 수 없습니다.",
    "identityRequired": "먼저 이 페이지에서 로그인해 주세요.",
    "identityExpired": "로그인이 만료되었습니다. 다시 로그인해 주세요.",
    "transactionTokenExpired": "로그인이 만료되었습니다. 다시 로그인해 주세요.",
    "invalidIdentity": "로그인 정보를 확인하지 못했습니다.",
    "customerAssociationFailure": "로그인 정보를 확인하지 못했습니다.",
    "otherIdentity": "이제 다른 계정으로 로그인되어 있습니다.",
    "consentRequired": "먼저 개인정보 처리방침에 동의해 주세요.",
    "proofRequired": "브라우저 확인에 실패했습니다. 다시 시도해 주세요.",
    "linkGone": "이 링크는 더 이상 사용할 수 없습니다. 새 링크를 요청해 주세요."
  }
};

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
      "closed": "지금은 상담원이 없습니다. 나중에 다시 시도해 주세요.",
      "sound": "소리",
      "soundOff": "소리 끔"
    },
    "start": {
      "greeting": "안녕하세요! 무엇을 도와드릴까요?",
      "begin": "메시지 쓰기",
      "earlier": "이전 대화",
      "new": "새 대화",
      "none": "아직 대화가 없습니다",
      "untitled": "대화"
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
      "start": "문의하려면 이 페이지에서 로그인해 주세요.",
      "expired": "계속하려면 이 페이지에서 다시 로그인해 주세요.",
      "invalid": "이 페이지의 로그인 정보를 확인할 수 없습니다.",
      "changed": "이제 다른 계정으로 로그인되어 있습니다."
    },
    "problems": {
      "offline": "연결이 끊어졌습니다. 다시 시도하는 중…",
      "back": "다시 연결되었습니다",
      "blocked": "브라우저에서 이 채팅의 저장을 허용하지 않습니다. 페이지를 떠나면 채팅이 종료됩니다.",
      "onlyTab": "브라우저가 이 채팅을 이 탭에서만 저장합니다. 탭을 닫으면 채팅이 종료됩니다.",
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
      "cancel": "취소",
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
  "pages": {
    "common": {
      "add": "추가",
      "back": "목록으로 돌아가기",
      "cancel": "취소",
      "close": "닫기",
      "continue": "계속",
      "conversation": "대화",
      "conversations": "대화 목록",
      "details": "세부 정보",
      "done": "완료",
      "failed": "작업을 완료하지 못했습니다.",
      "loading": "불러오는 중…",
      "name": "이름",
      "newConversation": "새 대화",
      "remove": "제거",
      "required": "* 필수",
      "save": "저장",
      "send": "보내기",
      "showMore": "더 보기",
      "wrong": "문제가 발생했습니다.",
      "you": "나"
    },
    "people": {
      "addYourName": "이름 입력",
      "agent": "상담원",
      "andMore": {
        "other": "{name} 외 {count}명"
      },
      "count": {
        "other": "{count}명"
      },
      "customer": "고객",
      "unnamed": "고객 {id}",
      "yourName": "이름"
    },
    "times": {
      "today": "오늘",
      "yesterday": "어제"
    },
    "signIn": {
      "choose": "비밀번호를 정해 주세요. 본인만 쓸 법한 문장이 좋습니다.",
      "count": "{minimum}자 중 {count}자",
      "email": "이메일 주소",
      "enough": {
        "other": "{count}자"
      },
      "enter": "로그인",
      "gone": "이 링크는 이미 사용되었거나 만료되었습니다. 새 링크를 받으려면 터미널에서 ‘parley open’을 실행하세요.",
      "invitationGone": "이 초대는 이미 사용되었거나 만료되었습니다. 관리자에게 새 초대를 요청하세요.",
      "noStorage": "이 브라우저는 페이지의 저장을 허용하지 않으므로 로그인 상태를 유지할 수 없습니다.",
      "orOpen": "게이트웨이 운영자는 터미널에서 링크를 엽니다:",
      "password": "비밀번호",
      "single": "통합 로그인으로 계속",
      "unreachable": "게이트웨이에 연결할 수 없습니다. 이 페이지를 새로고침하세요.",
      "wait": "잘못된 비밀번호를 너무 많이 입력했습니다. {duration} 후에 다시 시도하세요.",
      "weak": {
        "common": "많은 사람이 사용하는 비밀번호입니다. 다른 사람은 쓰지 않을 문장을 선택하세요.",
        "long": "비밀번호가 너무 깁니다.",
        "personal": "비밀번호의 대부분이 본인의 이름이나 주소입니다.",
        "repeated": "비밀번호에 같은 문자가 너무 많이 반복됩니다.",
        "short": "비밀번호가 너무 짧습니다."
      },
      "wrong": "이메일 주소 또는 비밀번호가 올바르지 않습니다.",
      "wrongPassword": "비밀번호가 올바르지 않습니다."
    },
    "page": {
      "away": "게이트웨이에 연결할 수 없습니다",
      "awayHint": "Parley가 실행 중인가요? 게이트웨이가 응답하면 이 페이지는 자동으로 계속됩니다.",
      "locked": "이 브라우저는 로그인되어 있지 않습니다",
      "lockedCommand": "parley open",
      "lockedHint": "Parley는 이 컴퓨터에서 실행됩니다. 게이트웨이의 링크로만 브라우저에 로그인할 수 있습니다. 터미널에서 링크를 여세요:",
      "lockedNote": "표시된 링크는 10분 안에 한 번만 사용할 수 있습니다. 그 후 이 페이지는 자동으로 계속됩니다. 셸에서 ‘parley’를 찾지 못하면 게이트웨이가 시작할 때 표시한 전체 명령을 사용하세요.",
      "noAnswer": "게이트웨이에 연결할 수 없습니다. 다시 시도하는 중…",
      "noLiveUpdates": "실시간 업데이트 없음: {why}",
      "notify": "알림 받기",
      "notifyForbidden": "브라우저에서 이 페이지의 알림을 허용하지 않습니다. 브라우저 설정에서 변경할 수 있습니다.",
      "off": "끔",
      "on": "켬",
      "reconnecting": "연결이 끊어졌습니다. 다시 연결하는 중…",
      "signOut": "로그아웃",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "실시간 채팅",
      "multithread": "여러 대화",
      "singlethread": "대화 하나"
    },
    "picker": {
      "choose": "시작할 채널을 선택하세요.",
      "continue": "계속",
      "heading": "무엇을 도와드릴까요?",
      "none": "아직 채널이 없습니다. 데스크에서 추가할 수 있습니다."
    },
    "demo": {
      "answer": "다른 창에서 {link}. 대화를 자신에게 배정하고 답변하세요. ‘Assign to nobody’를 누르면 봇에게 돌아갑니다. 그곳에서 Grace가 실시간 채팅 순서를 기다리고 있습니다.",
      "ask": "‘I would like to talk to a person’이라고 쓰면 봇이 채팅을 넘기고 응답을 멈춥니다.",
      "bot": "봇이 답변합니다",
      "curl": "curl로 똑같이 하기",
      "desk": "데스크를 여세요",
      "heading": "이 게이트웨이에서는 데모가 실행 중입니다",
      "token": "토큰은 데이터 폴더에 있으며, 폴더 이름은 게이트웨이가 표시했습니다.",
      "write": "‘Demo shop’을 선택하면 Ada가 되어 Ada의 대화를 볼 수 있습니다. ‘Where is my order?’라고 쓰고 답변의 버튼을 누르세요."
    },
    "list": {
      "filters": "누구의 대화",
      "invited": "초대됨",
      "noMessages": "아직 메시지가 없습니다",
      "said": "{who}: {what}",
      "unread": {
        "other": "읽지 않음 {count}개"
      },
      "waiting": "대기 중 · {position}",
      "which": "표시할 대화"
    },
    "search": {
      "conversations": "찾은 대화",
      "end": "검색 종료",
      "failed": "검색하지 못했습니다.",
      "found": "찾은 메시지",
      "label": "메시지와 제목 검색",
      "nothing": "검색 결과가 없습니다."
    },
    "conversation": {
      "gone": "더 이상 이 대화에 참여하고 있지 않습니다.",
      "messageGone": "메시지가 삭제되었습니다.",
      "parentGone": "메시지와 답글이 삭제되었습니다.",
      "typing": {
        "other": "{names} 님이 입력 중입니다"
      }
    },
    "messages": {
      "empty": "아직 메시지가 없습니다. 인사를 건네 보세요!",
      "label": "메시지",
      "newer": "이후 메시지 불러오기",
      "news": {
        "other": "새 메시지 {count}개"
      },
      "older": "이전 메시지 불러오기"
    },
    "replies": {
      "back": "대화로 돌아가기",
      "close": "스레드 닫기",
      "count": {
        "other": "답글 {count}개"
      },
      "countMore": {
        "other": "답글 {count}개 이상"
      },
      "empty": "아직 답글이 없습니다.",
      "first": "스레드에서 답글 쓰기",
      "further": "스레드에 답글 쓰기",
      "join": "답글을 쓰려면 대화에 참여하세요.",
      "label": "답글",
      "newer": "이후 답글 불러오기",
      "news": {
        "other": "새 답글 {count}개"
      },
      "older": "이전 답글 불러오기",
      "parent": "원본 메시지",
      "showParent": "‘{name}’에서 메시지 보기",
      "title": "스레드"
    },
    "message": {
      "attachment": "첨부 파일",
      "delete": "삭제",
      "deleteHint": "양쪽 모두에서 사라집니다.",
      "deleteTitle": "이 메시지를 삭제할까요?",
      "edit": "수정",
      "edited": "수정됨",
      "notShown": "이 종류의 메시지는 여기에 표시할 수 없습니다.",
      "quoted": "{who}: {what}",
      "removed": "메시지가 삭제되었습니다",
      "reply": "스레드에서 답글 쓰기",
      "resend": "다시 보내기",
      "unsent": "보내지 못했습니다."
    },
    "marks": {
      "delivered": "전달됨",
      "failed": "전송 실패",
      "pending": "보내는 중",
      "seen": "읽음",
      "sent": "보냄"
    },
    "composer": {
      "attach": "파일 첨부",
      "edit": "메시지 수정",
      "label": "메시지",
      "placeholder": "메시지를 입력하세요",
      "tooLong": "메시지가 너무 깁니다. 최대 64KiB까지 가능합니다."
    },
    "files": {
      "cancel": "{name} 보내지 않기",
      "empty": "‘{name}’ 파일이 비어 있습니다.",
      "kinds": {
        "image/*": "사진",
        "audio/*": "소리",
        "video/*": "동영상",
        "text/*": "텍스트",
        "text/plain": "일반 텍스트",
        "application/pdf": "PDF 파일"
      },
      "remove": "{name} 제거",
      "tooLarge": "‘{name}’ 파일이 너무 큽니다({size}). 최대 {most}까지 보낼 수 있습니다.",
      "tray": "보낼 파일",
      "uploading": "{name} 업로드 중",
      "wrongType": "‘{name}’ 파일은 여기에서 보낼 수 없습니다. 가능한 종류: {kinds}"
    },
    "invitation": {
      "decline": "거절",
      "join": "참여",
      "label": "초대",
      "text": "이 대화에 초대되었습니다. 여기에 쓰려면 참여하세요."
    },
    "live": {
      "estimate": {
        "other": "약 {count}분 남았습니다."
      },
      "next": "다음 차례입니다.",
      "place": "대기 순번은 {position}번입니다.",
      "restart": "새 채팅 시작"
    },
    "survey": {
      "answer": "답변해 주세요.",
      "start": "시작",
      "wrong": "올바른 답변이 아닙니다."
    },
    "details": {
      "members": "참여자",
      "removeMember": "{name} 내보내기",
      "youInvited": "나, 초대됨"
    },
    "chat": {
      "archive": "보관",
      "archived": "보관된 대화입니다.",
      "archiveHint": "‘보관함’에서 계속 읽을 수 있지만 더 이상 쓸 수는 없습니다.",
      "archiveTitle": "이 대화를 보관할까요?",
      "askName": "이름을 알려 주세요.",
      "begin": "메시지를 보내 주세요. 답변이 여기에 표시됩니다.",
      "choose": "대화를 선택하거나 새 대화를 시작하세요.",
      "clear": "기록 지우기",
      "clearHint": "지금까지의 모든 메시지가 내 화면에서 영구히 사라집니다. 다른 사람에게는 남아 있습니다.",
      "clearSubmit": "지우기",
      "clearTitle": "기록을 지울까요?",
      "email": "이메일 주소",
      "end": "이 채팅 종료",
      "ended": "이 채팅은 종료되었습니다.",
      "endHint": "언제든지 새 채팅을 시작할 수 있습니다.",
      "endSubmit": "종료",
      "endTitle": "이 채팅을 종료할까요?",
      "firstName": "이름",
      "hidden": "다음 메시지가 올 때까지 숨겼습니다.",
      "hide": "목록에서 숨기기",
      "lastName": "성",
      "leave": "대화 나가기",
      "leaveHint": "목록에서 사라지고 더 이상 이 대화의 메시지를 받지 않습니다.",
      "leaveMessage": "지금은 상담원이 없습니다. 메시지를 남겨 주세요.",
      "leaveSubmit": "나가기",
      "leaveTitle": "이 대화에서 나갈까요?",
      "listArchived": "보관함",
      "listHidden": "숨김",
      "listOpen": "진행 중",
      "mail": "대화를 이메일로 보내기",
      "mailed": "{email} 주소로 보내는 중입니다.",
      "noArchived": "보관된 대화가 없습니다.",
      "nobody": "지금은 상담원이 없습니다.",
      "noHidden": "숨긴 대화가 없습니다.",
      "noOpen": "아직 대화가 없습니다.",
      "noOpenMore": "진행 중인 대화가 없습니다. 이전 대화는 ‘보관함’에 있습니다.",
      "opensAt": "{time}에 상담을 다시 시작합니다",
      "opensOn": "{day} {time}에 상담을 다시 시작합니다",
      "rename": "이름 변경",
      "renameTitle": "대화 이름 변경",
      "signOut": "로그아웃",
      "signOutHint": "이 브라우저에서 이 채널의 대화 정보가 지워집니다.",
      "signOutTitle": "로그아웃할까요?",
      "start": "대화 시작",
      "stillNobody": "아직 상담원이 없습니다.",
      "switchChannel": "채널 변경",
      "tryAgain": "다시 시도",
      "unhide": "목록에 표시",
      "unknownChannel": "‘{id}’ 채널이 없습니다."
    },
    "notes": {
      "add": "상담원용 메모 쓰기",
      "by": "{name} 님의 메모",
      "hint": "상담원만 볼 수 있으며 고객에게는 보이지 않습니다.",
      "removeHint": "모든 상담원에게서 사라집니다.",
      "removeTitle": "이 메모를 삭제할까요?",
      "text": "메모"
    }
  },
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
    "maintenance": "채팅을 점검하고 있습니다. 나중에 다시 시도해 주세요.",
    "tooManyRequests": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyStreams": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyFetches": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "shareExceeded": "지금 채팅 이용자가 매우 많습니다. 잠시 후 다시 시도해 주세요.",
    "tooManyFailures": "실패한 시도가 너무 많습니다. 잠시 기다린 후 다시 시도해 주세요.",
    "tooManyWrites": "짧은 시간에 메시지를 너무 많이 보냈습니다. 잠시 기다려 주세요.",
    "tooManyMessages": "짧은 시간에 메시지를 너무 많이 보냈습니다. 잠시 기다려 주세요.",
    "tooManyUnsent": "아직 보내는 중인 항목이 너무 많습니다. 잠시 기다려 주세요.",
    "tooManyUploads": "아직 보내는 중인 항목이 너무 많습니다. 잠시 기다려 주세요.",
    "tooManyThreads": "열려 있는 대화가 너무 많습니다. 그중 하나에서 계속해 주세요.",
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
    "invalidParameter": "입력한 내용 중 올바르지 않은 것이 있습니다.",
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

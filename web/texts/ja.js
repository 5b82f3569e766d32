export default {
  "lang": "ja",
  "dir": "ltr",
  "name": "日本語",
  "widget": {
    "launcher": {
      "open": "チャットを開く",
      "close": "チャットを閉じる",
      "openUnread": {
        "other": "チャットを開く（未読メッセージ{count}件）"
      },
      "label": "チャット",
      "cannotLoad": "ここではチャットを読み込めません。",
      "openPage": "新しいタブで開く"
    },
    "head": {
      "title": "{name}",
      "back": "戻る",
      "close": "閉じる",
      "menu": "その他",
      "online": "対応中です",
      "answersIn": "通常{duration}以内に返信します",
      "hours": "{day} {time}に対応を再開します",
      "hoursToday": "{time}に対応を再開します",
      "away": "現在、担当者が不在です。メッセージをお残しください。",
      "sound": "サウンド",
      "soundOff": "サウンドオフ"
    },
    "start": {
      "greeting": "こんにちは。どのようなご用件でしょうか？",
      "begin": "メッセージを書く",
      "earlier": "過去の会話",
      "new": "新しい会話",
      "none": "会話はまだありません"
    },
    "consent": {
      "text": "ご利用の前に、お客様のデータの取り扱いについて{link}をご確認ください。",
      "link": "プライバシーに関するお知らせ",
      "agree": "同意する",
      "decline": "同意しない",
      "declined": "チャットは閉じたままです。後で同意することもできます。"
    },
    "survey": {
      "intro": "はじめに、いくつかお尋ねします",
      "required": "お答えください。",
      "email": "メールアドレス",
      "emailWrong": "メールアドレスの形式が正しくありません。",
      "firstName": "名",
      "lastName": "姓",
      "start": "開始",
      "optional": "任意"
    },
    "list": {
      "unread": {
        "other": "未読{count}件"
      },
      "you": "あなた",
      "said": "{name}: {text}",
      "noMessages": "メッセージはまだありません",
      "ended": "終了"
    },
    "messages": {
      "label": "メッセージ",
      "older": "以前のメッセージを読み込む",
      "newer": "新しいメッセージを読み込む",
      "news": {
        "other": "新着メッセージ{count}件"
      },
      "today": "今日",
      "yesterday": "昨日",
      "day": "{date}",
      "arrived": "{name}: {text}",
      "typing": {
        "other": "{names}が入力中です"
      },
      "joined": "{name}が担当いたします",
      "left": "{name}が退出しました",
      "removed": "メッセージは削除されました",
      "edited": "編集済み",
      "unknown": "この種類のメッセージはここでは表示できません。",
      "bot": "自動応答",
      "link": "新しいタブで開きます"
    },
    "marks": {
      "sending": "送信中",
      "sent": "送信済み",
      "delivered": "配信済み",
      "seen": "既読",
      "failed": "未送信",
      "retry": "再試行",
      "discard": "破棄"
    },
    "composer": {
      "label": "メッセージ",
      "placeholder": "メッセージを入力",
      "send": "送信",
      "attach": "ファイルを添付",
      "tooLong": "長すぎます（上限：{limit}）。",
      "ended": "この会話は終了しました。",
      "reopenHint": "メッセージを送ると再開できます。",
      "waitingLimit": "送信数が多くなっています。{seconds}秒お待ちください。"
    },
    "files": {
      "drop": "ここにファイルをドロップ",
      "uploading": "{name}をアップロード中",
      "cancel": "{name}の送信を取り消す",
      "tooLarge": "{name}は大きすぎます（上限：{size}）。",
      "wrongType": "{name}はここでは送信できません。送信できる種類：{kinds}",
      "empty": "{name}は空のファイルです。",
      "download": "{name}をダウンロード（{size}）",
      "picture": "画像 {name}",
      "failed": "ファイルを送信できませんでした。"
    },
    "queue": {
      "place": "お待ちの順番は{count}番目です。",
      "next": "次にご案内します。",
      "estimate": {
        "other": "約{count}分"
      },
      "end": "チャットを終了",
      "endTitle": "このチャットを終了しますか？",
      "endHint": "新しいチャットを始めることができます。",
      "ended": "チャットは終了しました。",
      "again": "新しいチャットを始める"
    },
    "inactivity": {
      "question": "まだご覧になっていますか？",
      "yes": "はい",
      "no": "いいえ、チャットを終了します"
    },
    "rating": {
      "title": "対応はいかがでしたか？",
      "score": "5段階中{count}",
      "low": "悪い",
      "high": "とても良い",
      "comment": "改善すべき点をお聞かせください（任意）",
      "send": "送信",
      "thanks": "ありがとうございました。",
      "skip": "今はしない",
      "change": "評価を変更"
    },
    "identity": {
      "expired": "続けるには、このページで再度ログインしてください。",
      "invalid": "このページのログイン情報を確認できませんでした。",
      "changed": "別のアカウントでログインしています。"
    },
    "problems": {
      "offline": "接続がありません。再接続しています…",
      "back": "再接続しました",
      "blocked": "ブラウザーの設定により、このチャットは情報を保存できません。ページを離れるとチャットは終了します。",
      "tooMany": "開始されたチャットが多すぎます。{minutes}分後にもう一度お試しください。",
      "proof": "確認しています。少々お待ちください…",
      "gone": "この会話は存在しません。",
      "wrong": "問題が発生しました。",
      "reload": "再読み込み"
    },
    "linkPage": {
      "title": "{name}との会話",
      "open": "会話を開く",
      "gone": "このリンクは無効です。新しいリンクをお求めください。",
      "private": "ほかの人のコンピューターでは開かないでください。"
    },
    "menu": {
      "transcript": "会話を保存",
      "mail": "メールで送信",
      "mailed": "{email}宛てに送信しています。",
      "erase": "自分のデータを削除",
      "eraseTitle": "すべて削除しますか？",
      "eraseHint": "ここにあるすべての会話が完全に削除されます。",
      "erased": "すべて削除しました。",
      "signOut": "この端末から自分の情報を消す",
      "privacy": "プライバシー"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "現在、チャットに接続できません。",
    "timeout": "現在、チャットに接続できません。",
    "notConnected": "現在、チャットは接続されていません。もう一度お試しください。",
    "serverError": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "internalError": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "storageFailed": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "storageUnavailable": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "storageFull": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "eventTimeout": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "shuttingDown": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "standby": "チャットに技術的な問題が発生しています。後でもう一度お試しください。",
    "tooManyRequests": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyStreams": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyFetches": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "shareExceeded": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyFailures": "失敗した回数が多すぎます。少し待ってからもう一度お試しください。",
    "tooManyWrites": "短時間に多くのメッセージが送信されました。少々お待ちください。",
    "tooManyMessages": "短時間に多くのメッセージが送信されました。少々お待ちください。",
    "tooManyUnsent": "送信中のものが多すぎます。少々お待ちください。",
    "tooManyUploads": "送信中のものが多すぎます。少々お待ちください。",
    "tooManyVisitors": "開始されたチャットが多すぎます。後でもう一度お試しください。",
    "quotaExceeded": "メッセージとファイルを保存する空きがありません。",
    "textTooLong": "このメッセージは長すぎます。",
    "bodyTooLarge": "大きすぎるため送信できません。",
    "emptyFile": "このファイルは空です。",
    "invalidFileSize": "このファイルは大きすぎます。",
    "invalidFileType": "この種類のファイルはここでは送信できません。",
    "attachmentError": "ファイルを送信できませんでした。",
    "unknownAttachment": "このファイルはもうありません。",
    "missingPreChatCustomFields": "必須の質問にお答えください。",
    "invalidValue": "入力内容に正しくないものがあります。",
    "invalidData": "入力内容に正しくないものがあります。",
    "illegalThreadState": "この会話では、この操作はもうできません。",
    "illegalChatState": "この会話では、この操作はもうできません。",
    "unsupportedChannelConfig": "このチャットでは、この操作はできません。",
    "unsupportedCapability": "このチャットでは、この操作はできません。",
    "unknownThread": "この会話はもう存在しません。",
    "unknownMessage": "このメッセージはもう存在しません。",
    "unknownParent": "返信先のメッセージはもう存在しません。",
    "replyNotAllowed": "このメッセージには返信できません。",
    "replyDepthExceeded": "このメッセージには返信できません。",
    "parentHasReplies": "返信のあるメッセージは削除できません。",
    "notAuthor": "変更できるのはご自身のメッセージだけです。",
    "notJoined": "ここに書き込むには、会話に参加してください。",
    "nameVouched": "お名前はここでは変更できません。",
    "preconditionFailed": "ほかの人が先に変更しました。もう一度お試しください。",
    "searchUnavailable": "現在、検索は利用できません。",
    "sendTranscriptFailed": "会話をメールで送信できませんでした。",
    "forbidden": "この操作は許可されていません。",
    "notAllowed": "この操作は許可されていません。",
    "unauthorized": "チャットの有効期限が切れました。新しいチャットを始めてください。",
    "unknownSession": "チャットの有効期限が切れました。新しいチャットを始めてください。",
    "unknownChannel": "このチャットは利用できません。",
    "channelNotPublic": "このチャットは利用できません。",
    "originNotAllowed": "このページではこのチャットを利用できません。",
    "identityRequired": "先にこのページでログインしてください。",
    "identityExpired": "ログインの有効期限が切れました。もう一度ログインしてください。",
    "transactionTokenExpired": "ログインの有効期限が切れました。もう一度ログインしてください。",
    "invalidIdentity": "ログイン情報を確認できませんでした。",
    "customerAssociationFailure": "ログイン情報を確認できませんでした。",
    "otherIdentity": "別のアカウントでログインしています。",
    "consentRequired": "先にプライバシーに関するお知らせに同意してください。",
    "proofRequired": "ブラウザーの確認に失敗しました。もう一度お試しください。",
    "linkGone": "このリンクは無効です。新しいリンクをお求めください。"
  }
};

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
      "closed": "現在、担当者が不在です。後でもう一度お試しください。",
      "sound": "サウンド",
      "soundOff": "サウンドオフ"
    },
    "start": {
      "greeting": "こんにちは。どのようなご用件でしょうか？",
      "begin": "メッセージを書く",
      "earlier": "過去の会話",
      "new": "新しい会話",
      "none": "会話はまだありません",
      "untitled": "会話"
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
      "start": "お問い合わせには、このページでログインしてください。",
      "expired": "続けるには、このページで再度ログインしてください。",
      "invalid": "このページのログイン情報を確認できませんでした。",
      "changed": "別のアカウントでログインしています。"
    },
    "problems": {
      "offline": "接続がありません。再接続しています…",
      "back": "再接続しました",
      "blocked": "ブラウザーの設定により、このチャットは情報を保存できません。ページを離れるとチャットは終了します。",
      "onlyTab": "このチャットはこのタブでのみ保存されます。タブを閉じるとチャットは終了します。",
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
      "cancel": "キャンセル",
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
  "pages": {
    "common": {
      "add": "追加",
      "back": "一覧に戻る",
      "cancel": "キャンセル",
      "close": "閉じる",
      "continue": "続ける",
      "conversation": "会話",
      "conversations": "会話の一覧",
      "details": "詳細",
      "done": "完了",
      "failed": "この操作に失敗しました。",
      "loading": "読み込み中…",
      "name": "名前",
      "newConversation": "新しい会話",
      "remove": "削除",
      "required": "* 必須",
      "save": "保存",
      "send": "送信",
      "showMore": "さらに表示",
      "wrong": "問題が発生しました。",
      "you": "あなた"
    },
    "people": {
      "addYourName": "お名前を入力",
      "agent": "担当者",
      "andMore": {
        "other": "{name}、ほか{count}名"
      },
      "count": {
        "other": "{count}名"
      },
      "customer": "お客様",
      "unnamed": "お客様 {id}",
      "yourName": "お名前"
    },
    "times": {
      "today": "今日",
      "yesterday": "昨日"
    },
    "signIn": {
      "choose": "パスワードを決めてください。あなただけが書くような文がおすすめです。",
      "count": "{minimum}文字中{count}文字",
      "email": "メールアドレス",
      "enough": {
        "other": "{count}文字"
      },
      "enter": "ログイン",
      "gone": "このリンクは使用済みか、有効期限が切れています。新しいリンクは、ターミナルで「parley open」を実行すると得られます。",
      "invitationGone": "この招待は使用済みか、有効期限が切れています。管理者に新しい招待を依頼してください。",
      "noStorage": "このブラウザーではページがデータを保存できないため、ログインを維持できません。",
      "orOpen": "ゲートウェイの運用者は、ターミナルからリンクを開きます：",
      "password": "パスワード",
      "single": "シングルサインオンで続ける",
      "unreachable": "ゲートウェイに接続できません。このページを再読み込みしてください。",
      "wait": "パスワードの誤りが多すぎます。{duration}後にもう一度お試しください。",
      "weak": {
        "common": "このパスワードは多くの人が使っています。ほかの誰も書かないような文にしてください。",
        "long": "このパスワードは長すぎます。",
        "personal": "このパスワードは、ほとんどがあなたの名前やアドレスです。",
        "repeated": "このパスワードは少ない文字の繰り返しです。",
        "short": "このパスワードは短すぎます。"
      },
      "wrong": "メールアドレスまたはパスワードが正しくありません。",
      "wrongPassword": "パスワードが正しくありません。"
    },
    "page": {
      "away": "ゲートウェイに接続できません",
      "awayHint": "Parleyは動作していますか？ゲートウェイが応答すると、このページは自動的に再開します。",
      "locked": "このブラウザーはログインしていません",
      "lockedCommand": "parley open",
      "lockedHint": "Parleyはこのコンピューターで動作しています。ブラウザーのログインには、ゲートウェイのリンクが必要です。ターミナルから開いてください：",
      "lockedNote": "表示されたリンクは10分以内に1回だけ使えます。その後、このページは自動的に再開します。シェルが「parley」を見つけられない場合は、ゲートウェイの起動時に表示されたコマンド全体を使ってください。",
      "noAnswer": "ゲートウェイに接続できません。再試行しています…",
      "noLiveUpdates": "リアルタイムで更新できません：{why}",
      "notify": "通知を受け取る",
      "notifyForbidden": "ブラウザーがこのページの通知を許可していません。ブラウザーの設定で変更できます。",
      "off": "オフ",
      "on": "オン",
      "reconnecting": "接続が切れました。再接続しています…",
      "signOut": "ログアウト",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "ライブチャット",
      "multithread": "複数の会話",
      "singlethread": "1つの会話"
    },
    "picker": {
      "choose": "チャンネルを選んで始めてください。",
      "continue": "続ける",
      "heading": "どのようなご用件でしょうか？",
      "none": "チャンネルはまだありません。デスクで追加できます。"
    },
    "demo": {
      "answer": "別のウィンドウで{link}。会話を自分に割り当てて返信してください。「Assign to nobody」を選ぶとボットに戻ります。そこではGraceがライブチャットの順番を待っています。",
      "ask": "「I would like to talk to a person」と書くと、ボットはチャットを引き継いで応答をやめます。",
      "bot": "ボットが応答します",
      "curl": "同じことをcurlで",
      "desk": "デスクを開いてください",
      "heading": "このゲートウェイではデモが動作しています",
      "token": "トークンはデータフォルダーにあります。フォルダー名はゲートウェイが表示しました。",
      "write": "「Demo shop」を選ぶと、あなたはAdaになり、その会話が表示されます。「Where is my order?」と書いて、返信のボタンを押してください。"
    },
    "list": {
      "filters": "誰の会話か",
      "invited": "招待",
      "noMessages": "メッセージはまだありません",
      "said": "{who}: {what}",
      "unread": {
        "other": "未読{count}件"
      },
      "waiting": "待機中 · {position}",
      "which": "表示する会話"
    },
    "search": {
      "conversations": "見つかった会話",
      "end": "検索を終了",
      "failed": "検索に失敗しました。",
      "found": "見つかったメッセージ",
      "label": "メッセージとタイトルを検索",
      "nothing": "何も見つかりませんでした。"
    },
    "conversation": {
      "gone": "この会話から外れました。",
      "messageGone": "メッセージは削除されました。",
      "parentGone": "メッセージとその返信は削除されました。",
      "typing": {
        "other": "{names}が入力中です"
      }
    },
    "messages": {
      "empty": "メッセージはまだありません。声をかけてみましょう。",
      "label": "メッセージ",
      "newer": "新しいメッセージを読み込む",
      "news": {
        "other": "新着メッセージ{count}件"
      },
      "older": "以前のメッセージを読み込む"
    },
    "replies": {
      "back": "会話に戻る",
      "close": "スレッドを閉じる",
      "count": {
        "other": "返信{count}件"
      },
      "countMore": {
        "other": "返信{count}件以上"
      },
      "empty": "返信はまだありません。",
      "first": "スレッドで返信",
      "further": "スレッドに返信",
      "join": "返信するには会話に参加してください。",
      "label": "返信",
      "newer": "新しい返信を読み込む",
      "news": {
        "other": "新しい返信{count}件"
      },
      "older": "以前の返信を読み込む",
      "parent": "元のメッセージ",
      "showParent": "「{name}」のメッセージを表示",
      "title": "スレッド"
    },
    "message": {
      "attachment": "添付ファイル",
      "delete": "削除",
      "deleteHint": "双方の画面から消えます。",
      "deleteTitle": "このメッセージを削除しますか？",
      "edit": "編集",
      "edited": "編集済み",
      "notShown": "この種類のメッセージはここでは表示できません。",
      "quoted": "{who}: {what}",
      "removed": "メッセージは削除されました",
      "reply": "スレッドで返信",
      "resend": "再送信",
      "unsent": "送信されていません。"
    },
    "marks": {
      "delivered": "配信済み",
      "failed": "未送信",
      "pending": "送信中",
      "seen": "既読",
      "sent": "送信済み"
    },
    "composer": {
      "attach": "ファイルを添付",
      "edit": "メッセージを編集",
      "label": "メッセージ",
      "placeholder": "メッセージを入力",
      "tooLong": "このメッセージは長すぎます。上限は64 KiBです。"
    },
    "files": {
      "cancel": "{name}の送信を取り消す",
      "empty": "「{name}」は空のファイルです。",
      "kinds": {
        "image/*": "画像",
        "audio/*": "音声",
        "video/*": "動画",
        "text/*": "テキスト",
        "text/plain": "プレーンテキスト",
        "application/pdf": "PDFファイル"
      },
      "remove": "{name}を削除",
      "tooLarge": "「{name}」は大きすぎます（{size}）。上限は{most}です。",
      "tray": "送信するファイル",
      "uploading": "{name}をアップロード中",
      "wrongType": "「{name}」はここでは送信できません。送信できる種類：{kinds}"
    },
    "invitation": {
      "decline": "辞退",
      "join": "参加",
      "label": "招待",
      "text": "この会話に招待されています。書き込むには参加してください。"
    },
    "live": {
      "estimate": {
        "other": "あと約{count}分です。"
      },
      "next": "次にご案内します。",
      "place": "お待ちの順番は{position}番目です。",
      "restart": "新しいチャットを始める"
    },
    "survey": {
      "answer": "お答えください。",
      "start": "開始",
      "wrong": "この回答は正しくありません。"
    },
    "details": {
      "members": "参加者",
      "removeMember": "{name}を外す",
      "youInvited": "あなた（招待中）"
    },
    "chat": {
      "archive": "アーカイブ",
      "archived": "この会話はアーカイブされています。",
      "archiveHint": "「アーカイブ」で引き続き読めますが、書き込みはできなくなります。",
      "archiveTitle": "この会話をアーカイブしますか？",
      "askName": "お名前をお聞かせください。",
      "begin": "メッセージをお送りください。返信はここに表示されます。",
      "choose": "会話を選ぶか、新しい会話を始めてください。",
      "clear": "履歴を消去",
      "clearHint": "これまでのメッセージは、あなたの画面から完全に消えます。ほかの人の画面には残ります。",
      "clearSubmit": "消去",
      "clearTitle": "履歴を消去しますか？",
      "email": "メールアドレス",
      "end": "このチャットを終了",
      "ended": "このチャットは終了しました。",
      "endHint": "いつでも新しいチャットを始められます。",
      "endSubmit": "終了",
      "endTitle": "このチャットを終了しますか？",
      "firstName": "名",
      "hidden": "次のメッセージまで非表示にしました。",
      "hide": "一覧で非表示にする",
      "lastName": "姓",
      "leave": "会話から退出",
      "leaveHint": "一覧から消え、この会話のメッセージは届かなくなります。",
      "leaveMessage": "現在、担当者が不在です。メッセージをお残しください。",
      "leaveSubmit": "退出",
      "leaveTitle": "この会話から退出しますか？",
      "listArchived": "アーカイブ",
      "listHidden": "非表示",
      "listOpen": "進行中",
      "mail": "会話をメールで送信",
      "mailed": "{email}宛てに送信しています。",
      "noArchived": "アーカイブされた会話はありません。",
      "nobody": "現在、担当者が不在です。",
      "noHidden": "非表示の会話はありません。",
      "noOpen": "会話はまだありません。",
      "noOpenMore": "進行中の会話はありません。以前の会話は「アーカイブ」にあります。",
      "opensAt": "{time}に対応を再開します",
      "opensOn": "{day} {time}に対応を再開します",
      "rename": "名前を変更",
      "renameTitle": "会話の名前を変更",
      "signOut": "ログアウト",
      "signOutHint": "このブラウザーから、このチャンネルの会話の情報が消えます。",
      "signOutTitle": "ログアウトしますか？",
      "start": "会話を始める",
      "stillNobody": "担当者はまだ不在です。",
      "switchChannel": "チャンネルを変更",
      "tryAgain": "再試行",
      "unhide": "一覧に表示する",
      "unknownChannel": "「{id}」というチャンネルはありません。"
    },
    "notes": {
      "add": "担当者用のメモを書く",
      "by": "{name}のメモ",
      "hint": "担当者だけに表示され、お客様には表示されません。",
      "removeHint": "すべての担当者の画面から消えます。",
      "removeTitle": "このメモを削除しますか？",
      "text": "メモ"
    }
  },
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
    "maintenance": "チャットは現在メンテナンス中です。後でもう一度お試しください。",
    "tooManyRequests": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyStreams": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyFetches": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "shareExceeded": "チャットが混み合っています。少し待ってからもう一度お試しください。",
    "tooManyFailures": "失敗した回数が多すぎます。少し待ってからもう一度お試しください。",
    "tooManyWrites": "短時間に多くのメッセージが送信されました。少々お待ちください。",
    "tooManyMessages": "短時間に多くのメッセージが送信されました。少々お待ちください。",
    "tooManyUnsent": "送信中のものが多すぎます。少々お待ちください。",
    "tooManyUploads": "送信中のものが多すぎます。少々お待ちください。",
    "tooManyThreads": "開いている会話が多すぎます。そのいずれかで続けてください。",
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
    "invalidParameter": "入力内容に正しくないものがあります。",
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

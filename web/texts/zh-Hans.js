export default {
  "lang": "zh-Hans",
  "dir": "ltr",
  "name": "简体中文",
  "widget": {
    "launcher": {
      "open": "打开聊天",
      "close": "关闭聊天",
      "openUnread": {
        "other": "打开聊天，{count} 条未读消息"
      },
      "label": "聊天",
      "cannotLoad": "无法在此加载聊天。",
      "openPage": "在新标签页中打开"
    },
    "head": {
      "title": "{name}",
      "back": "返回",
      "close": "关闭",
      "menu": "更多",
      "online": "我们在线",
      "answersIn": "我们通常在 {duration}内回复",
      "hours": "我们将于{day} {time} 恢复在线",
      "hoursToday": "我们将于 {time} 恢复在线",
      "away": "目前无人在线，请留言。",
      "sound": "声音",
      "soundOff": "声音已关闭"
    },
    "start": {
      "greeting": "您好！有什么可以帮您？",
      "begin": "写消息",
      "earlier": "以往对话",
      "new": "新对话",
      "none": "还没有对话"
    },
    "consent": {
      "text": "开始之前：{link}说明了我们如何使用您的数据。",
      "link": "我们的隐私声明",
      "agree": "我同意",
      "decline": "不，谢谢",
      "declined": "聊天将保持关闭。您可以稍后再同意。"
    },
    "survey": {
      "intro": "请先回答几个问题",
      "required": "请回答此问题。",
      "email": "电子邮箱",
      "emailWrong": "这不是有效的电子邮箱地址。",
      "firstName": "名字",
      "lastName": "姓氏",
      "start": "开始",
      "optional": "选填"
    },
    "list": {
      "unread": {
        "other": "{count} 条未读"
      },
      "you": "您",
      "said": "{name}：{text}",
      "noMessages": "还没有消息",
      "ended": "已结束"
    },
    "messages": {
      "label": "消息",
      "older": "加载更早的消息",
      "newer": "加载更新的消息",
      "news": {
        "other": "{count} 条新消息"
      },
      "today": "今天",
      "yesterday": "昨天",
      "day": "{date}",
      "arrived": "{name} 说：{text}",
      "typing": {
        "other": "{names} 正在输入"
      },
      "joined": "{name} 正在为您服务",
      "left": "{name} 已离开",
      "removed": "消息已删除",
      "edited": "已编辑",
      "unknown": "此类消息无法在此显示。",
      "bot": "自动回复",
      "link": "在新标签页中打开"
    },
    "marks": {
      "sending": "正在发送",
      "sent": "已发送",
      "delivered": "已送达",
      "seen": "已读",
      "failed": "未发送",
      "retry": "重试",
      "discard": "放弃"
    },
    "composer": {
      "label": "消息",
      "placeholder": "输入消息",
      "send": "发送",
      "attach": "添加文件",
      "tooLong": "内容过长：最多 {limit}。",
      "ended": "此对话已结束。",
      "reopenHint": "发送消息即可继续。",
      "waitingLimit": "您发送的消息过多，请等待 {seconds} 秒。"
    },
    "files": {
      "drop": "将文件拖放到此处",
      "uploading": "正在上传 {name}",
      "cancel": "不发送 {name}",
      "tooLarge": "{name} 过大：最大 {size}。",
      "wrongType": "无法在此发送 {name}。支持的类型：{kinds}。",
      "empty": "{name} 是空文件。",
      "download": "下载 {name}，{size}",
      "picture": "图片 {name}",
      "failed": "文件发送失败。"
    },
    "queue": {
      "place": "您排在第 {count} 位。",
      "next": "下一位就是您。",
      "estimate": {
        "other": "约 {count} 分钟"
      },
      "end": "结束聊天",
      "endTitle": "要结束此聊天吗？",
      "endHint": "您可以再开始一次新的聊天。",
      "ended": "聊天已结束。",
      "again": "开始新聊天"
    },
    "inactivity": {
      "question": "您还在吗？",
      "yes": "在",
      "no": "不在了，结束聊天"
    },
    "rating": {
      "title": "您对本次服务满意吗？",
      "score": "{count} 分（满分 5 分）",
      "low": "差",
      "high": "非常好",
      "comment": "您认为哪些地方可以改进？（选填）",
      "send": "提交",
      "thanks": "谢谢！",
      "skip": "暂不评价",
      "change": "修改评价"
    },
    "identity": {
      "expired": "请在此页面重新登录以继续。",
      "invalid": "此页面的登录信息在这里无效。",
      "changed": "您现在以另一个账号登录。"
    },
    "problems": {
      "offline": "没有连接，正在重试…",
      "back": "已重新连接",
      "blocked": "您的浏览器不允许此聊天保存任何内容。离开页面后聊天将结束。",
      "tooMany": "发起的聊天过多，请在 {minutes} 分钟后重试。",
      "proof": "请稍候，正在验证…",
      "gone": "此对话已不存在。",
      "wrong": "出错了。",
      "reload": "重新加载"
    },
    "linkPage": {
      "title": "您与 {name} 的对话",
      "open": "打开对话",
      "gone": "此链接已失效。请索取新的链接。",
      "private": "请勿在他人的电脑上打开。"
    },
    "menu": {
      "transcript": "保存对话",
      "mail": "通过电子邮件发送",
      "mailed": "正在发送至 {email}。",
      "erase": "删除我的数据",
      "eraseTitle": "要全部删除吗？",
      "eraseHint": "这里的所有对话将被永久删除。",
      "erased": "已全部删除。",
      "signOut": "在此设备上忘记我",
      "privacy": "隐私"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "目前无法连接到聊天。",
    "timeout": "目前无法连接到聊天。",
    "notConnected": "聊天目前未连接，请重试。",
    "serverError": "聊天出现技术问题，请稍后重试。",
    "internalError": "聊天出现技术问题，请稍后重试。",
    "storageFailed": "聊天出现技术问题，请稍后重试。",
    "storageUnavailable": "聊天出现技术问题，请稍后重试。",
    "storageFull": "聊天出现技术问题，请稍后重试。",
    "eventTimeout": "聊天出现技术问题，请稍后重试。",
    "shuttingDown": "聊天出现技术问题，请稍后重试。",
    "standby": "聊天出现技术问题，请稍后重试。",
    "tooManyRequests": "目前使用聊天的人很多，请稍后重试。",
    "tooManyStreams": "目前使用聊天的人很多，请稍后重试。",
    "tooManyFetches": "目前使用聊天的人很多，请稍后重试。",
    "shareExceeded": "目前使用聊天的人很多，请稍后重试。",
    "tooManyFailures": "失败次数过多，请稍等片刻再试。",
    "tooManyWrites": "您在短时间内发送的内容过多，请稍等片刻。",
    "tooManyMessages": "您在短时间内发送的内容过多，请稍等片刻。",
    "tooManyUnsent": "仍有过多内容正在发送，请稍等片刻。",
    "tooManyUploads": "仍有过多内容正在发送，请稍等片刻。",
    "tooManyVisitors": "发起的聊天过多，请稍后重试。",
    "quotaExceeded": "已没有空间保存您的消息和文件。",
    "textTooLong": "此消息过长。",
    "bodyTooLarge": "内容过大，无法发送。",
    "emptyFile": "此文件为空。",
    "invalidFileSize": "此文件过大。",
    "invalidFileType": "无法在此发送这种类型的文件。",
    "attachmentError": "文件发送失败。",
    "unknownAttachment": "此文件已不存在。",
    "missingPreChatCustomFields": "请回答必填问题。",
    "invalidValue": "您输入的内容有误。",
    "invalidData": "您输入的内容有误。",
    "illegalThreadState": "在此对话中已无法进行此操作。",
    "illegalChatState": "在此对话中已无法进行此操作。",
    "unsupportedChannelConfig": "在此聊天中无法进行此操作。",
    "unsupportedCapability": "在此聊天中无法进行此操作。",
    "unknownThread": "此对话已不存在。",
    "unknownMessage": "此消息已不存在。",
    "unknownParent": "您要回复的消息已不存在。",
    "replyNotAllowed": "您无法回复此消息。",
    "replyDepthExceeded": "您无法回复此消息。",
    "parentHasReplies": "无法删除已有回复的消息。",
    "notAuthor": "您只能更改自己的消息。",
    "notJoined": "请先加入对话再发送消息。",
    "nameVouched": "无法在此更改您的姓名。",
    "preconditionFailed": "其他人已在此期间进行了更改，请重试。",
    "searchUnavailable": "搜索目前不可用。",
    "sendTranscriptFailed": "无法通过电子邮件发送此对话。",
    "forbidden": "您无权执行此操作。",
    "notAllowed": "您无权执行此操作。",
    "unauthorized": "您的聊天已过期，请重新开始。",
    "unknownSession": "您的聊天已过期，请重新开始。",
    "unknownChannel": "此聊天不可用。",
    "channelNotPublic": "此聊天不可用。",
    "originNotAllowed": "此聊天不能在此页面上使用。",
    "identityRequired": "请先在此页面登录。",
    "identityExpired": "您的登录已过期，请重新登录。",
    "transactionTokenExpired": "您的登录已过期，请重新登录。",
    "invalidIdentity": "无法验证您的登录信息。",
    "customerAssociationFailure": "无法验证您的登录信息。",
    "otherIdentity": "您现在以另一个账号登录。",
    "consentRequired": "请先同意隐私声明。",
    "proofRequired": "浏览器验证失败，请重试。",
    "linkGone": "此链接已失效。请索取新的链接。"
  }
};

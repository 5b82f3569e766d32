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
      "closed": "目前无人在线，请稍后重试。",
      "sound": "声音",
      "soundOff": "声音已关闭"
    },
    "start": {
      "greeting": "您好！有什么可以帮您？",
      "begin": "写消息",
      "earlier": "以往对话",
      "new": "新对话",
      "none": "还没有对话",
      "untitled": "对话"
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
      "start": "请先在此页面登录，再给我们留言。",
      "expired": "请在此页面重新登录以继续。",
      "invalid": "此页面的登录信息在这里无效。",
      "changed": "您现在以另一个账号登录。"
    },
    "problems": {
      "offline": "没有连接，正在重试…",
      "back": "已重新连接",
      "blocked": "您的浏览器不允许此聊天保存任何内容。离开页面后聊天将结束。",
      "onlyTab": "您的浏览器仅在此标签页中保留此聊天。关闭标签页后聊天将结束。",
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
      "cancel": "取消",
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
  "pages": {
    "common": {
      "add": "添加",
      "back": "返回列表",
      "cancel": "取消",
      "close": "关闭",
      "continue": "继续",
      "conversation": "对话",
      "conversations": "对话列表",
      "details": "详细信息",
      "done": "完成",
      "failed": "此操作失败。",
      "loading": "正在加载…",
      "name": "名称",
      "newConversation": "新对话",
      "remove": "移除",
      "required": "* 必填",
      "save": "保存",
      "send": "发送",
      "showMore": "显示更多",
      "wrong": "出错了。",
      "you": "您"
    },
    "people": {
      "addYourName": "填写您的姓名",
      "agent": "客服",
      "andMore": {
        "other": "{name} 和另外 {count} 人"
      },
      "count": {
        "other": "{count} 人"
      },
      "customer": "客户",
      "unnamed": "客户 {id}",
      "yourName": "您的姓名"
    },
    "times": {
      "today": "今天",
      "yesterday": "昨天"
    },
    "signIn": {
      "choose": "请设置密码。最好是一句只有您才会写的话。",
      "count": "{count}/{minimum} 个字符",
      "email": "电子邮箱",
      "enough": {
        "other": "{count} 个字符"
      },
      "enter": "登录",
      "gone": "此链接已使用或已过期。如需新的链接，请在终端中运行“parley open”。",
      "invitationGone": "此邀请已使用或已过期。请向管理员索取新的邀请。",
      "noStorage": "此浏览器不允许页面保存任何内容，因此无法保持登录。",
      "orOpen": "网关的运行者可从终端打开链接：",
      "password": "密码",
      "single": "使用单点登录继续",
      "unreachable": "无法连接到网关。请重新加载此页面。",
      "wait": "密码错误次数过多。请在 {duration}后重试。",
      "weak": {
        "common": "很多人使用此密码。请选择一句别人不会写的话。",
        "long": "此密码过长。",
        "personal": "此密码主要是您自己的姓名或地址。",
        "repeated": "此密码只重复少数几个字符。",
        "short": "此密码过短。"
      },
      "wrong": "电子邮箱或密码错误。",
      "wrongPassword": "密码错误。"
    },
    "page": {
      "away": "无法连接到网关",
      "awayHint": "Parley 是否正在运行？网关响应后，此页面会自动继续。",
      "locked": "此浏览器尚未登录",
      "lockedCommand": "parley open",
      "lockedHint": "Parley 在这台电脑上运行。只有网关的链接才能让浏览器登录。请从终端打开一个：",
      "lockedNote": "显示的链接在十分钟内可使用一次，之后此页面会自动继续。如果命令行找不到“parley”：网关启动时已显示完整的命令。",
      "noAnswer": "无法连接到网关，正在重试…",
      "noLiveUpdates": "没有实时更新：{why}",
      "notify": "通知我",
      "notifyForbidden": "浏览器不允许此页面发送通知。您可以在浏览器设置中更改。",
      "off": "关",
      "on": "开",
      "reconnecting": "连接已断开，正在重新连接…",
      "signOut": "退出登录",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "实时聊天",
      "multithread": "多个对话",
      "singlethread": "单个对话"
    },
    "picker": {
      "choose": "请选择一个渠道开始。",
      "continue": "继续",
      "heading": "有什么可以帮您？",
      "none": "还没有渠道。可以在客服台添加。"
    },
    "demo": {
      "answer": "在另一个窗口中{link}。将对话分配给自己并回复；“Assign to nobody”会把它交还给机器人。Grace 正在那里排队等候实时聊天。",
      "ask": "输入“I would like to talk to a person”：机器人会转接聊天，不再回复。",
      "bot": "由机器人回复",
      "curl": "用 curl 做同样的事",
      "desk": "打开客服台",
      "heading": "此网关正在运行演示",
      "token": "令牌位于数据文件夹中，网关已显示该文件夹的名称。",
      "write": "选择“Demo shop”：您就是 Ada，可以看到她的对话。输入“Where is my order?”，然后按回复中的一个按钮。"
    },
    "list": {
      "filters": "谁的对话",
      "invited": "已邀请",
      "noMessages": "还没有消息",
      "said": "{who}：{what}",
      "unread": {
        "other": "{count} 条未读"
      },
      "waiting": "等待中 · {position}",
      "which": "显示哪些对话"
    },
    "search": {
      "conversations": "找到的对话",
      "end": "结束搜索",
      "failed": "搜索失败。",
      "found": "找到的消息",
      "label": "搜索消息和标题",
      "nothing": "没有找到任何内容。"
    },
    "conversation": {
      "gone": "您已不在此对话中。",
      "messageGone": "消息已删除。",
      "parentGone": "消息及其回复已删除。",
      "typing": {
        "other": "{names} 正在输入"
      }
    },
    "messages": {
      "empty": "还没有消息。打个招呼吧！",
      "label": "消息",
      "newer": "加载更新的消息",
      "news": {
        "other": "{count} 条新消息"
      },
      "older": "加载更早的消息"
    },
    "replies": {
      "back": "返回对话",
      "close": "关闭回复",
      "count": {
        "other": "{count} 条回复"
      },
      "countMore": {
        "other": "{count}+ 条回复"
      },
      "empty": "还没有回复。",
      "first": "回复此消息",
      "further": "继续回复",
      "join": "请先加入对话再回复。",
      "label": "回复",
      "newer": "加载更新的回复",
      "news": {
        "other": "{count} 条新回复"
      },
      "older": "加载更早的回复",
      "parent": "原消息",
      "showParent": "在“{name}”中显示此消息",
      "title": "回复"
    },
    "message": {
      "attachment": "附件",
      "delete": "删除",
      "deleteHint": "消息将在双方的页面上消失。",
      "deleteTitle": "要删除此消息吗？",
      "edit": "编辑",
      "edited": "已编辑",
      "notShown": "此类消息无法在此显示。",
      "quoted": "{who}：{what}",
      "removed": "消息已删除",
      "reply": "回复此消息",
      "resend": "重新发送",
      "unsent": "未发送。"
    },
    "marks": {
      "delivered": "已送达",
      "failed": "未发送",
      "pending": "正在发送",
      "seen": "已读",
      "sent": "已发送"
    },
    "composer": {
      "attach": "添加文件",
      "edit": "编辑消息",
      "label": "消息",
      "placeholder": "输入消息",
      "tooLong": "此消息过长：最多 64 KiB。"
    },
    "files": {
      "cancel": "不发送 {name}",
      "empty": "“{name}”是空文件。",
      "kinds": {
        "image/*": "图片",
        "audio/*": "音频",
        "video/*": "视频",
        "text/*": "文本",
        "text/plain": "纯文本",
        "application/pdf": "PDF 文件"
      },
      "remove": "移除 {name}",
      "tooLarge": "“{name}”过大：{size}。最大为 {most}。",
      "tray": "待发送的文件",
      "uploading": "正在上传 {name}",
      "wrongType": "无法在此发送“{name}”。支持的类型：{kinds}。"
    },
    "invitation": {
      "decline": "拒绝",
      "join": "加入",
      "label": "邀请",
      "text": "您被邀请参加此对话。加入后即可发送消息。"
    },
    "live": {
      "estimate": {
        "other": "大约还需 {count} 分钟。"
      },
      "next": "下一位就是您。",
      "place": "您排在第 {position} 位。",
      "restart": "开始新聊天"
    },
    "survey": {
      "answer": "请回答此问题。",
      "start": "开始",
      "wrong": "此回答无效。"
    },
    "details": {
      "members": "成员",
      "removeMember": "移除 {name}",
      "youInvited": "您（已邀请）"
    },
    "chat": {
      "archive": "归档",
      "archived": "此对话已归档。",
      "archiveHint": "您仍可在“已归档”中阅读，但无法再发送消息。",
      "archiveTitle": "要归档此对话吗？",
      "askName": "请问您怎么称呼？",
      "begin": "给我们留言：回复将显示在这里。",
      "choose": "选择一个对话，或开始新的对话。",
      "clear": "清空记录",
      "clearHint": "目前为止的所有消息将从您的页面永久消失，其他人仍会保留。",
      "clearSubmit": "清空",
      "clearTitle": "要清空记录吗？",
      "email": "电子邮箱",
      "end": "结束此聊天",
      "ended": "此聊天已结束。",
      "endHint": "您可以随时开始新的聊天。",
      "endSubmit": "结束",
      "endTitle": "要结束此聊天吗？",
      "firstName": "名字",
      "hidden": "在下一条消息之前隐藏。",
      "hide": "从列表中隐藏",
      "lastName": "姓氏",
      "leave": "退出对话",
      "leaveHint": "对话将从您的列表中消失，您也不会再收到其中的消息。",
      "leaveMessage": "目前无人在线，请留言。",
      "leaveSubmit": "退出",
      "leaveTitle": "要退出此对话吗？",
      "listArchived": "已归档",
      "listHidden": "已隐藏",
      "listOpen": "当前",
      "mail": "通过电子邮件发送对话",
      "mailed": "正在发送至 {email}。",
      "noArchived": "没有已归档的对话。",
      "nobody": "目前无人在线。",
      "noHidden": "没有隐藏的对话。",
      "noOpen": "还没有对话。",
      "noOpenMore": "没有进行中的对话。以往的对话在“已归档”中。",
      "opensAt": "我们将于 {time} 恢复在线",
      "opensOn": "我们将于{day} {time} 恢复在线",
      "rename": "重命名",
      "renameTitle": "重命名对话",
      "signOut": "退出登录",
      "signOutHint": "此浏览器将忘记此渠道上的对话。",
      "signOutTitle": "要退出登录吗？",
      "start": "开始对话",
      "stillNobody": "仍然无人在线。",
      "switchChannel": "更换渠道",
      "tryAgain": "重试",
      "unhide": "在列表中显示",
      "unknownChannel": "没有名为“{id}”的渠道。"
    },
    "notes": {
      "add": "给客服写备注",
      "by": "{name} 的备注",
      "hint": "只有客服能看到，客户永远看不到。",
      "removeHint": "所有客服都将看不到它。",
      "removeTitle": "要删除此备注吗？",
      "text": "备注"
    }
  },
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
    "maintenance": "聊天正在维护，请稍后重试。",
    "tooManyRequests": "目前使用聊天的人很多，请稍后重试。",
    "tooManyStreams": "目前使用聊天的人很多，请稍后重试。",
    "tooManyFetches": "目前使用聊天的人很多，请稍后重试。",
    "shareExceeded": "目前使用聊天的人很多，请稍后重试。",
    "tooManyFailures": "失败次数过多，请稍等片刻再试。",
    "tooManyWrites": "您在短时间内发送的内容过多，请稍等片刻。",
    "tooManyMessages": "您在短时间内发送的内容过多，请稍等片刻。",
    "tooManyUnsent": "仍有过多内容正在发送，请稍等片刻。",
    "tooManyUploads": "仍有过多内容正在发送，请稍等片刻。",
    "tooManyThreads": "打开的对话过多，请在其中一个对话中继续。",
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
    "invalidParameter": "您输入的内容有误。",
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

export default {
  "lang": "tr",
  "dir": "ltr",
  "name": "Türkçe",
  "widget": {
    "launcher": {
      "open": "Sohbeti aç",
      "close": "Sohbeti kapat",
      "openUnread": {
        "one": "Sohbeti aç, {count} okunmamış mesaj",
        "other": "Sohbeti aç, {count} okunmamış mesaj"
      },
      "label": "Sohbet",
      "cannotLoad": "Sohbet burada yüklenemiyor.",
      "openPage": "Yeni sekmede aç"
    },
    "head": {
      "title": "{name}",
      "back": "Geri",
      "close": "Kapat",
      "menu": "Diğer",
      "online": "Buradayız",
      "answersIn": "Genellikle {duration} içinde yanıtlıyoruz",
      "hours": "Yeniden buradayız: {day}, {time}",
      "hoursToday": "Yeniden buradayız: {time}",
      "away": "Şu anda kimse yok. Bir mesaj bırakın.",
      "sound": "Ses",
      "soundOff": "Ses kapalı"
    },
    "start": {
      "greeting": "Merhaba! Nasıl yardımcı olabiliriz?",
      "begin": "Mesaj yazın",
      "earlier": "Önceki görüşmeler",
      "new": "Yeni görüşme",
      "none": "Henüz görüşme yok"
    },
    "consent": {
      "text": "Yazmadan önce: {link}, verilerinizi nasıl kullandığımızı açıklar.",
      "link": "gizlilik bildirimimiz",
      "agree": "Kabul ediyorum",
      "decline": "Hayır, teşekkürler",
      "declined": "Sohbet kapalı kalır. Daha sonra kabul edebilirsiniz."
    },
    "survey": {
      "intro": "Önce birkaç soru",
      "required": "Lütfen yanıtlayın.",
      "email": "E-posta adresi",
      "emailWrong": "Bu geçerli bir e-posta adresi değil.",
      "firstName": "Ad",
      "lastName": "Soyad",
      "start": "Başla",
      "optional": "isteğe bağlı"
    },
    "list": {
      "unread": {
        "one": "{count} okunmamış mesaj",
        "other": "{count} okunmamış mesaj"
      },
      "you": "Siz",
      "said": "{name}: {text}",
      "noMessages": "Henüz mesaj yok",
      "ended": "Sona erdi"
    },
    "messages": {
      "label": "Mesajlar",
      "older": "Daha eski mesajları yükle",
      "newer": "Daha yeni mesajları yükle",
      "news": {
        "one": "{count} yeni mesaj",
        "other": "{count} yeni mesaj"
      },
      "today": "Bugün",
      "yesterday": "Dün",
      "day": "{date}",
      "arrived": "{name} diyor ki: {text}",
      "typing": {
        "one": "{names} yazıyor",
        "other": "{names} yazıyor"
      },
      "joined": "{name} artık sizinle",
      "left": "{name} görüşmeden ayrıldı",
      "removed": "Mesaj kaldırıldı",
      "edited": "düzenlendi",
      "unknown": "Bu tür mesajlar burada gösterilemiyor.",
      "bot": "Otomatik yanıt",
      "link": "Yeni sekmede açılır"
    },
    "marks": {
      "sending": "Gönderiliyor",
      "sent": "Gönderildi",
      "delivered": "İletildi",
      "seen": "Görüldü",
      "failed": "Gönderilmedi",
      "retry": "Tekrar dene",
      "discard": "Vazgeç"
    },
    "composer": {
      "label": "Mesaj",
      "placeholder": "Mesaj yazın",
      "send": "Gönder",
      "attach": "Dosya ekle",
      "tooLong": "Çok uzun: en fazla {limit}.",
      "ended": "Bu görüşme sona erdi.",
      "reopenHint": "Devam etmek için yazın.",
      "waitingLimit": "Çok fazla mesaj yazdınız. Lütfen {seconds} sn bekleyin."
    },
    "files": {
      "drop": "Dosyaları buraya bırakın",
      "uploading": "{name} yükleniyor",
      "cancel": "{name} gönderilmesin",
      "tooLarge": "{name} çok büyük: en fazla {size}.",
      "wrongType": "{name} burada gönderilemez. Gönderilebilenler: {kinds}.",
      "empty": "{name} boş.",
      "download": "{name} dosyasını indir, {size}",
      "picture": "Resim: {name}",
      "failed": "Dosya gönderilemedi."
    },
    "queue": {
      "place": "Sıra numaranız {count}.",
      "next": "Sıradaki kişi sizsiniz.",
      "estimate": {
        "one": "Yaklaşık {count} dakika",
        "other": "Yaklaşık {count} dakika"
      },
      "end": "Sohbeti bitir",
      "endTitle": "Bu sohbet bitirilsin mi?",
      "endHint": "Yeni bir sohbet başlatabilirsiniz.",
      "ended": "Sohbet sona erdi.",
      "again": "Yeni sohbet başlat"
    },
    "inactivity": {
      "question": "Hâlâ orada mısınız?",
      "yes": "Evet",
      "no": "Hayır, sohbeti bitir"
    },
    "rating": {
      "title": "Nasıldı?",
      "score": "5 üzerinden {count}",
      "low": "kötü",
      "high": "çok iyi",
      "comment": "Neyi daha iyi yapabiliriz? (isteğe bağlı)",
      "send": "Gönder",
      "thanks": "Teşekkürler!",
      "skip": "Şimdi değil",
      "change": "Değerlendirmenizi değiştirin"
    },
    "identity": {
      "expired": "Devam etmek için lütfen bu sayfada yeniden oturum açın.",
      "invalid": "Bu sayfanın oturumu burada geçerli olmadı.",
      "changed": "Artık başka bir hesapla oturum açtınız."
    },
    "problems": {
      "offline": "Bağlantı yok. Yeniden deneniyor…",
      "back": "Yeniden bağlandı",
      "blocked": "Tarayıcınız bu sohbetin bir şey saklamasına izin vermiyor. Sayfadan ayrıldığınızda sohbet sona erer.",
      "tooMany": "Çok fazla sohbet başlatıldı. Lütfen {minutes} dk sonra tekrar deneyin.",
      "proof": "Bir dakika, kontrol ediliyor…",
      "gone": "Bu görüşme artık yok.",
      "wrong": "Bir sorun oluştu.",
      "reload": "Yeniden yükle"
    },
    "linkPage": {
      "title": "{name} ile görüşmeniz",
      "open": "Görüşmeyi aç",
      "gone": "Bu bağlantı artık çalışmıyor. Yenisini isteyin.",
      "private": "Bunu başkasının bilgisayarında yapmayın."
    },
    "menu": {
      "transcript": "Görüşmeyi kaydet",
      "mail": "E-posta ile gönder",
      "mailed": "{email} adresine gönderiliyor.",
      "erase": "Verilerimi sil",
      "eraseTitle": "Her şey silinsin mi?",
      "eraseHint": "Buradaki tüm görüşmeler kalıcı olarak silinir.",
      "erased": "Her şey silindi.",
      "signOut": "Beni bu cihazda unut",
      "privacy": "Gizlilik"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "Sohbete şu anda ulaşılamıyor.",
    "timeout": "Sohbete şu anda ulaşılamıyor.",
    "notConnected": "Sohbet şu anda bağlı değil. Lütfen tekrar deneyin.",
    "serverError": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "internalError": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "storageFailed": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "storageUnavailable": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "storageFull": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "eventTimeout": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "shuttingDown": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "standby": "Sohbette teknik bir sorun var. Lütfen daha sonra tekrar deneyin.",
    "tooManyRequests": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyStreams": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyFetches": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "shareExceeded": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyFailures": "Çok fazla deneme başarısız oldu. Lütfen biraz bekleyip tekrar deneyin.",
    "tooManyWrites": "Kısa sürede çok fazla mesaj yazdınız. Lütfen biraz bekleyin.",
    "tooManyMessages": "Kısa sürede çok fazla mesaj yazdınız. Lütfen biraz bekleyin.",
    "tooManyUnsent": "Henüz gönderilmekte olan çok fazla öğe var. Lütfen biraz bekleyin.",
    "tooManyUploads": "Henüz gönderilmekte olan çok fazla öğe var. Lütfen biraz bekleyin.",
    "tooManyVisitors": "Çok fazla sohbet başlatıldı. Lütfen daha sonra tekrar deneyin.",
    "quotaExceeded": "Mesajlarınız ve dosyalarınız için yer kalmadı.",
    "textTooLong": "Bu mesaj çok uzun.",
    "bodyTooLarge": "Bu, gönderilemeyecek kadar büyük.",
    "emptyFile": "Bu dosya boş.",
    "invalidFileSize": "Bu dosya çok büyük.",
    "invalidFileType": "Bu türdeki dosyalar burada gönderilemez.",
    "attachmentError": "Dosya gönderilemedi.",
    "unknownAttachment": "Bu dosya artık yok.",
    "missingPreChatCustomFields": "Lütfen zorunlu soruları yanıtlayın.",
    "invalidValue": "Girdiğiniz bilgilerden biri geçerli değil.",
    "invalidData": "Girdiğiniz bilgilerden biri geçerli değil.",
    "illegalThreadState": "Bu görüşmede bu artık mümkün değil.",
    "illegalChatState": "Bu görüşmede bu artık mümkün değil.",
    "unsupportedChannelConfig": "Bu sohbette bu mümkün değil.",
    "unsupportedCapability": "Bu sohbette bu mümkün değil.",
    "unknownThread": "Bu görüşme artık yok.",
    "unknownMessage": "Bu mesaj artık yok.",
    "unknownParent": "Yanıtladığınız mesaj artık yok.",
    "replyNotAllowed": "Bu mesajı yanıtlayamazsınız.",
    "replyDepthExceeded": "Bu mesajı yanıtlayamazsınız.",
    "parentHasReplies": "Yanıtı olan bir mesaj silinemez.",
    "notAuthor": "Yalnızca kendi mesajlarınızı değiştirebilirsiniz.",
    "notJoined": "Buraya yazmak için görüşmeye katılın.",
    "nameVouched": "Adınız burada değiştirilemez.",
    "preconditionFailed": "Bu arada başka biri değişiklik yaptı. Lütfen tekrar deneyin.",
    "searchUnavailable": "Arama şu anda kullanılamıyor.",
    "sendTranscriptFailed": "Görüşme e-posta ile gönderilemedi.",
    "forbidden": "Bunu yapma izniniz yok.",
    "notAllowed": "Bunu yapma izniniz yok.",
    "unauthorized": "Sohbetinizin süresi doldu. Lütfen yeni bir sohbet başlatın.",
    "unknownSession": "Sohbetinizin süresi doldu. Lütfen yeni bir sohbet başlatın.",
    "unknownChannel": "Bu sohbet kullanılamıyor.",
    "channelNotPublic": "Bu sohbet kullanılamıyor.",
    "originNotAllowed": "Bu sohbet bu sayfada kullanılamaz.",
    "identityRequired": "Lütfen önce bu sayfada oturum açın.",
    "identityExpired": "Oturumunuzun süresi doldu. Lütfen yeniden oturum açın.",
    "transactionTokenExpired": "Oturumunuzun süresi doldu. Lütfen yeniden oturum açın.",
    "invalidIdentity": "Oturumunuz doğrulanamadı.",
    "customerAssociationFailure": "Oturumunuz doğrulanamadı.",
    "otherIdentity": "Artık başka bir hesapla oturum açtınız.",
    "consentRequired": "Lütfen önce gizlilik bildirimini kabul edin.",
    "proofRequired": "Tarayıcınızın denetimi başarısız oldu. Lütfen tekrar deneyin.",
    "linkGone": "Bu bağlantı artık çalışmıyor. Yenisini isteyin."
  }
};

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
      "closed": "Şu anda kimse yok. Lütfen daha sonra tekrar deneyin.",
      "sound": "Ses",
      "soundOff": "Ses kapalı"
    },
    "start": {
      "greeting": "Merhaba! Nasıl yardımcı olabiliriz?",
      "begin": "Mesaj yazın",
      "earlier": "Önceki görüşmeler",
      "new": "Yeni görüşme",
      "none": "Henüz görüşme yok",
      "untitled": "Görüşme"
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
      "start": "Bize yazmak için lütfen bu sayfada oturum açın.",
      "expired": "Devam etmek için lütfen bu sayfada yeniden oturum açın.",
      "invalid": "Bu sayfanın oturumu burada geçerli olmadı.",
      "changed": "Artık başka bir hesapla oturum açtınız."
    },
    "problems": {
      "offline": "Bağlantı yok. Yeniden deneniyor…",
      "back": "Yeniden bağlandı",
      "blocked": "Tarayıcınız bu sohbetin bir şey saklamasına izin vermiyor. Sayfadan ayrıldığınızda sohbet sona erer.",
      "onlyTab": "Tarayıcınız bu sohbeti yalnızca bu sekme için saklıyor. Sekmeyi kapattığınızda sohbet sona erer.",
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
      "cancel": "Vazgeç",
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
  "pages": {
    "common": {
      "add": "Ekle",
      "back": "Listeye dön",
      "cancel": "Vazgeç",
      "close": "Kapat",
      "continue": "Devam",
      "conversation": "Görüşme",
      "conversations": "Görüşmeler",
      "details": "Ayrıntılar",
      "done": "Bitti",
      "failed": "Bu işlem başarısız oldu.",
      "loading": "Yükleniyor…",
      "name": "Ad",
      "newConversation": "Yeni görüşme",
      "remove": "Kaldır",
      "required": "* gerekli",
      "save": "Kaydet",
      "send": "Gönder",
      "showMore": "Daha fazla göster",
      "wrong": "Bir sorun oluştu.",
      "you": "Siz"
    },
    "people": {
      "addYourName": "Adınızı ekleyin",
      "agent": "Temsilci",
      "andMore": {
        "one": "{name} ve {count} kişi daha",
        "other": "{name} ve {count} kişi daha"
      },
      "count": {
        "one": "{count} kişi",
        "other": "{count} kişi"
      },
      "customer": "Müşteri",
      "unnamed": "Müşteri {id}",
      "yourName": "Adınız"
    },
    "times": {
      "today": "Bugün",
      "yesterday": "Dün"
    },
    "signIn": {
      "choose": "Bir parola seçin. Yalnızca sizin yazacağınız bir cümle iyi bir paroladır.",
      "count": "{count} / {minimum} karakter",
      "email": "E-posta adresi",
      "enough": {
        "one": "{count} karakter",
        "other": "{count} karakter"
      },
      "enter": "Oturum aç",
      "gone": "Bu bağlantı kullanıldı veya süresi doldu. Yenisi için bir uçbirimde “parley open” komutunu çalıştırın.",
      "invitationGone": "Bu davet kullanıldı veya süresi doldu. Bir yöneticiden yenisini isteyin.",
      "noStorage": "Bu tarayıcı sayfaların bir şey saklamasına izin vermiyor, bu yüzden oturum açık kalamaz.",
      "orOpen": "Ağ geçidini çalıştıran kişi bir uçbirimden bağlantı açar:",
      "password": "Parola",
      "single": "Tek oturum açma ile devam et",
      "unreachable": "Ağ geçidine ulaşılamıyor. Bu sayfayı yeniden yükleyin.",
      "wait": "Çok fazla yanlış parola girildi. {duration} sonra tekrar deneyin.",
      "weak": {
        "common": "Bu parolayı çok kişi seçiyor. Başka kimsenin yazmayacağı bir cümle seçin.",
        "long": "Bu parola çok uzun.",
        "personal": "Bu parola büyük ölçüde kendi adınız veya adresiniz.",
        "repeated": "Bu parola az sayıda karakteri yineliyor.",
        "short": "Bu parola çok kısa."
      },
      "wrong": "E-posta adresi veya parola yanlış.",
      "wrongPassword": "Parola yanlış."
    },
    "page": {
      "away": "Ağ geçidine ulaşılamıyor",
      "awayHint": "Parley çalışıyor mu? Ağ geçidi yanıt verince bu sayfa kendiliğinden devam eder.",
      "locked": "Bu tarayıcıda oturum açılmadı",
      "lockedCommand": "parley open",
      "lockedHint": "Parley bu bilgisayarda çalışıyor. Bir tarayıcıda yalnızca ağ geçidinin bağlantısıyla oturum açılır. Bir uçbirimden açın:",
      "lockedNote": "Yazdırılan bağlantı on dakika içinde bir kez çalışır. Ardından bu sayfa kendiliğinden devam eder. Kabuk “parley” komutunu bulamazsa: ağ geçidi başlarken tam komutu yazdırdı.",
      "noAnswer": "Ağ geçidine ulaşılamıyor. Yeniden deneniyor…",
      "noLiveUpdates": "Canlı güncelleme yok: {why}",
      "notify": "Bana bildir",
      "notifyForbidden": "Tarayıcı bu sayfadan bildirimlere izin vermiyor. Bunu ayarlarından değiştirebilirsiniz.",
      "off": "Kapalı",
      "on": "Açık",
      "reconnecting": "Bağlantı koptu. Yeniden bağlanılıyor…",
      "signOut": "Oturumu kapat",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Canlı sohbet",
      "multithread": "Birden çok görüşme",
      "singlethread": "Tek görüşme"
    },
    "picker": {
      "choose": "Başlamak için bir kanal seçin.",
      "continue": "Devam",
      "heading": "Nasıl yardımcı olabiliriz?",
      "none": "Henüz kanal yok. Ekip bir tane ekleyebilir."
    },
    "demo": {
      "answer": "Başka bir pencerede {link}. Görüşmeyi kendinize atayıp yanıtlayın; “Assign to nobody” görüşmeyi bota geri verir. Grace orada canlı sohbetin sırasında bekliyor.",
      "ask": "“I would like to talk to a person” yazın: bot sohbeti aktarır ve susar.",
      "bot": "Bir bot yanıtlıyor",
      "curl": "Aynısı curl ile",
      "desk": "masayı açın",
      "heading": "Bu ağ geçidinde bir gösteri çalışıyor",
      "token": "Belirteç, adını ağ geçidinin yazdırdığı veri klasöründedir.",
      "write": "“Demo shop” seçin: siz Ada’sınız ve onun görüşmeleri orada. “Where is my order?” yazın ve yanıttaki bir düğmeye basın."
    },
    "list": {
      "filters": "Kimin görüşmeleri",
      "invited": "Davetli",
      "noMessages": "Henüz mesaj yok",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} okunmamış",
        "other": "{count} okunmamış"
      },
      "waiting": "Bekliyor · {position}",
      "which": "Hangi görüşmeler"
    },
    "search": {
      "conversations": "Bulunan görüşmeler",
      "end": "Aramayı bitir",
      "failed": "Arama başarısız oldu.",
      "found": "Bulunan mesajlar",
      "label": "Mesajlarda ve başlıklarda ara",
      "nothing": "Hiçbir şey bulunamadı."
    },
    "conversation": {
      "gone": "Artık bu görüşmede değilsiniz.",
      "messageGone": "Mesaj kaldırıldı.",
      "parentGone": "Mesaj ve yanıtları kaldırıldı.",
      "typing": {
        "one": "{names} yazıyor",
        "other": "{names} yazıyor"
      }
    },
    "messages": {
      "empty": "Henüz mesaj yok. Merhaba deyin!",
      "label": "Mesajlar",
      "newer": "Daha yeni mesajları yükle",
      "news": {
        "one": "{count} yeni mesaj",
        "other": "{count} yeni mesaj"
      },
      "older": "Daha eski mesajları yükle"
    },
    "replies": {
      "back": "Görüşmeye dön",
      "close": "Yanıtları kapat",
      "count": {
        "one": "{count} yanıt",
        "other": "{count} yanıt"
      },
      "countMore": {
        "one": "{count} taneden fazla yanıt",
        "other": "{count} taneden fazla yanıt"
      },
      "empty": "Henüz yanıt yok.",
      "first": "Mesajı yanıtla",
      "further": "Bir yanıt daha yaz",
      "join": "Yanıtlamak için görüşmeye katılın.",
      "label": "Yanıtlar",
      "newer": "Daha yeni yanıtları yükle",
      "news": {
        "one": "{count} yeni yanıt",
        "other": "{count} yeni yanıt"
      },
      "older": "Daha eski yanıtları yükle",
      "parent": "Mesajın kendisi",
      "showParent": "Mesajı “{name}” içinde göster",
      "title": "Yanıtlar"
    },
    "message": {
      "attachment": "Ek",
      "delete": "Sil",
      "deleteHint": "Her iki taraf için de kaybolur.",
      "deleteTitle": "Bu mesaj silinsin mi?",
      "edit": "Düzenle",
      "edited": "düzenlendi",
      "notShown": "Bu tür mesajlar burada gösterilemiyor.",
      "quoted": "{who}: {what}",
      "removed": "Mesaj kaldırıldı",
      "reply": "Mesajı yanıtla",
      "resend": "Yeniden gönder",
      "unsent": "Gönderilmedi."
    },
    "marks": {
      "delivered": "İletildi",
      "failed": "Gönderilmedi",
      "pending": "Gönderiliyor",
      "seen": "Görüldü",
      "sent": "Gönderildi"
    },
    "composer": {
      "attach": "Dosya ekle",
      "edit": "Mesajı düzenle",
      "label": "Mesaj",
      "placeholder": "Mesaj yazın",
      "tooLong": "Bu mesaj çok uzun: en fazla 64 KiB olabilir."
    },
    "files": {
      "cancel": "{name} gönderilmesin",
      "empty": "“{name}” boş.",
      "kinds": {
        "image/*": "resimler",
        "audio/*": "sesler",
        "video/*": "videolar",
        "text/*": "metinler",
        "text/plain": "düz metinler",
        "application/pdf": "PDF dosyaları"
      },
      "remove": "Kaldır: {name}",
      "tooLarge": "“{name}” çok büyük: {size}. En fazla {most} gönderilebilir.",
      "tray": "Gönderilecek dosyalar",
      "uploading": "{name} yükleniyor",
      "wrongType": "“{name}” burada gönderilemez. Gönderilebilenler: {kinds}."
    },
    "invitation": {
      "decline": "Reddet",
      "join": "Katıl",
      "label": "Davet",
      "text": "Bu görüşmeye davet edildiniz. Buraya yazmak için katılın."
    },
    "live": {
      "estimate": {
        "one": "Yaklaşık bir dakika kaldı.",
        "other": "Yaklaşık {count} dakika kaldı."
      },
      "next": "Sıradaki kişi sizsiniz.",
      "place": "Sıra numaranız {position}.",
      "restart": "Yeni sohbet başlat"
    },
    "survey": {
      "answer": "Lütfen yanıtlayın.",
      "start": "Başla",
      "wrong": "Bu yanıt geçerli değil."
    },
    "details": {
      "members": "Katılımcılar",
      "removeMember": "Kaldır: {name}",
      "youInvited": "Siz, davetli"
    },
    "chat": {
      "archive": "Arşivle",
      "archived": "Bu görüşme arşivlendi.",
      "archiveHint": "Görüşmeyi “Arşiv” altında okuyabilirsiniz, ancak artık içine yazamazsınız.",
      "archiveTitle": "Bu görüşme arşivlensin mi?",
      "askName": "Adınızı öğrenmek isteriz.",
      "begin": "Bize yazın: yanıtlar burada görünür.",
      "choose": "Bir görüşme seçin veya yenisini başlatın.",
      "clear": "Geçmişi temizle",
      "clearHint": "Şimdiye kadarki tüm mesajlar görünümünüzden kalıcı olarak kaldırılır. Diğerlerinde kalır.",
      "clearSubmit": "Temizle",
      "clearTitle": "Geçmiş temizlensin mi?",
      "email": "E-posta adresi",
      "end": "Bu sohbeti bitir",
      "ended": "Bu sohbet sona erdi.",
      "endHint": "İstediğiniz zaman yenisini başlatabilirsiniz.",
      "endSubmit": "Bitir",
      "endTitle": "Bu sohbet bitirilsin mi?",
      "firstName": "Ad",
      "hidden": "Sonraki mesaja kadar gizlendi.",
      "hide": "Listede gizle",
      "lastName": "Soyad",
      "leave": "Görüşmeden ayrıl",
      "leaveHint": "Listenizden kaybolur ve artık bu görüşmeden mesaj almazsınız.",
      "leaveMessage": "Şu anda kimse yok. Bir mesaj bırakın.",
      "leaveSubmit": "Ayrıl",
      "leaveTitle": "Bu görüşmeden ayrılmak istiyor musunuz?",
      "listArchived": "Arşiv",
      "listHidden": "Gizli",
      "listOpen": "Güncel",
      "mail": "Görüşmeyi e-postayla gönder",
      "mailed": "{email} adresine gönderiliyor.",
      "noArchived": "Arşivde bir şey yok.",
      "nobody": "Şu anda kimse yok.",
      "noHidden": "Gizli bir şey yok.",
      "noOpen": "Henüz görüşme yok.",
      "noOpenMore": "Açık görüşme yok. Öncekiler “Arşiv” altında.",
      "opensAt": "Yeniden buradayız: {time}",
      "opensOn": "Yeniden buradayız: {day}, {time}",
      "rename": "Yeniden adlandır",
      "renameTitle": "Görüşmeyi yeniden adlandır",
      "signOut": "Oturumu kapat",
      "signOutHint": "Bu tarayıcı bu kanaldaki görüşmeleri unutur.",
      "signOutTitle": "Oturum kapatılsın mı?",
      "start": "Bir görüşme başlat",
      "stillNobody": "Hâlâ kimse yok.",
      "switchChannel": "Kanal değiştir",
      "tryAgain": "Tekrar dene",
      "unhide": "Listede göster",
      "unknownChannel": "“{id}” adlı bir kanal yok."
    },
    "notes": {
      "add": "Ekip için not yaz",
      "by": "{name} adlı kişinin notu",
      "hint": "Bunu yalnızca ekip görür, müşteri asla görmez.",
      "removeHint": "Tüm ekip için kaybolur.",
      "removeTitle": "Bu not silinsin mi?",
      "text": "Not"
    }
  },
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
    "maintenance": "Sohbette bakım yapılıyor. Lütfen daha sonra tekrar deneyin.",
    "tooManyRequests": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyStreams": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyFetches": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "shareExceeded": "Şu anda çok sayıda kişi sohbeti kullanıyor. Lütfen birazdan tekrar deneyin.",
    "tooManyFailures": "Çok fazla deneme başarısız oldu. Lütfen biraz bekleyip tekrar deneyin.",
    "tooManyWrites": "Kısa sürede çok fazla mesaj yazdınız. Lütfen biraz bekleyin.",
    "tooManyMessages": "Kısa sürede çok fazla mesaj yazdınız. Lütfen biraz bekleyin.",
    "tooManyUnsent": "Henüz gönderilmekte olan çok fazla öğe var. Lütfen biraz bekleyin.",
    "tooManyUploads": "Henüz gönderilmekte olan çok fazla öğe var. Lütfen biraz bekleyin.",
    "tooManyThreads": "Çok fazla görüşme açık. Lütfen bunlardan birinde devam edin.",
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
    "invalidParameter": "Girdiğiniz bilgilerden biri geçerli değil.",
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

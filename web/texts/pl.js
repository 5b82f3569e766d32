export default {
  "lang": "pl",
  "dir": "ltr",
  "name": "Polski",
  "widget": {
    "launcher": {
      "open": "Otwórz czat",
      "close": "Zamknij czat",
      "openUnread": {
        "one": "Otwórz czat, {count} nieprzeczytana wiadomość",
        "few": "Otwórz czat, {count} nieprzeczytane wiadomości",
        "many": "Otwórz czat, {count} nieprzeczytanych wiadomości",
        "other": "Otwórz czat, {count} nieprzeczytanej wiadomości"
      },
      "label": "Czat",
      "cannotLoad": "Nie można tutaj wczytać czatu.",
      "openPage": "Otwórz w nowej karcie"
    },
    "head": {
      "title": "{name}",
      "back": "Wstecz",
      "close": "Zamknij",
      "menu": "Więcej",
      "online": "Jesteśmy dostępni",
      "answersIn": "Zwykle odpowiadamy w ciągu {duration}",
      "hours": "Wracamy: {day}, {time}",
      "hoursToday": "Wracamy o {time}",
      "away": "Teraz nikogo nie ma. Prosimy zostawić wiadomość.",
      "sound": "Dźwięk",
      "soundOff": "Dźwięk wyłączony"
    },
    "start": {
      "greeting": "Dzień dobry! W czym możemy pomóc?",
      "begin": "Napisz wiadomość",
      "earlier": "Wcześniejsze rozmowy",
      "new": "Nowa rozmowa",
      "none": "Nie ma jeszcze rozmów"
    },
    "consent": {
      "text": "Zanim zaczniemy: {link} wyjaśnia, jak wykorzystujemy dane.",
      "link": "nasza polityka prywatności",
      "agree": "Zgadzam się",
      "decline": "Nie, dziękuję",
      "declined": "Czat pozostaje zamknięty. Zgodę można wyrazić później."
    },
    "survey": {
      "intro": "Najpierw kilka pytań",
      "required": "Prosimy o odpowiedź.",
      "email": "Adres e-mail",
      "emailWrong": "To nie jest poprawny adres e-mail.",
      "firstName": "Imię",
      "lastName": "Nazwisko",
      "start": "Rozpocznij",
      "optional": "opcjonalnie"
    },
    "list": {
      "unread": {
        "one": "{count} nieprzeczytana wiadomość",
        "few": "{count} nieprzeczytane wiadomości",
        "many": "{count} nieprzeczytanych wiadomości",
        "other": "{count} nieprzeczytanej wiadomości"
      },
      "you": "Ty",
      "said": "{name}: {text}",
      "noMessages": "Nie ma jeszcze wiadomości",
      "ended": "Zakończona"
    },
    "messages": {
      "label": "Wiadomości",
      "older": "Wczytaj starsze wiadomości",
      "newer": "Wczytaj nowsze wiadomości",
      "news": {
        "one": "{count} nowa wiadomość",
        "few": "{count} nowe wiadomości",
        "many": "{count} nowych wiadomości",
        "other": "{count} nowej wiadomości"
      },
      "today": "Dzisiaj",
      "yesterday": "Wczoraj",
      "day": "{date}",
      "arrived": "{name} pisze: {text}",
      "typing": {
        "one": "{names} pisze",
        "few": "{names} piszą",
        "many": "{names} piszą",
        "other": "{names} piszą"
      },
      "joined": "{name} dołącza do rozmowy",
      "left": "{name} opuszcza rozmowę",
      "removed": "Wiadomość została usunięta",
      "edited": "edytowano",
      "unknown": "Tego rodzaju wiadomości nie można tutaj wyświetlić.",
      "bot": "Odpowiedź automatyczna",
      "link": "Otwiera się w nowej karcie"
    },
    "marks": {
      "sending": "Wysyłanie",
      "sent": "Wysłano",
      "delivered": "Dostarczono",
      "seen": "Odczytano",
      "failed": "Nie wysłano",
      "retry": "Spróbuj ponownie",
      "discard": "Odrzuć"
    },
    "composer": {
      "label": "Wiadomość",
      "placeholder": "Napisz wiadomość",
      "send": "Wyślij",
      "attach": "Załącz plik",
      "tooLong": "Za długie: maksymalnie {limit}.",
      "ended": "Ta rozmowa się zakończyła.",
      "reopenHint": "Napisz, aby ją kontynuować.",
      "waitingLimit": "To bardzo dużo wiadomości. Prosimy zaczekać {seconds} s."
    },
    "files": {
      "drop": "Upuść pliki tutaj",
      "uploading": "Przesyłanie: {name}",
      "cancel": "Nie wysyłaj: {name}",
      "tooLarge": "{name} jest za duży: maksymalnie {size}.",
      "wrongType": "Nie można tutaj wysłać pliku {name}. Dozwolone: {kinds}.",
      "empty": "{name} jest pusty.",
      "download": "Pobierz {name}, {size}",
      "picture": "Obraz {name}",
      "failed": "Nie udało się wysłać pliku."
    },
    "queue": {
      "place": "Numer w kolejce: {count}.",
      "next": "Następna kolej jest Twoja.",
      "estimate": {
        "one": "Około {count} minuty",
        "few": "Około {count} minut",
        "many": "Około {count} minut",
        "other": "Około {count} minuty"
      },
      "end": "Zakończ czat",
      "endTitle": "Zakończyć ten czat?",
      "endHint": "Można rozpocząć kolejny.",
      "ended": "Czat się zakończył.",
      "again": "Rozpocznij nowy czat"
    },
    "inactivity": {
      "question": "Czy nadal tu jesteś?",
      "yes": "Tak",
      "no": "Nie, zakończ czat"
    },
    "rating": {
      "title": "Jak oceniasz rozmowę?",
      "score": "{count} z 5",
      "low": "źle",
      "high": "bardzo dobrze",
      "comment": "Co możemy poprawić? (opcjonalnie)",
      "send": "Wyślij",
      "thanks": "Dziękujemy!",
      "skip": "Nie teraz",
      "change": "Zmień ocenę"
    },
    "identity": {
      "expired": "Aby kontynuować, zaloguj się ponownie na tej stronie.",
      "invalid": "Logowanie z tej strony tutaj nie zadziałało.",
      "changed": "Jesteś teraz na innym koncie."
    },
    "problems": {
      "offline": "Brak połączenia. Ponawiamy próbę…",
      "back": "Połączenie przywrócone",
      "blocked": "Przeglądarka nie pozwala temu czatowi niczego zapisać. Czat skończy się po opuszczeniu strony.",
      "tooMany": "Rozpoczęto zbyt wiele czatów. Spróbuj ponownie za {minutes} min.",
      "proof": "Chwileczkę, sprawdzamy…",
      "gone": "Ta rozmowa już nie istnieje.",
      "wrong": "Coś poszło nie tak.",
      "reload": "Wczytaj ponownie"
    },
    "linkPage": {
      "title": "Rozmowa z {name}",
      "open": "Otwórz rozmowę",
      "gone": "Ten link już nie działa. Poproś o nowy.",
      "private": "Nie rób tego na cudzym komputerze."
    },
    "menu": {
      "transcript": "Zapisz rozmowę",
      "mail": "Wyślij e-mailem",
      "mailed": "Rozmowa jest w drodze na adres {email}.",
      "erase": "Usuń moje dane",
      "eraseTitle": "Usunąć wszystko?",
      "eraseHint": "Wszystkie rozmowy zostaną usunięte na zawsze.",
      "erased": "Wszystko zostało usunięte.",
      "signOut": "Zapomnij mnie na tym urządzeniu",
      "privacy": "Prywatność"
    }
  },
  "pages": {},
  "problems": {
    "unreachable": "Czat jest obecnie nieosiągalny.",
    "timeout": "Czat jest obecnie nieosiągalny.",
    "notConnected": "Czat nie jest teraz połączony. Spróbuj ponownie.",
    "serverError": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "internalError": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "storageFailed": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "storageUnavailable": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "storageFull": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "eventTimeout": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "shuttingDown": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "standby": "Czat ma problem techniczny. Spróbuj ponownie później.",
    "tooManyRequests": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyStreams": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyFetches": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "shareExceeded": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyFailures": "Zbyt wiele prób się nie powiodło. Zaczekaj chwilę i spróbuj ponownie.",
    "tooManyWrites": "W krótkim czasie napisano bardzo dużo. Prosimy zaczekać chwilę.",
    "tooManyMessages": "W krótkim czasie napisano bardzo dużo. Prosimy zaczekać chwilę.",
    "tooManyUnsent": "Zbyt wiele rzeczy jest jeszcze wysyłanych. Prosimy zaczekać chwilę.",
    "tooManyUploads": "Zbyt wiele rzeczy jest jeszcze wysyłanych. Prosimy zaczekać chwilę.",
    "tooManyVisitors": "Rozpoczęto zbyt wiele czatów. Spróbuj ponownie później.",
    "quotaExceeded": "Nie ma już miejsca na wiadomości i pliki.",
    "textTooLong": "Ta wiadomość jest za długa.",
    "bodyTooLarge": "To jest za duże, aby je wysłać.",
    "emptyFile": "Ten plik jest pusty.",
    "invalidFileSize": "Ten plik jest za duży.",
    "invalidFileType": "Plików tego rodzaju nie można tutaj wysyłać.",
    "attachmentError": "Nie udało się wysłać pliku.",
    "unknownAttachment": "Tego pliku już nie ma.",
    "missingPreChatCustomFields": "Odpowiedz na wymagane pytania.",
    "invalidValue": "Jedna z podanych wartości jest niepoprawna.",
    "invalidData": "Jedna z podanych wartości jest niepoprawna.",
    "illegalThreadState": "To nie jest już możliwe w tej rozmowie.",
    "illegalChatState": "To nie jest już możliwe w tej rozmowie.",
    "unsupportedChannelConfig": "To nie jest możliwe na tym czacie.",
    "unsupportedCapability": "To nie jest możliwe na tym czacie.",
    "unknownThread": "Ta rozmowa już nie istnieje.",
    "unknownMessage": "Ta wiadomość już nie istnieje.",
    "unknownParent": "Wiadomość, na którą odpowiadasz, już nie istnieje.",
    "replyNotAllowed": "Na tę wiadomość nie można odpowiedzieć.",
    "replyDepthExceeded": "Na tę wiadomość nie można odpowiedzieć.",
    "parentHasReplies": "Nie można usunąć wiadomości, która ma odpowiedzi.",
    "notAuthor": "Można zmieniać tylko własne wiadomości.",
    "notJoined": "Dołącz do rozmowy, aby tu pisać.",
    "nameVouched": "Nazwiska nie można tutaj zmienić.",
    "preconditionFailed": "W międzyczasie ktoś inny wprowadził zmianę. Spróbuj ponownie.",
    "searchUnavailable": "Wyszukiwanie jest obecnie niedostępne.",
    "sendTranscriptFailed": "Nie udało się wysłać rozmowy e-mailem.",
    "forbidden": "Brak uprawnień do tej czynności.",
    "notAllowed": "Brak uprawnień do tej czynności.",
    "unauthorized": "Ten czat wygasł. Rozpocznij nowy.",
    "unknownSession": "Ten czat wygasł. Rozpocznij nowy.",
    "unknownChannel": "Ten czat jest niedostępny.",
    "channelNotPublic": "Ten czat jest niedostępny.",
    "originNotAllowed": "Tego czatu nie można używać na tej stronie.",
    "identityRequired": "Najpierw zaloguj się na tej stronie.",
    "identityExpired": "Logowanie wygasło. Zaloguj się ponownie.",
    "transactionTokenExpired": "Logowanie wygasło. Zaloguj się ponownie.",
    "invalidIdentity": "Nie udało się potwierdzić logowania.",
    "customerAssociationFailure": "Nie udało się potwierdzić logowania.",
    "otherIdentity": "Jesteś teraz na innym koncie.",
    "consentRequired": "Najpierw zaakceptuj politykę prywatności.",
    "proofRequired": "Sprawdzenie przeglądarki się nie powiodło. Spróbuj ponownie.",
    "linkGone": "Ten link już nie działa. Poproś o nowy."
  }
};

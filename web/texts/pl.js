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
      "answersIn": "Zwykły czas odpowiedzi: {duration}",
      "hours": "Wracamy: {day}, {time}",
      "hoursToday": "Wracamy o {time}",
      "away": "Teraz nikogo nie ma. Prosimy zostawić wiadomość.",
      "closed": "Teraz nikogo nie ma. Spróbuj ponownie później.",
      "sound": "Dźwięk",
      "soundOff": "Dźwięk wyłączony"
    },
    "start": {
      "greeting": "Dzień dobry! W czym możemy pomóc?",
      "begin": "Napisz wiadomość",
      "earlier": "Wcześniejsze rozmowy",
      "new": "Nowa rozmowa",
      "none": "Nie ma jeszcze rozmów",
      "untitled": "Rozmowa"
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
      "start": "Aby do nas napisać, zaloguj się na tej stronie.",
      "expired": "Aby kontynuować, zaloguj się ponownie na tej stronie.",
      "invalid": "Logowanie z tej strony tutaj nie zadziałało.",
      "changed": "Jesteś teraz na innym koncie."
    },
    "problems": {
      "offline": "Brak połączenia. Ponawiamy próbę…",
      "back": "Połączenie przywrócone",
      "blocked": "Przeglądarka nie pozwala temu czatowi niczego zapisać. Czat skończy się po opuszczeniu strony.",
      "onlyTab": "Przeglądarka przechowuje ten czat tylko dla tej karty. Czat skończy się po jej zamknięciu.",
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
      "cancel": "Anuluj",
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
  "pages": {
    "common": {
      "add": "Dodaj",
      "back": "Powrót do listy",
      "cancel": "Anuluj",
      "close": "Zamknij",
      "continue": "Dalej",
      "conversation": "Rozmowa",
      "conversations": "Rozmowy",
      "details": "Szczegóły",
      "done": "Gotowe",
      "failed": "Ta czynność się nie powiodła.",
      "loading": "Wczytywanie…",
      "name": "Nazwa",
      "newConversation": "Nowa rozmowa",
      "remove": "Usuń",
      "required": "* wymagane",
      "save": "Zapisz",
      "send": "Wyślij",
      "showMore": "Pokaż więcej",
      "wrong": "Coś poszło nie tak.",
      "you": "Ty"
    },
    "people": {
      "addYourName": "Podaj imię i nazwisko",
      "agent": "Konsultant",
      "andMore": {
        "one": "{name} i jeszcze {count} osoba",
        "few": "{name} i jeszcze {count} osoby",
        "many": "{name} i jeszcze {count} osób",
        "other": "{name} i jeszcze {count} osoby"
      },
      "count": {
        "one": "{count} osoba",
        "few": "{count} osoby",
        "many": "{count} osób",
        "other": "{count} osoby"
      },
      "customer": "Klient",
      "unnamed": "Klient {id}",
      "yourName": "Imię i nazwisko"
    },
    "times": {
      "today": "Dzisiaj",
      "yesterday": "Wczoraj"
    },
    "signIn": {
      "choose": "Wybierz hasło. Dobre jest zdanie, które tylko Ty możesz napisać.",
      "count": "{count} z {minimum} znaków",
      "email": "Adres e-mail",
      "enough": {
        "one": "{count} znak",
        "few": "{count} znaki",
        "many": "{count} znaków",
        "other": "{count} znaku"
      },
      "enter": "Zaloguj się",
      "gone": "Ten link został już użyty lub wygasł. Aby otrzymać nowy, uruchom „parley open” w terminalu.",
      "invitationGone": "To zaproszenie zostało już użyte lub wygasło. Poproś administratora o nowe.",
      "noStorage": "Ta przeglądarka nie pozwala stronom niczego zapisywać, więc nie może pozostać zalogowana.",
      "orOpen": "Osoba, która prowadzi bramkę, otwiera link z terminala:",
      "password": "Hasło",
      "single": "Zaloguj się przez logowanie jednokrotne",
      "unreachable": "Bramka jest nieosiągalna. Wczytaj tę stronę ponownie.",
      "wait": "Zbyt wiele błędnych haseł. Spróbuj ponownie za {duration}.",
      "weak": {
        "common": "Wiele osób wybiera to hasło. Wybierz zdanie, którego nikt inny by nie napisał.",
        "long": "To hasło jest za długie.",
        "personal": "To hasło to głównie Twoje nazwisko lub adres.",
        "repeated": "To hasło powtarza kilka znaków.",
        "short": "To hasło jest za krótkie."
      },
      "wrong": "Adres e-mail lub hasło są niepoprawne.",
      "wrongPassword": "Hasło jest niepoprawne."
    },
    "page": {
      "away": "Bramka jest nieosiągalna",
      "awayHint": "Czy Parley działa? Ta strona ruszy sama, gdy tylko bramka odpowie.",
      "locked": "Ta przeglądarka nie jest zalogowana",
      "lockedCommand": "parley open",
      "lockedHint": "Parley działa na tym komputerze. Przeglądarkę loguje tylko link z bramki. Otwórz go z terminala:",
      "lockedNote": "Wyświetlony link działa jeden raz, przez dziesięć minut. Potem ta strona ruszy sama. Jeśli powłoka nie znajduje „parley”: bramka wyświetliła całe polecenie przy starcie.",
      "noAnswer": "Bramka nieosiągalna. Ponawiamy próbę…",
      "noLiveUpdates": "Brak aktualizacji na żywo: {why}",
      "notify": "Powiadomienia",
      "notifyForbidden": "Przeglądarka nie zezwala na powiadomienia z tej strony. Można to zmienić w jej ustawieniach.",
      "off": "Wył.",
      "on": "Wł.",
      "reconnecting": "Utracono połączenie. Łączymy ponownie…",
      "signOut": "Wyloguj się",
      "title": "Parley"
    },
    "modes": {
      "liveChat": "Czat na żywo",
      "multithread": "Wiele rozmów",
      "singlethread": "Jedna rozmowa"
    },
    "picker": {
      "choose": "Wybierz kanał, aby rozpocząć.",
      "continue": "Dalej",
      "heading": "W czym możemy pomóc?",
      "none": "Nie ma jeszcze żadnego kanału. Zespół może go dodać."
    },
    "demo": {
      "answer": "{link} w innym oknie. Przypisz rozmowę sobie i odpowiedz; „Assign to nobody” oddaje ją botowi. Grace czeka tam w kolejce czatu na żywo.",
      "ask": "Napisz „I would like to talk to a person”: bot przekaże czat i zamilknie.",
      "bot": "Odpowiada bot",
      "curl": "To samo z curl",
      "desk": "Otwórz pulpit",
      "heading": "Na tej bramce działa pokaz",
      "token": "Token jest w folderze danych, którego nazwę wyświetliła bramka.",
      "write": "Wybierz „Demo shop”: jesteś Adą, a jej rozmowy już tam są. Napisz „Where is my order?” i naciśnij przycisk w odpowiedzi."
    },
    "list": {
      "filters": "Czyje rozmowy",
      "invited": "Zaproszenie",
      "noMessages": "Nie ma jeszcze wiadomości",
      "said": "{who}: {what}",
      "unread": {
        "one": "{count} nieprzeczytana",
        "few": "{count} nieprzeczytane",
        "many": "{count} nieprzeczytanych",
        "other": "{count} nieprzeczytanej"
      },
      "waiting": "Czeka · {position}",
      "which": "Które rozmowy"
    },
    "search": {
      "conversations": "Znalezione rozmowy",
      "end": "Zakończ wyszukiwanie",
      "failed": "Wyszukiwanie się nie powiodło.",
      "found": "Znalezione wiadomości",
      "label": "Szukaj w wiadomościach i tytułach",
      "nothing": "Niczego nie znaleziono."
    },
    "conversation": {
      "gone": "Nie bierzesz już udziału w tej rozmowie.",
      "messageGone": "Wiadomość została usunięta.",
      "parentGone": "Wiadomość została usunięta wraz z odpowiedziami.",
      "typing": {
        "one": "{names} pisze",
        "few": "{names} piszą",
        "many": "{names} piszą",
        "other": "{names} piszą"
      }
    },
    "messages": {
      "empty": "Nie ma jeszcze wiadomości. Przywitaj się!",
      "label": "Wiadomości",
      "newer": "Wczytaj nowsze wiadomości",
      "news": {
        "one": "{count} nowa wiadomość",
        "few": "{count} nowe wiadomości",
        "many": "{count} nowych wiadomości",
        "other": "{count} nowej wiadomości"
      },
      "older": "Wczytaj starsze wiadomości"
    },
    "replies": {
      "back": "Powrót do rozmowy",
      "close": "Zamknij wątek",
      "count": {
        "one": "{count} odpowiedź",
        "few": "{count} odpowiedzi",
        "many": "{count} odpowiedzi",
        "other": "{count} odpowiedzi"
      },
      "countMore": {
        "one": "ponad {count} odpowiedź",
        "few": "ponad {count} odpowiedzi",
        "many": "ponad {count} odpowiedzi",
        "other": "ponad {count} odpowiedzi"
      },
      "empty": "Nie ma jeszcze odpowiedzi.",
      "first": "Odpowiedz w wątku",
      "further": "Napisz w wątku",
      "join": "Dołącz do rozmowy, aby odpowiedzieć.",
      "label": "Odpowiedzi",
      "newer": "Wczytaj nowsze odpowiedzi",
      "news": {
        "one": "{count} nowa odpowiedź",
        "few": "{count} nowe odpowiedzi",
        "many": "{count} nowych odpowiedzi",
        "other": "{count} nowej odpowiedzi"
      },
      "older": "Wczytaj starsze odpowiedzi",
      "parent": "Wiadomość",
      "showParent": "Pokaż wiadomość w rozmowie „{name}”",
      "title": "Wątek"
    },
    "message": {
      "attachment": "Załącznik",
      "delete": "Usuń",
      "deleteHint": "Zniknie po obu stronach.",
      "deleteTitle": "Usunąć tę wiadomość?",
      "edit": "Edytuj",
      "edited": "edytowano",
      "notShown": "Tego rodzaju wiadomości nie można tutaj wyświetlić.",
      "quoted": "{who}: {what}",
      "removed": "Wiadomość została usunięta",
      "reply": "Odpowiedz w wątku",
      "resend": "Wyślij ponownie",
      "unsent": "Nie wysłano."
    },
    "marks": {
      "delivered": "Dostarczono",
      "failed": "Nie wysłano",
      "pending": "Wysyłanie",
      "seen": "Odczytano",
      "sent": "Wysłano"
    },
    "composer": {
      "attach": "Załącz pliki",
      "edit": "Edytuj wiadomość",
      "label": "Wiadomość",
      "placeholder": "Napisz wiadomość",
      "tooLong": "Ta wiadomość jest za długa: dozwolone są 64 KiB."
    },
    "files": {
      "cancel": "Nie wysyłaj: {name}",
      "empty": "Plik „{name}” jest pusty.",
      "kinds": {
        "image/*": "obrazy",
        "audio/*": "nagrania dźwiękowe",
        "video/*": "filmy",
        "text/*": "teksty",
        "text/plain": "zwykłe teksty",
        "application/pdf": "pliki PDF"
      },
      "remove": "Usuń: {name}",
      "tooLarge": "Plik „{name}” jest za duży: {size}. Można wysłać najwyżej {most}.",
      "tray": "Pliki do wysłania",
      "uploading": "Przesyłanie: {name}",
      "wrongType": "Pliku „{name}” nie można tutaj wysłać. Dozwolone: {kinds}."
    },
    "invitation": {
      "decline": "Odrzuć",
      "join": "Dołącz",
      "label": "Zaproszenie",
      "text": "Masz zaproszenie do tej rozmowy. Dołącz, aby tu pisać."
    },
    "live": {
      "estimate": {
        "one": "Pozostała około minuta.",
        "few": "Pozostały około {count} minuty.",
        "many": "Pozostało około {count} minut.",
        "other": "Pozostało około {count} minuty."
      },
      "next": "Następna kolej jest Twoja.",
      "place": "Numer w kolejce: {position}.",
      "restart": "Rozpocznij nowy czat"
    },
    "survey": {
      "answer": "Prosimy o odpowiedź.",
      "start": "Rozpocznij",
      "wrong": "Ta odpowiedź jest niepoprawna."
    },
    "details": {
      "members": "Uczestnicy",
      "removeMember": "Usuń: {name}",
      "youInvited": "Ty, z zaproszeniem"
    },
    "chat": {
      "archive": "Archiwizuj",
      "archived": "Ta rozmowa jest w archiwum.",
      "archiveHint": "Nadal będzie można ją czytać w „Archiwum”, ale nie będzie można w niej pisać.",
      "archiveTitle": "Przenieść tę rozmowę do archiwum?",
      "askName": "Chcielibyśmy poznać Twoje imię.",
      "begin": "Napisz do nas: odpowiedzi pojawią się tutaj.",
      "choose": "Wybierz rozmowę lub rozpocznij nową.",
      "clear": "Wyczyść historię",
      "clearHint": "Wszystkie dotychczasowe wiadomości znikną na zawsze z Twojego widoku. Inni je zachowają.",
      "clearSubmit": "Wyczyść",
      "clearTitle": "Wyczyścić historię?",
      "email": "Adres e-mail",
      "end": "Zakończ ten czat",
      "ended": "Ten czat się zakończył.",
      "endHint": "W każdej chwili można rozpocząć kolejny.",
      "endSubmit": "Zakończ",
      "endTitle": "Zakończyć ten czat?",
      "firstName": "Imię",
      "hidden": "Ukryto do następnej wiadomości.",
      "hide": "Ukryj na liście",
      "lastName": "Nazwisko",
      "leave": "Opuść rozmowę",
      "leaveHint": "Zniknie z Twojej listy i nie będą już z niej przychodzić wiadomości.",
      "leaveMessage": "Teraz nikogo nie ma. Prosimy zostawić wiadomość.",
      "leaveSubmit": "Opuść",
      "leaveTitle": "Opuścić tę rozmowę?",
      "listArchived": "Archiwum",
      "listHidden": "Ukryte",
      "listOpen": "Bieżące",
      "mail": "Wyślij rozmowę e-mailem",
      "mailed": "Rozmowa jest w drodze na adres {email}.",
      "noArchived": "Archiwum jest puste.",
      "nobody": "W tej chwili nikogo nie ma.",
      "noHidden": "Nic nie jest ukryte.",
      "noOpen": "Nie ma jeszcze rozmów.",
      "noOpenMore": "Żadna rozmowa nie jest otwarta. Wcześniejsze są w „Archiwum”.",
      "opensAt": "Wracamy o {time}",
      "opensOn": "Wracamy: {day}, {time}",
      "rename": "Zmień nazwę",
      "renameTitle": "Zmień nazwę rozmowy",
      "signOut": "Wyloguj się",
      "signOutHint": "Ta przeglądarka zapomni rozmowy na tym kanale.",
      "signOutTitle": "Wylogować się?",
      "start": "Rozpocznij rozmowę",
      "stillNobody": "Nadal nikogo nie ma.",
      "switchChannel": "Zmień kanał",
      "tryAgain": "Spróbuj ponownie",
      "unhide": "Pokaż na liście",
      "unknownChannel": "Nie ma kanału „{id}”."
    },
    "notes": {
      "add": "Napisz notatkę dla zespołu",
      "by": "Notatka: {name}",
      "hint": "Widzi ją tylko zespół, nigdy klient.",
      "removeHint": "Zniknie dla całego zespołu.",
      "removeTitle": "Usunąć tę notatkę?",
      "text": "Notatka"
    }
  },
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
    "maintenance": "Trwają prace konserwacyjne czatu. Spróbuj ponownie później.",
    "tooManyRequests": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyStreams": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyFetches": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "shareExceeded": "Z czatu korzysta teraz bardzo wiele osób. Spróbuj ponownie za chwilę.",
    "tooManyFailures": "Zbyt wiele prób się nie powiodło. Zaczekaj chwilę i spróbuj ponownie.",
    "tooManyWrites": "W krótkim czasie napisano bardzo dużo. Prosimy zaczekać chwilę.",
    "tooManyMessages": "W krótkim czasie napisano bardzo dużo. Prosimy zaczekać chwilę.",
    "tooManyUnsent": "Zbyt wiele rzeczy jest jeszcze wysyłanych. Prosimy zaczekać chwilę.",
    "tooManyUploads": "Zbyt wiele rzeczy jest jeszcze wysyłanych. Prosimy zaczekać chwilę.",
    "tooManyThreads": "Otwarto zbyt wiele rozmów. Kontynuuj jedną z nich.",
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
    "invalidParameter": "Jedna z podanych wartości jest niepoprawna.",
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

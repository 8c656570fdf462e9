import type { generalProblems } from '../../../problems/general-data.ts';
import type { ProblemRowWords } from '../word-tables.ts';

/** Problems that have nothing to do with a payment: what happened, what it means, what to do next. */
export const germanProblems: Readonly<Record<keyof typeof generalProblems, ProblemRowWords>> = {
  invalid_json: [
    'Das Formular kam nicht so an, wie es gesendet wurde',
    'Was ankam, ist nicht lesbar. Es wurde nichts ausgeführt.',
    'Öffnen Sie die Seite noch einmal, und senden Sie das Formular erneut.',
  ],
  body_broken_off: [
    'Der Body endete zu früh, oder seine Rahmung ist fehlerhaft',
    'Die Verbindung brach ab, während der Body gesendet wurde. Es wurde nichts ausgeführt.',
    'Senden Sie dieselbe Anfrage noch einmal.',
  ],
  invalid_host: [
    'Die Anfrage braucht genau einen Host-Header mit einem Hostnamen',
    'Der Host-Header fehlt, kommt mehrfach vor oder enthält keinen Hostnamen.',
    'Verwenden Sie einen HTTP-Client, der genau einen Host-Header sendet, oder korrigieren Sie den vorgeschalteten Proxy.',
  ],
  front_secret_wrong: [
    'Dieser Dienst ist nur über seine Vorstufe erreichbar',
    'Die Anfrage kam nicht über die Vorstufe dieser Installation.',
    'Verwenden Sie die öffentliche Adresse des Dienstes. Wenn Sie ihn betreiben, prüfen Sie X-Front-Secret Ihrer Vorstufe.',
  ],
  insufficient_scope: [
    'Dem Token fehlt ein Scope',
    'Das Token ist gültig, erlaubt diesen Aufruf aber nicht.',
    'Holen Sie ein Token mit dem Scope, den WWW-Authenticate nennt.',
  ],
  not_found: [
    'Diese Seite gibt es nicht',
    'Unter dieser Adresse gibt es nichts. Vielleicht enthält sie einen Tippfehler, oder die Seite ist umgezogen.',
    'Prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.',
  ],
  method_not_allowed: [
    'Diese Adresse nimmt eine solche Anfrage nicht an',
    'Unter dieser Adresse gibt es etwas, aber nicht für das, was gesendet wurde.',
    'Beginnen Sie auf der Startseite, und senden Sie das Formular von seiner eigenen Seite.',
  ],
  limit_reached: [
    'Das Limit ist erreicht: Löschen Sie zuerst einen Eintrag',
    'Die Zahl dieser Einträge ist begrenzt, und keiner ist mehr frei.',
    'Löschen Sie einen Eintrag, den Sie nicht mehr brauchen, und senden Sie die Anfrage noch einmal.',
  ],
  body_too_large: [
    'Das Formular ist zu lang',
    'Es kam mehr Text an, als diese Seite annimmt. Es wurde nichts ausgeführt.',
    'Gehen Sie zurück, kürzen Sie Ihre Angaben, und senden Sie das Formular noch einmal.',
  ],
  unsupported_media_type: [
    'Das Formular kam nicht so an, wie es gesendet wurde',
    'Was ankam, sendet kein Formular dieses Dienstes. Es wurde nichts ausgeführt.',
    'Öffnen Sie die Seite noch einmal, und senden Sie das Formular erneut.',
  ],
  wrong_host: [
    'Dieser Hostname wird hier nicht bedient',
    'Die Anfrage nennt einen anderen Host als den dieses Dienstes.',
    'Verwenden Sie die Adresse des Dienstes. Wenn Sie ihn betreiben, prüfen Sie BASE_URL, CONTROL_URL oder WEBHOOK_URL.',
  ],
  invalid_body: [
    'Im Formular fehlt etwas, oder es hat die falsche Form',
    'Eine Angabe fehlt, ist unbekannt oder hat die falsche Form. Es wurde nichts ausgeführt.',
    'Öffnen Sie die Seite noch einmal, korrigieren Sie die Angaben, und senden Sie das Formular erneut.',
  ],
  rate_limited: [
    'Zu viele Anfragen in kurzer Zeit',
    'Das Limit für Ihr Netz oder Ihr Konto ist vorerst aufgebraucht.',
    'Warten Sie kurz, und laden Sie die Seite dann noch einmal.',
  ],
  internal_error: [
    'In diesem Dienst ist etwas fehlgeschlagen',
    'Es schlug auf eine Weise fehl, mit der wir nicht gerechnet haben.',
    'Laden Sie die Seite noch einmal. Schlägt es wieder fehl, schreiben Sie dem Betreiber, und nennen Sie die Anfrage unten.',
  ],
  caller_address_missing: [
    'Die Adresse des Aufrufers ist unbekannt, deshalb gelten seine Limits nicht',
    'Der Dienst wird ohne Cloudflare erreicht, und keine Vorstufe nennt die Adresse des Aufrufers.',
    'Wenn Sie den Dienst betreiben, setzen Sie, was how_to_configure auflistet. Sonst schreiben Sie dem Betreiber.',
  ],
  niche_names_brand: [
    'Der Markt nennt eine gemessene Marke, also stünde sie in jeder Frage',
    'Eine Antwort auf eine Frage, die die Marke nennt, sagt nichts darüber, wie bekannt die Marke ist.',
    'Beschreiben Sie den Markt ohne die Marke, zum Beispiel „Laufschuhe“, und senden Sie die Anfrage noch einmal.',
  ],
  not_publishable: [
    'Dieser Bericht kann nicht veröffentlicht werden',
    'Nur Prüfungen der Startseite einer Website mit allen vier Bewertungen und dem erkannten Profil können öffentlich sein.',
    'Kaufen Sie eine vollständige Prüfung der Startseite ohne Profil, und veröffentlichen Sie diesen Bericht.',
  ],
  dry_run_with_payment: [
    'Ein Probelauf nimmt keine Zahlung an',
    'Die Adresse enthält `dry`, und die Anfrage enthält eine Zahlung; was gemeint war, ist nicht klar. Die Zahlung wurde nicht gelesen.',
    'Lassen Sie die Zahlung weg, um zu sehen, was berechnet würde, oder lassen Sie `dry` weg, um mit derselben Zahlung zu kaufen.',
  ],
  loop_detected: [
    'Eine Prüfung dieses Dienstes hat eine weitere angefordert',
    'Die geprüfte Adresse führt zu diesem Dienst zurück. Die Prüfung würde nie enden und wurde deshalb gestoppt.',
    'Prüfen Sie eine Adresse, die nicht zu diesem Dienst gehört.',
  ],
  stopped: [
    'Die Vorschau wurde gestoppt',
    'Die Verbindung endete, bevor die Vorschau vollständig war.',
    'Starten Sie die Vorschau noch einmal, und lassen Sie die Seite offen, bis sie endet.',
  ],
  unknown_capability: [
    'Diese Leistung gibt es nicht',
    'Der letzte Teil der Adresse ist keine Leistung dieses Dienstes.',
    'Wählen Sie eine Leistung aus der Preisliste. Programme finden die Namen unter GET /api/agent/index.',
  ],
  report_not_found: [
    'Hier gibt es keinen Bericht',
    'Die Adresse enthält einen Tippfehler, der Bericht wurde gelöscht, oder seine Zahlung wurde nicht ausgeführt.',
    'Vergleichen Sie die Adresse mit der, die Sie nach dem Kauf erhielten, oder starten Sie eine neue Prüfung oder Messung.',
  ],
  publish_refused: [
    'Das Token zum Veröffentlichen gehört nicht zu diesem Bericht',
    'Nur wer einen Bericht gekauft hat, kann ihn veröffentlichen oder zurücknehmen.',
    'Kopieren Sie publish_token aus der Antwort auf den Kauf dieses Berichts.',
  ],
  history_not_found: [
    'Zu dieser Website ist nichts veröffentlicht',
    'Ein Verlauf beginnt mit dem ersten Bericht, den sein Käufer veröffentlicht.',
    'Prüfen Sie die Website, und veröffentlichen Sie den Bericht.',
  ],
  report_expired: [
    'Dieser Bericht ist abgelaufen',
    'Berichte können 30 Tage lang gelesen werden. Diese Zeit ist für diesen Bericht vorbei.',
    'Starten Sie eine neue Prüfung oder Messung, um zu sehen, wie es heute aussieht.',
  ],
  not_acceptable: [
    'Diese Form hat der Bericht nicht',
    'Die Endung der Adresse verlangt eine Form, in der dieser Bericht nicht vorliegt.',
    'Öffnen Sie die Seite des Berichts: Sie führt zu jeder vorhandenen Form.',
  ],
  not_comparable: [
    'Diese beiden Berichte lassen sich nicht vergleichen',
    'Was sich geändert hat, wird zwischen zwei Berichten über dieselbe Adresse einer Website oder über dieselbe Marke und denselben Markt gezeigt.',
    'Öffnen Sie einen Bericht und fügen Sie unter „Was sich geändert hat“ die Adresse eines früheren Berichts über dasselbe ein.',
  ],
  pdf_unavailable: [
    'Von diesem Bericht kann gerade kein PDF erstellt werden',
    'Für ein PDF ist ein Browser nötig. Dieser Dienst hat keinen, oder er ist ausgelastet.',
    'Öffnen Sie die Seite des Berichts, und drucken Sie sie als PDF, oder versuchen Sie es in einer Minute noch einmal.',
  ],
  declined: [
    'Der Kauf wurde abgelehnt',
    'Der Preis wurde angezeigt, und die Antwort war nein. Es wurde nichts gekauft oder abgebucht.',
    'Rufen Sie ein anderes Tool auf, oder dasselbe noch einmal, wenn der Preis akzeptiert ist.',
  ],
  invalid_view: [
    'Diese Ansicht eines Ergebnisses gibt es nicht',
    'Ein Ergebnis wird als summary, standard oder full gelesen. Es wurde nichts berechnet.',
    'Korrigieren Sie `view`, oder lassen Sie es weg, und senden Sie dieselbe Anfrage mit derselben Zahlung noch einmal.',
  ],
  invalid_fields: [
    'Die Auswahl der Felder ist nicht lesbar',
    '`fields` ist keine Liste von Feldern, oder es hat mehr als 100 Pfade oder mehr als 10 Ebenen. Es wurde nichts berechnet.',
    'Korrigieren Sie `fields`, oder lassen Sie es weg, und senden Sie dieselbe Anfrage noch einmal.',
  ],
  unknown_section: [
    'Diesen Abschnitt hat der Bericht nicht',
    'Berichte haben die Abschnitte, die ihre Leistung füllt.',
    'Wählen Sie einen Abschnitt aus `sections` der Zusammenfassung.',
  ],
  unknown_fix: [
    'Diese Korrektur hat der Bericht nicht',
    'Eine Korrektur wird über ihre ID gelesen. Das ist die einer Prüfung oder eines Themas.',
    'Nehmen Sie die ID aus `do_first` der Zusammenfassung oder aus dem Abschnitt `fixes`.',
  ],
  invalid_filter: [
    'Der Abschnitt kann so nicht gefiltert werden',
    'Jeder Abschnitt hat eigene Filter, und jeder Filter hat eigene Werte.',
    'Korrigieren Sie den Filter, oder lassen Sie ihn weg.',
  ],
  invalid_cursor: [
    'Der Cursor gehört nicht zu dieser Liste',
    'Ein Cursor setzt nur die Liste fort, die ihn ausgegeben hat, mit denselben Filtern.',
    'Rufen Sie die erste Seite ohne Cursor ab, und geben Sie `next_cursor` jeder Antwort unverändert weiter.',
  ],
  run_not_found: [
    'Die Antworten dieser Messung sind nicht hier',
    'Die Adresse enthält einen Tippfehler, die Messung wurde nicht bezahlt, oder ihre 30 Tage sind vorbei.',
    'Öffnen Sie den Bericht der Messung, oder messen Sie noch einmal.',
  ],
  operator_sign_in_required: [
    'Melden Sie sich als Betreiber an, und senden Sie Cookie und Token in x-csrf-token',
    'Diese Adresse ist für angemeldete Betreiber.',
    'Melden Sie sich unter /console/ an, und senden Sie dann das Cookie und sein Token.',
  ],
  foreign_origin: [
    'Dieses Formular kam nicht von einer Seite dieses Dienstes',
    'Der Browser meldet, dass eine Seite einer anderen Website es gesendet hat. Es wurde deshalb nicht gelesen.',
    'Öffnen Sie die Seite dieses Dienstes, und senden Sie das Formular von dort.',
  ],
  operator_only: [
    'Das ist Betreibern vorbehalten',
    'Das Konto, mit dem Sie angemeldet sind, ist keines eines Betreibers.',
    'Melden Sie sich mit einem Betreiberkonto an, oder bitten Sie einen Betreiber darum.',
  ],
  operator_enabled: [
    'Nur dieser Betreiber oder der Inhaber des Betreibergeheimnisses kann dieses Geheimnis ändern',
    'Andere Betreiber dürfen Geheimnisse nur für gesperrte Betreiber setzen.',
    'Bitten Sie diesen Betreiber, es zu ändern, oder verwenden Sie das Betreibergeheimnis der Installation.',
  ],
  sign_in_too_old: [
    'Melden Sie sich noch einmal an: Hier entstehen oder enden Zugangsdaten',
    'Wer Zugangsdaten ändert, muss sich kurz zuvor angemeldet haben.',
    'Melden Sie sich ab und wieder an, und wiederholen Sie die Änderung.',
  ],
  already_created: [
    'Eine frühere Anfrage mit demselben Idempotency-Key hat das schon angelegt',
    'Die frühere Anfrage wurde ausgeführt. Das Geheimnis, das dabei entstand, war nur in ihrer Antwort.',
    'Verwenden Sie den angelegten Eintrag. Ist sein Geheimnis verloren, löschen Sie ihn, und legen Sie mit einem neuen Schlüssel einen anderen an.',
  ],
  last_operator: [
    'Niemand sonst könnte sich als Betreiber anmelden: Legen Sie zuerst einen anderen an',
    'Ohne diesen Betreiber hätte der Dienst keinen.',
    'Legen Sie einen zweiten Betreiber an, und wiederholen Sie die Änderung.',
  ],
  directory_user_taken: [
    'Ein anderer Betreiber hat diese Nutzer-ID des Verzeichnisses',
    'Ein Nutzer des Verzeichnisses gehört zu genau einem Betreiber.',
    'Wählen Sie eine andere Nutzer-ID, oder entfernen Sie sie zuerst vom anderen Betreiber.',
  ],
  form_expired: [
    'Dieses Formular ist nicht mehr gültig: Öffnen Sie die Seite noch einmal',
    'Sie haben sich neu angemeldet, seit Sie das Formular geöffnet haben, oder es stammt aus einem anderen Browser.',
    'Öffnen Sie die Seite noch einmal, und senden Sie das Formular von dort.',
  ],
  sign_in_refused: [
    'Die Anmeldung wurde abgelehnt',
    'Ihre Eingabe weist nicht nach, wer Sie sind.',
    'Prüfen Sie Adresse, Signatur oder Geheimnis, und melden Sie sich noch einmal an.',
  ],
  sign_in_needed: [
    'Sie sind nicht angemeldet',
    'Sie haben sich noch nicht angemeldet, oder Ihre Anmeldung ist beendet.',
    'Melden Sie sich an, und öffnen Sie die Seite dann noch einmal.',
  ],
  wallet_proof_needed: [
    'Diese Liste verlangt einen Nachweis der Wallet',
    'Berichte werden der Wallet gezeigt, die sie gekauft hat; die Anfrage hat nicht nachgewiesen, welche fragt.',
    'Signieren Sie die Nachricht aus `extensions` dieser Antwort, und senden Sie den Nachweis im Header, den die Dokumentation nennt.',
  ],
  wallet_proof_refused: [
    'Der Nachweis der Wallet wird abgelehnt',
    'Der gesendete Nachweis zeigt nicht, welche Wallet fragt.',
    'Signieren Sie die Nachricht aus `extensions` dieser Antwort; sie gilt einmal und fünf Minuten.',
  ],
  too_many_attempts: [
    'Zu viele Versuche: Warten Sie bis zum nächsten',
    'Aus Ihrem Netz kamen in kurzer Zeit viele Versuche dieser Art.',
    'Warten Sie einige Minuten, und versuchen Sie es dann noch einmal.',
  ],
  chain_unavailable: [
    'Ihre Wallet kann gerade nicht geprüft werden',
    'Signaturen von Smart Wallets werden auf der Blockchain geprüft, und diese hat nicht geantwortet.',
    'Versuchen Sie es in einer Minute noch einmal.',
  ],
  invalid_address: [
    'Das ist keine Ethereum-Adresse',
    'Eine Adresse besteht aus 0x und 40 hexadezimalen Ziffern.',
    'Kopieren Sie die Adresse aus Ihrer Wallet.',
  ],
  invalid_cap: [
    'Das Tageslimit liegt außerhalb des Bereichs',
    'Das Limit ist keine Zahl, oder es liegt außerhalb des Bereichs, der eingestellt werden kann.',
    'Geben Sie einen Betrag in US-Dollar innerhalb des Bereichs ein, den das Formular nennt.',
  ],
  invalid_authorization_request: [
    'Die App kann Sie so nicht anmelden',
    'Die App, die Sie hierher geschickt hat, hat auf eine Weise angefragt, die nicht erlaubt ist.',
    'Starten Sie die Anmeldung noch einmal aus der App. Schlägt sie wieder fehl, melden Sie es dem Hersteller der App.',
  ],
  revocation_unfinished: [
    'Der Zugriff ist beendet, aber noch nicht jeder Teil des Dienstes weiß davon',
    'Mehrere Stellen bewahren Token auf, und einige haben nicht geantwortet. Bis dahin kann ein Token dort noch gelten.',
    'Warten Sie: Der Dienst fragt alle 5 Sekunden selbst weiter, bis alle es wissen. Zugriffstoken enden ohnehin binnen einer Stunde.',
  ],
  consent_not_kept: [
    'Die App hat keinen Zugriff erhalten',
    'Ein Teil des Dienstes, der Ihre Erlaubnisse speichert, hat nicht rechtzeitig geantwortet.',
    'Starten Sie die Anmeldung in einer Minute noch einmal aus der App.',
  ],
  sign_in_unavailable: [
    'Anmeldungen und Konten sind gerade nicht lesbar',
    'Ein Teil des Dienstes hat nicht rechtzeitig geantwortet. Was Sie gesendet haben, kann trotzdem ausgeführt worden sein.',
    'Warten Sie einige Sekunden, sehen Sie nach, ob es ausgeführt wurde, und senden Sie es sonst noch einmal.',
  ],
  account_not_deleted: [
    'Das Konto wurde nicht gelöscht',
    'Vorher muss noch etwas gesagt oder beendet werden. Es wurde nichts geändert.',
    'Öffnen Sie die Seite zum Löschen des Kontos, lesen Sie, was sie verlangt, und senden Sie das Formular von dort.',
  ],
  card_event_refused: [
    'Das Ereignis wird nicht angenommen',
    'Seine Signatur stammt nicht vom Schlüssel dieser Adresse, ist älter als 300 Sekunden, oder der Inhalt ist nicht lesbar.',
    'Vergleichen Sie STRIPE_WEBHOOK_SECRET mit dem Schlüssel der Adresse bei Stripe, und senden Sie das Ereignis von dort noch einmal.',
  ],
  cards_unavailable: [
    'Guthaben kann gerade nicht mit Karte gekauft werden',
    'Karten sind hier nicht eingerichtet, oder der Zahlungsdienst hat nicht geantwortet. Es wurde nichts abgebucht.',
    'Öffnen Sie die Seite Ihres Guthabens in einer Minute noch einmal, oder zahlen Sie mit USDC.',
  ],
  sign_in_way_refused: [
    'Die Wege zur Anmeldung wurden nicht geändert',
    'Dieser Weg kann dem Konto nicht hinzugefügt oder nicht genommen werden. Es wurde nichts geändert.',
    'Öffnen Sie die Seite mit den Wegen zur Anmeldung, und lesen Sie, was im Einzelnen dazu gesagt ist.',
  ],
  grant_not_found: [
    'Diese App hat keinen Zugriff auf Ihr Konto',
    'Der Zugriff wurde schon entzogen oder nie erteilt.',
    'Öffnen Sie Ihr Konto noch einmal, um zu sehen, welche Apps Zugriff haben.',
  ],
  monitor_not_found: [
    'In Ihrem Konto ist kein Monitor mit dieser ID',
    'Die ID ist falsch geschrieben, der Monitor wurde gelöscht, oder er gehört zu einem anderen Konto.',
    'Nehmen Sie die ID aus der Liste Ihrer Monitore.',
  ],
  monitor_run_under_way: [
    'Ein Lauf dieses Monitors ist noch nicht zu Ende',
    'Ein Monitor hat immer nur einen Lauf zur selben Zeit.',
    'Warten Sie, bis der Lauf zu Ende ist.',
  ],
  monitors_unavailable: [
    'Die Monitore sind gerade nicht erreichbar',
    'Der Teil des Dienstes, der sie aufbewahrt, hat nicht geantwortet. Was Sie gesendet haben, kann trotzdem ausgeführt worden sein.',
    'Warten Sie einige Sekunden, sehen Sie nach, ob es ausgeführt wurde, und senden Sie es sonst noch einmal.',
  ],
  host_not_claimed: [
    'In Ihrem Konto ist kein Host mit diesem Namen',
    'Der Name ist falsch geschrieben, oder er wurde für Ihr Konto noch nicht eingetragen.',
    'Nehmen Sie den Namen aus der Liste Ihrer Hosts, oder tragen Sie ihn ein.',
  ],
  host_not_proven: [
    'Es ist nicht nachgewiesen, dass der Host Ihnen gehört',
    'Der Wert, der es nachweist, wurde nie gefunden oder ist nicht mehr da.',
    'Legen Sie den TXT-Eintrag oder die Datei an, und lassen Sie dann danach suchen.',
  ],
  invalid_range: [
    'Diese Tage lassen sich nicht zusammen lesen',
    'Ein Zeitraum hat einen ersten und einen letzten Tag des Kalenders, in dieser Reihenfolge, und höchstens 92 Tage.',
    'Nennen Sie beide Tage in der Form 2026-11-28, oder lassen Sie beide weg: Dann sind es die letzten 28 Tage.',
  ],
  counts_token_wrong: [
    'Das Token für Zählungen gilt hier nicht',
    'Es wurde keines gesendet, es wurde ersetzt, oder es gilt für einen anderen Host.',
    'Holen Sie auf der Seite des Hosts ein neues Token.',
  ],
  precondition_required: [
    'Es fehlt die Angabe, welche Fassung geändert werden soll',
    'Ohne sie könnte eine Änderung rückgängig machen, was ein anderes Programm inzwischen geändert hat.',
    'Lesen Sie den Eintrag noch einmal, und ändern Sie dann diese Fassung.',
  ],
  precondition_failed: [
    'Der Eintrag wurde inzwischen geändert, es wurde nichts ausgeführt',
    'Die Fassung, die Sie ändern wollten, ist nicht mehr die aktuelle.',
    'Lesen Sie den Eintrag noch einmal, sehen Sie nach, was sich geändert hat, und wiederholen Sie dann Ihre Änderung.',
  ],
  idempotency_key_required: [
    'Der Anfrage fehlt ein eigener Schlüssel',
    'Mit ihm führt eine Wiederholung nichts doppelt aus.',
    'Senden Sie im Header Idempotency-Key einen zufälligen Text, und bei einer Wiederholung denselben.',
  ],
  token_required: [
    'Für diese Anfrage braucht es ein Token',
    'Es wurde kein Token gesendet, oder es ist abgelaufen, wurde widerrufen oder gilt für etwas anderes.',
    'Holen Sie ein Token für die Ressource, die WWW-Authenticate nennt, und senden Sie die Anfrage damit noch einmal.',
  ],
};

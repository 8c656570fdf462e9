import type { creditReasonRows, reasonRows } from '../../../payment/terms/reasons-data.ts';
import type { ProblemRowWords } from '../word-tables.ts';

const NEW_PAYMENT =
  'Lesen Sie die neuen Bedingungen dieser Antwort, und senden Sie die Anfrage mit einer neuen Zahlung noch einmal.';
const SAME_AGAIN =
  'Warten Sie, und senden Sie dieselbe Anfrage mit derselben Zahlung noch einmal. Doppelt berechnet wird nichts.';
const WAIT_AND_REPEAT = 'Warten Sie, und senden Sie dieselbe Anfrage mit derselben Zahlung noch einmal.';
const SIGN_PROOF =
  'Signieren Sie den Nachweis, den extensions.direct-transfer der Bedingungen beschreibt, und senden Sie ihn mit dem Hash.';

/** Every way that a paid request ends without its result: what happened, what it means, what to do next. */
export const germanPaymentProblems: Readonly<
  Record<keyof typeof reasonRows | keyof typeof creditReasonRows, ProblemRowWords>
> = {
  payment_required: [
    'Eine Zahlung ist erforderlich',
    'Dieser Aufruf kostet Geld, und die Anfrage enthielt keine Zahlung.',
    'Zahlen Sie nach den Bedingungen im Header PAYMENT-REQUIRED, und senden Sie dieselbe Anfrage mit PAYMENT-SIGNATURE. Ein offizieller x402-Client verweigert von sich aus mehr als 1 USD, bis spendControls.maxAmountPerPayment erhöht wird.',
  ],
  invalid_payload: [
    'PAYMENT-SIGNATURE ist nicht lesbar',
    'Der Header ist weder eine Base64-Nutzlast von x402 Version 2 noch ein Transaktions-Hash. Es wurde nichts berechnet.',
    'Erzeugen Sie den Header mit einem Client für x402 Version 2, oder senden Sie den Hash Ihrer USDC-Überweisung.',
  ],
  several_payments: [
    'Die Anfrage bringt mehr als eine Zahlung',
    'Ein Aufruf nimmt genau eine Zahlung. Keine dieser Zahlungen wurde geprüft, und es wurde nichts berechnet.',
    'Senden Sie die Anfrage noch einmal mit einer der Zahlungen.',
  ],
  payer_proof_invalid: [
    'Der Zahlernachweis stammt nicht vom Zahler dieser Zahlung: Signieren Sie ihn neu',
    'Die Signatur des Nachweises stammt nicht von der Adresse, von der die Überweisung kam.',
    'Signieren Sie den Nachweis mit dem Schlüssel der zahlenden Adresse für diese Überweisung und diesen Body, und senden Sie ihn noch einmal.',
  ],
  payer_proof_expired: [
    'Der Zahlernachweis gilt jetzt nicht: Signieren Sie ihn neu',
    'Ein Zahlernachweis gilt nur kurz, und dieser ist zu alt oder vordatiert.',
    'Prüfen Sie die Uhr Ihres Rechners, signieren Sie einen neuen Nachweis, und senden Sie die Anfrage noch einmal.',
  ],
  credential_invalid: [
    'Die Zahlungsangaben des Verfahrens Payment sind nicht lesbar',
    'Authorization enthält keine Angaben von MPP mit einer EIP-3009-Autorisierung. Es wurde nichts berechnet.',
    'Erzeugen Sie die Angaben mit einem Client für MPP zu einer Challenge dieser Antwort, und senden Sie die Anfrage noch einmal.',
  ],
  challenge_invalid: [
    'Die Challenge gehört nicht zu dieser Ressource',
    'Der Dienst hat für diese Adresse keine solche Challenge ausgestellt, oder die Zahlung ist nicht an sie gebunden.',
    'Bezahlen Sie eine Challenge dieser Antwort, und senden Sie die Anfrage mit deren Angaben noch einmal.',
  ],
  wrong_route: [
    'Die Zahlung gilt einer anderen Ressource',
    'Die signierte Zahlung nennt eine andere Adresse dieses Dienstes.',
    'Nehmen Sie die Bedingungen aus dieser Antwort, signieren Sie sie, und senden Sie die Anfrage an die Adresse, die sie nennen.',
  ],
  wrong_terms: [
    'Die Zahlung nimmt die Bedingungen dieser Ressource nicht an',
    'Verfahren, Netzwerk, Währung oder eine andere Angabe der Zahlung weicht von den Bedingungen ab.',
    NEW_PAYMENT,
  ],
  wrong_amount: [
    'Der signierte Betrag ist nicht der Preis',
    'Der signierte Betrag weicht vom Preis dieser Leistung ab.',
    NEW_PAYMENT,
  ],
  wrong_recipient: [
    'Die Zahlung geht nicht an den Empfänger dieses Dienstes',
    'Die Zahlung geht an eine Adresse, die nicht payTo der Bedingungen ist.',
    NEW_PAYMENT,
  ],
  authorization_expired: [
    'Die Autorisierung ist abgelaufen',
    'Die signierte Autorisierung galt bis zu einem Zeitpunkt, der vorbei ist. Es wurde nichts berechnet.',
    NEW_PAYMENT,
  ],
  authorization_expires_too_soon: [
    'Die Autorisierung läuft ab, bevor Arbeit und Zahlung abgeschlossen sind',
    'Die Arbeit kann länger dauern, als die Autorisierung gilt. Es wurde nichts berechnet.',
    'Signieren Sie die neuen Bedingungen mit den vollen maxTimeoutSeconds, und senden Sie die Anfrage noch einmal.',
  ],
  authorization_expires_too_late: [
    'Die Autorisierung gilt zu lange',
    'Eine Autorisierung, die lange gilt, könnte noch verwendet werden, wenn Sie sie vergessen haben. Es wurde nichts berechnet.',
    'Signieren Sie die neuen Bedingungen mit höchstens maxTimeoutSeconds, und senden Sie die Anfrage noch einmal.',
  ],
  authorization_not_yet_valid: [
    'Die Autorisierung gilt noch nicht',
    'Die Autorisierung beginnt in der Zukunft. Es wurde nichts berechnet.',
    'Prüfen Sie die Uhr Ihres Rechners, signieren Sie die neuen Bedingungen, und senden Sie die Anfrage noch einmal.',
  ],
  invalid_signature: [
    'Die Signatur stammt nicht vom Zahler',
    'Die Autorisierung wurde nicht mit dem Schlüssel ihres Zahlers signiert. Es wurde nichts berechnet.',
    'Signieren Sie die neuen Bedingungen mit dem Schlüssel der zahlenden Adresse, und senden Sie die Anfrage noch einmal.',
  ],
  insufficient_funds: [
    'Der Zahler hat zu wenig USDC',
    'Das Guthaben der zahlenden Adresse ist kleiner als der Preis. Es wurde nichts berechnet.',
    'Senden Sie USDC auf Base an die zahlende Adresse, und senden Sie die Anfrage dann mit einer neuen Zahlung noch einmal.',
  ],
  payment_refused: [
    'Der Facilitator lehnt die Zahlung ab',
    'Der Dienst, der Zahlungen ausführt, nimmt diese nicht an. Es wurde nichts berechnet.',
    NEW_PAYMENT,
  ],
  settlement_refused: [
    'Die Zahlung wurde nicht ausgeführt; es wurde nichts berechnet',
    'Die Arbeit wurde getan, die Zahlung konnte aber nicht ausgeführt werden. Sie erhalten deshalb kein Ergebnis.',
    NEW_PAYMENT,
  ],
  transaction_not_found: [
    'Auf Base ist keine Transaktion mit diesem Hash bekannt',
    'Der Hash gehört zu einem anderen Netzwerk, enthält einen Tippfehler, oder die Transaktion wurde nie gesendet.',
    'Schlagen Sie den Hash auf basescan.org nach, und senden Sie die Anfrage mit einem Hash noch einmal, der dort steht.',
  ],
  transaction_reverted: [
    'Die Transaktion schlug fehl: Sie hat nichts bezahlt',
    'Die Transaktion steht auf der Blockchain, hat aber kein USDC bewegt.',
    'Senden Sie eine neue Überweisung, und senden Sie die Anfrage mit deren Hash noch einmal.',
  ],
  no_matching_transfer: [
    'Die Transaktion sendet dem Empfänger kein USDC',
    'Die Transaktion sendet eine andere Währung, oder sie sendet USDC an eine andere Adresse.',
    'Senden Sie USDC auf Base an payTo der Bedingungen, und senden Sie die Anfrage mit diesem Hash noch einmal.',
  ],
  transfer_source_refused: [
    'Die Überweisung kommt vom Empfänger selbst oder aus einer Neuausgabe',
    'Eine solche Überweisung ist keine Zahlung eines Käufers.',
    'Senden Sie USDC von Ihrer eigenen Adresse, und senden Sie die Anfrage mit diesem Hash noch einmal.',
  ],
  transfer_too_small: [
    'Die Überweisung ist kleiner als der Preis',
    'Die Überweisung deckt den Preis dieser Leistung nicht, und Überweisungen werden nicht addiert.',
    'Überweisen Sie mindestens den Preis, und senden Sie die Anfrage mit dem neuen Hash noch einmal.',
  ],
  transfer_too_old: [
    'Die Überweisung ist älter als erlaubt',
    'Überweisungen werden nach ihrem Block nur begrenzte Zeit angenommen.',
    'Senden Sie eine neue Überweisung, und senden Sie die Anfrage bald danach mit deren Hash noch einmal.',
  ],
  payer_proof_required: [
    'Eine Überweisung dieser Höhe braucht einen Zahlernachweis',
    'Den Hash einer Überweisung kann jeder auf der Blockchain lesen. Größere brauchen deshalb eine Signatur ihres Zahlers.',
    SIGN_PROOF,
  ],
  payer_key_required: [
    'Eine Smart Wallet kauft Guthaben nur im ersten Netz',
    'Ihre Adresse kann im ersten Netz, in dem sie sich anmeldet, jemand anderem gehören; nichts wurde abgebucht, und eine Überweisung ist nicht verbraucht.',
    'Zahlen Sie im ersten Netz aus `accepts` oder mit einer Wallet, deren eigener Schlüssel signiert. Eine Überweisung kauft weiterhin einen Bericht.',
  ],
  wallet_removed: [
    'Diese Wallet wurde aus ihrem Konto entfernt: Sie kauft kein Guthaben',
    'Eine entfernte Wallet öffnet 40 Tage lang kein Konto, das Guthaben könnte also niemand ausgeben; nichts wurde abgebucht, und eine Überweisung ist nicht verbraucht.',
    'Zahlen Sie mit einer anderen Wallet, oder melden Sie sich auf anderem Weg im Konto an, fügen Sie diese Wallet wieder hinzu und senden Sie dieselbe Anfrage.',
  ],
  payment_in_progress: [
    'Eine laufende Anfrage verwendet diese Zahlung',
    'Eine Anfrage mit derselben Zahlung läuft noch.',
    SAME_AGAIN,
  ],
  payment_already_used: [
    'Diese Zahlung wurde schon verwendet',
    'Die Zahlung hat ein Ergebnis gekauft, das nur sein Käufer noch einmal erhält. Es wurde nichts Neues berechnet.',
    'Wenn Sie jenes Ergebnis verloren haben, senden Sie dieselbe Anfrage noch einmal: bei einer signierten Zahlung mit dem Angebot der 402 oder Ihrem payment-identifier, bei einer Überweisung mit einem Zahlernachweis. Für ein anderes Ergebnis leisten Sie eine neue Zahlung.',
  ],
  transfer_is_settlement: [
    'Die Überweisung ist die Ausführung einer signierten Autorisierung',
    'Diese Transaktion hat einen Kauf mit einer signierten Zahlung beglichen und bezahlt deshalb nichts anderes.',
    'Senden Sie für ihr Ergebnis die ursprüngliche Anfrage mit der signierten Zahlung, oder leisten Sie eine neue Überweisung.',
  ],
  cancelled: [
    'Der Aufruf wurde vor der Zahlung abgebrochen; es wurde nichts berechnet',
    'Der Client beendete den Aufruf, bevor seine Zahlung ausgeführt war.',
    'Senden Sie die Anfrage noch einmal, wenn Sie das Ergebnis noch wollen.',
  ],
  payment_identifier_reused: [
    'Der payment-identifier gehört zu einer anderen Zahlung',
    'Ein payment-identifier benennt genau eine Zahlung, und dieser kam schon mit einer anderen.',
    'Senden Sie die Anfrage mit einem neuen payment-identifier noch einmal, oder mit der Zahlung, zu der er gehört.',
  ],
  ambiguous_transfer: [
    'Die Transaktion enthält mehrere Überweisungen: Legen Sie sie mit einem Zahlernachweis vor',
    'Mehrere Überweisungen der Transaktion würden diesen Aufruf bezahlen. Der Hash allein sagt nicht, wessen er ist.',
    SIGN_PROOF,
  ],
  too_many_in_flight: [
    'Zu viele offene Anfragen dieses Zahlers',
    'Mehrere bezahlte Anfragen dieses Zahlers laufen noch. Es wurde nichts berechnet.',
    'Warten Sie auf deren Antworten, und senden Sie dann dieselbe Anfrage noch einmal.',
  ],
  too_many_failures: [
    'Zu viele fehlgeschlagene Anfragen: Warten Sie bis zur nächsten',
    'Innerhalb einer Stunde sind viele Anfragen dieses Zahlers fehlgeschlagen. Es wurde nichts berechnet.',
    'Warten Sie so lange, wie Retry-After angibt, und prüfen Sie die Adressen und Bodys, die Sie senden.',
  ],
  too_many_failed_payments: [
    'Zu viele Zahlungen, die sich nicht bestätigen lassen',
    'Von hier kamen viele Zahlungen, die sich nicht bestätigen ließen. Es wurde nichts berechnet.',
    'Warten Sie so lange, wie Retry-After angibt, und prüfen Sie die Zahlung einer Anfrage, bevor Sie weitere senden.',
  ],
  payment_pending: [
    'Die Transaktion ist noch nicht endgültig: Senden Sie die Anfrage noch einmal',
    'Die Transaktion ist unterwegs, oder ihr Block ist zu neu, um sich darauf zu verlassen.',
    'Warten Sie, und senden Sie dieselbe Anfrage mit demselben Hash noch einmal. Zahlen Sie nicht noch einmal.',
  ],
  payment_unverifiable: [
    'Die Zahlung kann gerade nicht geprüft werden; es wurde nichts berechnet',
    'Die Blockchain oder der Facilitator hat nicht geantwortet.',
    SAME_AGAIN,
  ],
  settlement_unknown: [
    'Ob die Zahlung ausgeführt wurde, ist noch nicht bekannt: Fragen Sie mit derselben Zahlung noch einmal',
    'Die Zahlung wurde zur Ausführung übergeben, und es kam noch keine Antwort.',
    SAME_AGAIN,
  ],
  ledger_unavailable: [
    'Der Dienst kann Zahlungen gerade nicht nachschlagen; es wurde nichts berechnet',
    'Der Teil des Dienstes, der weiß, welche Berichte bezahlt sind, hat nicht geantwortet.',
    'Laden Sie die Seite in einigen Sekunden noch einmal.',
  ],
  result_unavailable: [
    'Sie haben dieses Ergebnis bezahlt, es ist aber gerade nicht lesbar: Wiederholen Sie die Anfrage',
    'Sie haben bezahlt, und das gespeicherte Ergebnis konnte dieses Mal nicht gelesen werden.',
    SAME_AGAIN,
  ],
  store_unavailable: [
    'Das Ergebnis konnte nicht gespeichert werden; es wurde nichts berechnet',
    'Ein Ergebnis, das nicht gespeichert werden kann, wird nicht verkauft.',
    WAIT_AND_REPEAT,
  ],
  not_configured: [
    'Dieser Dienst ist dafür nicht eingerichtet',
    'Es fehlt eine Einstellung, deshalb kann hier nichts gekauft oder veröffentlicht werden.',
    'Schreiben Sie dem Betreiber des Dienstes.',
  ],
  capability_unavailable: [
    'Die Leistung wird gerade nicht angeboten',
    'Etwas, das diese Leistung braucht, fehlt oder ist angehalten.',
    'Versuchen Sie es später noch einmal, oder wählen Sie eine andere Leistung.',
  ],
  engine_not_configured: [
    'Es ist keine Antwortmaschine eingerichtet',
    'Diese Leistung befragt ein KI-Modell, und diese Installation hat keines.',
    'Wenn Sie den Dienst betreiben, setzen Sie ANSWER_ENGINE und den zugehörigen Schlüssel. Sonst wählen Sie eine Leistung, die eine Website liest.',
  ],
  transfers_only: [
    'Diese Leistung nimmt gerade nur direkte Überweisungen an',
    'Signierte Zahlungen können zurzeit nicht ausgeführt werden.',
    'Senden Sie USDC an payTo der Bedingungen, und legen Sie den Transaktions-Hash vor, oder versuchen Sie es später noch einmal.',
  ],
  service_busy: [
    'Der Dienst ist ausgelastet; es wurde nichts berechnet: Senden Sie dieselbe Anfrage noch einmal',
    'Andere Prüfungen belegen den gesamten Speicher, den dieser Dienst für Prüfungen hat.',
    WAIT_AND_REPEAT,
  ],
  target_refused: [
    'Die URL nennt eine Adresse, die nicht abgerufen wird',
    'Geprüft werden nur öffentliche http- und https-Adressen auf ihren üblichen Ports. Es wurde nichts berechnet.',
    'Senden Sie die öffentliche Adresse der Website, zum Beispiel https://example.com/.',
  ],
  target_busy: [
    'Dieser Host wird gerade zu oft geprüft; es wurde nichts berechnet',
    'Alle Aufrufer zusammen dürfen einen Host nur begrenzt oft prüfen, um ihn zu schonen.',
    WAIT_AND_REPEAT,
  ],
  target_unreachable: [
    'Die Website konnte nicht gelesen werden; es wurde nichts berechnet',
    'Die Website hat nicht mit einer Seite geantwortet, die geprüft werden kann.',
    'Öffnen Sie die Adresse in einem Browser, prüfen Sie Schreibweise, DNS und Firewall, und senden Sie die Anfrage dann noch einmal.',
  ],
  nothing_to_generate: [
    'Es gibt nichts, womit sich die Texte füllen lassen; es wurde nichts berechnet',
    'Keine Datei und kein Text enthielte einen Satz der Website oder von Ihnen: Alles wären Lücken.',
    'Ergänzen Sie auf der Website, was fehlt, oder geben Sie eigene Angaben an, wo die Anfrage sie annimmt, und senden Sie die Anfrage dann noch einmal.',
  ],
  measurement_incomplete: [
    'Die Messung konnte nicht abgeschlossen werden; es wurde nichts berechnet',
    'Die Antwortmaschine hat zu wenige der Fragen beantwortet, um der Zahl zu trauen.',
    'Senden Sie dieselbe Anfrage später noch einmal. Wenn Sie den Dienst betreiben, prüfen Sie Schlüssel und Limits der Antwortmaschine.',
  ],
  insufficient_credits: [
    'Das Guthaben ist kleiner als der Preis; es wurde nichts berechnet: Laden Sie unter POST /api/credits/5, 20 oder 100 auf',
    'Das Guthaben des Kontos deckt diesen Aufruf nicht.',
    'Kaufen Sie Guthaben von derselben Adresse aus, und wiederholen Sie dann den Aufruf.',
  ],
  client_cap_reached: [
    'Dieser Client hat ausgegeben, was sein Inhaber für 24 Stunden erlaubt; es wurde nichts berechnet',
    'Der Inhaber des Kontos hat für diesen Client ein Tageslimit gesetzt.',
    'Warten Sie, bis ältere Aufrufe 24 Stunden zurückliegen, oder bitten Sie den Inhaber, das Limit unter /account zu erhöhen.',
  ],
  idempotency_key_reused: [
    'Der Idempotency-Key gehört zu einem anderen Aufruf',
    'Ein Schlüssel benennt genau einen Aufruf. Dieser kam schon mit anderen Argumenten oder einer anderen Zahlung. Es wurde nichts berechnet.',
    'Wiederholen Sie für seine Antwort den ersten Aufruf mit seinen Argumenten und seiner Zahlung, oder verwenden Sie für einen neuen Aufruf einen neuen Schlüssel.',
  ],
  idempotency_key_invalid: [
    'Der Idempotency-Key ist kein Text aus 1 bis 255 druckbaren ASCII-Zeichen; es wurde nichts berechnet',
    'Der Schlüssel ist leer, zu lang oder enthält andere Zeichen.',
    'Senden Sie einen kurzen zufälligen Schlüssel, zum Beispiel eine UUID.',
  ],
  client_revoked: [
    'Der Inhaber des Kontos hat diesen Client gesperrt; es wurde nichts berechnet',
    'Das Konto lässt diesen Client kein Guthaben mehr ausgeben.',
    'Bitten Sie den Inhaber, den Client mit einer neuen Anmeldung wieder zuzulassen.',
  ],
  call_in_progress: [
    'Derselbe Aufruf läuft: Wiederholen Sie ihn für seine Antwort',
    'Ein Aufruf mit demselben Idempotency-Key ist noch nicht beendet.',
    'Warten Sie, und wiederholen Sie den Aufruf mit demselben Schlüssel. Er wird nur einmal berechnet.',
  ],
  call_superseded: [
    'Der Aufruf endete nach seiner Zeit, oder sein Client wurde inzwischen gesperrt: Das Ergebnis wurde verworfen, es wurde nichts berechnet',
    'Das reservierte Guthaben wurde zurückgegeben, bevor das Ergebnis fertig war.',
    'Wiederholen Sie den Aufruf mit einem neuen Idempotency-Key.',
  ],
  too_many_calls: [
    'Zu viele Aufrufe dieses Kontos laufen gleichzeitig',
    'Ein Konto hat ein Limit für gleichzeitige Aufrufe. Es wurde nichts berechnet.',
    'Warten Sie auf die Antwort eines laufenden Aufrufs, und wiederholen Sie dann diesen.',
  ],
  debit_unknown: [
    'Ob abgebucht wurde, ist noch nicht bekannt: Wiederholen Sie den Aufruf mit demselben Idempotency-Key, oder prüfen Sie Ihre Berichte',
    'Das Konto hat nicht bestätigt, ob der Aufruf bezahlt wurde.',
    'Warten Sie, und wiederholen Sie den Aufruf mit demselben Idempotency-Key. Er wird nur einmal berechnet.',
  ],
};

import type { BuyingWords, PurchaseWords } from './buying-words.ts';

const purchase: PurchaseWords = {
  wait: (seconds) => (seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`),
  minutes: (minutes) => `${minutes} Minuten`,
  restored: {
    bare: 'Ein Kauf in diesem Browser ist noch nicht abgeschlossen: Ihre Überweisung wurde vielleicht schon dafür verwendet. Fragen Sie noch einmal nach, oder weisen Sie nach, dass die Überweisung von Ihnen stammt.',
    other:
      'Ein Kauf in diesem Browser ist noch nicht abgeschlossen. Fragen Sie noch einmal nach: Es ist dieselbe Zahlung, nichts wird doppelt bezahlt.',
  },
  nothing: {
    signed: 'es wurde nichts abgebucht',
    transfer: 'Ihre Überweisung wurde nicht verwendet',
    credits: 'es wurde kein Guthaben verbraucht',
  },
  notBought: (nothing, detail) => `Nicht gekauft, ${nothing}: ${detail}`,
  code: (code) => `Code: ${code}.`,
  tryAgainIn: (wait) => `Versuchen Sie es in ${wait} noch einmal.`,
  notKnown: {
    signed: 'Ob etwas abgebucht wurde, ist nicht bekannt.',
    transfer: 'Ob Ihre Überweisung verwendet wurde, ist nicht bekannt.',
    credits: 'Ob Guthaben verbraucht wurde, ist nicht bekannt.',
  },
  again: (wait) => (wait === undefined ? 'Fragen Sie noch einmal nach' : `Fragen Sie in ${wait} noch einmal nach`),
  againBare: ', oder weisen Sie nach, dass die Überweisung von Ihnen stammt.',
  againSafe: ': Nichts wird doppelt bezahlt.',
  heldSigned: (said) =>
    `${said}. Das sagt nicht, ob ein früherer Versuch abgebucht wurde. Fragen Sie später noch einmal nach, und prüfen Sie Ihr Konto, bevor Sie erneut bezahlen.`,
  heldCredits: (said) =>
    `${said}. Das sagt nicht, ob ein früherer Versuch Guthaben verbraucht hat. Fragen Sie noch einmal nach: Derselbe Kauf wird nie zweimal abgebucht.`,
  heldProof: (said) =>
    `${said}. Das sagt nicht, ob Ihre Überweisung schon verwendet wurde. Ein neuer Zahlungsnachweis kann das Ergebnis liefern.`,
  usedByThis: (code) =>
    `Diese Überweisung wurde verwendet, wahrscheinlich für genau diese Bestellung, deren Antwort verloren ging (${code}). Ein neuer Zahlungsnachweis liefert das Ergebnis.`,
  usedBefore: (code) =>
    `Diese Überweisung wurde schon verwendet (${code}). Falls es für genau diese Bestellung war, liefert ein Zahlungsnachweis das Ergebnis.`,
  giveUp: 'Aufgeben heißt nur, dass der Kauf hier vergessen wird: Was abgebucht ist, bleibt abgebucht.',
  proofByWallet:
    'Ein Zahlungsnachweis ist eine Signatur des Kontos, von dem die Überweisung stammt, für genau diese Bestellung; er bewegt kein Geld.',
  proofByPasting:
    'Ein Zahlungsnachweis ist eine Signatur des Kontos, von dem die Überweisung stammt, für genau diese Bestellung; er bewegt kein Geld. „Überweisung als meine nachweisen“ zeigt die Nachricht, die zu signieren ist.',
  proofByCommand: (command) => `Auf der Kommandozeile, mit dem Schlüssel der Überweisung: ${command}`,
  givenUp: 'Aufgegeben: Dieser Browser fragt nicht mehr danach. Prüfen Sie Ihr Konto, bevor Sie erneut bezahlen.',
  givenUpTransfer: (hash) =>
    `Aufgegeben: Dieser Browser fragt nicht mehr danach. Bewahren Sie den Hash ${hash} auf: Ein Zahlungsnachweis kann das Ergebnis noch liefern.`,
  profile: (profile) =>
    `Sie haben die Art der Website gewählt (${profile}): Ein so gekaufter Bericht kann nie veröffentlicht werden und bekommt kein Badge. Um ihn veröffentlichen zu können, lassen Sie die Art der Website vorher ermitteln.`,
  codes: (network) => ({
    insufficient_funds: `Das Konto Ihrer Wallet hat nicht genug USDC auf ${network}. Laden Sie es auf.`,
    invalid_signature: 'Die Signatur passt nicht zur Zahlung. Signieren Sie noch einmal.',
    payer_key_required:
      'Ihre Wallet ist ein Contract und kauft Guthaben nur auf dem ersten Netzwerk. Wählen Sie dieses, oder nehmen Sie eine Wallet mit eigenem Schlüssel.',
    authorization_expired: 'Die Signatur ist abgelaufen. Signieren Sie noch einmal.',
    authorization_expires_too_soon: 'Die Signatur läuft zu bald ab. Signieren Sie noch einmal.',
    settlement_refused: 'Die Zahlung wurde nicht ausgeführt. Signieren Sie noch einmal.',
    settlement_unknown: 'Ob die Zahlung ausgeführt wurde, steht noch nicht fest.',
    payment_pending: 'Die Überweisung ist noch nicht bestätigt.',
    payment_unverifiable: 'Die Zahlung kann gerade nicht geprüft werden.',
    payment_in_progress: 'Dieselbe Bestellung läuft bereits.',
    transaction_not_found: 'Auf Base gibt es keine Transaktion mit diesem Hash. Prüfen Sie Hash und Netzwerk.',
    transfer_too_old: 'Die Überweisung ist zu alt.',
    payer_proof_invalid: 'Der Nachweis ist nicht von dem Konto, von dem die Überweisung stammt.',
    payer_proof_expired: 'Der Nachweis ist abgelaufen. Signieren Sie einen neuen.',
    target_unreachable:
      'Die Website hat nicht mit einer lesbaren Seite geantwortet. Prüfen Sie die Adresse im Browser.',
    nothing_to_generate:
      'Die Texte ließen sich mit nichts füllen: Die Website sagt dafür zu wenig, und eigene Angaben fehlen.',
    target_busy: 'Diese Website wird gerade zu oft geprüft.',
    measurement_incomplete: 'Zu wenige Fragen wurden beantwortet. Versuchen Sie es später noch einmal.',
    service_busy: 'Der Dienst ist gerade ausgelastet.',
    insufficient_credits: 'Ihr Guthaben ist kleiner als der Preis. Laden Sie es in Ihrem Konto auf.',
    sign_in_needed: 'Sie sind nicht mehr angemeldet. Melden Sie sich an, und versuchen Sie es noch einmal.',
    call_in_progress: 'Dieselbe Bestellung läuft bereits.',
    debit_unknown: 'Ob Guthaben abgebucht wurde, steht noch nicht fest.',
    too_many_calls: 'Auf diesem Konto laufen zu viele Bestellungen gleichzeitig.',
    ledger_unavailable: 'Das Zahlungsbuch des Dienstes ist gerade nicht erreichbar.',
  }),
};

const NICHTS = 'Es wurde nichts signiert und nichts bezahlt.';

export const germanWords: BuyingWords = {
  language: 'de',
  purchase,
  otherCapability: 'Die Seite verkauft etwas anderes. Laden Sie sie neu.',
  noAddress: 'Geben Sie zuerst die Adresse der Website ein, zum Beispiel example.com.',
  fault:
    'In der Seite ist ein Fehler aufgetreten. Falls Sie schon signiert hatten, fragen Sie mit derselben Zahlung noch einmal nach.',
  askingTerms: 'Die Bedingungen werden abgefragt.',
  badTerms: 'Die Bedingungen des Dienstes sind nicht lesbar. Es wurde nichts signiert. Laden Sie die Seite neu.',
  termsDiffer: (differs) =>
    `Der Dienst verlangt etwas anderes, als diese Seite zeigt: ${differs}. Es wurde nichts signiert. Laden Sie die Seite neu.`,
  networkClosed: (name) =>
    `Auf ${name} kann gerade nicht bezahlt werden. Es wurde nichts signiert. Wählen Sie ein anderes Netzwerk, oder versuchen Sie es später noch einmal.`,
  answered: (status) => `Der Dienst hat mit ${status} geantwortet.`,
  nothingPaid: (said) => `${said} Es wurde nichts bezahlt.`,
  unreachable: 'Der Dienst ist nicht erreichbar. Es wurde nichts bezahlt; versuchen Sie es noch einmal.',
  sent: 'Die Zahlung ist gesendet. Die Arbeit dauert bis zu zwei Minuten. Sie können die Seite verlassen und wiederkommen.',
  keptFor: {
    tab: 'Dieser Browser merkt sich den Kauf nur in diesem Tab: Schließen Sie ihn nicht, bevor sich der Bericht öffnet.',
    page: 'Dieser Browser merkt sich nichts: Lassen Sie die Seite offen, bis sich der Bericht öffnet.',
  },
  waiting: (sent, most) => `Neue Anfrage mit derselben Zahlung (${sent} von ${most})`,
  inSeconds: (waiting, left) => `${waiting} in ${left} s.`,
  lost: {
    connection: 'Die Verbindung zum Dienst ist abgebrochen.',
    answer: 'Die Antwort brach vor dem Ergebnis ab.',
    result: 'Das Ergebnis ist nicht lesbar.',
    account:
      'Sie sind nicht mit dem Konto angemeldet, das bezahlt. Melden Sie sich an, und fragen Sie noch einmal nach.',
  },
  bought: 'Gekauft. Der Bericht wird geöffnet.',
  clock: (minutes, isBehind) =>
    `Die Uhr dieses Geräts geht ${minutes} Minuten ${isBehind ? 'nach' : 'vor'}. Für die Zahlung gilt die Zeit des Dienstes.`,
  otherTab:
    'Ein anderer Tab dieses Browsers kauft gerade genau dies. Hier wurde nichts signiert. Warten Sie darauf, oder bezahlen Sie ein zweites Mal für ein zweites Ergebnis.',
  otherTabEnded: 'Der andere Tab ist ohne Ergebnis fertig geworden. Sie können hier kaufen.',
  otherTabSold: 'Der andere Tab hat es gekauft. Hier wurde nichts bezahlt.',
  walletAccount: 'Ihre Wallet fragt nach Ihrem Konto.',
  walletSign: 'Signieren Sie die Zahlung in Ihrer Wallet.',
  walletProve: 'Signieren Sie in Ihrer Wallet, dass die Überweisung von Ihnen stammt. Das bewegt kein Geld.',
  walletSwitch: (network, wanted) =>
    `Ihre Wallet ist auf ${network}. Bezahlt wird auf ${wanted}: Wechseln Sie, dann geht es weiter. ${NICHTS}`,
  walletSwitching: (wanted) => `Ihre Wallet fragt, ob sie zu ${wanted} wechseln darf.`,
  switchTo: (wanted) => `Zu ${wanted} wechseln`,
  walletLooks: {
    one: 'Ihre Wallet zeigt Empfänger und Betrag, bevor Sie signieren.',
    many: 'Wählen Sie eine Wallet. Sie zeigt Empfänger und Betrag, bevor Sie signieren.',
    none: 'In diesem Browser wurde keine Wallet gefunden. Bezahlen Sie auf einem anderen der Wege unten.',
  },
  walletUnnamed: 'Eine Wallet ohne Namen',
  checking: 'Die Signatur wird in dieser Seite geprüft.',
  refusals: {
    refused: () => `Sie haben in Ihrer Wallet abgelehnt. ${NICHTS} Sie können es noch einmal versuchen.`,
    no_account: () =>
      `Ihre Wallet hat kein Konto genannt. ${NICHTS} Entsperren Sie sie, und versuchen Sie es noch einmal.`,
    still_elsewhere: (_refusal, { name }) =>
      `Ihre Wallet hat gemeldet, zu ${name} gewechselt zu sein, ist es aber nicht. ${NICHTS} Wechseln Sie von Hand.`,
    unknown_network: (_refusal, { name, chainId }) =>
      `Ihre Wallet nimmt ${name} (Chain-ID ${chainId}) nicht auf. Fügen Sie das Netzwerk hinzu. ${NICHTS}`,
    already_asking: () =>
      'Ihre Wallet fragt Sie noch etwas. Öffnen Sie sie, antworten Sie, und versuchen Sie es noch einmal.',
    no_signature: () =>
      `Ihre Wallet hat keine Signatur geliefert. ${NICHTS} Versuchen Sie es noch einmal, oder nehmen Sie eine andere.`,
    foreign_signature: (_refusal, { name }) =>
      `Was Ihre Wallet signiert hat, ist nicht diese Zahlung auf ${name} von diesem Konto: Vielleicht hat sie inzwischen Netzwerk oder Konto gewechselt. Die Signatur wurde nicht gesendet und nichts bezahlt. Wählen Sie in der Wallet ${name} und ein Konto, und versuchen Sie es noch einmal.`,
    not_checked: () =>
      'Die Signatur konnte in dieser Seite nicht geprüft werden und wurde deshalb nicht gesendet. Es wurde nichts bezahlt; versuchen Sie es noch einmal.',
    stopped: () =>
      'Sie warten nicht mehr auf Ihre Wallet. Was sie jetzt noch signiert, wird nicht verwendet. Es wurde nichts bezahlt.',
    failed: ({ said }) =>
      `Ihre Wallet konnte es nicht ausführen: ${said === undefined || said === '' ? 'ohne Angabe eines Grundes' : said}. ${NICHTS}`,
  },
  network: (chainId) => (Number.isSafeInteger(chainId) ? `dem Netzwerk ${chainId}` : 'einem anderen Netzwerk'),
  demoRefused: (said) => `Der Demo-Käufer bezahlt nicht: ${said}. Es wurde nichts bezahlt.`,
  creditsBalance: (balance) => `Ihr Guthaben: ${balance}.`,
  creditsTooSmall: (balance, price) =>
    `Ihr Guthaben beträgt ${balance}, dies kostet ${price}. Laden Sie es in Ihrem Konto auf.`,
  creditsUnread: 'Ihr Guthaben ist gerade nicht lesbar. Laden Sie die Seite in einer Minute neu.',
  creditsEnded: 'Sie sind nicht angemeldet. Melden Sie sich an, um mit Guthaben zu bezahlen.',
  hashFaults: {
    empty: () => 'Fügen Sie den Hash Ihrer Transaktion ein oder ihre Adresse in einem Explorer.',
    address: () => 'Das ist die Adresse eines Kontos. Der Hash einer Transaktion hat 64 hexadezimale Ziffern.',
    length: (digits) => `Das sind ${digits} hexadezimale Ziffern; der Hash einer Transaktion hat 64.`,
    other_network: () => 'Dieser Explorer zeigt ein anderes Netzwerk. Die Überweisung muss auf Base sein.',
    no_hash: () => 'Darin ist kein Transaktionshash: 0x und 64 hexadezimale Ziffern.',
  },
  hashGood: 'Das ist ein Transaktionshash.',
  conditions: (final, hours) =>
    `${final}; höchstens ${hours} Stunden alt. Ihr Nachweis sorgt dafür, dass niemand sonst sie verwenden kann.`,
  confirmations: (count) => (count === 1 ? '1 Bestätigung' : `${count} Bestätigungen`),
  finalBlock: 'ein endgültiger Block',
  noTransfers: 'Überweisungen werden nicht angenommen.',
  noWalletToProve:
    'In diesem Browser wurde keine Wallet gefunden: Fügen Sie eine Signatur ein, die Sie anderswo erstellen.',
  messageUntil: (time) =>
    `Signieren Sie diese Nachricht (EIP-712, eth_signTypedData_v4) mit dem Konto der Überweisung, vor ${time}.`,
  messageNeedsHash: 'Geben Sie zuerst in Schritt 2 den Hash ein: Um ihn geht es in der Nachricht.',
  signatureFault: 'Das ist keine Signatur: 0x und mindestens 130 hexadezimale Ziffern.',
  signedBy: (account) => `Signiert von ${account}. Die Überweisung muss von diesem Konto sein.`,
  signatureOpen: 'Die Signatur einer Contract-Wallet: Der Dienst prüft sie.',
  proofStale:
    'Die Nachricht ist zu alt, oder die Bestellung hat sich geändert. Zeigen Sie sie neu an, und signieren Sie sie neu.',
  stillKept: (said) => `${said} Der frühere Kauf ist noch hier.`,
};

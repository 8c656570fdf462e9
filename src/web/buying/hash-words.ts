import type { Translated } from '../language/language.ts';

type HashWords = {
  summary: string;
  intro: string;
  onlyOn: (network: string) => string;
  send: string;
  sendNote: string;
  amount: string;
  more: string;
  payTo: string;
  asset: string;
  network: string;
  conditions: string;
  conditionsLater: string;
  request: string;
  copy: string;
  paste: string;
  pasteNote: string;
  hash: string;
  prove: string;
  proveNote: string;
  byWallet: string;
  byDemo: string;
  byPasting: string;
  showMessage: string;
  message: string;
  signature: string;
  signatureNote: string;
  present: string;
  presentNote: string;
  button: string;
};

/** The guided form for who pays by a transfer of their own. */
export const hashWords: Translated<HashWords> = {
  en: {
    summary: 'Pay by a transfer of your own, with its transaction hash',
    intro: 'From any wallet whose key you hold. Four steps:',
    onlyOn: (network) =>
      `This way is on ${network} only, whatever you chose above. On another network, pay with a wallet in this browser.`,
    send: 'Send exactly this',
    sendNote: 'Only USDC on Base. What is sent on another network or as another coin is lost.',
    amount: 'Amount',
    more: 'More is accepted and not refunded.',
    payTo: 'Pay to',
    asset: 'Asset',
    network: 'Network',
    conditions: 'Conditions',
    conditionsLater: 'They are read from the service when this is opened.',
    request: 'All of it as a payment request (EIP-681)',
    copy: 'Copy',
    paste: 'Say which transfer it was',
    pasteNote: 'The hash, or the address of the transaction in an explorer such as basescan.org.',
    hash: 'Transaction hash',
    prove: 'Prove that you made it',
    proveNote:
      'Everyone can read a hash on the chain. A signature of the account that paid makes sure that no one else uses your transfer. It moves no money.',
    byWallet: 'Sign with a wallet of this browser',
    byDemo: 'Have the demo buyer sign',
    byPasting: 'Paste a signature that I make elsewhere',
    showMessage: 'Show the message to sign',
    message: 'Message to sign',
    signature: 'Signature',
    signatureNote: '0x and hexadecimal digits, as the signing tool gives it.',
    present: 'Get the result',
    presentNote: 'A transfer pays for one order, once.',
    button: 'Present this transfer',
  },
  de: {
    summary: 'Mit einer eigenen Überweisung bezahlen, mit ihrem Transaktionshash',
    intro: 'Von jeder Wallet, deren Schlüssel Sie haben. Vier Schritte:',
    onlyOn: (network) =>
      `Dieser Weg geht nur auf ${network}, was immer Sie oben gewählt haben. Auf einem anderen Netzwerk bezahlen Sie mit einer Wallet in diesem Browser.`,
    send: 'Senden Sie genau dies',
    sendNote: 'Nur USDC auf Base. Was auf einem anderen Netzwerk oder als andere Münze gesendet wird, ist verloren.',
    amount: 'Betrag',
    more: 'Mehr wird angenommen und nicht erstattet.',
    payTo: 'Empfänger',
    asset: 'Token',
    network: 'Netzwerk',
    conditions: 'Bedingungen',
    conditionsLater: 'Sie werden vom Dienst abgefragt, wenn Sie dies öffnen.',
    request: 'Alles zusammen als Zahlungsanforderung (EIP-681)',
    copy: 'Kopieren',
    paste: 'Nennen Sie die Überweisung',
    pasteNote: 'Den Hash oder die Adresse der Transaktion in einem Explorer wie basescan.org.',
    hash: 'Transaktionshash',
    prove: 'Weisen Sie nach, dass sie von Ihnen stammt',
    proveNote:
      'Einen Hash kann jeder auf der Chain lesen. Eine Signatur des Kontos, das bezahlt hat, sorgt dafür, dass niemand sonst Ihre Überweisung verwendet. Sie bewegt kein Geld.',
    byWallet: 'Mit einer Wallet dieses Browsers signieren',
    byDemo: 'Den Demo-Käufer signieren lassen',
    byPasting: 'Eine Signatur einfügen, die ich anderswo erstelle',
    showMessage: 'Nachricht zum Signieren zeigen',
    message: 'Nachricht zum Signieren',
    signature: 'Signatur',
    signatureNote: '0x und hexadezimale Ziffern, wie das Werkzeug sie ausgibt.',
    present: 'Holen Sie das Ergebnis ab',
    presentNote: 'Eine Überweisung bezahlt eine Bestellung, einmal.',
    button: 'Diese Überweisung vorlegen',
  },
};

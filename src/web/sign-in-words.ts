import type { Translated } from './language/language.ts';

/** Why someone is on the sign-in page. */
export const SIGN_IN_REASONS = ['account', 'fresh', 'needed', 'signed_out', 'way_removed'] as const;
export type SignInReason = (typeof SIGN_IN_REASONS)[number];

/** What the script of the page says. It is handed to it as data. */
export type WalletScriptWords = {
  none: string;
  signInWith: string;
  connect: string;
  sign: string;
  noAccount: string;
  refused: string;
  failed: string;
  retry: string;
  answered: string;
  unreachable: string;
};

export type SignInWords = {
  title: string;
  reasons: Readonly<Record<SignInReason, string>>;
  demoTitle: string;
  demoText: string;
  demoButton: string;
  demoSigns: string;
  scripts: string;
  passkeyTitle: string;
  passkeyText: string;
  passkeyButton: string;
  passkeyNew: string;
  passkeyScripts: string;
  emailTitle: string;
  email: string;
  emailButton: string;
  emailText: string;
  walletTitle: string;
  walletText: string;
  walletButton: string;
  script: WalletScriptWords;
  handTitle: string;
  handText: string;
  address: string;
  handButton: string;
  whatTitle: string;
  what: readonly string[];
  noneNeeded: string;
  audit: string;
  prices: string;
  signTitle: string;
  signText: (command: string) => string;
  text: string;
  signature: string;
  signButton: string;
  signNext: string;
};

export const signInWords: Translated<SignInWords> = {
  en: {
    title: 'Sign in',
    reasons: {
      account: 'Sign in to see your account: credits, reports, and the apps that may act for you.',
      fresh: 'This needs a sign-in that is younger than five minutes: sign in again, and you come back to the page.',
      needed: 'Sign in to decide about the access that an app asks for.',
      signed_out: 'You are signed out in every browser.',
      way_removed:
        'The way that you had signed in with is removed, and every session that it opened has ended. Sign in with another one of your ways.',
    },
    demoTitle: 'On this local stack',
    demoText:
      'Sign in as the demo buyer, who pays for what you buy in these pages. Its key and its money exist on this machine only, so you need no wallet.',
    demoButton: 'Sign in as the demo buyer',
    demoSigns: 'The demo buyer signs.',
    scripts: 'This takes JavaScript. Without it, sign a text by hand below.',
    passkeyTitle: 'With a passkey',
    passkeyText:
      'Your device or your password manager signs you in: no password, no e-mail. Without an account, make a passkey, and the account is there.',
    passkeyButton: 'Sign in with a passkey',
    passkeyNew: 'Create an account with a passkey',
    passkeyScripts: 'Passkeys take JavaScript. Without it, choose another way.',
    emailTitle: 'By e-mail',
    email: 'E-mail address',
    emailButton: 'Send me a link',
    emailText: 'The link signs you in, in this browser only. Without an account, it makes one.',
    walletTitle: 'With your wallet',
    walletText:
      'You need no password and no registration: you sign a text with the wallet that pays. It costs nothing and sends no transaction.',
    walletButton: 'Sign in with the browser’s wallet',
    script: {
      none: 'No wallet was found in this browser. Install one and load the page again, or sign a text by hand below.',
      signInWith: 'Sign in with',
      connect: 'Waiting for your wallet.',
      sign: 'Sign the text in your wallet.',
      noAccount: 'The wallet named no account. Unlock it, allow this page, and try again.',
      refused: 'You declined in the wallet. Press the button to try again.',
      failed: 'That did not work:',
      retry: 'Press the button to try again.',
      answered: 'The service answered',
      unreachable: 'The service cannot be reached. Check your connection, then press the button again.',
    },
    handTitle: 'The wallet is elsewhere: sign a text by hand',
    handText: 'Enter its address, sign the text that is shown next, and paste the signature.',
    address: 'Address',
    handButton: 'Show the text to sign',
    whatTitle: 'What an account is for',
    what: [
      'Prepaid credits, which assistants and other apps without a wallet spend for you.',
      'The list of reports that you bought, and of what you published.',
      'The apps that may act for you, with a limit a day, and a button that ends it.',
    ],
    noneNeeded: 'You need none to audit a site or to buy: each purchase can be paid by itself.',
    audit: 'Audit a site',
    prices: 'See the prices',
    signTitle: 'Sign this text',
    signText: (command) => `Sign exactly this text with your wallet (${command}) within five minutes.`,
    text: 'Text',
    signature: 'Signature',
    signButton: 'Sign in',
    signNext: 'The five minutes are over, or it was another address?',
  },
  de: {
    title: 'Anmelden',
    reasons: {
      account:
        'Melden Sie sich an, um Ihr Konto zu sehen: Guthaben, Berichte und die Apps, die für Sie handeln dürfen.',
      fresh:
        'Dafür braucht es eine Anmeldung, die jünger als fünf Minuten ist: Melden Sie sich erneut an, dann kommen Sie auf die Seite zurück.',
      needed: 'Melden Sie sich an, um über den Zugriff zu entscheiden, um den eine App bittet.',
      signed_out: 'Sie sind in jedem Browser abgemeldet.',
      way_removed:
        'Der Weg, auf dem Sie sich angemeldet hatten, ist entfernt, und jede Sitzung, die er geöffnet hat, ist beendet. Melden Sie sich auf einem anderen Ihrer Wege an.',
    },
    demoTitle: 'Auf diesem lokalen Stack',
    demoText:
      'Melden Sie sich als Demo-Käufer an, der bezahlt, was Sie auf diesen Seiten kaufen. Sein Schlüssel und sein Geld gibt es nur auf diesem Rechner; Sie brauchen keine Wallet.',
    demoButton: 'Als Demo-Käufer anmelden',
    demoSigns: 'Der Demo-Käufer signiert.',
    scripts: 'Dafür braucht es JavaScript. Ohne JavaScript signieren Sie unten einen Text von Hand.',
    passkeyTitle: 'Mit einem Passkey',
    passkeyText:
      'Ihr Gerät oder Ihr Passwortmanager meldet Sie an: ohne Passwort und ohne E-Mail. Haben Sie noch kein Konto, legen Sie mit einem Passkey eines an.',
    passkeyButton: 'Mit einem Passkey anmelden',
    passkeyNew: 'Konto mit einem Passkey anlegen',
    passkeyScripts: 'Passkeys brauchen JavaScript. Ohne JavaScript wählen Sie einen anderen Weg.',
    emailTitle: 'Per E-Mail',
    email: 'E-Mail-Adresse',
    emailButton: 'Link zusenden',
    emailText: 'Der Link meldet Sie an, nur in diesem Browser. Haben Sie noch kein Konto, legt er eines an.',
    walletTitle: 'Mit Ihrer Wallet',
    walletText:
      'Sie brauchen kein Passwort und keine Registrierung: Sie signieren einen Text mit der Wallet, die zahlt. Das kostet nichts und löst keine Transaktion aus.',
    walletButton: 'Mit der Wallet des Browsers anmelden',
    script: {
      none: 'In diesem Browser wurde keine Wallet gefunden. Installieren Sie eine und laden Sie die Seite neu, oder signieren Sie unten einen Text von Hand.',
      signInWith: 'Anmelden mit',
      connect: 'Ihre Wallet muss antworten.',
      sign: 'Signieren Sie den Text in Ihrer Wallet.',
      noAccount:
        'Die Wallet hat kein Konto genannt. Entsperren Sie sie, erlauben Sie diese Seite und versuchen Sie es erneut.',
      refused: 'Sie haben in der Wallet abgelehnt. Mit der Schaltfläche versuchen Sie es erneut.',
      failed: 'Das ist fehlgeschlagen:',
      retry: 'Mit der Schaltfläche versuchen Sie es erneut.',
      answered: 'Der Dienst antwortete mit',
      unreachable:
        'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es mit der Schaltfläche erneut.',
    },
    handTitle: 'Die Wallet ist woanders: einen Text von Hand signieren',
    handText: 'Geben Sie ihre Adresse ein, signieren Sie den Text, der dann erscheint, und fügen Sie die Signatur ein.',
    address: 'Adresse',
    handButton: 'Text zum Signieren anzeigen',
    whatTitle: 'Wozu ein Konto dient',
    what: [
      'Vorausbezahltes Guthaben, das Assistenten und andere Apps ohne Wallet für Sie ausgeben.',
      'Die Liste der Berichte, die Sie gekauft, und was Sie davon veröffentlicht haben.',
      'Die Apps, die für Sie handeln dürfen, mit einem Tageslimit und einer Schaltfläche, die das beendet.',
    ],
    noneNeeded: 'Zum Prüfen und zum Kaufen brauchen Sie keines: Jeder Kauf lässt sich einzeln bezahlen.',
    audit: 'Website prüfen',
    prices: 'Preise ansehen',
    signTitle: 'Diesen Text signieren',
    signText: (command) => `Signieren Sie genau diesen Text mit Ihrer Wallet (${command}), innerhalb von fünf Minuten.`,
    text: 'Text',
    signature: 'Signatur',
    signButton: 'Anmelden',
    signNext: 'Sind die fünf Minuten vorbei, oder war es eine andere Adresse?',
  },
};

import type { Translated } from '../language/language.ts';

export type WaysWords = {
  title: string;
  more: string;
  lead: string;
  fresh: string;
  stale: string;
  signInAgain: string;
  kinds: Readonly<Record<'wallet' | 'email' | 'passkey', string>>;
  way: string;
  added: string;
  used: string;
  never: string;
  unnamed: string;
  synced: string;
  thisDevice: string;
  remove: string;
  removeOf: (what: string) => string;
  last: string;
  current: string;
  removing: string;
  apps: string;
  walletStays: string;
  add: string;
  addPasskey: string;
  addPasskeyText: string;
  label: string;
  addEmail: string;
  addEmailText: string;
  email: string;
  emailButton: string;
  addWallet: string;
  addWalletText: string;
  walletButton: string;
  demoButton: string;
  shown: (count: number) => string;
};

/** The ways to sign in to an account. */
export const waysWords: Translated<WaysWords> = {
  en: {
    title: 'Ways to sign in',
    more: 'Add or remove ways to sign in',
    lead: 'Each of these opens this account. With two of them, you still get in if you lose one.',
    fresh: 'Adding and removing takes a sign-in that is younger than five minutes. Yours is.',
    stale: 'To add or remove one, sign in again: that takes a sign-in which is younger than five minutes.',
    signInAgain: 'Sign in again',
    kinds: { wallet: 'Wallet', email: 'E-mail', passkey: 'Passkey' },
    way: 'Way',
    added: 'Added',
    used: 'Last used',
    never: 'never',
    unnamed: 'without a name',
    synced: 'stored by your password manager',
    thisDevice: 'on one device',
    remove: 'Remove',
    removeOf: (what) => `Remove ${what}`,
    last: 'This is the only one. Add another one before you remove it.',
    current: 'You are signed in with it.',
    removing:
      'When you remove a way, every session that it opened ends at once, yours too if you are signed in with it. Apps keep the access that you gave them until you take it back.',
    apps: 'See the apps with access',
    walletStays: 'For 40 days after you remove a wallet, it opens no account and buys no credits.',
    add: 'Add a way',
    addPasskey: 'Add a passkey',
    addPasskeyText: 'Your device or your password manager stores it.',
    label: 'Name of the passkey, for yourself',
    addEmail: 'Add an e-mail address',
    addEmailText: 'We mail you a link. Open it in this browser within five minutes of your sign-in.',
    email: 'E-mail address',
    emailButton: 'Send me a link',
    addWallet: 'Add a wallet',
    addWalletText:
      'You sign a text; it costs nothing. Credits that the wallet pays for go to this account from then on.',
    walletButton: 'Add the browser’s wallet',
    demoButton: 'Add the demo buyer’s wallet',
    shown: (count) => (count === 1 ? 'One way to sign in.' : `${count} ways to sign in.`),
  },
  de: {
    title: 'Wege zur Anmeldung',
    more: 'Wege zur Anmeldung hinzufügen oder entfernen',
    lead: 'Jeder davon öffnet dieses Konto. Mit zweien kommen Sie auch hinein, wenn Sie einen verlieren.',
    fresh: 'Hinzufügen und Entfernen verlangt eine Anmeldung, die jünger als fünf Minuten ist. Ihre ist es.',
    stale:
      'Um einen hinzuzufügen oder zu entfernen, melden Sie sich erneut an: Das verlangt eine Anmeldung, die jünger als fünf Minuten ist.',
    signInAgain: 'Erneut anmelden',
    kinds: { wallet: 'Wallet', email: 'E-Mail', passkey: 'Passkey' },
    way: 'Weg',
    added: 'Hinzugefügt',
    used: 'Zuletzt benutzt',
    never: 'nie',
    unnamed: 'ohne Namen',
    synced: 'im Passwortmanager gespeichert',
    thisDevice: 'auf einem Gerät',
    remove: 'Entfernen',
    removeOf: (what) => `${what} entfernen`,
    last: 'Das ist der einzige. Fügen Sie einen anderen hinzu, bevor Sie ihn entfernen.',
    current: 'Damit sind Sie angemeldet.',
    removing:
      'Wenn Sie einen Weg entfernen, endet sofort jede Sitzung, die er geöffnet hat, auch Ihre, wenn Sie damit angemeldet sind. Apps behalten den Zugriff, den Sie ihnen gegeben haben, bis Sie ihn entziehen.',
    apps: 'Apps mit Zugriff ansehen',
    walletStays: 'Nachdem Sie eine Wallet entfernt haben, öffnet sie 40 Tage lang kein Konto und kauft kein Guthaben.',
    add: 'Weg hinzufügen',
    addPasskey: 'Passkey hinzufügen',
    addPasskeyText: 'Ihr Gerät oder Ihr Passwortmanager speichert ihn.',
    label: 'Name des Passkeys, für Sie selbst',
    addEmail: 'E-Mail-Adresse hinzufügen',
    addEmailText:
      'Sie bekommen einen Link. Öffnen Sie ihn in diesem Browser, innerhalb von fünf Minuten nach Ihrer Anmeldung.',
    email: 'E-Mail-Adresse',
    emailButton: 'Link zusenden',
    addWallet: 'Wallet hinzufügen',
    addWalletText:
      'Sie signieren einen Text; das kostet nichts. Guthaben, das die Wallet bezahlt, geht von da an auf dieses Konto.',
    walletButton: 'Wallet des Browsers hinzufügen',
    demoButton: 'Wallet des Demo-Käufers hinzufügen',
    shown: (count) => (count === 1 ? 'Ein Weg zur Anmeldung.' : `${count} Wege zur Anmeldung.`),
  },
};

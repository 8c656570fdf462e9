import type { PageLanguage, Translated } from '../language/language.ts';

/** The states of a purchase, in their order. */
export const PURCHASE_STEPS = ['wallet', 'signed', 'checking', 'paid', 'delivered'] as const;
export type PurchaseStep = (typeof PURCHASE_STEPS)[number];

type PanelWords = {
  nothingSold: string;
  once: (promise: string) => string;
  testNetwork: (name: string) => string;
  steps: Record<PurchaseStep, string>;
  stepsLabel: string;
  progressLabel: string;
  again: string;
  proveAgain: string;
  giveUp: string;
  openReport: string;
  second: string;
  demo: Record<'heading' | 'text' | 'button', string>;
  wallet: Record<'heading' | 'text' | 'textOfChoice' | 'networks' | 'list' | 'looking' | 'switch' | 'stop', string>;
  payee: (address: string) => string;
  payByWallet: (price: string) => string;
  credits: Record<'heading' | 'text' | 'reading' | 'topUp', string>;
  payByCredits: (price: string) => string;
  commandLine: string;
  commandAsDemo: string;
  commandWithKey: string;
  copyCommand: string;
};

export const panelWords: Translated<PanelWords> = {
  en: {
    nothingSold: 'Nothing is sold here now.',
    once: (promise) => `once, without an account: ${promise}`,
    testNetwork: (name) =>
      `This deployment is paid on ${name}, a test network whose USDC is worth nothing. So that no one sends real money here, this page takes no wallet and no transaction hash. Buy by the command line:`,
    steps: {
      wallet: 'Waiting for your wallet',
      signed: 'Signed',
      checking: 'Being checked, and done',
      paid: 'Paid',
      delivered: 'Delivered',
    },
    stepsLabel: 'Steps of the purchase',
    progressLabel: 'Progress of the purchase',
    again: 'Ask again with the same payment',
    proveAgain: 'Prove that the transfer is mine',
    giveUp: 'I give this one up',
    openReport: 'Open the report',
    second: 'Pay a second time',
    demo: {
      heading: 'On this local stack',
      text: 'The demo buyer of the stack signs with a key and money that exist on this machine only. Wallets are not asked.',
      button: 'Buy with the demo buyer',
    },
    wallet: {
      heading: 'With a wallet in this browser',
      text: 'You sign one transfer of exactly this amount (EIP-3009); you need USDC on Base and no ETH. It is settled when the result is ready.',
      textOfChoice:
        'You sign one transfer of exactly this amount (EIP-3009); you need USDC on the network that you choose, and nothing for its fees. It is settled when the result is ready.',
      networks: 'Network to pay on',
      list: 'Wallets in this browser',
      looking: 'Looking for a wallet.',
      switch: 'Switch to Base',
      stop: 'Stop waiting for the wallet',
    },
    payee: (address) => `payee ${address}`,
    payByWallet: (price) => `Pay ${price} with your wallet`,
    credits: {
      heading: 'From your credits',
      text: 'Paid from the balance of your account. What cannot be delivered takes no credits.',
      reading: 'Reading your balance.',
      topUp: 'Top up in your account',
    },
    payByCredits: (price) => `Pay ${price} from your credits`,
    commandLine: 'By command line',
    commandAsDemo: 'In the folder of this stack, as its demo buyer:',
    commandWithKey: 'Pays with the key in SIGHTLINE_WALLET_KEY, and never more than you say:',
    copyCommand: 'Copy the command',
  },
  de: {
    nothingSold: 'Hier wird gerade nichts verkauft.',
    once: (promise) => `einmalig, ohne Konto: ${promise}`,
    testNetwork: (name) =>
      `Diese Installation wird auf ${name} bezahlt, einem Testnetzwerk, dessen USDC nichts wert ist. Damit niemand echtes Geld hierher sendet, nimmt diese Seite weder Wallet noch Transaktionshash. Kaufen Sie auf der Kommandozeile:`,
    steps: {
      wallet: 'Wartet auf Ihre Wallet',
      signed: 'Signiert',
      checking: 'Wird geprüft und ausgeführt',
      paid: 'Bezahlt',
      delivered: 'Geliefert',
    },
    stepsLabel: 'Schritte des Kaufs',
    progressLabel: 'Fortschritt des Kaufs',
    again: 'Mit derselben Zahlung noch einmal nachfragen',
    proveAgain: 'Überweisung als meine nachweisen',
    giveUp: 'Diesen Kauf aufgeben',
    openReport: 'Bericht öffnen',
    second: 'Ein zweites Mal bezahlen',
    demo: {
      heading: 'Auf diesem lokalen Stack',
      text: 'Der Demo-Käufer des Stacks signiert mit einem Schlüssel und mit Geld, die es nur auf diesem Rechner gibt. Wallets werden nicht gefragt.',
      button: 'Mit dem Demo-Käufer kaufen',
    },
    wallet: {
      heading: 'Mit einer Wallet in diesem Browser',
      text: 'Sie signieren eine Überweisung über genau diesen Betrag (EIP-3009); Sie brauchen USDC auf Base und kein ETH. Ausgeführt wird sie, wenn das Ergebnis fertig ist.',
      textOfChoice:
        'Sie signieren eine Überweisung über genau diesen Betrag (EIP-3009); Sie brauchen USDC auf dem Netzwerk, das Sie wählen, und nichts für dessen Gebühren. Ausgeführt wird sie, wenn das Ergebnis fertig ist.',
      networks: 'Netzwerk, auf dem bezahlt wird',
      list: 'Wallets in diesem Browser',
      looking: 'Es wird nach einer Wallet gesucht.',
      switch: 'Zu Base wechseln',
      stop: 'Nicht länger auf die Wallet warten',
    },
    payee: (address) => `Empfänger ${address}`,
    payByWallet: (price) => `${price} mit Ihrer Wallet bezahlen`,
    credits: {
      heading: 'Mit Ihrem Guthaben',
      text: 'Bezahlt aus dem Guthaben Ihres Kontos. Was nicht geliefert werden kann, verbraucht kein Guthaben.',
      reading: 'Ihr Guthaben wird abgefragt.',
      topUp: 'Im Konto aufladen',
    },
    payByCredits: (price) => `${price} mit Guthaben bezahlen`,
    commandLine: 'Auf der Kommandozeile',
    commandAsDemo: 'Im Ordner dieses Stacks, als sein Demo-Käufer:',
    commandWithKey: 'Bezahlt mit dem Schlüssel in SIGHTLINE_WALLET_KEY und nie mehr, als Sie erlauben:',
    copyCommand: 'Befehl kopieren',
  },
};

type GoodsWords = Record<'audit', { heading: string; promise: string }>;

/** What the result beside the live audit is called there. */
export const goodsWords: Record<PageLanguage, GoodsWords> = {
  en: {
    audit: {
      heading: 'Buy the full result',
      promise:
        'every check with its evidence and its fix, as a report that you can share, print and read as JSON, Markdown or SARIF. When the site cannot be read, nothing is charged.',
    },
  },
  de: {
    audit: {
      heading: 'Das ganze Ergebnis kaufen',
      promise:
        'jede Prüfung mit Beleg und Korrektur, als Bericht, den Sie teilen, drucken und als JSON, Markdown oder SARIF lesen können. Ist die Website nicht lesbar, wird nichts abgebucht.',
    },
  },
};

import type { Translated } from '../language/language.ts';
import { buildCode, buildLink, buildText, type OfferColumns, type TextBlock } from './document.ts';

/** What the page of prices says around its tables. */
type PricesWords = {
  title: string;
  /** For search results, 50 to 160 characters. */
  description: string;
  lead: (from: string, to: string) => string;
  catalogue: {
    heading: string;
    intro: TextBlock;
    columns: Pick<OfferColumns, 'caption' | 'what' | 'gives' | 'time' | 'price'>;
  };
  time: (seconds: string) => string;
  credits: {
    heading: string;
    intro: TextBlock;
    after: TextBlock;
    caption: string;
    columns: readonly [pack: string, price: string, call: string];
    pack: (dollars: string) => string;
  };
  call: {
    heading: string;
    intro: TextBlock;
    label: string;
    curl: TextBlock;
    typescript: TextBlock;
    python: TextBlock;
    x402: TextBlock;
  };
  /** What the buttons copy. */
  copy: Readonly<Record<'call' | 'program' | 'command' | 'configuration', string>>;
  mcp: { text: (open: string, account: string) => TextBlock; claude: TextBlock; others: TextBlock };
};

export const pricesWords: Translated<PricesWords> = {
  en: {
    title: 'Prices',
    description:
      'What each audit, fix, file and brand measurement costs, how long it takes and what you get, with calls by curl, TypeScript, Python and MCP to copy.',
    lead: (from, to) =>
      `Each capability has one price a call, from ${from} to ${to}, without an account or a subscription. A call that delivers nothing costs nothing.`,
    catalogue: {
      heading: 'What can you buy?',
      intro: buildText(
        'You can buy each row in the browser or by a program. Prices are in dollars and paid in ',
        buildLink('USD Coin (USDC)', 'https://www.circle.com/usdc'),
        ', one for one, on the network Base. A call that cannot be served answers before any payment, and a payment whose work fails is not taken.',
      ),
      columns: {
        caption: 'All capabilities with their prices',
        what: 'Capability',
        gives: 'What you get',
        time: 'Time',
        price: 'Price',
      },
    },
    time: (seconds) => `up to ${seconds} s`,
    credits: {
      heading: 'What do prepaid credits cost?',
      intro: buildText(
        'Prepaid credits cost what they are worth: a dollar of credits for a dollar. They are for clients that cannot pay by themselves, such as assistants, and belong to the address that paid.',
      ),
      after: buildText(
        'Sign in with that address: ',
        buildLink('your account', '/account'),
        ' shows the balance and every client that may spend it, with its limit a day, and takes access away again. A call reserves its price and is charged when its result is stored; what is not delivered is given back. Credits are not paid out. They also pay for ',
        buildLink('monitors', '/account/monitors'),
        ', which repeat an audit or a measurement by a schedule, each run at the price above.',
      ),
      caption: 'Packs of prepaid credits',
      columns: ['Pack', 'Price', 'Call'],
      pack: (dollars) => `${dollars} of credits`,
    },
    call: {
      heading: 'How do you call it?',
      intro: buildText(
        'Send one POST with a JSON body. Without payment the answer is 402 with the terms, in the words of ',
        buildLink('the x402 payment standard', 'https://docs.x402.org/'),
        '. With payment it is the result, with the address of a report that people can open too.',
      ),
      label: 'Ways to call it',
      curl: buildText(
        'The call answers 402, with the terms in the header PAYMENT-REQUIRED and in words in the body. Send the same call again with the hash of your own transfer in PAYMENT-SIGNATURE, and it answers with the result: ',
        buildLink('Pay with curl', '/docs/guides/pay-with-curl'),
        '.',
      ),
      typescript: buildText(
        'The client ',
        buildCode('@sightline/client'),
        ' pays within a budget, once whatever happens on the way, and reads the result by piece: ',
        buildLink('the guide', '/docs/guides/client-typescript'),
        ' says how it is installed.',
      ),
      python: buildText(
        'The client ',
        buildCode('sightline'),
        ' for Python 3.9 and newer does the same: ',
        buildLink('the guide', '/docs/guides/client-python'),
        ' says how it is installed.',
      ),
      x402: buildText(
        'The official client of x402 pays with the key that you give it, by ',
        buildLink('a signed transfer (EIP-3009)', 'https://eips.ethereum.org/EIPS/eip-3009'),
        ' that needs no gas. Install ',
        buildCode('@x402/fetch'),
        ', ',
        buildCode('@x402/evm'),
        ' and ',
        buildCode('viem'),
        '. It refuses payments over one dollar until you raise that: ',
        buildCode("client.setSpendControls({ maxAmountPerPayment: '$4' })"),
        '.',
      ),
    },
    copy: {
      call: 'Copy the call',
      program: 'Copy the program',
      command: 'Copy the command',
      configuration: 'Copy the configuration',
    },
    mcp: {
      text: (open, account) =>
        buildText(
          'Every capability is also a tool of ',
          buildLink('the Model Context Protocol (MCP)', 'https://modelcontextprotocol.io/'),
          '. Clients that cannot pay connect to ',
          buildCode(account),
          ': they open a browser, you sign in, and calls are paid from prepaid credits. Agents that pay per call use ',
          buildCode(open),
          ' without any sign-in.',
        ),
      claude: buildText('One command adds it to Claude Code:'),
      others: buildText('Cursor reads it from .cursor/mcp.json, and other clients from .mcp.json:'),
    },
  },
  de: {
    title: 'Preise',
    description:
      'Was jede Prüfung, Korrektur, Datei und Markenmessung kostet, wie lange sie dauert und was Sie bekommen, mit Aufrufen zum Kopieren.',
    lead: (from, to) =>
      `Jede Leistung hat einen festen Preis je Aufruf, von ${from} bis ${to}, ohne Konto und ohne Abonnement. Ein Aufruf ohne Ergebnis kostet nichts.`,
    catalogue: {
      heading: 'Was können Sie kaufen?',
      intro: buildText(
        'Jede Zeile können Sie im Browser oder mit einem Programm kaufen. Preise sind in Dollar angegeben und werden eins zu eins in ',
        buildLink('USD Coin (USDC)', 'https://www.circle.com/usdc'),
        ' bezahlt, im Netz Base. Was nicht geliefert werden kann, wird vor der Zahlung abgelehnt, und für Arbeit ohne Ergebnis wird nichts abgebucht.',
      ),
      columns: {
        caption: 'Alle Leistungen mit ihren Preisen',
        what: 'Leistung',
        gives: 'Was Sie bekommen',
        time: 'Dauer',
        price: 'Preis',
      },
    },
    time: (seconds) => `bis ${seconds} s`,
    credits: {
      heading: 'Was kostet Guthaben?',
      intro: buildText(
        'Guthaben kostet, was es wert ist: ein Dollar Guthaben für einen Dollar. Es ist für Clients da, die nicht selbst zahlen können, etwa Assistenten, und gehört der Adresse, die gezahlt hat.',
      ),
      after: buildText(
        'Melden Sie sich mit dieser Adresse an: ',
        buildLink('Ihr Konto', '/account'),
        ' zeigt das Guthaben und jeden Client, der davon ausgeben darf, mit seinem Tageslimit, und entzieht den Zugang wieder. Ein Aufruf reserviert seinen Preis und wird berechnet, wenn sein Ergebnis gespeichert ist; was nicht geliefert wird, kommt zurück. Guthaben wird nicht ausgezahlt. Es bezahlt auch ',
        buildLink('Überwachungen', '/account/monitors'),
        ', die eine Prüfung oder Messung nach Plan wiederholen, jeder Lauf zum Preis oben.',
      ),
      caption: 'Pakete von Guthaben',
      columns: ['Paket', 'Preis', 'Aufruf'],
      pack: (dollars) => `${dollars} Guthaben`,
    },
    call: {
      heading: 'Wie rufen Sie den Dienst auf?',
      intro: buildText(
        'Senden Sie einen POST mit einem JSON-Body. Ohne Bezahlung ist die Antwort 402 mit den Bedingungen, in der Form ',
        buildLink('des Bezahlstandards x402', 'https://docs.x402.org/'),
        '. Mit Bezahlung ist sie das Ergebnis, mit der Adresse eines Berichts, den auch Menschen öffnen können.',
      ),
      label: 'Wege, den Dienst aufzurufen',
      curl: buildText(
        'Der Aufruf antwortet mit 402 und nennt die Bedingungen im Header PAYMENT-REQUIRED und in Worten im Body. Senden Sie ihn noch einmal, mit dem Hash Ihrer Überweisung in PAYMENT-SIGNATURE, und er antwortet mit dem Ergebnis: ',
        buildLink('Mit curl bezahlen (englisch)', '/docs/guides/pay-with-curl'),
        '.',
      ),
      typescript: buildText(
        'Der Client ',
        buildCode('@sightline/client'),
        ' zahlt innerhalb eines Budgets, und nur einmal, was auch unterwegs geschieht. Ergebnisse liest er in Teilen: ',
        buildLink('Die Anleitung (englisch)', '/docs/guides/client-typescript'),
        ' sagt, wie er installiert wird.',
      ),
      python: buildText(
        'Der Client ',
        buildCode('sightline'),
        ' für Python 3.9 und neuer macht dasselbe: ',
        buildLink('Die Anleitung (englisch)', '/docs/guides/client-python'),
        ' sagt, wie er installiert wird.',
      ),
      x402: buildText(
        'Der offizielle Client von x402 zahlt mit dem Schlüssel, den Sie ihm geben, durch ',
        buildLink('eine signierte Überweisung (EIP-3009)', 'https://eips.ethereum.org/EIPS/eip-3009'),
        ', die kein Gas braucht. Installieren Sie ',
        buildCode('@x402/fetch'),
        ', ',
        buildCode('@x402/evm'),
        ' und ',
        buildCode('viem'),
        '. Er lehnt Zahlungen über einen Dollar ab, bis Sie die Grenze anheben: ',
        buildCode("client.setSpendControls({ maxAmountPerPayment: '$4' })"),
        '.',
      ),
    },
    copy: {
      call: 'Aufruf kopieren',
      program: 'Programm kopieren',
      command: 'Befehl kopieren',
      configuration: 'Konfiguration kopieren',
    },
    mcp: {
      text: (open, account) =>
        buildText(
          'Jede Leistung ist auch ein Werkzeug nach ',
          buildLink('dem Model Context Protocol (MCP)', 'https://modelcontextprotocol.io/'),
          '. Clients, die nicht zahlen können, verbinden sich mit ',
          buildCode(account),
          ': Sie öffnen einen Browser, Sie melden sich an, und Aufrufe werden aus Ihrem Guthaben bezahlt. Agenten, die je Aufruf zahlen, nehmen ',
          buildCode(open),
          ' ohne Anmeldung.',
        ),
      claude: buildText('Ein Befehl fügt den Dienst in Claude Code hinzu:'),
      others: buildText('Cursor liest ihn aus .cursor/mcp.json, andere Clients aus .mcp.json:'),
    },
  },
};

import { listMcpUrls, service } from '../../capabilities/service.ts';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { formatCapabilityPath } from '../capability/address.ts';
import { buildCode, buildLink, buildList, buildQuestion, buildText, type TextSection } from './document.ts';
import { EXAMPLE_PATH, EXAMPLE_RECORDING_PATH } from './example.ts';
import { CORPUS, CITED_EXPERIMENT, type StartFacts } from './start-facts.ts';

/** What the start page says below its first screen, in German. */
export const buildGermanSections = (facts: StartFacts): readonly TextSection[] => [
  scores,
  buildDoors(facts),
  buildProof(facts),
  evidence,
  buildPrices(facts),
  buildConnect(facts),
  ...questions,
  buildDocuments(facts),
];

const scores: TextSection = {
  id: 'scores-explained',
  heading: 'Was sagen die vier Bewertungen?',
  level: 2,
  blocks: [
    buildText(
      'Jede der vier Bewertungen ist eine Zahl von 0 bis 100 für eine Art, in der Maschinen einer Website begegnen. Die Prüfungen dahinter stellen Tatsachen fest, die jeder nachsehen kann: Kein Modell wird um ein Urteil gebeten, deshalb ergibt dieselbe Website dieselbe Zahl.',
    ),
    {
      kind: 'terms',
      items: [
        {
          term: 'Sichtbarkeit in der KI-Suche',
          parts: [
            'Answer Engine Optimization (AEO): Können Suchassistenten die Seiten erreichen, lesen und aufnehmen? Es zählen Regeln für Crawler, Sitemap, Titel, Daten und Antworten.',
          ],
        },
        {
          term: 'Zitierfähigkeit',
          parts: [
            'Generative Engine Optimization (GEO): Kann eine Antwort die Website zitieren und nennen? Es zählen Zahlen, Quellen, strukturierte Daten und ein nachprüfbarer Herausgeber.',
          ],
        },
        {
          term: 'Eignung für Agenten',
          parts: [
            'Kann ein Agent hier handeln? Es zählen Fassungen in Markdown, beschriebene Schnittstellen, richtige Fehlercodes, beschriftete Formulare und Bezahlung.',
          ],
        },
        {
          term: 'Eignung für MCP',
          parts: [
            'Model Context Protocol (MCP): Kann ein Client die Werkzeuge der Website finden, sich verbinden und ihnen trauen, wo sie welche anbietet?',
          ],
        },
      ],
    },
  ],
};

const buildDoors = ({ capabilities, brandPrice }: StartFacts): TextSection => ({
  id: 'doors',
  heading: 'Beginnen Sie mit Website, Marke oder Agent',
  level: 2,
  blocks: [
    buildText('Jeder der drei Wege hat einen nächsten Schritt, im Browser und ohne Konto.'),
    {
      kind: 'doors',
      items: [
        {
          title: 'Meine Website',
          parts: ['Was können KI-Assistenten davon lesen, und was ändern Sie zuerst? Die Vorschau ist kostenlos.'],
          link: { text: 'Website prüfen', href: '/audit' },
        },
        {
          title: 'Meine Marke',
          parts: [
            'Wie oft nennt eine Antwortmaschine sie, und wen empfiehlt sie stattdessen? Eine Messung kostet ',
            buildLink(brandPrice, '/prices#visibility'),
            '.',
          ],
          link: { text: 'Marke messen', href: formatCapabilityPath('visibility_check') },
        },
        {
          title: 'Mein Agent',
          parts: [
            buildLink(`${capabilities} Leistungen`, '/prices'),
            ` über HTTP, Bibliothek oder MCP. Der Agent zahlt je Aufruf, und zwar selbst.`,
          ],
          link: { text: 'Agenten anbinden', href: '/prices#call' },
        },
      ],
    },
    buildText(
      'Um Website oder Marke im Blick zu behalten, legen Sie ',
      buildLink('eine Überwachung (englisch)', '/docs/guides/monitors'),
      ' an: Sie wiederholt Prüfung oder Messung nach Plan und meldet sich nur, wenn sich etwas geändert hat. ',
      buildLink('Welche KI-Crawler kamen (englisch)', '/docs/guides/crawler-counts'),
      ', zählt Ihr eigener Worker. Für beides brauchen Sie ein Konto.',
    ),
  ],
});

const buildProof = ({ accuracy, checks, from, to }: StartFacts): TextSection => ({
  id: 'proof',
  heading: 'Urteile, die Sie wiederholen können',
  level: 2,
  blocks: [
    buildText(
      'Sie können einem Urteil trauen, weil Sie es wiederholen können und weil wir gemessen haben, wie oft unsere Urteile falsch sind. Die Zahlen sind öffentlich.',
    ),
    {
      kind: 'figures',
      items: [
        {
          figure: `${accuracy.verdicts} Urteile`,
          parts: [
            `wurden mit dem verglichen, was Leser von ${accuracy.pages} Seiten `,
            buildLink('öffentlicher Sammlungen', CORPUS),
            ` sagen. Falsch waren ${accuracy.wrong.map(({ title, share }) => `${share} bei ${title}`).join(', ')}: `,
            buildLink('wie oft unsere Urteile stimmen (englisch)', ACCURACY_PATH),
            '.',
          ],
        },
        {
          figure: 'Gleiche Antworten, gleicher Bericht',
          parts: [
            'Zu jedem Bericht gehören die Antworten der Website, und ',
            buildCode('sightline replay'),
            ' beurteilt sie auf Ihrem Rechner noch einmal. Probieren Sie es mit ',
            buildLink('den Antworten', EXAMPLE_RECORDING_PATH),
            ' hinter ',
            buildLink('dem Beispiel', EXAMPLE_PATH),
            '.',
          ],
        },
        {
          figure: `${checks} Prüfungen, Open Source`,
          parts: [
            'Jede Prüfung nennt ihre Quelle, ihr Gewicht und wie Sie selbst nachsehen. Der Code ist freie Software: ',
            buildLink('die Regeln (englisch)', '/docs/project/rubric'),
            '.',
          ],
        },
        {
          figure: 'Ein Preis je Aufruf',
          parts: [
            `Er liegt zwischen ${from} und ${to}, bezahlt in `,
            buildLink('USD Coin (USDC)', 'https://www.circle.com/usdc'),
            ', ohne Konto und ohne Abonnement. Ein Aufruf ohne Ergebnis kostet nichts: ',
            buildLink('alle Preise', '/prices'),
            '.',
          ],
        },
      ],
    },
  ],
});

const evidence: TextSection = {
  id: 'evidence',
  heading: 'Änderungen, die etwas bewirken',
  level: 2,
  blocks: [
    buildText(
      'Manche Änderungen haben eine gemessene Wirkung, die meisten Ratschläge wurden nie gemessen. Jede Prüfung nennt ihre Quelle und wie belastbar diese ist, vom kontrollierten Versuch bis zur Konvention.',
    ),
    buildList(
      [
        'Statistiken erhöhten die Sichtbarkeit einer Quelle in erzeugten Antworten um 31 %, genannte Quellen um 27 %, und gehäufte Schlüsselwörter senkten sie um 8 %: ',
        buildLink('der kontrollierte Versuch von Aggarwal und anderen', CITED_EXPERIMENT),
        ', Tabelle 1.',
      ],
      [
        'Ein Crawler liest mindestens 500 KiB einer robots.txt und behandelt die Regeln als unbekannt, solange der Server Fehler meldet: ',
        buildLink('das Robots Exclusion Protocol', 'https://www.rfc-editor.org/rfc/rfc9309'),
        '.',
      ],
    ),
  ],
};

const buildPrices = ({ from, to }: StartFacts): TextSection => ({
  id: 'prices',
  heading: 'Was kostet ein Aufruf?',
  level: 2,
  blocks: [
    buildText(
      `Ein Aufruf kostet zwischen ${from} und ${to}, ein fester Preis je Leistung, in `,
      buildLink('USDC, einer Münze, die einem Dollar entspricht', 'https://www.circle.com/usdc'),
      ', im Netz Base. Ohne Lieferung wird nichts berechnet. ',
      buildLink('Alle Preise, und was Sie dafür bekommen', '/prices'),
      '.',
    ),
  ],
});

const buildConnect = ({ baseUrl }: StartFacts): TextSection => ({
  id: 'connect',
  heading: 'Auch für Agenten gemacht',
  level: 2,
  blocks: [
    buildText(
      'Ein Agent ruft eine Leistung mit einem POST und einem JSON-Body auf. Ohne Bezahlung ist die Antwort 402 mit den Bedingungen, in der Form ',
      buildLink('des Bezahlstandards x402', 'https://docs.x402.org/'),
      '; ein Client, der ihn spricht, zahlt und wiederholt den Aufruf selbst. Assistenten verbinden sich über ',
      buildLink('das Model Context Protocol', 'https://modelcontextprotocol.io/'),
      ':',
    ),
    {
      kind: 'code',
      language: 'sh',
      label: 'Befehl kopieren',
      code: `claude mcp add --transport http ${service.name} ${listMcpUrls(baseUrl).account}`,
    },
    buildText(buildLink('curl, TypeScript, Python und andere MCP-Clients', '/prices#call'), '.'),
  ],
});

const questions: readonly TextSection[] = [
  {
    id: 'questions',
    heading: 'Fragen und Antworten',
    level: 2,
    blocks: [
      buildText(
        'Gefragt wird zuerst nach Geld, nach der eigenen Website und danach, wer das Ergebnis sieht. Die kurzen Antworten:',
      ),
    ],
  },
  buildQuestion(
    'how-computed',
    'Wie wird eine Bewertung berechnet?',
    buildText(
      'Eine Bewertung ist der gewichtete Anteil bestandener Prüfungen: 100 mal die Summe aus Gewicht und Ergebnis, geteilt durch die Summe der Gewichte, gerundet. Eine Prüfung, die nicht zutrifft oder nicht möglich war, zählt in keiner der beiden Summen.',
    ),
    buildText(
      'Einige Prüfungen sind Schranken: Gute Titel retten keine Website, die niemand erreicht. Eine Schranke, die nicht bestanden wird, begrenzt die Bewertung. Jeder Bericht zeigt die Formel mit ihren wirklichen Zahlen und jede Prüfung mit Gewicht, Beleg und Quelle.',
    ),
  ),
  buildQuestion(
    'what-happens',
    'Was macht eine Prüfung mit meiner Website?',
    buildText(
      'Eine Prüfung liest Ihre Website mit höchstens 60 Anfragen, sechs auf einmal. Sie sendet kein Formular ab, meldet sich nicht an und behält kein Cookie. Der User-Agent nennt uns und führt zur ',
      buildLink('Seite über unseren Bot (englisch)', '/bot'),
      '. Ein Host wird von allen Aufrufern zusammen höchstens zweimal gleichzeitig geprüft.',
    ),
  ),
  buildQuestion(
    'need-account',
    'Brauche ich ein Konto?',
    buildText(
      'Sie brauchen kein Konto, um nachzusehen oder je Aufruf zu zahlen: Die Zahlung ist die Berechtigung. Ein Konto ist eine Ethereum-Adresse, mit der Sie sich anmelden, für Guthaben und für Clients, die nicht selbst zahlen können.',
    ),
  ),
  buildQuestion(
    'who-sees',
    'Wer kann meinen Bericht sehen?',
    buildText(
      'Einen Bericht sieht, wer seine Adresse kennt. Sie lässt sich nicht erraten, und Suchmaschinen werden gebeten, ihn auszulassen. Er ist dreißig Tage lang lesbar und wird in den dreißig Tagen danach gelöscht. Ob Sie ihn veröffentlichen, entscheiden Sie: Dann kann ihn jeder lesen, und er erscheint in Badge und Verlauf der Website.',
    ),
  ),
  buildQuestion(
    'free-part',
    'Was ist kostenlos?',
    buildText(
      'Kostenlos sind der Katalog, alle Beschreibungen und eine Vorschau der Prüfung: Sie zeigt die vier Bewertungen und die einfachen Prüfungen im Browser. Das Programm für die Kommandozeile prüft von Ihrem Rechner aus, ohne jede Zahlung.',
    ),
  ),
];

const buildDocuments = ({ baseUrl }: StartFacts): TextSection => ({
  id: 'documents',
  heading: 'Dokumente für Maschinen',
  level: 2,
  blocks: [
    buildText(
      'Die Dokumente für Maschinen sagen dasselbe wie diese Seite, auf Englisch und in der Form, die ihre Leser erwarten:',
    ),
    buildList(
      [buildLink('Kostenloser Katalog', '/api/agent/index'), ': Preise, Anfragen und Verfügbarkeit jeder Leistung'],
      [buildLink('OpenAPI-Beschreibung', '/openapi.json'), ': jede Route mit Schemas und Fehlercodes'],
      [
        buildLink('llms.txt', '/llms.txt'),
        ': dieser Dienst in den Worten, die ein Modell braucht, in ',
        buildLink('der Form, die llmstxt.org vorschlägt', 'https://llmstxt.org/'),
      ],
      [
        buildLink('Server Card', '/mcp/server-card'),
        ': der Endpunkt ',
        buildCode(listMcpUrls(baseUrl).open),
        ' für Clients',
      ],
      [buildLink('Diese Seite als Markdown', '/index.md'), ': dieselben Worte für Modelle'],
      [buildLink('Über den Bot', '/bot'), ': was unsere Prüfungen von einer Website anfragen'],
      [buildLink('Änderungen (englisch)', '/changelog'), ': was sich geändert hat, Version für Version'],
      [buildLink('Statusseite (englisch)', '/status'), ': ob verkauft wird und ob antwortet, was der Dienst braucht'],
    ),
  ],
});

import type { Translated } from '../language/language.ts';

/** What a row is to its buyer: what the page offers, in a sentence what for, and what the report holds. */
export type RowText = { heading: string; lead: string; gets: readonly string[] };

const CHECK_GETS = [
  'Each check with its verdict, the evidence and its source',
  'For each failed check, what to do about it',
  'How to repeat every look yourself',
];
const SCORE_GETS = [
  'The score from 0 to 100 with its grade, and how it was counted',
  'Every check behind it, with the evidence and its source',
  'What to do about each failed check, with the points that it brings',
];
const PANEL_GETS = [
  'For each assistant and for all together: mention rate, recommendation rate and share of voice, each with its range',
  'Which assistants differ by more than chance',
  'Up to five competitors on the same answers, each with a verdict or “too close to call”',
  'The pages that the answers cite, where an assistant gives sources',
  'Every answer to read, for all assistants',
];
const PANEL_UMFANG = [
  'Für jeden Assistenten und für alle zusammen: Nennungsrate, Empfehlungsrate und Nennungsanteil, je mit Spanne',
  'Welche Assistenten sich um mehr als Zufall unterscheiden',
  'Bis zu fünf Konkurrenten an denselben Antworten, je mit Urteil oder „zu knapp“',
  'Die Seiten, die in den Antworten zitiert werden, wo ein Assistent Quellen nennt',
  'Jede Antwort zum Lesen, von allen Assistenten',
];
const PRUEFUNG_GETS = [
  'Jede Prüfung mit Urteil, Beleg und Quelle',
  'Zu jeder nicht bestandenen Prüfung, was zu tun ist',
  'Wie Sie jede Abfrage selbst wiederholen',
];
const BEWERTUNG_GETS = [
  'Die Bewertung von 0 bis 100 mit Note, und wie sie berechnet wurde',
  'Jede Prüfung dahinter, mit Beleg und Quelle',
  'Was bei jeder nicht bestandenen Prüfung zu tun ist und wie viele Punkte das bringt',
];

/** Rows that are not here are described by their title and summary. */
export const rowWords: Translated<Readonly<Record<string, RowText>>> = {
  en: {
    check_health: {
      heading: 'Check the health of a site',
      lead: 'See whether a site answers, and whether its robots.txt lets AI crawlers in.',
      gets: ['Which AI crawlers may read the page, and by which line of robots.txt', ...CHECK_GETS],
    },
    check_llms_txt: {
      heading: 'Check an llms.txt',
      lead: 'See whether a site has an llms.txt that AI systems can use: its sections, its links, its length.',
      gets: CHECK_GETS,
    },
    check_schema: {
      heading: 'Check structured data',
      lead: 'See which schema.org data a site has, and what is wrong or missing in it.',
      gets: ['The types that were found, FAQ and organization among them', ...CHECK_GETS],
    },
    check_agent_files: {
      heading: 'Check the files for agents',
      lead: 'See whether software agents find what they need: an OpenAPI description, a plugin manifest, a way to pay.',
      gets: CHECK_GETS,
    },
    check_mcp: {
      heading: 'Check whether an MCP server is found',
      lead: 'See whether AI assistants find the MCP server of a site, and what its cards say of it.',
      gets: CHECK_GETS,
    },
    score_aeo: {
      heading: 'Score the visibility in AI search',
      lead: 'AEO: how well AI search can find, read and quote a site.',
      gets: SCORE_GETS,
    },
    score_geo: {
      heading: 'Score the readiness to be cited',
      lead: 'GEO: how well the texts of a site serve as a source for generated answers.',
      gets: SCORE_GETS,
    },
    score_agent: {
      heading: 'Score the readiness for agents',
      lead: 'How well software agents can use a site: read it, call it, and pay for what it sells.',
      gets: SCORE_GETS,
    },
    score_mcp: {
      heading: 'Score the readiness of an MCP server',
      lead: 'How well MCP clients can find the server of a site, connect to it and use it safely.',
      gets: SCORE_GETS,
    },
    generate_llms_txt: {
      heading: 'Generate an llms.txt',
      lead: 'Get an llms.txt for a site, made from what its pages say. Nothing is invented.',
      gets: ['The file, ready to put on the site', 'Where to put it, and how to check that it is found'],
    },
    generate_mcp_json: {
      heading: 'Generate mcp.json and agent.json',
      lead: 'Get the two files by which agents find the services of a site.',
      gets: ['Both files, with facts of the site filled in', 'What you have to add yourself, by name'],
    },
    fix_pack: {
      heading: 'Get every fix for a site',
      lead: 'Get text to copy for each failed check: the changed page, the missing file, the line of the configuration.',
      gets: [
        'A fix for every failed check, the best first',
        'Each with where it goes, what it replaces and the points that it brings',
        'All files in one download',
      ],
    },
    generate_skill: {
      heading: 'Generate a fix file for a coding agent',
      lead: 'Get a SKILL.md that has your coding agent fix the site, check by check.',
      gets: ['The skill with its files, for the agent and not for the web', 'How to start it'],
    },
    compare: {
      heading: 'Compare two sites',
      lead: 'See who is ahead of whom for AI systems, in which category, and why.',
      gets: [
        'Both sites read in the same way, side by side',
        'A winner in each category, with the reason',
        'What to copy first',
      ],
    },
    full_report: {
      heading: 'Get the full report of a site',
      lead: 'All four scores, every fix, and the files to deploy, in one purchase.',
      gets: [
        'Four scores with every check and its evidence',
        'A fix for every failed check',
        'A generated llms.txt and mcp.json, in one download',
      ],
    },
    visibility_check: {
      heading: 'Measure a brand in AI answers',
      lead: 'See how often an AI assistant names and recommends your brand when we ask it about your market, and whom it names instead.',
      gets: [
        'Mention rate, recommendation rate and share of voice, each with its range',
        'The rivals that are named, and your rank among them',
        'The kinds of question in which they are ahead',
      ],
    },
    visibility_vs_competitor: {
      heading: 'Compare two brands in AI answers',
      lead: 'See which of two brands an AI assistant names more often when we ask it about your market, and whether the difference is more than chance.',
      gets: [
        'A verdict, or “too close to call”',
        'For each brand its mention rate, recommendation rate and share of voice, each with its range',
      ],
    },
    seller_check: {
      heading: 'Check of a paid endpoint',
      lead: 'Reads what you sell by x402 or MPP as a buyer does, and says what stops buyers before they pay.',
      gets: CHECK_GETS,
    },
    visibility_panel_2: {
      heading: 'Measure a brand in two AI assistants',
      lead: 'See how often two AI assistants name and recommend your brand for the same questions, each by itself and both together.',
      gets: PANEL_GETS,
    },
    visibility_panel_4: {
      heading: 'Measure a brand in four AI assistants',
      lead: 'See how often four AI assistants name and recommend your brand for the same questions, each by itself and all together.',
      gets: PANEL_GETS,
    },
    visibility_fix_pack: {
      heading: 'Get texts for your weak spots in AI answers',
      lead: 'Turn topics in which others are named into texts that answers can quote you with.',
      gets: [
        'A passage to quote for each weak spot',
        'The same as questions and answers for search engines (FAQ JSON-LD)',
        'A section for your llms.txt',
        'Filled with what your site says and the facts you give; the rest is marked for you: nothing is invented',
      ],
    },
  },
  de: {
    check_health: {
      heading: 'Erreichbarkeit einer Website prüfen',
      lead: 'Sehen Sie, ob eine Website antwortet und ob ihre robots.txt KI-Crawler zulässt.',
      gets: ['Welche KI-Crawler die Seite lesen dürfen, und nach welcher Zeile der robots.txt', ...PRUEFUNG_GETS],
    },
    check_llms_txt: {
      heading: 'Eine llms.txt prüfen',
      lead: 'Sehen Sie, ob eine Website eine llms.txt hat, mit der KI-Systeme etwas anfangen können: Abschnitte, Links, Umfang.',
      gets: PRUEFUNG_GETS,
    },
    check_schema: {
      heading: 'Strukturierte Daten prüfen',
      lead: 'Sehen Sie, welche schema.org-Daten eine Website hat und was daran falsch ist oder fehlt.',
      gets: ['Die gefundenen Typen, darunter FAQ und Organisation', ...PRUEFUNG_GETS],
    },
    check_agent_files: {
      heading: 'Dateien für Agenten prüfen',
      lead: 'Sehen Sie, ob Software-Agenten finden, was sie brauchen: eine OpenAPI-Beschreibung, ein Plugin-Manifest, einen Weg zu zahlen.',
      gets: PRUEFUNG_GETS,
    },
    check_mcp: {
      heading: 'Prüfen, ob ein MCP-Server gefunden wird',
      lead: 'Sehen Sie, ob KI-Assistenten den MCP-Server einer Website finden und was dessen Beschreibungen über ihn sagen.',
      gets: PRUEFUNG_GETS,
    },
    score_aeo: {
      heading: 'Sichtbarkeit in der KI-Suche bewerten',
      lead: 'AEO: wie gut die KI-Suche eine Website findet, liest und zitiert.',
      gets: BEWERTUNG_GETS,
    },
    score_geo: {
      heading: 'Eignung als Quelle bewerten',
      lead: 'GEO: wie gut die Texte einer Website als Quelle für erzeugte Antworten taugen.',
      gets: BEWERTUNG_GETS,
    },
    score_agent: {
      heading: 'Eignung für Agenten bewerten',
      lead: 'Wie gut Software-Agenten eine Website nutzen können: lesen, aufrufen und bezahlen.',
      gets: BEWERTUNG_GETS,
    },
    score_mcp: {
      heading: 'Einen MCP-Server bewerten',
      lead: 'Wie gut MCP-Clients den Server einer Website finden, sich verbinden und ihn sicher nutzen.',
      gets: BEWERTUNG_GETS,
    },
    generate_llms_txt: {
      heading: 'Eine llms.txt erzeugen',
      lead: 'Sie erhalten eine llms.txt, die aus den Texten der Website entsteht. Nichts wird erfunden.',
      gets: ['Die Datei, fertig für die Website', 'Wohin sie gehört und wie Sie prüfen, dass sie gefunden wird'],
    },
    generate_mcp_json: {
      heading: 'mcp.json und agent.json erzeugen',
      lead: 'Sie erhalten die beiden Dateien, an denen Agenten die Dienste einer Website erkennen.',
      gets: ['Beide Dateien, mit Angaben der Website ausgefüllt', 'Was Sie selbst ergänzen müssen, beim Namen genannt'],
    },
    fix_pack: {
      heading: 'Alle Korrekturen für eine Website',
      lead: 'Zu jeder nicht bestandenen Prüfung erhalten Sie Text zum Kopieren: die geänderte Seite, die fehlende Datei, die Zeile der Konfiguration.',
      gets: [
        'Eine Korrektur für jede nicht bestandene Prüfung, die beste zuerst',
        'Zu jeder, wohin sie gehört, was sie ersetzt und wie viele Punkte sie bringt',
        'Alle Dateien in einem Download',
      ],
    },
    generate_skill: {
      heading: 'Eine Korrekturdatei für Coding-Agenten erzeugen',
      lead: 'Sie erhalten eine SKILL.md, mit der Ihr Coding-Agent die Website Prüfung für Prüfung verbessert.',
      gets: ['Den Skill mit seinen Dateien, für den Agenten und nicht fürs Web', 'Wie Sie ihn starten'],
    },
    compare: {
      heading: 'Zwei Websites vergleichen',
      lead: 'Sehen Sie, wer für KI-Systeme vorn liegt, in welcher Kategorie und warum.',
      gets: [
        'Beide Websites, gleich gelesen und nebeneinander gestellt',
        'In jeder Kategorie, wer vorn liegt, mit Begründung',
        'Was Sie zuerst übernehmen sollten',
      ],
    },
    full_report: {
      heading: 'Der ganze Bericht über eine Website',
      lead: 'Alle vier Bewertungen, alle Korrekturen und die fertigen Dateien in einem Kauf.',
      gets: [
        'Vier Bewertungen mit jeder Prüfung und ihrem Beleg',
        'Eine Korrektur für jede nicht bestandene Prüfung',
        'Eine erzeugte llms.txt und mcp.json, in einem Download',
      ],
    },
    visibility_check: {
      heading: 'Eine Marke in KI-Antworten messen',
      lead: 'Sehen Sie, wie oft ein KI-Assistent Ihre Marke nennt und empfiehlt, wenn wir ihn nach Ihrem Markt fragen, und wen er stattdessen nennt.',
      gets: [
        'Nennungsrate, Empfehlungsrate und Anteil an den Nennungen, je mit Spanne',
        'Die genannten Wettbewerber und Ihr Rang unter ihnen',
        'Die Arten von Fragen, bei denen sie vorn liegen',
      ],
    },
    visibility_vs_competitor: {
      heading: 'Zwei Marken in KI-Antworten vergleichen',
      lead: 'Sehen Sie, welche von zwei Marken ein KI-Assistent öfter nennt, wenn wir ihn nach Ihrem Markt fragen, und ob der Unterschied mehr als Zufall ist.',
      gets: [
        'Ein Urteil oder „zu knapp, um es zu sagen“',
        'Für jede Marke Nennungsrate, Empfehlungsrate und Anteil an den Nennungen, je mit Spanne',
      ],
    },
    seller_check: {
      heading: 'Prüfung eines bezahlten Endpunkts',
      lead: 'Liest, was Sie per x402 oder MPP verkaufen, wie ein Käufer, und sagt, was Käufer vor dem Bezahlen aufhält.',
      gets: PRUEFUNG_GETS,
    },
    visibility_panel_2: {
      heading: 'Eine Marke in zwei KI-Assistenten messen',
      lead: 'Sehen Sie, wie oft zwei KI-Assistenten Ihre Marke auf dieselben Fragen nennen und empfehlen, jeder für sich und beide zusammen.',
      gets: PANEL_UMFANG,
    },
    visibility_panel_4: {
      heading: 'Eine Marke in vier KI-Assistenten messen',
      lead: 'Sehen Sie, wie oft vier KI-Assistenten Ihre Marke auf dieselben Fragen nennen und empfehlen, jeder für sich und alle zusammen.',
      gets: PANEL_UMFANG,
    },
    visibility_fix_pack: {
      heading: 'Texte für Ihre Schwachstellen in KI-Antworten',
      lead: 'Aus Themen, bei denen andere genannt werden, entstehen Texte, mit denen Antworten Sie zitieren können.',
      gets: [
        'Ein zitierbarer Absatz für jede Schwachstelle',
        'Dasselbe als Fragen und Antworten für Suchmaschinen (FAQ-JSON-LD)',
        'Ein Abschnitt für Ihre llms.txt',
        'Gefüllt mit dem, was Ihre Website sagt und was Sie angeben; der Rest ist für Sie markiert: Nichts wird erfunden',
      ],
    },
  },
};

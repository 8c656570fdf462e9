import { capitalise } from '../../lib/text.ts';
import type { PageLanguage, Translated } from '../language/language.ts';
import type { FormField } from './fields.ts';

/** `help`: what to write, and what it is used for. `choices`: words for values of a list. */
type FieldText = { label: string; help?: string; choices?: Readonly<Partial<Record<string, string>>>; none?: string };

/** Languages of questions by their own names. */
const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  ja: '日本語',
} as const;

/** Words of fields, by the name of the member. What has none gets its name and the description of its schema. */
const fieldWords: Translated<Readonly<Record<string, FieldText>>> = {
  en: {
    url: {
      label: 'Address of the site',
      help: 'Such as example.com. Only public pages are read, at most 60 requests in all.',
    },
    competitor: { label: 'Address of the other site', help: 'A site that yours is compared with.' },
    profile: {
      label: 'Kind of site',
      help: 'It decides which checks apply. Leave it unless the finding by evidence was wrong: a report with a chosen kind cannot be published.',
      none: 'Find out by evidence',
      choices: {
        content: 'Articles and guides',
        docs: 'Documentation',
        product: 'Product or company',
        commerce: 'Shop',
        api: 'API',
        mcp: 'MCP server',
      },
    },
    max_pages: {
      label: 'Pages to read',
      help: 'The start page included; 9 if you leave it empty. More pages take longer, not more money.',
    },
    publish: {
      label: 'Publish the report',
      help: 'Everyone can read it then, with all fixes and files: it appears in the history of the site, its badge shows the scores, and search engines may find it. You can take it back on the page of the report. Not set, only those with the link can read it.',
    },
    brand: { label: 'Your brand', help: 'As people write it, such as Example Desk.' },
    competitor_brand: {
      label: 'Brand to compare with',
      help: 'One other brand, such as Sample Support. For more, buy one comparison for each.',
    },
    niche: {
      label: 'What buyers ask for',
      help: 'The market as a buyer would type it, without a brand: help desk software, CRM for dentists. It is put into the questions.',
    },
    weak_spots: {
      label: 'Weak spot',
      help: 'Topics in which others are named and you are not. The report of a visibility measurement lists them, and fills them in here.',
    },
    facts: {
      label: 'Fact',
      help: 'What you know and the site does not say: it fills the texts. What a slot of an earlier report asks for can be the name.',
    },
    name: { label: 'What it is', help: 'Such as year of founding, or number of customers or projects.' },
    value: { label: 'The fact', help: 'As it is to be published, in one line.' },
    source: { label: 'Source', help: 'Where readers can check it: a name or an address.' },
    topic: { label: 'Topic', help: 'What was asked about, such as prices for small teams.' },
    who_wins: { label: 'Who is named instead', help: 'Brands that the answers name.' },
    evidence: { label: 'Evidence', help: 'A sentence of an answer, or a fact about you that is missing there.' },
    language: {
      label: 'Language of the questions',
      help: 'Write what buyers ask for in this language. English if you leave it.',
      none: 'English',
      choices: languageNames,
    },
    prompt_set: {
      label: 'Set of questions',
      help: 'The second set suits all markets. The first is for comparing with earlier measurements.',
      none: 'Chosen by the other fields',
      choices: { v1: 'First set, English', v2: 'Second set' },
    },
    kind: {
      label: 'What it is about',
      help: 'A product is bought and used; a service is work, premises or a contract.',
      none: 'Not chosen',
      choices: { product: 'Product', service: 'Service' },
    },
    local: { label: 'The market is a place', help: 'Such as a dentist in Lyon.' },
    prompts: {
      label: 'Your own questions',
      help: 'In place of a set: 6 to 100, one a line, as a buyer would ask them and without your brand.',
    },
    engines: { label: 'Engines', help: 'By name, one a line. Leave it empty for the first ones.' },
    competitors: { label: 'Brands to compare with', help: 'Up to five, one a line.' },
    site: {
      label: 'Your website',
      help: 'Sources there count as yours, and its pages are held against those that are cited.',
    },
    allow_partial: {
      label: 'Deliver even if an engine fails',
      help: 'The price stays the same then. Without it you pay only if every engine was measured.',
    },
  },
  de: {
    url: {
      label: 'Adresse der Website',
      help: 'Etwa example.com. Gelesen werden nur öffentliche Seiten, mit höchstens 60 Anfragen.',
    },
    competitor: { label: 'Adresse der anderen Website', help: 'Eine Website, mit der Ihre verglichen wird.' },
    profile: {
      label: 'Art der Website',
      help: 'Sie entscheidet, welche Prüfungen gelten. Wählen Sie nur, wenn die Erkennung falsch war: Ein Bericht mit gewählter Art lässt sich nicht veröffentlichen.',
      none: 'An Belegen erkennen',
      choices: {
        content: 'Artikel und Ratgeber',
        docs: 'Dokumentation',
        product: 'Produkt oder Unternehmen',
        commerce: 'Shop',
        api: 'API',
        mcp: 'MCP-Server',
      },
    },
    max_pages: {
      label: 'Zahl der Seiten',
      help: 'Mit der Startseite; leer gelassen sind es 9. Mehr Seiten dauern länger und kosten nicht mehr.',
    },
    publish: {
      label: 'Bericht veröffentlichen',
      help: 'Dann kann ihn jeder lesen, mit allen Korrekturen und Dateien: Er steht im Verlauf der Website, ihr Badge zeigt die Bewertungen, und Suchmaschinen dürfen ihn finden. Auf der Seite des Berichts nehmen Sie das zurück. Ohne Haken liest ihn nur, wer den Link hat.',
    },
    brand: { label: 'Ihre Marke', help: 'So, wie man sie schreibt, etwa Example Desk.' },
    competitor_brand: {
      label: 'Marke zum Vergleich',
      help: 'Eine andere Marke, etwa Sample Support. Für weitere kaufen Sie je einen Vergleich.',
    },
    niche: {
      label: 'Wonach Kunden fragen',
      help: 'Der Markt, wie ihn Kunden eintippen, ohne Marke und in der Sprache der Fragen, ohne Wahl auf Englisch: help desk software, dental CRM.',
    },
    weak_spots: {
      label: 'Schwachstelle',
      help: 'Themen, bei denen andere genannt werden und Sie nicht. Der Bericht einer Sichtbarkeitsmessung nennt sie und füllt sie hier aus.',
    },
    facts: {
      label: 'Angabe',
      help: 'Was Sie wissen und die Website nicht sagt: Damit werden die Texte gefüllt. Als Name passt, wonach eine Lücke eines früheren Berichts fragt.',
    },
    name: { label: 'Was es ist', help: 'Etwa Gründungsjahr oder Zahl der Kunden.' },
    value: { label: 'Die Angabe', help: 'So, wie sie veröffentlicht werden soll, in einer Zeile.' },
    source: { label: 'Quelle', help: 'Wo Leser sie prüfen können: ein Name oder eine Adresse.' },
    topic: { label: 'Thema', help: 'Wonach gefragt wurde, etwa Preise für kleine Teams.' },
    who_wins: { label: 'Wer stattdessen genannt wird', help: 'Marken, die in den Antworten vorkommen.' },
    evidence: { label: 'Beleg', help: 'Ein Satz einer Antwort oder eine Tatsache über Sie, die dort fehlt.' },
    language: {
      label: 'Sprache der Fragen',
      help: 'Schreiben Sie in dieser Sprache, wonach Kunden fragen. Ohne Wahl Englisch.',
      none: 'Englisch',
      choices: languageNames,
    },
    prompt_set: {
      label: 'Fragensatz',
      help: 'Der zweite Satz passt zu allen Märkten. Der erste dient dem Vergleich mit früheren Messungen.',
      none: 'Durch die anderen Felder bestimmt',
      choices: { v1: 'Erster Satz, englisch', v2: 'Zweiter Satz' },
    },
    kind: {
      label: 'Worum es geht',
      help: 'Ein Produkt kauft und benutzt man; eine Dienstleistung ist Arbeit, ein Ort oder ein Vertrag.',
      none: 'Nicht gewählt',
      choices: { product: 'Produkt', service: 'Dienstleistung' },
    },
    local: { label: 'Der Markt ist ein Ort', help: 'Etwa Zahnarzt in Lyon.' },
    prompts: {
      label: 'Eigene Fragen',
      help: 'Statt eines Satzes: 6 bis 100, je Zeile eine, so wie Kunden fragen und ohne Ihre Marke.',
    },
    engines: { label: 'Antwortmaschinen', help: 'Namen, je Zeile einer. Leer gelassen werden die ersten gefragt.' },
    competitors: { label: 'Marken zum Vergleich', help: 'Höchstens fünf, je Zeile eine.' },
    site: {
      label: 'Ihre Website',
      help: 'Quellen dort zählen als Ihre, und ihre Seiten werden mit den zitierten verglichen.',
    },
    allow_partial: {
      label: 'Auch liefern, wenn eine Antwortmaschine ausfällt',
      help: 'Der Preis bleibt dann gleich. Ohne Haken zahlen Sie nur, wenn alle gemessen wurden.',
    },
  },
};

/** `helpLanguage`: English where only the schema describes the field. */
export type DescribedField = {
  label: string;
  help?: string | undefined;
  helpLanguage?: PageLanguage | undefined;
  /** What an empty choice means, where there are words for it. */
  none?: string | undefined;
  formatChoice: (value: string) => string;
};

export function describeField(field: FormField, language: PageLanguage): DescribedField {
  const { member, description } = field;
  const words = fieldWords[language];
  const own = Object.hasOwn(words, member) ? words[member] : undefined;
  const formatChoice = (value: string): string => own?.choices?.[value] ?? value;
  if (own !== undefined) return { label: own.label, help: own.help, none: own.none, formatChoice };
  const isForeign = description !== undefined && language !== 'en';
  const label = capitalise(member.replaceAll('_', ' '));
  return { label, help: description, ...(isForeign ? { helpLanguage: 'en' } : {}), formatChoice };
}

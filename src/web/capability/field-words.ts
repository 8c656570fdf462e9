import { capitalise } from '../../lib/text.ts';
import type { PageLanguage, Translated } from '../language/language.ts';
import type { PromptLanguage } from '../../visibility/prompts/prompt-set.ts';
import { MAX_OWN_PROMPT_CHARS, MAX_OWN_PROMPTS, MIN_OWN_PROMPTS } from '../../visibility/prompts/limits.ts';
import type { FormField } from './fields.ts';

/** `help`: what to write, and what it is used for. `choices`: words for values of a list. */
type FieldText = { label: string; help?: string; choices?: Readonly<Partial<Record<string, string>>>; none?: string };

/** Each language in its own words. */
const languageChoices: Readonly<Record<PromptLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  ja: '日本語',
};

/** Words of fields, by the name of the member. What has none gets its name and the description of its schema. */
const fieldWords: Translated<Readonly<Record<string, FieldText>>> = {
  en: {
    url: {
      label: 'Address of the site',
      help: 'Such as example.com. Only public pages are read, at most 60 requests in all.',
    },
    seller_url: {
      label: 'Address of the paid endpoint',
      help: 'With its path, such as https://api.example.com/report. It is asked as a buyer asks it, without payment, and a few public documents of its host are read. The command sightline seller makes the same check free.',
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
    competitors: {
      label: 'Brands to compare with',
      help: 'Up to 5 other brands. Each is set against yours on the same answers, at no extra price.',
    },
    site: {
      label: 'Your website',
      help: 'Such as example.com. Sources there count as your own, and your pages are held against the pages that answers cite.',
    },
    language: {
      label: 'Language of the questions',
      help: 'Word the market in this language too.',
      none: 'English',
      choices: languageChoices,
    },
    prompt_set: {
      label: 'Set of questions',
      help: 'Leave it unless you repeat an earlier measurement: figures of two sets cannot be compared.',
      none: 'The one that fits your choices',
      choices: { v1: 'v1: English only, the first set', v2: 'v2: eight languages, products and services' },
    },
    kind: {
      label: 'What you sell',
      help: 'The questions are worded for it.',
      none: 'No choice',
      choices: { product: 'A product: something to buy and use', service: 'A service: work, premises or a contract' },
    },
    local: {
      label: 'The market has a place',
      help: 'Set it if what buyers ask for names or implies one, such as dentist in Lyon.',
    },
    prompts: {
      label: 'Your own questions',
      help: `Instead of a set: ${MIN_OWN_PROMPTS} to ${MAX_OWN_PROMPTS} questions in the language above, without a measured brand in them, of at most ${MAX_OWN_PROMPT_CHARS} characters.`,
    },
    engines: {
      label: 'Assistants to ask',
      help: 'Choose as many as the price is for. With none chosen, the first ones are asked.',
    },
    allow_partial: {
      label: 'Deliver even if an assistant fails',
      help: 'Not set, you pay nothing when one assistant cannot be measured, and get no report. Set, you get the report of the others, at the full price.',
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
  },
  de: {
    url: {
      label: 'Adresse der Website',
      help: 'Etwa example.com. Gelesen werden nur öffentliche Seiten, mit höchstens 60 Anfragen.',
    },
    seller_url: {
      label: 'Adresse des bezahlten Endpunkts',
      help: 'Mit Pfad, etwa https://api.example.com/report. Er wird gefragt, wie ein Käufer fragt, ohne Zahlung, und einige öffentliche Dokumente des Hosts werden gelesen. Der Befehl sightline seller prüft dasselbe kostenlos.',
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
      help: 'Der Markt, wie ihn Kunden eintippen, ohne Marke, in der Sprache der Fragen. Ohne Auswahl ist das Englisch: help desk software, dental CRM.',
    },
    competitors: {
      label: 'Marken zum Vergleich',
      help: 'Bis zu 5 andere Marken. Jede wird an denselben Antworten mit Ihrer verglichen, ohne Aufpreis.',
    },
    site: {
      label: 'Ihre Website',
      help: 'Etwa example.com. Quellen dort zählen als eigene, und Ihre Seiten werden mit den zitierten verglichen.',
    },
    language: {
      label: 'Sprache der Fragen',
      help: 'Nennen Sie auch den Markt in dieser Sprache.',
      none: 'English',
      choices: languageChoices,
    },
    prompt_set: {
      label: 'Fragensatz',
      help: 'Wählen Sie nur, wenn Sie eine frühere Messung wiederholen: Zahlen zweier Sätze lassen sich nicht vergleichen.',
      none: 'Der zu Ihrer Auswahl passende',
      choices: { v1: 'v1: nur Englisch, der erste Satz', v2: 'v2: acht Sprachen, Produkte und Dienstleistungen' },
    },
    kind: {
      label: 'Was Sie verkaufen',
      help: 'Danach richten sich die Worte der Fragen.',
      none: 'Keine Auswahl',
      choices: {
        product: 'Ein Produkt: etwas zum Kaufen und Benutzen',
        service: 'Eine Dienstleistung: Arbeit, Räume oder ein Vertrag',
      },
    },
    local: {
      label: 'Der Markt hat einen Ort',
      help: 'Setzen Sie den Haken, wenn Kunden einen Ort nennen oder meinen, etwa Zahnarzt in Köln.',
    },
    prompts: {
      label: 'Eigene Fragen',
      help: `Statt eines Satzes: ${MIN_OWN_PROMPTS} bis ${MAX_OWN_PROMPTS} Fragen in der Sprache oben, ohne eine gemessene Marke, mit je höchstens ${MAX_OWN_PROMPT_CHARS} Zeichen.`,
    },
    engines: {
      label: 'Assistenten, die gefragt werden',
      help: 'Wählen Sie so viele, wie im Preis enthalten sind. Ohne Auswahl werden die ersten gefragt.',
    },
    allow_partial: {
      label: 'Auch liefern, wenn ein Assistent ausfällt',
      help: 'Ohne Haken zahlen Sie nichts, wenn ein Assistent nicht gemessen werden kann, und erhalten keinen Bericht. Mit Haken erhalten Sie den Bericht der anderen zum vollen Preis.',
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

import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

export type BasisWords = {
  numbers: string;
  rule: string;
  /** Of a preview, whose gates of other checks are not named. */
  hiddenGates: string;
  tableLabel: string;
  tableCaption: string;
  columns: { score: string; points: string; assessed: string; caps: string };
  noCaps: string;
  basis: string;
  /** What the site was judged as; of a kind that decides nothing there is no word. */
  siteType: string;
  siteTypes: Readonly<Record<string, string>>;
  given: string;
  because: string;
  rubric: (version: string) => string;
  rubricMeans: string;
  requests: (count: number) => string;
  requestsCaption: string;
  requestColumns: { role: string; address: string; answer: string; bytes: string; ms: string };
  noAnswer: string;
};

/** The words of what the verdicts are based on, and of how scores are computed. */
export const basisWords: Translated<BasisWords> = {
  en: {
    numbers: 'How these numbers came to be',
    rule: 'A score is 100 × the weight that was earned ÷ the weight of the checks that could be assessed, rounded half up. A check that passes earns its weight, one that passes partly earns a share of it. What does not apply, or could not be checked, counts in neither. A gate caps a score, whatever else passes. Grades: A from 90, B from 75, C from 60, D from 40, F below.',
    hiddenGates: 'Gates of checks that the preview does not show are not named here.',
    tableLabel: 'Numbers behind the scores',
    tableCaption: 'Outcomes by score',
    columns: { score: 'Score', points: 'Points', assessed: 'Assessed', caps: 'Caps' },
    noCaps: 'none by the checks shown here',
    basis: 'What this is based on',
    siteType: 'Kind of site, which decides which checks apply:',
    siteTypes: {
      content: 'pages to read',
      docs: 'documentation',
      product: 'the site of a product',
      commerce: 'a shop',
      api: 'the site of a programming interface (API)',
      mcp: 'the site of an MCP server, an interface for AI assistants',
    },
    given: ', chosen with the order.',
    because: '. It was recognised by:',
    rubric: (version) => `Rubric ${version}, SHA-256`,
    rubricMeans: ': the same rubric and the same answers of the site give the same scores.',
    requests: (count) => `${formatWholeNumber(count, 'en')} ${count === 1 ? 'request was' : 'requests were'} made`,
    requestsCaption: 'Every request of this audit, in the order in which it was made.',
    requestColumns: { role: 'For', address: 'Address', answer: 'Answer', bytes: 'Bytes', ms: 'Milliseconds' },
    noAnswer: 'no answer',
  },
  de: {
    numbers: 'Wie diese Zahlen entstanden sind',
    rule: 'Eine Bewertung ist 100 × das erreichte Gewicht ÷ das Gewicht der Prüfungen, die bewertet werden konnten, kaufmännisch gerundet. Eine bestandene Prüfung erreicht ihr Gewicht, eine teilweise bestandene einen Anteil davon. Was nicht zutrifft oder nicht prüfbar war, zählt in keinem von beiden. Eine Schranke begrenzt die Bewertung, was auch sonst bestanden ist. Noten: A ab 90, B ab 75, C ab 60, D ab 40, darunter F.',
    hiddenGates: 'Schranken von Prüfungen, die die Vorschau nicht zeigt, sind hier nicht genannt.',
    tableLabel: 'Zahlen hinter den Bewertungen',
    tableCaption: 'Ergebnisse nach Bewertung',
    columns: { score: 'Bewertung', points: 'Punkte', assessed: 'Bewertet', caps: 'Obergrenzen' },
    noCaps: 'keine durch die hier gezeigten Prüfungen',
    basis: 'Worauf das beruht',
    siteType: 'Art der Website, nach der sich richtet, welche Prüfungen zutreffen:',
    siteTypes: {
      content: 'Seiten zum Lesen',
      docs: 'Dokumentation',
      product: 'die Website eines Produkts',
      commerce: 'ein Shop',
      api: 'die Website einer Programmierschnittstelle (API)',
      mcp: 'die Website eines MCP-Servers, einer Schnittstelle für KI-Assistenten',
    },
    given: ', bei der Bestellung gewählt.',
    because: '. Erkannt an:',
    rubric: (version) => `Prüfkatalog ${version}, SHA-256`,
    rubricMeans: ': derselbe Katalog und dieselben Antworten der Website ergeben dieselben Bewertungen.',
    requests: (count) => `${formatWholeNumber(count, 'de')} ${count === 1 ? 'Anfrage' : 'Anfragen'} an die Website`,
    requestsCaption: 'Jede Anfrage dieser Prüfung in der Reihenfolge, in der sie gestellt wurde.',
    requestColumns: { role: 'Wofür', address: 'Adresse', answer: 'Antwort', bytes: 'Bytes', ms: 'Millisekunden' },
    noAnswer: 'keine Antwort',
  },
};

import { intentLabels, type PromptIntent } from '../../../visibility/run/intents.ts';
import type { Translated } from '../../language/language.ts';
import type { AnswerTable } from './answer-tables-data.ts';
import type { AnswerOutcome } from './shown-answer.ts';

type AnswersWords = {
  title: string;
  lead: (answers: number, prompts: number) => string;
  gone: string;
  none: string;
  legend: string;
  ownMark: string;
  rivalMark: string;
  outcomes: Readonly<Record<AnswerOutcome, string>>;
  noAnswer: string;
  refused: string;
  /** Followed by why. */
  refusedBecause: string;
  sources: string;
  missing: string;
  filterEngine: string;
  files: string;
  filesNote: string;
  tables: Readonly<Record<AnswerTable, string>>;
  intents: Readonly<Record<PromptIntent, string>>;
  alsoNamed: string;
  showAll: (characters: string) => string;
  notShown: (characters: string) => string;
  csv: string;
  run: string;
  filter: string;
  filterOutcome: (brand: string) => string;
  filterIntent: string;
  filterText: string;
  all: string;
  /** `{shown}` and `{total}` are filled in by the script of the page. */
  shown: string;
  noneFits: string;
  showEvery: string;
  openAll: string;
  closeAll: string;
  counts: (of: Readonly<Record<AnswerOutcome, number>>) => string;
  without: (refused: number, failed: number) => string;
  hashes: string;
  hashesNote: string;
  columns: { prompt: string; answer: string; model: string; hash: string };
};

const en: AnswersWords = {
  title: 'What the answers say',
  lead: (answers, prompts) =>
    `${answers} of ${prompts} prompts were answered. Open one to read the answer, with names marked as they were counted. Markup, addresses and code are left out here.`,
  gone: 'The texts of these answers are not stored here: only what was asked is listed.',
  none: 'No answer came.',
  legend: 'Marked names',
  ownMark: 'measured brand',
  rivalMark: 'other brand',
  outcomes: { recommended: 'Recommended', named: 'Named', warned: 'Warned of', absent: 'Not named' },
  noAnswer: 'No answer',
  refused: 'No real answer',
  refusedBecause: 'This text is no answer, and is not counted among the answers that do not name the brand:',
  sources: 'Sources of this answer:',
  missing: 'Where am I missing?',
  filterEngine: 'Engine',
  files: 'Files for programs and spreadsheets',
  filesNote: 'A row for each prompt, answer, name in an answer, and source of an answer.',
  tables: { prompts: 'Prompts', answers: 'Answers', mentions: 'Names in answers', citations: 'Sources of answers' },
  intents: { ...intentLabels, own: 'Your own question' },
  alsoNamed: 'Also named:',
  showAll: (characters) => `Show all (${characters} more characters)`,
  notShown: (characters) => `${characters} more characters are in the CSV file.`,
  csv: 'Download as CSV',
  run: 'The answers as they came (JSON)',
  filter: 'Filter answers',
  filterOutcome: (brand) => `Outcome for ${brand}`,
  filterIntent: 'Kind of question',
  filterText: 'Text',
  all: 'All',
  shown: '{shown} of {total} prompts shown',
  noneFits: 'No answer fits this filter.',
  showEvery: 'Show all answers',
  openAll: 'Open all',
  closeAll: 'Close all',
  counts: ({ recommended, named, warned, absent }) =>
    `recommended in ${recommended}, only named in ${named},${warned === 0 ? '' : ` warned of in ${warned},`} not named in ${absent}`,
  without: (refused, failed) => `No real answer: ${refused}; no answer at all: ${failed}. Neither counts as not named.`,
  hashes: 'Models and SHA-256 of each answer',
  hashesNote: 'The hash shows whether a text is the one that was measured.',
  columns: { prompt: 'Prompt', answer: 'Answer', model: 'Model', hash: 'SHA-256 of the text' },
};

const de: AnswersWords = {
  title: 'Was in den Antworten steht',
  lead: (answers, prompts) =>
    `${answers} von ${prompts} Fragen wurden beantwortet. Öffnen Sie eine, um die Antwort zu lesen; Namen sind so markiert, wie sie gezählt wurden. Auszeichnungen, Adressen und Code sind hier weggelassen.`,
  gone: 'Die Texte dieser Antworten sind hier nicht gespeichert: Aufgeführt ist nur, was gefragt wurde.',
  none: 'Es kam keine Antwort.',
  legend: 'Markierte Namen',
  ownMark: 'gemessene Marke',
  rivalMark: 'andere Marke',
  outcomes: { recommended: 'Empfohlen', named: 'Genannt', warned: 'Davon abgeraten', absent: 'Nicht genannt' },
  noAnswer: 'Keine Antwort',
  refused: 'Keine echte Antwort',
  refusedBecause: 'Dieser Text ist keine Antwort und zählt nicht zu den Antworten, die die Marke nicht nennen:',
  sources: 'Quellen dieser Antwort:',
  missing: 'Wo fehle ich?',
  filterEngine: 'Antwortmaschine',
  files: 'Dateien für Programme und Tabellen',
  filesNote: 'Eine Zeile für jede Frage, jede Antwort, jeden Namen in einer Antwort und jede Quelle einer Antwort.',
  tables: {
    prompts: 'Fragen',
    answers: 'Antworten',
    mentions: 'Namen in Antworten',
    citations: 'Quellen der Antworten',
  },
  intents: {
    discovery: 'Überhaupt gefunden werden',
    recommendation: 'Passend für eine Zielgruppe',
    problem: 'Lösung eines Problems',
    comparison: 'Vergleich mit anderen',
    price: 'Preis und Wert',
    trust: 'Vertrauen und Alternativen',
    own: 'Eigene Fragen',
  },
  alsoNamed: 'Außerdem genannt:',
  showAll: (characters) => `Alles anzeigen (${characters} weitere Zeichen)`,
  notShown: (characters) => `${characters} weitere Zeichen stehen in der CSV-Datei.`,
  csv: 'Als CSV herunterladen',
  run: 'Die Antworten im Original (JSON)',
  filter: 'Antworten filtern',
  filterOutcome: (brand) => `Ergebnis für ${brand}`,
  filterIntent: 'Art der Frage',
  filterText: 'Text',
  all: 'Alle',
  shown: '{shown} von {total} Fragen angezeigt',
  noneFits: 'Keine Antwort passt zu diesem Filter.',
  showEvery: 'Alle Antworten zeigen',
  openAll: 'Alle öffnen',
  closeAll: 'Alle schließen',
  counts: ({ recommended, named, warned, absent }) =>
    `empfohlen in ${recommended}, nur genannt in ${named},${warned === 0 ? '' : ` davon abgeraten in ${warned},`} nicht genannt in ${absent}`,
  without: (refused, failed) =>
    `Keine echte Antwort: ${refused}; gar keine Antwort: ${failed}. Beides zählt nicht als nicht genannt.`,
  hashes: 'Modell und SHA-256 jeder Antwort',
  hashesNote: 'Der Hash zeigt, ob ein Text derjenige ist, der gemessen wurde.',
  columns: { prompt: 'Frage', answer: 'Antwort', model: 'Modell', hash: 'SHA-256 des Textes' },
};

export const answersWords: Translated<AnswersWords> = { en, de };

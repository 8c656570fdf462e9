import type { Translated } from '../../language/language.ts';

type EnginePanelWords = {
  /** One sentence each: who is named most, alone or with others, and how many of the engines name the brand. */
  top: Readonly<Record<'one' | 'several', readonly [before: string, behind: string]>>;
  furtherTops: (count: number) => string;
  namedBy: (named: number, engines: number) => string;
  degraded: string;
  /** Of an engine with few real answers, and of one with too few. */
  fewOf: (valid: number, total: number) => string;
  pooledTitle: string;
  pooledLead: (engines: number) => string;
  figures: Readonly<Record<'named' | 'recommended' | 'voice', string>>;
  noVoice: string;
  interval: (interval: string, answers: number) => string;
  engines: string;
  columns: readonly [engine: string, named: string, recommended: string, voice: string];
  pooled: string;
  few: string;
  unavailable: string;
  tooFew: (valid: number) => string;
  enginesCaption: string;
  differ: string;
  differCaption: string;
  pairColumns: readonly [
    engines: string,
    prompts: string,
    firstOnly: string,
    secondOnly: string,
    difference: string,
    p: string,
    verdict: string,
  ];
  namesMore: (engine: string) => string;
  tooClose: string;
  moreOften: (more: string, fewer: string, points: number, prompts: number, p: string) => string;
  noneDiffers: string;
  competitors: string;
  competitorsCaption: string;
  competitorColumns: readonly [name: string, named: string, recommended: string, difference: string, verdict: string];
  points: (points: number) => string;
  verdicts: Readonly<Record<'brand' | 'competitor' | 'too_close_to_call', string>>;
  rivals: string;
  rivalsCaption: string;
  rivalsCut: (rows: number) => string;
  rivalColumns: readonly [name: string, named: string, engines: string, answers: string, recommended: string];
  ofEngines: (count: number, all: number) => string;
  thisBrand: string;
  noRivals: string;
  weakSpots: string;
  ahead: string;
  noneAhead: string;
  each: string;
  eachLead: string;
  eachOf: string;
  asked: string;
  method: string;
  factsCaption: string;
  factColumns: readonly [
    engine: string,
    kind: string,
    model: string,
    served: string,
    search: string,
    country: string,
    answers: string,
    without: string,
  ];
  yes: string;
  no: string;
  noCountry: string;
  refused: (count: number, kinds: string) => string;
  failed: (count: number, reasons: string) => string;
  outcomes: string;
  outcomesCaption: string;
  prompt: string;
  answered: string;
  notes: string;
  proofs: string;
  promptSet: string;
  proofsCaption: string;
  proofColumns: readonly [engine: string, run: string, hash: string];
};

const en: EnginePanelWords = {
  top: { one: ['', ' is named most often.'], several: ['', ' are named most often, all equally often.'] },
  furtherTops: (count) => `${count} more`,
  namedBy: (named, engines) =>
    engines === 1
      ? `The one engine that was measured ${named === 1 ? 'names' : 'does not name'} it.`
      : `${named} of ${engines} engines name it.`,
  degraded: 'Degraded: not all engines gave enough answers, so some intervals are wide or missing.',
  fewOf: (valid, total) => `${valid} of ${total} prompts got a real answer.`,
  pooledTitle: 'All engines together',
  pooledLead: (engines) =>
    engines === 1
      ? 'One engine was measured, so nothing is pooled.'
      : `The mean of ${engines} engines, each with the same weight. It is not the figure of any of them.`,
  figures: { named: 'Mention rate', recommended: 'Recommendation rate', voice: 'Share of voice' },
  noVoice: 'Not measured: no brand name was found in the answers. This is not 0 %.',
  interval: (interval, answers) => `95 % interval: ${interval}, from ${answers} answers.`,
  engines: 'Engine by engine',
  columns: ['Engine', 'Mention rate', 'Recommendation rate', 'Share of voice'],
  pooled: 'All engines, each with the same weight',
  enginesCaption: 'Shares of the real answers of each engine. The line below a bar is the 95 % interval.',
  few: 'few answers: wide intervals',
  unavailable: 'Not measured',
  tooFew: (valid) => `only ${valid} real ${valid === 1 ? 'answer' : 'answers'} came.`,
  differ: 'Which engines differ',
  differCaption:
    'Every two engines on the prompts that both answered. p: how often chance alone makes such a difference, adjusted for all pairs.',
  pairColumns: [
    'Engines',
    'Prompts',
    'Only the first names it',
    'Only the second names it',
    'First ahead by',
    'p',
    'Verdict',
  ],
  namesMore: (engine) => `${engine} names it more often`,
  tooClose: 'Too close to call',
  moreOften: (more, fewer, points, prompts, p) =>
    `${more} names the brand more often than ${fewer}: by ${points} points on the ${prompts} prompts that both answered, more than chance explains (p = ${p}).`,
  noneDiffers:
    'No two engines differ by more than chance in how often they name the brand. That does not mean that they are equal.',
  competitors: 'Against your competitors',
  competitorsCaption:
    'Pooled over all engines, on the same answers. p is adjusted for all competitors. The line below a bar is the 95 % interval.',
  competitorColumns: ['Competitor', 'Mention rate', 'Recommendation rate', 'Brand ahead by', 'Verdict'],
  points: (points) => `${points} points`,
  verdicts: {
    brand: 'Your brand is named more often',
    competitor: 'The competitor is named more often',
    too_close_to_call: 'Too close to call',
  },
  rivals: 'Who is named',
  rivalsCaption:
    'Pooled over all engines, most often first. Engines and answers: how many name it. The line below a bar is the 95 % interval.',
  rivalsCut: (rows) => `The table ends after ${rows} rivals; others may be named less often.`,
  rivalColumns: ['Name', 'Mention rate', 'Engines', 'Answers', 'Recommended in'],
  ofEngines: (count, all) => `${count} of ${all}`,
  thisBrand: '(this brand)',
  noRivals: 'No other name was found often enough to be listed.',
  weakSpots: 'Weak spots',
  ahead: 'is named more often here.',
  noneAhead: 'No rival is named more often here.',
  each: 'Each engine in full',
  eachLead:
    'What one engine says, by kind of question and with its own weak spots, rivals and sources. Few answers of one engine say less than all together.',
  eachOf: 'All figures of',
  asked: 'How it was measured',
  method:
    'Every engine got the same prompts, each once, with nothing else: no system text, no history and no brand in it. Each engine is a group of its own; pooled figures are means over the groups, with intervals that allow for both.',
  factsCaption: 'What each engine is, and what came of the prompts.',
  factColumns: [
    'Engine',
    'Kind',
    'Model asked for',
    'Models that answered',
    'Web search',
    'Asked from',
    'Real answers',
    'Without a real answer',
  ],
  yes: 'yes',
  no: 'no',
  noCountry: 'not set',
  refused: (count, kinds) => `${count} without a real answer (${kinds})`,
  failed: (count, reasons) => `${count} without a text (${reasons})`,
  outcomes: 'What came of each prompt',
  outcomesCaption: 'What each engine made of each prompt. The texts themselves are under “What the answers say”.',
  prompt: 'Prompt',
  answered: 'answered',
  notes: 'Notes',
  proofs: 'Hashes that prove what was measured',
  promptSet: 'Prompt set',
  proofsCaption: 'The run of each engine, and the hash of everything that it wrote.',
  proofColumns: ['Engine', 'Run', 'SHA-256 of all transcripts'],
};

const de: EnginePanelWords = {
  top: {
    one: ['Am häufigsten wird ', ' genannt.'],
    several: ['Am häufigsten und gleich oft werden ', ' genannt.'],
  },
  furtherTops: (count) => `${count} weitere`,
  namedBy: (named, engines) =>
    engines === 1
      ? `Die eine gemessene Antwortmaschine nennt sie${named === 1 ? '' : ' nicht'}.`
      : named === 1
        ? `Eine von ${engines} Antwortmaschinen nennt sie.`
        : `${named} von ${engines} Antwortmaschinen nennen sie.`,
  degraded:
    'Eingeschränkt: Nicht alle Antwortmaschinen gaben genug Antworten, einige Spannen sind daher weit oder fehlen.',
  fewOf: (valid, total) => `${valid} von ${total} Fragen bekamen eine echte Antwort.`,
  pooledTitle: 'Alle Antwortmaschinen zusammen',
  pooledLead: (engines) =>
    engines === 1
      ? 'Gemessen wurde eine Antwortmaschine, zusammengefasst wird also nichts.'
      : `Das Mittel von ${engines} Antwortmaschinen, jede mit gleichem Gewicht. Es ist die Zahl von keiner allein.`,
  figures: { named: 'Nennungsrate', recommended: 'Empfehlungsrate', voice: 'Nennungsanteil' },
  noVoice: 'Nicht gemessen: In den Antworten fand sich kein Markenname. Das ist nicht 0 %.',
  interval: (interval, answers) => `95-%-Intervall: ${interval}, aus ${answers} Antworten.`,
  engines: 'Antwortmaschine für Antwortmaschine',
  columns: ['Antwortmaschine', 'Nennungsrate', 'Empfehlungsrate', 'Nennungsanteil'],
  pooled: 'Alle Antwortmaschinen mit gleichem Gewicht',
  enginesCaption:
    'Anteile an den echten Antworten jeder Antwortmaschine. Die Linie unter einem Balken ist das 95-%-Intervall.',
  few: 'wenige Antworten: weite Spannen',
  unavailable: 'Nicht gemessen',
  tooFew: (valid) => (valid === 1 ? 'Es kam nur eine echte Antwort.' : `Es kamen nur ${valid} echte Antworten.`),
  differ: 'Welche Antwortmaschinen sich unterscheiden',
  differCaption:
    'Je zwei Antwortmaschinen bei den Fragen, die beide beantwortet haben. p: wie oft der Zufall allein einen solchen Unterschied macht, angepasst an alle Paare.',
  pairColumns: [
    'Antwortmaschinen',
    'Fragen',
    'Nur die erste nennt sie',
    'Nur die zweite nennt sie',
    'Vorsprung der ersten',
    'p',
    'Urteil',
  ],
  namesMore: (engine) => `${engine} nennt sie häufiger`,
  tooClose: 'Zu knapp für ein Urteil',
  moreOften: (more, fewer, points, prompts, p) =>
    `${more} nennt die Marke häufiger als ${fewer}: um ${points} Punkte bei den ${prompts} Fragen, die beide beantwortet haben, mehr als der Zufall erklärt (p = ${p}).`,
  noneDiffers:
    'Keine zwei Antwortmaschinen unterscheiden sich um mehr als Zufall darin, wie oft sie die Marke nennen. Das heißt nicht, dass sie gleich sind.',
  competitors: 'Gegen Ihre Konkurrenten',
  competitorsCaption:
    'Über alle Antwortmaschinen, in denselben Antworten. p ist an alle Konkurrenten angepasst. Die Linie unter einem Balken ist das 95-%-Intervall.',
  competitorColumns: ['Konkurrent', 'Nennungsrate', 'Empfehlungsrate', 'Vorsprung der Marke', 'Urteil'],
  points: (points) => `${points} Punkte`,
  verdicts: {
    brand: 'Ihre Marke wird häufiger genannt',
    competitor: 'Der Konkurrent wird häufiger genannt',
    too_close_to_call: 'Zu knapp für ein Urteil',
  },
  rivals: 'Wer genannt wird',
  rivalsCaption:
    'Über alle Antwortmaschinen, die häufigste Marke zuerst. Antwortmaschinen und Antworten: wie viele sie nennen. Die Linie unter einem Balken ist das 95-%-Intervall.',
  rivalsCut: (rows) => `Die Tabelle endet nach ${rows} Konkurrenten; weitere können seltener genannt sein.`,
  rivalColumns: ['Name', 'Nennungsrate', 'Antwortmaschinen', 'Antworten', 'Empfohlen in'],
  ofEngines: (count, all) => `${count} von ${all}`,
  thisBrand: '(diese Marke)',
  noRivals: 'Kein anderer Name kam oft genug vor.',
  weakSpots: 'Schwachstellen',
  ahead: 'wird hier häufiger genannt.',
  noneAhead: 'Kein Konkurrent wird hier häufiger genannt.',
  each: 'Jede Antwortmaschine ausführlich',
  eachLead:
    'Was eine Antwortmaschine sagt, nach Art der Frage und mit eigenen Schwachstellen, Konkurrenten und Quellen. Die wenigen Antworten von einer sagen weniger als alle zusammen.',
  eachOf: 'Alle Zahlen von',
  asked: 'Wie gemessen wurde',
  method:
    'Jede Antwortmaschine bekam dieselben Fragen, jede einmal und ohne etwas anderes: keinen Systemtext, keinen Verlauf, keine Marke. Jede ist eine Gruppe für sich; Zahlen für alle sind Mittel über die Gruppen, mit Spannen für beides.',
  factsCaption: 'Was jede Antwortmaschine ist und was aus den Fragen wurde.',
  factColumns: [
    'Antwortmaschine',
    'Art',
    'Verlangtes Modell',
    'Modelle, die antworteten',
    'Websuche',
    'Gefragt aus',
    'Echte Antworten',
    'Ohne echte Antwort',
  ],
  yes: 'ja',
  no: 'nein',
  noCountry: 'nicht festgelegt',
  refused: (count, kinds) => `${count} ohne echte Antwort (${kinds})`,
  failed: (count, reasons) => `${count} ohne Text (${reasons})`,
  outcomes: 'Was aus jeder Frage wurde',
  outcomesCaption:
    'Was jede Antwortmaschine aus jeder Frage machte. Die Texte selbst sind unter „Was die Antworten sagen“.',
  prompt: 'Frage',
  answered: 'beantwortet',
  notes: 'Hinweise',
  proofs: 'Hashes, die belegen, was gemessen wurde',
  promptSet: 'Fragensatz',
  proofsCaption: 'Der Lauf jeder Antwortmaschine und der Hash von allem, was sie schrieb.',
  proofColumns: ['Antwortmaschine', 'Lauf', 'SHA-256 aller Mitschriften'],
};

export const enginePanelWords: Translated<EnginePanelWords> = { en, de };

import type { Translated } from '../../language/language.ts';

type EnginePanelWords = {
  /** One sentence each: who is named most, the brand's place among `of`, and in how many of the engines it is named. */

  top: readonly [before: string, behind: string];
  place: (place: number, of: number) => string;
  notNamed: string;
  namedBy: (named: number, engines: number) => string;
  degraded: string;
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
  differ: string;
  moreOften: (more: string, fewer: string, points: number, prompts: number, p: number) => string;
  noneDiffers: string;
  competitors: string;
  competitorColumns: readonly [name: string, named: string, recommended: string, difference: string, verdict: string];
  points: (points: number) => string;
  verdicts: Readonly<Record<'brand' | 'competitor' | 'too_close_to_call', string>>;
  rivals: string;
  rivalColumns: readonly [name: string, named: string, engines: string, answers: string, recommended: string];
  ofEngines: (count: number, all: number) => string;
  thisBrand: string;
  noRivals: string;
  weakSpots: string;
  ahead: string;
  noneAhead: string;
  asked: string;
  method: string;
  factColumns: readonly [
    engine: string,
    model: string,
    served: string,
    search: string,
    country: string,
    answers: string,
  ];
  yes: string;
  no: string;
  noCountry: string;
  refused: (count: number) => string;
  notes: string;
  proofs: string;
  promptSet: string;
  proofColumns: readonly [engine: string, run: string, hash: string];
};

const en: EnginePanelWords = {
  top: ['', ' is named most often.'],
  place: (place, of) => `is number ${place} of the ${of} brands that are named`,
  notNamed: 'is named in no answer',
  namedBy: (named, engines) => `${named} of ${engines} engines name it.`,
  degraded: 'Degraded: not all engines gave enough answers, so some intervals are wide or missing.',
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
  few: 'few answers: wide intervals',
  unavailable: 'Not measured',
  tooFew: (valid) => `only ${valid} real answers came.`,
  differ: 'Which engines differ',
  moreOften: (more, fewer, points, prompts, p) =>
    `${more} names the brand more often than ${fewer}: by ${points} points on the ${prompts} prompts that both answered, more than chance explains (p = ${p}).`,
  noneDiffers:
    'No two engines differ by more than chance in how often they name the brand. That does not mean that they are equal.',
  competitors: 'Against your competitors',
  competitorColumns: ['Competitor', 'Mention rate', 'Recommendation rate', 'Brand ahead by', 'Verdict'],
  points: (points) => `${points} points`,
  verdicts: {
    brand: 'Your brand is named more often',
    competitor: 'The competitor is named more often',
    too_close_to_call: 'Too close to call',
  },
  rivals: 'Who is named',
  rivalColumns: ['Name', 'Mention rate', 'Engines', 'Answers', 'Recommended in'],
  ofEngines: (count, all) => `${count} of ${all}`,
  thisBrand: '(this brand)',
  noRivals: 'No other name was found often enough to be listed.',
  weakSpots: 'Weak spots',
  ahead: 'is named more often here.',
  noneAhead: 'No rival is named more often here.',
  asked: 'How it was measured',
  method:
    'Every engine got the same prompts, each once, with nothing else: no system text, no history and no brand in it. Each engine is a group of its own; pooled figures are means over the groups, with intervals that allow for both.',
  factColumns: ['Engine', 'Model asked for', 'Models that answered', 'Web search', 'Asked from', 'Real answers'],
  yes: 'yes',
  no: 'no',
  noCountry: 'not set',
  refused: (count) => `${count} refused`,
  notes: 'Notes',
  proofs: 'Hashes that prove what was measured',
  promptSet: 'Prompt set',
  proofColumns: ['Engine', 'Run', 'SHA-256 of all transcripts'],
};

const de: EnginePanelWords = {
  top: ['Am häufigsten wird ', ' genannt.'],
  place: (place, of) => `liegt auf Platz ${place} der ${of} genannten Marken`,
  notNamed: 'kommt in keiner Antwort vor',
  namedBy: (named, engines) => `${named} von ${engines} Antwortmaschinen nennen sie.`,
  degraded:
    'Eingeschränkt: Nicht alle Antwortmaschinen gaben genug Antworten, einige Spannen sind daher weit oder fehlen.',
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
  few: 'wenige Antworten: weite Spannen',
  unavailable: 'Nicht gemessen',
  tooFew: (valid) => `Es kamen nur ${valid} echte Antworten.`,
  differ: 'Welche Antwortmaschinen sich unterscheiden',
  moreOften: (more, fewer, points, prompts, p) =>
    `${more} nennt die Marke häufiger als ${fewer}: um ${points} Punkte bei den ${prompts} Fragen, die beide beantwortet haben, mehr als der Zufall erklärt (p = ${p}).`,
  noneDiffers:
    'Keine zwei Antwortmaschinen unterscheiden sich um mehr als Zufall darin, wie oft sie die Marke nennen. Das heißt nicht, dass sie gleich sind.',
  competitors: 'Gegen Ihre Konkurrenten',
  competitorColumns: ['Konkurrent', 'Nennungsrate', 'Empfehlungsrate', 'Vorsprung der Marke', 'Urteil'],
  points: (points) => `${points} Punkte`,
  verdicts: {
    brand: 'Ihre Marke wird häufiger genannt',
    competitor: 'Der Konkurrent wird häufiger genannt',
    too_close_to_call: 'Zu knapp für ein Urteil',
  },
  rivals: 'Wer genannt wird',
  rivalColumns: ['Name', 'Nennungsrate', 'Antwortmaschinen', 'Antworten', 'Empfohlen in'],
  ofEngines: (count, all) => `${count} von ${all}`,
  thisBrand: '(diese Marke)',
  noRivals: 'Kein anderer Name kam oft genug vor.',
  weakSpots: 'Schwachstellen',
  ahead: 'wird hier häufiger genannt.',
  noneAhead: 'Kein Konkurrent wird hier häufiger genannt.',
  asked: 'Wie gemessen wurde',
  method:
    'Jede Antwortmaschine bekam dieselben Fragen, jede einmal und ohne etwas anderes: keinen Systemtext, keinen Verlauf, keine Marke. Jede ist eine Gruppe für sich; Zahlen für alle sind Mittel über die Gruppen, mit Spannen für beides.',
  factColumns: [
    'Antwortmaschine',
    'Verlangtes Modell',
    'Modelle, die antworteten',
    'Websuche',
    'Gefragt aus',
    'Echte Antworten',
  ],
  yes: 'ja',
  no: 'nein',
  noCountry: 'nicht festgelegt',
  refused: (count) => `${count} verweigert`,
  notes: 'Hinweise',
  proofs: 'Hashes, die belegen, was gemessen wurde',
  promptSet: 'Fragensatz',
  proofColumns: ['Antwortmaschine', 'Lauf', 'SHA-256 aller Mitschriften'],
};

export const enginePanelWords: Translated<EnginePanelWords> = { en, de };

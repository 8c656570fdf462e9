import type { Translated } from '../../language/language.ts';
import type { BrandPlace } from './brand-place.ts';

type VisibilityWords = {
  lead: readonly [before: string, behind: string];
  leadCounts: (prompts: number, answers: number) => string;
  mostNamed: string;
  /** `place`: among all that are named, undefined where the brand is not. */
  ownPlace: (place: BrandPlace | undefined) => string;
  compareWith: string;
  atAGlance: string;
  demonstration: Readonly<Record<'recorded' | 'simulated', string>>;
  degraded: (valid: number, total: number) => string;
  mentionRate: string;
  mentionSaid: (named: number, answers: number, interval: string, worst: string | undefined) => string;
  recommendationRate: string;
  recommendationSaid: (liked: number, answers: number, interval: string) => string;
  voice: string;
  voiceNone: string;
  voiceSaid: (answers: number, interval: string) => string;
  position: string;
  positionNone: string;
  positionSaid: (answers: number) => string;
  intents: string;
  intentsOf: (name: string) => string;
  intentsCaption: string;
  intentColumns: readonly [kind: string, rate: string, answers: string, recommended: string, rival: string];
  inAnswers: (count: number) => string;
  noAnswer: string;
  weakSpots: string;
  noRivalAhead: string;
  ahead: (answers: number | undefined, isCalled: boolean) => string;
  named: string;
  namedLabel: (name: string) => string;
  namedCaption: string;
  namedNone: string;
  namedColumns: readonly [name: string, rate: string, named: string, recommended: string, voice: string];
  thisBrand: string;
  of: (count: number, all: number) => string;
  notSeen: string;
  instead: string;
  insteadNone: string;
  insteadLead: readonly [before: string, behind: string];
  insteadIn: (count: number, all: number) => string;
  sources: string;
  sourcesUnknown: string;
  sourcesNone: string;
  sourcesCaption: string;
  sourceColumns: readonly [domain: string, answers: string];
  howToRead: string;
  ambiguity: (level: 'low' | 'high', exact: boolean, rejected: number) => string;
  howMeasured: string;
  method: string;
  facts: Readonly<
    Record<
      | 'niche'
      | 'answered'
      | 'unanswered'
      | 'refused'
      | 'truncated'
      | 'set'
      | 'setHash'
      | 'transcriptsHash'
      | 'run'
      | 'engine'
      | 'model'
      | 'served',
      string
    >
  >;
  answeredOf: (valid: number, total: number, degraded: boolean) => string;
  refusedOf: (total: number, kinds: readonly string[]) => string;
  none: string;
  because: string;
  noModel: string;
  servedUnknown: string;
  proofs: string;
};

const formatCount = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const countAnswers = (count: number): string => formatCount(count, 'answer', 'answers');

const en: VisibilityWords = {
  lead: ['What an AI assistant says about', 'when it is asked for'],
  leadCounts: (prompts, answers) => `without naming any brand: ${prompts} prompts, ${answers} answers.`,
  mostNamed: 'Named most often:',
  ownPlace: (place) => {
    if (place === undefined) return 'is named in no answer.';
    if ('behind' in place) return `comes behind the ${place.behind} brands that are named most.`;
    if (place.of === 1) return 'is the only brand that is named.';
    const among = place.of === undefined ? '' : ` of the ${place.of} brands that are named`;
    return place.tied === 0
      ? `is number ${place.place}${among}.`
      : `shares number ${place.place}${among} with ${formatCount(place.tied, 'other', 'others')}.`;
  },
  compareWith: 'Compare with a brand that you choose',
  atAGlance: 'At a glance',
  demonstration: {
    recorded:
      'Recorded engine: these answers were replayed from a file. No AI model was asked. The figures describe that file.',
    simulated:
      'Simulated engine: these answers are invented. No AI model was asked, and real brands are unknown to it. The figures show what a result looks like and say nothing about any brand: do not act on them.',
  },
  degraded: (valid, total) => `Degraded: only ${valid} of ${total} prompts were answered, so the intervals are wide.`,
  mentionRate: 'Mention rate',
  mentionSaid: (named, answers, interval, worst) =>
    `${named} of ${countAnswers(answers)} name it. 95 % interval: ${interval}.${
      worst === undefined ? '' : ` With the missing answers all against it or all for it: ${worst}.`
    }`,
  recommendationRate: 'Recommendation rate',
  recommendationSaid: (liked, answers, interval) =>
    `${liked} of ${countAnswers(answers)} recommend it. 95 % interval: ${interval}.`,
  voice: 'Share of voice',
  voiceNone:
    'Not measured: no brand name was found in the answers, so there is nothing to take a share of. This is not 0 %.',
  voiceSaid: (answers, interval) =>
    `Its part of all brand names in the ${countAnswers(answers)}. Each name counts once per answer. This is not a market share. 95 % interval: ${interval}.`,
  position: 'Average position',
  positionNone: 'No position: no answer names it.',
  positionSaid: (answers) =>
    `Mean place among the names of an answer, over the ${countAnswers(answers)} that name it: 1 is first. Places change from run to run.`,
  intents: 'By kind of question',
  intentsOf: (name) => `${name} by kind of question`,
  intentsCaption: 'The fewer answers a kind has, the wider its interval. Five tell little.',
  intentColumns: ['Kind of question', 'Mention rate', 'Answers', 'Recommended in', 'Rival named most'],
  inAnswers: (count) => `in ${count}`,
  noAnswer: 'no answer came.',
  weakSpots: 'Weak spots',
  noRivalAhead: 'No rival is named more often here.',
  ahead: (answers, isCalled) =>
    answers === undefined
      ? 'is named more often here'
      : `is named more often in these ${countAnswers(answers)}${isCalled ? '' : ', too few to call it'}`,
  named: 'Who is named',
  namedLabel: (name) => `Who is named: ${name} and rivals`,
  namedCaption: 'Answers that name each brand, most often first. The line below a bar is the 95 % interval.',
  namedNone: 'No other name was found in two or more answers.',
  namedColumns: ['Name', 'Mention rate', 'Named in', 'Recommended in', 'Share of voice'],
  thisBrand: '(this brand)',
  of: (count, all) => `${count} of ${all}`,
  notSeen: 'not seen',
  instead: 'Recommended instead',
  insteadNone: 'No answer without this brand recommends a brand that was found.',
  insteadLead: ['Whom the answers recommend that do not name', ', each with a sentence of such an answer.'],
  insteadIn: (count, all) => `in ${count} of ${all} answers`,
  sources: 'Sources that the answers cite',
  sourcesUnknown: 'this engine gives no sources, so they were not measured.',
  sourcesNone: 'No answer cites a source.',
  sourcesCaption: 'Registered domains, each counted once per answer. Being cited there helps to be named.',
  sourceColumns: ['Domain', 'Answers'],
  howToRead: 'How to read these figures',
  ambiguity: (level, exact, rejected) => {
    const uses = `${formatCount(rejected, 'use', 'uses')} of the same letters ${rejected === 1 ? 'was' : 'were'} not counted.`;
    if (exact) return `Capitals have to match: ${uses}`;
    const risk = level === 'high' ? 'The name is easily mistaken for another.' : 'The name is distinct.';
    return `${risk} Capitals may differ; ${uses}`;
  },
  howMeasured: 'How it was measured',
  method:
    'Every prompt was put to the engine once, with nothing else: no system text, no history and no brand in it. Names are counted in the text of the answers, at most once per answer. A rate is a share of the answers that came; its interval says where the rate of this engine lies with 95 % confidence.',
  facts: {
    niche: 'Market in the prompts',
    answered: 'Prompts answered',
    unanswered: 'Prompts without an answer',
    refused: 'No real answer',
    truncated: 'Answers cut off at the length limit',
    set: 'Prompt set',
    setHash: 'SHA-256 of the prompt set',
    transcriptsHash: 'SHA-256 of all transcripts',
    run: 'Run',
    engine: 'Engine',
    model: 'Model asked for',
    served: 'Models that answered',
  },
  answeredOf: (valid, total, degraded) => `${valid} of ${total}${degraded ? ' (degraded)' : ''}`,
  refusedOf: (total, kinds) => `${total}: ${kinds.join('; ')}. They count in no rate, and not as “not named”.`,
  none: 'none',
  because: 'because',
  noModel: 'No AI model: ',
  servedUnknown: 'the engine does not say',
  proofs: 'Hashes that prove what was measured',
};

const de: VisibilityWords = {
  lead: ['Was ein KI-Assistent über', 'sagt, wenn er nach'],
  leadCounts: (prompts, answers) =>
    `gefragt wird, ohne dass eine Marke genannt ist: ${prompts} Fragen, ${answers} Antworten.`,
  mostNamed: 'Am häufigsten genannt:',
  ownPlace: (place) => {
    if (place === undefined) return 'wird in keiner Antwort genannt.';
    if ('behind' in place) return `liegt hinter den ${place.behind} Marken, die am häufigsten genannt werden.`;
    if (place.of === 1) return 'ist die einzige genannte Marke.';
    const among = place.of === undefined ? '' : ` der ${place.of} genannten Marken`;
    return place.tied === 0
      ? `ist Nummer ${place.place}${among}.`
      : `teilt sich Nummer ${place.place}${among} mit ${place.tied === 1 ? 'einer anderen' : `${place.tied} anderen`}.`;
  },
  compareWith: 'Mit einer Marke Ihrer Wahl vergleichen',
  atAGlance: 'Auf einen Blick',
  demonstration: {
    recorded:
      'Aufgezeichnete Antwortmaschine: Diese Antworten stammen aus einer Datei. Kein KI-Modell wurde gefragt. Die Zahlen beschreiben diese Datei.',
    simulated:
      'Simulierte Antwortmaschine: Diese Antworten sind erfunden. Kein KI-Modell wurde gefragt, und echte Marken kennt sie nicht. Die Zahlen zeigen, wie ein Ergebnis aussieht, und sagen nichts über eine Marke: Handeln Sie nicht danach.',
  },
  degraded: (valid, total) =>
    `Eingeschränkt: Nur ${valid} von ${total} Fragen wurden beantwortet, die Intervalle sind deshalb breit.`,
  mentionRate: 'Nennungsrate',
  mentionSaid: (named, answers, interval, worst) =>
    `${named} von ${answers} Antworten nennen sie. 95-%-Intervall: ${interval}.${
      worst === undefined ? '' : ` Wären alle fehlenden Antworten gegen oder für sie: ${worst}.`
    }`,
  recommendationRate: 'Empfehlungsrate',
  recommendationSaid: (liked, answers, interval) =>
    `${liked} von ${answers} Antworten empfehlen sie. 95-%-Intervall: ${interval}.`,
  voice: 'Anteil an Nennungen',
  voiceNone:
    'Nicht gemessen: In den Antworten fand sich kein Markenname, also gibt es nichts, wovon ein Anteil zu nehmen wäre. Das ist nicht 0 %.',
  voiceSaid: (answers, interval) =>
    `Ihr Teil aller Markennamen in den ${answers} Antworten. Jeder Name zählt je Antwort einmal. Das ist kein Marktanteil. 95-%-Intervall: ${interval}.`,
  position: 'Mittlere Position',
  positionNone: 'Keine Position: Keine Antwort nennt sie.',
  positionSaid: (answers) =>
    `Mittlerer Platz unter den Namen einer Antwort, über die ${answers} Antworten, die sie nennen: 1 ist vorn. Plätze ändern sich von Messung zu Messung.`,
  intents: 'Nach Art der Frage',
  intentsOf: (name) => `${name} nach Art der Frage`,
  intentsCaption: 'Je weniger Antworten eine Art hat, desto breiter ist ihr Intervall. Fünf sagen wenig.',
  intentColumns: ['Art der Frage', 'Nennungsrate', 'Antworten', 'Empfohlen in', 'Meistgenannter Wettbewerber'],
  inAnswers: (count) => `in ${count}`,
  noAnswer: 'es kam keine Antwort.',
  weakSpots: 'Schwachstellen',
  noRivalAhead: 'Kein Wettbewerber wird hier öfter genannt.',
  ahead: (answers, isCalled) =>
    answers === undefined
      ? 'wird hier öfter genannt'
      : `wird in diesen ${answers} Antworten öfter genannt${isCalled ? '' : '; es sind zu wenige für ein Urteil'}`,
  named: 'Wer genannt wird',
  namedLabel: (name) => `Wer genannt wird: ${name} und Wettbewerber`,
  namedCaption:
    'Antworten, die jede Marke nennen, die häufigste zuerst. Die Linie unter einem Balken ist das 95-%-Intervall.',
  namedNone: 'Kein anderer Name fand sich in zwei oder mehr Antworten.',
  namedColumns: ['Name', 'Nennungsrate', 'Genannt in', 'Empfohlen in', 'Anteil an Nennungen'],
  thisBrand: '(diese Marke)',
  of: (count, all) => `${count} von ${all}`,
  notSeen: 'nicht gesehen',
  instead: 'Stattdessen empfohlen',
  insteadNone: 'Keine Antwort ohne diese Marke empfiehlt eine gefundene Marke.',
  insteadLead: ['Wen die Antworten empfehlen, die', ' nicht nennen, jeweils mit einem Satz aus einer solchen Antwort.'],
  insteadIn: (count, all) => `in ${count} von ${all} Antworten`,
  sources: 'Quellen, auf die sich die Antworten berufen',
  sourcesUnknown: 'diese Antwortmaschine gibt keine Quellen an, sie wurden also nicht gemessen.',
  sourcesNone: 'Keine Antwort nennt eine Quelle.',
  sourcesCaption: 'Registrierte Domains, je Antwort einmal gezählt. Wer dort vorkommt, wird eher genannt.',
  sourceColumns: ['Domain', 'Antworten'],
  howToRead: 'Wie diese Zahlen zu lesen sind',
  ambiguity: (level, exact, rejected) => {
    const uses = `${rejected} Vorkommen derselben Buchstaben ${rejected === 1 ? 'wurde' : 'wurden'} nicht gezählt.`;
    if (exact) return `Großschreibung muss übereinstimmen: ${uses}`;
    const risk = level === 'high' ? 'Der Name ist leicht zu verwechseln.' : 'Der Name ist eindeutig.';
    return `${risk} Großschreibung darf abweichen; ${uses}`;
  },
  howMeasured: 'Wie gemessen wurde',
  method:
    'Jede Frage wurde der Antwortmaschine einmal gestellt, ohne alles andere: ohne Systemtext, ohne Verlauf und ohne Marke darin. Namen werden im Text der Antworten gezählt, je Antwort höchstens einmal. Eine Rate ist ein Anteil der Antworten, die kamen; ihr Intervall sagt, wo die Rate dieser Antwortmaschine mit 95 % Sicherheit liegt.',
  facts: {
    niche: 'Markt in den Fragen',
    answered: 'Beantwortete Fragen',
    unanswered: 'Fragen ohne Antwort',
    refused: 'Keine echte Antwort',
    truncated: 'An der Längengrenze abgeschnittene Antworten',
    set: 'Fragensatz',
    setHash: 'SHA-256 des Fragensatzes',
    transcriptsHash: 'SHA-256 aller Antworten',
    run: 'Messung',
    engine: 'Antwortmaschine',
    model: 'Angefragtes Modell',
    served: 'Modelle, die geantwortet haben',
  },
  answeredOf: (valid, total, degraded) => `${valid} von ${total}${degraded ? ' (eingeschränkt)' : ''}`,
  refusedOf: (total, kinds) =>
    `${total}: ${kinds.join('; ')}. Sie zählen in keiner Rate und nicht als „nicht genannt“.`,
  none: 'keine',
  because: 'weil:',
  noModel: 'Kein KI-Modell: ',
  servedUnknown: 'die Antwortmaschine sagt es nicht',
  proofs: 'Hashes, die belegen, was gemessen wurde',
};

export const visibilityWords: Translated<VisibilityWords> = { en, de };

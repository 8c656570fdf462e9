import type { PanelName } from '../../capabilities/capability-name.ts';
import { FULL_VALID, MIN_VALID } from '../../visibility/run/run.ts';
import { MAX_OWN_PROMPTS, MIN_OWN_PROMPTS } from '../../visibility/prompts/limits.ts';
import { PROMPT_COUNT } from '../../visibility/run/prompts.ts';
import type { Translated } from '../language/language.ts';

/** Words of the page of a row, whatever the row. */
export type OrderPageWords = {
  price: string;
  once: string;
  noResult: string;
  /** The rule of measurements about answers. */
  fewAnswers: string;
  /** The same where several assistants are asked. */
  fewPanelAnswers: string;
  time: string;
  atMost: (seconds: number) => string;
  gets: string;
  readable: string;
  asked: string;
  askedText: string;
  assistant: string;
  noAssistant: string;
  oneAssistant: string;
  severalAssistants: (asked: number, configured: number) => string;
  withSearch: string;
  withoutSearch: string;
  askedFrom: (country: string) => string;
  noEngine: string;
  fewEngines: (needed: number, configured: number) => string;
  /** What works without an engine; a command follows. */
  withoutEngine: string;
  recorded: string;
  simulated: { before: string; and: string; inMarket: string; after: string };
  form: string;
  optional: string;
  more: string;
  example: string;
  check: string;
  questions: string;
  filled: string;
  toBuy: string;
  faults: (count: number) => string;
  /** Beside the button of the purchase, where fields above it are marked. */
  correct: string;
  noChoice: string;
  range: (bounds: { min?: number | undefined; max?: number | undefined }) => string;
  oneALine: string;
  asJson: string;
  auditFirst: string;
  auditFirstText: string;
  compareInstead: string;
  compareInsteadText: string;
  panelsText: string;
  panelLinks: Readonly<Record<PanelName, string>>;
  questionsTitle: (count: number) => string;
  questionsText: string;
  guide: string;
  related: string;
  buy: (heading: string) => string;
  promise: string;
  measurePromise: string;
};

const formatMinutes = (seconds: number): string | undefined => (seconds % 60 === 0 ? String(seconds / 60) : undefined);

export const orderWords: Translated<OrderPageWords> = {
  en: {
    price: 'Price',
    once: 'once, without an account.',
    noResult: 'When there is no result, nothing is charged.',
    fewAnswers: `You pay only if at least eight in ten questions (${MIN_VALID} of ${PROMPT_COUNT}) get a real answer. A refusal is none.`,
    fewPanelAnswers: `You pay only if every assistant gives a real answer to at least eight in ten questions (${MIN_VALID} of ${PROMPT_COUNT}), unless you choose to have the others without it. A refusal is no answer.`,
    time: 'Time',
    atMost: (seconds) =>
      seconds === 60
        ? '1 minute at most'
        : formatMinutes(seconds)
          ? `${formatMinutes(seconds)} minutes at most`
          : `${seconds} seconds at most`,
    gets: 'What you get',
    readable: 'A report to read, share and print for 30 days, and to read as JSON or Markdown.',
    asked: 'What is asked',
    askedText: `${PROMPT_COUNT} fixed questions about the market, five of each kind, in English or another of eight languages; or ${MIN_OWN_PROMPTS} to ${MAX_OWN_PROMPTS} of your own. None of them names a brand. If fewer than nine in ten (${FULL_VALID} of ${PROMPT_COUNT}) are answered, the report says that its ranges are wide.`,
    assistant: 'Who is asked',
    noAssistant: 'No one: see below.',
    oneAssistant: 'One assistant, once per question:',
    severalAssistants: (asked, configured) =>
      configured > asked
        ? `${asked} of these ${configured} assistants, each once per question; the first ${asked} unless you choose:`
        : `${asked} assistants, each once per question:`,
    withSearch: 'with web search',
    withoutSearch: 'without web search',
    askedFrom: (country) => `asked from ${country}`,
    noEngine: 'This cannot be bought here: the operator of this service has connected no AI model.',
    fewEngines: (needed, configured) =>
      `This cannot be bought here: it asks ${needed} assistants, and the operator of this service has connected ${configured}.`,
    withoutEngine: 'You can still see the questions, and measure on your own machine with',
    recorded: 'This service replays answers from a file: no AI model is asked now. The figures describe that file.',
    simulated: {
      before:
        'This service has a simulated engine: its answers are invented, and no AI model is asked. It can show you what a result looks like. It cannot say anything about a real brand: it knows invented brands only, so yours comes out at 0 %. Try',
      and: 'and',
      inMarket: 'in the market',
      after: '.',
    },
    form: 'Your order',
    optional: 'optional',
    more: 'More choices',
    example: 'Fill in an example',
    check: 'Check what is filled in, free',
    questions: 'Show the questions, free',
    filled: 'Everything is filled in. Nothing has been asked or charged yet.',
    toBuy: 'Go on to buy',
    faults: (count) => (count === 1 ? 'One field needs a change:' : `${count} fields need a change:`),
    correct: 'Correct the marked fields above. Nothing was paid.',
    noChoice: 'No choice',
    range: ({ min, max }) => {
      if (min !== undefined && max !== undefined) return `From ${min} to ${max}.`;
      return min === undefined ? `At most ${max}.` : `At least ${min}.`;
    },
    oneALine: 'One a line.',
    asJson: 'As JSON.',
    auditFirst: 'See the site in the free live audit first',
    auditFirstText: 'It shows four scores and the first checks, and costs nothing.',
    compareInstead: 'Compare two brands',
    compareInsteadText: 'The report lists the brands that the answers name. To set yours against one that you choose:',
    panelsText: 'One assistant is not all of them. To ask several at once, with each beside the others:',
    panelLinks: { visibility_panel_2: 'two assistants', visibility_panel_4: 'four assistants' },
    questionsTitle: (count) => `The ${count} questions`,
    questionsText:
      'If several sound odd, change the words of the market and show them again. Nothing has been asked or charged yet.',
    guide: 'How to choose the words, and how to read the result',
    related: 'Related',
    buy: (heading) => `Buy: ${heading}`,
    promise:
      'the work begins when you have paid, and the report opens here. When there is no result, nothing is charged.',
    measurePromise:
      'the questions are asked once you have paid, and the report opens here. If too few answers come, nothing is charged.',
  },
  de: {
    price: 'Preis',
    once: 'einmalig, ohne Konto.',
    noResult: 'Ohne Ergebnis wird nichts berechnet.',
    fewAnswers: `Sie zahlen nur, wenn mindestens acht von zehn Fragen (${MIN_VALID} von ${PROMPT_COUNT}) eine echte Antwort bekommen. Eine Verweigerung ist keine.`,
    fewPanelAnswers: `Sie zahlen nur, wenn jeder Assistent mindestens acht von zehn Fragen (${MIN_VALID} von ${PROMPT_COUNT}) wirklich beantwortet, außer Sie möchten die anderen auch ohne ihn. Eine Verweigerung ist keine Antwort.`,
    time: 'Dauer',
    atMost: (seconds) =>
      seconds === 60
        ? 'höchstens 1 Minute'
        : formatMinutes(seconds)
          ? `höchstens ${formatMinutes(seconds)} Minuten`
          : `höchstens ${seconds} Sekunden`,
    gets: 'Was Sie erhalten',
    readable: 'Ein Bericht, den Sie 30 Tage lang lesen, teilen und drucken können, auch als JSON oder Markdown.',
    asked: 'Was gefragt wird',
    askedText: `${PROMPT_COUNT} feste Fragen zum Markt, fünf von jeder Art, auf Englisch oder in einer anderen von acht Sprachen; oder ${MIN_OWN_PROMPTS} bis ${MAX_OWN_PROMPTS} eigene. Keine nennt eine Marke. Werden weniger als neun von zehn (${FULL_VALID} von ${PROMPT_COUNT}) beantwortet, sagt der Bericht, dass seine Spannen weit sind.`,
    assistant: 'Wer gefragt wird',
    noAssistant: 'Niemand: siehe unten.',
    oneAssistant: 'Ein Assistent, einmal je Frage:',
    severalAssistants: (asked, configured) =>
      configured > asked
        ? `${asked} dieser ${configured} Assistenten, jeder einmal je Frage; ohne Ihre Wahl die ersten ${asked}:`
        : `${asked} Assistenten, jeder einmal je Frage:`,
    withSearch: 'mit Websuche',
    withoutSearch: 'ohne Websuche',
    askedFrom: (country) => `gefragt aus: ${country}`,
    noEngine: 'Das lässt sich hier nicht kaufen: Der Betreiber dieses Dienstes hat kein KI-Modell verbunden.',
    fewEngines: (needed, configured) =>
      `Das lässt sich hier nicht kaufen: Es fragt ${needed} Assistenten, und der Betreiber dieses Dienstes hat ${configured} verbunden.`,
    withoutEngine: 'Die Fragen können Sie trotzdem ansehen, und messen können Sie auf Ihrem eigenen Rechner mit',
    recorded:
      'Dieser Dienst spielt Antworten aus einer Datei ab: Es wird kein KI-Modell gefragt. Die Zahlen beschreiben diese Datei.',
    simulated: {
      before:
        'Dieser Dienst hat eine simulierte Antwortmaschine: Ihre Antworten sind erfunden, und kein KI-Modell wird gefragt. Sie zeigt, wie ein Ergebnis aussieht. Über eine echte Marke sagt sie nichts: Sie kennt nur erfundene Marken, Ihre erreicht deshalb 0 %. Versuchen Sie',
      and: 'und',
      inMarket: 'im Markt',
      after: '.',
    },
    form: 'Ihr Auftrag',
    optional: 'optional',
    more: 'Weitere Angaben',
    example: 'Ein Beispiel ausfüllen',
    check: 'Angaben prüfen, kostenlos',
    questions: 'Die Fragen zeigen, kostenlos',
    filled: 'Alles ist ausgefüllt. Noch wurde nichts gefragt oder berechnet.',
    toBuy: 'Weiter zum Kauf',
    faults: (count) => (count === 1 ? 'Eine Angabe muss geändert werden:' : `${count} Angaben müssen geändert werden:`),
    correct: 'Ändern Sie die markierten Angaben oben. Es wurde nichts bezahlt.',
    noChoice: 'Keine Auswahl',
    range: ({ min, max }) => {
      if (min !== undefined && max !== undefined) return `Von ${min} bis ${max}.`;
      return min === undefined ? `Höchstens ${max}.` : `Mindestens ${min}.`;
    },
    oneALine: 'Je Zeile eins.',
    asJson: 'Als JSON.',
    auditFirst: 'Die Website zuerst in der kostenlosen Live-Prüfung ansehen',
    auditFirstText: 'Sie zeigt vier Bewertungen und die ersten Prüfungen und kostet nichts.',
    compareInstead: 'Zwei Marken vergleichen',
    compareInsteadText:
      'Der Bericht nennt die Marken, die in den Antworten vorkommen. Um Ihre gegen eine Marke Ihrer Wahl zu messen:',
    panelsText: 'Ein Assistent spricht nicht für alle. Um mehrere zugleich zu fragen und nebeneinander zu sehen:',
    panelLinks: { visibility_panel_2: 'zwei Assistenten', visibility_panel_4: 'vier Assistenten' },
    questionsTitle: (count) => `Die ${count} Fragen`,
    questionsText:
      'Klingen mehrere davon seltsam, ändern Sie die Worte des Markts und zeigen Sie sie noch einmal. Noch wurde nichts gefragt oder berechnet.',
    guide: 'Wie Sie die Worte wählen und das Ergebnis lesen (Englisch)',
    related: 'Verwandte Leistungen',
    buy: (heading) => `Kaufen: ${heading}`,
    promise:
      'die Arbeit beginnt, wenn Sie bezahlt haben, und der Bericht öffnet sich hier. Ohne Ergebnis wird nichts berechnet.',
    measurePromise:
      'die Fragen werden gestellt, wenn Sie bezahlt haben, und der Bericht öffnet sich hier. Kommen zu wenige Antworten, wird nichts berechnet.',
  },
};

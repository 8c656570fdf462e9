import type { OutcomeStatus, ScoreName } from '../../audit/core/check.ts';
import type { Effort } from '../../fixes/files/fix.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

/** How far a score is: 95 and more, A and B, C and D, F. */
export type Standing = 'best' | 'good' | 'fair' | 'poor';

export type SummaryWords = {
  /** Over gauges, in choices and in tables. */
  scoreNames: Readonly<Record<ScoreName, string>>;
  /** Within a sentence, after a number of points. */
  pointsOf: Readonly<Record<ScoreName, string>>;
  /** What the number means for this site, without the full stop: what holds it back follows. */
  meaning: Readonly<Record<ScoreName, Readonly<Record<Standing, string>>>>;
  /** What the score is about, for any site. */
  about: Readonly<Record<ScoreName, string>>;
  /** Ends the sentence: how many checks did not pass. */
  problems: (count: number, standing: Standing) => string;
  thin: (percent: string) => string;
  range: (low: number, high: number, pages: number) => string;
  notAssessed: (name: string) => string;
  notApplying: (name: string) => string;
  scores: string;
  meanings: string;
  /** The heading of what to do first, by how many there are. */
  first: (count: number) => string;
  /** How they are ordered. */
  order: string;
  where: string;
  wholeSite: string;
  pages: (failed: number, judged: number) => string;
  effort: string;
  efforts: Readonly<Record<Effort, string>>;
  gain: string;
  gains: (points: number, score: string) => string;
  noPoints: string;
  nothingFirst: string;
  nothingOpen: string;
  /** The line of counts: all checks, then each outcome that there is. */
  checks: (count: number) => string;
  counts: Readonly<Record<OutcomeStatus, (count: number) => string>>;
};

const formatEn = (count: number): string => formatWholeNumber(count, 'en');
const formatDe = (count: number): string => formatWholeNumber(count, 'de');

/** The words of the summary of an audit. */
export const summaryWords: Translated<SummaryWords> = {
  en: {
    scoreNames: {
      aeo: 'AI search visibility (AEO)',
      geo: 'Citation readiness (GEO)',
      agent: 'Agent readiness',
      mcp: 'MCP readiness',
    },
    pointsOf: {
      aeo: 'AI search visibility',
      geo: 'citation readiness',
      agent: 'agent readiness',
      mcp: 'MCP readiness',
    },
    meaning: {
      aeo: {
        best: 'AI search engines can find and read this site',
        good: 'AI search engines can find and read most of this site',
        fair: 'AI search engines can read this site, but miss parts of it',
        poor: 'AI search engines can read little of this site',
      },
      geo: {
        best: 'AI answers can quote this site and credit it to you',
        good: 'AI answers find much here that they can quote and credit to you',
        fair: 'AI answers can quote this site, but find too little to credit it for',
        poor: 'AI answers find little here that they could quote or credit to you',
      },
      agent: {
        best: 'Software agents can use this site on their own',
        good: 'Software agents find most of what they need to use this site on their own',
        fair: 'Software agents can use this site, but have to guess at parts of it',
        poor: 'Software agents find little that helps them to use this site on their own',
      },
      mcp: {
        best: 'AI assistants can find your MCP server and work with it',
        good: 'AI assistants can work with most of your MCP server',
        fair: 'AI assistants can find your MCP server, but meet problems with it',
        poor: 'AI assistants can hardly use your MCP server',
      },
    },
    about: {
      aeo: 'Whether AI search finds and reads your pages.',
      geo: 'Whether AI answers can quote you and name you as the source.',
      agent: 'Whether software that acts for a person can use your site.',
      mcp: 'Whether AI assistants can use your MCP server, an interface for programs.',
    },
    problems: (count, standing) =>
      count === 0
        ? '. No check found a problem.'
        : standing === 'best'
          ? `; nothing important is missing. ${formatEn(count)} small ${count === 1 ? 'thing is' : 'things are'} left.`
          : count === 1
            ? '; 1 problem holds them back.'
            : `; ${formatEn(count)} problems hold them back.`,
    thin: (percent) => `Only ${percent} of its checks, by weight, could be assessed: read this number with care.`,
    range: (low, high, pages) => `${low} to ${high} if other pages had been read (95 %, from ${pages} pages).`,
    notAssessed: (name) => `${name} could not be assessed.`,
    notApplying: (name) => `${name} does not apply.`,
    scores: 'Scores',
    meanings: 'What the scores mean for this site',
    first: (count) =>
      count === 1 ? 'One thing to do first' : count === 2 ? 'Two things to do first' : 'Three things to do first',
    order: 'First what brings most for the least work.',
    where: 'Where',
    wholeSite: 'The whole site',
    pages: (failed, judged) => `${formatEn(failed)} of ${formatEn(judged)} pages, such as`,
    effort: 'Effort',
    efforts: { minutes: 'Minutes', hours: 'Hours', days: 'Days' },
    gain: 'Gain',
    gains: (points, score) => `+${formatEn(points)} ${points === 1 ? 'point' : 'points'} of ${score}`,
    noPoints: 'Lifts a cap on a score',
    nothingFirst: 'No single fix comes first. The checks below say what did not pass.',
    nothingOpen: 'Nothing that was checked needs a fix.',
    checks: (count) => `${formatEn(count)} ${count === 1 ? 'check' : 'checks'}`,
    counts: {
      pass: (count) => `${formatEn(count)} ${count === 1 ? 'passes' : 'pass'}`,
      partial: (count) => `${formatEn(count)} ${count === 1 ? 'passes' : 'pass'} partly`,
      fail: (count) => `${formatEn(count)} ${count === 1 ? 'fails' : 'fail'}`,
      unknown: (count) => `${formatEn(count)} could not be checked`,
      not_applicable: (count) => `${formatEn(count)} ${count === 1 ? 'does' : 'do'} not apply`,
    },
  },
  de: {
    scoreNames: {
      aeo: 'Sichtbarkeit in der KI-Suche (AEO)',
      geo: 'Zitierfähigkeit (GEO)',
      agent: 'Eignung für Agenten',
      mcp: 'Eignung für MCP',
    },
    pointsOf: {
      aeo: 'Sichtbarkeit in der KI-Suche',
      geo: 'Zitierfähigkeit',
      agent: 'Eignung für Agenten',
      mcp: 'Eignung für MCP',
    },
    meaning: {
      aeo: {
        best: 'KI-Suchmaschinen finden und lesen diese Website',
        good: 'KI-Suchmaschinen finden und lesen den größten Teil dieser Website',
        fair: 'KI-Suchmaschinen können diese Website lesen, übersehen aber Teile davon',
        poor: 'KI-Suchmaschinen können von dieser Website nur wenig lesen',
      },
      geo: {
        best: 'KI-Antworten können diese Website zitieren und Ihnen zuschreiben',
        good: 'KI-Antworten finden hier viel, was sie zitieren und Ihnen zuschreiben können',
        fair: 'KI-Antworten können diese Website zitieren, finden aber zu wenig, was sie Ihnen zuschreiben können',
        poor: 'KI-Antworten finden hier wenig, was sie zitieren oder Ihnen zuschreiben könnten',
      },
      agent: {
        best: 'Software-Agenten können diese Website selbstständig nutzen',
        good: 'Software-Agenten finden das meiste, was sie für die selbstständige Nutzung brauchen',
        fair: 'Software-Agenten können diese Website nutzen, müssen aber manches erraten',
        poor: 'Software-Agenten finden wenig, was ihnen die selbstständige Nutzung ermöglicht',
      },
      mcp: {
        best: 'KI-Assistenten finden Ihren MCP-Server und können mit ihm arbeiten',
        good: 'KI-Assistenten können mit dem größten Teil Ihres MCP-Servers arbeiten',
        fair: 'KI-Assistenten finden Ihren MCP-Server, stoßen dabei aber auf Probleme',
        poor: 'KI-Assistenten können Ihren MCP-Server kaum nutzen',
      },
    },
    about: {
      aeo: 'Ob die KI-Suche Ihre Seiten findet und liest.',
      geo: 'Ob KI-Antworten Sie zitieren und als Quelle nennen können.',
      agent: 'Ob Software, die für Menschen handelt, Ihre Website nutzen kann.',
      mcp: 'Ob KI-Assistenten Ihren MCP-Server nutzen können, eine Schnittstelle für Programme.',
    },
    problems: (count, standing) =>
      count === 0
        ? '. Keine Prüfung hat ein Problem gefunden.'
        : standing === 'best'
          ? `; nichts Wichtiges fehlt. ${formatDe(count)} ${count === 1 ? 'Kleinigkeit bleibt' : 'Kleinigkeiten bleiben'}.`
          : count === 1
            ? '; 1 Problem steht dem im Weg.'
            : `; ${formatDe(count)} Probleme stehen dem im Weg.`,
    thin: (percent) =>
      `Nur ${percent} der Prüfungen, nach Gewicht, konnten bewertet werden: Lesen Sie diese Zahl mit Vorsicht.`,
    range: (low, high, pages) =>
      `${low} bis ${high}, wenn andere Seiten gelesen worden wären (95 %, aus ${pages} Seiten).`,
    notAssessed: (name) => `${name} konnte nicht bewertet werden.`,
    notApplying: (name) => `${name}: trifft hier nicht zu.`,
    scores: 'Bewertungen',
    meanings: 'Was die Bewertungen für diese Website bedeuten',
    first: (count) =>
      count === 1 ? 'Das sollten Sie zuerst tun' : `Diese ${count === 2 ? 'zwei' : 'drei'} Dinge zuerst`,
    order: 'Zuerst, was mit der wenigsten Arbeit am meisten bringt.',
    where: 'Wo',
    wholeSite: 'Die ganze Website',
    pages: (failed, judged) => `${formatDe(failed)} von ${formatDe(judged)} Seiten, zum Beispiel`,
    effort: 'Aufwand',
    efforts: { minutes: 'Minuten', hours: 'Stunden', days: 'Tage' },
    gain: 'Gewinn',
    gains: (points, score) => `+${formatDe(points)} ${points === 1 ? 'Punkt' : 'Punkte'} ${score}`,
    noPoints: 'Hebt eine Obergrenze auf',
    nothingFirst: 'Keine Korrektur steht an erster Stelle. Die Prüfungen unten zeigen, was nicht bestanden ist.',
    nothingOpen: 'Nichts von dem, was geprüft wurde, braucht eine Korrektur.',
    checks: (count) => `${formatDe(count)} ${count === 1 ? 'Prüfung' : 'Prüfungen'}`,
    counts: {
      pass: (count) => `${formatDe(count)} bestanden`,
      partial: (count) => `${formatDe(count)} teilweise bestanden`,
      fail: (count) => `${formatDe(count)} nicht bestanden`,
      unknown: (count) => `${formatDe(count)} nicht prüfbar`,
      not_applicable: (count) => `${formatDe(count)} nicht zutreffend`,
    },
  },
};

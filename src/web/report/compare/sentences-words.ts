import type { Translations } from '../../language/language.ts';
import type { ComparedScore, SiteNames } from './compare-words.ts';

type Won = Readonly<Record<'url' | 'competitor' | 'tie', number>>;

type CompareSentences = {
  /** Who is ahead in how many scores, and what to copy first. */
  summary: (won: Won, names: SiteNames, copyFirst: readonly string[]) => string;
  /** Why a score has this winner. */
  why: (score: ComparedScore, names: SiteNames) => string;
};

const quoteTitles = (titles: readonly string[]): string => titles.map((title) => `„${title}“`).join(', ');

/** Inside of a sentence: a name of ours begins with a small letter there, an address stays as it is. */
const lowerArticle = (name: string): string => (name.startsWith('Die ') ? `d${name.slice(1)}` : name);

function explainInGerman(score: ComparedScore, names: SiteNames): string {
  const { winner, applies, points, difference } = score;
  if (applies !== undefined) {
    if (!applies.url && !applies.competitor) return 'Das trifft auf keine der beiden Websites zu.';
    return `Das trifft auf ${lowerArticle(names[applies.url ? 'competitor' : 'url'])} nicht zu, deshalb gibt es nichts zu vergleichen.`;
  }
  const caution = score.isUneven
    ? ' Die beiden Bewertungen beruhen auf sehr verschiedenen Anteilen des Regelwerks: Vergleichen Sie die Prüfungen, nicht die Summen.'
    : '';
  if (winner === 'tie') return `Beide Websites haben ${points} ${points === 1 ? 'Punkt' : 'Punkte'}.${caution}`;
  const because = score.decisive.length === 0 ? '' : ` Den Ausschlag geben: ${quoteTitles(score.decisive)}.`;
  const loser = names[winner === 'url' ? 'competitor' : 'url'];
  const cap = score.isCapped ? ` Für ${lowerArticle(loser)} gilt eine Obergrenze.` : '';
  return `${names[winner]} liegt ${difference} ${difference === 1 ? 'Punkt' : 'Punkte'} vorn.${because}${cap}${caution}`;
}

/** In English the result has these sentences itself. In other languages they are made from its figures. */
export const compareSentences: Translations<CompareSentences> = {
  de: {
    summary: (won, names, copyFirst) => {
      const ties = won.tie > 0 ? `, ${won.tie}-mal steht es gleich` : '';
      const wins = `Von ${won.url + won.competitor + won.tie} Bewertungen gewinnt ${lowerArticle(names.url)} ${won.url}, ${lowerArticle(names.competitor)} ${won.competitor}${ties}.`;
      return copyFirst.length === 0
        ? `${wins} ${names.competitor} liegt in keiner Prüfung vorn, nach der beide bewertet wurden.`
        : `${wins} Übernehmen Sie zuerst: ${quoteTitles(copyFirst)}.`;
    },
    why: explainInGerman,
  },
};

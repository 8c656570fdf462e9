import type { Translated } from '../language/language.ts';

type OfferGroupId = 'quick-checks' | 'scores' | 'fixes' | 'reports' | 'visibility' | 'other';

/** Words of the table of prices. */
export type OfferWords = {
  groups: Readonly<Record<OfferGroupId, { heading: string; lead: string }>>;
  /** Its page is the live audit, which is described there. */
  fullAudit: { heading: string; lead: string };
};

export const offerWords: Translated<OfferWords> = {
  en: {
    groups: {
      'quick-checks': {
        heading: 'Quick checks',
        lead: 'A quick check answers one question about a site, from the same engine as the full audit: every check carries its evidence, its source and the way to reproduce it.',
      },
      scores: {
        heading: 'Scores and the full audit',
        lead: 'A score is a number from 0 to 100 with every check behind it. The full audit has all four and costs less than three of them.',
      },
      fixes: {
        heading: 'Fixes and files to deploy',
        lead: 'A fix is text to copy: the changed page, the missing file, the line of the server configuration. Nothing is invented: where a fact of yours is needed, the fix says which.',
      },
      reports: {
        heading: 'Comparison and the whole report',
        lead: 'A comparison reads two sites in the same way and says who is ahead, where, and what to copy first. The whole report is audit, fixes and files in one purchase.',
      },
      visibility: {
        heading: 'Brands in AI answers',
        lead: 'A visibility measurement asks an answer engine 30 neutral prompts about a niche and counts which brands it names and recommends, with the interval of each rate. It can be bought where the operator has connected an engine.',
      },
      other: { heading: 'More', lead: 'Everything else that can be bought:' },
    },
    fullAudit: {
      heading: 'Audit a site',
      lead: 'See all four scores of a site and every check with its evidence. The preview is free.',
    },
  },
  de: {
    groups: {
      'quick-checks': {
        heading: 'Einzelne Prüfungen',
        lead: 'Eine einzelne Prüfung beantwortet eine Frage zu einer Website, mit demselben Verfahren wie die ganze: jede mit Beleg, Quelle und dem Weg, sie zu wiederholen.',
      },
      scores: {
        heading: 'Bewertungen und die ganze Prüfung',
        lead: 'Eine Bewertung ist eine Zahl von 0 bis 100 mit jeder Prüfung dahinter. Die ganze Prüfung enthält alle vier und kostet weniger als drei davon.',
      },
      fixes: {
        heading: 'Korrekturen und fertige Dateien',
        lead: 'Eine Korrektur ist Text zum Kopieren: die geänderte Seite, die fehlende Datei, die Zeile der Server-Konfiguration. Nichts wird erfunden: Wo eine Angabe von Ihnen fehlt, steht es dabei.',
      },
      reports: {
        heading: 'Vergleich und Gesamtbericht',
        lead: 'Ein Vergleich liest zwei Websites auf dieselbe Weise und sagt, wer wo vorn liegt und was Sie zuerst übernehmen sollten. Der Gesamtbericht enthält Prüfung, Korrekturen und Dateien in einem Kauf.',
      },
      visibility: {
        heading: 'Marken in KI-Antworten',
        lead: 'Eine Messung stellt einer Antwortmaschine 30 neutrale Fragen zu einem Markt und zählt, welche Marken sie nennt und empfiehlt, mit dem Intervall jeder Rate. Sie lässt sich dort kaufen, wo der Betreiber eine Antwortmaschine angebunden hat.',
      },
      other: { heading: 'Weiteres', lead: 'Alles andere, was Sie kaufen können:' },
    },
    fullAudit: {
      heading: 'Eine Website prüfen',
      lead: 'Alle vier Bewertungen und alle Prüfungen einer Website, mit Belegen. Die Vorschau ist kostenlos.',
    },
  },
};

import type { ImportSource } from '../../visibility/imports/formats-data.ts';
import type { Translated } from '../language/language.ts';

/** What a source can and cannot see, and how its export is made. */
export type SourceWords = { sees: string; blind: string; exportIt: string };

/** `panel`: our own measurement. */
export const sourceWords: Translated<Readonly<Record<ImportSource | 'panel', SourceWords>>> = {
  en: {
    'google-search-console-generative-ai': {
      sees: 'Impressions of pages of your own property in generative features of Google: AI Overviews, AI Mode and Discover. An address counts when it is in the answer, whether anyone saw it or not.',
      blind:
        'Clicks, the questions, which of the features it was, pages of others, other assistants, and your brand where it is named without a link.',
      exportIt:
        'Search Console → Performance → Generative AI → Export → Download CSV. Unpack the ZIP, and name Pages.csv, Chart.csv, Countries.csv, Devices.csv and Filters.csv.',
    },
    'bing-ai-performance': {
      sees: 'How often your pages are cited by Microsoft Copilot, by AI summaries in Bing and by partners that Microsoft does not name, and a sample of the phrases that the AI searched for.',
      blind:
        'Questions as people asked them, clicks, the place within an answer, answers without a citation of yours, other assistants, and your brand where it is named without a link.',
      exportIt:
        'Bing Webmaster Tools → AI Performance → export of the tables Pages and Grounding Queries, and of the chart.',
    },
    'clarity-citations': {
      sees: 'Citations of your pages by assistants of Microsoft, the queries behind them, and your share among the domains cited for the same query on the same day.',
      blind:
        'Queries and days without a citation of yours (they are not in the share either), other assistants, and your brand where it is named without a link. Figures are representative, not a complete log.',
      exportIt: 'Clarity → Dashboards → AI Visibility → Citations → download of “My cited pages” and of “Queries”.',
    },
    'ga4-ai-assistant': {
      sees: 'Visits from links in assistants whose referrer Google recognises, such as ChatGPT, Gemini and Claude, since 13 May 2026.',
      blind:
        'Answers that no one clicked, visits without a referrer (many apps; they count as direct), AI Overviews and AI Mode of Google, and the question.',
      exportIt:
        'Google Analytics → Reports → Acquisition → Traffic acquisition → Share this report → Download file → CSV. Add “Landing page + query string” as the second dimension to see pages.',
    },
    panel: {
      sees: 'What the models that were asked answer to a fixed list of questions on one day, in words: who is named and recommended, and which pages are given as sources.',
      blind:
        'What people ask and how often, what the assistants’ own apps add (history, place, other models), and any question that is not in the list.',
      exportIt: 'sightline visibility --json > result.json, with --snapshot answers.json for the addresses.',
    },
  },
  de: {
    'google-search-console-generative-ai': {
      sees: 'Impressionen von Seiten Ihrer eigenen Property in generativen Funktionen von Google: AI Overviews, AI Mode und Discover. Eine Adresse zählt, wenn sie in der Antwort steht, ob jemand sie gesehen hat oder nicht.',
      blind:
        'Klicks, die Fragen, welche der Funktionen es war, Seiten anderer, andere Assistenten, und Ihre Marke, wo sie ohne Link genannt wird.',
      exportIt:
        'Search Console → Leistung → Generative KI → Exportieren → CSV herunterladen. Entpacken Sie die ZIP-Datei und nehmen Sie Pages.csv, Chart.csv, Countries.csv, Devices.csv und Filters.csv.',
    },
    'bing-ai-performance': {
      sees: 'Wie oft Ihre Seiten von Microsoft Copilot, von KI-Zusammenfassungen in Bing und von Partnern zitiert werden, die Microsoft nicht nennt, und eine Stichprobe der Wortfolgen, nach denen die KI gesucht hat.',
      blind:
        'Fragen, wie Menschen sie stellten, Klicks, den Platz in einer Antwort, Antworten ohne ein Zitat von Ihnen, andere Assistenten, und Ihre Marke, wo sie ohne Link genannt wird.',
      exportIt:
        'Bing Webmaster Tools → AI Performance → Export der Tabellen „Pages“ und „Grounding Queries“ und des Diagramms.',
    },
    'clarity-citations': {
      sees: 'Zitate Ihrer Seiten durch Assistenten von Microsoft, die Suchanfragen dahinter und Ihren Anteil unter den Domains, die am selben Tag zur selben Suchanfrage zitiert wurden.',
      blind:
        'Suchanfragen und Tage ohne ein Zitat von Ihnen (sie fehlen auch im Anteil), andere Assistenten, und Ihre Marke, wo sie ohne Link genannt wird. Die Zahlen sind repräsentativ, kein vollständiges Protokoll.',
      exportIt: 'Clarity → Dashboards → AI Visibility → Citations → „My cited pages“ und „Queries“ herunterladen.',
    },
    'ga4-ai-assistant': {
      sees: 'Besuche über Links in Assistenten, deren Referrer Google erkennt, etwa ChatGPT, Gemini und Claude, seit dem 13. Mai 2026.',
      blind:
        'Antworten, die niemand anklickte, Besuche ohne Referrer (viele Apps; sie zählen als direkt), AI Overviews und AI Mode von Google, und die Frage.',
      exportIt:
        'Google Analytics → Berichte → Akquisition → Neu generierte Zugriffe → Bericht teilen → Datei herunterladen → CSV. Mit „Landingpage + Abfragestring“ als zweiter Dimension sehen Sie Seiten.',
    },
    panel: {
      sees: 'Was die befragten Modelle an einem Tag auf eine feste Liste von Fragen antworten, im Wortlaut: wer genannt und empfohlen wird und welche Seiten als Quelle dienen.',
      blind:
        'Was Menschen fragen und wie oft, was die Apps der Assistenten hinzufügen (Verlauf, Ort, andere Modelle), und jede Frage, die nicht in der Liste steht.',
      exportIt: 'sightline visibility --json > result.json, mit --snapshot answers.json für die Adressen.',
    },
  },
};

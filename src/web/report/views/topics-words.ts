import type { Translated } from '../../language/language.ts';

type Labelled = { title: string; label: string };
type TopicsWords = {
  lead: readonly [lets: string, asks: string];
  count: (topics: number) => string;
  slots: readonly [marked: string, fill: string];
  evidence: string;
  passage: Labelled;
  questions: Labelled;
  jsonLd: Labelled;
  section: Labelled;
};

/** Words of texts against weak spots. */
export const topicsWords: Translated<TopicsWords> = {
  en: {
    lead: ['Texts that let AI assistants find and quote', 'when people ask for'],
    count: (topics) => `: ${topics} ${topics === 1 ? 'topic' : 'topics'}, three texts each.`,
    slots: [
      'Nothing is made up. What only you know is marked as',
      ': fill in every slot from your own records before you publish, or leave the sentence out.',
    ],
    evidence: 'What was given as evidence',
    passage: { title: 'A passage to be quoted', label: 'Copy the passage' },
    questions: { title: 'Questions and answers as structured data', label: 'Copy the element' },
    jsonLd: { title: 'The JSON-LD alone', label: 'Copy the JSON-LD' },
    section: { title: 'A section of llms.txt', label: 'Copy the section' },
  },
  de: {
    lead: ['Texte, mit denen KI-Assistenten', 'finden und zitieren, wenn man sie nach'],
    count: (topics) => ` fragt: ${topics} ${topics === 1 ? 'Thema' : 'Themen'}, je drei Texte.`,
    slots: [
      'Nichts ist erfunden. Was nur Sie wissen, ist markiert als',
      ': Füllen Sie jede Stelle aus eigenen Unterlagen aus, bevor Sie veröffentlichen, oder lassen Sie den Satz weg.',
    ],
    evidence: 'Was als Beleg angegeben wurde',
    passage: { title: 'Ein Abschnitt zum Zitieren', label: 'Abschnitt kopieren' },
    questions: { title: 'Fragen und Antworten als strukturierte Daten', label: 'Element kopieren' },
    jsonLd: { title: 'Nur das JSON-LD', label: 'JSON-LD kopieren' },
    section: { title: 'Ein Abschnitt für llms.txt', label: 'Abschnitt kopieren' },
  },
};

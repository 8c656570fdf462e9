import type { Translated } from '../language/language.ts';

/** Words of the page with the whole example. */
export const exampleWords: Translated<Readonly<Record<'title' | 'about' | 'snapshot' | 'download' | 'own', string>>> = {
  en: {
    title: 'Example of a full audit',
    about:
      'This is a report as a buyer gets it. The site is made up and ships with the source code; this service judged the answers that were recorded on',
    snapshot: 'To check it yourself, download the answers and run',
    download: 'Download the answers',
    own: 'Audit your own site',
  },
  de: {
    title: 'Beispiel einer ganzen Prüfung',
    about:
      'So sieht ein gekaufter Bericht aus. Die Website ist erfunden und liegt dem Quelltext bei; dieser Dienst beurteilte die Antworten, aufgezeichnet am',
    snapshot: 'Um ihn selbst zu prüfen, laden Sie die Antworten herunter und starten',
    download: 'Antworten herunterladen',
    own: 'Eigene Website prüfen',
  },
};

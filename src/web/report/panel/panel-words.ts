import type { Translated } from '../../language/language.ts';

type EnginePanelWords = { engines: string; columns: readonly [string, string]; pooled: string; unavailable: string };

export const enginePanelWords: Translated<EnginePanelWords> = {
  en: {
    engines: 'Engine by engine',
    columns: ['Engine', 'Mention rate'],
    pooled: 'All engines, each with the same weight',
    unavailable: 'Not measured',
  },
  de: {
    engines: 'Antwortmaschine für Antwortmaschine',
    columns: ['Antwortmaschine', 'Nennungsrate'],
    pooled: 'Alle Antwortmaschinen mit gleichem Gewicht',
    unavailable: 'Nicht gemessen',
  },
};

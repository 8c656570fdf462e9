import { type EngineKind, engineLabels } from '../../models/port.ts';
import type { Translated } from '../language/language.ts';

/** What answers the questions of a measurement. */
export const engineWords: Translated<Readonly<Record<EngineKind, string>>> = {
  en: engineLabels,
  de: {
    'openai-compatible': 'ein Modell hinter einer OpenAI-kompatiblen Schnittstelle',
    openai: 'ein Modell von OpenAI',
    anthropic: 'ein Modell von Anthropic',
    google: 'ein Modell von Google',
    perplexity: 'ein Modell von Perplexity',
    'workers-ai': 'ein Modell von Workers AI',
    recorded: 'aufgezeichnete Antworten, aus einer Datei abgespielt',
    simulated: 'simulierte Antworten, auf dem Rechner des Dienstes erfunden',
  },
};

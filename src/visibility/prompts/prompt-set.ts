import { loadOnce } from '../../lib/concurrency.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import { type Intent, intents } from '../run/intents.ts';
import { NICHE } from '../run/prompts-data.ts';
import { buildPrompts, loadPromptSet, type Prompt } from '../run/prompts.ts';
import { chooseWording, type LanguageWordings, type Market } from './wordings.ts';

/** Languages that set v2 is written in, and that a buyer's questions are checked for. */
export const promptLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja'] as const;
export type PromptLanguage = (typeof promptLanguages)[number];

export const promptKinds = ['product', 'service'] as const;

/**
 * Which questions a measurement asks: the first set, in English; the second, in a language and for a market (`local`: the
 * niche names or implies a place); or the buyer's own.
 */
export type PromptChoice =
  | { set: 'v1' }
  | ({ set: 'v2'; language: PromptLanguage } & Market)
  | { set: 'own'; language: PromptLanguage; prompts: readonly string[] };

/** `v1`, `v2-de-service-local` or `own`. Sets of one id and one hash asked the same. */
export type PromptSetId = { id: string; sha256: string };

/**
 * The prompts of a set with the niche in them, and which set it is. `sha256` (hex) is over the UTF-8 bytes of one line
 * `<id> <template>\n` for each prompt, in the order of their indexes; of a buyer's own, the template is the prompt. They
 * are taken as they are: `checkOwnPrompts` is before.
 */
export async function selectPrompts(
  niche: string,
  choice: PromptChoice,
): Promise<{ promptSet: PromptSetId; prompts: readonly Prompt[] }> {
  if (choice.set === 'v1') return { promptSet: await loadPromptSet(), prompts: buildPrompts(niche) };
  if (choice.set === 'own') {
    const prompts = choice.prompts.map((text, index): Prompt => ({
      index,
      id: `own-${index + 1}`,
      intent: 'own',
      text,
    }));
    const rows = prompts.map(({ id, text }) => ({ id, template: text }));
    return { promptSet: { id: 'own', sha256: await computeSetSha256(rows) }, prompts };
  }
  const templates = await listTemplates(choice.language, choice);
  return {
    promptSet: { id: formatSetId(choice.language, choice), sha256: await computeSetSha256(templates) },
    prompts: templates.map(({ id, intent, template }, index) => ({
      index,
      id,
      intent,
      text: template.replaceAll(NICHE, () => niche),
    })),
  };
}

export type PromptTemplate = { id: string; intent: Intent; template: string };

/** The 30 templates of set v2 for a language and a market, in the order in which they are asked. */
export async function listTemplates(language: PromptLanguage, market: Market): Promise<readonly PromptTemplate[]> {
  const wordings = await wordingsByLanguage[language]();
  return intents.flatMap((intent) =>
    wordings[intent].map((wording, at) => ({
      id: `${intent}-${at + 1}`,
      intent,
      template: chooseWording(wording, market),
    })),
  );
}

/** A language is loaded when it is first asked in. */
const wordingsByLanguage: Readonly<Record<PromptLanguage, () => Promise<LanguageWordings>>> = {
  en: loadOnce(async () => (await import('./en-data.ts')).promptsEn),
  de: loadOnce(async () => (await import('./de-data.ts')).promptsDe),
  fr: loadOnce(async () => (await import('./fr-data.ts')).promptsFr),
  es: loadOnce(async () => (await import('./es-data.ts')).promptsEs),
  pt: loadOnce(async () => (await import('./pt-data.ts')).promptsPt),
  it: loadOnce(async () => (await import('./it-data.ts')).promptsIt),
  nl: loadOnce(async () => (await import('./nl-data.ts')).promptsNl),
  ja: loadOnce(async () => (await import('./ja-data.ts')).promptsJa),
};

const formatSetId = (language: PromptLanguage, { kind, local }: Market): string =>
  `v2-${language}-${kind}${local ? '-local' : ''}`;

const computeSetSha256 = (rows: readonly { id: string; template: string }[]): Promise<string> =>
  computeSha256Hex(rows.map(({ id, template }) => `${id} ${template}\n`).join(''));

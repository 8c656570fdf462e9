import { html } from 'hono/html';
import type { SitePreview } from '../../audit/core/preview.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { translateResult } from '../language/check-titles.ts';
import type { PageLanguage } from '../language/language.ts';
import { addPlainFixes } from '../language/plain-fixes.ts';
import type { ShownPreview } from './page-state.ts';
import { describeForSpeech, PreviewDetails, PreviewSummary } from './result.tsx';

/** Renders a preview as the page without scripts has it, for a page that is open. All texts of sites are escaped in it. */
export async function renderShownPreview(made: SitePreview, language: PageLanguage): Promise<ShownPreview> {
  const shown = addPlainFixes(translateResult(escapeControlsIn(made), language), language);
  return {
    summary: String(await html`${<PreviewSummary {...shown} language={language} />}`),
    details: String(await html`${<PreviewDetails {...shown} language={language} />}`),
    spoken: describeForSpeech(shown.preview, language),
  };
}

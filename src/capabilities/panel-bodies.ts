import * as z from 'zod';
import { brandAndNiche, describeEngines, exampleBodies, findable, refuseMeasurement, url } from './bodies.ts';
import { MAX_PANEL_ENGINES } from '../models/engine-rows.ts';
import type { BodyRefusal } from './capability-name.ts';
import { type QuestionFields, questionFields } from './visibility-questions.ts';

/** Wall limit of a panel, in seconds: the run of its engines, and what is read of the pages they cite. */
export const PANEL_WORST_CASE_S = 150;
/** Brands that a panel compares the measured one with. */
export const MAX_COMPETITORS = 5;

const panelFields = {
  ...brandAndNiche,
  competitors: z
    .array(findable)
    .min(1)
    .max(MAX_COMPETITORS)
    .optional()
    .meta({ description: 'Brands to compare with on the same answers, 1 to 5' }),
  site: url.optional().meta({
    description: "The brand's website: sources there are its own, and its pages are held against the cited ones",
  }),
  ...questionFields,
  allow_partial: z.boolean().optional().meta({
    description:
      'Deliver at the full price even when an engine could not be measured; without it nothing is charged then',
  }),
};

/** The body of every panel; that as many engines are named as a row pays for is seen when it is sold. */
export const panelBody = z.strictObject({ ...panelFields, engines: describeEngines(2, MAX_PANEL_ENGINES) });

type PanelInput = { brand: string; niche: string; competitors?: readonly string[] | undefined } & QuestionFields;

/** What is refused of a measurement, for each competitor; and a competitor that is named twice. */
export async function refusePanel({ competitors = [], ...body }: PanelInput): Promise<BodyRefusal | undefined> {
  const { isSameName } = await import('../visibility/names/mentions.ts');
  for (const [at, name] of competitors.entries()) {
    const pointer = `/competitors/${at}`;
    if (competitors.slice(0, at).some((before) => isSameName(before, name)))
      return { code: 'invalid_body', errors: [{ pointer, message: 'is listed twice' }] };
    const refused = await refuseMeasurement({ ...body, competitor_brand: name });
    if (refused)
      return {
        ...refused,
        errors: refused.errors.map((one) => ({
          ...one,
          pointer: one.pointer === '/competitor_brand' ? pointer : one.pointer,
        })),
      };
  }
  return competitors.length === 0 ? refuseMeasurement(body) : undefined;
}

/** Whether a panel is delivered without some of its engines: never without all, and only to who took that in advance. */
export const isPanelSold = (
  { allow_partial: partial }: { allow_partial?: boolean | undefined },
  missing: number,
  engines: number,
): boolean => missing === 0 || (partial === true && missing < engines);

/** A body that panels accept: shown in OpenAPI and in the docs. */
export const examplePanelBody = {
  ...exampleBodies.visibility_check,
  competitors: ['Sample Support'],
  language: 'en',
} as const;

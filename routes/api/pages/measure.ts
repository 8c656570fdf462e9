import type { Hono } from 'hono';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { MAX_NAME_LENGTH, refuseMeasurement } from '../../../src/capabilities/bodies.ts';
import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { describeMeasureOrder } from '../../../src/web/buying/panel.tsx';
import {
  FIELD_LABELS,
  type MeasureField,
  type MeasureFields,
  MEASURE_PATH,
  MEASURE_TWO_PATH,
  measurePage,
} from '../../../src/web/measure/page.tsx';
import { getAnswerEngine } from '../bindings/engine.ts';
import { type AppContext, type AppEnv, type AppOptions } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { showPage } from './pages.ts';
import { buildBuyPanel } from './buy-panel.ts';

const ONE = { name: 'visibility_check', fields: ['brand', 'niche'] } as const;
const TWO = { name: 'visibility_vs_competitor', fields: ['brand', 'competitor_brand', 'niche'] } as const;
const EXAMPLE = { brand: 'Example Desk', niche: 'help desk software' };
const EXAMPLES = {
  [ONE.name]: EXAMPLE,
  [TWO.name]: { ...EXAMPLE, competitor_brand: 'Sample Support' },
};
type Measured = { name: keyof typeof EXAMPLES; fields: readonly MeasureField[] };

/**
 * `GET /measure` and `GET /measure/compare`: the form to measure one brand or two, with price, time and engine. With
 * filled fields they show the questions or what is wrong. Nothing is measured here: the panel buys the capability.
 */
export function registerMeasureRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get(MEASURE_PATH, guardFreeRoute, (c) => showMeasure(c, options, ONE));
  app.get(MEASURE_TWO_PATH, guardFreeRoute, (c) => showMeasure(c, options, TWO));
}

async function showMeasure(c: AppContext, options: AppOptions, measured: Measured): Promise<Response> {
  const fields = readFields(c);
  const given = Object.fromEntries(measured.fields.map((name) => [name, fields[name].trim()]));
  const isSent = measured.fields.some((name) => c.req.query(name) !== undefined);
  const faults = isSent ? await findFaults(measured, given) : [];
  const isGood = isSent && faults.length === 0;
  const choice = getAnswerEngine(c.env, options);
  const { name } = measured;
  const content = measurePage({
    baseUrl: c.get('settings').BASE_URL,
    isComparison: name === TWO.name,
    fields,
    buy: await buildBuyPanel(c, options, {
      capability: name,
      goods: describeMeasureOrder(isGood ? given : EXAMPLES[name], c.get('language')),
    }),
    otherPriceUsd: formatUsdAmount(getRow(name === TWO.name ? ONE.name : TWO.name).priceMicroUsdc),
    limitS: getRow(name).worstCaseS,
    engine: choice.ok ? { kind: choice.engine.kind, model: choice.engine.model } : undefined,
    questions: isGood ? buildPrompts(fields.niche.trim()).map(({ text }) => text) : undefined,
    faults,
  });
  return showPage(c, content, { script: true }, faults.length === 0 ? 200 : 422);
}

/** What a field could not hold is left out. */
function readFields(c: AppContext): MeasureFields {
  const read = (name: MeasureField): string => {
    const text = c.req.query(name) ?? '';
    return text.length > MAX_NAME_LENGTH ? '' : text;
  };
  return { brand: read('brand'), niche: read('niche'), competitor_brand: read('competitor_brand') };
}

/** The faults of the fields, in words of the form: what the paid route would refuse, before anyone pays. */
async function findFaults({ name, fields }: Measured, given: Record<string, string>): Promise<readonly string[]> {
  const empty = fields.filter((field) => given[field] === '');
  if (empty.length > 0)
    return empty.map((field) => `Fill in “${FIELD_LABELS[field]}”, with at most ${MAX_NAME_LENGTH} characters.`);
  const read = getRow(name).body.safeParse(given);
  if (!read.success) return read.error.issues.map(({ path: [field], message }) => `“${getLabel(field)}” ${message}.`);
  const refused = await refuseMeasurement({ brand: '', niche: '', ...given });
  if (refused === undefined) return [];
  return [
    refused.code === 'niche_names_brand'
      ? `“${FIELD_LABELS.niche}” names a measured brand, so every question would name it. Describe the market without a brand, such as help desk software.`
      : `“${FIELD_LABELS.competitor_brand}” is the same brand as “${FIELD_LABELS.brand}”. Enter another one.`,
  ];
}

const getLabel = (field: PropertyKey | undefined): string => FIELD_LABELS[field as MeasureField] ?? 'The form';

function getRow(name: CapabilityName) {
  const row = findCapability(name);
  if (!row) throw new Error(`no capability is called ${name}`);
  return row;
}

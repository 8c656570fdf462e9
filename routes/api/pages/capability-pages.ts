import type { Hono } from 'hono';
import { catalog } from '../../../src/capabilities/catalog.ts';
import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { formatCapabilityPath } from '../../../src/web/capability/address.ts';
import { type FieldReader, judgeOrder, type PageRow } from '../../../src/web/capability/faults.ts';
import { type LeafField, listOrderFields, listLeaves } from '../../../src/web/capability/fields.ts';
import { renderCapabilityPage } from '../../../src/web/capability/page.tsx';
import { describeRowGoods, findExampleBody, findFreeLook } from '../../../src/web/capability/rows.ts';
import { getAnswerEngine } from '../bindings/engine.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { buildBuyPanel } from './buy-panel.ts';
import { refuseRequest, showPage } from './pages.ts';

/** The row whose page is the live audit. */
const AUDIT_ROW = 'full_audit';
/** Longest filled form, in bytes: every character of the longest fields, percent-encoded. */
const MAX_FORM_BYTES = 131_072;
/** Addresses of before, with the rows that are there now. */
const MOVED = { '/measure': 'visibility_check', '/measure/compare': 'visibility_vs_competitor' } as const;

/**
 * A page for each row of the catalogue but the audit, which has one of its own. `GET` shows the form, with what its address
 * fills in and what is wrong with it; `POST` judges a filled form, as a page or, for the page's script, as JSON. Neither
 * starts work: the panel buys the capability.
 */
export function registerCapabilityPages(app: Hono<AppEnv>, options: AppOptions): void {
  for (const row of [...catalog, ...panels].filter(({ name }) => name !== AUDIT_ROW)) {
    const path = formatCapabilityPath(row.name);
    app.get(path, guardFreeRoute, (c) => showCapability(c, options, row, (name) => c.req.query(name)));
    app.post(path, guardFreeRoute, (c) => judgePosted(c, options, row));
  }
  for (const [path, name] of Object.entries(MOVED)) {
    app.get(path, guardFreeRoute, (c) => c.redirect(`${formatCapabilityPath(name)}${new URL(c.req.url).search}`, 308));
  }
}

async function judgePosted(c: AppContext, options: AppOptions, row: SoldRow): Promise<Response> {
  if (readMediaType(c.req.raw) !== 'application/x-www-form-urlencoded') {
    const detail = 'The body is no application/x-www-form-urlencoded';
    return refuseRequest(c, buildProblem('unsupported_media_type', { detail }));
  }
  const bytes = await readBodyBytes(c.req.raw, MAX_FORM_BYTES);
  if (bytes === undefined)
    return refuseRequest(c, buildProblem('body_too_large', { detail: describeBodyLimit(MAX_FORM_BYTES) }));
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const read: FieldReader = (name) => form.get(name) ?? undefined;
  if (!isJsonWanted(c)) return showCapability(c, options, row, read);
  const { faults } = await judgeOrder(row, read, c.get('language'));
  if (faults.length === 0) return c.body(null, 204, { 'cache-control': 'no-store' });
  const errors = faults.map(({ name = '', text }) => ({ pointer: formatFieldPointer(name), message: text }));
  return failWith(c, buildProblem('invalid_body', { errors }));
}

const isJsonWanted = (c: AppContext): boolean => (c.req.header('accept') ?? '').startsWith('application/json');

/** The place of a field in the form, as errors of bodies have it. */
const formatFieldPointer = (name: string): string => (name === '' ? '' : `/${name.replaceAll('.', '/')}`);

async function showCapability(c: AppContext, options: AppOptions, row: SoldRow, read: FieldReader): Promise<Response> {
  const language = c.get('language');
  const judged = isFilled(row, read) ? await judgeOrder(row, read, language) : undefined;
  const body = judged?.faults.length === 0 ? judged.body : undefined;
  const choice = row.engineBacked ? getAnswerEngine(c.env, options) : undefined;
  const url = new URL(c.req.url);
  const content = renderCapabilityPage({
    row,
    baseUrl: c.get('settings').BASE_URL,
    language,
    address: c.req.method === 'POST' ? url.pathname : `${url.pathname}${url.search}`,
    index: c.req.method === 'GET' && url.search === '',
    read,
    faults: judged?.faults,
    body,
    buy: await buildBuyPanel(c, options, {
      capability: row.name,
      goods: describeRowGoods(row, body ?? findExampleBody(row), language),
    }),
    engine: choice?.ok === true ? { kind: choice.engine.kind, model: choice.engine.model } : undefined,
    questions: listQuestions(row, body),
  });
  return showPage(c, content, { script: true }, judged === undefined || body !== undefined ? 200 : 422);
}

/**
 * Whether the form of the row was sent, with empty fields too. A link that leaves a needed field out fills in the others
 * and is not judged. Boxes that are not ticked are never sent.
 */
function isFilled(row: PageRow, read: FieldReader): boolean {
  const leaves = listLeaves(listOrderFields(row));
  const isSent = ({ name }: LeafField): boolean => read(name) !== undefined;
  return leaves.some(isSent) && leaves.every((leaf) => isSent(leaf) || !leaf.isRequired || leaf.kind === 'flag');
}

/** The questions of a measurement, which are about the market alone. */
function listQuestions(row: PageRow, body: Readonly<Record<string, unknown>> | undefined) {
  const niche = body?.['niche'];
  if (findFreeLook(row) !== 'questions' || typeof niche !== 'string') return undefined;
  return buildPrompts(niche).map(({ text }) => text);
}

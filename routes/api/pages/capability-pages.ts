import type { Hono } from 'hono';
import * as z from 'zod';
import { catalog } from '../../../src/capabilities/catalog.ts';
import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { soldTools } from '../../../src/capabilities/sold-tools.ts';
import { parseBody } from '../../../src/capabilities/parse-body.ts';
import { loadAskedPrompts, questionFields, readPromptChoice } from '../../../src/capabilities/visibility-questions.ts';
import { readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { chooseOrderEngines } from '../../../src/sales/order-engines.ts';
import { formatCapabilityPath } from '../../../src/web/capability/address.ts';
import { type FieldReader, type JudgedOrder, judgeOrder, type PageRow } from '../../../src/web/capability/faults.ts';
import { faultWords } from '../../../src/web/capability/fault-words.ts';
import { type LeafField, listOrderFields, listLeaves } from '../../../src/web/capability/fields.ts';
import { type CapabilityPage, renderCapabilityPage } from '../../../src/web/capability/page.tsx';
import { describeRowGoods, findExampleBody, findFreeLook } from '../../../src/web/capability/rows.ts';
import { getAnswerEngines } from '../bindings/engine.ts';
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
  for (const row of [...catalog, ...panels, ...soldTools].filter(({ name }) => name !== AUDIT_ROW)) {
    const path = formatCapabilityPath(row.name);
    app.get(path, guardFreeRoute, (c) =>
      showCapability(
        c,
        options,
        row,
        createReader(row, (name) => c.req.queries(name) ?? []),
      ),
    );
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
  const read = createReader(row, (name) => form.getAll(name));
  if (!isJsonWanted(c)) return showCapability(c, options, row, read);
  const { faults } = await judgeFilled(c, options, row, read);
  if (faults.length === 0) return c.body(null, 204, { 'cache-control': 'no-store' });
  const errors = faults.map(({ name = '', text }) => ({ pointer: formatFieldPointer(name), message: text }));
  return failWith(c, buildProblem('invalid_body', { errors }));
}

/** Boxes of one name are lines of one field; of any other field that is sent twice, the first counts. */
function createReader(row: PageRow, readAll: (name: string) => readonly string[]): FieldReader {
  const leaves = listLeaves(listOrderFields(row));
  const lists = new Set(leaves.filter(({ kind }) => kind === 'lines').map(({ name }) => name));
  return (name) => {
    const [first, ...more] = readAll(name);
    return first !== undefined && lists.has(name) ? [first, ...more].join('\n') : first;
  };
}

/** What is wrong with the fields, the choice of engines among them. */
async function judgeFilled(c: AppContext, options: AppOptions, row: SoldRow, read: FieldReader): Promise<JudgedOrder> {
  const language = c.get('language');
  const judged = await judgeOrder(row, read, language);
  const names = judged.body['engines'];
  if (judged.faults.length > 0 || !Array.isArray(names) || !row.engineBacked) return judged;
  const choice = getAnswerEngines(c.env, options);
  const chosen = choice.ok ? chooseOrderEngines(choice.engines, row, judged.body) : choice;
  if (chosen.ok) return judged;
  return { ...judged, faults: [{ name: 'engines', text: faultWords[language].wrongEngines(row.engineCount ?? 1) }] };
}

const isJsonWanted = (c: AppContext): boolean => (c.req.header('accept') ?? '').startsWith('application/json');

/** The place of a field in the form, as errors of bodies have it. */
const formatFieldPointer = (name: string): string => (name === '' ? '' : `/${name.replaceAll('.', '/')}`);

async function showCapability(c: AppContext, options: AppOptions, row: SoldRow, read: FieldReader): Promise<Response> {
  const language = c.get('language');
  const judged = isFilled(row, read) ? await judgeFilled(c, options, row, read) : undefined;
  const body = judged?.faults.length === 0 ? judged.body : undefined;
  const choice = row.engineBacked ? getAnswerEngines(c.env, options) : undefined;
  const [engine] = choice?.ok === true ? choice.engines : [];
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
    engine,
    engines: choice?.ok === true ? choice.engines : undefined,
    questions: await listQuestions(row, body),
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

/** The questions of a measurement, as they were chosen: about the market alone. */
async function listQuestions(
  row: PageRow,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<CapabilityPage['questions']> {
  if (findFreeLook(row) !== 'questions' || body === undefined) return undefined;
  const parsed = questionsBody.safeParse(parseInput(row, body));
  if (!parsed.success) return undefined;
  const { brand, competitor_brand: other, competitors = [], niche, ...fields } = parsed.data;
  const names = [brand, ...(other === undefined ? [] : [other]), ...competitors];
  const choice = await readPromptChoice(fields, names);
  if ('code' in choice) return undefined;
  const { prompts, language = 'en' } = await loadAskedPrompts(niche, choice);
  return { texts: prompts.map(({ text }) => text), language };
}

const questionsBody = z.object({
  brand: z.string(),
  niche: z.string(),
  competitor_brand: z.string().optional(),
  competitors: z.array(z.string()).optional(),
  ...questionFields,
});

const parseInput = (row: PageRow, body: unknown): unknown => {
  const parsed = parseBody(row, body);
  return parsed.ok ? parsed.input : undefined;
};

import * as z from 'zod';
import { readAtMost } from '../../../src/net/read-body.ts';
import { createImportStore, type KeptImport, MAX_KEPT_IMPORTS } from '../../../src/sales/import-store.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { importFiles } from '../../../src/visibility/imports/import-files.ts';
import { type OwnMeasurement, readOwnMeasurement } from '../../../src/visibility/imports/own-measurement.ts';
import { ImportList, renderImportPage, renderImportsPage } from '../../../src/web/account/imports.tsx';
import { type ImportFault, importsWords } from '../../../src/web/account/imports-words.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { formatFirstPartyCsv } from '../../../src/web/first-party/first-party-csv.ts';
import {
  buildFirstPartyReport,
  FIRST_PARTY_VERSION,
  type FirstPartyReport,
} from '../../../src/web/first-party/first-party-report.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import { isOwnReport, listBought } from './reports.ts';
import type { AccountSection, AccountTask, AccountVisit, UploadTask } from './visit.ts';

/** Bytes of all files of one form, and rows of one of them. The command line takes more. */
export const MAX_UPLOAD_BYTES = 2 * 1_024 * 1_024;
export const MAX_UPLOAD_ROWS = 20_000;
/** Reports of the account that measurements are chosen from. */
const MAX_CHOICES = 50;
/** Bytes of a recording of answers that is read for its addresses. */
const MAX_RECORDING_BYTES = 8 * 1_024 * 1_024;
const ID = /^[0-9a-f]{32}$/;
const PATH = '/account/imports';
const UNPROCESSABLE = 422;

type BuildFrame = (visit: AccountVisit) => AccountFrame;

/**
 * First-party data: exports of vendors that a person uploads, beside a measurement of their own. Only the owner of the
 * account sees it, for 30 days.
 * @param frameOf the frame for a form that is shown again
 */
export const createImportsSection = (frameOf: BuildFrame): AccountSection => ({
  path: PATH,
  id: 'imports',
  title: (language) => importsWords[language].title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    return { more: importsWords[language].more, body: ImportList({ kept: await listKept(visit), language }) };
  },
  show: (visit, frame) => show(visit, frame),
  exported: listKept,
  actions: [{ path: `${PATH}/delete`, run: deleteImport }],
  uploads: [{ path: PATH, maxBytes: MAX_UPLOAD_BYTES, run: (visit, posted) => upload(visit, posted, frameOf) }],
  downloads: [{ path: `${PATH}.csv`, read: download }],
});

const openStore = ({ c }: AccountVisit) => createImportStore(c.env.REPORTS, Date.now);

/** Deletes everything of this kind that the account has. */
export const forgetImports = (visit: AccountVisit): Promise<void> =>
  openStore(visit).deleteAll(visit.session.accountId);

const listKept = (visit: AccountVisit): Promise<readonly KeptImport[]> =>
  openStore(visit).list(visit.session.accountId);

async function show(visit: AccountVisit, frame: AccountFrame) {
  const id = visit.c.req.query('id');
  if (id === undefined) return showForm(visit, frame);
  const report = await readReport(visit, id);
  return report === undefined
    ? refuseRequest(visit.c, buildProblem('report_not_found'))
    : renderImportPage({ frame, id, report });
}

async function showForm(visit: AccountVisit, frame: AccountFrame, fault?: ImportFault) {
  const [kept, choices] = await Promise.all([listKept(visit), listChoices(visit)]);
  return renderImportsPage({ frame, kept, choices, fault });
}

/** Measurements of the account, newest first; empty where they cannot be read. */
async function listChoices(visit: AccountVisit) {
  const bought = (await listBought(visit, { limit: MAX_CHOICES })) ?? [];
  return bought.filter(({ capability }) => isMeasurement(capability));
}

/** Panels and checks of visibility; fix packs measure nothing. */
const isMeasurement = (capability: string): boolean =>
  capability.startsWith('visibility_') && capability !== 'visibility_fix_pack';

/** Of what this version wrote: everything else of it is ours. */
const stored = z.looseObject({ version: z.literal(FIRST_PARTY_VERSION) });

async function readReport(visit: AccountVisit, id: string): Promise<FirstPartyReport | undefined> {
  const json = ID.test(id) ? await openStore(visit).get(visit.session.accountId, id) : undefined;
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json);
  return stored.safeParse(value).success ? (value as FirstPartyReport) : undefined;
}

async function upload(visit: AccountVisit, posted: Parameters<UploadTask>[1], frameOf: BuildFrame): Promise<Response> {
  const { c, session } = visit;
  const refuse = async (fault: ImportFault): Promise<Response> =>
    showPage(c, await showForm(visit, frameOf(visit), fault), { script: true }, UNPROCESSABLE);
  if (posted.files.length === 0) return refuse({ reason: 'no_file' });
  if ((await listKept(visit)).length >= MAX_KEPT_IMPORTS) return refuse({ reason: 'too_many_kept' });
  const site = readSite(posted.get('site'));
  if (site === null) return refuse({ reason: 'wrong_site' });
  const imported = importFiles(posted.files, { nowMs: Date.now(), maxRows: MAX_UPLOAD_ROWS, site });
  if (!imported.ok) return refuse(imported);
  const reportId = posted.get('report_id') ?? '';
  const measurement = reportId === '' ? undefined : await readOwnReport(visit, reportId);
  if (reportId !== '' && measurement === undefined) return refuse({ reason: 'no_measurement' });
  if (measurement === 'too_large') return refuse({ reason: 'measurement_too_large' });
  const report = buildFirstPartyReport(imported.imports, measurement);
  const id = await openStore(visit).put(session.accountId, JSON.stringify(report), {
    sources: imported.imports.map(({ source }) => source),
    ...(measurement === undefined ? {} : { reportId }),
  });
  return c.redirect(`${PATH}?id=${id}`, 303);
}

/** The host of a typed address; undefined where nothing was typed, null for what is no address. */
function readSite(text: string | undefined): string | null | undefined {
  const typed = (text ?? '').trim();
  if (typed === '') return undefined;
  const address = typed.includes('://') ? typed : `https://${typed}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

/** A measurement that the account bought, with the addresses of its answers; undefined where it is not its, or gone. */
async function readOwnReport(visit: AccountVisit, reportId: string): Promise<OwnMeasurement | 'too_large' | undefined> {
  if (!ID.test(reportId) || !(await runOrUnavailable(() => isOwnReport(visit, reportId), false))) return undefined;
  const store = reportStore(visit.c.env.REPORTS, Date.now);
  const [report, snapshot] = await Promise.all([store.get(reportId), store.snapshot(reportId)]);
  if (report === undefined || !isMeasurement(report.capability)) return undefined;
  if (snapshot === undefined) return readOwnMeasurement(JSON.parse(report.json));
  const answers = await readAtMost(snapshot, MAX_RECORDING_BYTES);
  if (answers === undefined) return 'too_large';
  return readOwnMeasurement(JSON.parse(report.json), JSON.parse(new TextDecoder().decode(answers)));
}

async function deleteImport(visit: AccountVisit, posted: Parameters<AccountTask>[1]): Promise<Response> {
  const id = posted.get('id') ?? '';
  if (!ID.test(id)) return refuseRequest(visit.c, buildProblem('report_not_found'));
  await openStore(visit).delete(visit.session.accountId, id);
  return posted.form ? visit.c.redirect(`${PATH}?done=import_deleted`, 303) : visit.c.json({ ok: true });
}

async function download(visit: AccountVisit): Promise<Response> {
  const report = await readReport(visit, visit.c.req.query('id') ?? '');
  if (report === undefined) return refuseRequest(visit.c, buildProblem('report_not_found'));
  return new Response(formatFirstPartyCsv(report), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="first-party.csv"',
      'cache-control': 'no-store',
    },
  });
}

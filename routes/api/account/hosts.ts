import { formatHost } from '../../../src/ownership/host-wire.ts';
import type { LookAnswer } from '../../../src/ownership/owners.ts';
import type { HostProof } from '../../../src/ownership/proof.ts';
import { getHostsResource } from '../../../src/authorization/oauth/resources.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import workerText from '../../../src/traffic/edge/counts-worker.generated.json' with { type: 'json' };
import type { HostAccess } from '../../../src/traffic/access/access-row.ts';
import { readHostAccess } from '../../../src/traffic/access/host-access.ts';
import { type CrawlerReport, parseDayRange } from '../../../src/traffic/edge/crawler-report.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { formatCrawlersMarkdown } from '../../../src/web/hosts/crawler-markdown.ts';
import { type HostLook, type HostPage, renderHostPage } from '../../../src/web/hosts/host-page.tsx';
import { formatHostPath, HostCount, HOSTS_PAGE_PATH, renderHostsPage } from '../../../src/web/hosts/hosts-page.tsx';
import { type HostFault, hostsWords } from '../../../src/web/hosts/hosts-words.ts';
import { createWorkerHostCounts, createWorkerOwners } from '../bindings/owners.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import { listBought } from './reports.ts';
import type { AccountSection, AccountTask, AccountVisit } from './visit.ts';

type BuildFrame = (visit: AccountVisit) => AccountFrame;

const UNPROCESSABLE = 422;
const WITH_SCRIPT = { script: true } as const;

/**
 * Hosts that a person proves to be theirs, and which crawlers came to them.
 * @param frameOf the frame for a page that answers a form
 */
export const createHostsSection = (frameOf: BuildFrame): AccountSection => ({
  path: HOSTS_PAGE_PATH,
  id: 'hosts',
  title: (language) => hostsWords[language].title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    return { more: hostsWords[language].more, body: HostCount({ hosts: await listHosts(visit), language }) };
  },
  show: (visit, frame) => show(visit, frame),
  exported: listHosts,
  actions: [
    { path: HOSTS_PAGE_PATH, run: (visit, posted) => claimHost(visit, posted, frameOf) },
    { path: `${HOSTS_PAGE_PATH}/look`, run: (visit, posted) => lookAtHost(visit, posted, frameOf) },
    { path: `${HOSTS_PAGE_PATH}/token`, run: (visit, posted) => makeToken(visit, posted, frameOf) },
    { path: `${HOSTS_PAGE_PATH}/drop`, run: dropHost },
  ],
  downloads: [
    { path: `${HOSTS_PAGE_PATH}.md`, read: (visit) => sendReport(visit, 'md') },
    { path: `${HOSTS_PAGE_PATH}.json`, read: (visit) => sendReport(visit, 'json') },
    { path: `${HOSTS_PAGE_PATH}/crawler-counts.js`, read: sendWorker },
  ],
});

const openOwners = ({ c, options }: AccountVisit) => createWorkerOwners(c.env, c.get('settings'), options);
const openCounts = ({ c, options }: AccountVisit) => createWorkerHostCounts(c.env, c.get('settings'), options);

/** Drops every claim of the account, with its counts. */
export const forgetHosts = (visit: AccountVisit): Promise<void> => openOwners(visit).forget(visit.session.accountId);

async function listHosts(visit: AccountVisit) {
  const proofs = await openOwners(visit).list(visit.session.accountId);
  return proofs.map((proof) => formatHost(proof, Date.now()));
}

const findHost = (visit: AccountVisit, host: string): Promise<HostProof | undefined> =>
  openOwners(visit).find(visit.session.accountId, host);

const refuseUnknown = ({ c }: AccountVisit) => refuseRequest(c, buildProblem('host_not_claimed'));

async function show(visit: AccountVisit, frame: AccountFrame) {
  const host = visit.c.req.query('host');
  if (host === undefined) return renderHostsPage({ frame, hosts: await listHosts(visit) });
  const proof = await findHost(visit, host);
  return proof === undefined ? refuseUnknown(visit) : showHost(visit, frame, proof);
}

async function showHost(
  visit: AccountVisit,
  frame: AccountFrame,
  proof: HostProof,
  more: Pick<HostPage, 'look' | 'token'> = {},
) {
  const [tokenSinceMs, report] = await Promise.all([
    openCounts(visit).tokenTime(visit.session.accountId, proof.host),
    readReport(visit, proof.host),
  ]);
  const access = await readAccess(visit, report);
  return renderHostPage({ frame, host: formatHost(proof, Date.now()), tokenSinceMs, report, access, ...more });
}

/** Undefined: the query has days that cannot be shown together. An empty field of the form is none. */
async function readReport(visit: AccountVisit, host: string): Promise<CrawlerReport | undefined> {
  const query = (name: string): string | undefined => visit.c.req.query(name) || undefined;
  const parsed = parseDayRange({ from: query('from'), to: query('to') }, Date.now());
  return parsed.ok ? openCounts(visit).read(visit.session.accountId, host, parsed.range) : undefined;
}

/** Undefined where nothing was counted: then there is nothing to hold against a report. */
async function readAccess(visit: AccountVisit, report: CrawlerReport | undefined): Promise<HostAccess | undefined> {
  if (report === undefined || report.classes.length === 0) return undefined;
  const { describe, snapshot } = reportStore(visit.c.env.REPORTS, Date.now);
  return readHostAccess({ list: (limit) => listBought(visit, { limit }), describe, snapshot }, report);
}

async function claimHost(visit: AccountVisit, posted: Parameters<AccountTask>[1], frameOf: BuildFrame) {
  const { c, session } = visit;
  const claimed = await openOwners(visit).claim(session.accountId, posted.get('host') ?? '');
  if (!claimed.ok) return refuseClaim(visit, posted, claimed.reason, frameOf);
  const { host } = claimed.proof;
  return posted.form
    ? c.redirect(`${formatHostPath(host)}#proof`, 303)
    : c.json(formatHost(claimed.proof, Date.now()), 201);
}

async function refuseClaim(
  visit: AccountVisit,
  posted: Parameters<AccountTask>[1],
  fault: HostFault,
  frameOf: BuildFrame,
) {
  const { c } = visit;
  if (posted.form) {
    const page = renderHostsPage({ frame: frameOf(visit), hosts: await listHosts(visit), fault });
    return showPage(c, page, WITH_SCRIPT, UNPROCESSABLE);
  }
  const code = fault === 'invalid_host' ? 'invalid_body' : 'limit_reached';
  return refuseRequest(c, buildProblem(code, { detail: hostsWords.en.faults[fault] }));
}

async function lookAtHost(visit: AccountVisit, posted: Parameters<AccountTask>[1], frameOf: BuildFrame) {
  const { c, session } = visit;
  const known = await findHost(visit, posted.get('host') ?? '');
  if (known === undefined) return refuseUnknown(visit);
  const answer = await openOwners(visit).look(session.accountId, known.host);
  if (!answer.ok && answer.reason === 'not_claimed') return refuseUnknown(visit);
  if (posted.form) {
    const proof = answer.ok ? answer.proof : known;
    const page = await showHost(visit, frameOf(visit), proof, { look: describeLook(answer) });
    return showPage(c, page, WITH_SCRIPT);
  }
  return answer.ok
    ? c.json({ ...formatHost(answer.proof, Date.now()), look: answer.look })
    : refuseRequest(c, buildProblem('rate_limited', { retryAfterS: answer.retryAfterS }));
}

function describeLook(answer: LookAnswer): HostLook {
  if (!answer.ok) return { state: 'too_soon', retryAfterS: answer.retryAfterS };
  const { look } = answer;
  return { state: look.state, places: look.state === 'found' ? [] : look.places };
}

/** The only time that the token is shown: it is in no address, and the page is never stored. */
async function makeToken(visit: AccountVisit, posted: Parameters<AccountTask>[1], frameOf: BuildFrame) {
  const { c, session } = visit;
  const proof = await findHost(visit, posted.get('host') ?? '');
  if (proof === undefined) return refuseUnknown(visit);
  const made = await openCounts(visit).issueToken(session.accountId, proof.host);
  if (!made.ok)
    return refuseRequest(c, buildProblem(made.reason === 'not_proven' ? 'host_not_proven' : 'not_configured'));
  if (!posted.form) return c.json({ host: proof.host, token: made.token }, 200, { 'cache-control': 'no-store' });
  return showPage(c, await showHost(visit, frameOf(visit), proof, { token: made.token }), WITH_SCRIPT);
}

const dropHost: AccountTask = async (visit, posted) => {
  const { c, session } = visit;
  const proof = await findHost(visit, posted.get('host') ?? '');
  if (proof === undefined) return refuseUnknown(visit);
  await openOwners(visit).drop(session.accountId, proof.host);
  return posted.form ? c.redirect(`${HOSTS_PAGE_PATH}?done=host_dropped`, 303) : c.json({ ok: true });
};

async function sendReport(visit: AccountVisit, form: 'md' | 'json'): Promise<Response> {
  const { c, language } = visit;
  const proof = await findHost(visit, c.req.query('host') ?? '');
  if (proof === undefined) return refuseUnknown(visit);
  const report = await readReport(visit, proof.host);
  if (report === undefined)
    return refuseRequest(c, buildProblem('invalid_range', { detail: hostsWords.en.wrongRange }));
  const access = await readAccess(visit, report);
  const headers = { 'cache-control': 'private, no-store' };
  return form === 'json'
    ? c.json({ ...report, access: access ?? null }, 200, headers)
    : c.body(formatCrawlersMarkdown(report, access, language), 200, {
        ...headers,
        'content-type': 'text/markdown; charset=utf-8',
      });
}

const EXAMPLE_ADDRESS = 'https://sightline.example/api/hosts/www.example.com/counts';

/** The Worker that counts, with the address of the host in it. */
async function sendWorker(visit: AccountVisit): Promise<Response> {
  const { c } = visit;
  const proof = await findHost(visit, c.req.query('host') ?? '');
  if (proof === undefined) return refuseUnknown(visit);
  const address = `${getHostsResource(c.get('settings').BASE_URL)}/${proof.host}/counts`;
  return c.body(workerText.text.replace(EXAMPLE_ADDRESS, address), 200, {
    'cache-control': 'private, no-store',
    'content-type': 'text/javascript; charset=utf-8',
    'content-disposition': 'attachment; filename="crawler-counts.js"',
  });
}

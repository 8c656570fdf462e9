import type { Hono } from 'hono';
import { renderAccountOverview } from '../../../src/web/account/overview.tsx';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { accessSection } from '../account/access.ts';
import { createCreditsSection } from '../account/credits.ts';
import { createDeleteSection } from '../account/delete.ts';
import { createMonitorsSection } from '../account/monitors.ts';
import { publishedSection } from '../account/published.ts';
import { createHostsSection } from '../account/hosts.ts';
import { createImportsSection } from '../account/imports.ts';
import { reportsSection } from '../account/reports.ts';
import { waysSection } from '../account/ways.ts';
import {
  type AccountSection,
  type AccountTask,
  type AccountVisit,
  type UploadTask,
  buildFrame,
  formatSignInPath,
  openVisit,
} from '../account/visit.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { dropSession, hasFormToken, readBrowserSession } from '../../shared/cookies.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { isPageWanted, requireOwnPagePost, readPosted, refuseRequest, showPage } from '../pages/pages.ts';
import { readUpload } from '../pages/upload.ts';
import { ACCOUNT_PATH, getPeopleStore } from '../bindings/people-store.ts';
import { SIGN_IN_FORM_EXPIRED } from './signed-in.ts';

/**
 * The parts of an account, in the order of its navigation. A feature that has something for customers, such as monitors or
 * webhooks, adds its row here; until it does, the account says nothing of it.
 */
const accountSections: readonly AccountSection[] = [
  createCreditsSection((visit) => buildVisitFrame(visit)),
  createMonitorsSection((visit) => buildVisitFrame(visit)),
  reportsSection,
  createImportsSection((visit) => buildVisitFrame(visit)),
  createHostsSection((visit) => buildVisitFrame(visit)),
  publishedSection,
  accessSection,
  waysSection,
  createDeleteSection((visit) => buildVisitFrame(visit)),
];

/** The sections that this person has. */
const listSections = ({ session }: Pick<AccountVisit, 'session'>): readonly AccountSection[] =>
  accountSections.filter(({ kinds }) => kinds.includes(session.kind));

const listLinks = (sections: readonly AccountSection[], language: PageLanguage) =>
  sections.map(({ path, title }) => ({ path, title: title(language) }));

/** The frame of any page of the account. */
const buildVisitFrame = (visit: AccountVisit) => buildFrame(visit, listLinks(listSections(visit), visit.language));

/**
 * `GET /account`: everything of the account at a glance; the page of each section, what its forms are sent to, and its
 * files. `accountSections` says which there are. A visitor who is not signed in comes to the sign-in page, which says
 * what an account is for.
 */
export function registerAccountRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/account/*', guardFreeRoute, requireOwnPagePost);
  app.get(ACCOUNT_PATH, (c) => withVisit(c, options, showOverview));
  app.get('/account/export.json', (c) => withVisit(c, options, sendEverything));
  app.post('/account/signout-everywhere', (c) => runTask(c, options, signOutEverywhere));
  for (const section of accountSections) {
    app.get(section.path, (c) => withVisit(c, options, (visit) => showSection(visit, section)));
    for (const { path, read } of section.downloads ?? []) app.get(path, (c) => withVisit(c, options, read));
    for (const { path, run } of section.actions ?? []) app.post(path, (c) => runTask(c, options, run));
    for (const { path, maxBytes, run } of section.uploads ?? [])
      app.post(path, (c) => runUpload(c, options, { maxBytes, run }));
  }
}

async function withVisit(
  c: AppContext,
  options: AppOptions,
  show: (visit: AccountVisit) => Promise<Response>,
): Promise<Response> {
  const visit = await openVisit(c, options);
  if (visit !== undefined) return show(visit);
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(formatSignInPath(`${pathname}${search}`), 303);
}

async function showOverview(visit: AccountVisit): Promise<Response> {
  const cards = await Promise.all(
    listSections(visit).flatMap(({ id, path, title, card }) =>
      card === undefined ? [] : [buildCard({ id, path, title: title(visit.language) }, card(visit))],
    ),
  );
  return showPage(visit.c, renderAccountOverview({ frame: buildVisitFrame(visit), cards }));
}

/** Everything that the account has, section by section. What cannot be read now is named, and never left out in silence. */
async function sendEverything(visit: AccountVisit): Promise<Response> {
  const { c, session } = visit;
  const parts = await Promise.all(
    listSections(visit).flatMap(({ id, exported }) =>
      exported === undefined ? [] : [exported(visit).then((value) => [id, value] as const)],
    ),
  );
  const { accountId, kind, addresses = [], email } = session;
  const file = {
    exported_at: new Date().toISOString(),
    account: { id: accountId, kind, addresses, ...(email === undefined ? {} : { email }) },
    not_readable: parts.filter(([, value]) => value === undefined).map(([id]) => id),
    ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)),
  };
  return c.json(file, 200, {
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="account.json"',
    'x-robots-tag': 'noindex',
  });
}

const buildCard = async <Place, Shown>(place: Place, shown: Promise<Shown>): Promise<Place & Shown> => ({
  ...place,
  ...(await shown),
});

async function showSection(visit: AccountVisit, { kinds, show }: AccountSection): Promise<Response> {
  const { c, session } = visit;
  if (!kinds.includes(session.kind)) return c.redirect(ACCOUNT_PATH, 303);
  const shown = await show(visit, buildVisitFrame(visit));
  return shown instanceof Response ? shown : showPage(c, shown, { script: true });
}

/** Judges what was posted before anything is done. Programs send the token too: all of these change something. */
async function runTask(c: AppContext, options: AppOptions, task: AccountTask): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await readBrowserSession(c, options);
  if (!hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  const visit = await openVisit(c, options);
  if (visit !== undefined) return task(visit, posted);
  return posted.form
    ? c.redirect(formatSignInPath(ACCOUNT_PATH), 303)
    : refuseRequest(c, buildProblem('sign_in_needed'));
}

/** The same for a form with files. Who is not signed in sends them for nothing: they are not read. */
async function runUpload(
  c: AppContext,
  options: AppOptions,
  { maxBytes, run }: { maxBytes: number; run: UploadTask },
): Promise<Response> {
  const visit = await openVisit(c, options);
  if (visit === undefined)
    return isPageWanted(c.req.raw)
      ? c.redirect(formatSignInPath(ACCOUNT_PATH), 303)
      : refuseRequest(c, buildProblem('sign_in_needed'));
  const posted = await readUpload(c, maxBytes);
  if (posted instanceof Response) return posted;
  return hasFormToken(visit.browser, posted.get('csrf')) ? run(visit, posted) : refuseRequest(c, SIGN_IN_FORM_EXPIRED);
}

const signOutEverywhere: AccountTask = async ({ c, options, browser }, posted) => {
  await getPeopleStore(c).signOutEverywhere(browser.hash);
  dropSession(c, options);
  return posted.form ? c.redirect('/signin?why=signed_out', 303) : c.json({ ok: true });
};

import { DAY_MS } from '../../lib/time.ts';
import {
  askFor,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
  warnCheck,
} from './asking.ts';
import {
  type CertificateFacts,
  type CheckOrder,
  type CheckPorts,
  type DeploymentCheck,
  type WorkerName,
  workerNames,
} from './check.ts';

/** A certificate is renewed long before: one with less left than this was not. */
const RENEWED_BY_MS = 14 * DAY_MS;
/** Payments, sign-ins and assertions bear a difference of clocks of this much (rules P19, A3). */
const MAX_SKEW_MS = 60_000;
const NOTED_SKEW_MS = 5_000;
const SECOND_MS = 1_000;

type Place = { worker: WorkerName; origin: string };

export const listPlaces = ({ addresses }: CheckOrder): readonly Place[] =>
  workerNames.flatMap((worker) => {
    const origin = addresses[worker];
    return origin === undefined ? [] : [{ worker, origin }];
  });

/** The certificate of each https address: its end, its name and its chain. */
export async function checkCertificates(order: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  return Promise.all(listPlaces(order).map((place) => checkCertificate(place, ports)));
}

async function checkCertificate({ worker, origin }: Place, ports: CheckPorts): Promise<DeploymentCheck> {
  const name: CheckName = { id: `certificate.${worker}`, title: `The certificate of the ${worker} Worker is good` };
  if (!origin.startsWith('https:')) return acceptCheck(name, `${origin} is plain http, on this machine alone`);
  try {
    return judgeCertificate(name, await ports.readCertificate(origin), ports.now());
  } catch {
    return leaveUnknown(name, `${origin} could not be reached`);
  }
}

export function judgeCertificate(name: CheckName, facts: CertificateFacts, nowMs: number): DeploymentCheck {
  const { validFromMs, validToMs, matchesHost, untrusted, issuer } = facts;
  const next = 'See the domain in the dashboard: SSL/TLS, Edge certificates';
  const end = new Date(validToMs).toISOString().slice(0, 10);
  if (nowMs >= validToMs) return failCheck(name, `It expired on ${end}`, next);
  if (nowMs < validFromMs) return failCheck(name, 'It is not valid yet', 'Check the clock of this machine');
  if (!matchesHost) return failCheck(name, 'It is for another name', next);
  if (untrusted !== undefined) return failCheck(name, `Its chain is not trusted: ${untrusted}`, next);
  if (validToMs - nowMs < RENEWED_BY_MS) return warnCheck(name, `It ends on ${end} and was not renewed yet`, next);
  return acceptCheck(name, `until ${end}, by ${issuer}`);
}

/** How far the clock of a Worker is from ours: between `fromMs` and `toMs` ahead of it. */
export type ClockSkew = { fromMs: number; toMs: number };

/**
 * Where the clock of an answer lies by its `Date`, which has whole seconds: it was made at some moment between the
 * request and the answer. Undefined where there is no such header.
 */
export function computeClockSkew(date: string | null, sentMs: number, receivedMs: number): ClockSkew | undefined {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return undefined;
  return { fromMs: serverMs - receivedMs, toMs: serverMs + SECOND_MS - sentMs };
}

/** The clocks of the Workers against this machine's, with the time of the request as uncertainty. */
export async function checkClocks(order: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  return Promise.all(
    listPlaces(order).map(async ({ worker, origin }) => {
      const name: CheckName = {
        id: `clock.${worker}`,
        title: `The clock of the ${worker} Worker is that of this machine`,
      };
      const sentMs = ports.now();
      const answer = await askFor(ports, `${origin}/health`);
      if (!answer.reached) return leaveUnknown(name, describeNotReached(answer));
      const skew = computeClockSkew(answer.headers.get('date'), sentMs, ports.now());
      return skew === undefined ? leaveUnknown(name, 'The answer has no Date') : judgeClock(name, skew);
    }),
  );
}

export function judgeClock(name: CheckName, { fromMs, toMs }: ClockSkew): DeploymentCheck {
  // The least difference that explains what was seen.
  const leastMs = fromMs > 0 ? fromMs : Math.min(toMs, 0);
  const shown = `${Math.abs(Math.round(leastMs / SECOND_MS))} s ${leastMs < 0 ? 'behind' : 'ahead'}`;
  const next = 'Compare both with a time server: one of them is wrong';
  if (Math.abs(leastMs) > MAX_SKEW_MS) return failCheck(name, `It is at least ${shown}`, next);
  if (Math.abs(leastMs) > NOTED_SKEW_MS) return warnCheck(name, `It is at least ${shown}`, next);
  const spread = `${formatSeconds(fromMs)} to ${formatSeconds(toMs)} s`;
  return acceptCheck(name, `no difference beyond what can be measured (${spread})`);
}

const formatSeconds = (ms: number): string => (ms / SECOND_MS).toFixed(1);

type HeaderRow = { header: string; holds: (value: string) => boolean; httpsOnly?: true };

/** Of a page of the api Worker, which browsers show. */
const pageHeaders: readonly HeaderRow[] = [
  { header: 'content-security-policy', holds: (value) => value.includes("default-src 'none'") },
  { header: 'x-frame-options', holds: (value) => value === 'DENY' },
  { header: 'referrer-policy', holds: (value) => value === 'no-referrer' },
  { header: 'x-content-type-options', holds: (value) => value === 'nosniff' },
  { header: 'strict-transport-security', holds: (value) => /max-age=[1-9]/.test(value), httpsOnly: true },
];
const answerHeaders: readonly HeaderRow[] = [
  { header: 'x-content-type-options', holds: (value) => value === 'nosniff' },
];

/** Headers that keep browsers safe: on a page of the api Worker, and on answers of the others. */
export async function checkHeaders(order: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  return Promise.all(
    listPlaces(order).map(async ({ worker, origin }) => {
      const isApi = worker === 'api';
      const name: CheckName = {
        id: `headers.${worker}`,
        title: `Answers of the ${worker} Worker have security headers`,
      };
      const url = `${origin}${isApi ? '/signin' : '/.well-known/oauth-protected-resource'}`;
      const answer = await askFor(ports, url, isApi ? { headers: { accept: 'text/html' } } : {});
      if (!answer.reached) return leaveUnknown(name, describeNotReached(answer));
      const rows = (isApi ? pageHeaders : answerHeaders).filter(
        ({ httpsOnly }) => httpsOnly !== true || origin.startsWith('https:'),
      );
      const missing = rows.filter(({ header, holds }) => !holds(answer.headers.get(header) ?? ''));
      if (missing.length === 0) return acceptCheck(name, rows.map(({ header }) => header).join(', '));
      const list = missing.map(({ header }) => header).join(', ');
      return failCheck(name, `${url} lacks ${list}`, 'Look for a rule of your zone that removes headers');
    }),
  );
}

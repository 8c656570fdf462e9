import type * as z from 'zod';
import { refuseMeasurement } from '../../capabilities/bodies.ts';
import { refusePanel } from '../../capabilities/panel-bodies.ts';
import { formatJsonPointer } from '../../lib/json.ts';
import { classifyHost } from '../../net/address.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { canonicaliseHref, parseTargetUrl } from '../../net/canonical-url.ts';
import { getLeastGapMs, judgeInterval } from '../book/interval.ts';
import type { Monitor, MonitorInterval, MonitorPayment, MonitorSubject } from './monitor.ts';
import {
  type ChangeMonitorBody,
  changeMonitorBody,
  type CreateMonitorBody,
  createMonitorBody,
} from './monitor-body.ts';
import type { MonitorPatch, NewMonitor } from './protocol.ts';
import type { ReceiverRequest } from './receiver.ts';

/** Faults of a body that are reported: a program corrects the first few and asks again. */
const MAX_FAULTS = 20;

/** A member of a body, as a JSON Pointer, and what is wrong with it. */
export type RequestFault = { pointer: string; message: string };
/** `code`: a stable reason where it is not that a member has the wrong form. */
export type RequestRefusal = { ok: false; code?: 'niche_names_brand'; errors: readonly RequestFault[] };
export type ReadMonitorRequest<T> = { ok: true; value: T } | RequestRefusal;

/** What a request is judged by. */
export type RequestPorts = {
  /** Which addresses may be read and written to (rule F5). Deliveries judge theirs again. */
  policy: AddressPolicy;
  /** Whether this deployment can send mail. */
  hasMail: boolean;
  /** Unix milliseconds. */
  nowMs: number;
};

/** Reads the body of a new monitor; what is refused names each member. */
export async function readNewMonitor(given: unknown, ports: RequestPorts): Promise<ReadMonitorRequest<NewMonitor>> {
  const parsed = createMonitorBody.safeParse(given);
  if (!parsed.success) return refuseIssues(parsed.error.issues);
  const body = parsed.data;
  const subject = normaliseSubject(body.subject);
  const refused = await refuseSubject(subject, ports);
  if (refused !== undefined) return refused;
  const payment = body.payment ?? 'credits';
  const interval = body.interval as MonitorInterval; // Holds by the refinements of its schema.
  const errors = [
    ...judgeSchedule(interval, { subject, payment }, ports),
    ...judgeReceivers(body.receivers ?? [], ports),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const value: NewMonitor = {
    name: body.name ?? getSubjectName(subject),
    subject,
    interval,
    rules: body.rules ?? {},
    receivers: normaliseReceivers(body.receivers ?? []),
    quietHours: body.quiet_hours ?? null,
    payment,
  };
  return { ok: true, value };
}

/** Reads what is to change of a monitor. A subject may change its options; whether it is another one, its object says. */
export async function readMonitorPatch(
  given: unknown,
  current: Pick<Monitor, 'subject' | 'payment'>,
  ports: RequestPorts,
): Promise<ReadMonitorRequest<MonitorPatch>> {
  const parsed = changeMonitorBody.safeParse(given);
  if (!parsed.success) return refuseIssues(parsed.error.issues);
  const body = parsed.data;
  const subject = body.subject && normaliseSubject(body.subject);
  const refused = subject && (await refuseSubject(subject, ports));
  if (refused !== undefined) return refused;
  const interval = body.interval as MonitorInterval | undefined; // As above.
  const scheduled = interval && judgeSchedule(interval, { ...current, ...(subject && { subject }) }, ports);
  const errors = [...(scheduled ?? []), ...judgeReceivers(body.receivers ?? [], ports)];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: buildPatch(body, subject) };
}

function buildPatch(body: ChangeMonitorBody, subject: MonitorSubject | undefined): MonitorPatch {
  const { name, interval, rules, receivers, quiet_hours: quietHours, state } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(subject === undefined ? {} : { subject }),
    ...(interval === undefined ? {} : { interval: interval as MonitorInterval }),
    ...(rules === undefined ? {} : { rules }),
    ...(receivers === undefined ? {} : { receivers: normaliseReceivers(receivers) }),
    ...(quietHours === undefined ? {} : { quietHours }),
    ...(state === undefined ? {} : { state }),
  };
}

const refuseIssues = (issues: readonly z.core.$ZodIssue[]): RequestRefusal => ({
  ok: false,
  errors: issues.flatMap(listIssueFaults).slice(0, MAX_FAULTS),
});

/** Of the forms that a member could have, the one that fits best is explained. zod's texts name keys that a caller chose; ours do not. */
function listIssueFaults(issue: z.core.$ZodIssue): readonly RequestFault[] {
  const { path, message, code } = issue;
  if (code === 'invalid_union' && issue.errors.length > 0) {
    const [best = []] = issue.errors.toSorted((one, other) => one.length - other.length);
    return best.flatMap((inner) => listIssueFaults({ ...inner, path: [...path, ...inner.path] }));
  }
  if (code === 'unrecognized_keys')
    return [{ pointer: formatJsonPointer(path), message: 'has members that are not part of it' }];
  return [{ pointer: formatJsonPointer(path), message }];
}

/** A URL has one spelling, so that two spellings are one site (as in a purchase). */
function normaliseSubject(subject: CreateMonitorBody['subject']): MonitorSubject {
  if (subject.kind === 'brand') {
    const { site } = subject.body as { site?: string };
    return { ...subject, body: { ...subject.body, ...(site === undefined ? {} : { site: canonicaliseHref(site) }) } };
  }
  const { competitors } = subject;
  return {
    ...subject,
    url: canonicaliseHref(subject.url),
    ...(competitors === undefined ? {} : { competitors: competitors.map(canonicaliseHref) }),
  };
}

const getSubjectName = (subject: MonitorSubject): string =>
  subject.kind === 'site' ? new URL(subject.url).host : subject.body.brand;

async function refuseSubject(subject: MonitorSubject, { policy }: RequestPorts): Promise<RequestRefusal | undefined> {
  const errors = subject.kind === 'site' ? judgeSites(subject, policy) : judgeBrandSite(subject, policy);
  if (errors.length > 0) return { ok: false, errors };
  return subject.kind === 'site' ? undefined : refuseBrand(subject);
}

type Site = Extract<MonitorSubject, { kind: 'site' }>;
type Brand = Extract<MonitorSubject, { kind: 'brand' }>;

function judgeSites({ url, competitors = [] }: Site, policy: AddressPolicy): readonly RequestFault[] {
  return [
    ...judgeTarget(url, '/subject/url', policy),
    ...competitors.flatMap((competitor, at) => {
      const pointer = `/subject/competitors/${at}`;
      if (competitor === url) return [{ pointer, message: 'is the watched site itself' }];
      if (competitors.indexOf(competitor) < at) return [{ pointer, message: 'is listed twice' }];
      return judgeTarget(competitor, pointer, policy);
    }),
  ];
}

const judgeBrandSite = ({ body }: Brand, policy: AddressPolicy): readonly RequestFault[] =>
  typeof body['site'] === 'string' ? judgeTarget(body['site'], '/subject/body/site', policy) : [];

function judgeTarget(url: string, pointer: string, policy: AddressPolicy): readonly RequestFault[] {
  const parsed = parseTargetUrl(url, policy);
  return parsed.ok ? [] : [{ pointer, message: parsed.detail }];
}

/** What a purchase of the same row would refuse. */
async function refuseBrand({ capability, body }: Brand): Promise<RequestRefusal | undefined> {
  const refusal = await (capability === 'visibility_check' ? refuseMeasurement(body) : refusePanel(body));
  if (refusal === undefined) return undefined;
  const errors = refusal.errors.map(({ pointer, message }) => ({ pointer: `/subject/body${pointer}`, message }));
  return { ok: false, errors, ...(refusal.code === 'niche_names_brand' ? { code: refusal.code } : {}) };
}

/** Whether it ever comes, and not too often: a site no more than hourly, what asks engines or is free no more than daily. */
function judgeSchedule(
  interval: MonitorInterval,
  about: { subject: MonitorSubject; payment: MonitorPayment },
  { nowMs }: RequestPorts,
): readonly RequestFault[] {
  const verdict = judgeInterval(interval, getLeastGapMs(about), nowMs);
  if (verdict.ok) return [];
  return [{ pointer: 'cron' in interval ? '/interval/cron' : '/interval', message: verdict.detail }];
}

type GivenReceiver = NonNullable<ChangeMonitorBody['receivers']>[number];

function judgeReceivers(receivers: readonly GivenReceiver[], ports: RequestPorts): readonly RequestFault[] {
  const texts = receivers.map(formatReceiverKey);
  return receivers.flatMap((receiver, at) => {
    const pointer = `/receivers/${at}`;
    if (texts.indexOf(texts[at] ?? '') < at) return [{ pointer, message: 'is listed twice' }];
    if ('id' in receiver || receiver.kind === 'feed') return [];
    if (receiver.kind === 'email')
      return ports.hasMail ? [] : [{ pointer: `${pointer}/kind`, message: 'this deployment sends no mail' }];
    return judgeReceiverUrl(receiver.url, `${pointer}/url`, ports.policy);
  });
}

/** Two of the same would get each alert twice. */
function formatReceiverKey(receiver: GivenReceiver): string {
  if ('id' in receiver) return receiver.id;
  if (receiver.kind === 'feed') return 'feed';
  return receiver.kind === 'email' ? receiver.address.toLowerCase() : canonicaliseHref(receiver.url);
}

/** By https, or by http where the policy opens this machine (rule F5). */
function judgeReceiverUrl(text: string, pointer: string, policy: AddressPolicy): readonly RequestFault[] {
  const parsed = parseTargetUrl(text, policy);
  if (!parsed.ok) return [{ pointer, message: parsed.detail }];
  const { protocol, hostname } = parsed.url;
  const isPlain = protocol !== 'https:' && classifyHost(hostname).kind !== 'loopback';
  return isPlain ? [{ pointer, message: 'must be an https address' }] : [];
}

const normaliseReceivers = <T extends { id: string } | ReceiverRequest>(receivers: readonly T[]): readonly T[] =>
  receivers.map((receiver) => ('url' in receiver ? { ...receiver, url: canonicaliseHref(receiver.url) } : receiver));

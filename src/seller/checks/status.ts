import { verdict } from '../../audit/core/check.ts';
import { isLoopbackHost } from '../../audit/mcp/checks/common.ts';
import {
  buildHeaderSighting,
  buildSightingEvidence,
  findAnswer,
  type SellerReading,
  type Sighting,
} from '../reading/sighting.ts';
import { defineOfferCheck, defineSellerCheck, HTTP_SEMANTICS, X402_HTTP } from '../seller-check.ts';

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** What the unpaid requests were answered with, for a note. */
const listAsked = ({ sightings }: SellerReading): readonly Sighting[] =>
  [sightings.get, sightings.post, sightings.post_data].filter((one) => one !== undefined);

const describeAnswer = ({ method, answer }: Sighting): string =>
  `${method}: ${answer.ok ? answer.status : answer.reason}`;

const paymentRequired = defineSellerCheck({
  id: 'seller.status.payment-required',
  title: 'An unpaid request is answered with 402 and terms',
  failureTitle: 'Answer an unpaid request with 402 and terms',
  weight: 5,
  grade: 'A',
  why: 'A client learns what to pay from the 402. Without one it has nothing to sign.',
  source: X402_HTTP,
  fix: 'Answer every request without a payment with 402, the terms in PAYMENT-REQUIRED (x402) or in WWW-Authenticate with the scheme Payment (MPP).',
  judge(reading) {
    const { offered, x402, mpp } = reading;
    const asked = listAsked(reading);
    const evidence = asked.map((one) => buildSightingEvidence(one));
    if (offered === undefined) {
      const answers = asked.map(describeAnswer).join('; ');
      return asked.some(({ answer }) => answer.ok)
        ? verdict.fail(`No unpaid request was answered with 402 (${answers})`, evidence)
        : verdict.unknown(`No answer came (${answers})`, evidence);
    }
    if (x402.state === 'broken')
      return verdict.fail(`402, but ${x402.why}`, buildHeaderSighting(offered, 'payment-required'));
    if (x402.state === 'none' && mpp.state === 'none')
      return verdict.fail(`402 to ${offered.method}, without terms of x402 or MPP`, buildSightingEvidence(offered));
    const names = [x402.state === 'read' ? `x402 v${x402.terms.version}` : '', mpp.state === 'read' ? 'MPP' : ''];
    return verdict.pass(
      `402 to ${offered.method} with ${names.filter(Boolean).join(' and ')}`,
      buildSightingEvidence(offered),
    );
  },
});

const beforeValidation = defineSellerCheck({
  id: 'seller.status.before-validation',
  title: 'An empty request is answered with 402, and not refused first',
  failureTitle: 'Answer an empty request with 402 before the body is judged',
  weight: 3,
  grade: 'B',
  why: 'Directories index an address by an empty request: one that answers 400, 415 or 422 is left out, and says so nowhere.',
  source: 'https://github.com/coinbase/x402/issues/1982',
  fix: 'Look for the payment before the body is parsed. Judge the body of a paying request before anything is charged.',
  judge(reading) {
    const { offered } = reading;
    if (offered !== undefined && offered.role !== 'post_data')
      return verdict.pass(`An empty ${offered.method} is answered with 402`, buildSightingEvidence(offered));
    const post = findAnswer(reading, 'post');
    if (post === undefined) return verdict.unknown('An empty POST was not answered');
    const { status } = post.answer;
    const note = `An empty POST is answered with ${status}`;
    if (offered !== undefined || [400, 411, 415, 422].includes(status))
      return verdict.fail(note, buildSightingEvidence(post));
    return verdict.unknown(`${note}, and no request with 402`, buildSightingEvidence(post));
  },
});

const redirect = defineSellerCheck({
  id: 'seller.status.redirect',
  title: 'The address itself answers, without a redirect',
  failureTitle: 'Sell at the address itself, without a redirect',
  weight: 2,
  grade: 'B',
  why: 'A payment is for one address. Wallets follow no redirect with a payment, and a redirected POST loses its body.',
  source: `${HTTP_SEMANTICS}#section-15.4`,
  fix: 'Publish the address that answers: the right scheme, host and trailing slash.',
  judge(reading) {
    const asked = listAsked(reading).filter(({ answer }) => answer.ok);
    if (asked.length === 0) return verdict.unknown('No answer came');
    const led = asked.find(({ answer }) => answer.ok && isRedirect(answer.status));
    if (led === undefined) return verdict.pass('No request was redirected');
    const evidence = buildSightingEvidence(
      led,
      led.answer.ok ? { header: `location: ${led.answer.headers['location'] ?? ''}` } : {},
    );
    return reading.offered === undefined
      ? verdict.fail(`${describeAnswer(led)}, a redirect`, evidence)
      : verdict.partial(0.5, `${describeAnswer(led)}, a redirect`, evidence);
  },
});

const https = defineSellerCheck({
  id: 'seller.status.https',
  title: 'The address is https',
  failureTitle: 'Sell by https',
  weight: 4,
  grade: 'A',
  why: 'By plain http anyone on the way can change payee and price.',
  source: 'https://www.rfc-editor.org/rfc/rfc9110#section-4.2.2',
  fix: 'Serve the endpoint by https, and publish that address.',
  judge({ url }) {
    if (isLoopbackHost(url.hostname)) return verdict.notApplicable('The seller is on this machine');
    return url.protocol === 'https:' ? verdict.pass('https') : verdict.fail('Plain http', { url: url.href });
  },
});

const otherMethod = defineSellerCheck({
  id: 'seller.status.other-method',
  title: 'Another method than the one that is sold is refused with 405',
  failureTitle: 'Refuse other methods with 405 and Allow',
  weight: 1,
  grade: 'A',
  why: 'A client that guessed the method reads the right one from Allow. A 5xx or a 200 hides that anything is sold.',
  source: `${HTTP_SEMANTICS}#section-15.5.6`,
  fix: 'Answer methods that are not sold with 405 and the header Allow.',
  judge(reading) {
    if (reading.offered === undefined) return verdict.unknown('It is not known which method is sold');
    if (reading.offered.role === 'get') return verdict.notApplicable('GET is sold; no other method was tried');
    const get = findAnswer(reading, 'get');
    if (get === undefined) return verdict.unknown('GET was not answered');
    const { status, headers } = get.answer;
    const evidence = buildHeaderSighting(get, 'allow');
    if (status === 405 && headers['allow'] !== undefined)
      return verdict.pass('GET is refused with 405 and Allow', evidence);
    if (status === 405) return verdict.partial(0.7, 'GET is refused with 405, without Allow', evidence);
    if (status >= 500) return verdict.fail(`GET is answered with ${status}`, evidence);
    return verdict.partial(0.5, `GET is answered with ${status}`, evidence);
  },
});

const unknownPath = defineSellerCheck({
  id: 'seller.status.unknown-path',
  title: 'A path that does not exist is answered with 404',
  failureTitle: 'Answer unknown paths with 404, and never with 402',
  weight: 2,
  grade: 'B',
  why: 'A 402 for what does not exist takes money for an error. A 200 makes every wrong address look free.',
  source: `${HTTP_SEMANTICS}#section-15.5.5`,
  fix: 'Look for the route before the payment.',
  judge(reading) {
    const seen = findAnswer(reading, 'unknown_path');
    if (seen === undefined) return verdict.unknown('It was not answered');
    const { status } = seen.answer;
    const note = `A path that does not exist is answered with ${status}`;
    const evidence = buildSightingEvidence(seen);
    if (status === 404 || status === 410) return verdict.pass(note, evidence);
    if (status === 402 || status >= 500) return verdict.fail(note, evidence);
    return verdict.partial(0.5, note, evidence);
  },
});

const head = defineSellerCheck({
  id: 'seller.status.head',
  title: 'HEAD is answered like GET, without an error',
  failureTitle: 'Answer HEAD as GET is answered',
  weight: 1,
  grade: 'A',
  why: 'Monitors and directories probe by HEAD: a 5xx reads as a seller that is down.',
  source: `${HTTP_SEMANTICS}#section-9.3.2`,
  fix: 'Answer HEAD with the status and headers of GET, or with 405.',
  judge(reading) {
    const seen = findAnswer(reading, 'head');
    const get = findAnswer(reading, 'get');
    if (seen === undefined) return verdict.unknown('HEAD was not answered');
    const { status } = seen.answer;
    const evidence = buildSightingEvidence(seen);
    if (status >= 500) return verdict.fail(`HEAD is answered with ${status}`, evidence);
    const like = get?.answer.status;
    if (status === like || status === 405) return verdict.pass(`HEAD is answered with ${status}`, evidence);
    if (status === 402) return verdict.pass('HEAD is answered with 402', evidence);
    return verdict.partial(0.5, `HEAD is answered with ${status}, GET with ${like ?? 'nothing'}`, evidence);
  },
});

const garbage = defineSellerCheck({
  id: 'seller.status.garbage-credential',
  title: 'A credential that is no payment is refused by 400 or 402',
  failureTitle: 'Refuse a credential that cannot be read, without an error of the server',
  weight: 4,
  grade: 'A',
  why: 'Anyone can send garbage. A 5xx for it reads as an outage, and a 2xx gives the goods away.',
  source: X402_HTTP,
  fix: 'Parse the credential at the edge: 400 for one that cannot be read, 402 with terms for one that does not pay.',
  judge(reading) {
    if (reading.isReadOnly) return verdict.unknown('Not asked: only the command line sends a credential');
    if (reading.offered === undefined) return verdict.unknown('It is not known which method is sold');
    const seen = findAnswer(reading, 'garbage');
    if (seen === undefined) return verdict.unknown('It was not answered');
    const { status } = seen.answer;
    const note = `A credential that is no payment is answered with ${status}`;
    const evidence = buildSightingEvidence(seen);
    if ([400, 401, 402, 422, 431].includes(status)) return verdict.pass(note, evidence);
    return status >= 500 || status < 300 ? verdict.fail(note, evidence) : verdict.partial(0.5, note, evidence);
  },
});

/** Lines of a stack trace, of Node, Python, Java and Go. */
const TRACE_MARKS = ['\n    at ', '\\n    at ', 'Traceback (most recent call last)', 'goroutine 1 [', 'node_modules/'];

const leak = defineOfferCheck({
  id: 'seller.status.no-trace',
  title: 'No answer shows a stack trace',
  failureTitle: 'Leave stack traces out of answers',
  weight: 2,
  grade: 'C',
  why: 'A trace shows paths, versions and sometimes secrets to everyone who sends a bad request.',
  source: 'https://cwe.mitre.org/data/definitions/209.html',
  fix: 'Answer errors with a status and a stable code. Log the trace.',
  judge(_offered, reading) {
    const decoder = new TextDecoder();
    for (const sighting of Object.values(reading.sightings)) {
      if (!sighting.answer.ok || sighting.role === 'openapi') continue;
      const text = decoder.decode(sighting.answer.bytes);
      const mark = TRACE_MARKS.find((one) => text.includes(one));
      if (mark === undefined) continue;
      const excerpt = text.slice(Math.max(0, text.indexOf(mark) - 80)).trim();
      return verdict.fail(
        `The answer to ${sighting.method} shows a stack trace`,
        buildSightingEvidence(sighting, { excerpt }),
      );
    }
    return verdict.pass('None was seen');
  },
});

export const statusChecks = [
  paymentRequired,
  beforeValidation,
  redirect,
  https,
  otherMethod,
  unknownPath,
  head,
  garbage,
  leak,
];

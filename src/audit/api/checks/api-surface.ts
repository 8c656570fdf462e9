import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { isHtmlText } from '../../reach/facts/existence.ts';
import { isJsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { buildHeaderEvidence, buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';
import { withoutDocument } from '../../core/missing-document.ts';

/** Checks of what an API shows to programs beside its description. */
export const apiSurfaceChecks = [
  defineCheck({
    id: 'agent.http.errors-machine',
    title: 'API errors are machine readable',
    failureTitle: 'Make API errors machine readable',
    weight: 1,
    grade: 'B',
    why: 'An agent corrects its call from the error; an HTML page gives it nothing to act on. The audit asks for one path that does not exist, below the folder that the operations share.',
    source: 'https://www.rfc-editor.org/rfc/rfc9457',
    fix: 'Answer errors of the API with application/problem+json: type, title, status and what to do about it in detail.',
    needs: ['apiProbes'],
    judge: judgeErrors,
  }),
  defineCheck({
    id: 'agent.api.catalog',
    title: 'api-catalog linkset is valid when present',
    failureTitle: 'Correct the api-catalog',
    weight: 1,
    grade: 'B',
    why: 'One well-known address that lists all APIs of a site; a list with dead links is worse than none. Up to two targets are followed; HEAD is not asked, to spare the site a request.',
    source: 'https://www.rfc-editor.org/rfc/rfc9727; https://www.rfc-editor.org/rfc/rfc9264#section-4.2',
    fix: 'Serve /.well-known/api-catalog as application/linkset+json: {"linkset":[{"anchor":"<API>","service-desc":[{"href":"<description>"}]}]}.',
    needs: ['apiCatalog'],
    judge: judgeCatalog,
  }),
];

function judgeErrors({ apiProbes: { api, blind, error } }: FactsOf<'apiProbes'>): CheckOutcome {
  if (!api)
    return blind
      ? verdict.unknown('Whether there is an API description could not be seen.')
      : verdict.notApplicable('The site describes no API.');
  if (error === 'elsewhere') return verdict.unknown('The API runs on hosts of another owner, which are not asked.');
  if (error === 'not_asked') return verdict.unknown('The API was not asked: the budget of requests was used up.');
  const { answer } = error;
  if (!answer.ok) return verdict.unknown(`The API gave no answer (${answer.reason}).`, buildRequestEvidence(error));
  const evidence = [
    buildHeaderEvidence(error, 'content-type'),
    buildRequestEvidence(error, { excerpt: extractBodyStart(error) }),
  ];
  if (answer.status === 429 || answer.status >= 500)
    return verdict.unknown(`The API answered ${answer.status}.`, evidence);
  const kind = classifyError(answer);
  if (answer.status < 400) return verdict.fail(`A path that does not exist is answered ${answer.status}.`, evidence);
  if (kind === 'problem') return verdict.pass(`The error ${answer.status} is a problem document.`, evidence);
  if (kind === 'json')
    return verdict.partial(0.5, `The error ${answer.status} is JSON, and no problem document.`, evidence);
  const mayBeUs = answer.status === 401 || answer.status === 403;
  return mayBeUs
    ? verdict.unknown(`The API answered ${answer.status} without JSON, which may be a refusal of us.`, evidence)
    : verdict.fail(`The error ${answer.status} is ${kind === 'html' ? 'a page of HTML' : 'no JSON'}.`, evidence);
}

/** A problem document by its media type, or by two of its members (RFC 9457, 3.1). */
function classifyError(answer: SnapshotAnswer): 'problem' | 'json' | 'html' | 'other' {
  const parsed = parseSiteJson(answer.body);
  if (!parsed.ok || !isJsonRecord(parsed.value)) return isHtmlText(answer.body.trimStart()) ? 'html' : 'other';
  const { value } = parsed;
  if (parseMediaType(answer.headers['content-type'] ?? '') === 'application/problem+json') return 'problem';
  const members = [typeof value['title'], typeof value['type'], typeof value['detail']].filter(
    (type) => type === 'string',
  );
  return typeof value['status'] === 'number' && members.length > 0 ? 'problem' : 'json';
}

function judgeCatalog({ apiCatalog: { catalog, targets, evidence } }: FactsOf<'apiCatalog'>): CheckOutcome {
  if (catalog.state !== 'found') {
    const absent =
      evidence.length === 0
        ? verdict.notApplicable('Nothing on the site speaks of an API, so no catalog is expected.')
        : verdict.partial(
            0.5,
            'The site has an API and no catalog of it.',
            catalog.exchange ? buildRequestEvidence(catalog.exchange) : [],
          );
    return withoutDocument(catalog, 'The API catalog', absent);
  }
  const { exchange, document } = catalog;
  const dead = targets.filter(({ state }) => state === 'dead');
  const faults = [
    ...(document.length === 0
      ? [buildRequestEvidence(exchange, { selector: '/linkset', excerpt: 'lists no API' })]
      : []),
    ...document.flatMap(({ pointer, anchor, targets: linked, lists }) => [
      ...(anchor === undefined
        ? [buildRequestEvidence(exchange, { selector: `${pointer}/anchor`, excerpt: 'is missing' })]
        : []),
      ...(linked.length === 0 && !lists
        ? [buildRequestEvidence(exchange, { selector: pointer, excerpt: 'links nothing about the API' })]
        : []),
    ]),
    ...dead.flatMap((target) =>
      target.exchange ? [buildRequestEvidence(target.exchange, { excerpt: 'is not there' })] : [],
    ),
  ];
  if (faults.length > 0) return verdict.fail(`${formatCount(faults.length, 'fault')} in the API catalog.`, faults);
  const type = buildHeaderEvidence(exchange, 'content-type');
  if (parseMediaType(catalog.answer.headers['content-type'] ?? '') !== 'application/linkset+json')
    return verdict.partial(0.5, 'The catalog is sound and not served as application/linkset+json.', type);
  const followed = targets.filter(({ state }) => state === 'resolves').length;
  return verdict.pass(
    `${formatCount(document.length, 'API')} in the catalog; ${formatCount(followed, 'target')} followed.`,
    type,
  );
}

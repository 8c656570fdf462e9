import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import type { ApiDescription } from '../facts/api-description.ts';
import { issueDetail, issueNote } from '../../structured-data/facts/json-document.ts';
import type { Site } from '../../core/site.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';

const MAX_SHOWN = 10;

export const apiDescriptionChecks = [
  defineCheck({
    id: 'agent.api.openapi-found',
    title: 'An OpenAPI description is discoverable',
    failureTitle: 'Publish an OpenAPI description where agents find it',
    weight: 3,
    grade: 'B',
    why: 'Agents build their tools for an API from this document; without it they guess from prose.',
    source: 'https://spec.openapis.org/oas/v3.2.0.html; RFC 9727; RFC 8631 (service-desc)',
    fix: 'Publish the description at /openapi.json and link it with rel="service-desc".',
    capabilities: ['check_agent_files'],
    needs: ['openapi'],
    judge: judgeFound,
  }),
  defineCheck({
    id: 'agent.api.openapi-valid',
    title: 'The document is structurally valid',
    failureTitle: 'Correct the API description',
    weight: 3,
    grade: 'A',
    why: 'Generators and agents refuse a document with missing parts, dangling references or repeated operation ids.',
    source: 'OpenAPI Specification 3.0, 3.1, 3.2 and Swagger 2.0: required fields, Reference Object, Parameter Object',
    fix: 'Correct the values at the JSON pointers shown.',
    capabilities: ['check_agent_files'],
    needs: ['openapi'],
    judge: judgeValid,
  }),
  defineCheck({
    id: 'agent.api.operation-ids',
    title: 'Operations have ids and summaries',
    failureTitle: 'Give operations ids and summaries',
    weight: 2,
    grade: 'B',
    why: 'The id becomes the name of the tool and the summary its description: without them a model cannot choose.',
    source: 'https://spec.openapis.org/oas/v3.2.0.html#operation-object',
    fix: 'Give every operation an operationId such as listInvoices and a one-line summary.',
    capabilities: ['check_agent_files'],
    needs: ['openapi'],
    judge: judgeIds,
  }),
];

function judgeFound({ openapi: { found, tried, evidence, link } }: FactsOf<'openapi'>, site: Site): CheckOutcome {
  if (found) {
    const { document, exchange } = found;
    const what = `${document.kind === '2.0' ? 'Swagger' : 'OpenAPI'} ${document.version}`;
    return verdict.pass(
      `${what} with ${formatCount(document.operations.length, 'operation')}.`,
      buildRequestEvidence(exchange, { excerpt: document.title ?? '' }),
    );
  }
  const looked = tried.map((place) =>
    buildRequestEvidence(place.exchange, 'why' in place ? { excerpt: place.why } : {}),
  );
  const broken = tried.find(({ state }) => state === 'broken');
  if (broken) return verdict.fail('A description is there, and no reader can parse it.', looked);
  if (tried.length === 0 || tried.some(({ state }) => state === 'unreadable'))
    return verdict.unknown(describeUnreadPlace(tried), looked);
  const reasons = [...evidence, ...(site.profile.name === 'api' ? ['the profile of the site'] : [])];
  if (reasons.length === 0)
    return verdict.notApplicable('Nothing on the site speaks of an API, so no description is expected.');
  return verdict.fail(
    `None was found at ${formatCount(tried.length, 'place')} that we asked, though ${reasons.join(', ')} speak${reasons.length === 1 ? 's' : ''} of an API.`,
    [
      ...(link
        ? [buildRequestEvidence(link.exchange, { selector: 'a[href]', line: link.line, excerpt: link.href })]
        : []),
      ...looked,
    ],
  );
}

/** Why it is not known whether there is a description: the first place that could not be read, and the reason. */
function describeUnreadPlace(tried: ApiDescription['tried']): string {
  const place = tried.find(({ state }) => state === 'unreadable');
  return place && 'why' in place
    ? `Whether there is a description is not known: ${new URL(place.exchange.url).pathname} ${place.why}.`
    : 'Whether there is a description is not known: no place was asked.';
}

/** The outcome where there is no description to judge. */
export function withoutDescription({ tried }: ApiDescription): CheckOutcome {
  const broken = tried.find(({ state }) => state === 'broken');
  if (broken && 'why' in broken)
    return verdict.fail(`The document cannot be parsed: ${broken.why}`, buildRequestEvidence(broken.exchange));
  const unread = tried.length === 0 || tried.some(({ state }) => state === 'unreadable');
  return unread
    ? verdict.unknown(
        describeUnreadPlace(tried),
        tried
          .filter(({ state }) => state === 'unreadable')
          .slice(0, 1)
          .map(({ exchange }) => buildRequestEvidence(exchange)),
      )
    : verdict.notApplicable(`No OpenAPI description was found at ${formatCount(tried.length, 'place')} that we asked.`);
}

function judgeValid({ openapi }: FactsOf<'openapi'>): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  const { issues } = found.document;
  if (issues.length === 0) return verdict.pass('No structural fault was found.', buildRequestEvidence(found.exchange));
  const evidence = issues
    .slice(0, MAX_SHOWN)
    .map((issue) =>
      buildRequestEvidence(found.exchange, { selector: issue.pointer || '/', excerpt: issueDetail(issue) }),
    );
  return verdict.fail(`${formatCount(issues.length, 'fault')}: ${issueNote(issues, 3)}`, evidence);
}

function judgeIds({ openapi }: FactsOf<'openapi'>): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  const operations = found.document.operations.filter(({ webhook }) => !webhook);
  if (operations.length === 0) return verdict.notApplicable('The document has no operations.');
  const bare = operations.filter(
    ({ operationId, described }) => operationId === undefined || operationId === '' || !described,
  );
  const share = 1 - bare.length / operations.length;
  const evidence = bare.slice(0, MAX_SHOWN).map((operation) =>
    buildRequestEvidence(found.exchange, {
      selector: operation.pointer,
      excerpt: operation.described ? 'no operationId' : 'no summary or description',
    }),
  );
  const note = `${formatShare(share)} of ${formatCount(operations.length, 'operation')} have an id and a summary.`;
  return verdict.byShare(
    share,
    { passAt: 0.95, partialAt: 0.6 },
    note,
    bare.length === 0 ? buildRequestEvidence(found.exchange) : evidence,
  );
}

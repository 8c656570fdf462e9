import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import type { LlmsPointer, SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { countSections, isContact, parseRfc3339, readResults, type SecurityTxt } from '../facts/well-known-files.ts';
import type { Site } from '../../core/site.ts';
import { onLlms } from '../../llms-txt/checks/llms-file.ts';
import { buildHeaderEvidence, buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';
import { withoutDocument } from '../../core/missing-document.ts';

/** What is only reported: conventions without a known reader, or without a shown effect on agents. */
export const agentExtraChecks = [
  defineCheck({
    id: 'agent.llms.advertised',
    title: 'Pages point at llms.txt',
    failureTitle: 'Point to llms.txt from your pages',
    weight: 0,
    grade: 'C',
    why: 'llms.txt v2 names rel="describedby" as the way from a page to the file; in one study none of 20 agent runs followed it. A link for people, or a line of robots.txt, counts half.',
    source: 'https://llmstxt.org/ (v2, August 2026)',
    fix: 'Add <link rel="describedby" type="text/markdown" href="/llms.txt"> to your pages.',
    needs: ['llms', 'llmsPointers'],
    judge: ({ llms, llmsPointers }) =>
      onLlms(({ exchange }) => judgePointers(llmsPointers, buildRequestEvidence(exchange)))({ llms }),
  }),
  defineCheck({
    id: 'agent.docs.agents-md',
    title: 'AGENTS.md is useful when public',
    failureTitle: 'Complete the public AGENTS.md',
    weight: 0,
    grade: 'C',
    why: 'AGENTS.md belongs into a repository, where coding agents read it; on a site it is only reported, and only for documentation.',
    source: 'https://agents.md/',
    fix: 'Keep AGENTS.md in the repository; if the site shows it too, give it at least two sections.',
    needs: ['agentsMd'],
    judge: judgeAgentsMd,
  }),
  defineCheck({
    id: 'agent.docs.sitemap-md',
    title: 'sitemap.md is reported',
    failureTitle: 'Check whether sitemap.md helps you',
    weight: 0,
    grade: 'C',
    why: 'A list of pages in Markdown is the convention of one vendor: it is reported where it exists, and no site needs it.',
    source: 'a14y, sitemap.md',
    fix: 'Nothing to do: llms.txt serves the same purpose and has more readers.',
    needs: ['sitemapMd'],
    judge: ({ sitemapMd }) =>
      onText(sitemapMd, 'sitemap.md', ({ exchange }) =>
        verdict.pass('There is a sitemap.md.', buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) })),
      ),
  }),
  defineCheck({
    id: 'agent.nlweb.ask',
    title: 'NLWeb endpoint is valid when present',
    failureTitle: 'Repair the NLWeb endpoint',
    weight: 0,
    grade: 'C',
    why: 'Few sites answer questions by NLWeb; one that declares it by rel="nlweb" should give results. It is asked one question, with GET.',
    source: 'https://github.com/microsoft/NLWeb',
    fix: 'Answer ?query=... with JSON whose results carry schema_object items of schema.org, or remove the link.',
    needs: ['nlweb'],
    judge: judgeNlWeb,
  }),
  defineCheck({
    id: 'agent.pay.commerce',
    title: 'UCP/ACP/AP2/MPP profile valid when present',
    failureTitle: 'Correct the commerce profile',
    weight: 0,
    grade: 'C',
    why: 'These protocols are young: a profile at /.well-known/ucp is reported. ACP has a document of its own (agent.pay.acp), MPP its challenge (agent.pay.mpp), and AP2 is an extension in the card of an agent.',
    source: 'https://ucp.dev/ (profile of a business, 2026-04-08)',
    read: '2026-11-23',
    fix: 'Serve the profile as JSON with ucp.version as a date and ucp.services; without a shop there is nothing to do.',
    needs: ['commerceProfile'],
    judge: judgeCommerce,
  }),
  defineCheck({
    id: 'agent.sec.security-txt',
    title: 'security.txt is valid when present',
    failureTitle: 'Correct security.txt',
    weight: 0,
    grade: 'C',
    why: 'People who find a vulnerability look here for a contact. A file without one, or past its date, sends them away. Its absence is no fault.',
    source: 'https://www.rfc-editor.org/rfc/rfc9116#section-2.5',
    fix: 'Serve /.well-known/security.txt as text/plain with "Contact: mailto:..." and one "Expires:" date and time less than a year ahead.',
    needs: ['securityTxt'],
    judge: ({ securityTxt: { file, fields } }, site) =>
      onText(file, 'security.txt', (found) => judgeSecurityTxt(found, fields, site.clockMs)),
  }),
  defineCheck({
    id: 'agent.sec.headers',
    title: 'Security headers are reported',
    failureTitle: 'Add the missing security headers',
    weight: 0,
    grade: 'D',
    why: 'They protect people in browsers; no effect on agents is shown, so they are reported and never scored.',
    source:
      'RFC 6797 (Strict-Transport-Security); https://fetch.spec.whatwg.org/#x-content-type-options-header; https://www.w3.org/TR/CSP3/',
    fix: 'Send Strict-Transport-Security, X-Content-Type-Options: nosniff and a Content-Security-Policy with every page.',
    needs: ['startPage'],
    judge: judgeHeaders,
  }),
];

function judgePointers(pointers: readonly LlmsPointer[], file: ReturnType<typeof buildRequestEvidence>): CheckOutcome {
  const [first] = pointers;
  if (!first) return verdict.fail('Neither the start page nor robots.txt names llms.txt.', file);
  const evidence = buildRequestEvidence(first.exchange, {
    ...(first.where === 'header' ? { header: 'link' } : {}),
    ...(first.line === undefined ? {} : { line: first.line }),
    excerpt: first.text,
  });
  if (first.where === 'element' || first.where === 'header')
    return verdict.pass('The page says that llms.txt describes it.', evidence);
  const how = first.where === 'anchor' ? 'a link for people' : 'a line of robots.txt';
  return verdict.partial(0.5, `Only ${how} names llms.txt.`, evidence);
}

type AvailableTextFile = SiteTextFile & { state: 'found' };

/** Judges an optional file: applies `judge` when there is a text, else answers for its absence. */
function onText(file: SiteTextFile, name: string, judge: (file: AvailableTextFile) => CheckOutcome): CheckOutcome {
  if (file.state === 'found') return judge(file);
  if (file.state === 'absent') return verdict.notApplicable(`There is no ${name}, and none is needed.`);
  return file.exchange
    ? verdict.unknown(`${name} could not be read (${file.why}).`, buildRequestEvidence(file.exchange))
    : verdict.unknown(`${name} was not asked for: the budget of requests was used up.`);
}

function judgeAgentsMd({ agentsMd: file }: FactsOf<'agentsMd'>, site: Site): CheckOutcome {
  if (site.profile.name !== 'docs')
    return verdict.notApplicable('AGENTS.md is a file of repositories, and this is no documentation.');
  return onText(file, 'AGENTS.md', ({ exchange, answer }) => {
    const sections = countSections(answer.body);
    const note = `${formatCount(sections, 'section')}.`;
    return sections >= 2
      ? verdict.pass(note, buildRequestEvidence(exchange))
      : verdict.partial(0.5, note, buildRequestEvidence(exchange));
  });
}

function judgeNlWeb({ nlweb: { endpoint, own, exchange } }: FactsOf<'nlweb'>): CheckOutcome {
  if (!endpoint) return verdict.notApplicable('The start page declares no NLWeb endpoint.');
  if (!own) return verdict.unknown('The endpoint is on a host of another owner, which is not asked.');
  if (!exchange) return verdict.unknown('The endpoint was not asked: the budget of requests was used up.');
  const { answer } = exchange;
  if (!answer.ok || [401, 402, 403, 429].includes(answer.status) || answer.status >= 500)
    return verdict.unknown('The endpoint did not answer our question.', buildRequestEvidence(exchange));
  const evidence = buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) });
  const results = answer.status === 200 ? readResults(answer) : undefined;
  if (!results) return verdict.fail('The answer is no JSON with results.', evidence);
  const note = `${results.typed} of ${formatCount(results.total, 'result')} carry an item of schema.org.`;
  return results.total > 0 && results.typed === results.total
    ? verdict.pass(note, evidence)
    : verdict.partial(0.5, note, evidence);
}

function judgeCommerce({ commerceProfile: profile }: FactsOf<'commerceProfile'>): CheckOutcome {
  if (profile.state !== 'found')
    return withoutDocument(profile, 'The commerce profile', verdict.notApplicable('There is no commerce profile.'));
  const { version, issues } = profile.document;
  if (issues.length === 0)
    return verdict.pass('A sound UCP profile.', buildRequestEvidence(profile.exchange, { excerpt: version }));
  const evidence = issues.map(({ pointer, message }) =>
    buildRequestEvidence(profile.exchange, { selector: pointer, excerpt: message }),
  );
  return verdict.fail(`The profile has faults: ${issueNote(issues, 3)}.`, evidence);
}

function judgeSecurityTxt(file: AvailableTextFile, { contacts, expires }: SecurityTxt, clockMs: number): CheckOutcome {
  const at = (field: { value: string; line: number } | undefined) =>
    buildRequestEvidence(file.exchange, field ? { line: field.line, excerpt: field.value } : {});
  const [until] = expires;
  const time = until && parseRfc3339(until.value);
  if (!contacts.some(({ value }) => isContact(value)))
    return verdict.fail('No Contact is an address (mailto:, tel: or https:).', at(contacts[0]));
  if (expires.length !== 1 || time === undefined)
    return verdict.fail('There must be one Expires, a date and time of RFC 3339.', at(until));
  if (time <= clockMs) return verdict.fail('The file has expired.', at(until));
  const type = parseMediaType(file.answer.headers['content-type'] ?? '');
  return type === 'text/plain'
    ? verdict.pass('Contact and Expires are sound.', [at(contacts[0]), at(until)])
    : verdict.partial(
        0.5,
        'Contact and Expires are sound; the file is not served as text/plain.',
        buildHeaderEvidence(file.exchange, 'content-type'),
      );
}

function judgeHeaders({ startPage: { exchange, answer } }: FactsOf<'startPage'>, site: Site): CheckOutcome {
  const { headers } = answer;
  const secure = new URL(answer.url).protocol === 'https:' && !site.local;
  const rows = [
    ...(secure
      ? [['strict-transport-security', /max-age="?[1-9]/iu.test(headers['strict-transport-security'] ?? '')] as const]
      : []),
    ['x-content-type-options', /^nosniff$/iu.test(headers['x-content-type-options']?.trim() ?? '')] as const,
    ['content-security-policy', (headers['content-security-policy'] ?? '').trim() !== ''] as const,
  ];
  const set = rows.filter(([, good]) => good).length;
  const missing = rows.filter(([, good]) => !good).map(([name]) => name);
  const evidence = rows.map(([name]) => buildHeaderEvidence(exchange, name));
  if (missing.length === 0) return verdict.pass(`All ${rows.length} headers are set.`, evidence);
  const note = `Not set: ${missing.join(', ')}.`;
  return set === 0
    ? verdict.fail(note, evidence)
    : verdict.partial(Math.round((1000 * set) / rows.length) / 1000, note, evidence);
}

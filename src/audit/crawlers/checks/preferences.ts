import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import {
  buildHeaderEvidence,
  buildRequestEvidence,
  extractBodyStart,
  type CheckEvidence,
} from '../../core/evidence.ts';
import { type ContentSignal, listStatementFaults, type Tdm } from '../facts/reservations.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import { type RobotsGroup, findDecidingRule } from '../facts/robots.ts';
import { RSL_NAMESPACE, classifyRslRoot } from '../facts/rsl.ts';
import { listDirectoryFaults } from '../facts/signature-directory.ts';
import { compareStatements } from '../facts/usage-statements.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import type { Site } from '../../core/site.ts';
import { withoutDocument } from '../../core/missing-document.ts';

/** Contradictions that evidence shows, two pieces each. */
const MAX_CONFLICTS = 5;

/** Checks of what the site says about the use of its content, where it says anything. */
export const preferenceChecks = [
  defineCheck({
    id: 'agent.prefs.content-signal',
    title: 'Content-Signal is valid when used',
    failureTitle: 'Correct the Content-Signal line',
    weight: 1,
    grade: 'B',
    why: 'A line that no reader can parse is ignored, and the policy with it. A "yes" in a group that keeps its crawlers out altogether counts half. A Content-Signal header, as some providers send it, is read by the same rules.',
    source:
      'https://contentsignals.org/; https://developers.cloudflare.com/changelog/post/2026-08-31-crawl-content-use/ (the key use)',
    fix: 'Write, inside a group: Content-Signal: search=yes, ai-input=yes, ai-train=no (each yes or no, as you decide); use may be immediate, reference or full.',
    needs: ['usagePreferences'],
    judge: judgeSignals,
  }),
  defineCheck({
    id: 'agent.prefs.aipref',
    title: 'Content-Usage is valid when used',
    failureTitle: 'Correct the Content-Usage header',
    weight: 1,
    grade: 'C',
    why: 'A rule that cannot be parsed states nothing. It is a dictionary (RFC 9651) whose labels are train-ai and search, each y or n; other labels are allowed and ignored. The drafts of AIPREF say of themselves that they are no consensus yet, so no site needs the header; what is written should be readable.',
    source:
      'https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ (05, 18 August 2026); https://www.ietf.org/archive/id/draft-ietf-aipref-vocab-08.txt (14 September 2026)',
    fix: 'Write Content-Usage: train-ai=n, search=y, as a header or inside a group of robots.txt.',
    needs: ['usagePreferences'],
    judge: judgeUsage,
  }),
  defineCheck({
    id: 'agent.prefs.rsl',
    title: 'RSL licence resolves when declared',
    failureTitle: 'Repair the declared RSL licence',
    weight: 1,
    grade: 'B',
    why: 'A crawler that obeys RSL must read the licence before the content; a dead or foreign file leaves it without terms.',
    source: RSL_NAMESPACE,
    fix: 'Serve an XML file at the declared address whose root is rsl in the namespace of RSL 1.0, and write the address in full.',
    needs: ['rsl'],
    judge: judgeRsl,
  }),
  defineCheck({
    id: 'agent.prefs.tdmrep',
    title: 'TDM reservation is valid when used',
    failureTitle: 'Correct the TDM reservation',
    weight: 0,
    grade: 'D',
    why: 'The protocol is meant for the opt-out from text and data mining in the EU; no crawler is known to read it, so it is only reported.',
    source: 'W3C Community Group Final Report, TDM Reservation Protocol (2024)',
    fix: 'Use a list of {"location", "tdm-reservation": 0 or 1, "tdm-policy"} in /.well-known/tdmrep.json, or the header tdm-reservation.',
    needs: ['usagePreferences'],
    judge: ({ usagePreferences }) => judgeTdm(usagePreferences.tdm),
  }),
  defineCheck({
    id: 'agent.prefs.coherent',
    title: 'Signals do not contradict',
    failureTitle: 'Make signals to crawlers agree',
    weight: 1,
    grade: 'B',
    why: 'Where two places disagree, careful readers obey the stricter one and careless ones the other. Compared are rules and Content-Signal and Content-Usage of robots.txt, headers, robots metas and TDM reservations; that a crawler may enter says nothing about use.',
    source: 'https://contentsignals.org/; draft-ietf-aipref-vocab, "Combining Preferences"',
    fix: 'Decide on one policy and write it the same everywhere: the evidence shows each contradicting pair.',
    needs: ['usagePreferences'],
    judge: judgeCoherence,
  }),
  defineCheck({
    id: 'agent.prefs.web-bot-auth',
    title: 'Web Bot Auth directory is valid when present',
    failureTitle: 'Correct the Web Bot Auth directory',
    weight: 1,
    grade: 'B',
    why: 'Only sites that run bots need one: others use the keys to tell those bots from impostors. Whether the signature of the answer holds is not checked, only that it is there. The registry of bots and their cards is a draft of its own.',
    source:
      'https://datatracker.ietf.org/doc/draft-meunier-http-message-signatures-directory/; draft-meunier-webbotauth-registry-04 (27 October 2026); https://developers.cloudflare.com/bots/concepts/bot/verified-bots/ (signed agents are verified bots since 1 July 2026)',
    read: '2026-11-26',
    fix: 'Serve the public Ed25519 keys as a JWK Set of type application/http-message-signatures-directory+json, and sign the answer.',
    needs: ['signatureDirectory'],
    judge: judgeDirectory,
  }),
];

const buildSignalEvidence = (
  { exchange, line, text }: { exchange: ContentSignal['exchange']; line?: number; text: string },
  header: string,
): CheckEvidence =>
  buildRequestEvidence(exchange, line === undefined ? { header, excerpt: text } : { line, excerpt: text });

function judgeSignals(
  { usagePreferences: { signals, robotsRead } }: FactsOf<'usagePreferences'>,
  site: Site,
): CheckOutcome {
  if (signals.length === 0)
    return robotsRead
      ? verdict.notApplicable('No Content-Signal is used, and none is needed.')
      : verdict.unknown('robots.txt could not be read.');
  const faulty = signals.filter(({ faults }) => faults.length > 0);
  const show = (list: readonly ContentSignal[]): CheckEvidence[] =>
    list.map((one) => buildSignalEvidence(one, 'content-signal'));
  if (faulty.length > 0) {
    const faults = [...new Set(faulty.flatMap((one) => one.faults))];
    return verdict.fail(
      `${faulty.length} of ${formatCount(signals.length, 'line')} cannot be used: ${faults.join('; ')}.`,
      show(faulty),
    );
  }
  const shut = signals.filter(
    ({ group, settings }) => settings.some(({ yes }) => yes) && group && isShut(group, site.start.href),
  );
  if (shut.length > 0)
    return verdict.partial(0.5, 'A signal says yes in a group that keeps its crawlers out of the start page.', [
      ...show(shut),
      ...shut.flatMap(({ group, exchange }) => {
        const rule = group && findDecidingRule([group], site.start.href);
        return rule ? [buildRequestEvidence(exchange, { line: rule.line, excerpt: `Disallow: ${rule.pattern}` })] : [];
      }),
    ]);
  return verdict.pass(
    `${formatCount(signals.length, 'signal')} with keys and values that readers know.`,
    show(signals),
  );
}

const isShut = (group: RobotsGroup, url: string): boolean => findDecidingRule([group], url)?.allow === false;

function judgeUsage({ usagePreferences: { usage, robotsRead } }: FactsOf<'usagePreferences'>): CheckOutcome {
  if (usage.length === 0)
    return robotsRead
      ? verdict.notApplicable('No Content-Usage is used, and none is needed.')
      : verdict.unknown('robots.txt could not be read.');
  const show = (list: typeof usage): CheckEvidence[] => list.map((one) => buildSignalEvidence(one, 'content-usage'));
  const broken = usage.filter((one) => one.preferences === undefined || (one.from === 'robots' && !one.group));
  if (broken.length > 0)
    return verdict.fail(`${broken.length} of ${formatCount(usage.length, 'rule')} cannot be read.`, show(broken));
  const mute = usage.filter((one) => one.preferences?.length === 0);
  if (mute.length > 0) return verdict.partial(0.5, 'A rule states neither train-ai nor search as y or n.', show(mute));
  return verdict.pass(`${formatCount(usage.length, 'rule')} with labels of the vocabulary.`, show(usage));
}

function judgeRsl({ rsl: { declared, blind, exchange } }: FactsOf<'rsl'>, site: Site): CheckOutcome {
  const [first] = declared;
  if (!first)
    return blind
      ? verdict.unknown('robots.txt could not be read.')
      : verdict.notApplicable('No RSL licence is declared.');
  const at = first.line === undefined ? { header: 'link' } : { line: first.line };
  const named = buildRequestEvidence(first.exchange, { ...at, excerpt: first.text });
  const target = declared.find(({ url }) => url !== undefined);
  if (target?.url === undefined)
    return verdict.fail('The licence is declared without the full address of a file.', named);
  if (!exchange)
    return site.local && !isSameOwner(new URL(target.url), site.start)
      ? verdict.notApplicable('The licence is on a public host, which a private site does not lead us to.')
      : verdict.unknown('The licence was not read: the budget of requests was used up.', named);
  const { answer } = exchange;
  const evidence = [buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) }), named];
  if (!answer.ok || [401, 403, 429].includes(answer.status) || answer.status >= 500)
    return verdict.unknown('The licence could not be read.', evidence);
  if (answer.status !== 200) return verdict.fail(`The address of the licence answers ${answer.status}.`, evidence);
  const root = classifyRslRoot(answer.body);
  if (root === 'rsl') return verdict.pass('The declared licence is an RSL document.', evidence);
  return verdict.fail(
    root === 'other'
      ? 'The address of the licence holds no RSL document.'
      : 'The licence is not in the namespace of RSL 1.0.',
    evidence,
  );
}

function judgeTdm({ file, statements }: Tdm): CheckOutcome {
  const faulty = statements.flatMap((one) => listStatementFaults(one).map((fault) => ({ one, fault })));
  const shown = faulty.map(({ one, fault }) =>
    buildRequestEvidence(one.exchange, { selector: `tdm-reservation (${one.from})`, excerpt: fault }),
  );
  if (file.state === 'found') {
    const issues = file.document.issues.map(({ pointer, message }) =>
      buildRequestEvidence(file.exchange, { selector: pointer, excerpt: message }),
    );
    if (issues.length + shown.length > 0)
      return verdict.fail(`The reservation has faults: ${issueNote(file.document.issues, 3) || 'see the evidence'}.`, [
        ...issues,
        ...shown,
      ]);
    return verdict.pass(
      `${formatCount(file.document.entries.length, 'location')} in the file.`,
      buildRequestEvidence(file.exchange),
    );
  }
  if (file.state === 'invalid')
    return verdict.fail(`tdmrep.json ${file.why}.`, file.exchange ? buildRequestEvidence(file.exchange) : []);
  if (shown.length > 0) return verdict.fail('The reservation of the page has faults.', shown);
  if (statements.length > 0)
    return verdict.pass(
      'The page states a reservation.',
      statements.map(({ exchange, value, from }) =>
        buildRequestEvidence(exchange, { selector: `tdm-reservation (${from})`, excerpt: value }),
      ),
    );
  if (file.state === 'not_read')
    return verdict.unknown('tdmrep.json was not asked for: the budget of requests was used up.');
  return file.state === 'unreadable'
    ? verdict.unknown(`tdmrep.json ${file.why}.`)
    : verdict.notApplicable('No reservation of text and data mining is used.');
}

function judgeCoherence({ usagePreferences: { statements, robotsRead } }: FactsOf<'usagePreferences'>): CheckOutcome {
  const { compared, conflicts } = compareStatements(statements);
  const evidence = conflicts.slice(0, MAX_CONFLICTS).flatMap(({ yes, no }) => [yes.evidence, no.evidence]);
  if (conflicts.length > 0) {
    const pairs = [...new Set(conflicts.map(({ yes, no }) => `${yes.source} against ${no.source} (${yes.topic})`))];
    return verdict.fail(
      `${formatCount(conflicts.length, 'contradiction')}: ${pairs.slice(0, MAX_CONFLICTS).join('; ')}.`,
      evidence,
    );
  }
  if (compared < 2)
    return robotsRead
      ? verdict.notApplicable('No two places speak about the same use.')
      : verdict.unknown('robots.txt could not be read, so there is nothing to compare.');
  const topics = [...new Set(statements.map(({ topic }) => topic))].join(', ');
  return verdict.pass(
    `${compared} statements agree (${topics}).`,
    statements.map((one) => one.evidence).slice(0, MAX_CONFLICTS * 2),
  );
}

function judgeDirectory({ signatureDirectory: directory }: FactsOf<'signatureDirectory'>): CheckOutcome {
  if (directory.state !== 'found') {
    const absent = verdict.notApplicable('There is no key directory: the site runs no bot that signs.');
    return withoutDocument(directory, 'The key directory', absent);
  }
  const { keys, ed25519, secret } = directory.document;
  if (keys === 0) return verdict.notApplicable('The directory has no keys.');
  const evidence = [
    buildHeaderEvidence(directory.exchange, 'content-type'),
    buildHeaderEvidence(directory.exchange, 'signature-input'),
  ];
  if (secret) return verdict.fail('A key gives its private part away.', buildRequestEvidence(directory.exchange));
  if (ed25519 === 0) return verdict.fail('None of the keys is of Ed25519.', evidence);
  const faults = listDirectoryFaults(directory.answer.headers);
  return faults.length === 0
    ? verdict.pass(`${formatCount(ed25519, 'key')} of Ed25519, in a signed answer.`, evidence)
    : verdict.partial(0.5, `The keys are sound, but ${faults.join(' and ')}.`, evidence);
}

// Buys an audit, and reads the rest of it by piece: its sections in full, one fix, one check, another view, one member.
import { sightline } from '@sightline/client';
import { privateKeyToAccount } from 'viem/accounts';

const { key, url, ...options } = JSON.parse(process.argv[2]);
const client = sightline({ wallet: privateKeyToAccount(key), ...options });
const heard = [];
const report = await client.audit(url, { onProgress: (counts) => heard.push(counts) });

async function listAll(name, filter) {
  const items = [];
  for await (const item of report.section(name, filter)) items.push(item);
  return items;
}

const [first] = report.do_first;
const [checks, failed, fixes] = [
  await listAll('checks'),
  await listAll('checks', { status: 'fail' }),
  await listAll('fixes'),
];
const wrongSection = await listAll('nothing').catch(({ code, status }) => ({ code, status }));
const again = await client.report(report.report_id);
const full = await client.report(report.report_id, { view: 'full' });
const picked = await client.report(report.report_id, { fields: ['headline', 'do_first(id)'] });
console.log(
  JSON.stringify({
    report,
    copy: structuredClone(report),
    progress: heard.length,
    checks: checks.length,
    checkIds: new Set(checks.map(({ id }) => id)).size,
    failed: failed.length,
    failedStatuses: [...new Set(failed.map(({ status }) => status))],
    fixes: fixes.map(({ id }) => id),
    first: await report.fix(first.id),
    noFix: (await report.fix('no.such_fix')) === undefined,
    wrongSection,
    again,
    fullScores: Object.keys(full.scores),
    picked,
    pickedFix: (await picked.fix(first.id)).id,
    published: await client.publish(report),
    notOurs: await client.publish(again).catch(({ code }) => code),
  }),
);

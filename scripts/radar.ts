import { type DatedRow, listDatedRows, listStaleRows, MAX_SOURCE_AGE_DAYS } from '../src/audit/radar/radar.ts';
import { publishedLists } from '../src/traffic/ranges/agent-ranges-data.ts';

/** Names what rests on a source that was not looked at for too long, lists of addresses among them, and fails if there is any. */
const ranges = publishedLists.map(({ source, read }): DatedRow => ({ kind: 'ranges', name: source, source, read }));
const rows = [...listDatedRows(), ...ranges];
const stale = listStaleRows(rows, Date.now());
for (const { kind, name, source, read, days } of stale)
  process.stdout.write(
    `${read}  ${String(days).padStart(4)} days  ${kind.padEnd(8)}  ${name === source ? '' : `${name}  `}${source}\n`,
  );
process.stdout.write(
  stale.length === 0
    ? `All ${rows.length} sources were looked at within ${MAX_SOURCE_AGE_DAYS} days.\n`
    : `${stale.length} of ${rows.length} sources are older than ${MAX_SOURCE_AGE_DAYS} days. Look at each and add a line to recordedLooks in src/audit/radar/sources-data.ts; \`npm run ranges\` reads those of ranges.\n`,
);
process.exitCode = stale.length === 0 ? 0 : 1;

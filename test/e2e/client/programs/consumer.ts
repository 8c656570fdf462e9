// Judged by the compiler of a program that uses the package, and never run.
import { type Report, sightline, SightlineError, type SummaryResult, type Wallet } from '@sightline/client';
import { createFileOrders, createFileSpending } from '@sightline/client/node';
import { privateKeyToAccount } from 'viem/accounts';

const wallet: Wallet = privateKeyToAccount('0x01');
const client = sightline({
  wallet,
  baseUrl: 'https://sightline.example',
  budget: { perCall: 2, perDay: 10 },
  orders: createFileOrders('orders'),
  spending: createFileSpending('spending.json'),
});

export async function judgeTypes(): Promise<void> {
  const report: Report<'full_audit'> = await client.audit('example.com', { onProgress: ({ done }) => done.toFixed() });
  const score: number | undefined = report.scores.aeo?.score;
  const ids: string[] = report.do_first.map(({ id }) => id);
  for await (const fix of report.section('fixes')) fix.title.toUpperCase();
  for await (const check of report.section('checks', { status: 'fail' })) check.evidence.length.toFixed();

  const full = await client.buy('score_aeo', { url: 'example.com' }, { view: 'full' });
  const notes: string[] = full.scores.aeo.checks.map(({ note }) => note);
  const files = await client.buy('generate_llms_txt', { url: 'example.com', max_pages: 3 }, { view: 'full' });
  const contents: string[] = files.files.map(({ content }) => content);
  const measured = await client.buy('visibility_check', { brand: 'Example Desk', niche: 'help desk software' });
  const rate: number | undefined = measured.measurement?.mention_rate.value;
  const panel = await client.buy(
    'visibility_panel_4',
    {
      brand: 'Example Desk',
      niche: 'help desk software',
      competitors: ['Sample Support'],
      engines: ['a', 'b', 'c', 'd'],
    },
    { view: 'full' },
  );
  const pooled: number = panel.pooled.mention_rate.value;
  const closest: number[] = panel.pooled.competitors.map(({ adjusted_p_value: value }) => value);
  const missing: string[] = panel.engines.flatMap((one) => (one.status === 'unavailable' ? [one.detail] : []));
  const positions = panel.engines.map((one) => (one.status === 'measured' ? one.average_position?.value : undefined));
  // Scores are there only where the capability judges any.
  const none: SummaryResult<'visibility_check'>['scores'] = undefined;
  const again = await client.report(report.report_id, { view: 'standard' });
  const open: string[] | undefined = again.checks?.map(({ note }) => note);

  // @ts-expect-error -- No such row.
  await client.buy('score_everything', { url: 'example.com' });
  // @ts-expect-error -- A panel measures a brand.
  await client.buy('visibility_panel_2', { url: 'example.com' });
  // @ts-expect-error -- An engine that was not measured has no figures.
  panel.engines.map(({ intents }) => intents);
  // @ts-expect-error -- The body of another row.
  await client.buy('visibility_check', { url: 'example.com' });
  // @ts-expect-error -- compare needs a competitor.
  await client.buy('compare', { url: 'example.com' });
  // @ts-expect-error -- No such section.
  report.section('everything');
  // @ts-expect-error -- A summary has no checks.
  void report.checks;
  // @ts-expect-error -- The service has an address.
  sightline({ wallet });
  console.log(
    pooled,
    closest,
    missing,
    positions,
    score,
    ids,
    notes,
    contents,
    rate,
    none,
    open,
    new SightlineError({ code: 'aborted', detail: '' }).code,
  );
}

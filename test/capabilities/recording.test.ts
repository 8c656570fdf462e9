import { describe, expect, test } from 'vitest';
import { buildLook, buildTarget } from '../support/audit/looks.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { isAboutSite, type WorkOutcome } from '../../src/capabilities/capability.ts';
import { presenters } from '../../src/capabilities/site-work.ts';
import { type Recording, parseRecording, writeRecordingJson } from '../../src/capabilities/recording.ts';
import { fixtureTools } from '../support/stack/local-tools.ts';
import { SITE, type SiteMap, html } from '../support/audit/site-fetch.ts';
import { goodSite } from '../sites/good.ts';
import { bareSite } from '../sites/poor.ts';

const OTHER = 'https://rival.example';
const sites: SiteMap = { ...goodSite, [`${OTHER}/`]: html('<title>Rival</title><h1>Rival</h1><p>Short.</p>') };
const rows = catalog.filter((row) => isAboutSite(row));

async function work(name: string, map: SiteMap = sites): Promise<WorkOutcome & { ok: true }> {
  const row = rows.find((candidate) => candidate.name === name);
  const body = row?.body.parse({ url: `${SITE}/`, ...(name === 'compare' ? { competitor: `${OTHER}/` } : {}) });
  const outcome = await row?.run(body ?? {}, fixtureTools(map));
  if (!outcome?.ok) throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return outcome;
}

const writtenBy = (recording: Recording): string => [...writeRecordingJson(recording)].join('');

function readBack(text: string): Recording {
  const read = parseRecording(text);
  if (!read.ok) throw new Error(read.detail);
  return read.recording;
}

describe('a recording', () => {
  test.each(rows.map(({ name }) => [name] as const))('of %s gives the same bytes again', async (name) => {
    const { recording, result, warnings } = await work(name);
    if (!recording) throw new Error('nothing was recorded');
    const kept = readBack(writtenBy(recording));
    expect(kept).toEqual(recording);
    const again = await presenters[kept.capability as keyof typeof presenters](kept, fixtureTools({}));
    if (!again.ok) throw new Error(again.detail);
    expect(JSON.stringify({ ...again.result, warnings: again.warnings })).toBe(JSON.stringify({ ...result, warnings }));
  });

  test('holds an answer that two roles share once', async () => {
    const { recording } = await work('full_audit', { ...goodSite });
    const shared = recording?.snapshots[0]?.exchanges.filter(({ sameAs }) => sameAs !== undefined) ?? [];
    expect(shared.length).toBeGreaterThan(0);
    const written = (JSON.parse(writtenBy(recording as Recording)) as { snapshots: { exchanges: object[] }[] })
      .snapshots;
    const without = written[0]?.exchanges.filter((one) => !('answer' in one)) ?? [];
    expect(without).toHaveLength(shared.length);
  });

  test('holds what a browser showed, and one of before holds nothing', async () => {
    const { recording } = await work('score_agent', { ...goodSite });
    const [snapshot] = recording?.snapshots ?? [];
    if (!recording || !snapshot) throw new Error('nothing was recorded');
    expect(readBack(writtenBy(recording)).snapshots[0]).not.toHaveProperty('rendered');
    for (const rendered of [
      buildLook('<p>shown</p>', { targets: [buildTarget({ name: null })] }),
      { ok: false, reason: 'page_busy', detail: 'no answer' } as const,
    ]) {
      const looked = { ...recording, snapshots: [{ ...snapshot, rendered }] };
      expect(readBack(writtenBy(looked))).toEqual(looked);
    }
  });

  test('whose look is beyond its bounds is refused', async () => {
    const { recording } = await work('score_agent', { ...goodSite });
    const data = JSON.parse(writtenBy(recording as Recording)) as { snapshots: Record<string, unknown>[] };
    Object.assign(data.snapshots[0] ?? {}, {
      rendered: buildLook('', { errors: Array.from({ length: 99 }, () => 'x') }),
    });
    expect(parseRecording(JSON.stringify(data))).toMatchObject({ ok: false, reason: 'invalid_recording' });
  });

  test('says which rubric it was judged by', async () => {
    const { recording, result } = await work('score_aeo', bareSite);
    expect(recording?.rubric).toEqual(result['rubric']);
  });

  test.each([
    ['no JSON', 'x'],
    ['an empty object', '{}'],
    [
      'a capability that is none',
      '{"version":1,"capability":"steal","input":{"url":"https://a.example/"},"snapshots":[]}',
    ],
  ])('that is %s is refused', (_name, text) => {
    expect(parseRecording(text)).toMatchObject({ ok: false, reason: 'invalid_recording' });
  });

  test('whose shared answer is missing is refused', async () => {
    const { recording } = await work('check_health');
    const data = JSON.parse(writtenBy(recording as Recording)) as {
      snapshots: { exchanges: Record<string, unknown>[] }[];
    };
    const [first] = data.snapshots[0]?.exchanges ?? [];
    if (!first) throw new Error('no exchange');
    delete first['answer'];
    first['sameAs'] = 'nobody';
    expect(parseRecording(JSON.stringify(data))).toMatchObject({ ok: false, detail: 'an exchange has no answer' });
  });

  test.each([['url' as const], ['competitor' as const]])(
    'a comparison fails as a whole when the %s cannot be read',
    async (side) => {
      const row = rows.find(({ name }) => name === 'compare');
      const urls = { url: `${SITE}/`, competitor: `${OTHER}/`, [side]: 'https://gone.example/' };
      const outcome = await row?.run(urls, fixtureTools(sites));
      expect(outcome).toMatchObject({ ok: false, reason: 'target_unreachable' });
    },
  );

  test('the number of pages the caller asks for is read', async () => {
    const links = Array.from({ length: 12 }, (_, index) => `/page-${index}`);
    const map: SiteMap = {
      '/': html(links.map((path) => `<a href="${path}">page</a>`).join('')),
      ...Object.fromEntries(links.map((path) => [path, html(`<h1>${path}</h1>`)])),
    };
    const sampled = async (pages?: number): Promise<number> => {
      const row = rows.find(({ name }) => name === 'score_aeo');
      const outcome = await row?.run(
        { url: `${SITE}/`, ...(pages === undefined ? {} : { max_pages: pages }) },
        fixtureTools(map),
      );
      if (!outcome?.ok) throw new Error('no result');
      return outcome.recording?.snapshots[0]?.exchanges.filter(({ role }) => role.startsWith('sample:')).length ?? 0;
    };
    expect(await sampled()).toBe(8);
    expect(await sampled(3)).toBe(2);
    expect(await sampled(1)).toBe(0);
    expect(await sampled(12)).toBe(11);
  });
});

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WorkOutcome } from '../../src/capabilities/capability.ts';
import { writeRecordingJson } from '../../src/capabilities/recording.ts';
import { presentVisibility } from '../../src/capabilities/visibility-presenters.ts';
import {
  isVisibilityRecording,
  parseVisibilityRecording,
  computeTranscriptsSha256,
  type VisibilityRecording,
} from '../../src/capabilities/visibility-recording.ts';
import { versusResult, visibilityResult } from '../../src/capabilities/visibility-results.ts';
import { createVisibilityWork } from '../../src/capabilities/visibility-work.ts';
import type { AnswerEngine } from '../../src/models/port.ts';
import type { RunAnswer } from '../../src/visibility/run/run.ts';
import { demoBrands, createSimulatedEngine } from '../../src/models/adapters/simulated/answer.ts';
import { measureHere } from '../../src/visibility/run/measure.ts';
import { fixtureTools } from '../support/stack/local-tools.ts';

const check = { brand: 'Example Desk', niche: 'help desk software' };
const versus = { ...check, competitor_brand: 'Sample Support' };
const simulated = createSimulatedEngine({ seed: 'recording', brands: demoBrands });

type Done = WorkOutcome & { ok: true; measurement: VisibilityRecording };

/** The work of a capability with an engine in this process. */
async function work(
  capability: VisibilityRecording['capability'],
  input: VisibilityRecording['input'],
  engine: AnswerEngine = simulated,
): Promise<Done> {
  const outcome = await createVisibilityWork(capability)(input, {
    ...fixtureTools({}),
    measure: async (asked) => [
      await measureHere(asked, {
        engine,
        runId: '0123456789abcdef'.repeat(2),
        runMs: 60_000,
        callMs: 1000,
        now: () => Date.UTC(2026, 10, 21),
        random: () => 0,
        sleep: () => Promise.resolve(),
        log: () => {},
        onProgress: () => {},
      }),
    ],
  });
  if (!outcome.ok || !outcome.measurement || !isVisibilityRecording(outcome.measurement))
    throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return { ...outcome, measurement: outcome.measurement };
}

/** The simulated engine, with failures, cut texts and sources as real engines have them. */
const varied: AnswerEngine = {
  ...simulated,
  kind: 'openai-compatible',
  answer: async (prompt, signal) => {
    if (prompt.index % 10 === 9)
      return { ok: false, reason: 'filtered', detail: 'finish reason content_filter', retryable: false };
    const answer = await simulated.answer(prompt, signal);
    if (!answer.ok) return answer;
    const citations = [`https://source-${prompt.index % 3}.example/page`];
    return {
      ...answer,
      servedModel: prompt.index % 2 === 0 ? 'even-model' : undefined,
      finishReason: prompt.index % 7 === 0 ? 'length' : 'stop',
      citations,
    };
  },
};

/** It refuses two prompts, one of them without a word. */
const refusing: AnswerEngine = {
  ...simulated,
  answer: async (prompt, signal) => {
    const answer = await simulated.answer(prompt, signal);
    return answer.ok && prompt.index < 2 ? { ...answer, text: 'No.'.repeat(prompt.index), isRefusal: true } : answer;
  },
};

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');
const textOf = (recording: VisibilityRecording): string => [...writeRecordingJson(recording)].join('');
const bytesOf = ({ result, warnings }: WorkOutcome & { ok: true }): string => JSON.stringify({ ...result, warnings });

async function readBack(text: string): Promise<VisibilityRecording> {
  const read = await parseVisibilityRecording(JSON.parse(text));
  if (!read.ok) throw new Error(read.detail);
  return read.recording;
}

describe('the recording of a measurement', () => {
  test.each<[string, () => Promise<Done>]>([
    ['of one brand', () => work('visibility_check', check)],
    ['of two brands', () => work('visibility_vs_competitor', versus)],
    [
      'with failures, cut answers, sources and answers of unnamed models',
      () => work('visibility_check', check, varied),
    ],
    ['with refusals, one of them without a word', () => work('visibility_check', check, refusing)],
    ['of two brands with all of that', () => work('visibility_vs_competitor', versus, varied)],
  ])('%s comes back as it was, and presents the same bytes', async (_what, measured) => {
    const done = await measured();
    const kept = await readBack(textOf(done.measurement));
    expect(kept).toEqual(done.measurement);
    expect(isVisibilityRecording(kept)).toBe(true);
    expect(textOf(kept)).toBe(textOf(done.measurement));
    const again = await presentVisibility(kept);
    if (!again.ok) throw new Error(again.detail);
    expect(bytesOf(again)).toBe(bytesOf(done));
  });

  test('presents what the catalogue promises, with what every engine of this kind must say of itself', async () => {
    const [one, two] = [await work('visibility_check', check), await work('visibility_vs_competitor', versus, varied)];
    expect(visibilityResult.strict().parse(one.result)).toEqual(one.result);
    expect(one.result).toMatchObject({ engine: { simulated: true }, degraded: false });
    expect(one.warnings).toContainEqual(expect.stringContaining('simulated engine'));
    expect(versusResult.strict().parse(two.result)).toEqual(two.result);
    expect(two.result).toMatchObject({
      engine: { kind: 'openai-compatible', simulated: false, served_models: ['even-model'] },
      prompts: { valid: 27, total: 30 },
      degraded: false,
    });
    expect(two.warnings).toEqual([]);
    expect(two.result['notes']).toEqual(
      expect.arrayContaining([
        expect.stringContaining('3 of 30 prompts got no answer'),
        expect.stringContaining('5 answers were cut off'), // 0, 7, 14, 21 and 28.
      ]),
    );
  });

  test('with 24 answers is degraded, with 23 no measurement', async () => {
    const { measurement } = await work('visibility_check', check);
    const answered = async (count: number) => {
      const answers = measurement.run.answers.map((one): RunAnswer =>
        one.index < count ? one : { index: one.index, status: 'failed', reason: 'timeout' },
      );
      return presentVisibility(await readBack(textOf({ ...measurement, run: { ...measurement.run, answers } })));
    };
    expect(await answered(27)).toMatchObject({ ok: true, result: { degraded: false } });
    expect(await answered(26)).toMatchObject({ ok: true, result: { degraded: true } });
    expect(await answered(24)).toMatchObject({ ok: true, result: { degraded: true } });
    expect(await answered(23)).toMatchObject({
      ok: false,
      reason: 'measurement_incomplete',
      detail: expect.stringContaining('23 of 30'),
    });
  });

  test('of the first version is read, and presents what it presented', async () => {
    const { measurement, result } = await work('visibility_check', check, varied);
    const old = await readBack(textOf({ ...measurement, version: 1 }));
    const again = await presentVisibility(old);
    if (!again.ok) throw new Error(again.detail);
    expect(again.result).toEqual(result);
  });

  test('says which texts are no answers, and counts nothing in them', async () => {
    const sorry = "I'm sorry, I can't help with that.";
    const shy: AnswerEngine = {
      ...varied,
      answer: async (prompt, signal) => {
        const answer = await simulated.answer(prompt, signal);
        return answer.ok && prompt.index % 10 === 9 ? { ...answer, text: sorry } : answer;
      },
    };
    const { measurement, result } = await work('visibility_check', check, shy);
    expect(result).toMatchObject({
      prompts: { total: 30, valid: 27 },
      refused: { total: 3, by_kind: { refusal: 3 } },
      mention_rate: { n: 27 },
      failures: { total: 0 },
    });
    const { asked } = visibilityResult.parse(result).prompts;
    expect(asked[9]).toMatchObject({ status: 'refused', refusal: 'refusal', sha256: hashText(sorry) });
    expect(textOf(await readBack(textOf(measurement)))).toBe(textOf(measurement));
  });

  test('is bound to its transcripts by a hash that anybody can make again', async () => {
    const { measurement, result } = await work('visibility_check', check, varied);
    const lines = measurement.run.answers.map((one) =>
      one.status === 'answered'
        ? `${one.index} ${createHash('sha256').update(one.text).digest('hex')}\n`
        : `${one.index} -\n`,
    );
    const expected = createHash('sha256').update(lines.join('')).digest('hex');
    expect(await computeTranscriptsSha256(measurement.run)).toBe(expected);
    expect(result).toMatchObject({ transcripts_sha256: expected });
  });
});

type Tampered = {
  version: unknown;
  capability: unknown;
  input: Record<string, unknown>;
  run: Record<string, unknown> & {
    answers: Record<string, unknown>[];
    promptSet: Record<string, unknown>;
    engine: Record<string, unknown>;
  };
};

describe('a recording is refused', () => {
  let whole = '';
  let pair = '';
  beforeAll(async () => {
    whole = textOf((await work('visibility_check', check, varied)).measurement);
    pair = textOf((await work('visibility_vs_competitor', versus)).measurement);
  });

  const refusalOf = async (json: unknown): Promise<string | undefined> => {
    const read = await parseVisibilityRecording(json);
    return read.ok ? undefined : read.detail;
  };
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const at = (data: Tampered, place: number): Record<string, unknown> => data.run.answers[place] ?? {};
  const setText = (data: Tampered, text: string): void => {
    Object.assign(at(data, 0), { text, sha256: hashOf(text) });
  };

  test.each<[string, RegExp, (data: Tampered) => unknown]>([
    ['with another text than its hash says', /answer 0 is not what its hash/, (data) => (at(data, 0)['text'] += '.')],
    ['with the hash of another text', /answer 0 is not/, (data) => (at(data, 0)['sha256'] = at(data, 1)['sha256'])],
    ['with a hash in capitals', /sha256/, (data) => (at(data, 0)['sha256'] = 'A'.repeat(64))],
    ['with a hash that is too short', /sha256/, (data) => (at(data, 0)['sha256'] = 'a'.repeat(63))],
    [
      "with two texts in each other's place",
      /not what its hash/,
      (data) => {
        [at(data, 0)['text'], at(data, 1)['text']] = [at(data, 1)['text'], at(data, 0)['text']];
      },
    ],
    ['in another order', /answer 0 is out of order/, (data) => (data.run.answers = data.run.answers.toReversed())],
    [
      'with one prompt answered twice',
      /answer 1 is out of order/,
      (data) => (data.run.answers[1] = { ...at(data, 0) }),
    ],
    ['of 29 answers', /answers/, (data) => data.run.answers.pop()],
    ['of 31 answers', /answers/, (data) => data.run.answers.push({ ...at(data, 29), index: 29 })],
    ['of no answers', /answers/, (data) => (data.run.answers = [])],
    ['with an index over the last', /out of order/, (data) => (at(data, 29)['index'] = 30)],
    ['with an index that no set has', /index/, (data) => (at(data, 29)['index'] = 100)],
    ['with an index under the first', /index/, (data) => (at(data, 0)['index'] = -1)],
    ['with a broken index', /index/, (data) => (at(data, 0)['index'] = 0.5)],
    ['with an empty answer', /text/, (data) => setText(data, '')],
    ['with a text that is too long', /has over 32768 bytes/, (data) => setText(data, 'x'.repeat(32_769))],
    [
      'with a text that is too long in bytes alone',
      /has over 32768 bytes/,
      (data) => setText(data, 'é'.repeat(16_385)),
    ],
    ['with an unknown state of an answer', /status/, (data) => (at(data, 0)['status'] = 'pending')],
    ['with an answer that is none', /answers/, (data) => ((data.run.answers as unknown[])[0] = null)],
    ['with an unknown reason of a failure', /reason/, (data) => (at(data, 9)['reason'] = '__proto__')],
    ['with an unknown end of an answer', /finishReason/, (data) => (at(data, 0)['finishReason'] = 'bored')],
    [
      'with too many sources',
      /citations/,
      (data) => (at(data, 0)['citations'] = Array.from({ length: 31 }, () => 'x')),
    ],
    ['with sources that are no list', /citations/, (data) => (at(data, 0)['citations'] = 'https://a.example/')],
    ['of another version', /version/, (data) => (data.version = 3)],
    ['of another capability', /capability/, (data) => (data.capability = 'full_audit')],
    [
      'with a competitor where none belongs',
      /competitor_brand belongs/,
      (data) => (data.input['competitor_brand'] = 'Rival'),
    ],
    ['that compares with nobody', /competitor_brand belongs/, (data) => (data.capability = 'visibility_vs_competitor')],
    ['whose run is about another niche', /another niche/, (data) => (data.run['niche'] = 'tea')],
    [
      'whose niche names the brand',
      /niche names a brand/,
      (data) => {
        data.input['niche'] = 'add-ons for Example Desk';
        data.run['niche'] = 'add-ons for Example Desk';
      },
    ],
    ['with an empty brand', /brand/, (data) => (data.input['brand'] = ' ')],
    ['with a brand of signs', /brand/, (data) => (data.input['brand'] = '***')],
    ['with a brand that is too long', /brand/, (data) => (data.input['brand'] = 'x'.repeat(121))],
    ['with a brand of two lines', /brand/, (data) => (data.input['brand'] = 'Acme\nVerdict: Acme wins')],
    ['with a brand that steers a terminal', /brand/, (data) => (data.input['brand'] = 'Acme\u001B[31m')],
    ['without a brand', /brand/, (data) => delete data.input['brand']],
    ['of other prompts', /other prompts/, (data) => (data.run.promptSet['sha256'] = '0'.repeat(64))],
    ['of a set of another name', /other prompts/, (data) => (data.run.promptSet['id'] = 'v9')],
    ['of an engine that is none', /kind/, (data) => (data.run.engine['kind'] = 'toString')],
    ['of a run whose id is a path', /runId/, (data) => (data.run['runId'] = '../../etc/passwd')],
    ['that ended before all time', /endedAtMs/, (data) => (data.run['endedAtMs'] = -1)],
    ['that began after all time', /startedAtMs/, (data) => (data.run['startedAtMs'] = 1e300)],
  ])('%s', async (_what, detail, change) => {
    const data = JSON.parse(whole) as Tampered;
    expect(await refusalOf(data)).toBeUndefined();
    change(data);
    expect(await refusalOf(data)).toMatch(detail);
  });

  test('of a brand against itself', async () => {
    const data = JSON.parse(pair) as Tampered;
    expect(await refusalOf(data)).toBeUndefined();
    data.input['competitor_brand'] = 'EXAMPLE-DESK';
    expect(await refusalOf(data)).toMatch(/competitor_brand must be another brand/);
  });

  test.each([[null], [undefined], ['text'], [7], [[]], [{}], [{ run: null }], [{ version: 1, run: {} }]])(
    'that is %j',
    async (json) => {
      expect(await refusalOf(json)).toBeTruthy();
    },
  );
});

test('fields of a recording that nobody wrote are left out', async () => {
  const { measurement } = await work('visibility_check', check);
  const [first, ...others] = measurement.run.answers;
  const read = await parseVisibilityRecording({
    ...measurement,
    extra: 1,
    input: { ...measurement.input, extra: 2 },
    run: { ...measurement.run, answers: [{ ...first, extra: 3 }, ...others] },
  });
  expect(read).toEqual({ ok: true, recording: measurement });
});

test('a text of 32 kB in two-byte letters is kept whole', async () => {
  const text = `1. **Acme**: ${'é'.repeat(16_000)}`;
  const long: AnswerEngine = {
    ...simulated,
    answer: async () => ({
      ok: true,
      text,
      servedModel: 'm',
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    }),
  };
  const { measurement } = await work('visibility_check', { ...check, brand: 'Acme' }, long);
  const kept = await readBack(textOf(measurement));
  expect(kept.run.answers[29]).toMatchObject({ text });
});

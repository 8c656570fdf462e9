import { describe, expect, test } from 'vitest';
import {
  createBatchAnswers,
  runAll,
  type PartAnswer,
} from '../../../../src/management/core/conventions/batch-answer.ts';

const tooLarge: PartAnswer = { status: 413, headers: {}, body: 'too large' };
const ok: PartAnswer = { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: '{}' };
const words =
  (...given: string[]) =>
  () =>
    given.shift() ?? 'last';
const ended = (answers: ReturnType<typeof createBatchAnswers>): { contentType: string; body: string } => {
  const { contentType, body } = answers.whole();
  return { contentType, body: Buffer.concat(body).toString() };
};
const render = (answers: readonly PartAnswer[], random = words('1')): ReturnType<typeof ended> => {
  const kept = createBatchAnswers(tooLarge, random);
  for (const [place, answer] of answers.entries()) kept.keep(place, answer);
  return ended(kept);
};
const statusesOf = ({ body }: { body: string }): unknown[] =>
  [...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);

describe('the answer of a batch', () => {
  test('has whole responses, in order, under the ids of their calls', () => {
    const answers = [
      { ...ok, contentId: '<b29c5de2 + 1>' },
      { status: 404, headers: { 'Content-Type': 'text/plain', etag: '"x"' }, body: 'é', contentId: 'plain' },
      { status: 204, headers: {}, body: '' },
    ];
    expect(render(answers)).toEqual({
      contentType: 'multipart/mixed; boundary=batch_1',
      body: [
        '--batch_1',
        'Content-Type: application/http',
        'Content-ID: <response-b29c5de2 + 1>',
        '',
        'HTTP/1.1 200 OK',
        'Content-Type: application/json; charset=UTF-8',
        'Content-Length: 2',
        '',
        '{}',
        '--batch_1',
        'Content-Type: application/http',
        'Content-ID: response-plain',
        '',
        'HTTP/1.1 404 Not Found',
        'Content-Type: text/plain',
        'Etag: "x"',
        'Content-Length: 2',
        '',
        'é',
        '--batch_1',
        'Content-Type: application/http',
        '',
        'HTTP/1.1 204 No Content',
        'Content-Length: 0',
        '',
        '',
        '--batch_1--',
        '',
      ].join('\r\n'),
    });
  });

  test('has a boundary that is in no part', () => {
    const answer = render([{ ...ok, body: '--batch_1--', contentId: 'batch_2' }], words('1', '2', '3'));
    expect(answer.contentType).toBe('multipart/mixed; boundary=batch_3');
    expect(() => render([{ ...ok, body: 'batch_1' }], () => '1')).toThrow('No boundary that is in no part');
  });

  test('no id and no value ends a header line', () => {
    const { body } = render([{ ...ok, contentId: '<a\r\nSet-Cookie: x>', headers: { etag: 'a\nX: b\u0000' } }]);
    expect(body).toContain('Content-ID: <response-a  Set-Cookie: x>\r\n');
    expect(body).toContain('Etag: a X: b \r\n');
  });

  test('K4: parts set no cookies and say nothing of the connection', () => {
    const headers = {
      'set-cookie': 'a',
      'Content-Length': '99',
      'transfer-encoding': 'chunked',
      'content-encoding': 'gzip',
    };
    const { body } = render([{ ...ok, headers }]);
    expect(body).toBe(
      '--batch_1\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}\r\n--batch_1--\r\n',
    );
  });

  test('K4: has at most 32 MiB: what is too much is answered by a refusal of its own', () => {
    const big = { ...ok, body: 'x'.repeat(20 * 1_024 * 1_024) };
    const { body } = render([
      { ...big, contentId: '<1>' },
      { ...big, contentId: '<2>' },
      { ...ok, contentId: '<3>' },
    ]);
    expect(body.length).toBeLessThan(21 * 1_024 * 1_024);
    expect(statusesOf({ body })).toEqual(['200', '413', '200']);
    expect(body).toContain('Content-ID: <response-2>');
  });

  test('K4: counts bytes, not characters', () => {
    const big = { ...ok, body: 'é'.repeat(10 * 1_024 * 1_024) };
    expect(statusesOf(render([big, big]))).toEqual(['200', '413']);
  });

  test('K4: says of a call that did something that it was done, also when there is no room for what', () => {
    const answers = createBatchAnswers(tooLarge, words('1'));
    const big = { ...ok, headers: { etag: '"e"' }, body: 'x'.repeat(20 * 1_024 * 1_024) };
    answers.keep(1, { ...big, status: 201, contentId: '<b>' }, true);
    answers.keep(2, { ...big, contentId: '<c>' }, true);
    answers.keep(0, { status: 204, headers: {}, body: '', contentId: '<a>' }, true);
    expect(ended(answers).body).toContain(
      'Content-ID: <response-c>\r\n\r\nHTTP/1.1 200 OK\r\nEtag: "e"\r\nContent-Length: 2\r\n\r\n{}\r\n',
    );
    expect(statusesOf(ended(answers))).toEqual(['204', '201', '200']);
  });

  test('K4: has room until it is full', () => {
    const answers = createBatchAnswers(tooLarge, words('1'));
    answers.keep(0, { ...ok, body: 'x'.repeat(32 * 1_024 * 1_024 - 4_096) });
    expect(answers.hasRoom()).toBe(true);
    answers.keep(1, { ...ok, body: 'x'.repeat(2_048) });
    expect(answers.hasRoom()).toBe(false);
  });

  test('a status that has no text of its own still has one', () =>
    expect(render([{ ...ok, status: 418 }]).body).toContain('HTTP/1.1 418 Unknown\r\n'));
});

describe('the calls of a batch', () => {
  test('K4: run ten at once, and answer in their order', async () => {
    let running = 0;
    let most = 0;
    const run = async (item: number): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < (item % 3) + 1; turn += 1) await Promise.resolve();
      running -= 1;
      return `ran ${item}`;
    };
    const items = Array.from({ length: 25 }, (_, index) => index);
    expect(await runAll(items, { run, late: () => 'late', isLate: () => false })).toEqual(
      items.map((item) => `ran ${item}`),
    );
    expect(most).toBe(10);
  });

  test('K4: that answer much run one after the other, beside the others', async () => {
    const running = new Set<number>();
    const seen: number[][] = [];
    const run = async (item: number): Promise<number> => {
      running.add(item);
      seen.push([...running]);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      running.delete(item);
      return item;
    };
    const items = Array.from({ length: 30 }, (_, index) => index);
    const isLarge = (item: number): boolean => item % 3 === 0;
    expect(await runAll(items, { run, late: () => -1, isLate: () => false, isLarge })).toEqual(items);
    expect(Math.max(...seen.map((all) => all.filter(isLarge).length))).toBe(1);
    expect(Math.max(...seen.map((all) => all.length))).toBeGreaterThan(3);
  });

  test('K4: that answer much are not begun either when the time is over while they wait', async () => {
    let begun = 0;
    const run = async (): Promise<string> => {
      begun += 1;
      await Promise.resolve();
      return 'ran';
    };
    const options = { run, late: () => 'late', isLate: () => begun >= 2, isLarge: () => true };
    expect(await runAll([1, 2, 3, 4], options)).toEqual(['ran', 'ran', 'late', 'late']);
  });

  test('K4: are not begun when the time is over', async () => {
    let begun = 0;
    const run = async (): Promise<string> => {
      begun += 1;
      return 'ran';
    };
    const items = Array.from({ length: 15 }, (_, index) => index);
    const answers = await runAll(items, { run, late: (item) => `late ${item}`, isLate: () => begun >= 12 });
    expect(begun).toBe(12);
    expect(answers.slice(12)).toEqual(['late 12', 'late 13', 'late 14']);
  });

  test('that cannot run at all fail the batch: a call answers its own errors', async () => {
    const run = (): Promise<string> => Promise.reject(new Error('bug'));
    await expect(runAll([1], { run, late: () => 'late', isLate: () => false })).rejects.toThrow('bug');
    expect(await runAll([], { run, late: () => 'late', isLate: () => false })).toEqual([]);
  });
});

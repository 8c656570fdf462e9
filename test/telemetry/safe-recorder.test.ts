import { expect, test } from 'vitest';
import { type Recorder, createUnfailingRecorder } from '../../src/telemetry/recorder.ts';

const broken = (): never => {
  throw new TypeError('a bug of the recorder');
};
const PART = { name: 'verify', kind: 'CLIENT' } as const;
const TASK = { ...PART, attributes: {} };
const ARRIVED = { requestId: 'r', traceparent: null, method: 'GET', scheme: 'https', serverAddress: 'a' };
const CARRIER = { write: async () => undefined, waitUntil: () => undefined };

/** A recorder with faults, what is told of them, and how often work was done. */
function faulty(changes: Partial<Recorder>) {
  const faults: unknown[] = [];
  const whole: Recorder = { arrived: broken, line: broken, timed: broken, task: broken, ...changes };
  const recording = createUnfailingRecorder(whole, (error) => void faults.push(error));
  let times = 0;
  const work = async (): Promise<number> => {
    times += 1;
    return 7;
  };
  return { recording, faults, work, times: () => times };
}

/** What the work did stands before the recorder fails. */
const late: Recorder['timed'] = async (_id, _part, work) => {
  await work();
  return broken();
};

test('a recorder that throws changes nothing for a request, and is told of', () => {
  const { recording, faults } = faulty({});
  const request = recording.arrived(ARRIVED, CARRIER);
  request.answered({ status: 200, route: '' });
  recording.line('{}', undefined);
  expect(faults).toHaveLength(2);
});

test('nor does one that throws when the request is answered', () => {
  const { recording, faults } = faulty({ arrived: () => ({ answered: broken }) });
  recording.arrived(ARRIVED, CARRIER).answered({ status: 200, route: '' });
  expect(faults).toHaveLength(1);
});

test.each<[string, Partial<Recorder>]>([
  ['at once', {}],
  ['before the work', { timed: async () => broken(), task: async () => broken() }],
  ['after the work', { timed: late, task: (task, _carrier, work) => late('r', task, work) }],
])('work is done once and its outcome is its own where the recorder throws %s', async (_when, changes) => {
  const { recording, faults, work, times } = faulty({ arrived: () => ({ answered: () => undefined }), ...changes });
  recording.arrived(ARRIVED, CARRIER);
  expect(await recording.timed('r', PART, work)).toBe(7);
  expect(await recording.task(TASK, CARRIER, work)).toBe(7);
  expect(times()).toBe(2);
  await expect.poll(() => faults).toHaveLength(2);
});

test('work that fails fails as itself, and no recorder is blamed', async () => {
  const { recording, faults } = faulty({
    arrived: () => ({ answered: () => undefined }),
    timed: (_id, _part, work) => work(),
  });
  recording.arrived(ARRIVED, CARRIER);
  const failing = recording.timed('r', PART, () => {
    throw new RangeError('its own');
  });
  await expect(failing).rejects.toThrow('its own');
  expect(faults).toEqual([]);
});

test('steps are only done, and the recorder is not asked, before anything arrived: telemetry is off', async () => {
  const { recording, faults, work, times } = faulty({});
  expect(await recording.timed('r', PART, work)).toBe(7);
  expect(times()).toBe(1);
  expect(faults).toEqual([]);
});

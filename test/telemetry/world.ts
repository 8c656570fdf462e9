import { recordBuffer, type TelemetryBatchContent } from '../../src/telemetry/buffer.ts';
import { createRecorder } from '../../src/telemetry/recorder.ts';
import { type Carrier, createShipping } from '../../src/telemetry/shipping.ts';

/** One isolate: a clock and waits that a test moves by hand, random bytes that count up, and what was sent. */
export function isolate({ mayKeep = () => true }: { mayKeep?: () => boolean } = {}) {
  let nowMs = 1_000_000;
  let drawn = 0;
  const waits: { untilMs: number; resolve: () => void }[] = [];
  const sent: TelemetryBatchContent[] = [];
  const failures: unknown[] = [];
  const running: Promise<unknown>[] = [];
  const buffer = recordBuffer();
  const now = (): number => nowMs;
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void waits.push({ untilMs: nowMs + ms, resolve }));
  const ship = createShipping({ buffer, now, wait, failed: (error) => void failures.push(error) });
  const random = (bytes: number): Uint8Array => {
    const from = drawn;
    drawn += bytes;
    return Uint8Array.from({ length: bytes }, (_, at) => 1 + (from + at) / BYTES_ALIKE);
  };
  const carrier = (write: Carrier['write'] = async (taken) => void sent.push(taken)): Carrier => ({
    write,
    waitUntil: (promise) => void running.push(promise),
  });
  return {
    now,
    wait,
    buffer,
    ship,
    sent,
    failures,
    running,
    carrier,
    recording: createRecorder({ buffer, ship, now, random, mayKeep }),
    /** Lets time pass, and what waited for it happen. */
    pass: async (ms: number): Promise<void> => {
      nowMs += ms;
      await settle();
      for (const due of waits.filter(({ untilMs }) => untilMs <= nowMs)) {
        waits.splice(waits.indexOf(due), 1);
        due.resolve();
      }
      await settle();
    },
  };
}

const TURNS = 20;
/** Random bytes count up by eights: a span id is one byte eight times. */
const BYTES_ALIKE = 8;

/** Lets everything go on that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';
import { SITE_BYTES, countInto, createHeldBytes, type Hold } from '../../src/net/held-bytes.ts';

const MIB = 1024 * 1024;
const MS = 1000;

/** Audits as the model has them: how much they read by how often, and how long they take. */
export type AuditMix = { sizes: readonly { share: number; bytes: number }[]; readMs: number; judgeMs: number };

const TIMES = { readMs: 4_000, judgeMs: 1_000 } as const;

/** One audit in a thousand reads as much as an audit may, one in twenty an eighth of it. Assumed: no one measured the web. */
export const ASSUMED_MIX: AuditMix = {
  sizes: [
    { share: 0.001, bytes: 25 * MIB },
    { share: 0.05, bytes: 3 * MIB },
    { share: 0.949, bytes: 0.6 * MIB },
  ],
  ...TIMES,
};

/** The same where one audit in a hundred is as large as may be, and one in ten an eighth. */
export const HARSH_MIX: AuditMix = {
  sizes: [
    { share: 0.01, bytes: 25 * MIB },
    { share: 0.1, bytes: 3 * MIB },
    { share: 0.89, bytes: 0.6 * MIB },
  ],
  ...TIMES,
};

export type AdmissionShare = { isolates: number; offered: number; refused: number; share: number };

/** An audit is read in so many steps, each of which the counter is asked about. */
const STEPS = 50;

type Event = { atMs: number; run: () => void };

/**
 * Offers audits by chance to isolates with the counter of the service, and counts those that are refused, before or while
 * they read. Modelled: sizes and times are assumed, the counter is the real one.
 */
export function modelAdmission(perS: number, isolates: number, audits: number, mix = ASSUMED_MIX): AdmissionShare {
  const random = createRandomFromSeed(`${perS} ${isolates}`);
  const clock = { nowMs: 0 };
  const counters = Array.from({ length: isolates }, () =>
    createHeldBytes(undefined, undefined, undefined, () => clock.nowMs),
  );
  const events = createEvents();
  let refused = 0;
  const begin = (): void => {
    const counter = counters[Math.floor(random() * isolates)];
    const hold = counter?.take('purchase', SITE_BYTES);
    if (hold === undefined) refused += 1;
    else read(hold, pickSize(mix, random()));
  };
  const read = (hold: Hold, bytes: number): void => {
    const count = countInto(hold, SITE_BYTES);
    const step = (left: number): void => {
      if (!count(bytes / STEPS)) {
        refused += 1;
        hold.release();
      } else if (left > 1) events.add(clock.nowMs + mix.readMs / STEPS, () => step(left - 1));
      else events.add(clock.nowMs + mix.judgeMs, hold.release);
    };
    step(STEPS);
  };
  let atMs = 0;
  for (let audit = 0; audit < audits; audit += 1) {
    atMs += (-Math.log(1 - random()) * MS) / perS;
    for (let due = events.next(atMs); due; due = events.next(atMs)) {
      clock.nowMs = due.atMs;
      due.run();
    }
    clock.nowMs = atMs;
    begin();
  }
  for (let due = events.next(Infinity); due; due = events.next(Infinity)) {
    clock.nowMs = due.atMs;
    due.run();
  }
  return { isolates, offered: audits, refused, share: refused / audits };
}

function pickSize({ sizes }: AuditMix, at: number): number {
  let left = at;
  for (const { share, bytes } of sizes) {
    if (left < share) return bytes;
    left -= share;
  }
  return sizes.at(-1)?.bytes ?? 0;
}

/** What is to happen, in its order. */
function createEvents(): {
  add: (atMs: number, run: () => void) => void;
  next: (untilMs: number) => Event | undefined;
} {
  const list: Event[] = [];
  return {
    add(atMs, run) {
      let at = list.length;
      while (at > 0 && (list[at - 1]?.atMs ?? 0) < atMs) at -= 1;
      list.splice(at, 0, { atMs, run }); // The next one is last.
    },
    next: (untilMs) => ((list.at(-1)?.atMs ?? Infinity) <= untilMs ? list.pop() : undefined),
  };
}

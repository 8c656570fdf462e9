import { describe, expect, test } from 'vitest';
import {
  AUDIT_BYTES,
  countInto,
  createHeldBytes,
  type Hold,
  OLDEST_BYTES,
  MAX_HELD_BYTES,
  MAX_PREVIEW_BYTES,
} from '../../src/net/held-bytes.ts';

describe('B4: the bytes that an isolate holds', () => {
  test('are given out up to the limit, and again when they are given back', () => {
    const held = createHeldBytes(100, 30);
    const first = held.take('purchase', 40);
    expect(held.take('body', 31)).toBeUndefined();
    const second = held.take('body', 30);
    expect([first, second].every(Boolean)).toBe(true);
    expect(held.held()).toBe(70);
    first?.release();
    first?.release();
    expect(held.held()).toBe(30);
    expect(held.take('purchase', 40)).toBeDefined();
  });

  test('a purchase is never refused because of previews', () => {
    const held = createHeldBytes(100, 30);
    expect(held.take('preview', 30)).toBeDefined();
    expect(held.take('preview', 1)).toBeUndefined();
    expect(held.take('purchase', 70)).toBeDefined();
    expect(held.take('purchase', 1)).toBeUndefined();
  });

  test('strangers have room of their own, and take none from others', () => {
    const held = createHeldBytes(100, 30, 0, Date.now, 20);
    expect(held.take('stranger', 20)).toBeDefined();
    expect(held.take('stranger', 1)).toBeUndefined();
    expect([held.take('body', 70), held.take('preview', 30)].every(Boolean)).toBe(true);
    expect(held.held()).toBe(120);
  });

  test('previews give way to what purchases and bodies hold', () => {
    const held = createHeldBytes(100, 30);
    const purchase = held.take('purchase', 60);
    expect(purchase?.grow(30)).toBe(true);
    expect(held.take('preview', 20)).toBeUndefined();
    const preview = held.take('preview', 10);
    expect(preview?.grow(1)).toBe(false);
    expect(held.held()).toBe(100);
  });

  test('a purchase that was admitted goes on beyond the limit, and nobody else begins until it ends', () => {
    const held = createHeldBytes(100, 30);
    const purchase = held.take('purchase', 50);
    expect(purchase?.grow(60)).toBe(true);
    expect([held.take('purchase', 1), held.take('body', 1), held.take('preview', 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    purchase?.release();
    expect(held.held()).toBe(0);
  });

  test('B4: a purchase grows to the limit, and only the oldest beyond it, so that one of them always ends', () => {
    const held = createHeldBytes(100, 30, 50);
    const [oldest, younger] = [held.take('purchase', 10), held.take('purchase', 10)];
    expect(younger?.grow(80)).toBe(true);
    expect(younger?.grow(1)).toBe(false);
    expect(oldest?.grow(50)).toBe(true);
    expect([oldest?.grow(1), held.held()]).toEqual([false, 150]);
    oldest?.release();
    expect(younger?.grow(60)).toBe(true);
    expect(younger?.grow(1)).toBe(false);
  });

  test('B4: 56 purchases of 25 MiB each hold 65 MiB at most, whatever their order', () => {
    const held = createHeldBytes();
    const holds = Array.from({ length: 56 }, () => held.take('purchase', AUDIT_BYTES)).map((hold) => hold as Hold);
    let most = 0;
    let ended = 0;
    for (let round = 0; ended < holds.length; round += 1) {
      for (const hold of holds) hold.grow(AUDIT_BYTES);
      most = Math.max(most, held.held());
      if (round % 50 === 49) holds[ended++]?.release();
    }
    expect(most).toBeGreaterThan(MAX_HELD_BYTES);
    expect(most).toBeLessThanOrEqual(MAX_HELD_BYTES + OLDEST_BYTES);
    expect(held.held()).toBe(0);
  });

  test('the first bytes of an audit were taken when it began', () => {
    const held = createHeldBytes(4 * AUDIT_BYTES, 2 * AUDIT_BYTES);
    const room = held.take('preview', AUDIT_BYTES);
    const count = room && countInto(room);
    expect(count?.(AUDIT_BYTES)).toBe(true);
    expect(held.held()).toBe(AUDIT_BYTES);
    expect(count?.(AUDIT_BYTES)).toBe(true);
    expect(count?.(1)).toBe(false);
  });

  test('50 purchases and 8 previews of ordinary sites run at once', () => {
    const held = createHeldBytes();
    for (let index = 0; index < 8; index += 1) expect(held.take('preview', AUDIT_BYTES)).toBeDefined();
    for (let index = 0; index < 50; index += 1) expect(held.take('purchase', AUDIT_BYTES)).toBeDefined();
    expect(held.held()).toBeLessThan(MAX_HELD_BYTES);
    expect(8 * AUDIT_BYTES).toBeLessThan(MAX_PREVIEW_BYTES);
  });
});

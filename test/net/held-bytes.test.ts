import { describe, expect, test } from 'vitest';
import {
  AUDIT_BYTES,
  auditRoom,
  countInto,
  createHeldBytes,
  type Hold,
  OLDEST_BYTES,
  MAX_HELD_BYTES,
  MAX_PREVIEW_BYTES,
  SITE_BYTES,
} from '../../src/net/held-bytes.ts';

describe('B4: the bytes that an isolate holds', () => {
  test('are given out up to the limit, and again when they are given back', () => {
    const held = createHeldBytes(100, 30);
    const first = held.take('purchase', 40);
    expect(held.take('body', 61)).toBeUndefined();
    const second = held.take('body', 60);
    expect([first, second].every(Boolean)).toBe(true);
    expect(held.held()).toBe(100);
    first?.release();
    first?.release();
    expect(held.held()).toBe(60);
    expect(held.take('purchase', 40)).toBeDefined();
  });

  test('previews give way first: a purchase takes their room, the youngest preview ends, and no other purchase', () => {
    const held = createHeldBytes(100, 60);
    const elder = held.take('purchase', 40);
    const previews = [held.take('preview', 20), held.take('preview', 20), held.take('preview', 20)];
    expect(held.take('preview', 1)).toBeUndefined();
    expect(held.take('purchase', 30)).toBeDefined();
    expect([...previews, elder].map((hold) => hold?.grow(0))).toEqual([true, false, false, true]);
    // They hold their bytes until they have noticed.
    expect(held.held()).toBe(130);
    for (const preview of previews) preview?.release();
    expect([held.held(), held.take('purchase', 31)]).toEqual([70, undefined]);
    expect(held.take('purchase', 30)).toBeDefined();
  });

  test('previews give way to purchases that grow as well', () => {
    const held = createHeldBytes(100, 60, 0);
    const preview = held.take('preview', 60);
    const purchase = held.take('purchase', 40);
    expect([purchase?.grow(60), preview?.grow(0)]).toEqual([true, false]);
    expect(purchase?.grow(1)).toBe(false);
  });

  test('strangers have room of their own, and take none from others', () => {
    const held = createHeldBytes(100, 30, 0, Date.now, 20);
    expect(held.take('stranger', 20)).toBeDefined();
    expect(held.take('stranger', 1)).toBeUndefined();
    expect([held.take('body', 70), held.take('preview', 30)].every(Boolean)).toBe(true);
    expect(held.held()).toBe(120);
  });

  test('previews take nothing from purchases and bodies', () => {
    const held = createHeldBytes(100, 30);
    const purchase = held.take('purchase', 60);
    expect(purchase?.grow(30)).toBe(true);
    expect(held.take('preview', 20)).toBeUndefined();
    const preview = held.take('preview', 10);
    expect(preview?.grow(1)).toBe(false);
    expect([held.held(), purchase?.grow(0)]).toEqual([100, true]);
  });

  test('nothing begins while a purchase holds everything', () => {
    const held = createHeldBytes(100, 30, 110);
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

  test('B4: a purchase grows to the limit, and the oldest whatever the others hold, of whom the youngest end for it', () => {
    const held = createHeldBytes(100, 30, 90);
    const [oldest, younger] = [held.take('purchase', 10), held.take('purchase', 40)];
    const youngest = held.take('purchase', 10);
    expect([younger?.grow(40), youngest?.grow(1)]).toEqual([true, false]);
    expect(oldest?.grow(10)).toBe(true);
    expect([younger?.grow(0), youngest?.grow(0)]).toEqual([true, false]);
    expect(oldest?.grow(70)).toBe(true);
    expect([younger?.grow(0), oldest?.grow(1)]).toEqual([false, false]);
    youngest?.release();
    younger?.release();
    expect(held.held()).toBe(90);
    oldest?.release();
    expect(held.held()).toBe(0);
  });

  test('B4: 56 purchases of 25 MiB each hold what the oldest may at most, whatever their order', () => {
    const held = createHeldBytes();
    const open = new Set(Array.from({ length: 56 }, () => held.take('purchase', AUDIT_BYTES) as Hold));
    let most = 0;
    let ended = 0;
    while (open.size > 0) {
      const [oldest] = open;
      for (const hold of open) {
        if (hold.grow(AUDIT_BYTES)) continue;
        hold.release(); // As its audit does that cannot go on.
        open.delete(hold);
        ended += Number(hold === oldest);
      }
      most = Math.max(most, held.held());
    }
    expect(most).toBeGreaterThan(MAX_HELD_BYTES);
    expect(most).toBeLessThanOrEqual(OLDEST_BYTES + 56 * AUDIT_BYTES);
    expect([held.held(), ended]).toEqual([0, 1]);
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

  test('whole sites that begin together do not end each other: what has no room does not begin', () => {
    const held = createHeldBytes();
    const rooms = Array.from({ length: 50 }, () => auditRoom('purchase', SITE_BYTES, held));
    const begun = rooms.filter((room) => room.take());
    expect(begun).toHaveLength(MAX_HELD_BYTES / SITE_BYTES);
    expect(begun.map((room) => room.hold(SITE_BYTES))).not.toContain(false);
  });

  test('an audit that is stopped need not judge what it has read: its signal is aborted', () => {
    const held = createHeldBytes(2 * AUDIT_BYTES, 2 * AUDIT_BYTES, 0);
    const preview = auditRoom('preview', AUDIT_BYTES, held);
    expect([preview.take(), preview.hold(AUDIT_BYTES), preview.signal.aborted]).toEqual([true, true, false]);
    expect(held.take('purchase', 2 * AUDIT_BYTES)).toBeDefined();
    expect([preview.hold(0), preview.isStarved(), preview.signal.aborted]).toEqual([false, true, true]);
  });

  test('50 purchases of checks and 8 previews of ordinary sites run at once', () => {
    const held = createHeldBytes();
    for (let index = 0; index < 8; index += 1) expect(held.take('preview', AUDIT_BYTES)).toBeDefined();
    for (let index = 0; index < 50; index += 1) expect(held.take('purchase', AUDIT_BYTES)).toBeDefined();
    expect(held.held()).toBeLessThan(MAX_HELD_BYTES);
    expect(8 * AUDIT_BYTES).toBeLessThan(MAX_PREVIEW_BYTES);
  });
});

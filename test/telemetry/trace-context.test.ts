import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTraceparent } from '../../src/telemetry/wire.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent header', () => {
  test.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, true],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, false],
    ['with flags of a later level', `00-${TRACE}-${SPAN}-03`, true],
    ['of a later version', `cc-${TRACE}-${SPAN}-01`, true],
    ['of a later version, longer', `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
  ])('%s names the caller and whether its spans are kept', (_kind, header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  test.each([
    ['none', null],
    ['empty', ''],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more behind it', `00-${TRACE}-${SPAN}-01-more`],
    ['a later version with something glued to it', `cc-${TRACE}-${SPAN}-01.more`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['flags of one digit', `00-${TRACE}-${SPAN}-1`],
    ['two headers joined', `00-${TRACE}-${SPAN}-01,00-${TRACE}-${SPAN}-01`],
    ['a header of many kilobytes', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`],
  ])('%s begins a new trace', (_kind, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  test('never throws, whatever is sent', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTraceparent(text)));
  });
});

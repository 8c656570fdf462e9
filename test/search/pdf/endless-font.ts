import { onePage, type PdfPart, shown } from './file.ts';

/** Calls of calls: a reader that follows them makes two to the power of this many. */
const DEPTH = 60;
// Of Adobe's Type 1 font format: the key of `eexec`, its factor and summand, and the random bytes in front.
const [EEXEC_KEY, FACTOR, SUMMAND, LEAD] = [55_665, 52_845, 22_719, 4];
const [CALL_SUBR, RETURN, END_CHAR] = [10, 11, 14];
/** A number below 108 is one byte of a charstring. */
const number = (value: number): number => value + 139;

/** The private part of a font program, as `eexec` encrypts it. */
function eexec(plain: Uint8Array): Buffer {
  let key = EEXEC_KEY;
  return Buffer.from(
    Buffer.concat([Buffer.alloc(LEAD), plain]).map((byte) => {
      const cipher = byte ^ (key >> 8);
      key = ((cipher + key) * FACTOR + SUMMAND) & 0xff_ff;
      return cipher;
    }),
  );
}

/** A Type 1 font whose only glyph, `a`, calls a subroutine that calls the next one twice, and so on. */
function endlessFont(): PdfPart {
  const code = (name: string, bytes: readonly number[], end: string): Buffer =>
    Buffer.concat([Buffer.from(`${name} ${bytes.length} RD `), Buffer.from(bytes), Buffer.from(` ${end}\n`)]);
  const calls = Array.from({ length: DEPTH }, (_, at) => [
    number(at + 1),
    CALL_SUBR,
    number(at + 1),
    CALL_SUBR,
    RETURN,
  ]);
  const program = Buffer.concat([
    Buffer.from(`dup /Private 8 dict dup begin /lenIV -1 def\n/Subrs ${DEPTH + 1} array\n`),
    ...[...calls, [RETURN]].map((bytes, at) => code(`dup ${at}`, bytes, 'NP')),
    Buffer.from('ND\n2 index /CharStrings 1 dict dup begin\n'),
    code('/a', [number(0), CALL_SUBR, END_CHAR], 'ND'),
    Buffer.from('end\nend\nmark currentfile closefile\n'),
  ]);
  const clear = Buffer.from(
    '%!PS-AdobeFont-1.0: A\n/FontName /A def /FontMatrix [0.001 0 0 0.001 0 0] readonly def\neexec\n',
  );
  const secret = eexec(program);
  return {
    dict: `/Length1 ${clear.length} /Length2 ${secret.length} /Length3 0`,
    content: Buffer.concat([clear, secret]),
  };
}

/** A PDF that a reader works on for ever and that no judge of ours sees: what its font costs. */
export const pdfOfEndlessFont = (): Uint8Array =>
  onePage(
    '/Resources << /Font << /F1 6 0 R >> >> /Contents 5 0 R',
    { content: shown('a') },
    '<< /Type /Font /Subtype /Type1 /BaseFont /A /FirstChar 97 /LastChar 97 /Widths [500] /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile 8 0 R >>',
    endlessFont(),
  );

import { ImportStopped } from './refusal.ts';

/** Bytes that say what a file is before any of it is read as text. */
const SIGNATURES = [
  { begins: [0x50, 0x4b, 0x03, 0x04], reason: 'zip_file', what: 'a ZIP archive or an Excel workbook' },
  { begins: [0x50, 0x4b, 0x05, 0x06], reason: 'zip_file', what: 'an empty ZIP archive' },
  { begins: [0x1f, 0x8b], reason: 'zip_file', what: 'compressed by gzip' },
  { begins: [0x25, 0x50, 0x44, 0x46], reason: 'not_text', what: 'a PDF file' },
  { begins: [0xd0, 0xcf, 0x11, 0xe0], reason: 'not_text', what: 'a workbook of an older Excel' },
] as const;

const ZIP_HINT = 'Unpack it, or save the sheet as CSV, and name the CSV files.';
const LEADING_CHARS = 1_000;

/**
 * The text of an export. UTF-8 with or without a byte order mark, and UTF-16 with one, as Excel writes "Unicode text".
 * @throws ImportStopped for what is no text
 */
export function decodeImportFile(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw new ImportStopped('empty_file', 'The file is empty.');
  const known = SIGNATURES.find(({ begins }) => begins.every((byte, at) => bytes[at] === byte));
  if (known !== undefined) throw new ImportStopped(known.reason, `The file is ${known.what}, not CSV. ${ZIP_HINT}`);
  const text = decodeBytes(bytes, detectEncoding(bytes));
  if (text.trim() === '') throw new ImportStopped('empty_file', 'The file holds nothing but white space.');
  const start = text.slice(0, LEADING_CHARS).trimStart().toLowerCase();
  if (/^<(?:!doctype|html|head|body|\?xml|script|table)/.test(start))
    throw new ImportStopped(
      'html_file',
      'The file is a web page, not CSV: often the page that asks to sign in. Export it again from the vendor.',
    );
  if (text.includes('\0')) throw new ImportStopped('not_text', 'The file holds NUL characters: it is no CSV file.');
  return text;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new ImportStopped(
      'not_text',
      encoding === 'utf-8'
        ? 'The file is not UTF-8. Save it as "CSV UTF-8".'
        : 'The file begins as UTF-16 and is broken further on. Export it again.',
    );
  }
}

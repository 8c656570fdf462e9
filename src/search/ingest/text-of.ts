import { decodeBody } from '../../audit/core/decode.ts';
import { parseMediaType } from '../../lib/media-type.ts';
import { MAX_PDF_INFLATED, type PdfReadingService } from '../pdf/reader.ts';
import { fenceCode } from './html-blocks.ts';
import { convertHtmlToMarkdown } from './html-text.ts';
import { type FileKind, KINDS_BY_TYPE, MAX_FILE_BYTES, TYPES_BY_EXTENSION, VAGUE_TYPES } from './kinds-data.ts';

const DECLARES_CHARSET = /charset\s{0,9}=/i;
/** How far into a page its charset is declared (HTML, 4.2.5.4). */
const META_CHARS = 1024;

/**
 * The text of bytes: UTF-8, or what a byte order mark or a declared charset says. Strict: undefined when bytes are not
 * UTF-8 and nothing says what else they are, and when they hold NUL, which no text does.
 * @param contentType with its parameters, if it has some
 */
function decodeText(bytes: Uint8Array, contentType: string): string | undefined {
  const text = decodeStrictly(detectByteOrderMark(bytes), bytes) ?? findDeclaredCharset(bytes, contentType);
  return text === undefined || text.includes('\0') ? undefined : text;
}

function detectByteOrderMark([first, second]: Uint8Array): 'utf-16be' | 'utf-16le' | 'utf-8' {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
}

function decodeStrictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined; // Bytes of another charset, which is what this is asked for.
  }
}

function findDeclaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, META_CHARS));
  const says = contentType.includes('html') ? contentType + head : contentType;
  return DECLARES_CHARSET.test(says) && !/charset\s{0,9}=\s{0,9}["']?utf-?8/i.test(says)
    ? decodeBody(new Uint8Array(bytes), contentType)
    : undefined;
}

/** What a document calls itself is cut here. */
const MAX_TITLE_CHARS = 200;
const CHARSET = /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i;
/** How far down a document its title is looked for. */
const TITLE_CHARS = 20_000;

/**
 * Markdown of a file; `title` is what it calls itself, '' for nothing; `type` its media type, with its charset where that is
 * another than UTF-8: the kept bytes are read by it again.
 */
export type FileText =
  | { ok: true; text: string; title: string; type: string }
  | { ok: false; reason: Unreadable; message: string };
export type Unreadable = 'unsupported_type' | 'too_large' | 'took_too_long' | 'not_utf8' | 'unreadable' | 'empty';

/** A file by name: `type` is what its sender says, with or without parameters; the name decides where that says nothing. */
export type RawFile = { key: string; type: string; bytes: Uint8Array };

/**
 * Reads the text of a file as Markdown: pages as their main content, PDF as its text, code and data as a fenced block, Markdown
 * and text as they are. Never throws for what a file holds, and messages repeat nothing of it.
 */
export async function readFileText(file: RawFile, readPdf: PdfReadingService): Promise<FileText> {
  const type = resolveFileType(file);
  const kind = classifyFile(type);
  if (kind === undefined)
    return refuseFile('unsupported_type', `Files of the type ${scrubMediaType(type)} are not indexed`);
  if (file.bytes.byteLength > MAX_FILE_BYTES)
    return refuseFile('too_large', `The file is larger than ${MAX_FILE_BYTES} bytes`);
  if (kind === 'pdf') return describePdfText(await readPdf(file.bytes), type);
  const decoded = decodeText(file.bytes, file.type);
  if (decoded === undefined) return refuseFile('not_utf8', 'The file is not text in UTF-8');
  return finish(READERS[kind](decoded, file.key), type + readCharset(file.type));
}

type FileContent = { text: string; title: string };

const READERS: Readonly<Record<Exclude<FileKind, 'pdf'>, (text: string, key: string) => FileContent>> = {
  html: convertHtmlToMarkdown,
  markdown: (text) => ({ text, title: findTitle(text) }),
  text: (text) => ({ text, title: '' }),
  code: (text, key) => ({ text: text.trim() === '' ? '' : fenceCode(text, readExtension(key)), title: '' }),
};

function describePdfText(read: Awaited<ReturnType<PdfReadingService>>, type: string): FileText {
  if (read === 'unreadable') return refuseFile('unreadable', 'The file is broken or encrypted');
  if (read === 'took_too_long') return refuseFile('took_too_long', TOO_LONG);
  return read === 'too_large' ? refuseFile('too_large', INFLATES) : finish(read, type);
}

const INFLATES = `The file inflates to more than ${MAX_PDF_INFLATED} bytes, or takes too long to read`;
const TOO_LONG = 'The file could not be read in the time that a file may take';

function finish(read: FileContent, type: string): FileText {
  const text = read.text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').toWellFormed();
  if (text.trim() === '') return refuseFile('empty', 'The file has no text');
  return { ok: true, text, title: cut(read.title.toWellFormed()), type };
}

const refuseFile = (reason: Unreadable, message: string): FileText => ({ ok: false, reason, message });

/** The media type that a file is read as. A name that says more than `text/plain` is believed. */
function resolveFileType({ key, type }: RawFile): string {
  const said = parseMediaType(type);
  const byName = TYPES_BY_EXTENSION[readExtension(key)];
  return byName !== undefined && (VAGUE_TYPES.has(said) || said === 'text/plain') ? byName : said;
}

function readCharset(type: string): string {
  const charset = (CHARSET.exec(type)?.[1] ?? '').toLowerCase();
  return charset === '' || charset === 'utf-8' || charset === 'utf8' ? '' : `; charset=${charset}`;
}

function classifyFile(type: string): FileKind | undefined {
  const known = Object.hasOwn(KINDS_BY_TYPE, type) ? KINDS_BY_TYPE[type] : undefined;
  if (known !== undefined) return known;
  return type.startsWith('text/') || /\+(?:json|xml|yaml)$/.test(type) ? 'code' : undefined;
}

function readExtension(key: string): string {
  const name = (key.split(/[?#]/)[0] ?? '').slice(-100);
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(TYPES_BY_EXTENSION, extension) ? extension : '';
}

/** For a message: nothing but the characters of a media type. */
const scrubMediaType = (type: string): string =>
  type === '' ? '(none)' : type.replaceAll(/[^\w.+/-]/g, '').slice(0, 80);

/** The first heading of the first level. */
function findTitle(markdown: string): string {
  const found = /^# {1,9}(\S[^\n]{0,499})/m.exec(markdown.slice(0, TITLE_CHARS));
  return (found?.[1] ?? '').trimEnd().replace(/ #{1,6}$/, '');
}

const cut = (title: string): string => title.trim().slice(0, MAX_TITLE_CHARS).toWellFormed();

import { deflateSync } from 'node:zlib';

/** An object of a PDF: its text, or a stream with what its dictionary says beside length and filter. */
export type PdfPart = string | { dict?: string; content: string | Uint8Array; isPlain?: boolean };

/** A PDF with these objects, numbered from 1; the first is the catalog. Contents of streams are deflated. */
export function pdfFile(parts: readonly PdfPart[]): Uint8Array {
  const chunks: Buffer[] = [];
  let end = 0;
  const add = (bytes: Buffer): void => {
    chunks.push(bytes);
    end += bytes.length;
  };
  add(Buffer.from('%PDF-1.5\n'));
  const offsets = parts.map((part, index) => {
    const at = end;
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), bodyOf(part), Buffer.from('\nendobj\n')]));
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = parts.length + 1;
  const start = end;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(chunks));
}

function bodyOf(part: PdfPart): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  const { dict = '', content, isPlain = false } = part;
  const bytes = isPlain ? Buffer.from(content) : deflateSync(Buffer.from(content), { level: 9 });
  const filter = isPlain ? '' : '/Filter /FlateDecode';
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${filter} ${dict} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** The same of one page: objects 1 to 4 are catalog, pages, page and font F1, those that are given come next. */
export const onePage = (page: string, ...parts: readonly PdfPart[]): Uint8Array =>
  pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${page} >>`,
    FONT,
    ...parts,
  ]);

/** Text that is shown, as content. */
export const shown = (text: string): string => `BT /F1 12 Tf 50 700 Td (${text}) Tj ET\n`;
export const FONTS = '/Font << /F1 4 0 R >>';
export const form = (content: string, resources = `<< ${FONTS} >>`): PdfPart => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources === '' ? '' : `/Resources ${resources}`}`,
  content,
});

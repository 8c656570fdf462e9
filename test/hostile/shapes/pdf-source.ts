/** A stream of a PDF: its data, and what its dictionary says beside the length. */
export type PdfPart = string | { dictionary: string; data: Uint8Array | string };

const HEAD = '%PDF-1.7\n';

/**
 * A PDF of objects numbered from 1, the first of which is the catalog. Its table of objects is right unless `trailer`, which
 * follows it, says otherwise.
 */
export function pdfOf(objects: readonly PdfPart[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from(HEAD)];
  const offsets: number[] = [];
  let end = HEAD.length;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part);
    parts.push(bytes);
    end += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(end);
    add(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`<< /Length ${object.data.length} ${object.dictionary} >>\nstream\n`);
      add(object.data);
      add('\nendstream');
    }
    add('\nendobj\n');
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const at = end;
  add(
    `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
  );
  return Buffer.concat(parts);
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
export const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
export const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A PDF of one page (object 3), its font (4), and what follows from 5 on, which `contents` and `resources` name. */
export const onePage = (more: readonly PdfPart[], contents = '5 0 R', resources = ''): Uint8Array =>
  pdfOf([
    CATALOG,
    ONE_PAGE,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> ${resources} >> /Contents ${contents} >>`,
    FONT,
    ...more,
  ]);

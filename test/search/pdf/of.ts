/** A stream of a PDF: what its dictionary says of it, and its data. `word`: the keyword with its line break. */
export type PdfStream = { filters: readonly string[]; bytes: Uint8Array; word?: string; more?: string };

/** A PDF of one page, whose content is the first stream; the others are beside it. */
export function pdfOf(content: PdfStream, ...others: readonly PdfStream[]): Uint8Array {
  const streams = [content, ...others].map(({ filters, bytes, word = 'stream\n', more = '' }) => [
    `<< /Length ${bytes.length} /Filter [${filters.map((name) => `/${name}`).join(' ')}] ${more} >>\n${word}`,
    bytes,
    '\nendstream',
  ]);
  const objects = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    ['<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>'],
    ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    ...streams,
  ];
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [encoder.encode('%PDF-1.4\n')];
  let end = 9;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part);
    parts.push(bytes);
    end += bytes.length;
  };
  const offsets = objects.map((object, index) => {
    const at = end;
    for (const part of [`${index + 1} 0 obj\n`, ...object, '\nendobj\n']) add(part);
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`,
  );
  const whole = new Uint8Array(end);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

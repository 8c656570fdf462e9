const LINE_HEIGHT = 20;

/** A PDF whose pages have these lines of text (ASCII without parentheses). */
export function pdf(pages: readonly (readonly string[])[], title = ''): Uint8Array {
  return documentOf(pages, `/Title (${title})`, '');
}

/** A PDF that says it is encrypted, in a way that no reader without its password opens. */
export const encryptedPdf: Uint8Array = documentOf(
  [['Secret']],
  '',
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<${'43'.repeat(16)}> <${'43'.repeat(16)}>]`,
);

function documentOf(pages: readonly (readonly string[])[], info: string, trailer: string): Uint8Array {
  const kids = pages.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${info} >>`,
    ...pages.flatMap((lines, index) => {
      const shown = lines.map((line) => `(${line}) Tj 0 -${LINE_HEIGHT} Td`).join(' ');
      const content = `BT /F1 12 Tf 50 700 Td ${shown} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}

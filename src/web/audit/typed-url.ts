/** What someone typed as an address: `example.com` means https. Whether it is one is judged later. */
export function normaliseTypedUrl(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.includes('://') ? trimmed : `https://${trimmed}`;
}

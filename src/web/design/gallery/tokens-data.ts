/** What a colour is for, from which its least contrast follows. */
export type TokenUse = 'ground' | 'text' | 'line' | 'hair';

/** A colour in both schemes, as `styles/tokens.css` has it (a test compares them), and the token of the ground below it. */
export type ColourToken = { name: string; light: string; dark: string; use: TokenUse; on?: string };

export const colourTokens: readonly ColourToken[] = [
  { name: 'ground', light: '#ffffff', dark: '#10171e', use: 'ground' },
  { name: 'tint', light: '#f1f5f9', dark: '#1a232d', use: 'ground' },
  { name: 'ink', light: '#14202b', dark: '#eef3f8', use: 'text', on: 'tint' },
  { name: 'dim', light: '#3d4a57', dark: '#c2ccd6', use: 'text', on: 'tint' },
  { name: 'line', light: '#76838f', dark: '#8b97a3', use: 'line', on: 'tint' },
  { name: 'hair', light: '#d5dde5', dark: '#2f3b47', use: 'hair', on: 'ground' },
  { name: 'accent', light: '#0a4a94', dark: '#9fcaff', use: 'text', on: 'tint' },
  { name: 'on-accent', light: '#ffffff', dark: '#0a1a2b', use: 'text', on: 'accent' },
  { name: 'good-tint', light: '#e3f5e9', dark: '#102b1a', use: 'ground' },
  { name: 'good', light: '#0b5a2b', dark: '#8fe0ab', use: 'text', on: 'good-tint' },
  { name: 'warn-tint', light: '#fdf1d8', dark: '#33260a', use: 'ground' },
  { name: 'warn', light: '#6d4200', dark: '#f5cd84', use: 'text', on: 'warn-tint' },
  { name: 'bad-tint', light: '#fdeaea', dark: '#3a1616', use: 'ground' },
  { name: 'bad', light: '#8c1414', dark: '#ffb3b0', use: 'text', on: 'bad-tint' },
  { name: 'idle-tint', light: '#e9eef3', dark: '#222d38', use: 'ground' },
  { name: 'idle', light: '#44505c', dark: '#bcc7d2', use: 'text', on: 'idle-tint' },
  { name: 'series-1', light: '#0a4a94', dark: '#9fcaff', use: 'line', on: 'ground' },
  { name: 'series-2', light: '#0b5a2b', dark: '#8fe0ab', use: 'line', on: 'ground' },
  { name: 'series-3', light: '#8a3d00', dark: '#ffbe94', use: 'line', on: 'ground' },
  { name: 'series-4', light: '#6b1a74', dark: '#e3b1ea', use: 'line', on: 'ground' },
];

/** Sizes of text, the smallest first, each with what it is for. */
export const typeTokens = [
  ['small', 'Notes beside something'],
  ['body', 'Text'],
  ['h3', 'Heading within a section'],
  ['intro', 'First sentence of a page'],
  ['h2', 'Heading of a section'],
  ['h1', 'Heading of a page'],
] as const;

/** Distances, the smallest first. */
export const spaceTokens = [1, 2, 3, 4, 5, 6, 7] as const;

/**
 * Colours of the badge, which is an image of its own: no style sheet of ours reaches it, and its policy allows none. They
 * are those of `styles/tokens.css`; text on its ground has a contrast of 7:1 and more in both themes.
 */
export const badgeColours = {
  light: {
    label: '#14202b',
    onLabel: '#ffffff',
    good: '#0b5a2b',
    fair: '#6d4200',
    poor: '#8c1414',
    idle: '#44505c',
    on: '#ffffff',
  },
  dark: {
    label: '#2f3b47',
    onLabel: '#eef3f8',
    good: '#8fe0ab',
    fair: '#f5cd84',
    poor: '#ffb3b0',
    idle: '#bcc7d2',
    on: '#10171e',
  },
} as const;

export type BadgeTheme = keyof typeof badgeColours;

/** The picture of links to pages of ours: see `static/card.png`. Pictures of reports have the same size. */
export const CARD = { path: '/web/card.png', width: 1200, height: 630 } as const;

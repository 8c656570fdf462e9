import { brand } from '../brand.ts';
import { CARD } from './card.ts';

type OpenGraphProps = { title: string; description: string; url: string };

/** What a link to a page of ours shows where it is shared: the words of the page, and the picture that all of them have. */
export const OpenGraph = ({ title, description, url }: OpenGraphProps) => (
  <>
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:type" content="website" />
    <meta property="og:url" content={url} />
    <meta property="og:image" content={`${new URL(url).origin}${CARD.path}`} />
    <meta property="og:image:width" content={String(CARD.width)} />
    <meta property="og:image:height" content={String(CARD.height)} />
    <meta property="og:image:alt" content={brand.tagline} />
    <meta property="og:site_name" content={brand.name} />
  </>
);

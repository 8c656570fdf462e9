import type { PageLanguage } from '../../language/language.ts';
import { ASSETS, type Html, renderDocument } from '../shell.tsx';
import { PartSamples } from './parts.tsx';
import { StateSamples } from './states.tsx';
import { TokenSamples } from './tokens.tsx';

const SECTIONS = [
  ['type', 'Type'],
  ['space', 'Spacing'],
  ['colours', 'Colours'],
  ['buttons', 'Buttons'],
  ['fields', 'Forms'],
  ['tables', 'Tables'],
  ['figures', 'Gauges, bars and statuses'],
  ['boxes', 'Boxes and code'],
  ['empty', 'Empty'],
  ['loading', 'Loading and progress'],
  ['refused', 'Refused'],
  ['charts', 'Charts'],
  ['texts', 'Texts of real sites'],
] as const;

/** Every shared part in every state, for those who work on the pages. Its own words are English; parts are in the language of the page. */
export const renderGallery = (language: PageLanguage): Html =>
  renderDocument({
    title: 'Design',
    language,
    path: '/design',
    styles: [`${ASSETS}/gallery.css`],
    scripts: [`${ASSETS}/copy.js`, `${ASSETS}/history.js`],
    children: (
      <>
        <p class="lead">Every part that pages share, in every state, with the texts that real sites bring.</p>
        <nav aria-label="Sections">
          <ul class="ways">
            {SECTIONS.map(([id, text]) => (
              <li>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
        <TokenSamples />
        <PartSamples language={language} />
        <StateSamples language={language} />
      </>
    ),
  });

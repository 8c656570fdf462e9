import { SCORE_ORDER, getScoreTitle } from './score-words.ts';

/** Takes the room of the result while it is made, so that nothing below it moves when it comes. */
export const PendingResult = () => (
  <>
    <h2>Your preview</h2>
    <ul class="gauges" aria-hidden="true">
      {SCORE_ORDER.map((name) => (
        <li>
          <figure class="gauge">
            <svg viewBox="0 0 100 92">
              <circle
                class="track"
                cx="50"
                cy="50"
                r="42"
                fill="none"
                stroke-width="9"
                stroke-linecap="round"
                stroke-dasharray="197.92 263.89"
                transform="rotate(135 50 50)"
              />
            </svg>
            <figcaption>{getScoreTitle(name)}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </>
);

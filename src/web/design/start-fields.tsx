/** The field that says whether the page that answers a form may begin an audit by itself. */
export const LIVE_FIELD = 'live';

/**
 * Goes into each form that posts an address (`url`) to `/audit`. Where scripts run, browsers read what is in `noscript` as
 * text, and the form asks for the page that streams the audit. Where they do not, the first field counts, and the form
 * asks for the finished result. No script is needed for it.
 */
export const StartFields = () => (
  <>
    <noscript>
      <input type="hidden" name={LIVE_FIELD} value="no" />
    </noscript>
    <input type="hidden" name={LIVE_FIELD} value="yes" />
  </>
);

// One comment of a pull request, written once and updated from then on.
const CALL_MS = 10_000;
/** Pages of 100 comments that are looked through for ours. */
const MAX_PAGES = 10;
const PER_PAGE = 100;
/** GitHub takes no longer comment. */
const MAX_BODY_CHARS = 65_000;

/** Tells the comments of two jobs apart. */
const buildMarker = () => {
  const { GITHUB_WORKFLOW = '', GITHUB_JOB = '' } = process.env;
  return `<!-- sightline ${`${GITHUB_WORKFLOW}/${GITHUB_JOB}`.replaceAll(/[^\w./-]+/g, '-').slice(0, 200)} -->`;
};

/**
 * @param {{ repository: string, number: number }} pullRequest
 * @param {string} token
 * @param {string} text
 * @returns {Promise<string>} what was done, or why nothing was
 */
export async function putComment({ repository, number }, token, text) {
  const marker = buildMarker();
  const body = `${marker}\n${text}`.slice(0, MAX_BODY_CHARS);
  const path = `/repos/${repository}/issues`;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const listed = await callApi(token, 'GET', `${path}/${number}/comments?per_page=${PER_PAGE}&page=${page}`);
    if (!listed.ok) return explainRefusal(listed.status);
    const comments = Array.isArray(listed.json) ? listed.json : [];
    // Anyone may write our marker; only a bot's comment is replaced.
    const own = comments.find((one) => one?.user?.type === 'Bot' && String(one.body ?? '').startsWith(marker));
    if (own !== undefined) {
      const updated = await callApi(token, 'PATCH', `${path}/comments/${Number(own.id)}`, { body });
      return updated.ok ? 'The comment of the pull request was updated.' : explainRefusal(updated.status);
    }
    if (comments.length < PER_PAGE) break;
  }
  const made = await callApi(token, 'POST', `${path}/${number}/comments`, { body });
  return made.ok ? 'The pull request has a comment.' : explainRefusal(made.status);
}

const explainRefusal = (status) =>
  status === 401 || status === 403 || status === 404
    ? `No comment: GitHub answered ${status}. Give the job the permission "pull-requests: write"; pull requests from forks have it not.`
    : `No comment: GitHub answered ${status}.`;

async function callApi(token, method, path, body) {
  const base = process.env.GITHUB_API_URL ?? 'https://api.github.com';
  const answer = await fetch(`${base}${path}`, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_MS),
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'sightline-action',
      'x-github-api-version': '2022-11-28',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { ok: answer.ok, status: answer.status, json: answer.ok && text !== '' ? JSON.parse(text) : undefined };
}

// The program under test: makes an account for a new colleague and adds it to a group.
export async function onboard({ directory, token, name, group }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path, body) => {
    const answer = await fetch(`${directory}/admin/directory/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status === 409) return undefined; // This address has an account already.
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };
  const [givenName, familyName] = name.split(' ');
  const primaryEmail = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  const user = await call('users', { primaryEmail, password: crypto.randomUUID(), name: { givenName, familyName } });
  if (user !== undefined)
    await call(`groups/${encodeURIComponent(group)}/members`, { email: primaryEmail, role: 'MEMBER' });
  return user;
}

/** All users of a node, page by page. Throws an Error with what the node says. */
export async function listUsers(ledgerUrl, token) {
  const users = [];
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams({ pageSize: "2", pageToken });
    const answer = await fetch(`${ledgerUrl}/v2/users?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(await problemIn(answer));
    const page = await answer.json();
    users.push(...page.users);
    if (page.nextPageToken === "") return users;
    pageToken = page.nextPageToken;
  }
}

/** The ledger returns 400 with a text, and anything else that went wrong with JSON. */
async function problemIn(answer) {
  const text = await answer.text();
  return answer.status === 400 ? text : JSON.parse(text).cause;
}

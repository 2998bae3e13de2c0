/** All users of a node, page by page. Throws an Error with the message of the node. */
export async function listUsers(ledgerUrl, token) {
  const users = [];
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams({ pageSize: "2", pageToken });
    const response = await fetch(`${ledgerUrl}/v2/users?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(await problemIn(response));
    const page = await response.json();
    users.push(...page.users);
    if (page.nextPageToken === "") return users;
    pageToken = page.nextPageToken;
  }
}

/** The ledger returns 400 as plain text, and all other errors as JSON. */
async function problemIn(response) {
  const text = await response.text();
  return response.status === 400 ? text : JSON.parse(text).cause;
}

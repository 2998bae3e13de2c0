const json = { "Content-Type": "application/json" };

export async function makeAdministrator(baseUrl, token, userId) {
  const answer = await fetch(`${baseUrl}/v2/users/${userId}/rights`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, ...json },
    body: JSON.stringify({ userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] }),
  });
  if (answer.status === 400) throw new Error(await answer.text());
  if (!answer.ok) throw new Error((await answer.json()).code);
}

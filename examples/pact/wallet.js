const json = { "Content-Type": "application/json" };

export async function makeAdministrator(baseUrl, token, userId) {
  const response = await fetch(`${baseUrl}/v2/users/${userId}/rights`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, ...json },
    body: JSON.stringify({ userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] }),
  });
  if (response.status === 400) throw new Error(await response.text());
  if (!response.ok) throw new Error((await response.json()).code);
}

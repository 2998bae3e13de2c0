import { expect, test } from "vitest";
import { stubOf } from "./_stub.ts";

const patch = (id: string) => ({
  method: "PATCH",
  body: { user: { id, primaryParty: "new::1220ab" }, updateMask: { paths: ["primary_party"] } },
});

test.each(["spec", "canton-3.5"] as const)("a page that is read again shows every change in profile %s", (profile) => {
  const { ask } = stubOf("quickstart", profile);
  const page = (query = "?pageSize=2") => ask(`/v2/users${query}`).text;
  const first = page();
  expect(page()).toBe(first);
  const [{ id, primaryParty }] = JSON.parse(first).users;
  expect(primaryParty).not.toBe("new::1220ab");
  ask(`/v2/users/${id}`, patch(id));
  const changed = page();
  expect(JSON.parse(changed).users[0]).toMatchObject({ id, primaryParty: "new::1220ab" });
  expect(page()).toBe(changed);
});

test("pages of other sizes and tokens are other pages", () => {
  const { ask } = stubOf("quickstart", "spec");
  const idsOf = (query: string) => {
    const { users, nextPageToken } = JSON.parse(ask(`/v2/users${query}`).text);
    return { ids: users.map(({ id }: { readonly id: string }) => id), nextPageToken };
  };
  const { ids: all } = idsOf("");
  for (let round = 0; round < 2; round += 1) {
    const one = idsOf("?pageSize=1");
    expect(one.ids).toEqual(all.slice(0, 1));
    expect(idsOf("?pageSize=2").ids).toEqual(all.slice(0, 2));
    expect(idsOf(`?pageSize=1&pageToken=${one.nextPageToken}`).ids).toEqual(all.slice(1, 2));
    expect(idsOf(`?pageSize=2&pageToken=${one.nextPageToken}`).ids).toEqual(all.slice(1, 3));
  }
});

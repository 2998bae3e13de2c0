import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { createUser, removeUser, walkUsers } from "../_users.ts";

export const newUsersWalk: Probe = {
  id: "new-users-walk",
  summary: "Lists the users after three users are created, and after they are deleted.",
  section: "4.2",
  safety: "writes",
  needs: asAdministrator,
  reaches: ["getV2Users 200"],
  async run(context) {
    const ids = [1, 2, 3].map((number) => `${context.prefix}-${number}`);
    const created: string[] = [];
    try {
      for (const id of ids) {
        const status = await createUser(context, id);
        if (status !== 200) context.end(`the target did not create a user (status ${status})`);
        created.push(id);
      }
      await walkUsers(context, { pageSize: 2 });
      await walkUsers(context);
    } finally {
      for (const id of created) await removeUser(context, id);
    }
    await walkUsers(context);
  },
};

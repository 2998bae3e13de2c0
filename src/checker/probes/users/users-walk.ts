import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { walkUsers } from "../_users.ts";
import { sendVariants } from "../_variants.ts";

export const usersWalk: Probe = {
  id: "users-walk",
  summary: "Lists all users with page sizes of 1, 2, 1000 and the default.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2Users 200"],
  async run(context) {
    for (const pageSize of [1, 2, 1000]) await walkUsers(context, { pageSize });
    await walkUsers(context);
    const queries = [{ pageSize: "2" }, {}, { pageSize: "2", pageToken: "" }, { pageToken: "" }];
    await sendVariants(
      context,
      queries.map((query) => ({ operationId: "getV2Users", query })),
    );
    await context.send({ operationId: "getV2Users", query: { pageSize: "0" } });
  },
};

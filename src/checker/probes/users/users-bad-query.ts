import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

export const usersBadQuery: Probe = {
  id: "users-bad-query",
  summary: "Lists users with invalid page sizes and with an invalid page token.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2Users 400"],
  async run({ send }) {
    for (const pageSize of ["x", "1.5", "-1", "2147483648"])
      await send({ operationId: "getV2Users", query: { pageSize } });
    await send({ operationId: "getV2Users", query: { pageToken: "not-a-page-token" } });
  },
};

import { firstPage } from "../request.ts";
import type { Traffic } from "./_traffic.ts";

export const listUsers: Traffic = {
  name: "users",
  title: "`GET /v2/users`",
  members: ["users"],
  requests: async () => [firstPage],
};

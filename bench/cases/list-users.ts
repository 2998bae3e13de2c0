import type { LoadRequest } from "../load/request.ts";
import type { LoadCase } from "./_load-case.ts";

export const firstPage: LoadRequest = { method: "GET", path: "/v2/users?pageSize=10" };

export const listUsers: LoadCase = {
  name: "users",
  title: "`GET /v2/users`",
  about: "a page of 10 of 1,000 users",
  members: ["users"],
  requests: async () => [firstPage],
};

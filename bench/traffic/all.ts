import type { Traffic } from "./_traffic.ts";
import { executeAndWait } from "./execute.ts";
import { grantRights } from "./grant-rights.ts";
import { listUsers } from "./list-users.ts";
import { mixed } from "./mixed.ts";
import { transferFactory } from "./transfer-factory.ts";
import { updateUser } from "./update-user.ts";

export const allTraffic: readonly Traffic[] = [
  listUsers,
  transferFactory,
  updateUser,
  grantRights,
  executeAndWait,
  mixed,
];

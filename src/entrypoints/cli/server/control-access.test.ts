import { expect, test } from "vitest";
import { emptyBody } from "../../../foundation/http/body.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { headerValues } from "../../../foundation/http/header.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { loopbackAccess, refusalOf } from "../../../stub/control/access.ts";
import { tokenAccess } from "../../../stub/control/token-check.ts";
import { withControlToken } from "../../programs/target/with-control-token.ts";

const token = "a-token-that-is-hard-to-guess";
/** The requests that a target receives, as `target authorization`. */
async function receivedBy(target: Handler, ...paths: readonly string[]): Promise<readonly string[]> {
  const received: string[] = [];
  const handler = withControlToken((request) => {
    received.push(`${request.target} ${headerValues(request.headers, "authorization").join()}`.trim());
    return target(request);
  }, token);
  for (const path of paths)
    await handler({ method: "GET", target: path, headers: [["Host", "localhost"]], body: emptyBody });
  return received;
}

const worlds = "/__understudy/worlds";

test.each([200, 401, 404])(
  "a target that responds with %i and requires no token does not receive it",
  async (status) => {
    expect(await receivedBy(() => textResponse(status, "text/plain", ""), worlds, worlds)).toEqual([worlds, worlds]);
  },
);

test("a stub that requires its control token receives it from then on, only below its own paths", async () => {
  const access = { ...loopbackAccess, token: tokenAccess(token) };
  const understudy: Handler = (request) => refusalOf(request, access) ?? textResponse(200, "text/plain", "");
  expect(await receivedBy(understudy, worlds, worlds, "/v2/users")).toEqual([
    worlds,
    `${worlds} Bearer ${token}`,
    `${worlds} Bearer ${token}`,
    "/v2/users",
  ]);
});

import { emptyBody } from "../../../../foundation/http/body.ts";
import type { HeaderList } from "../../../../foundation/http/header.ts";
import { releaseNames, releaseOfVersion } from "../../../../foundation/spec/release-of-version.ts";
import { sendOverHttp } from "../../../../transport/client/send-over-http.ts";
import { checkedBaseUrl } from "../../flags/base-url.ts";
import { timeoutMsOf } from "../../flags/timeout.ts";
import type { Environment, Options } from "../../options.ts";
import { versionIn } from "../../target/node-version.ts";
import { unknownApiError } from "../../target/recognize-api.ts";
import { withUnreachableError } from "../../target/understudy-target.ts";
import { UserError } from "../../user-error.ts";
import { readTarget } from "../target.ts";
import { type FoundRelease, shownVersion } from "./releases.ts";

/** The release of the node at a base URL, by its `GET /v2/version`. Rejects with a UserError for an unknown version. */
export async function releaseOfNode(text: string, options: Options, environment: Environment): Promise<FoundRelease> {
  const url = checkedBaseUrl("migrate-to", text);
  // A token in the environment may be that of another node.
  const token = options.isWord("token") ? readTarget(options, environment).tokens.administrator : undefined;
  const client = sendOverHttp(url, timeoutMsOf(options));
  const send = withUnreachableError(client, url);
  const requestVersion = (headers: HeaderList) =>
    send({ method: "GET", target: "/v2/version", headers, body: emptyBody });
  try {
    const first = await requestVersion([]);
    const isTokenNeeded = token !== undefined && first.type === "response" && first.status === 401;
    const response = isTokenNeeded ? await requestVersion([["Authorization", `Bearer ${token}`]]) : first;
    const version = versionIn(response);
    if (version === undefined) throw unknownApiError("ledger", url, [{ requested: "GET /v2/version", response }]);
    return { name: nameOf(version, url), reason: `${url} has version ${shownVersion(version)}` };
  } finally {
    client.close();
  }
}

function nameOf(version: string, url: string): string {
  const found = releaseOfVersion(version, { hasAnnounced: true });
  if (found?.match === "known") return found.name;
  const advice = found === undefined ? "Name a release" : `The nearest release is ${found.name}`;
  throw new UserError(
    `--migrate-to ${url}: the node has version ${JSON.stringify(shownVersion(version))}, which belongs to no known release. ${advice}: --migrate-to ${found?.name ?? releaseNames().at(-1)}.`,
  );
}

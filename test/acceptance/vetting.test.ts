import { expect, test } from "vitest";
import { expectRefused, hashOfWorld, type PlayedProfile, stubOver } from "./_stub.ts";

const [base, app1, app2, twin, broken, absent] = ["b", "1", "2", "3", "4", "9"].map((digit) => `a${digit.repeat(63)}`);
const participant = "participant1::1220ab";
const synchronizers = {
  old: `{ alias: old, id: "old::1220ab", protocolVersion: 34, vettedPackages: [${base}], topologySerial: 3 }`,
  young: '{ alias: young, id: "young::1220ab", protocolVersion: 35 }',
  kept: `{ alias: kept, id: "kept::1220ab", protocolVersion: 35, vettedPackages: [${broken}], topologySerial: 1 }`,
  away: '{ alias: away, id: "away::1220ab", connected: false }',
};
const profiles: readonly PlayedProfile[] = ["spec", "canton-3.5"];
const path = "/v2/package-vetting";

function stub(names: readonly (keyof typeof synchronizers)[], profile: PlayedProfile = "canton-3.5") {
  const ledger = `participantId: ${participant}
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers: [${names.map((name) => synchronizers[name]).join(", ")}]
packages:
  - { id: ${base}, name: base, version: 1.0.0 }
  - { id: ${app1}, name: app, version: 1.0.0, dependencies: [${base}] }
  - { id: ${app2}, name: app, version: 2.0.0, dependencies: [${base}], incompatibleWith: [${app1}] }
  - { id: ${twin}, name: twin, version: 1.0.0 }
  - { id: ${broken}, name: broken, version: 1.0.0, dependencies: [${absent}] }
  - { id: ${absent}, name: absent, version: 1.0.0, uploaded: false }
  - { id: a${"5".repeat(63)}, name: twin, version: 1.0.0 }
users: [{ id: root, rights: [ParticipantAdmin] }, { id: plain }]
`;
  const { world, ask } = stubOver({ ledger }, profile);
  return { world, ask, vet: (body: unknown) => ask(path, { body }) };
}

const vet = (packages: readonly object[], bounds: object = {}) => ({
  operation: { Vet: { value: { packages, ...bounds } } },
});
const unvet = (packages: readonly object[]) => ({ operation: { Unvet: { value: { packages } } } });
const idsIn = (text: string) =>
  JSON.parse(text).newVettedPackages.packages.map(({ packageId }: { packageId: string }) => packageId);

test("vets by id, by name, by name and version and by all three, and returns the past state", () => {
  for (const profile of profiles)
    for (const reference of [
      { packageId: app1 },
      { packageName: "app", packageVersion: "1.0.0" },
      { packageId: app1, packageName: "app", packageVersion: "1.0.0" },
    ]) {
      const response = stub(["old"], profile).vet({ changes: [vet([reference])] });
      expect(response).toMatchObject({ status: 200, contentType: "application/json" });
      expect(JSON.parse(response.text)).toMatchObject({
        pastVettedPackages: { topologySerial: 3, packages: [{ packageId: base }] },
        newVettedPackages: { topologySerial: 4, participantId: participant, synchronizerId: "old::1220ab" },
      });
      expect(idsIn(response.text)).toEqual([app1, base]);
    }
  expect(stub(["old"]).vet({ changes: [vet([{ packageName: "base" }])] }).status).toBe(200);
});

test("applies changes in order, the last one for a package wins, and keeps what is not changed", () => {
  const { vet: send } = stub(["old"]);
  const changes = [vet([{ packageId: app1 }]), unvet([{ packageName: "app" }]), vet([{ packageId: twin }])];
  expect(idsIn(send({ changes }).text)).toEqual([twin, base]);
  expect(idsIn(send({ changes: [unvet([{ packageName: "none" }])] }).text)).toEqual([twin, base]);
});

test("replaces the validity bounds of a package, and clears them if absent", () => {
  const { vet: send } = stub(["old"]);
  const bounds = { newValidFromInclusive: "2026-01-01T00:00:00Z", newValidUntilExclusive: "2027-01-01T00:00:00Z" };
  const first = JSON.parse(send({ changes: [vet([{ packageId: base }], bounds)] }).text);
  expect(first.newVettedPackages.packages[0]).toEqual({
    packageId: base,
    validFromInclusive: "2026-01-01T00:00:00Z",
    validUntilExclusive: "2027-01-01T00:00:00Z",
    packageName: "base",
    packageVersion: "1.0.0",
  });
  const second = JSON.parse(send({ changes: [vet([{ packageId: base }])] }).text);
  expect(second.newVettedPackages).toMatchObject({ topologySerial: 5, packages: [{ validFromInclusive: null }] });
  const same = JSON.parse(send({ changes: [vet([{ packageId: base }])] }).text);
  expect(same.newVettedPackages.topologySerial).toBe(5);
});

test("responds to a dry run like to a real run, without changes", () => {
  const { world, vet: send } = stub(["old"]);
  const before = hashOfWorld(world);
  const dry = send({ changes: [vet([{ packageId: app1 }])], dryRun: true });
  expect(hashOfWorld(world)).toBe(before);
  expect(send({ changes: [vet([{ packageId: app1 }])] }).text).toBe(dry.text);
  expect(hashOfWorld(world)).not.toBe(before);
});

test("profile spec reads dry_run and synchronizer_id as the spec writes them, and releases ignore them", () => {
  const changes = [vet([{ packageId: app1 }])];
  const changed = (profile: PlayedProfile, body: object) => {
    const { world, vet: send } = stub(["old"], profile);
    const before = hashOfWorld(world);
    const { status } = send({ changes, ...body });
    return [status, hashOfWorld(world) !== before];
  };
  expect(changed("spec", { dry_run: true })).toEqual([200, false]);
  expect(changed("spec", { dryRun: true })).toEqual([200, false]);
  expect(changed("spec", { dry_run: false })).toEqual([200, true]);
  expect(changed("canton-3.5", { dry_run: true })).toEqual([200, true]);
  const where = (profile: PlayedProfile) =>
    stub(["old", "kept"], profile).vet({ changes: [unvet([])], synchronizer_id: "kept::1220ab" });
  expect(JSON.parse(where("spec").text).newVettedPackages.synchronizerId).toBe("kept::1220ab");
  expect(JSON.parse(where("canton-3.5").text).code).toBe("PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER");
});

test.each([
  ["no changes", { changes: null }, "must be array at 'changes'"],
  ["a null for dryRun", { dryRun: null }, "must be boolean at 'dryRun'"],
  ["a null for dry_run", { dry_run: null }, "must be boolean at 'dry_run'"],
  ["a null for synchronizerId", { synchronizerId: null }, "must be string at 'synchronizerId'"],
  ["a null for the expected serial", { expectedTopologySerial: null }, "must be object at 'expectedTopologySerial'"],
  [
    "a null for the flags",
    { updateVettedPackagesForceFlags: null },
    "must be array at 'updateVettedPackagesForceFlags'",
  ],
  ["a text for dry_run", { dry_run: "true" }, "must be boolean at 'dry_run'"],
  ["both names", { dry_run: true, dryRun: true }, "dryRun and dry_run are the same member: send only one of them"],
])("profile spec refuses %s", (_name, body, problem) => {
  const { world, vet: send } = stub(["old"], "spec");
  const before = hashOfWorld(world);
  expect(send({ changes: [vet([{ packageId: app1 }])], ...body })).toEqual({
    status: 400,
    contentType: "text/plain; charset=UTF-8",
    text: `Invalid value for: body (${problem})`,
  });
  expect(hashOfWorld(world)).toBe(before);
});

test("a release accepts null for the expected serial", () => {
  const body = { changes: [vet([{ packageId: app1 }])], expectedTopologySerial: null };
  expect(stub(["old"]).vet(body).status).toBe(200);
});

test("serves the successor under the path of the spec beside that of the releases, in profile spec only", () => {
  const body = { changes: [vet([{ packageId: app1 }])], dry_run: true };
  const { ask } = stub(["old"], "spec");
  const [bySpec, byRelease] = ["/package-vetting/update", "/v2/package-vetting/update"].map((target) =>
    ask(target, { body }),
  );
  expect(bySpec).toMatchObject({ status: 200, contentType: "application/json" });
  expect(bySpec).toEqual(byRelease);
  expect(ask("/package-vetting/update", { body, token: "" }).status).toBe(401);
  expect(stub(["old"]).ask("/package-vetting/update", { body }).status).toBe(404);
});

test("omits the past state, or sends null, if nothing was vetted before", () => {
  const past = (profile: PlayedProfile) =>
    JSON.parse(stub(["young"], profile).vet({ changes: [vet([{ packageId: base }])] }).text);
  expect(Object.keys(past("spec"))).toEqual(["newVettedPackages"]);
  expect(past("canton-3.5").pastVettedPackages).toBeNull();
});

test("uses the only connected synchronizer, or the one named by logical or physical id", () => {
  const on = (names: readonly (keyof typeof synchronizers)[], synchronizerId?: string) => {
    const response = stub(names).vet({
      changes: [unvet([])],
      ...(synchronizerId === undefined ? {} : { synchronizerId }),
    });
    const body = JSON.parse(response.text);
    return body.newVettedPackages === null ? "nothing yet" : (body.newVettedPackages?.synchronizerId ?? body.code);
  };
  expect(on(["old"])).toBe("old::1220ab");
  expect(on(["old", "away"])).toBe("old::1220ab");
  expect(on(["old", "young"], "young::1220ab")).toBe("nothing yet");
  expect(on(["old", "young"], "young::1220ab::35-0")).toBe("nothing yet");
  expect(on(["old", "young"], "young::1220ab::35-0 or so")).toBe("PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER");
  expect(on(["old", "young"])).toBe("PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER");
  expect(on(["away"])).toBe("PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER");
  expect(on([])).toBe("PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER");
  expect(on(["old", "away"], "away::1220ab")).toBe("PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER");
});

test("accepts unvetted dependencies on protocol version 35, or with the force flag", () => {
  const changes = [vet([{ packageId: app1 }]), unvet([{ packageId: base }])];
  expect(stub(["young"]).vet({ changes }).status).toBe(200);
  const flags = ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"];
  expect(stub(["old"]).vet({ changes, updateVettedPackagesForceFlags: flags }).status).toBe(200);
  const upgrade = { changes: [vet([{ packageId: app1 }, { packageId: app2 }])] };
  const force = ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES"];
  expect(stub(["old"]).vet({ ...upgrade, updateVettedPackagesForceFlags: force }).status).toBe(200);
});

const prior = (value: number) => ({ expectedTopologySerial: { serial: { Prior: { value } } } });

test("accepts the expected topology serial", () => {
  expect(stub(["old"]).vet({ changes: [vet([{ packageId: app1 }])], ...prior(3) }).status).toBe(200);
  expect(stub(["young"]).vet({ changes: [vet([{ packageId: base }])], ...noPrior }).status).toBe(200);
});

const one = [vet([{ packageId: app1 }])];

const malformed = "PROTO_DESERIALIZATION_FAILURE";
const unresolved = "UNRESOLVED_VETTING_REFERENCE";
const noPrior = { expectedTopologySerial: { serial: { NoPrior: {} } } };
const unmet = { changes: [...one, unvet([{ packageId: base }])] };
const bounded = (from: string, until?: string) => ({
  changes: [
    vet([{ packageId: base }], { newValidFromInclusive: from, ...(until && { newValidUntilExclusive: until }) }),
  ],
});
/** The changes that vet these packages. */
const vetted = (...packages: readonly object[]) => ({ changes: [vet(packages)] });
const renamed = { packageId: app1, packageName: "base", packageVersion: "1.0.0" };

test.each([
  ["a change without operation", { changes: [{}] }, 400, malformed],
  ["a change that is empty", { changes: [{ operation: { Empty: {} } }] }, 400, malformed],
  ["a reference by id and name", vetted({ packageId: app1, packageName: "app" }), 400, malformed],
  ["a reference by version", vetted({ packageVersion: "1.0.0" }), 400, malformed],
  ["a serial that is not positive", { changes: one, ...prior(0) }, 400, malformed],
  ["another serial", { changes: one, ...prior(2) }, 400, "TOPOLOGY_SERIAL_MISMATCH"],
  ["another serial in a dry run", { changes: one, ...prior(2), dryRun: true }, 400, "TOPOLOGY_SERIAL_MISMATCH"],
  ["no serial although one exists", { changes: one, ...noPrior }, 400, "TOPOLOGY_SERIAL_MISMATCH"],
  ["an unknown package", vetted({ packageId: "none" }), 404, unresolved],
  ["a package that is not uploaded", vetted({ packageId: absent }), 404, unresolved],
  ["an id with another name", vetted(renamed), 404, unresolved],
  ["a name with several versions", vetted({ packageName: "app" }), 400, "AMBIGUOUS_VETTING_REFERENCE"],
  ["dependencies that are not vetted", unmet, 400, "TOPOLOGY_DEPENDENCIES_NOT_VETTED"],
  ["the same in a dry run", { ...unmet, dryRun: true }, 400, "TOPOLOGY_DEPENDENCIES_NOT_VETTED"],
  [
    "a dependency that is not uploaded",
    vetted({ packageId: broken }),
    404,
    "TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES",
  ],
  ["an incompatible upgrade", vetted({ packageId: app1 }, { packageId: app2 }), 400, "NOT_VALID_UPGRADE_PACKAGE"],
  [
    "an incompatible upgrade backwards",
    vetted({ packageId: app2 }, { packageId: app1 }),
    400,
    "NOT_VALID_UPGRADE_PACKAGE",
  ],
  [
    "an incompatible upgrade and unvetted dependencies",
    { changes: [vet([{ packageId: app1 }, { packageId: app2 }]), unvet([{ packageId: base }])] },
    400,
    "NOT_VALID_UPGRADE_PACKAGE",
  ],
  [
    "two packages of one name and version",
    vetted({ packageId: twin }, { packageId: `a${"5".repeat(63)}` }),
    400,
    "KNOWN_PACKAGE_VERSION",
  ],
  ["an end before the begin", bounded("2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), 400, "TOPOLOGY_INVALID_MAPPING"],
  [
    "bounds that leave no time",
    bounded("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    400,
    "TOPOLOGY_INVALID_MAPPING",
  ],
  ["a bound that is not a time", bounded("soon"), 400, undefined],
  ["an unknown force flag", { changes: one, updateVettedPackagesForceFlags: ["YES"] }, 400, undefined],
  ["changes that are not a list", { changes: 1 }, 400, undefined],
] as const)("refuses %s and changes nothing", (_name, body, status, code) => {
  for (const profile of profiles) {
    const { world, vet: send } = stub(["old"], profile);
    expectRefused(profile, { world, send: () => send(body) }, status, code);
  }
});

test("refuses an empty list of changes in profile spec, and accepts it in a release", () => {
  expect(stub(["old"], "spec").vet({ changes: [] })).toMatchObject({
    status: 400,
    contentType: "text/plain; charset=UTF-8",
  });
  expect(stub(["old"], "spec").vet({}).status).toBe(400);
  const response = JSON.parse(stub(["old"]).vet({}).text);
  expect(response.newVettedPackages).toEqual(response.pastVettedPackages);
});

test("keeps a vetted package whose dependencies are not in the store", () => {
  expect(stub(["kept"]).vet({ changes: [vet([{ packageId: base }])] }).status).toBe(200);
});

test("accepts a single bound", () => {
  const [from, until] = ["newValidFromInclusive", "newValidUntilExclusive"];
  const status = (bounds: object) => stub(["old"]).vet({ changes: [vet([{ packageId: base }], bounds)] }).status;
  const timestamp = "2026-01-01T00:00:00Z";
  expect([status({ [from]: timestamp }), status({ [until]: timestamp })]).toEqual([200, 200]);
});

test("increments the serial for a changed bound or a removed package, but not without a change", () => {
  const { vet: send } = stub(["old"]);
  const serial = (...changes: readonly object[]) => JSON.parse(send({ changes }).text).newVettedPackages.topologySerial;
  expect(serial(vet([{ packageId: base }], { newValidUntilExclusive: "2027-01-01T00:00:00Z" }))).toBe(4);
  expect(serial(vet([{ packageId: base }], { newValidUntilExclusive: "2028-01-01T00:00:00Z" }))).toBe(5);
  expect(serial(vet([{ packageId: base }], { newValidUntilExclusive: "2028-01-01T00:00:00Z" }))).toBe(5);
  expect(serial(unvet([{ packageId: base }]))).toBe(6);
  expect(serial(unvet([{ packageId: base }]))).toBe(6);
});

test("lets only participant administrators vet", () => {
  const ledger = `participantId: ${participant}
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers: [${synchronizers.young}]
users: [{ id: root, rights: [ParticipantAdmin] }, { id: plain }]
`;
  const { ask } = stubOver({ ledger }, "canton-3.5", "user");
  expect(["root", "plain"].map((token) => ask(path, { body: { changes: [unvet([])] }, token }).status)).toEqual([
    200, 403,
  ]);
});

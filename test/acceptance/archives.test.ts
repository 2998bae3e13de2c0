import { describe, expect, test } from "vitest";
import { differenceOf, entriesOf, entriesOfJson, withEntries } from "../../src/stub/stores/difference.ts";
import { isWorldState } from "../../src/stub/stores/is-world-state.ts";
import { from } from "../archives/_tables.ts";
import { archiveOf } from "../archives/archive-of.ts";
import { darOf } from "../archives/dar-of.ts";
import { recordType } from "../archives/data-types.ts";
import { IOU } from "../archives/packages/iou.ts";
import {
  PROFILE_V1,
  PROFILE_V2,
  PROFILE_WITH_OTHER_TYPE,
  PROFILE_WITH_REQUIRED_FIELD,
} from "../archives/packages/profile.ts";
import { con, TEXT } from "../archives/types.ts";
import { hashOfWorld, type RequestedStub, stubOver } from "./_stub.ts";

const alice = "alice::1220ab";
const synchronizer = "a::1220ab";

function stub(more = "", vetted = ""): RequestedStub {
  const ledger = `participantId: participant1::1220ab
synchronizers: [{ alias: a, id: "${synchronizer}", protocolVersion: 35${vetted} }]
parties: [{ id: "${alice}" }]
users: [{ id: root, rights: [ParticipantAdmin] }, { id: alice, rights: [{ CanActAs: "${alice}" }] }]
${more}`;
  return stubOver({ ledger }, "canton-3.5", "user");
}

const post = (to: RequestedStub, path: string, rawBody: string | Uint8Array, token = "root") =>
  to.ask(path, { method: "POST", rawBody, token });
const upload = (to: RequestedStub, rawBody: string | Uint8Array, query = "") => post(to, `/v2/dars${query}`, rawBody);
const packageIds = (to: RequestedStub): readonly string[] =>
  JSON.parse(to.ask("/v2/packages", { token: "root" }).text).packageIds;
const errorOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
  const { code, cause, context } = JSON.parse(text);
  return { status, code, cause, context };
};

function vettedIds(of: RequestedStub): readonly string[] {
  const { text } = of.ask("/v2/package-vetting/list", { body: {}, token: "root" });
  return (JSON.parse(text).vettedPackages[0]?.packages ?? []).map((row: { packageId: string }) => row.packageId);
}

/** Creates a contract as Alice. */
function create(at: RequestedStub, templateId: string, createArguments: object) {
  const commands = [{ CreateCommand: { templateId, createArguments } }];
  const body = {
    commands: {
      commands,
      commandId: `c${JSON.stringify(createArguments).replace(/\W/g, "")}`,
      actAs: [alice],
      userId: "alice",
    },
  };
  const response = at.ask("/v2/commands/submit-and-wait-for-transaction", { body, token: "alice" });
  return {
    ...response,
    reason: () => at.reasonOf("/v2/commands/submit-and-wait-for-transaction", { body, token: "alice" }),
  };
}

describe("archives", () => {
  test.each(["/v2/dars", "/v2/packages"])(
    "POST %s stores all packages of a DAR, vets them, and does so once",
    (path) => {
      const to = stub();
      expect(post(to, path, darOf(IOU))).toMatchObject({ status: 200, text: "{}" });
      const ids = packageIds(to);
      expect(ids).toContain(IOU.id);
      for (const { id } of IOU.uses) expect(ids).toContain(id);
      expect([...vettedIds(to)].sort()).toEqual([...ids].sort());
      const before = hashOfWorld(to.world);
      expect(post(to, path, darOf(IOU))).toMatchObject({ status: 200, text: "{}" });
      expect(hashOfWorld(to.world)).toBe(before);
    },
  );

  test("a package can be downloaded with its hash, has a status, and an unknown one is refused", () => {
    const to = stub();
    upload(to, darOf(IOU));
    const { contentType, text } = to.ask(`/v2/packages/${IOU.id}`, { token: "root" });
    expect(contentType).toBe("application/octet-stream");
    expect(text).toBe(new TextDecoder().decode(IOU.payload));
    const status = to.ask(`/v2/packages/${IOU.id}/status`, { token: "root" });
    expect(JSON.parse(status.text)).toEqual({ packageStatus: "PACKAGE_STATUS_REGISTERED" });
    const unknown = to.ask(`/v2/packages/${"a".repeat(64)}`, { token: "root" });
    expect(errorOf(unknown)).toMatchObject({
      status: 404,
      code: "PACKAGE_NOT_FOUND",
      cause: "Could not find package.",
    });
  });

  test("without vetting, a DAR is stored alone, and the synchronizer is not looked at", () => {
    const to = stub();
    expect(upload(to, darOf(IOU), "?vetAllPackages=false&synchronizerId=other::1220ab").status).toBe(200);
    expect(packageIds(to)).toContain(IOU.id);
    expect(vettedIds(to)).toEqual([]);
  });

  test("a synchronizer that is not connected is refused, by validation too, and so is a flag with another value than a boolean", () => {
    const to = stub();
    const before = hashOfWorld(to.world);
    for (const path of ["/v2/dars", "/v2/dars/validate"])
      expect(errorOf(post(to, `${path}?synchronizerId=other::1220ab`, darOf(IOU)))).toMatchObject({
        status: 400,
        code: "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER",
        cause: "Cannot upload a dar because the participant is not connected to synchronizer 'other::1220ab'.",
      });
    expect(upload(to, darOf(IOU), "?vetAllPackages=maybe").text).toBe(
      "Invalid value for: query parameter vetAllPackages",
    );
    expect(hashOfWorld(to.world)).toBe(before);
  });

  test("validation has an empty response and stores nothing", () => {
    const to = stub();
    expect(post(to, "/v2/dars/validate", darOf(IOU))).toMatchObject({ status: 200, text: "" });
    expect(packageIds(to)).toEqual([]);
    expect(errorOf(post(to, "/v2/dars/validate", "text"))).toMatchObject({ status: 400, code: "INVALID_DAR" });
  });

  test("only an administrator uploads", () => {
    const to = stub();
    for (const path of ["/v2/dars", "/v2/packages", "/v2/dars/validate"])
      expect(post(to, path, "text", "alice").status).toBe(403);
  });

  test("bytes that are no DAR are refused, and nothing is kept", () => {
    const to = stub();
    const before = hashOfWorld(to.world);
    const dar = darOf(IOU);
    const corrupt = { status: 400, code: "INVALID_DAR", cause: "Dar file is corrupt" };
    expect(errorOf(upload(to, "not-a-dar-archive"))).toMatchObject(corrupt);
    expect(errorOf(upload(to, dar.slice(0, dar.length / 2)))).toMatchObject(corrupt);
    const altered = { ...IOU, bytes: IOU.bytes.map((byte, index) => (index === 100 ? byte ^ 1 : byte)) };
    expect(errorOf(upload(to, darOf(altered)))).toMatchObject({ status: 400, code: "DAR_PARSE_ERROR" });
    expect(hashOfWorld(to.world)).toBe(before);
  });

  test("a DAR that lacks a package is refused from Daml-LF 2.2 on", () => {
    const to = stub();
    const holder = (language: "2.1" | "2.2") => {
      const fields = { asset: con(from(IOU, "Iou:Iou")) };
      const archive = archiveOf({
        name: "holder",
        version: "1.0.0",
        language,
        modules: { Holder: [recordType("Holder", fields)] },
      });
      return { ...archive, uses: [] };
    };
    const refused = errorOf(upload(to, darOf(holder("2.2"))));
    expect(refused).toMatchObject({ status: 400, code: "DAR_DEPENDENCIES_NOT_VALID" });
    expect(refused.context.missingDependencies).toBe(`Set(${IOU.id})`);
    expect(upload(to, darOf(holder("2.1")), "?vetAllPackages=false").status).toBe(200);
  });

  test("a valid upgrade is vetted beside the earlier version", () => {
    const to = stub();
    expect(upload(to, darOf(PROFILE_V1)).status).toBe(200);
    expect(upload(to, darOf(PROFILE_V2)).status).toBe(200);
    expect(vettedIds(to)).toEqual(expect.arrayContaining([PROFILE_V1.id, PROFILE_V2.id]));
  });

  test.each([
    [
      PROFILE_WITH_REQUIRED_FIELD,
      "The upgraded template Profile has added new fields, but those fields are not Optional.",
    ],
    [PROFILE_WITH_OTHER_TYPE, "The upgraded template Profile has changed the types of some of its original fields."],
  ])("an invalid upgrade is refused when it is vetted: $name $version", (later, reason) => {
    const to = stub();
    upload(to, darOf(PROFILE_V1));
    const named = ({ id, name, version }: typeof later) => `${id} (${name} v${version})`;
    expect(errorOf(upload(to, darOf(later)))).toMatchObject({
      status: 400,
      code: "NOT_VALID_UPGRADE_PACKAGE",
      cause: `Upgrade checks indicate that ${named(later)} cannot be an upgrade of ${named(PROFILE_V1)}. Reason: ${reason}`,
    });
    expect(packageIds(to)).not.toContain(later.id);
    expect(upload(to, darOf(later), "?vetAllPackages=false").status).toBe(200);
  });

  test("another package with the same name and version is refused", () => {
    const to = stub();
    upload(to, darOf(PROFILE_V1));
    const thing = recordType("Thing", { name: TEXT });
    const twin = archiveOf({ name: "profile", version: "1.0.0", modules: { Other: [thing] } });
    expect(errorOf(upload(to, darOf(twin)))).toMatchObject({ status: 400, code: "KNOWN_PACKAGE_VERSION" });
  });

  test("create arguments have the types of the archive", () => {
    const to = stub();
    upload(to, darOf(IOU));
    const created = create(to, "#iou:Iou:Iou", { amount: "100", owner: alice, issuer: alice });
    expect(created.status).toBe(200);
    expect(JSON.parse(created.text).transaction.events[0].CreatedEvent).toMatchObject({
      templateId: `${IOU.id}:Iou:Iou`,
      createArgument: { issuer: alice, owner: alice, amount: "100.0000000000" },
    });
    const missing = create(to, "#iou:Iou:Iou", { amount: "1" });
    expect(errorOf(missing)).toMatchObject({
      status: 400,
      code: "COMMAND_PREPROCESSING_FAILED",
      cause: "Missing non-optional fields: Set(issuer, owner)",
    });
    const wrong = create(to, "#iou:Iou:Iou", { amount: "1.00000000001", owner: alice, issuer: alice });
    expect(errorOf(wrong)).toMatchObject({
      code: "COMMAND_PREPROCESSING_FAILED",
      cause: "Cannot represent 1.00000000001 as (Numeric 10) without loss of precision",
    });
    expect(wrong.reason()).toContain("'amount'");
    const unknown = create(to, "#iou:Iou:Other", {});
    expect(errorOf(unknown)).toMatchObject({ status: 404, code: "TEMPLATES_OR_INTERFACES_NOT_FOUND" });
  });

  test("a filter names a template or an interface of an archive, and not the other kind", () => {
    const to = stub();
    upload(to, darOf(IOU));
    const asked = (kind: string, member: string, id: string) => {
      const identifierFilter = { [kind]: { value: { [member]: id } } };
      const eventFormat = { filtersByParty: { [alice]: { cumulative: [{ identifierFilter }] } } };
      const { status, text } = to.ask("/v2/state/active-contracts", {
        body: { activeAtOffset: 0, eventFormat },
        token: "alice",
      });
      return status === 200 ? status : JSON.parse(text).code;
    };
    expect(asked("TemplateFilter", "templateId", "#iou:Iou:Iou")).toBe(200);
    expect(asked("TemplateFilter", "templateId", "#iou:Iou:Other")).toBe(
      "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    );
    expect(asked("InterfaceFilter", "interfaceId", "#iou:Iou:Iou")).toBe(
      "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    );
    expect(asked("TemplateFilter", "templateId", "#other:Iou:Iou")).toBe("PACKAGE_NAMES_NOT_FOUND");
  });

  test("a fork has the packages of its origin, and not those that are uploaded later", () => {
    const origin = stub();
    upload(origin, darOf(PROFILE_V1));
    const fork = origin.forkWithoutCaches();
    upload(origin, darOf(IOU));
    expect(packageIds(fork)).toContain(PROFILE_V1.id);
    expect(packageIds(fork)).not.toContain(IOU.id);
    expect(create(fork, "#profile:Profile:Profile", { owner: alice, name: "Alice" }).status).toBe(200);
  });

  test("a store keeps the archive of a package once, and gives it back", () => {
    const to = stub();
    upload(to, darOf(IOU));
    const entries = [...entriesOf(to.world.state)];
    const rows = entries.filter(([path]) => path.at(-1) === IOU.id && path.includes("packages"));
    expect(rows).toHaveLength(1);
    const restored = withEntries(undefined, entriesOfJson(JSON.parse(JSON.stringify(entries))));
    if (!isWorldState(restored)) throw new Error("the state is not restored");
    expect(restored.ledger.packages.get(IOU.id)).toEqual(to.world.state.ledger.packages.get(IOU.id));
    expect(differenceOf(to.world.state, restored)).toEqual([]);
  });
});

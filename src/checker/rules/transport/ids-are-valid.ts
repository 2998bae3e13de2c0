import type { Json } from "../../../foundation/json/json.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { shown } from "../_schema-findings.ts";
import { memberAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { executionExample } from "../sample-submissions.ts";
import { allocationExample, listedUser } from "../sample-users.ts";
import { shownUsers, usersShowing } from "../users/_user-attributes.ts";

const status = {
  operationId: "getV2PackagesPackage-idStatus",
  target: "/v2/packages/a/status",
  status: 200,
  body: '{"packageStatus":"PACKAGE_STATUS_REGISTERED"}',
} as const;
const allocation = allocationExample();
const execution = executionExample("", "ab", 7);

/** A member of a response with the form of its value. */
interface Form {
  readonly member: string;
  readonly expected: string;
  /** Whether only releases have the form. */
  readonly isOfRelease?: true;
  isValid(value: Json): boolean;
}

const formsOf: Readonly<Record<string, readonly Form[]>> = {
  [allocation.operationId]: [idForm("partyId", "partyId")],
  [status.operationId]: [
    {
      member: "packageStatus",
      expected: "the name of a status",
      isValid: (value) => /^PACKAGE_STATUS_[A-Z_]+$/.test(String(value)),
    },
  ],
  [execution.operationId]: [
    { member: "completionOffset", expected: "an offset above 0", isValid: (value) => Number(value) > 0 },
    { ...idForm("updateId", "updateId"), isOfRelease: true },
  ],
};

const formsOfUser: readonly Form[] = [
  idForm("id", "userId"),
  optional(idForm("primaryParty", "damlParty")),
  optional(idForm("identityProviderId", "ledgerString")),
];
const version: Form = { ...idForm("resourceVersion", "resourceVersion"), isOfRelease: true };

/** The spec names the ids of the ledger, whose forms are the same in every release (contracts/identifiers.yaml). */
export const idsAreValid: ExchangeRule = {
  type: "exchange",
  id: "ids-are-valid",
  section: "2.2",
  severity: "error",
  inSpec: {
    warning: "some",
    because: "the spec shows neither the form of an update id nor that of a resource version",
  },
  summary: "Ids of parties and users, a package status and an offset have the form of their kind.",
  operations: [...Object.keys(formsOf), ...usersShowing],
  yieldsTo: ["body-schema"],
  appliesTo: (checked) => checked.status === 200 && checked.responseJson !== undefined,
  check(checked) {
    const { operation, responseJson = null } = checked;
    return [
      ...(formsOf[operation.operationId] ?? []).flatMap((form) => wrongForm(form, responseJson, "")),
      ...shownUsers(checked).flatMap(({ user, place }) => wrongUser(user, place)),
    ];
  },
  examples: {
    kept: [
      { ...allocation, name: "a party" },
      { ...status, name: "a status" },
      { ...execution, name: "an execution" },
      { ...listedUser({ primaryParty: "", identityProviderId: "" }), name: "a user without a party" },
    ],
    broken: [
      { ...allocation, name: "an empty party", body: '{"partyId":""}' },
      { ...status, name: "no name of a status", body: '{"packageStatus":"registered"}' },
      { ...executionExample("", "ab", 0), name: "an offset of 0" },
      {
        ...execution,
        name: "an update id that is not a hash",
        isWarning: true,
        body: '{"updateId":"update 1","completionOffset":7}',
      },
      { ...listedUser({ primaryParty: "alice@home" }), name: "a primary party with another character" },
    ],
  },
};

function idForm(member: string, syntax: string): Form {
  return {
    member,
    expected: `an id of the form ${syntax}`,
    isValid: (value) => typeof value !== "string" || isIdentifier(syntax, value),
  };
}

function optional(form: Form): Form {
  return { ...form, isValid: (value) => value === "" || form.isValid(value) };
}

function wrongUser(user: Json, place: string): readonly Finding[] {
  const found = formsOfUser.flatMap((form) => wrongForm(form, user, place));
  return [...found, ...wrongForm(version, memberAt(user, "metadata"), `${place}/metadata`)];
}

function wrongForm(
  { member, expected, isOfRelease, isValid }: Form,
  value: CheckedExchange["responseJson"],
  place: string,
): readonly Finding[] {
  const found = memberAt(value, member) ?? undefined;
  if (found === undefined || isValid(found)) return [];
  const basis = isOfRelease === true ? "release" : undefined;
  return [{ expected, actual: shown(found), pointer: `${place}/${member}`, keyword: "form", value: found, basis }];
}
